"""What web pages, other programs and an agent's shell try on the console."""

from __future__ import annotations

import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from console.world import Browser, Served, World
from ringwall.approvals.proposal import State
from ringwall.console.pairing import MOST_WRONG, Pairing
from ringwall.judge.endpoint import endpoint
from ringwall.model.errors import UsageError
from ringwall.store.engine import Store

pytestmark = pytest.mark.xdist_group("console-threat")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    made = World(Path(tmp_path_factory.mktemp("console")))
    yield made
    made.close()


@pytest.fixture(scope="module")
def served(world: World) -> Iterator[Served]:
    made = Served(world.env)
    yield made
    made.close()


@pytest.fixture(scope="module")
def browser(served: Served) -> Browser:
    return served.browser()


@pytest.fixture
def number(world: World) -> Iterator[int]:
    """A push that waits."""
    session = f"s{len(world.desk.newest(999))}"  # a no answers for its session only
    assert world.ask("git push origin main", session=session) == "ask"
    waiting = world.desk.newest(1)[0]
    yield waiting.number
    if world.desk.one(waiting.number).state is State.PENDING:
        world.desk.reject(waiting.number, waiting.binding, "person:ann", "the test is over")


def pending(world: World, number: int) -> bool:
    return world.desk.one(number).state is State.PENDING


# ---- other places


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1:{port}", "localhost", "localhost:1", "localhost:{port}.evil.example",
     "LOCALHOST:{port}", "[::1]:{port}", "evil.example:{port}", "", "localhost:{port}@evil.example"],
)  # fmt: skip
def test_under_another_name_it_says_nothing(served: Served, browser: Browser, host: str) -> None:
    answer = browser.get("/", Host=host.format(port=served.port))
    assert answer.status == (421 if host else 400) and "Queue" not in answer.text


def test_two_names_are_none(served: Served) -> None:
    answer = served.send("GET", "/", X_Forwarded_Host="evil.example", Forwarded="host=evil.example")
    assert answer.status == 401, "what proxies say is not heard"


def test_it_listens_on_loopback_alone(served: Served) -> None:
    listening = Path("/proc/net/tcp")
    if not listening.exists():
        pytest.skip("no /proc/net/tcp here")
    port = f":{served.port:04X}"
    lines = [
        line.split()
        for file in ("tcp", "tcp6")
        for line in Path(f"/proc/net/{file}").read_text().splitlines()
    ]
    local = {line[1].partition(":")[0] for line in lines if line[1].endswith(port) and line[3] == "0A"}
    assert local <= {"0100007F", "00000000000000000000000001000000"} and local


def test_without_pairing_nothing_is_seen(served: Served, number: int) -> None:
    for path in ("/", "/history", "/policy", f"/proposals/{number}", "/journal", "/pairing", "/nowhere"):
        for cookie in ("", "ringwall=", "ringwall=guess", "ringwall=' OR 1=1"):
            answer = served.send("GET", path, Cookie=cookie)
            assert answer.status == 401 and "git push" not in answer.text, path
    assert served.send("GET", "/events").status == 403


def test_what_every_answer_forbids(served: Served, browser: Browser) -> None:
    for answer in (browser.get("/"), browser.get("/static/console.js"), served.send("GET", "/", Host="x")):
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'self'") and "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy and "form-action 'self'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert not [name for name in answer.headers if name.startswith("access-control")]


def test_pages_hold_no_script_or_style_of_their_own(browser: Browser, number: int) -> None:
    for path in ("/", f"/proposals/{number}", "/history", "/policy", "/journal", "/pairing"):
        text = browser.get(path).text
        assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|\sstyle=", text), path
        assert not re.search(r'(?:src|href|action)="(?:https?:)?//', text), path


# ---- unsafe requests


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example", "Sec_Fetch_Site": "cross-site"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "http://localhost:3000", "Sec_Fetch_Site": "same-site"},
        {"Origin": "http://localhost:3000"},
        {"Origin": "https://localhost:{port}"},
        {"Origin": "http://127.0.0.1:{port}"},
        {"Origin": "http://localhost:{port}/"},
        {"Origin": "http://localhost:{port}.evil.example"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Sec_Fetch_Site": "none"},
        {"Sec_Fetch_Site": ""},
        {"Content_Type": "text/plain"},
        {"Content_Type": "multipart/form-data; boundary=x"},
        {"Content_Type": "application/json"},
        {"Content_Type": "application/x-www-form-urlencoded; charset=utf-7"},
        {"Content_Type": ""},
    ],
)
def test_what_is_not_the_consoles_own_form_does_nothing(
    world: World, served: Served, browser: Browser, number: int, headers: dict[str, str]
) -> None:
    page = browser.get(f"/proposals/{number}")
    given = {name: value.format(port=served.port) for name, value in headers.items()}
    nonce = page.nonce(f"/proposals/{number}", "approve")
    shown = world.desk.one(number).binding
    fields = {"nonce": nonce, "shown": shown, "do": "approve"}
    answer = browser.post(f"/proposals/{number}", fields, **given)
    assert answer.status in (403, 415) and pending(world, number)
    assert browser.post(f"/proposals/{number}", fields).status == 303, "the same form is good by itself"
    world.desk.reject(number, shown, "person:ann", "the test is over")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"])
