import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.world import PLACES, read_command
from ringwall.policy.model import CommandPattern, DomainPattern, EffectPattern, PathPattern, ToolPattern
from ringwall.policy.rule_text import RuleFault, read_rule


def read(text: str, allowing: bool = False) -> object:
    return read_rule(text, PLACES, read_command, allowing)


@pytest.mark.parametrize("text", ["Bash", "Bash(*)", "Bash(:*)"])
def test_bare_bash_matches_every_command(text: str) -> None:
    pattern = read(text)
    assert isinstance(pattern, CommandPattern)
    assert pattern.invocation is None


@pytest.mark.parametrize("text", ["Bash(npm test:*)", "Bash(npm test *)", "Bash(npm test :*)"])
def test_both_prefix_forms_are_one(text: str) -> None:
    pattern = read(text)
    assert isinstance(pattern, CommandPattern)
    assert (pattern.prefix, pattern.words) == (True, ("npm", "test"))


@pytest.mark.parametrize(
    ("text", "glob", "base"),
    [
        ("Read(./.env)", ".env", "/p"),
        ("Read(/src/**)", "src/**", "/p"),
        ("Read(src/**)", "src/**", "/p"),
        ("Read(~/.ssh/**)", ".ssh/**", "/home/u"),
        ("Read(//etc/passwd)", "etc/passwd", "/"),
        ("Read(.env)", ".env", ""),
        ("Read(secrets/)", "secrets", ""),
        ("Read(~)", "**", "/home/u"),
        ("Read(.)", "**", "/p"),
        ("Read(src//./a)", "src/a", "/p"),
    ],
)
def test_where_paths_are_anchored(text: str, glob: str, base: str) -> None:
    assert read(text) == PathPattern("read", glob, base)


def test_a_bare_name_is_kept_inside_the_project_when_it_loosens() -> None:
    assert read("Read(.env)", allowing=True) == PathPattern("read", "**/.env", "/p")


@pytest.mark.parametrize("tool", ["Edit", "Write", "MultiEdit", "NotebookEdit"])
def test_all_writers_are_one(tool: str) -> None:
    assert read(f"{tool}(src/**)") == PathPattern("write", "src/**", "/p")
    assert read(tool) == PathPattern("write", "", "")


def test_other_forms() -> None:
    assert read("WebFetch") == DomainPattern("")
    assert read("WebFetch(domain:Example.COM.)") == DomainPattern("example.com")
    assert read("WebFetch(domain:*.example.com)") == DomainPattern("*.example.com")
    assert read("mcp__github") == ToolPattern("mcp__github")
    assert read("mcp__github__*") == ToolPattern("mcp__github__*")
    assert read("WebSearch") == ToolPattern("WebSearch")
    assert read("Effect(git.push)") == EffectPattern("git.push", "")
    assert read("Effect(git.push:origin*)") == EffectPattern("git.push", "origin*")
    assert read("Effect(git)") == EffectPattern("git", "")
    found = read("Effect(delete:./build/**)")
    assert isinstance(found, EffectPattern)
    assert found.path == PathPattern("write", "build/**", "/p")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "rule_syntax"),
        (" Bash", "rule_syntax"),
        ("Bash(npm test", "rule_syntax"),
        ("Bash()", "rule_syntax"),
        ("Bash(a) b", "rule_syntax"),
        ("Bash('a)", "rule_syntax"),
        ("Bash(a && b)", "never_matches"),
        ("Bash(a | b)", "never_matches"),
        ("Bash(a; b)", "never_matches"),
        ("Bash(a > f)", "never_matches"),
        ("Bash(a $(b))", "never_matches"),
        ("Bash(A=1 b)", "never_matches"),
        ("bash(a)", "unknown_tool"),
        ("Edti(src/**)", "unknown_tool"),
        ("Frobnicate", "unknown_tool"),
        ("Read(../x)", "never_matches"),
        ("Read(!x)", "never_matches"),
        ("Read(~bob/x)", "never_matches"),
        ("WebFetch(https://example.com)", "never_matches"),
        ("WebFetch(domain:https://example.com)", "never_matches"),
        ("WebFetch(domain:example.com/path)", "never_matches"),
        ("WebFetch(domain:)", "never_matches"),
        ("mcp__github(x)", "never_matches"),
        ("mcp__", "rule_syntax"),
        ("WebSearch(x)", "never_matches"),
        ("Effect", "unknown_effect"),
        ("Effect(git.pull)", "unknown_effect"),
        ("Effect(git.push:)", "rule_syntax"),
    ],
)
def test_what_is_no_rule(text: str, code: str) -> None:
    with pytest.raises(RuleFault) as caught:
        read(text)
    assert caught.value.code == code
    assert str(caught.value.what) and str(caught.value.repair)


def test_the_repair_names_the_nearest_word() -> None:
    with pytest.raises(RuleFault) as caught:
        read("bash(ls)")
    assert "Bash" in str(caught.value.repair)
    with pytest.raises(RuleFault) as caught:
        read("Effect(git.psuh)")
    assert "git.push" in str(caught.value.repair)


def test_operators_inside_quotes_are_data() -> None:
    assert isinstance(read("Bash(grep 'a|b' *)"), CommandPattern)


@given(st.text(max_size=60) | st.text("BashReditEfct()*:./~ '\"\\", max_size=30))
def test_any_text_is_a_rule_or_a_fault(text: str) -> None:
    try:
        read(text)
    except RuleFault as fault:
        assert str(fault.what) and str(fault.repair)
