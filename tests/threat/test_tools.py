"""The same file or host by another spelling, through other tools."""

import pytest

from .conftest import Ground


@pytest.mark.parametrize(
    "host", ["evil.example.com", "EVIL.example.com.", "evil。example.com", "ｅvil.example.com"]
)
def test_a_denied_host_is_denied_in_each_spelling(ground: Ground, host: str) -> None:
    ground.deny("WebFetch(domain:evil.example.com)")
    assert ground.verdict(("WebFetch", {"url": f"https://{host}/x", "prompt": "x"})) == "deny"


def test_a_host_with_escapes_may_be_any(ground: Ground) -> None:
    ground.deny("WebFetch(domain:evil.example.com)")
    assert ground.verdict(("WebFetch", {"url": "https://evil%2eexample.com/", "prompt": "x"})) == "ask"


@pytest.mark.parametrize("url", ["file://{}/.env", "file:{}/%2eenv", "FILE://localhost{}/.env"])
def test_a_file_address_is_the_file(ground: Ground, url: str) -> None:
    ground.deny("Read(.env)")
    call = ("mcp__docs__get_page", {"uri": url.format(ground.project)})
    assert ground.verdict(call) == "deny"


def test_writing_to_a_file_address_is_a_write(ground: Ground) -> None:
    uri = f"file://{ground.home}/.claude/settings.json"
    assert ground.verdict(("mcp__files__write_resource", {"uri": uri, "content": "{}"})) == "deny"


def test_a_search_that_names_a_file_looks_at_it(ground: Ground) -> None:
    ground.deny("Read(.env)")
    assert ground.verdict(("Grep", {"pattern": "A", "glob": ".env"})) == "deny"
    assert ground.verdict(("Grep", {"pattern": "A", "glob": "*.py"})) == "allow"


def test_a_tool_that_nobody_knows_is_judged_by_the_command_it_is_given(ground: Ground) -> None:
    assert ground.verdict(("NewShell", {"command": "git push"})) == "ask"
    assert ground.verdict(("NewShell", {"command": "rm -rf ~"})) == "deny"
    assert ground.verdict(("NewShell", {"command": "ls"})) == "allow"


@pytest.mark.parametrize("tool", ["SendFile", "mcp__x__frob"])
def test_a_tool_that_nobody_knows_may_read_the_file_it_is_given(ground: Ground, tool: str) -> None:
    assert ground.verdict((tool, {"file_path": f"{ground.project}/.env"})) == "ask"
    assert ground.verdict((tool, {"file_path": f"{ground.project}/src/a.py"})) == "allow"


def test_a_copy_reads_its_source(ground: Ground) -> None:
    ground.deny("Read(.env)")
    call = ("mcp__filesystem__copy_file", {"source": ".env", "destination": "x"})
    assert ground.verdict(call) == "deny"