def test_other_methods_are_not_known(browser: Browser, served: Served, method: str) -> None:
    answer = served.send(method, "/", Cookie=browser.cookie, **served.same)
    assert answer.status in (400, 405)


def test_looking_changes_nothing(world: World, browser: Browser, number: int) -> None:
    shown = world.desk.one(number).binding
    nonce = browser.get(f"/proposals/{number}").nonce(f"/proposals/{number}", "approve")
    browser.get(f"/proposals/{number}?do=approve&shown={shown}&nonce={nonce}")
    assert pending(world, number)


def test_a_foreign_page_reads_nothing(browser: Browser) -> None:
    for mode in ("cors", "no-cors"):
        answer = browser.get("/", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode=mode)
        assert answer.status == 403
    assert browser.get("/events", Sec_Fetch_Site="same-site", Origin="http://localhost:3000").status == 403


# ---- nonce and digest


def test_a_nonce_is_good_once(world: World, browser: Browser, number: int) -> None:
    page = browser.get(f"/proposals/{number}")
    shown = world.desk.one(number).binding
    fields = {
        "nonce": page.nonce(f"/proposals/{number}", "reject"),
        "shown": shown,
        "do": "reject",
        "because": "",
    }
    assert browser.post(f"/proposals/{number}", fields).status == 400
    again = browser.post(f"/proposals/{number}", {**fields, "do": "approve"})
    assert again.status == 409 and "console.stale" in again.text and pending(world, number)


@pytest.mark.parametrize("nonce", ["", "guess", "' OR 1=1"])
def test_without_a_nonce_nothing_is_done(world: World, browser: Browser, number: int, nonce: str) -> None:
    fields = {"nonce": nonce, "shown": world.desk.one(number).binding, "do": "approve"}
    assert browser.post(f"/proposals/{number}", fields).status == 409
    assert pending(world, number)


def test_a_nonce_is_for_one_proposal_and_one_browser(
    world: World, served: Served, browser: Browser, number: int
) -> None:
    world.ask("git push origin other")
    other = world.desk.newest(1)[0]
    nonce = browser.get(f"/proposals/{number}").nonce(f"/proposals/{number}", "approve")
    fields = {"nonce": nonce, "shown": other.binding, "do": "approve"}
    assert browser.post(f"/proposals/{other.number}", fields).status == 409
    nonce = browser.get(f"/proposals/{other.number}").nonce(f"/proposals/{other.number}", "approve")
    assert served.browser().post(f"/proposals/{other.number}", {**fields, "nonce": nonce}).status == 409
    assert pending(world, other.number)
    world.desk.reject(other.number, other.binding, "person:ann", "the test is over")


def test_another_digest_than_what_waits_is_refused(world: World, browser: Browser, number: int) -> None:
    page = browser.get(f"/proposals/{number}")
    for shown in ("", "sha256:" + "0" * 64):
        fields = {"nonce": page.nonce(f"/proposals/{number}", "approve"), "shown": shown, "do": "approve"}
        answer = browser.post(f"/proposals/{number}", fields)
        assert answer.status == 409 and pending(world, number)
        page = browser.get(f"/proposals/{number}")
    assert "approvals.stale" in answer.text


def test_a_page_from_before_it_meant_something_else_is_stale(world: World, browser: Browser) -> None:
    script = world.project / "deploy.sh"
    script.write_text("git push origin main\n")
    assert world.ask("sh deploy.sh") == "ask"
    number = world.desk.newest(1)[0].number
    page = browser.get(f"/proposals/{number}")
    script.write_text("git push --force origin main\n")
    assert world.ask("sh deploy.sh") == "ask"
    assert browser.decide(number, "approve", page).status == 409
    assert world.desk.one(number).state is State.WITHDRAWN
    newer = world.desk.newest(1)[0]
    world.desk.reject(newer.number, newer.binding, "person:ann", "the test is over")


# ---- bounds


def test_a_body_is_bounded(world: World, browser: Browser, number: int) -> None:
    assert browser.post(f"/proposals/{number}", {"because": "x" * 70_000}).status == 413
    assert browser.post(f"/proposals/{number}", {}, Content_Length="99999999999").status == 413
    assert browser.post(f"/proposals/{number}", {}, Content_Length="-1").status in (400, 411)
    assert browser.post(f"/proposals/{number}", [("a", n) for n in range(600)]).status == 400
    assert browser.get("/history?words=" + "x" * 9000).status == 414
    assert pending(world, number)


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/static/..%2fapp.py"]
)
def test_only_its_own_files_are_served(browser: Browser, path: str) -> None:
    assert browser.get(path).status in (401, 404)


# ---- pairing


def test_the_cookie_is_for_this_page_alone(served: Served) -> None:
    answer = served.send("POST", "/pair", f"code={served.code()}", **served.same)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and "domain" not in cookie


