"""The syntax tree that both readers build and the evaluator walks.

Invariant: the tree holds every command that bash would run for the text, and nothing that is data. Spans
are half-open character ranges of the text that was read. Nodes are structs because a reading makes dozens.
"""

from __future__ import annotations

from msgspec import Struct

Span = tuple[int, int]


# ---- words


class Literal(Struct, frozen=True, gc=False):
    """Characters as bash sees them after quote removal. Unquoted ones may glob, split or name a home."""

    text: str
    quoted: bool = False


class Param(Struct, frozen=True, gc=False):
    """`$name` or `${name<op>arg}`. `op` is `:-`, `-`, `:=`, `:+`, `#`, `%`, `/`, `length`, `indirect`, …"""

    name: str
    op: str = ""
    arg: Word | None = None
    quoted: bool = False


class CommandSub(Struct, frozen=True, gc=False):
    """`$(…)` or backticks."""

    script: Script
    quoted: bool = False


class ProcessSub(Struct, frozen=True, gc=False):
    """`<(…)` or `>(…)`; `mode` is `<` or `>`."""

    script: Script
    mode: str


class Arithmetic(Struct, frozen=True, gc=False):
    """`$((…))`; the words are those in which substitutions were found."""

    text: str
    words: tuple[Word, ...] = ()
    quoted: bool = False


class Brace(Struct, frozen=True, gc=False):
    """`{a,b}` or `{1..3}` already expanded into its alternatives (at most 256; else `Unknown`)."""

    words: tuple[Word, ...]


class Unknown(Struct, frozen=True, gc=False):
    """A part that the reader does not model; the word's value is not known."""

    text: str
    words: tuple[Word, ...] = ()


Part = Literal | Param | CommandSub | ProcessSub | Arithmetic | Brace | Unknown


class Word(Struct, frozen=True, gc=False):
    """One shell word. `raw` is its text as written, line continuations removed."""

    parts: tuple[Part, ...]
    span: Span
    raw: str


# ---- commands


class Assign(Struct, frozen=True, gc=False):
    """`name=value`, `name+=value`, `name[i]=value` or `name=(words)`."""

    name: str
    value: Word | None
    append: bool = False
    index: Word | None = None
    array: tuple[Word, ...] | None = None


class Redirect(Struct, frozen=True, gc=False):
    """`op` as written (`>`, `>>`, `<`, `>|`, `<>`, `&>`, `&>>`, `>&`, `<&`, `<<`, `<<-`, `<<<`).

    `body` is the here-document's content (its parts unexpanded literals when the delimiter was quoted).
    """

    op: str
    target: Word
    fd: str = ""
    body: Word | None = None


class Simple(Struct, frozen=True, gc=False):
    """A simple command: prefix assignments, words, redirects."""

    assigns: tuple[Assign, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]
    span: Span


class Declaration(Struct, frozen=True, gc=False):
    """`export`, `declare`, `local`, `readonly`, `typeset`: assignments among ordinary words."""

    keyword: str
    assigns: tuple[Assign, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]
    span: Span


class Pipeline(Struct, frozen=True, gc=False):
    """Commands joined by `|` or `|&`."""

    commands: tuple[Node, ...]
    span: Span


class Sequence(Struct, frozen=True, gc=False):
    """Commands one after another. `operators[i]` stands before item `i` (`""`, `;`, `&`, `&&`, `||`): with
    `&&` and `||` the item may not be reached; `&` before item i+1 puts item i in the background."""

    items: tuple[Node, ...]
    operators: tuple[str, ...]
    span: Span


class Group(Struct, frozen=True, gc=False):
    """`{ …; }`, `( … )`, `coproc …`, `time …`, `! …`.

    `kind` is `group`, `subshell`, `coproc`, `time` or `not`.
    """

    kind: str
    body: Node
    redirects: tuple[Redirect, ...]
    span: Span


class Branch(Struct, frozen=True, gc=False):
    """`if`, `case`, `[[ … ]]`, `(( … ))`: `words` are evaluated, then any of `bodies` may run.

    `tests` always run (the condition of the first `if`); `bodies` may.
    """

    kind: str
    words: tuple[Word, ...]
    tests: tuple[Node, ...]
    bodies: tuple[Node, ...]
    redirects: tuple[Redirect, ...]
    span: Span


class Loop(Struct, frozen=True, gc=False):
    """`for`, `select`, `while`, `until`, and the arithmetic `for`.

    `words` is None for `for x` without `in`.
    """

    kind: str
    variable: str
    words: tuple[Word, ...] | None
    test: Node | None
    body: Node
    redirects: tuple[Redirect, ...]
    span: Span


class Function(Struct, frozen=True, gc=False):
    """A function definition; its body runs when it is called."""

    name: str
    body: Node
    span: Span


Node = Simple | Declaration | Pipeline | Sequence | Group | Branch | Loop | Function


class Script(Struct, frozen=True, gc=False):
    """A whole text. `body` is None when it is empty or holds comments only."""

    body: Node | None
    span: Span
