"""Both readers build the same tree, apart from places inside backticks."""

from __future__ import annotations

import pytest

from ringwall.shell import ast
from ringwall.shell.reader_shfmt import read_second
from ringwall.shell.reader_treesitter import read_plain
from ringwall.shell.simple import simple_commands

from .second import shfmt

TEXTS = [
    "rm -rf x",
    "a b 'c d' \"e $f\" $'g\\n' h\\ i",
    "a{b,c}d {1..3} {x,y{1,2}} {nope} {a..e..2}",
    "a >o 2>&1 <i >>p &>q 3<&-",
    "a <<<w b",
    "a && b || c; d & e | f |& g",
    "! a | b; (c; d) >o; { e; }",
    "if a; then b; elif c; then d; else e; fi",
    "for i in a {b,c}; do d $i; done; for j; do e; done",
    "while a; do b; done <i; until c; do d; done",
    "case x in a|b) c;; *) ;; esac",
    "f() { a; }; f",
    "cat <<EOF\na $b $(c)\n\\$d\nEOF",
    "cat <<-'EOF' | b\n\ta $b\n\tEOF",
    "x=1 y=\"$z\" a; x+=2; b=(1 2 $(c))",
    "export A=1 B; declare -r c=$(d)",
    "echo ${a} ${b:-c d} \"${e:=$(f)}\" ${#g} ${!h} ${i%%.*} ${j^^}",
    "diff <(a) >(b)",
    "[ -f x ] && [ \"$a\" = b ]",
    "unset a b; eval 'c'",
    "# comment\na # more\n\nb",
    "",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_the_same_tree(text: str) -> None:
    output = shfmt(text)
    assert output is not None
    first, second = read_plain(text), read_second(text, output)
    assert first.sure
    assert shape(first.script) == shape(second)


@pytest.mark.parametrize(
    "text", ["cat - <<EOF\na\nEOF", "git commit -F - <<'EOF' && b -\na\nEOF", "a -- -<<EOF >x\na\nEOF"]
)
def test_a_dash_before_a_here_document_is_a_word(text: str) -> None:
    """tree-sitter drops it; where both readers put it back they agree."""
    output = shfmt(text)
    assert output is not None
    first, second = read_plain(text).script, read_second(text, output)
    assert simple_commands(first) == simple_commands(second)
    assert any("'-'" in str(command) for command in simple_commands(first))


@pytest.mark.parametrize("text", ["cat > n <<'E'\n\\ls src\nE\nb", 'a; cat <<"E"\n\\begin x\n$(c)\nE'])
def test_a_document_may_begin_with_a_backslash(text: str) -> None:
    output = shfmt(text)
    assert output is not None
    assert simple_commands(read_plain(text).script) == simple_commands(read_second(text, output))


def shape(value: object) -> object:
    """A tree without the places of compound nodes, literals joined."""
    if isinstance(value, ast.Word):
        return ("word", value.raw, tuple(map(shape, merged(value.parts))))
    if isinstance(value, tuple):
        return tuple(map(shape, value))
    if hasattr(value, "__struct_fields__"):
        names = [name for name in value.__struct_fields__ if name != "span"]
        return (type(value).__name__, *(shape(getattr(value, name)) for name in names))
    return value


def merged(parts: tuple[ast.Part, ...]) -> tuple[ast.Part, ...]:
    out: list[ast.Part] = []
    for part in parts:
        last = out[-1] if out else None
        if isinstance(part, ast.Literal) and isinstance(last, ast.Literal) and part.quoted == last.quoted:
            out[-1] = ast.Literal(last.text + part.text, part.quoted)
        else:
            out.append(part)
    return tuple(out)
