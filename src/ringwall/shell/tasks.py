"""Tasks of runners: `make target`, `npm run script`, `just recipe`, git aliases.

Invariant: one level on disk is read, through `Surroundings`; a task that cannot be seen stays `code.run`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ringwall.model.analysis import HOLE
from ringwall.shell.environment import Value
from ringwall.shell.expand import Field
from ringwall.shell.frame import Frame
from ringwall.shell.meaning import Carry, Meaning
from ringwall.shell.ondisk import Step, just_recipe, makefile, package_script, recipe_of
from ringwall.shell.streams import EMPTY, Stream

if TYPE_CHECKING:
    from ringwall.shell.evaluate import Walk

_SCRIPT_RUNNERS = frozenset(("npm", "pnpm", "yarn", "bun", "npx", "ni", "nr"))
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_JUSTFILES = ("justfile", "Justfile", ".justfile")
_OPEN_DEPTH = 3


def run(
    walk: Walk,
    carry: Carry,
    argv: tuple[str, ...],
    words: Sequence[Field],
    meaning: Meaning,
    stdin: Stream,
    index: int,
) -> None:
    """Walk what the named tasks of a runner will do."""
    runner = carry.language
    if runner in ("git-alias", "git"):
        _alias(walk, argv, words, index)
        return
    walk.emit("code.run", " ".join(field.text for field in words), span=words[0].span, command=index)
    names = [carry.text] if carry.text is not None else [field.text for field in words]
    names = [name for name in names if name]
    if words and words[0].text == argv[0]:
        names = [carry.text] if carry.text else []
    if any(HOLE in name for name in names):
        return
    if runner in ("make", "gmake", "bmake"):
        _make(walk, argv, names, words, stdin, index)
    elif runner in _SCRIPT_RUNNERS:
        for name in names:
            _script(walk, name, words, index)
    elif runner == "just":
        _just(walk, argv, names, words)


# ---- make


def _make(
    walk: Walk, argv: tuple[str, ...], names: list[str], words: Sequence[Field], stdin: Stream, index: int
) -> None:
    for word in argv[1:]:
        if word.startswith("SHELL="):
            walk.text(word[6:], walk.frame._replace(certain=False, depth=walk.frame.depth + 1))
    given = _option(argv, ("-f", "--file", "--makefile"))
    directory = _option(argv, ("-C", "--directory"))
    if (
        directory is not None
        and walk.frame.depth < 12
        and not walk.env.cwd.endswith("/" + directory.strip("/"))
    ):
        walk.env.change_directory(directory)
    if given in ("-", "/dev/stdin"):
        path, stream = "-", walk.settled(stdin)
    else:
        path, stream = _first(walk, (given,) if given is not None else _MAKEFILES)
    if stream.text is None:
        if given is not None and (stream.network or path == "-"):
            walk.emit(
                "download.exec" if stream.network else "code.opaque", path, span=words[0].span, command=index
            )
        return
    make = makefile(stream.text)
    for word in argv[1:]:
        name, equals, value = word.partition("=")
        if equals and name.isidentifier():
            make.variables[name] = value
    targets = [name for name in names if "=" not in name and name not in (given, directory)] or [make.first]
    label = "Makefile" if path == "-" else path
    for target in dict.fromkeys(targets):
        _steps(walk, recipe_of(make, target) or [], label, words)


def _steps(
    walk: Walk, steps: list[Step], label: str, words: Sequence[Field], own_shells: bool = True
) -> None:
    """Walk the commands of a task; each starts where the task starts."""
    frame, env = walk.frame, walk.env
    if len(walk.open_files) > _OPEN_DEPTH:
        return
    walk.open_files.append(label)
    for step in steps:
        if own_shells:
            walk.env = env.fork()
        deeper = Frame(
            frame.via,
            frame.span or words[0].span,
            frame.certain,
            frame.depth + 1,
            label,
            step.text,
            step.line,
        )
        walk.text(step.text, deeper, EMPTY)
    walk.open_files.pop()
    walk.env = env


def _first(walk: Walk, names: Sequence[str]) -> tuple[str, Stream]:
    """The first of `names` that is there, and its content."""
    stream = Stream()
    for name in names:
        stream = walk.settled(walk.content(name))
        if stream.text is not None or stream.network:
            return name, stream
    return names[-1], stream


def _option(argv: Sequence[str], names: Sequence[str]) -> str | None:
    for index, word in enumerate(argv):
        for name in names:
            if word == name:
                return argv[index + 1] if index + 1 < len(argv) else None
            if word.startswith(name + "=") if name.startswith("--") else word.startswith(name):
                return word[len(name) :].lstrip("=")
    return None


# ---- scripts of package.json, just


def _script(walk: Walk, name: str, words: Sequence[Field], index: int) -> None:
    written = walk.env.tasks.get(("npm", name))
    if written is not None:
        _steps(walk, [Step(written, 1)], "package.json", words)
        return
    directory = walk.env.cwd
    if HOLE in directory:
        return
    root = walk.surroundings.places.root
    while True:
        path = directory.rstrip("/") + "/package.json"
        text = walk.settled(walk.content(path)).text
        if text is not None:
            _steps(walk, package_script(text, name) or [], "package.json", words)
            return
        if directory in (root, "/", "") or not directory.startswith(root):
            return
        directory = directory.rpartition("/")[0]


def _just(walk: Walk, argv: tuple[str, ...], names: list[str], words: Sequence[Field]) -> None:
    given = _option(argv, ("-f", "--justfile"))
    path, stream = _first(walk, (given,) if given is not None else _JUSTFILES)
    if stream.text is None:
        return
    for name in names or [""]:
        _steps(walk, just_recipe(stream.text, name) or [], path, words)


# ---- git aliases


def _alias(walk: Walk, argv: tuple[str, ...], words: Sequence[Field], index: int) -> None:
    """A git subcommand that the tables do not know: an alias, or nothing."""
    name = words[0].text
    at = argv.index(name) if name in argv else 0
    expansion = _configured(argv, name) or walk.env.tasks.get(("git-alias", name))
    if expansion is None and HOLE not in walk.env.cwd and HOLE not in name:
        expansion = walk.surroundings.git_alias(walk.env.cwd, name)
    frame = walk.frame
    label = f"alias.{name}"
    if expansion is None:
        walk.emit("tool.unknown", f"git {name}", certain=False, span=words[0].span, command=index)
        return
    if frame.via.count(label) or HOLE in expansion:
        walk.emit("code.opaque", label, certain=False, span=words[0].span, command=index)
        return
    rest = list(argv[at + 1 :])
    deeper = frame._replace(
        via=(*frame.via, label), span=frame.span or words[0].span, depth=frame.depth + 1, label=""
    )
    if expansion.startswith("!"):
        walk.env.arguments = [Value(word) for word in rest]
        text = expansion[1:] + "".join(" " + _quoted(word) for word in rest)
        walk.text(text, deeper, EMPTY)
    else:
        walk.text("git " + expansion + "".join(" " + _quoted(word) for word in rest), deeper, EMPTY)


def _configured(argv: Sequence[str], name: str) -> str | None:
    """`git -c alias.name=text name`."""
    for index, word in enumerate(argv):
        text = argv[index + 1] if word == "-c" and index + 1 < len(argv) else word.removeprefix("-c")
        key, equals, value = text.partition("=")
        if equals and key.lower() == f"alias.{name}".lower():
            return value
    return None


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
