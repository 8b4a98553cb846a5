"""Words that a command makes by itself: what `xargs` reads, `find` finds, `mktemp` makes, follows `:::`.

Invariant: where the added words are not known, one `HOLE` stands for all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from ringwall.model.analysis import HOLE
from ringwall.shell.expand import Field
from ringwall.shell.meaning import Meaning, RawEffect
from ringwall.shell.streams import Stream

MOST_ROUNDS = 16
_PLACES = ("{}", "{.}", "{/}", "{//}", "{/.}", "{1}", "{2}", "{3}")


def completed_fields(
    argv: Sequence[str], words: list[Field], meaning: Meaning, stdin: Stream
) -> list[list[Field]]:
    """The commands that a carrier makes of `words`."""
    if not words:
        return []
    marks = marks_of(argv, meaning)
    place = words[-1].span
    added = _added(argv, meaning, stdin)
    if any(mark in field.text for field in words for mark in marks):
        return [
            [_replaced(field, marks, text, stdin.network) for field in words] for text in added[:MOST_ROUNDS]
        ]
    if argv[0].rpartition("/")[2] in ("xargs", "gxargs") and not marks_given(meaning):
        pieces: Iterable[str] = (piece for text in added for piece in text.split())
    else:
        pieces = added
    rounds = [list(pieces)]
    if any(" " in text for text in added):  # as with -d or -0
        rounds.append(added)
    return [
        words + [Field(text, place, HOLE in text, True, stdin.network) for text in texts[:512]]
        for texts in rounds
    ]


def completed_text(argv: Sequence[str], text: str, meaning: Meaning, stdin: Stream) -> str:
    """Shell text with the added words in their places, one line for each round."""
    marks = marks_of(argv, meaning)
    added = _added(argv, meaning, stdin)[:MOST_ROUNDS]
    if not text.strip():
        return "\n".join(added)
    lines = []
    for value in added:
        line = text
        for mark in marks:
            line = line.replace(mark, value)
        lines.append(line if line != text else f"{text} {value}")
    return "\n".join(lines)


def _replaced(field: Field, marks: tuple[str, ...], value: str, network: bool) -> Field:
    text = field.text
    for mark in marks:
        text = text.replace(mark, value)
    return field if text == field.text else field._replace(text=text, network=network or field.network)


def marks_given(meaning: Meaning) -> bool:
    return any(name in _MARK_OPTIONS for name, _ in meaning.invocation.options)


_MARK_OPTIONS = frozenset(("-I", "-i", "-J", "--replace"))


def marks_of(argv: Sequence[str], meaning: Meaning) -> tuple[str, ...]:
    """The texts that stand for an added word."""
    for name, value in meaning.invocation.options:
        if name in _MARK_OPTIONS and value:
            return (value,)
    program = argv[0].rpartition("/")[2]
    if program in ("xargs", "gxargs"):
        return ("{}",) if marks_given(meaning) else ()
    return _PLACES if program in ("parallel", "fd", "fdfind") else ("{}",)


def _added(argv: Sequence[str], meaning: Meaning, stdin: Stream) -> list[str]:
    program = argv[0].rpartition("/")[2]
    if ":::" in argv:
        return [text for text in argv[argv.index(":::") + 1 :] if not text.startswith("::")] or [HOLE]
    if program in ("find", "gfind", "fd", "fdfind"):
        return found_by(argv, meaning)
    options = {name for name, _ in meaning.invocation.options}
    if stdin.text and stdin.text.strip() and not options & {"-a", "--arg-file"}:
        lines = stdin.text.replace("\0", HOLE).splitlines()
        return [line for line in lines if line.strip()]
    return [HOLE]


def found_by(argv: Sequence[str], meaning: Meaning) -> list[str]:
    """Globs for what a search prints: everything below its starting points, or what has the given names."""
    names: tuple[str, ...]
    if argv[0].rpartition("/")[2].startswith("fd"):
        starts, names = list(meaning.invocation.operands[1:]) or ["."], ()
    else:
        starts, names = starting_points(argv), names_sought(tuple(argv))
    return [f"{start.rstrip('/')}/{name}" for start in starts for name in (names or ["*"])]


_ACTIONS = frozenset(("-delete", "-exec", "-execdir", "-ok", "-okdir", "-print", "-print0", "-printf"))


_LISTERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "grep": ("-l", "-rl", "-lr", "-rln", "-ril", "-lri", "--files-with-matches", "-L"),
        "rg": ("--files", "-l", "--files-with-matches"),
        "git": ("ls-files", "--name-only", "--files-with-matches"),
    }
)
_NAMERS = frozenset(("rev-parse", "rev-list", "merge-base"))


def lists_files(argv: Sequence[str]) -> str:
    """What a program prints that names files of the directory it runs in, as a glob, or commits, as one of
    their names; empty for all others. Paths elsewhere are named as such."""
    program, words = argv[0], argv[1:]
    if program == "git" and words and (words[0] in _NAMERS or "--format=%H" in words):
        other = any(word.startswith(("--show", "--git", "--abbrev")) for word in words)
        return "" if other else "0" * 40 + "\n"
    if any(word.startswith(("/", "~", "..", "-C", HOLE)) for word in words):
        return ""
    return "./*\n" if any(word in _LISTERS.get(program, ()) for word in words) else ""


def temporary(words: Sequence[str], folder: str, number: int) -> str:
    """The path that `mktemp` prints: its template below `folder`, the random part made up."""
    template = ""
    for before, word in zip(("", *words), words, strict=False):
        if before == "-p":
            folder = word
        elif word.startswith("--tmpdir="):
            folder = word.removeprefix("--tmpdir=")
        elif word[:1] != "-" and before != "--suffix":
            template = word
    if template and not any(word[:2] in ("-p", "-t") or word.startswith("--tmpdir") for word in words):
        folder = ""
    path = f"{folder.rstrip('/')}/{template or 'tmp.XXXXXX'}" if folder else template
    return path.replace("XXX", f"{number:03d}", 1) + "\n"


@lru_cache(maxsize=64)
def names_sought(argv: tuple[str, ...]) -> tuple[str, ...]:
    """The names that all that `find` finds has one of, as globs below a starting point; none where it finds
    other names as well."""
    names: list[str] = []
    branch: list[str] = []
    for word in (*argv, "-o"):
        if word not in ("-o", "-or"):
            branch.append(word)
            continue
        if "-prune" not in branch or not _ACTIONS.isdisjoint(branch):
            own = [
                branch[i + 1]
                for i, test in enumerate(branch[:-1])
                if test in ("-name", "-iname") and branch[i - 1] not in ("!", "-not")
            ]
            if not own or "," in branch or _excluded(branch):
                return ()
            names.extend(f"**/{name}" for name in own)
        branch = []
    return tuple(names)


def _excluded(branch: Sequence[str]) -> bool:
    """Whether a whole parenthesis is negated."""
    return any(word in ("!", "-not") and after == "(" for word, after in pairwise(branch))


def narrowed(argv: Sequence[str], effects: Sequence[RawEffect]) -> tuple[RawEffect, ...]:
    """What `find … -delete` deletes, by the names it looks for; what is empty is not a tree."""
    names = names_sought(tuple(argv)) if "-empty" not in argv else ()
    out: list[RawEffect] = []
    for raw in effects:
        if raw.access != "delete" or not (names or "-empty" in argv):
            out.append(raw)
        elif not names:
            out.append(replace(raw, name="delete"))
        else:
            out.extend(replace(raw, target=f"{raw.target.rstrip('/')}/{name}") for name in names)
    return tuple(out)


def starting_points(argv: Sequence[str]) -> list[str]:
    """Where `find` begins: the words before its expression."""
    starts: list[str] = []
    for word in argv[1:]:
        if word in ("-L", "-H", "-P") or word.startswith("-O"):
            continue
        if word[:1] in ("-", "(", "!"):
            break
        starts.append(word)
    return starts or ["."]
