"""What is read, by whom, and when there is a doubt."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ringwall.shell.bounds import MOST_CHARACTERS, MOST_COMMANDS, MOST_NESTING, MOST_PARTS, MOST_UNCOUNTED
from ringwall.shell.read import Reading, read
from ringwall.shell.simple import nodes

from .second import absent, shfmt


def argvs(reading: Reading) -> list[tuple[str, ...]]:
    return sorted(tuple(word.raw for word in node.words) for node in nodes(reading.script) if node.words)


def codes(reading: Reading) -> set[str]:
    return {doubt.code for doubt in reading.doubts}


MISREAD_BY_THE_FIRST = {
    "echo `true` `rm -rf x`": [("echo", "`true`", "`rm -rf x`"), ("rm", "-rf", "x"), ("true",)],
    "rm >log -rf x": [("rm", "-rf", "x")],
    "find x >/dev/null -delete": [("find", "x", "-delete")],
    "r\\\nm -rf x": [("rm", "-rf", "x")],
    'echo "${x:-`rm x`}"': [("echo", '"${x:-`rm x`}"'), ("rm", "x")],
    'echo "${x:-"$(rm x)"}"': [("echo", '"${x:-"$(rm x)"}"'), ("rm", "x")],
    "echo \"${x:-'$(rm x)'}\"": [("echo", "\"${x:-'$(rm x)'}\""), ("rm", "x")],
    "echo \"${x:-'`rm x`'}\"": [("echo", "\"${x:-'`rm x`'}\""), ("rm", "x")],
    "echo `echo \\`rm x\\``": [("echo", "`echo \\`rm x\\``"), ("echo", "`rm x`"), ("rm", "x")],
    "coproc rm x": [("rm", "x")],
    "a<(b) c>(d) >e<(f)": [("a<(b)", "c>(d)"), ("b",), ("d",), ("f",)],
    "A=1<(b) c": [("b",), ("c",)],
    "A=(b c<(d) e)": [("d",)],
    "a - \\\n<<E\nx\nE": [("a", "-")],
    "a \xa0`b` \x07c": [("a", "\xa0`b`", "\x07c"), ("b",)],
    "time rm x": [("rm", "x")],
    "time -p rm x": [("rm", "x")],
    "rm >log -rf $x": [("rm", "-rf", "$x")],
    "$ ls -la": [("$", "ls", "-la")],
    "time { a; b; } && time (c); time for i in d; do e; done": [("a",), ("b",), ("c",), ("e",)],
    "coproc X { a; }; coproc { b; }; c": [("a",), ("b",), ("c",)],
    "A=1 B=2\nrm x": [("rm", "x")],
    "echo x > $f-$g.md5 y": [("echo", "x", "y")],
    "cat <<A <<-'B' >f\na\nA\nb; $(c)\n\tB\nrm x": [("cat",), ("rm", "x")],
    "a <<A && b <<B | c\nrm x\nA\nrm y\nB\nd": [("a",), ("b",), ("c",), ("d",)],
    "cat <<E\nA=1 B=2\nE\nA=1 B=2\nrm x": [("cat",), ("rm", "x")],
    "if [ a \\< b ]; then [ \\( c \\) ]; fi": [("[", "\\(", "c", "\\)", "]"), ("[", "a", "\\<", "b", "]")],
    "{ls,-la,src}; {rm,-rf} x": [("{ls,-la,src}",), ("{rm,-rf}", "x")],
    "a; {} ; {b; c}": [("a",), ("c}",), ("{b",), ("{}",)],
    "yes | head -200>f": [("head", "-200"), ("yes",)],
    "exec 0<&9": [("exec",)],
    "r\ufeffm x": [("r\ufeffm", "x")],
    "python3 - <<'PY' arg1\nx\nPY": [("python3", "-", "arg1")],
    "python3 - <<'PY'\nx\nPY": [("python3", "-")],
    "a [ b ] [ c ]": [("a", "[", "b", "]", "[", "c", "]")],
    "c $((a; b) | d)": [("a",), ("b",), ("c", "$((a; b) | d)"), ("d",)],
    "cat <<EOF\n EOF\nEOF \nrm no\nEOF\nrm yes": [("cat",), ("rm", "yes")],
    "cat <<EOF\na\\\nEOF\nrm no\nEOF\nrm yes": [("cat",), ("rm", "yes")],
    "IFS=: v=($(a))\nfor i in x; do b; done": [("a",), ("b",)],
    "1a=2": [("1a=2",)],
    "rm x\rrm y": [("rm", "x\rrm", "y")],
    "rm\x0cx": [("rm\x0cx",)],
    "cat <<A <<B\na $(one)\nA\nb $(two)\nB\nrm x": [("cat",), ("one",), ("rm", "x"), ("two",)],
}  # fmt: skip


@pytest.mark.parametrize("text", MISREAD_BY_THE_FIRST)
def test_a_known_misread_is_read_rightly_or_doubted(text: str) -> None:
    reading = read(text, shfmt)
    assert reading.doubts or argvs(reading) == MISREAD_BY_THE_FIRST[text]


@pytest.mark.parametrize(
    "text",
    [
        "echo `echo \\`rm x\\``",
        "rm >log -rf $x",
        "time -p rm x",
        "coproc rm x",
        "r\\\nm -rf x",
        "yes | head -200>f",
        "time { a; b; } && time (c); time for i in d; do e; done",
        "coproc X { a; }; coproc { b; }; c",
        "A=1 B=2\nrm x",
        "echo x > $f-$g.md5 y",
        "cat <<A <<-'B' >f\na\nA\nb; $(c)\n\tB\nrm x",
        "a <<A && b <<B | c\nrm x\nA\nrm y\nB\nd",
        "cat <<E\nA=1 B=2\nE\nA=1 B=2\nrm x",
        "if [ a \\< b ]; then [ \\( c \\) ]; fi",
        "{ls,-la,src}; {rm,-rf} x",
    ],
)
def test_repairs_agree_with_the_second_reader(text: str) -> None:
    reading = read(text, shfmt)
    assert not reading.doubts
    assert reading.second_used
    assert argvs(reading) == MISREAD_BY_THE_FIRST[text]


PLAIN = {
    "git status": [("git", "status")],
    'cd /x && git commit "a b" | tail -5': [("cd", "/x"), ("git", "commit", '"a b"'), ("tail", "-5")],
    "for f in a b; do rm $f; done > log 2>&1 &": [("rm", "$f")],
    "if [ x ]; then a; elif b; then c; else d; fi": [("[", "x", "]"), ("a",), ("b",), ("c",), ("d",)],
    "case $x in a|b) c;; *) d;; esac": [("c",), ("d",)],
    "while a; do b; done; until c; do d; done": [("a",), ("b",), ("c",), ("d",)],
    "select x in a b; do c; done; for ((i=0;i<$(n);i++)); do d; done": [("c",), ("d",), ("n",)],
    "f() { a; } >o; function g { b; }; f": [("a",), ("b",), ("f",)],
    "[[ -f $(a) && b == c ]] && d; (( x + $(e) ))": [("a",), ("d",), ("e",)],
    "diff <(a) <(b | c)": [("a",), ("b",), ("c",), ("diff", "<(a)", "<(b | c)")],
    "a | b |& c && d || e; f & g": [("a",), ("b",), ("c",), ("d",), ("e",), ("f",), ("g",)],
    "x=$(a) b; y=(1 $(c))": [("a",), ("b",), ("c",)],
    'echo "${x:-$(a)}" $((1+$(b)))': [("a",), ("b",), ("echo", '"${x:-$(a)}"', "$((1+$(b)))")],
    "(a; { b; }) | c": [("a",), ("b",), ("c",)],
    "cat <<EOF | sh\nhi $(a)\nEOF\nb": [("a",), ("b",), ("cat",), ("sh",)],
    "bash <<< \"$(a)\"": [("a",), ("bash",)],
    "export A=$(a) B; local -r c": [("-r", "c"), ("B",), ("a",)],
    "écho “x” ；": [("écho", "“x”", "；")],
    "a \\\n  --b \\\n  c": [("a", "--b", "c")],
    "echo `a` `b`": [("a",), ("b",), ("echo", "`a`", "`b`")],
    'echo x`a b``c`"`d "e"`"': [("a", "b"), ("c",), ("d", '"e"'), ("echo", 'x`a b``c`"`d "e"`"')],
    "`a`=b; `a 1`>f; x=(`b` `c`)": [("`a 1`",), ("`a`=b",), ("a",), ("a", "1"), ("b",), ("c",)],
    "[[ -f `a` ]] && echo ${x:-${y:-`b`}}": [("a",), ("b",), ("echo", "${x:-${y:-`b`}}")],
    "time a b | time-c && time d": [("a", "b"), ("d",), ("time-c",)],
    "echo 2>/dev/null hi x >&2 there": [("echo", "hi", "x", "there")],
    "git commit -F - <<'EOF'\nx\nEOF": [("git", "commit", "-F", "-")],
    "! a && ! b": [("a",), ("b",)],
    "a \\; b": [("a", "\\;", "b")],
}  # fmt: skip


@pytest.mark.parametrize("text", PLAIN)
def test_plain_text_is_read_rightly_by_the_first_reader_alone(text: str) -> None:
    reading = read(text, absent)
    assert not reading.doubts
    assert argvs(reading) == PLAIN[text]


@pytest.mark.parametrize("text", PLAIN)
def test_the_second_reader_finds_the_same_in_plain_text(text: str) -> None:
    second = read(text + "\n: a\\\nb", shfmt)
    assert second.second_used
    assert not second.doubts
    assert argvs(second) == sorted([*PLAIN[text], (":", "ab")])


DATA = [
    "# rm -rf x",
    "echo 'rm -rf x; $(rm y)'",
    'echo "rm -rf x; \\$(rm y)"',
    "cat <<'EOF'\nrm -rf x\n$(rm y)\nEOF",
    "cat <<\"EOF\"\n$(rm y)\nEOF",
    "cat <<\\EOF\n$(rm y)\nEOF",
    "cat <<EOF\nrm x; (rm y) | rm z\nEOF",
    "git commit -m 'x' # && rm y",
    "echo $'rm x\\n$(rm y)'",
    "echo a\\;rm b\\|rm c",
    "echo '`rm x`' \"\\`rm y\\`\" # `rm z`",
    "cat <<'EOF'\n`rm x` it's\nEOF",
]  # fmt: skip


@pytest.mark.parametrize("text", DATA)
def test_data_is_no_command(text: str) -> None:
    reading = read(text, shfmt)
    assert not reading.doubts
    assert not [argv for argv in argvs(reading) if argv[0] not in ("echo", "cat", "git")]


@pytest.mark.parametrize(
    "text",
    [
        "rm x; }",
        "rm x )",
        "echo 'abc",
        "if a; then b",
        "a && ",
        "a ( b )",
        "rm x;;",
        "a <b>\nc d",
        "{ a; } >b c",
        "if a; then b; fi >c rm d",
    ],
)
def test_what_bash_refuses_is_doubted(text: str) -> None:
    assert "parsers_disagree" in codes(read(text, shfmt))


@pytest.mark.parametrize("text", ["echo a\\\nb", "time ! a", "a; }"])
def test_without_a_second_reader_what_is_not_plain_is_doubted(text: str) -> None:
    reading = read(text, absent)
    assert codes(reading) == {"parsers_disagree"}
    assert reading.script is not None


def test_output_that_is_no_json_is_doubted() -> None:
    for output in (b"", b"{", b"[]", b'{"Stmts": 3}', b'{"Stmts": [{"Cmd": {"Type": "New"}}]}'):
        assert codes(read("echo a\\\nb", lambda _, output=output: output)) == {"parsers_disagree"}  # type: ignore[misc]


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x1b", "\r", "\x0b", "\x7f", "\ud800", "\udcff"])
def test_control_characters_are_doubted(character: str) -> None:
    reading = read(f"rm x{character} y", shfmt)
    assert "unreadable" in codes(reading)
    assert argvs(reading) == [("rm", f"x{character}", "y")]


@pytest.mark.parametrize("character", ["\u200b", "\u202e", "\ufeff", "\xa0", "\u2028", "\u3000", "é", "🚀"])
def test_other_characters_are_ordinary(character: str) -> None:
    reading = read(f"rm{character}x a{character}b; ls", shfmt)
    assert argvs(reading) == [("ls",), (f"rm{character}x", f"a{character}b")]
    assert not reading.doubts


def test_spans_count_characters() -> None:
    for text in ("é 🚀 x", "`é` 🚀 x"):
        reading = read(text, shfmt)
        (node,) = [n for n in nodes(reading.script) if len(n.words) == 3]
        assert [text[slice(*word.span)] for word in node.words] == text.split()


# ---- bounds


def test_too_long() -> None:
    assert codes(read("a" * (MOST_CHARACTERS + 1), shfmt)) == {"too_long"}


def test_too_deep() -> None:
    for opening, closing in (
        ("( ", ")"),
        ("{ ", "; }"),
        ("echo $(", ")"),
        ("if a; then ", "; fi"),
        ("a=${b:-", "}"),
    ):
        depth = MOST_NESTING + 1
        assert codes(read(opening * depth + "x" + closing * depth, shfmt)) == {"too_deep"}


def test_too_many() -> None:
    assert codes(read("a;" * (MOST_COMMANDS + 1), shfmt)) == {"too_many"}


@pytest.mark.parametrize("unit", ["a|", "x=(", "<", "a[[ "])
def test_what_takes_the_first_reader_quadratic_time_is_not_read(unit: str) -> None:
    for _ in range(2):
        reading = read(unit * 4000, absent)
        assert codes(reading) == {"parsers_disagree"}
        assert not reading.second_used
    assert not read("git status " + "x" * MOST_UNCOUNTED, absent).doubts


def test_what_takes_the_second_reader_long_is_not_given_to_it() -> None:
    assert codes(read("a\\\nb " * MOST_PARTS, absent)) == {"too_many"}
    assert codes(read("time " * 100 + "a", absent)) == {"too_deep"}
    assert codes(read("a\\\nb '" + "(" * 100 + "'", absent)) == {"too_deep"}


UNITS = ["(", "$(", "<", "`", '"', "'", "{", "[", "[[ ", "\\", "$((", "${", "|", "&", ";", "\n", "a ",
         "if ", "<<A ", "<<A\n", "!", "x=(", "case x in ", "${a:-", "a|", "é", "$", "#", "a() ", "a&&",
         "\x00", "\ud800"]  # fmt: skip


@pytest.mark.parametrize("unit", UNITS)
def test_any_repetition_gets_a_reading(unit: str) -> None:
    for length in (100, MOST_UNCOUNTED, 20_000, 1 << 20):
        text = unit * (length // len(unit))
        assert read(text, shfmt if length <= 20_000 else absent) is not None


# ---- any text

PIECES = st.sampled_from(
    [*UNITS, "rm -rf x", " ", ";", "&&", "||", ")", "}", "fi", "do", "done", "then", "esac", ";;", ">f",
     "2>&1", "<<<", "$x", '"$y"', "'z'", "<(", "=", "A=1", "time", "coproc", "EOF", "\nEOF\n",
     "<<'EOF'\n", "\t", "\r", "\ufeff"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=4096), st.lists(PIECES, max_size=60).map("".join))


@settings(deadline=None, max_examples=150)
@given(TEXTS)
@example("<<\n")
@example("${")
def test_any_text_gets_the_same_reading_twice(text: str) -> None:
    first = read(text, shfmt)
    assert first == read(text, shfmt)
    assert first.script is not None or first.doubts


@settings(deadline=None, max_examples=150)
@given(TEXTS, st.binary(max_size=200))
def test_any_output_of_the_second_reader_is_survived(text: str, output: bytes) -> None:
    read(text, lambda _: output)