def test_a_code_pairs_one_browser_and_guesses_make_it_void(served: Served) -> None:
    code = served.code()
    assert served.send("POST", "/pair", f"code={code}", **served.same).status == 303
    assert served.send("POST", "/pair", f"code={code}", **served.same).status == 403
    code = served.code()
    for _ in range(MOST_WRONG):
        assert served.send("POST", "/pair", "code=AAAA-AAAA", **served.same).status == 403
    assert served.send("POST", "/pair", f"code={code}", **served.same).status == 403
    assert served.send("POST", "/pair", f"code={served.code()}", **served.same).status == 303


def test_pairing_takes_the_consoles_own_form(served: Served) -> None:
    code = served.code()
    for headers in (
        {"Origin": "http://evil.example"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Content_Type": "text/plain"},
    ):
        assert served.send("POST", "/pair", f"code={code}", **{**served.same, **headers}).status in (403, 415)


def test_what_is_kept_pairs_nobody_and_is_private(world: World, served: Served) -> None:
    code = served.code()
    token = served.browser().cookie.partition("=")[2]
    for file in Path(world.state.path).iterdir():
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file
        if file.is_file():
            content = file.read_bytes()
            assert token.encode() not in content and code.replace("-", "").encode() not in content, file


def test_an_unpaired_browser_is_out_at_once(world: World, served: Served) -> None:
    store = Store(world.state)
    pairing = Pairing(store)
    before = {place.digest for place in pairing.places()}
    one = served.browser()
    assert one.get("/").status == 200
    [new] = {place.digest for place in pairing.places()} - before
    pairing.unpair(new)
    store.close()
    assert one.get("/").status == 401


def test_an_old_code_is_none(world: World) -> None:
    store = Store(world.state)
    now = 1_800_000_000 * 10**9
    pairing = Pairing(store, lambda: now)
    code = pairing.code()
    now += 601 * 10**9
    with pytest.raises(UsageError):
        pairing.browser(code, "late")
    store.close()


# ---- an agent's shell


@pytest.mark.parametrize(
    "line",
    [
        "curl http://localhost:{port}/",
        "curl -H 'Host: localhost:{port}' http://127.0.0.1:{port}/pair -d code=x",
        "curl -s localhost:{port} | grep code",
        "wget -qO- http://[::1]:{port}/history",
        "http POST localhost:{port}/pair code=x",
        "nc localhost {port} < request",
        "echo x > /dev/tcp/127.0.0.1/{port}",
        "bash -c 'exec 3<>/dev/tcp/localhost/{port}'",
        "python3 -c \"import urllib.request as r; r.urlopen('http://localhost:{port}/')\"",
        "xdg-open http://localhost:{port}/",
        "chromium --headless --dump-dom http://localhost:{port}/",
        "ssh -N -L 9000:localhost:{port} localhost",
        "kill {pid}",
        "kill -9 {pid}",
        "cat {state}/ringwall.db",
        "sqlite3 {state}/ringwall.db .dump",
        "cp {state}/ringwall.db* /tmp/",
        "strings {state}/ringwall.db-wal",
        "ringwall serve",
        "ringwall open --no-browser",
        "script -qc 'ringwall open' /dev/null",
        "setsid -w script -qc 'env -u CLAUDECODE ringwall approve 1' /dev/null",
    ],
)
def test_an_agents_shell_does_not_reach_it(world: World, served: Served, line: str) -> None:
    there = endpoint(world.state)
    assert there is not None and (there.pid, there.port) == (served.pid, served.port)
    command = line.format(port=served.port, pid=served.pid, state=world.state.path)
    world.judge._places.clear()
    assert world.ask(command) == "deny", command


@pytest.mark.parametrize(
    "line", ["curl http://localhost:1{near}/", "git commit -m 'see http://localhost:{port}/'"]
)
def test_what_is_near_it_is_free(world: World, served: Served, line: str) -> None:
    assert world.ask(line.format(port=served.port, near=served.port // 10)) == "allow"


def test_a_tool_of_another_kind_does_not_reach_it(world: World, served: Served) -> None:
    url = f"http://localhost:{served.port}/"
    world.judge._places.clear()
    assert world.ask(tool_name="WebFetch", tool_input={"url": url, "prompt": "x"}) == "deny"
    assert world.ask(tool_name="mcp__browser__navigate", tool_input={"url": url}) == "deny"
    assert world.ask(tool_name="Read", tool_input={"file_path": world.state.database}) == "deny"


def test_one_console_for_one_state(world: World, served: Served) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ringwall.cli.main", "serve", "--port", "0"],
        env=world.env, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 3 and "console.running" in done.stderr


def test_an_agents_session_starts_none(world: World) -> None:
    for verb in ("serve", "open"):
        done = subprocess.run(
            [sys.executable, "-m", "ringwall.cli.main", verb, "--port", "0"],
            env={**world.env, "CLAUDECODE": "1"}, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 2 and "setup.in_a_session" in done.stderr
