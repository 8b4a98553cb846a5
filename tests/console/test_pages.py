"""The pages as a browser without scripts gets them: what is shown, and what the forms do."""

from __future__ import annotations

import re

import pytest

from ringwall.approvals.proposal import State
from ringwall.console.registry import pages

from .world import Browser, World

pytestmark = pytest.mark.xdist_group("console-pages")


def asked(world: World, command: str, **fields: object) -> int:
    """The number of the proposal that a call leads to."""
    assert world.ask(command, **fields) == "ask"
    return world.desk.newest(1)[0].number


def test_each_page_is_there_and_each_path_is_one_pages(browser: Browser) -> None:
    paths = [path for page in pages() for path in page.shows]
    assert len(paths) == len(set(paths)) >= 8
    for path in paths:
        if "{" not in path:
            answer = browser.get(path)
            assert answer.status == 200, path
            assert answer.text.count("<h1") == 1, path


def test_what_is_asked_is_shown_whole_and_undisguised(world: World, browser: Browser) -> None:
    long = "x" * 9000
    number = asked(world, f"git push origin a\u202eb\u200bc\x1b[2K <b> && echo {long}")
    for path in ("/", f"/proposals/{number}"):
        page = browser.get(path)
        assert long in page.text
        assert "\u202e" not in page.text and "\u200b" not in page.text and "\x1b" not in page.text
        assert 'title="U+202E RIGHT-TO-LEFT OVERRIDE">\\u202e</span>' in page.text
        assert "\\u200b</span>" in page.text and "\\x1b</span>[2K &lt;b&gt;" in page.text
        assert "git.push" in page.text and "asked by agent:claude" in page.words
        assert "limits.git_push" in page.text and "nothing to say:" in page.text
    world.desk.reject(number, world.desk.one(number).binding, "person:ann", "a test")


def test_a_yes_is_for_once(world: World, browser: Browser) -> None:
    number = asked(world, "git push origin one")
    answer = browser.decide(number, "approve")
    assert (answer.status, answer.headers["location"]) == (303, "/")
    assert "is approved: it happens once" in browser.get("/").words
    assert "is approved: it happens once" not in browser.get("/").words, "said once"
    assert world.desk.one(number).decided_by.endswith("in a browser")
    assert world.ask("git push origin one") == "allow"
    assert world.desk.one(number).state is State.CONSUMED
    assert asked(world, "git push origin one") == number + 1
    browser.decide(number + 1, "reject", because="enough")


def test_a_no_reaches_the_agent_with_its_words(world: World, browser: Browser) -> None:
    number = asked(world, "git push origin two")
    assert "says why" in browser.decide(number, "reject", because=" ").words
    assert world.desk.one(number).state is State.PENDING
    browser.decide(number, "reject", because="use a branch\nof your own")
    assert world.desk.one(number).because == "use a branch\nof your own"
    assert world.ask("git push origin two") == "deny"
    assert "use a branch" in browser.get(f"/proposals/{number}").text


def test_an_approval_is_taken_back(world: World, browser: Browser) -> None:
    number = asked(world, "git push origin three")
    before = browser.get(f"/proposals/{number}")
    browser.decide(number, "approve")
    late = browser.decide(number, "reject", before, because="no")
    assert late.status == 409 and "already, by person:ann" in late.words, "a page from before the yes"
    assert world.desk.one(number).state is State.APPROVED
    browser.decide(number, "take-back", because="changed my mind")
    assert world.desk.one(number).state is State.INVALIDATED


def test_always_allow_records_the_rule_that_was_shown(world: World, browser: Browser) -> None:
    number = asked(world, "pkill -f vite", session="s9")
    page = browser.get(f"/proposals/{number}")
    assert "Bash(pkill -f vite)" in page.text
    assert len(re.findall(r"<li><code>[^<]*pkill -f vite", page.text)) == 3
    fields = {"rule": "Bash(pkill:*)", "scope": "session", "for": "3600"}
    assert browser.decide(number, "always", page, **fields).status == 409, "another rule than was shown"
    assert not world.desk.grants()
    browser.decide(number, "always", **{**fields, "rule": "Bash(pkill -f vite)"})
    [grant] = world.desk.grants()
    assert (grant.rule, grant.session, grant.expires - grant.opened) == ("Bash(pkill -f vite)", "s9", 3600)
    assert world.ask("pkill -f vite", session="s9") == "allow"
    page = browser.get("/grants")
    browser.post(f"/grants/{grant.number}", {"nonce": page.nonce(f"/grants/{grant.number}")})
    assert not world.desk.grants()
    assert world.ask("pkill -f vite", session="s9") == "ask"
    browser.decide(world.desk.newest(1)[0].number, "reject", because="enough")


def test_a_push_becomes_no_rule_and_that_is_explained(world: World, browser: Browser) -> None:
    number = asked(world, "git push origin four")
    page = browser.get(f"/proposals/{number}")
    assert "Only this once:" in page.words and "whatever the rules say" in page.words
    assert 'value="always"' not in page.text
    browser.decide(number, "reject", because="enough")


