"""Options are read as getopt, git and the single-dash programs read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringwall.model.analysis import HOLE
from ringwall.shell.options import Parsed, Value, parse, parse_dashless, read_options

RM = read_options("-r,-R,--recursive -f,--force --interactive?= -o,--output= --preserve-root")
FIND = read_options("-name= -delete -exec=; -D=", bundle=False)
DD = read_options("if= of= bs=")


def reading(line: str, spec: object = RM, **how: object) -> Parsed:
    argv = line.replace("{?}", HOLE).split()
    return parse(argv, range(len(argv)), spec, **how)  # type: ignore[arg-type]


def operands(line: str, spec: object = RM, **how: object) -> list[str]:
    argv = line.split()
    return [argv[at] for at in reading(line, spec, **how).operands]


@pytest.mark.parametrize(
    "line",
    [
        "-r a",
        "-R a",
        "--recursive a",
        "--recur a",
        "-fr a",
        "a -r",
        "a b -rf",
        "-f -r a",
        "-ofile -r a",
        "-ro file a",
    ],
)
def test_a_flag_is_found_in_every_spelling(line: str) -> None:
    assert "--recursive" in reading(line).given


@pytest.mark.parametrize("line", ["-- -r", "--output -r", "-o -r a", "-o-r", "a -- -r", "--output=-r", "r"])
def test_a_word_that_is_no_option_is_not_taken_for_one(line: str) -> None:
    assert "--recursive" not in reading(line).given


@pytest.mark.parametrize("line", ["-o x", "-ox", "--output x", "--output=x", "--out x", "--out=x", "-fox"])
def test_a_value_is_found_in_every_spelling(line: str) -> None:
    assert [value.text for value in reading(line).given["--output"]] == ["x"]


def test_an_optional_value_is_only_attached() -> None:
    parsed = reading("--interactive always")
    assert parsed.given["--interactive"] == [Value(None, 0)]
    assert reading("--interactive=never").given["--interactive"][0].text == "never"


def test_a_negation_takes_an_option_back() -> None:
    assert "--force" not in reading("--force --no-force a").given
    assert "--force" in reading("--no-force --force a").given
    assert "--force" not in reading("-f --no-forc a").given


def test_an_ambiguous_beginning_counts_as_each_option() -> None:
    spec = read_options("--dry-run --drop --keep")
    assert {"--dry-run", "--drop"} <= set(reading("--dr", spec).given)
    assert "--keep" not in reading("--dr", spec).given


def test_help_is_only_taken_in_full() -> None:
    spec = read_options("--help --version --force")
    assert "--help" not in reading("--hel", spec).given
    assert "--version" not in reading("--vers", spec).given


def test_options_end_at_the_nth_operand() -> None:
    assert operands("-f a -r b", posix=1) == ["a", "-r", "b"]
    assert operands("a -f b -r", posix=2) == ["a", "b", "-r"]
    assert "--recursive" not in reading("a -f b -r", posix=2).given


def test_long_options_with_one_dash() -> None:
    parsed = reading(". -name -delete -Dx", FIND)
    assert parsed.given["-name"][0].text == "-delete"
    assert "-delete" not in parsed.given
    assert parsed.given["-D"][0].text == "x"
    assert "-name" in reading(". --name=x", FIND).given


def test_a_rest_value_ends_at_its_mark() -> None:
    argv = [".", "-exec", "rm", "-f", "{}", ";", "-exec", "ls", "{}", "+", "-delete"]
    parsed = parse(argv, range(len(argv)), FIND)
    assert [value.text for value in parsed.given["-exec"]] == ["rm -f {}", "ls {}"]
    assert parsed.given["-exec"][0].words == (2, 3, 4)
    assert "-delete" in parsed.given


def test_options_without_a_dash() -> None:
    parsed = reading("if=a of=/dev/sda x=y", DD)
    assert parsed.given["of"][0].text == "/dev/sda"
    assert len(parsed.operands) == 1


def test_letters_without_a_dash_take_their_values_in_order() -> None:
    spec = read_options("-x,--extract -f,--file= -C,--directory= -v")
    given: dict[str, list[Value]] = {}
    assert parse_dashless(["tar", "xfC", "a.tar", "/opt", "m"], spec, given) == 4
    assert (given["--file"][0].text, given["--directory"][0].text) == ("a.tar", "/opt")
    assert parse_dashless(["tar", "-xf", "a"], spec, {}) == 1
    assert parse_dashless(["tar", "archive"], spec, {}) == 1


@pytest.mark.parametrize(
    ("line", "possible"),
    [
        ("{?}", True),
        ("-{?}", True),
        ("--{?}", True),
        ("--re{?}", True),
        ("-x{?}", True),
        ("--fo{?}", False),
        ("{?}/build", False),
        ("-- {?}", False),
        ("--output={?}", False),
        ("-o {?}", False),
        ("build/{?}", False),
    ],
)
def test_an_unknown_word_may_be_an_option(line: str, possible: bool) -> None:
    parsed = reading(line)
    found = any(parsed.options.could_be("--recursive", word) for word in parsed.holes)
    assert found is possible


def test_marks_are_kept_with_their_places() -> None:
    parsed = reading("a -- b", RM)
    assert parsed.marks == [("--", 1)]
    assert reading("a ::: b", RM, posix=1, marks=frozenset({":::"})).marks == [(":::", 1)]


WORDS = st.lists(st.text(alphabet="-=rfo+;{}x\x00", max_size=6), max_size=8)


@given(WORDS, st.sampled_from([RM, FIND, DD]), st.integers(0, 3))
def test_no_word_is_lost(argv: list[str], spec: object, posix: int) -> None:
    parsed = parse(argv, range(len(argv)), spec, posix=posix)  # type: ignore[arg-type]
    seen = set(parsed.operands)
    for values in parsed.given.values():
        for value in values:
            seen |= {value.at, *value.words}
    unseen = [argv[at] for at in range(len(argv)) if at not in seen]
    assert all(word in parsed.holes or word[:1] in "-;+" or word.startswith("--") for word in unseen)


def test_a_plus_sign_takes_options_back_where_the_row_lists_such() -> None:
    shell = read_options("-n -e -c +o=")
    parsed = parse(["-ne", "+ne", "+o", "noexec", "x"], range(5), shell)
    assert "-n" not in parsed.given
    assert "-e" not in parsed.given
    assert parsed.given["+o"][0].text == "noexec"
    assert parsed.operands == [4]
    assert parse(["+5"], range(1), read_options("-n")).operands == [0]
