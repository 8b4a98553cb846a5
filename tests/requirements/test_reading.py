"""B-01 … B-47: reading pages behind a login by a reviewed contract.

Where a browser reads, it is the real Chromium behind the strongest wall of this machine; where a person
decides, it is the real desk with its SQLite. Ways out of a page: tests/reading/test_hostile.py.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import stat
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from reading import needs
from reading.erp import SESSION, contract
from reading.samples import demo, text
from reading.world import Office, Reading, a_reading, an_office
from ringwall.judge.check import check
from ringwall.judge.desk import Yes
from ringwall.judge.reading_settings import configured
from ringwall.mcp import reading as tools
from ringwall.mcp.tools import Site, call
from ringwall.mcp.tools import tools as all_tools
from ringwall.model.action import ToolCall
from ringwall.model.errors import RingwallError
from ringwall.model.verdict import Verdict
from ringwall.reading import limits, protocol
from ringwall.reading.archive import Archive
from ringwall.reading.client import ask, running
from ringwall.reading.contract import parse
from ringwall.reading.cookies import Borrowed, Cookie
from ringwall.reading.failures import ReadFailed
from ringwall.reading.observation import limitations
from ringwall.reading.outline import outline
from ringwall.reading.permit import End
from ringwall.reading.record import Noticed, draft
from ringwall.reading.scope import Scope, check_scope
from ringwall.reading.settings import read_settings
from ringwall.store.paths import StateDir

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reading.md").read_text("utf-8") if (ROOT / "docs" / "reading.md").exists() else ""
SCOPE = Scope("fixture", "reader", "demo", "reader")
POST = "application/json"

pytestmark = pytest.mark.xdist_group("reading")


@pytest.fixture(scope="module")
def reading() -> Iterator[Reading]:
    if needs.MISSING:
        pytest.skip(needs.MISSING)
    with a_reading() as made:
        yield made


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    if needs.MISSING:
        pytest.skip(needs.MISSING)
    if needs.display.args[0]:
        pytest.skip("Xvfb is not here (apt install xvfb)")
    with an_office(tmp_path_factory.mktemp("office")) as made:
        made.erp.page("orders", "<h1>Orders</h1><p>1001 pending</p>")
        made.configure(contract(made.erp, "orders"))
        made.ask(protocol.Open())
        time.sleep(0.5)  # the page's own first navigations
        yield made


def fails(reading: Reading, html: str, *requests: tuple[str, str, str, str]) -> str:
    """Read a page that does what it must not; why it failed."""
    reading.erp.page("it", f"<h1>Orders</h1>{html}")
    with pytest.raises(ReadFailed) as caught:
        reading.read(contract(reading.erp, "it", *requests))
    return " ".join(caught.value.reasons)


def script(code: str) -> str:
    return f"<script>{code}</script>"


def words(reading: Reading, html: str, *requests: tuple[str, str, str, str]) -> str:
    reading.erp.page("it", html)
    return "\n".join(outline(reading.read(contract(reading.erp, "it", *requests)).seen.labels))


# A. Status and boundary


def test_B_01_without_a_persons_settings_reading_is_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert configured().off
    with pytest.raises(RingwallError, match="Reading is off"):
        _ = configured().window
    answer = asyncio.run(call("browser_read_policy", {}, Site("/", {}, StateDir(str(tmp_path / "s")))))
    assert answer.failed
    assert "not open" in answer.text
    assert not (tmp_path / "s").exists()
    assert "not a general" in PAGE


def test_B_02_nothing_drives_the_login_window(office: Office) -> None:
    before = (office.page.url, len(office.erp.targets()))
    office.permitted(parse(office.contract_path.read_bytes()).digest)
    office.read(parse(office.contract_path.read_bytes()).digest)
    assert office.page.url == before[0]
    sources = (ROOT / "src/ringwall/reading/window.py").read_text("utf-8")
    assert sources.count(".goto(") == 1
    assert not re.search(r"\.(click|fill|type|press|reload|evaluate|dispatch_event)\(", sources)


def test_B_03_the_contract_is_named_by_an_absolute_path_in_a_persons_settings(office: Office) -> None:
    assert read_settings({"browserReadPolicyFile": "/a/b.json"}, "x").contract == "/a/b.json"
    with pytest.raises(RingwallError, match="absolute"):
        read_settings({"contract": "b.json"}, "x")
    office.ask(protocol.Resume())
    kept = office.loop.run(_without_contract(office))
    assert kept["evidence"]["kind"] == "passive"
    assert "heading 1: Welcome" in kept["lines"]


async def _without_contract(office: Office) -> dict[str, Any]:
    settings = office.folder / "config" / "ringwall" / "ringwall.toml"
    before = settings.read_text()
    settings.write_text(before.replace(f'contract = "{office.contract_path}"', ""))
    try:
        return await office.desk.answer(protocol.Observe())
    finally:
        settings.write_text(before)


def test_B_04_before_any_read_a_person_confirms_scope_digest_and_range(office: Office) -> None:
    made = office.configure(contract(office.erp, "orders", id="b04"))
    with pytest.raises(RingwallError):
        office.read(made.digest)
    number = office.enable(made.digest)["proposal"]
    shown = json.dumps(office.person.one(number).content, ensure_ascii=False)
    for part in (
        made.digest,
        "b04",
        office.erp.base,
        "reader",
        "fixture",
        "demo",
        "orders",
        made.review_basis,
    ):
        assert part in shown
    with pytest.raises(RingwallError):
        office.read(made.digest)


def test_B_05_a_permit_lasts_ten_minutes_and_twenty_attempts(office: Office) -> None:
    assert (limits.PERMIT_SECONDS, limits.PERMIT_ATTEMPTS) == (600, 20)
    permit = office.permitted(_digest(office))["permit"]
    assert permit["attemptsLeft"] == 20
    assert 590 <= permit["expires"] - time.time() <= 601


@pytest.mark.parametrize(
    "extra", ["url", "selector", "script", "approved", "method", "body", "headers", "routeUrl", "code"]
)
def test_B_06_an_agent_can_submit_a_route_id_and_nothing_else(extra: str, tmp_path: Path) -> None:
    whole = {"do": "read", "sessionId": "s", "revision": 1, "policyDigest": "d", "routeId": "r"}
    assert isinstance(protocol.read_request(json.dumps(whole).encode()), protocol.Read)
    with pytest.raises(RingwallError, match=r"unknown field|malformed"):
        protocol.read_request(json.dumps({**whole, extra: "x"}).encode())
    given = {name: whole[name] for name in ("sessionId", "revision", "policyDigest", "routeId")}
    site = Site("/", {}, StateDir(str(tmp_path)))
    for name in ("browser_read", "erp_browser_read"):
        answer = asyncio.run(call(name, {**given, extra: "x"}, site))
        assert answer.failed
        assert "not as agreed" in answer.text
    for name in ("browser_open", "browser_status", "browser_read_policy"):
        assert asyncio.run(call(name, {extra: "x"}, site)).failed


def test_B_07_no_tool_writes_a_contract_and_the_gate_keeps_it_from_agents(tmp_path: Path) -> None:
    for tool in tools.TOOLS:
        names = set(tool.schema.get("properties", {}))
        assert names <= {"sessionId", "revision", "policyDigest", "routeId"}
    sources = [path.read_text("utf-8") for path in (ROOT / "src/ringwall/reading").glob("*.py")]
    assert not any("contract_path" in source for source in sources)
    assert "whoever can change" in PAGE


# B. Isolation of one read


@needs.browser
def test_B_08_every_read_has_a_context_of_its_own(reading: Reading) -> None:
    html = script("document.title = localStorage.seen + ' ' + document.cookie; localStorage.seen = 1;"
                  "document.cookie = 'seen=1'")  # fmt: skip
    reading.erp.page("it", f"<h1>Orders</h1>{html}")
    values = contract(reading.erp, "it")
    assert [reading.read(values).seen.title for _ in range(2)] == ["undefined", "undefined"]


def test_B_09_cookies_and_local_storage_are_lent_and_nothing_comes_back(office: Office) -> None:
    office.erp.page(
        "lent",
        "<p id=a></p>"
        + script(
            "a.textContent = [localStorage.tenant, sessionStorage.length, document.cookie].join('|');"
            "localStorage.draft = 'theirs'; sessionStorage.x = 1; document.cookie = 'planted=1; path=/';"
            "indexedDB.databases().then(found => document.title = 'databases ' + found.length)"
        ),
        set_cookie="fromserver=1; Path=/",
    )
    made = office.configure(contract(office.erp, "lent", id="b09"))
    office.permitted(made.digest)
    came = len(office.erp.came)
    found = office.read(made.digest)
    assert "text: demo|0|" in found["lines"]
    assert found["evidence"]["title"] == "databases 0"
    assert [one.headers["cookie"] for one in office.erp.came[came:]] == [SESSION]
    assert office.loop.run(office.page.evaluate("localStorage.draft")) == "mine"
    cookies = office.loop.run(office.page.context.cookies())
    assert {one["name"] for one in cookies} == {"sid"}


def test_B_10_an_observation_is_kept_only_after_its_context_is_closed(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = office.configure(contract(office.erp, "orders", id="b10"))
    office.permitted(made.digest)
    order: list[str] = []
    keep = Archive.keep

    def kept(archive: Archive, one: Any) -> Any:
        browser = office.desk._reader.browser  # type: ignore[union-attr]
        assert browser is not None
        pages = [page.url for context in browser.contexts for page in context.pages]
        order.append("kept" if all(url == "about:blank" for url in pages) else "kept before closing")
        return keep(archive, one)

    monkeypatch.setattr(Archive, "keep", kept)
    office.read(made.digest)
    assert order == ["kept"]


@needs.browser
def test_B_11_a_delayed_save_of_the_page_reaches_nothing(reading: Reading) -> None:
    before = reading.erp.writes
    fails(
        reading,
        script("setTimeout(() => fetch('/erp/save', {method: 'POST', body: 'd'}).catch(() => 0), 20)"),
    )
    assert reading.erp.writes == before
    assert any("server's session" in str(text) for text in limitations(_observation()))
    assert "No isolation on the server" in PAGE


@needs.browser
def test_B_12_requests_match_by_address_method_body_and_type(reading: Reading) -> None:
    reading.erp.page("query", "{}")
    listed = ("query", "POST", "{}", POST)
    code = (
        "fetch('/erp/query', {{method: '{0}', headers: {{'content-type': '{1}'}}, body: {2}}}).catch(() => 0)"
    )
    words(reading, "<h1>x</h1>" + script(code.format("POST", POST, "'{}'")), listed)
    for method, kind, body in (
        ("PUT", POST, "'{}'"),
        ("POST", "text/plain", "'{}'"),
        ("POST", POST, "'{ }'"),
    ):
        came = len(reading.erp.came)
        assert "unlisted" in fails(reading, script(code.format(method, kind, body)), listed)
        assert [one.target for one in reading.erp.came[came:]].count("/erp/query") == 0


@needs.browser
@pytest.mark.parametrize("status", [301, 302, 307, 308, 304, 401, 404, 500])
def test_B_13_redirects_are_not_followed_and_only_2xx_counts(reading: Reading, status: int) -> None:
    reading.erp.page("gone", "", status, location="/erp/other")
    came = len(reading.erp.came)
    with pytest.raises(ReadFailed, match=str(status)):
        reading.read(contract(reading.erp, "gone"))
    assert [one.target for one in reading.erp.came[came:]] in ([], ["/erp/gone"])
    assert reading.erp.targets() == ["GET gone"]


@needs.browser
def test_B_14_the_server_sees_accept_cookie_and_content_type_only(reading: Reading) -> None:
    reading.erp.page("query", "{}")
    html = script(
        "document.cookie = 'role=admin; path=/'; fetch('/erp/query', {method: 'POST', body: '{}', headers: "
        f"{{'content-type': '{POST}', 'X-HTTP-Method-Override': 'DELETE', Authorization: 'Bearer x'}}}})"
    )
    reading.erp.page("it", html)
    values = contract(reading.erp, "it", ("query", "POST", "{}", POST))
    host = {"domain": "127.0.0.1", "path": "/", "secure": False, "same_site": "Lax"}
    cookies = (Cookie("sid", "s", http_only=True, **host), Cookie("ui", "u", http_only=False, **host))  # type: ignore[arg-type]
    reading.read(values, Borrowed({one["url"]: cookies for one in values["requests"]}))
    get, post = reading.erp.came
    assert set(get.headers) == {"host", "accept", "cookie"}
    assert set(post.headers) == {"host", "accept", "cookie", "content-type", "content-length"}
    assert {get.headers["cookie"], post.headers["cookie"]} == {"sid=s; ui=u"}


@needs.browser
def test_B_15_a_failure_widens_nothing(reading: Reading) -> None:
    values = contract(reading.erp, "it")
    reading.erp.page("it", "<h1>x</h1><img src='/erp/missing.gif'>")
    for _ in range(2):
        with pytest.raises(ReadFailed, match=r"unlisted|stopped"):
            reading.read(values)
        assert "GET missing.gif" not in reading.erp.targets()


@needs.browser
@pytest.mark.parametrize(
    "code",
    [
        "new WebSocket('ws://' + location.host + '/erp/ws')",
        "new Worker(URL.createObjectURL(new Blob(['1'])))",
        "new SharedWorker('/erp/worker.js')",
        "document.body.append(Object.assign(document.createElement('embed'), {src: '/erp/plugin'}))",
        "const f = document.createElement('form'); f.action = '/erp/save'; f.method = 'post';"
        " document.body.append(f); f.submit()",
    ],
)
def test_B_16_sockets_workers_plugins_and_forms_are_stopped(reading: Reading, code: str) -> None:
    assert fails(reading, "<body>" + script(f"addEventListener('load', () => {{ {code} }})"))
    assert reading.erp.targets() == ["GET it"]


@needs.browser
@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("window.open('about:blank')", "a new window"),
        ("alert('x')", "a dialog"),
        ("a.click()", "a download"),
        ("fetch('/erp/unknown').catch(() => 0)", "stopped attempt|unlisted"),
    ],
)
def test_B_17_windows_dialogs_downloads_and_unknown_requests_fail_the_read(
    reading: Reading, code: str, told: str
) -> None:
    link = "<a id=a download=x href='data:,x'>x</a>"
    assert re.search(told, fails(reading, link + script(f"addEventListener('load', () => {{ {code} }})")))


@needs.browser
@pytest.mark.parametrize(
    "code",
    [
        "history.pushState(0, '', '/erp/elsewhere')",
        "location.hash = 'elsewhere'",
        "location.href = '/erp/it'",
        "f.onload = () => { f.srcdoc = Math.random() }; f.srcdoc = 'y'",
    ],
)
def test_B_18_navigation_of_page_or_frame_discards_the_result(
    reading: Reading, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "QUIET_SECONDS", 1.0)  # as long as a slow machine takes for one of them
    html = "<iframe id=f srcdoc=x></iframe>" + script(f"addEventListener('load', () => {{ {code} }})")
    assert fails(reading, html)


def test_B_19_a_failed_attempt_is_not_kept_and_a_new_confirmation_is_needed(office: Office) -> None:
    office.erp.page("bad", script("alert(1)"))
    values = contract(office.erp, "orders", ("bad", "GET", "", ""), id="b19")
    values["routes"].append({**values["routes"][0], "id": "bad", "url": office.erp.base + "bad"})
    made = office.configure(values)
    office.permitted(made.digest)
    before = len(office.desk.archive.newest())
    with pytest.raises(ReadFailed):
        office.read(made.digest, "bad")
    assert len(office.desk.archive.newest()) == before
    with pytest.raises(RingwallError, match="a read has failed"):
        office.read(made.digest)


def test_B_20_evidence_has_digest_and_route_and_no_cookie(office: Office) -> None:
    made = office.configure(contract(office.erp, "orders", id="b20"))
    office.permitted(made.digest)
    found = office.read(made.digest)
    assert found["evidence"]["digest"] == made.digest
    assert found["evidence"]["routeId"] == "it"
    secret = SESSION.partition("=")[2].encode()
    kept = [path for path in Path(office.state.path).iterdir() if path.is_file()]
    assert any(path.name == "reading.db" for path in kept)
    assert not [path.name for path in kept if secret in path.read_bytes()]


@needs.browser
def test_B_21_service_workers_are_off_explicitly(reading: Reading) -> None:
    source = (ROOT / "src/ringwall/reading/cell.py").read_text("utf-8")
    assert 'service_workers="block"' in source
    reading.erp.page("sw.js", "fetch('/erp/x')", content_type="text/javascript")
    html = script(
        "navigator.serviceWorker.register('/erp/sw.js').then(made => document.title = made ? 'on' : 'off')"
    )
    reading.erp.page("it", html)
    taken = reading.read(contract(reading.erp, "it", ("sw.js", "GET", "", "")))
    assert taken.seen.title != "on"
    assert reading.erp.targets() == ["GET it"]


def test_B_22_no_more_is_claimed_of_the_network_than_is_there() -> None:
    assert "covert" in PAGE.lower()
    assert "switches" in PAGE
    assert "does not promise" in PAGE or "not promised" in PAGE.lower()


# C. The contract


def test_B_23_the_grounds_are_required_and_not_verified() -> None:
    with pytest.raises(RingwallError, match="grounds"):
        parse(text(reviewBasis=" "))
    assert parse(text(reviewBasis="anything at all, true or not"))
    assert "no program can check" in PAGE


def test_B_24_what_was_recorded_is_no_evidence() -> None:
    seen = [Noticed("GET", "https://example.invalid/erp/orders", "", "", "document")]
    made = draft(seen, "https://example.invalid/erp/", SCOPE)
    assert made["reviewBasis"] == ""
    assert "not what is safe" in made["notes"][0]
    with pytest.raises(RingwallError):
        parse(json.dumps(made).encode())
    with pytest.raises(RingwallError):
        parse(json.dumps({name: value for name, value in made.items() if name != "notes"}).encode())


@needs.browser
def test_B_25_a_get_that_writes_still_writes(reading: Reading) -> None:
    """The counter-example: matching, isolation and confirmation cannot repair a wrong review."""
    before = reading.erp.writes
    reading.erp.page("write-by-get", "<h1>Written</h1>")
    assert "Written" in "".join(outline(reading.read(contract(reading.erp, "write-by-get")).seen.labels))
    assert reading.erp.writes == before + 1


def test_B_26_real_use_needs_an_account_that_can_only_read() -> None:
    assert "account that can only read" in PAGE
    assert "never" in PAGE.lower()


@pytest.mark.parametrize("key", ["unknown", "wildcard"])
def test_B_27_unknown_keys_and_wildcard_methods_are_invalid(key: str) -> None:
    values = demo(more=1) if key == "unknown" else demo()
    if key == "wildcard":
        values["requests"][0]["method"] = "*"
    with pytest.raises(RingwallError) as caught:
        parse(json.dumps(values).encode())
    assert caught.value.code == "INVALID_READ_POLICY"
    names = {"format", "id", "siteUrl", "scope", "reviewBasis", "requests", "routes"}
    assert demo().keys() == names


@pytest.mark.parametrize("field", ["siteUrl", "site", "account", "tenant", "role"])
def test_B_28_site_and_scope_are_those_of_the_window_exactly(field: str, office: Office) -> None:
    good = ("https://example.invalid/erp/", SCOPE)
    check_scope(good, good)
    site = "https://example.invalid/ERP/" if field == "siteUrl" else good[0]
    scope = SCOPE if field == "siteUrl" else Scope(**{**_fields(SCOPE), field: "Reader "})
    with pytest.raises(RingwallError) as caught:
        check_scope((site, scope), good)
    assert caught.value.code == "READ_SCOPE_MISMATCH"
    assert field in str(caught.value)
    made = office.configure(contract(office.erp, "orders"), account="somebody else")
    with pytest.raises(RingwallError) as caught:
        office.enable(made.digest)
    assert caught.value.code == "READ_SCOPE_MISMATCH"
    office.configure(contract(office.erp, "orders"))


def test_B_29_the_bounds_and_the_one_site() -> None:
    assert (limits.ROUTES, limits.REQUESTS, limits.FILE_BYTES) == (50, 200, 128 * 1024)
    one, route = demo()["requests"][0], demo()["routes"][0]
    many = [{**one, "id": f"r{n}", "url": f"{one['url']}/{n}"} for n in range(200)]
    for changes in (
        {"requests": [*demo()["requests"], *many]},
        {"routes": [{**route, "id": f"r{n}"} for n in range(51)]},
        {"requests": [{**one, "url": "https://example.invalid/else"}, demo()["requests"][1]]},
        {"requests": [{**one, "url": f"{one['url']}*"}, demo()["requests"][1]]},
    ):
        with pytest.raises(RingwallError) as caught:
            parse(text(**changes))
        assert caught.value.code == "INVALID_READ_POLICY"
    with pytest.raises(RingwallError, match="bytes"):
        parse(text() + b" " * limits.FILE_BYTES)


@needs.browser
def test_B_30_static_resources_must_be_listed_too(reading: Reading) -> None:
    html = "<link rel=stylesheet href='/erp/a.css'><img src='/erp/a.gif'>"
    reading.erp.page("a.css", "body { margin: 0 }", content_type="text/css")
    reading.erp.page("a.gif", "", content_type="image/gif")
    assert fails(reading, html, ("a.css", "GET", "", ""))
    words(reading, f"<h1>x</h1>{html}", ("a.css", "GET", "", ""), ("a.gif", "GET", "", ""))


@pytest.mark.parametrize(
    "body", ['{"password":"x"}', "access_token=abc", "Authorization: Bearer abcdefghijklmnop", "sid=1"]
)
def test_B_31_what_looks_like_a_secret_is_refused(body: str) -> None:
    values = demo()
    values["requests"][1]["body"] = body
    with pytest.raises(RingwallError, match="secret"):
        parse(json.dumps(values).encode())


@pytest.mark.parametrize("what", ["missing", "broken", "writable", "scope"])
def test_B_32_without_a_good_contract_nothing_is_allowed(what: str, office: Office) -> None:
    made = office.configure(contract(office.erp, "orders", id=f"b32-{what}"))
    office.permitted(made.digest)
    path = office.contract_path
    if what == "missing":
        path.unlink()
    elif what == "broken":
        path.write_text("{")
    elif what == "writable":
        path.chmod(0o666)
    else:
        office.configure(contract(office.erp, "orders", id=f"b32-{what}"), account="other")
    came = len(office.erp.came)
    for _ in range(2):
        with pytest.raises(RingwallError) as caught:
            office.read(made.digest)
        assert caught.value.code in ("INVALID_READ_POLICY", "READ_SCOPE_MISMATCH")
    assert len(office.erp.came) == came
    path.unlink(missing_ok=True)
    office.configure(contract(office.erp, "orders", id=f"b32-{what}"))
    with pytest.raises(RingwallError, match="ended"):
        office.read(made.digest)


# D. Tool flow


def test_B_33_the_window_opens_and_the_person_logs_in(office: Office) -> None:
    assert office.ask(protocol.Open())["open"]
    assert office.page.url == office.erp.base
    profile = Path(office.state.path) / "reading-window"
    assert stat.S_IMODE(profile.stat().st_mode) == 0o700
    commands = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if _readable(path)]
    mine = [line for line in commands if str(profile).encode() in line]
    assert mine
    assert not any(b"--remote-debugging-port" in line for line in mine)


def test_B_34_policy_and_status_say_digest_session_and_revision(office: Office) -> None:
    made = office.configure(contract(office.erp, "orders"))
    assert office.ask(protocol.Policy())["digest"] == made.digest
    status = office.status()
    assert status["sessionId"]
    assert status["revision"] >= 1
    names = {"browser_open", "browser_status", "browser_read_policy", "browser_read_enable", "browser_read"}
    assert {*names, *(f"erp_{name}" for name in names)} <= set(all_tools())


def test_B_35_a_permit_needs_a_person_and_gives_a_new_revision(office: Office) -> None:
    made = office.configure(contract(office.erp, "orders", id="b35"))
    before = office.status()
    asked = office.enable(made.digest)
    assert asked["state"] == "pending"
    assert office.enable(made.digest)["proposal"] == asked["proposal"]
    number = asked["proposal"]
    with pytest.raises(RingwallError):
        office.person.approve(Yes(number, office.person.one(number).binding, "agent:mcp"))
    office.person.approve(Yes(number, office.person.one(number).binding, "person:tester"))
    given = office.enable(made.digest)
    assert given["state"] == "permitted"
    assert given["revision"] == before["revision"] + 1
    assert given["permit"]["by"] == "person:tester"
    other = office.configure(contract(office.erp, "orders", id="b35-no"))
    number = office.enable(other.digest)["proposal"]
    office.person.reject(number, office.person.one(number).binding, "person:tester", "not today")
    with pytest.raises(RingwallError, match="not today"):
        office.enable(other.digest)
    with pytest.raises(RingwallError):
        office.read(other.digest)


def test_B_36_a_read_gives_an_observation_that_can_be_found_again(office: Office) -> None:
    made = office.configure(contract(office.erp, "orders", id="b36"))
    office.permitted(made.digest)
    found = office.read(made.digest)
    assert found["lines"] == ["heading 1: Orders", "text: 1001 pending"]
    assert found["observation"] in [one.number for one in office.desk.archive.search("1001 pending")]


@pytest.mark.parametrize("how", ["input", "navigation", "takeover", "resume", "contract", "budget", "expiry"])
def test_B_37_a_permit_dies_of_every_change(
    how: str, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = office.configure(contract(office.erp, "orders", id=f"b37-{how}"))
    revision = office.permitted(made.digest)["revision"]
    if how == "input":
        office.loop.run(office.page.mouse.click(3, 3))
    elif how == "navigation":
        office.loop.run(office.page.evaluate("history.pushState(0, '', '?x')"))
    elif how in ("takeover", "resume"):
        office.ask(protocol.Takeover() if how == "takeover" else protocol.Resume())
    elif how == "contract":
        office.configure(contract(office.erp, "orders", id="b37-other"))
    elif how == "budget":
        with sqlite3.connect(office.desk.archive.path) as database:
            database.execute("UPDATE permits SET used = budget")
    else:
        monkeypatch.setattr(office.desk, "now", lambda: int(time.time()) + 601)
    _until(lambda: how not in ("input", "navigation") or office.status()["revision"] > revision)
    came = len(office.erp.came)
    with pytest.raises(RingwallError) as caught:
        office.read(made.digest, revision=revision)
    assert caught.value.code in (
        "reading.ended", "reading.spent", "reading.expired", "reading.other_contract"
    )  # fmt: skip
    assert len(office.erp.came) == came


def test_B_37_a_restart_ends_a_permit(office: Office) -> None:
    made = office.configure(contract(office.erp, "orders", id="b37-restart"))
    office.permitted(made.digest)
    old = office.status()
    office.loop.run(office.desk.close())
    office.ask(protocol.Open())
    time.sleep(0.5)
    assert office.status()["sessionId"] != old["sessionId"]
    with pytest.raises(RingwallError, match=r"another login window|ended"):
        office.read(made.digest, revision=old["revision"])


def test_B_38_a_failure_uses_up_an_attempt_and_is_not_tried_again(office: Office) -> None:
    office.erp.page("broken", "x", 500)
    made = office.configure(contract(office.erp, "broken", id="b38"))
    office.permitted(made.digest)
    came = len(office.erp.came)
    with pytest.raises(ReadFailed, match="500"):
        office.read(made.digest)
    assert [one.target for one in office.erp.came[came:]] == ["/erp/broken"]
    permit = office.desk.archive.permit()
    assert permit is not None
    assert (permit.used, permit.ended) == (1, End.FAILED)


@needs.browser
def test_B_39_a_read_ends_at_its_bounds(reading: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (limits.MATCHED_REQUESTS, limits.READ_SECONDS, limits.LOAD_SECONDS) == (200, 12.0, 10.0)
    monkeypatch.setattr(limits, "READ_SECONDS", 1.5)
    begun = time.monotonic()
    assert "seconds" in fails(reading, script("addEventListener('load', () => { for (;;); })"))
    assert time.monotonic() - begun < 8
    monkeypatch.setattr(limits, "READ_SECONDS", 12.0)
    reading.erp.page("list", "[]")
    many = script("for (let i = 0; i < 250; i++) fetch('/erp/list').catch(() => 0)")
    assert "more than" in fails(reading, many, ("list", "GET", "", ""))
    assert reading.erp.targets().count("GET list") <= limits.MATCHED_REQUESTS


@needs.browser
def test_B_40_a_quiet_network_is_a_moment_to_look(reading: Reading) -> None:
    late = script("setTimeout(() => { document.body.append('later') }, 4000)")
    assert "later" not in words(reading, f"<h1>Orders</h1>{late}")
    assert any("not proven" in str(text) for text in limitations(_observation()))


def test_B_41_a_result_says_that_its_scope_is_not_verified() -> None:
    told = " ".join(str(text) for text in limitations(_observation()))
    assert "no server has verified" in told
    assert "not detected" in told


@needs.browser
@pytest.mark.parametrize("moment", ["page creation", "request on its way", "takeover"])
def test_B_42_cancelling_leaves_nothing_behind(moment: str, reading: Reading, office: Office) -> None:
    if moment == "takeover":
        _cancelled_by_takeover(office)
        return
    reading.erp.page("it", "<h1>x</h1><img src='/erp/a.gif'>")
    reading.erp.page("a.gif", "", content_type="image/gif")
    values = contract(reading.erp, "it", ("a.gif", "GET", "", ""))
    reading.erp.came.clear()
    reading.erp.delay = 0.0 if moment == "page creation" else 0.4
    left, late = reading.loop.run(_cancelled(reading, values, moment))
    reading.erp.delay = 0.0
    assert (left, late) == (0, 0)
    reading.read(values)  # and the reader is as good as before


async def _cancelled(reading: Reading, values: dict[str, Any], moment: str) -> tuple[int, int]:
    """Contexts that are open after the cancelled call has returned, and requests that came later."""
    if moment == "page creation":
        spare, reading.reader._spare = reading.reader._spare, None  # so that one has to be made
        if spare is not None:
            await spare[1]
            await spare[0].close()
    task = asyncio.ensure_future(reading.reading(values))
    if moment == "page creation":
        await asyncio.sleep(0.01)
    else:
        while not reading.erp.came:
            await asyncio.sleep(0.005)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    came = len(reading.erp.came)
    browser = reading.reader.browser
    assert browser is not None
    loaded = [page for context in browser.contexts for page in context.pages if page.url != "about:blank"]
    await asyncio.sleep(0.6)
    return len(loaded), len(reading.erp.came) - came


def _cancelled_by_takeover(office: Office) -> None:
    office.erp.page("slow", "<h1>x</h1>")
    made = office.configure(contract(office.erp, "slow", id="b42"))
    office.permitted(made.digest)
    before = len(office.desk.archive.newest())
    came = len(office.erp.came)
    office.erp.delay = 1.0
    now = office.status()
    asked = protocol.Read(
        session_id=now["sessionId"], revision=now["revision"], policy_digest=made.digest, route_id="it"
    )
    reads = asyncio.run_coroutine_threadsafe(office.desk.answer(asked), office.loop.loop)
    _until(lambda: len(office.erp.came) > came)
    office.ask(protocol.Takeover())
    with pytest.raises(ReadFailed, match="took the login window over"):
        reads.result(10)
    office.erp.delay = 0.0
    assert len(office.desk.archive.newest()) == before


def test_B_43_what_was_sent_is_never_called_unsent() -> None:
    texts = [path.read_text("utf-8") for path in (ROOT / "src/ringwall").rglob("*read*.py")]
    assert not any("did not receive" in source for source in texts)
    assert "cannot be called back" in PAGE


# E. Verification and honest limits


def test_B_44_each_case_that_must_be_tested_is_tested_here() -> None:
    source = Path(__file__).read_text("utf-8")
    for case in (
        "B_12", "B_36", "B_09", "B_11", "B_25", "iframe", "window.open", "WebSocket", "Worker", "B_13",
        "alert(", "B_35", "B_42", "401",
    ):  # fmt: skip
        assert case in source


def test_B_45_the_whole_way_over_the_socket_with_a_real_window_and_database(
    office: Office, tmp_path: Path
) -> None:
    import os
    import threading

    from ringwall.daemon.reading import Server

    made = office.configure(contract(office.erp, "orders", id="b45"))
    before = Path.cwd()
    os.chdir(office.state.path)
    server = Server(office.desk)
    serving = asyncio.run_coroutine_threadsafe(_served(server), office.loop.loop)
    try:
        _until(lambda: running(office.state))
    finally:
        os.chdir(before)
    assert threading.current_thread() is threading.main_thread()
    assert stat.S_IMODE((Path(office.state.path) / "reading.sock").stat().st_mode) == 0o600
    policy = ask(office.state, protocol.Policy(), {})
    assert policy["contract"] == json.loads(office.contract_path.read_text())
    assert policy["digest"] == made.digest
    now = ask(office.state, protocol.Status(), {})
    refused = protocol.Read(
        session_id=now["sessionId"], revision=now["revision"], policy_digest=made.digest, route_id="it"
    )
    with pytest.raises(RingwallError) as caught:
        ask(office.state, refused, {})
    assert caught.value.code in ("reading.no_permit", "reading.ended", "reading.other_session")
    site = Site(str(tmp_path), {}, office.state)
    given = {"sessionId": now["sessionId"], "revision": now["revision"], "policyDigest": made.digest}
    number = office.enable(made.digest)["proposal"]
    office.person.approve(Yes(number, office.person.one(number).binding, "person:tester"))
    permitted = asyncio.run(call("erp_browser_read_enable", given, site))
    assert not permitted.failed, permitted.text
    assert permitted.data is not None
    revision = permitted.data["revision"]
    answer = asyncio.run(call("browser_read", {**given, "revision": revision, "routeId": "it"}, site))
    assert not answer.failed, answer.text
    assert "heading 1: Orders" in answer.text
    with sqlite3.connect(f"{office.state.path}/ringwall.db") as database:
        types = [row[0] for row in database.execute("SELECT type FROM events ORDER BY rowid")]
    assert [one for one in types if one.startswith("reading.")][-3:] == [
        "reading.permitted", "reading.begun", "reading.read"
    ]  # fmt: skip
    office.loop.loop.call_soon_threadsafe(server.end)
    serving.result(10)


async def _served(server: Any) -> None:
    """Serve without ending the desk, which other tests need."""

    async def nothing() -> None:
        return None

    close, server._desk.close = server._desk.close, nothing
    try:
        await server.run()
    finally:
        server._desk.close = close


@pytest.mark.parametrize(
    "case",
    ["sessionStorage", "IndexedDB", "Bearer", "Workers", "other origins", "renews", "click", "tabs"],
)
def test_B_46_what_does_not_work_is_listed(case: str) -> None:
    assert case in PAGE


def test_B_47_ordinary_users_need_no_list_of_requests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert configured().off
    assert "reading" not in (ROOT / "src/ringwall/policy/presets/guarded.toml").read_text("utf-8")
    assert find_spec("ringwall.reading") is not None


def _digest(office: Office) -> str:
    return parse(office.contract_path.read_bytes()).digest


def _fields(scope: Scope) -> dict[str, str]:
    return {name: getattr(scope, name) for name in Scope.__struct_fields__}


def _readable(path: Path) -> bool:
    try:
        path.read_bytes()
    except OSError:
        return False
    return True


def _until(holds: Any, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)


def _observation() -> Any:
    from ringwall.reading.observation import ROUTE, Observation

    return Observation(
        at=1, kind=ROUTE, contract="c", digest="d", route="r", label="l", url="u", site_url="s", scope=SCOPE,
        title="t", labels=(), session="s", revision=1, isolation="jail",
    )  # fmt: skip


@pytest.mark.parametrize(
    "command",
    [
        "cat {p}/Default/Cookies",
        "cp -r {p} /tmp/copy",
        "chromium --user-data-dir={p} https://example.invalid/",
        "google-chrome --user-data-dir {p}",
        "npx playwright open --user-data-dir={p}",
        "curl --unix-socket {s}/reading.sock http://x/",
        "sqlite3 {s}/reading.db .dump",
        "ringwall reading enable",
    ],
)
def test_X_01_free_browsing_cannot_take_the_login_along(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "state"
    monkeypatch.setenv("RINGWALL_HOME", str(state))
    text = command.format(p=state / "reading-window", s=state)
    given = ToolCall("claude", "Bash", {"command": text}, cwd=str(tmp_path))
    assert check(given, None, None, str(tmp_path)).verdict is Verdict.DENY


def test_B_07_the_gate_keeps_the_contract_from_agents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("RINGWALL_HOME", str(tmp_path / "state"))
    contract_file = tmp_path / "project" / "contract.json"
    settings = tmp_path / "config" / "ringwall" / "ringwall.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f'[reading]\ncontract = "{contract_file}"\n')
    folder = str(contract_file.parent)
    for tool, given in (
        ("Write", {"file_path": str(contract_file), "content": "{}"}),
        ("Edit", {"file_path": str(contract_file), "old_string": "a", "new_string": "b"}),
        ("Bash", {"command": f"echo x >> {contract_file}"}),
        ("Bash", {"command": f"sed -i s/GET/POST/ {settings}"}),
    ):
        assert check(ToolCall("claude", tool, given, cwd=folder), None, None, folder).verdict is Verdict.DENY


def test_reading_is_an_action_like_any_other(tmp_path: Path) -> None:
    """`browse.read` is judged by rules; what a rule denies is not read, whatever is permitted."""
    (tmp_path / "permissions.json").write_text('{"permissions": {"deny": ["Effect(browse.read)"]}}')
    call_ = ToolCall("mcp", "mcp__ringwall__browser_read", {"routeId": "orders"}, cwd=str(tmp_path))
    found = check(call_, None, str(tmp_path), str(tmp_path))
    assert [effect.name for effect in found.analysis.effects] == ["browse.read"]
    assert found.verdict is Verdict.DENY