def test_a_batch_is_all_or_nothing(world: World, browser: Browser) -> None:
    numbers = [asked(world, f"git push origin batch{n}") for n in range(3)]
    page = browser.get("/")
    chosen = re.findall(r'name="chosen" value="([^"]+)"', page.text)
    assert [int(one.split()[0]) for one in chosen] == numbers
    world.desk.reject(numbers[1], world.desk.one(numbers[1]).binding, "person:bob", "quicker")
    fields = [("nonce", page.nonce("/", "approve")), ("do", "approve"), *(("chosen", one) for one in chosen)]
    answer = browser.post("/", fields)
    assert answer.status == 409 and "person:bob" in answer.words
    assert world.desk.one(numbers[0]).state is world.desk.one(numbers[2]).state is State.PENDING
    page = browser.get("/")
    chosen = re.findall(r'name="chosen" value="([^"]+)"', page.text)
    fields = [("nonce", page.nonce("/", "reject")), ("do", "reject"), ("because", "not now")]
    browser.post("/", [*fields, *(("chosen", one) for one in chosen)])
    assert [world.desk.one(number).state for number in numbers] == [State.REJECTED] * 3
    assert world.desk.one(numbers[0]).because == "not now"


def test_history_finds_words_and_fields(world: World, browser: Browser) -> None:
    world.ask("echo the needle in the haystack", session="needles")
    assert "needle in the" in browser.get("/history?words=needle+haystack").words
    assert "needle in the" in browser.get("/history?words=hayst&verdict=allow&session=needles").words
    assert "Nothing was found." in browser.get("/history?words=needle&verdict=deny").words
    assert "Nothing was found." in browser.get("/history?words=needle&until=2026-01-01").words
    assert "needle in the" in browser.get("/history?words=needle&since=2026-01-01T00:00").words
    assert browser.get("/history?since=soon").status == 400
    for strange in ('"', "'", "OR", "NEAR(", "a*b", "%22%22%22", "words:x", "-", "(", "%00", "\u4f60"):
        assert browser.get(f"/history?words={re.sub(chr(0x4F60), '%E4%BD%A0', strange)}").status == 200


def test_a_decision_says_why(world: World, browser: Browser) -> None:
    world.ask("rm -rf /")
    page = browser.get("/history?verdict=deny&effect=catastrophic")
    found = re.search(r"/decisions/[0-9a-f-]{36}", page.text)
    assert found
    page = browser.get(found[0])
    assert "destroys the system" in page.words and "sha256:" in page.words
    assert browser.get("/decisions/ffffffff-0000").status == 404


def test_what_if_changes_nothing(world: World, browser: Browser) -> None:
    world.ask("ls")
    before = (len(world.desk.newest(99)), set(re.findall(r"sha256:\w+", browser.get("/journal").text)))
    page = browser.get("/policy")
    assert str(world.project) in page.text
    page = browser.post("/policy", {"nonce": page.nonce("/policy"), "command": "git push && rm -rf /"})
    assert "deny" in page.words and "destroys the system" in page.words
    after = (len(world.desk.newest(99)), set(re.findall(r"sha256:\w+", browser.get("/journal").text)))
    assert after == before


def test_a_file_of_the_project_is_trusted_as_it_was_shown(world: World, browser: Browser) -> None:
    file = world.project / ".ringwall" / "permissions.json"
    file.parent.mkdir()
    file.write_text('{"permissions": {"allow": ["Effect(process.kill)"]}}')
    world.judge._places.clear()
    assert world.ask("pkill -f trusted", session="trust") == "ask"
    page = browser.get("/policy")
    found = re.search(r'name="digest" value="([^"]+)"', page.text)
    assert found and "not trusted" in page.words and "Effect(process.kill)" in page.words
    fields = {"project": str(world.project), "path": str(file), "digest": found[1], "do": "trust"}
    file.write_text('{"permissions": {"allow": ["Effect(process.kill)", "Bash(docker:*)"]}}')
    nonce = page.nonce("/policy/trust", "trust")
    assert browser.post("/policy/trust", {**fields, "nonce": nonce}).status == 409
    page = browser.get("/policy")
    found = re.search(r'name="digest" value="([^"]+)"', page.text)
    assert found
    nonce = page.nonce("/policy/trust", "trust")
    assert browser.post("/policy/trust", {**fields, "digest": found[1], "nonce": nonce}).status == 303
    assert world.ask("pkill -f trusted", session="trust") == "allow"
    page = browser.get("/policy")
    nonce = page.nonce("/policy/trust", "distrust")
    browser.post("/policy/trust", {**fields, "digest": found[1], "do": "distrust", "nonce": nonce})
    assert world.ask("pkill -f trusted again", session="trust") == "ask"
    file.unlink()
    for one in world.desk.pending():
        world.desk.reject(one.number, one.binding, "person:ann", "enough")


def test_rules_are_shown_with_their_hits(world: World, browser: Browser) -> None:
    world.ask("pkill -f once", session="hits")
    number = world.desk.newest(1)[0].number
    page = browser.get("/policy")
    found = re.search(r"Effect\(process\.kill\).*?</tr>", page.text, re.DOTALL)
    assert found and re.search(r'<td class="number">[1-9]', found[0])
    browser.decide(number, "reject", because="enough")


def test_sessions_are_listed_with_their_agents(world: World, browser: Browser) -> None:
    world.ask("ls", session="crew")
    world.ask("rm -rf /", session="crew", agent_id="a7", agent_type="helper")
    page = browser.get("/sessions")
    assert "crew" in page.words and "a7" in page.words


def test_the_journal_is_verified(world: World, browser: Browser) -> None:
    world.ask("ls")
    page = browser.get("/journal")
    browser.post("/journal/verify", {"nonce": page.nonce("/journal/verify")})
    assert "Every one is as it was written" in browser.get("/journal").words


@pytest.mark.parametrize(("path", "status"), [("/proposals/999", 404), ("/proposals/x", 404), ("/no", 404)])
def test_what_is_not_there_is_said(browser: Browser, path: str, status: int) -> None:
    answer = browser.get(path)
    assert answer.status == status and "<nav" in answer.text
