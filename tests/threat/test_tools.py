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
