"""Values, streams and parameter operations by themselves."""

from __future__ import annotations

import pytest

from ringwall.model.analysis import HOLE
from ringwall.shell.environment import UNKNOWN, UNSET, Value
from ringwall.shell.parameters import matches, modified, trimmed
from ringwall.shell.streams import EMPTY, NETWORK, Stream, joined, output_of, unescape


@pytest.mark.parametrize(
    ("argv", "stdin", "output"),
    [
        (("echo", "a", "b"), "", "a b\n"),
        (("echo", "-n", "a"), "", "a"),
        (("echo", "-e", "a\\tb"), "", "a\tb\n"),
        (("echo", "-x"), "", "-x\n"),
        (("printf", "%s\\n", "a", "b"), "", "a\nb\n"),
        (("printf", "\\x72\\155 %d%%", "5"), "", "rm 5%"),
        (("printf", "%b", "a\\nb"), "", "a\nb"),
        (("printf", "%5s", "a"), "", None),
        (("cat",), "x", "x"),
        (("cat", "f"), "x", None),
        (("base64", "-d"), "cm0=\n", "rm"),
        (("base64", "-d"), "not base64!", None),
        (("base64",), "x", None),
        (("xxd", "-r", "-p"), "726d", "rm"),
        (("rev",), "mr\n", "rm\n"),
        (("tac",), "a\nb\n", "b\na\n"),
        (("tr", "a-c", "x"), "abcd", "xxxd"),
        (("tr", "-d", "x"), "rxm", "rm"),
        (("tr", "A-Z", "a-z"), "RM", "rm"),
        (("head", "-n", "1"), "a\nb\n", "a\n"),
        (("tail", "-1"), "a\nb\n", "b\n"),
        (("sed", "s/a/b/"), "a", None),
    ],
)
def test_outputs_that_are_known(argv: tuple[str, ...], stdin: str, output: str | None) -> None:
    assert output_of(argv, Stream(stdin)).text == output


def test_what_came_from_the_network_stays_so() -> None:
    assert output_of(("sed", "s/a/b/"), NETWORK).network
    assert joined(NETWORK, Stream("x")).network
    assert joined(EMPTY, Stream("x")) == Stream("x")


def test_an_unknown_argument_leaves_a_hole_in_the_output() -> None:
    assert output_of(("echo", f"a{HOLE}b"), EMPTY).text == f"a{HOLE}b\n"
    assert output_of(("printf", "%s x", HOLE), EMPTY).text == f"{HOLE} x"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a", "a"),
        ("\\n", "\n"),
        ("\\x41\\101\\u0041", "AAA"),
        ("\\q", "\\q"),
        ("a\\", "a\\"),
        ("\\xZZ", "\\xZZ"),
    ],
)
def test_escapes(text: str, plain: str) -> None:
    assert unescape(text) == plain


@pytest.mark.parametrize(
    ("text", "pattern", "op", "rest"),
    [
        ("a.b.c", ".*", "%", "a.b"),
        ("a.b.c", ".*", "%%", "a"),
        ("a/b/c", "*/", "#", "b/c"),
        ("a/b/c", "*/", "##", "c"),
        ("abc", "x", "#", "abc"),
        ("abc", "?", "#", "bc"),
        ("abc", "[a]", "#", None),
    ],
)
def test_trimming(text: str, pattern: str, op: str, rest: str | None) -> None:
    assert trimmed(text, pattern, op) == rest


def test_globs() -> None:
    assert matches("abc", "a*c")
    assert matches("", "*")
    assert not matches("abc", "a?")
    assert not matches("abc", "b*")


def test_defaults_of_values_that_are_not_known() -> None:
    assert modified(UNSET, True, ":-", Value("x")) == Value("x")
    assert modified(Value("v"), True, ":-", Value("x")) == Value("v")
    unknown = modified(UNKNOWN, False, ":-", Value("x"))
    assert unknown.text == HOLE
    assert unknown.filled
    assert modified(UNKNOWN, False, ":?", UNSET).filled
    assert modified(UNKNOWN, False, "@Q", UNSET).text == HOLE
