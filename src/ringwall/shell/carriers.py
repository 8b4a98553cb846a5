"""Commands that run something else: the wrapper is opened, what it carries is walked.

Invariant: a carry is opened or leaves `code.opaque`, `download.exec` or a doubt behind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ringwall.model.analysis import HOLE, Invocation
from ringwall.model.text import msg
from ringwall.shell import interpreters, memory, tasks, variables
from ringwall.shell.appended import completed_fields, completed_text, narrowed
from ringwall.shell.ast import Span
from ringwall.shell.environment import Value
from ringwall.shell.expand import Field
from ringwall.shell.frame import Frame
from ringwall.shell.meaning import Carry, Meaning
from ringwall.shell.placing import emit_raw
from ringwall.shell.printed import printed
from ringwall.shell.streams import EMPTY, NETWORK, UNKNOWN, Stream
from ringwall.shell.understand import understand

if TYPE_CHECKING:
    from ringwall.shell.evaluate import Walk

MOST_DEPTH = 12
_FOREIGN = frozenset(("fish", "powershell", "pwsh", "cmd", "nu", "xonsh", "csh", "tcsh", "elvish"))
_SHELLS = frozenset(("shell", "sh", "bash", "zsh", "ksh", "dash", "ash", "mksh"))
_PREFIXES = {"tar": "exec=", "gtar": "exec=", "bsdtar": "exec="}
_TOOL_FOLDERS = ("bin", "sbin", ".bin", "Scripts", "shims")


# ---- one command


def perform(
    walk: Walk,
    argv: tuple[str, ...],
    fields: list[Field],
    meaning: Meaning,
    stdin: Stream,
    at: int,
    assigned: Mapping[str, Value],
) -> Stream:
    """Emit what a command does by itself, then open what it carries; its standard output."""
    whole = cover(fields)
    if argv[0] in variables.OPTIONS:
        argv, fields = variables.with_options(walk, argv, fields, assigned)
        meaning = understand(argv)
    index = walk.record(argv, meaning.invocation, whole, at, meaning.known)
    if "/" in argv[0] and _is_script(walk, argv[0], meaning):
        return run_file(walk, "", fields[0], "", stdin, at, index, fields[1:])
    effects = narrowed(argv, meaning.effects) if "-delete" in argv else meaning.effects
    network = False
    for raw in effects:
        network = network or raw.name.startswith("network.")
        emit_raw(walk, raw, fields, whole, at, index)
    if any(raw.name == "agent.spawn" for raw in effects):
        name = variables.misled(walk, assigned)
        if name:
            walk.emit("write.governor", name, span=whole, at=at, command=index)
    if not effects and not meaning.carries:
        name = "observe" if meaning.known else "tool.unknown"
        walk.emit(name, "" if meaning.known else argv[0], span=whole, at=at, command=index)
    elif not meaning.known and not any(raw.name == "tool.unknown" for raw in effects):
        walk.emit("tool.unknown", argv[0], span=whole, at=at, command=index)
    memory.remember(walk, argv, meaning, stdin, network)
    output: Stream | None = None
    for carry in meaning.carries:
        output = open_carry(walk, carry, argv, fields, meaning, stdin, at, index, assigned)
    if stdin.network and _taken_as_program(walk, index):
        walk.emit("download.exec", argv[0], span=whole, at=at, command=index)
    if output is not None and len(meaning.carries) == 1:
        return output
    if network:
        return NETWORK
    return printed(walk, argv, meaning, stdin)


STANDARD_INPUT = frozenset(("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"))


def _taken_as_program(walk: Walk, index: int) -> bool:
    """Whether a command runs what it reads from its standard input, as far as that is not read here."""
    own = [effect for effect in walk.effects if effect.command == index]
    return not any(effect.name == "download.exec" for effect in own) and any(
        effect.name == "code.opaque" or (effect.name == "code.run" and effect.target in STANDARD_INPUT)
        for effect in own
    )


def look(walk: Walk, fields: list[Field], stdin: Stream, at: int) -> Stream:
    """Perform a builtin as the tables know it."""
    argv = tuple([field.text for field in fields])
    return perform(walk, argv, fields, understand(argv), stdin, at, {})


def observe(walk: Walk, argv: tuple[str, ...], span: Span, at: int, quiet: bool = False) -> int:
    """Record a builtin that is judged by what it runs; `quiet` when it does nothing by itself."""
    index = walk.record(argv, Invocation(argv[0], operands=argv[1:]), span, at)
    if not quiet:
        walk.emit("observe", span=span, at=at, command=index)
    return index


def _is_script(walk: Walk, name: str, meaning: Meaning) -> bool:
    """Whether a program named by its path is a script to read rather than an installed tool."""
    folder = name.rpartition("/")[0].rpartition("/")[2]
    path = walk.env.absolute(name)
    if path in walk.env.files:
        return True
    own = meaning.known and (meaning.effects or meaning.carries)
    return folder not in _TOOL_FOLDERS and not own


# ---- carries


def open_carry(
    walk: Walk,
    carry: Carry,
    argv: tuple[str, ...],
    fields: list[Field],
    meaning: Meaning,
    stdin: Stream,
    at: int,
    index: int,
    assigned: Mapping[str, Value],
) -> Stream:
    """Walk what one carry holds, in a shell of its own."""
    frame, env = walk.frame, walk.env
    if frame.depth >= MOST_DEPTH:
        walk.doubt("too_deep", msg("commands are nested more than {bound} deep", bound=MOST_DEPTH))
        return UNKNOWN
    walk.words += len(argv)  # a carrier's words are looked through once for each command that it carries
    program = argv[0].rpartition("/")[2]
    walk.frame = frame._replace(
        via=(*frame.reached(at), program),
        certain=frame.certain and carry.certain,
        depth=frame.depth + 1,
        label="",
        span=frame.span,
    )
    walk.env = env.fork()
    walk.env.variables.update(assigned)
    if carry.remote:
        walk.env.cwd = HOLE
    if carry.cwd:
        walk.env.change_directory(carry.cwd)
    if carry.env:
        values = {name: Value(text, HOLE not in text) for name, text in carry.env}
        walk.env.variables.update(values)
        variables.open_variables(walk, values, fields[0].span)
    output = _opened(walk, carry, argv, fields, meaning, stdin, index)
    walk.frame, walk.env = frame, env
    return Stream(None, output.network) if carry.remote else output


def _opened(
    walk: Walk,
    carry: Carry,
    argv: tuple[str, ...],
    fields: list[Field],
    meaning: Meaning,
    stdin: Stream,
    index: int,
) -> Stream:
    words = [fields[i] for i in carry.words if 0 <= i < len(fields)]
    match carry.kind:
        case "argv":
            if carry.extra:
                if stdin.text == "" and stdin is not EMPTY and "--no-run-if-empty" in _options(meaning):
                    return EMPTY
                return _each(walk, completed_fields(argv, words, meaning, stdin))
            return walk.run(words, stdin, 0) if words else EMPTY
        case "shell":
            text = carry.text if carry.text is not None else " ".join(field.text for field in words)
            text = text.removeprefix(_PREFIXES.get(program_name(argv), ""))
            places = words or fields
            arguments = fields[carry.words[-1] + 1 :] if carry.words else []
            if program_name(argv) in ("env", "genv"):
                return program_text(
                    walk,
                    "shell",
                    " ".join([text, *(quoted(f.text) for f in arguments)]),
                    fields,
                    stdin,
                    index,
                )
            if carry.extra:
                if len(words) > 1 and any(" " in field.text for field in words):
                    _each(walk, completed_fields(argv, words, meaning, stdin))
                text = completed_text(argv, text, meaning, stdin)
            elif len(arguments) > 1 or (arguments and not carry.remote):
                first, *others = [Value(f.text, f.filled, f.network) for f in arguments]
                walk.env.zero, walk.env.arguments = first, others
            return program_text(walk, carry.language, text, places, stdin, index)
        case "code":
            text = carry.text if carry.text is not None else "\n".join(field.text for field in words)
            return program_text(walk, carry.language, text, words or fields, stdin, index)
        case "file" if words:
            rest = fields[carry.words[-1] + 1 :]
            return run_file(walk, carry.language, words[0], "", stdin, 0, index, rest)
        case "task":
            tasks.run(walk, carry, argv, words or fields[:1], meaning, stdin, index)
        case "stdin":
            return run_stdin(walk, carry.language, fields, stdin, index)
        case _:
            walk.emit("code.opaque", argv[0], certain=False, span=fields[0].span, command=index)
    return UNKNOWN


def _each(walk: Walk, commands: Sequence[list[Field]]) -> Stream:
    """Run what a carrier makes of its words, one after another."""
    output = EMPTY
    for fields in commands:
        output = walk.run(fields, UNKNOWN, 0)
    return output


def _options(meaning: Meaning) -> set[str]:
    return {name for name, _ in meaning.invocation.options}


def program_name(argv: Sequence[str]) -> str:
    return argv[0].rpartition("/")[2]


def run_stdin(walk: Walk, language: str, fields: list[Field], stdin: Stream, index: int) -> Stream:
    """Standard input that is taken as a program."""
    stream = walk.settled(stdin)
    if stream.text is None:
        name = "download.exec" if stream.network else "code.opaque"
        walk.emit(name, language, span=cover(fields), command=index)
        return UNKNOWN
    if not stream.text.strip():
        return EMPTY
    fields = [fields[0]._replace(network=stream.network)]
    return program_text(walk, language, stream.text, fields, EMPTY, index)


def runs(walk: Walk, target: str, span: Span, at: int, index: int) -> None:
    """`code.run`, once for each command."""
    if index < 0 or not any(e.command == index and e.name == "code.run" for e in reversed(walk.effects)):
        walk.emit("code.run", target, span=span, at=at, command=index)


def shell_text(
    walk: Walk, text: str, places: Sequence[Field], wrapper: str, stdin: Stream, at: int
) -> Stream:
    """Text that a builtin hands to this shell."""
    frame = walk.frame
    via = (*frame.reached(at), wrapper) if wrapper else frame.reached(at)
    walk.frame = frame._replace(via=via, depth=frame.depth + 1, label="")
    output = program_text(walk, "shell", text, places, stdin, -1)
    walk.frame = frame
    return output


def program_text(
    walk: Walk, language: str, text: str, places: Sequence[Field], stdin: Stream, index: int
) -> Stream:
    """A program given as text: read as far as it is known."""
    span = cover(places)
    network = any(field.network for field in places)
    if HOLE in text and network:
        walk.emit("download.exec", language, span=span, command=index)
        return UNKNOWN
    if text.strip() and not text.replace(HOLE, "").strip():
        walk.emit("code.opaque", language, span=span, command=index)
        return UNKNOWN
    frame = walk.frame
    if language in _SHELLS:
        return walk.text(text, frame._replace(span=frame.span or span), stdin)
    if language in _FOREIGN:
        walk.doubt("not_bash", msg("the text is for {shell}, which is not read", shell=language))
        return UNKNOWN
    walk.frame = frame._replace(span=frame.span or span, text=text)
    interpreters.run(walk, language, text, index)
    walk.frame = frame
    return UNKNOWN


# ---- files that run


def run_file(
    walk: Walk,
    language: str,
    place: Field,
    wrapper: str,
    stdin: Stream,
    at: int,
    index: int,
    rest: Sequence[Field] = (),
) -> Stream:
    """A file that runs: its text is walked where it can be read."""
    path, frame = place.text, walk.frame
    runs(walk, path, place.span, at, index)
    if rest:
        _by_name(walk, path.rpartition("/")[2], [place, *rest], at, index)
    if path in STANDARD_INPUT:
        return run_stdin(walk, language or "shell", [place], stdin, index)
    if HOLE in path:
        name = "download.exec" if place.network else "code.opaque"
        walk.emit(name, path, certain=place.network, span=place.span, at=at, command=index)
        return UNKNOWN
    stream = walk.settled(walk.content(path))
    if stream.text is None:
        if stream.network:
            walk.emit("download.exec", path, span=place.span, at=at, command=index)
        elif "/fd/" in path or walk.env.absolute(path) in walk.env.files:
            walk.emit("code.opaque", path, span=place.span, at=at, command=index)
        return UNKNOWN
    if frame.depth >= MOST_DEPTH or path in walk.open_files:
        return UNKNOWN
    language = language if language in _SHELLS else _language_of(path, stream.text) or language or "shell"
    walk.open_files.append(path)
    via = (*frame.reached(at), wrapper) if wrapper else frame.reached(at)
    walk.frame = Frame(via, frame.span or place.span, frame.certain, frame.depth + 1, path, stream.text)
    if rest:
        walk.env.arguments = [Value(f.text, f.filled, f.network) for f in rest]
    output = UNKNOWN
    if language in _SHELLS:
        output = walk.text(stream.text, walk.frame, stdin)
    elif language in _FOREIGN:
        walk.doubt("not_bash", msg("the text is for {shell}, which is not read", shell=language))
    else:
        interpreters.run(walk, language, stream.text, index)
    walk.frame = frame
    walk.open_files.pop()
    return output


def _by_name(walk: Walk, name: str, fields: list[Field], at: int, index: int) -> None:
    """What the tables know of a script by its name: `python manage.py flush`, `sh gradlew publish`."""
    meaning = understand((name, *(field.text for field in fields[1:])))
    if meaning.known:
        for raw in meaning.effects:
            if raw.name not in ("observe", "tool.unknown"):
                emit_raw(walk, raw, fields, cover(fields), at, index)


_ENDINGS = {
    "sh": "shell", "bash": "shell", "zsh": "shell", "ksh": "shell", "bats": "shell",
    "py": "python", "js": "node", "mjs": "node", "cjs": "node", "ts": "node", "mts": "node",
    "rb": "ruby", "pl": "perl", "php": "php", "awk": "awk", "fish": "fish", "ps1": "powershell",
}  # fmt: skip
_PROGRAMS = {
    "sh": "shell", "bash": "shell", "dash": "shell", "zsh": "shell", "ksh": "shell", "ash": "shell",
    "python": "python", "node": "node", "deno": "node", "bun": "node", "tsx": "node", "ruby": "ruby",
    "perl": "perl", "php": "php", "awk": "awk", "gawk": "awk", "fish": "fish", "pwsh": "powershell",
}  # fmt: skip


def _language_of(path: str, text: str) -> str:
    """By shebang, else by the ending of the name; empty where neither says."""
    if text.startswith("#!"):
        words = text[2 : text.find("\n") if "\n" in text else len(text)].split()
        names = [word.rpartition("/")[2].rstrip("0123456789.") for word in words]
        for name in names:
            if name in _PROGRAMS:
                return _PROGRAMS[name]
        return names[0] if names else ""
    return _ENDINGS.get(path.rpartition(".")[2], "")


def quoted(text: str) -> str:
    """`text` as one word of shell text."""
    return "'" + text.replace("'", "'\\''") + "'"


def cover(fields: Sequence[Field]) -> Span:
    """The range of the input that `fields` were read from."""
    return (fields[0].span[0], max(fields[0].span[1], fields[-1].span[1])) if fields else (0, 0)
