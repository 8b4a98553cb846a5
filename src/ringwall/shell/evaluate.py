"""The walk from a syntax tree to commands, effects and doubts.

Invariant: every command of the tree is walked, however unlikely it is to be reached; what is not known for
certain is marked possible.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ringwall.model.analysis import HOLE, Command, Doubt, Invocation, ReadFile
from ringwall.model.canonical import digest_bytes
from ringwall.model.effects import Effect
from ringwall.model.surroundings import Surroundings
from ringwall.model.text import Text, msg
from ringwall.shell import carriers, loops, stateful, variables
from ringwall.shell.ast import (
    Branch,
    Declaration,
    Function,
    Group,
    Loop,
    Node,
    Pipeline,
    ProcessSub,
    Script,
    Sequence,
    Simple,
    Span,
)
from ringwall.shell.environment import Environment, Value
from ringwall.shell.expand import MARK, Field, fields_of, value_of
from ringwall.shell.frame import Frame
from ringwall.shell.read import read
from ringwall.shell.redirects import Opened, opened_by, poured
from ringwall.shell.scope import leaves, multiplies
from ringwall.shell.streams import EMPTY, LIMIT, Stream, joined
from ringwall.shell.streams import UNKNOWN as UNKNOWN_STREAM
from ringwall.shell.understand import understand

_FORCED = frozenset(("-rf", "-fr", "-Rf", "-fR"))
MOST_COMMANDS = 4_000
MOST_DEPTH = 12
MOST_CHARACTERS = 1 << 20
MOST_NESTED = 32_768
"""Characters of text inside text, files not counted."""
MOST_WORDS = 8_000
"""Words of all commands together."""


class Walk:
    """One analysis under way: `env` is the running shell, `frame` the text it reads."""

    def __init__(self, cwd: str, surroundings: Surroundings) -> None:
        self.surroundings = surroundings
        self.env = Environment(cwd, surroundings)
        self.frame = Frame()
        self.commands: dict[Command, int] = {}
        self.effects: dict[Effect, None] = {}
        self.doubts: dict[Doubt, None] = {}
        self.files: dict[str, ReadFile] = {}
        self.calls: dict[tuple[str, tuple[str, ...]], int] = {}
        self.steps = 0
        self.spawned = 0  # how many background jobs this runs in
        self.room = MOST_CHARACTERS
        self.nested = 0
        self.words = 0
        self.placed: set[tuple[object, ...]] = set()
        self.turns = 0
        self.descriptors = 0
        self.recorded = -1  # the first command recorded since this was last reset
        self.open_files: list[str] = []

    # ---- texts

    def text(self, text: str, frame: Frame, stdin: Stream = EMPTY) -> Stream:
        """Walk shell text that is not the input itself, in the running shell."""
        if frame.depth > MOST_DEPTH:
            self.doubt("too_deep", msg("commands are nested more than {bound} deep", bound=MOST_DEPTH))
            return UNKNOWN_STREAM
        if len(text) > 4 * LIMIT:
            self.doubt("too_long", msg("a script is longer than {bound} characters", bound=4 * LIMIT))
            return UNKNOWN_STREAM
        self.nested += 0 if frame.label else len(text)
        if self.nested > MOST_NESTED:
            self.doubt("too_long", msg("inner texts are longer than {bound} characters", bound=MOST_NESTED))
            return UNKNOWN_STREAM
        holed = HOLE in text
        reading = read(text.replace(HOLE, MARK) if holed else text, self.surroundings.second_reading)
        before, self.frame = self.frame, frame
        for doubt in reading.doubts:
            self.doubt(doubt.code, doubt.reason)
        if holed:
            self.emit("code.opaque", certain=False)
        output = self.script(reading.script, stdin)
        self.frame = before
        return output

    def script(self, script: Script | None, stdin: Stream) -> Stream:
        if script is None or script.body is None:
            return EMPTY
        return self.node(script.body, stdin)

    def inside(self, node: Node | Script, stdin: Stream) -> Stream:
        """Walk in a subshell."""
        before, self.env = self.env, self.env.fork()
        output = self.script(node, stdin) if type(node) is Script else self.node(node, stdin)  # type: ignore[arg-type]
        self.env = before
        return output

    def doubted(self, node: Node, stdin: Stream) -> Stream:
        """Walk what may not be reached: afterwards both outcomes hold."""
        before = self.env
        self.env = before.fork()
        output = self.node(node, stdin)
        taken, self.env = self.env, before
        if not leaves(node):
            before.join(taken)
        return output

    # ---- nodes

    def node(self, node: Node, stdin: Stream) -> Stream:
        self.steps += 1
        if self.steps > MOST_COMMANDS:
            self.doubt("too_many", msg("more than {bound} commands", bound=MOST_COMMANDS))
            return UNKNOWN_STREAM
        return _NODES[type(node)](self, node, stdin)

    def sequence(self, node: Sequence, stdin: Stream) -> Stream:
        output = EMPTY
        operators = node.operators
        for index, item in enumerate(node.items):
            background = index + 1 < len(operators) and operators[index + 1] == "&"
            if operators[index] == "||":
                piece = self.doubted(item, stdin)
            elif background:
                self.spawned += 1
                piece = self.inside(item, stdin)
                self.spawned -= 1
            else:
                piece = self.node(item, stdin)
            output = joined(output, piece)
        return output

    def pipeline(self, node: Pipeline, stdin: Stream) -> Stream:
        stream = stdin
        for command in node.commands:
            stream = self.inside(command, stream)
        return stream

    def group(self, node: Group, stdin: Stream) -> Stream:
        stdin, opened = opened_by(self, node.redirects, stdin)
        walk = self.inside if node.kind in ("subshell", "coproc") else self.node
        return poured(self, walk(node.body, stdin), opened)

    def branch(self, node: Branch, stdin: Stream) -> Stream:
        stdin, opened = opened_by(self, node.redirects, stdin)
        for word in node.words:
            value_of(word, self)
        for test in node.tests:
            self.node(test, stdin)
        before = self.env
        ends: list[Environment] = []
        output: Stream | None = None
        for body in node.bodies:
            self.env = before.fork()
            piece = self.node(body, stdin)
            output = piece if output is None or output == piece else UNKNOWN_STREAM
            if not leaves(body):
                ends.append(self.env)
        self.env = before
        for end in ends:
            before.join(end)
        return poured(self, output if output is not None and len(node.bodies) > 1 else UNKNOWN_STREAM, opened)

    def function(self, node: Function, stdin: Stream) -> Stream:
        self.env.functions[node.name] = (node.body, True)
        return EMPTY

    def declaration(self, node: Declaration, stdin: Stream) -> Stream:
        _, opened = opened_by(self, node.redirects, stdin)
        fields = fields_of(node.words, self, self.frame.span)
        stateful.declare(self, node, fields)
        return poured(self, EMPTY, opened)

    def simple(self, node: Simple, stdin: Stream) -> Stream:
        span = self.frame.span
        fields = fields_of(node.words, self, span) if node.words else []
        assigned: dict[str, Value] = {}
        for assign in node.assigns:
            assigned[assign.name] = stateful.assign(self, assign, keep=not fields)
        opened: list[Opened] = []
        if node.redirects:
            stdin, opened = opened_by(self, node.redirects, stdin)
        if not fields:
            return poured(self, EMPTY, opened)
        if assigned:
            variables.open_variables(self, assigned, span or node.span)
        at = node.span[0]
        if node.words[0].raw in self.env.aliases:
            self.alias(node, fields, stdin, at)
        if not opened:
            return self.run(fields, stdin, at, assigned)
        outer, self.recorded = self.recorded, -1
        output = self.run(fields, stdin, at, assigned)
        index, self.recorded = self.recorded, outer
        return poured(self, output, opened, index)

    def alias(self, node: Simple, fields: list[Field], stdin: Stream, at: int) -> None:
        """Aliases are expanded in interactive shells only: the expansion may run, so may the command."""
        name = node.words[0].raw
        rest = " ".join(carriers.quoted(field.text) for field in fields[1:])
        text = self.env.aliases.pop(name)
        frame = self.frame
        deeper = Frame((*frame.reached(at), "alias"), fields[0].span, frame.certain, frame.depth + 1)
        self.text(f"{text} {rest}", deeper, stdin)
        self.env.aliases[name] = text

    # ---- files and substitutions

    def content(self, path: str) -> Stream:
        """What a file holds: as written earlier by the same text, else as on disk."""
        if HOLE in path:
            return UNKNOWN_STREAM
        whole = self.env.absolute(path)
        if "/fd/" in whole:
            whole = "/dev/fd/" + whole.rpartition("/")[2]
        written = self.env.files.get(whole)
        if written is not None:
            return written
        return UNKNOWN_STREAM if HOLE in whole else Stream(source=whole)

    def settled(self, stream: Stream) -> Stream:
        """`stream` with the file read that it comes from."""
        if not stream.source:
            return stream
        text = self.read_file(stream.source)
        return UNKNOWN_STREAM if text is None else Stream(text)

    def read_file(self, path: str) -> str | None:
        """A file on disk, noted among the files that the verdict rests on."""
        text = self.surroundings.read(path)
        if text is not None and path not in self.files:
            self.files[path] = ReadFile(path, digest_bytes(text.encode("utf-8", "surrogateescape")))
        return text

    def captured(self, script: Script) -> Stream:
        return self.inside(script, EMPTY)

    def connected(self, part: ProcessSub) -> str:
        self.descriptors += 1
        path = f"/dev/fd/{62 + self.descriptors}"
        stdin = EMPTY if part.mode == "<" else UNKNOWN_STREAM
        output = self.inside(part.script, stdin)
        if part.mode == "<":
            self.env.files[path] = output
        return path

    # ---- commands

    def run(
        self, fields: list[Field], stdin: Stream, at: int, assigned: dict[str, Value] | None = None
    ) -> Stream:
        """Run one command whose words are known as far as they are."""
        name = fields[0].text
        if HOLE in name or not name:
            return self.nameless(fields, stdin, at)
        self.words += len(fields)
        if self.words > MOST_WORDS:
            self.doubt("too_many", msg("more than {bound} words", bound=MOST_WORDS))
            return UNKNOWN_STREAM
        env = self.env
        if name in env.functions:
            body, certain = env.functions[name]
            output = self.call(name, body, fields, stdin, at)
            if certain:
                return output
        own = stateful.BUILTINS.get(name)
        if own is not None:
            answer = own(self, fields, stdin, at)
            if answer is not None:
                return answer
        argv = tuple([field.text for field in fields])
        if " " in name or "\n" in name:
            self.misquoted(name, fields, stdin, at)
        meaning = understand(argv)
        return carriers.perform(self, argv, fields, meaning, stdin, at, assigned or {})

    def misquoted(self, name: str, fields: list[Field], stdin: Stream, at: int) -> None:
        """No program has blanks in its name: the whole line may be meant, by another shell or a caller."""
        frame, self.frame = self.frame, self.frame._replace(certain=False)
        carriers.shell_text(self, name, fields[:1], "", stdin, at)
        self.frame = frame

    def nameless(self, fields: list[Field], stdin: Stream, at: int) -> Stream:
        """A command whose name is not known."""
        first = fields[0]
        if first.text or first.filled:
            argv = tuple(field.text for field in fields)
            index = self.record(
                argv, Invocation(first.text, operands=argv[1:]), cover(fields), at, known=False
            )
            effect = "download.exec" if first.network else "code.opaque"
            self.emit(effect, "", certain=False, span=first.span, at=at, command=index)
        if len(fields) > 1 and not first.text.strip(HOLE):
            frame, self.frame = self.frame, self.frame._replace(certain=False)
            if first.loose:
                self.run(fields[_first_said(fields) :], stdin, at)
            if any(field.text in _FORCED for field in fields):
                self.run([first._replace(text="rm"), *fields[1:]], stdin, at)
            self.frame = frame
        return Stream(None, stdin.network)

    def call(self, name: str, body: Node, fields: list[Field], stdin: Stream, at: int) -> Stream:
        """Call a shell function."""
        arguments = [Value(f.text, f.filled, f.network) for f in fields[1:]]
        call = (name, tuple(value.text for value in arguments))
        if call in self.calls:
            if multiplies(name, body) or self.spawned > self.calls[call]:
                self.emit("catastrophic", name, span=fields[0].span, at=at)
            return UNKNOWN_STREAM
        if len(self.calls) >= MOST_DEPTH:
            self.doubt("too_deep", msg("functions call each other more than {bound} deep", bound=MOST_DEPTH))
            return UNKNOWN_STREAM
        env = self.env
        before, env.arguments = env.arguments, arguments
        self.calls[call] = self.spawned
        env.locals = [*env.locals, {}]
        output = self.node(body, stdin)
        for local, value in env.locals[-1].items():
            if value is None:
                env.variables.pop(local, None)
            else:
                env.variables[local] = value
        env.locals = env.locals[:-1]
        del self.calls[call]
        env.arguments = before
        return output

    # ---- findings

    def record(
        self, argv: tuple[str, ...], invocation: Invocation, span: Span, at: int, known: bool = True
    ) -> int:
        """Note a command; its index."""
        frame = self.frame
        certain = frame.certain and HOLE not in argv[0]
        command = Command(argv, invocation, span, self.env.cwd, frame.reached(at), known, certain)
        index = self.commands.setdefault(command, len(self.commands))
        if self.recorded < 0:
            self.recorded = index
        return index

    def emit(
        self,
        name: str,
        target: str = "",
        *,
        certain: bool = True,
        span: Span | None = None,
        at: int = 0,
        command: int = -1,
        place: str = "",
    ) -> None:
        frame = self.frame
        where = frame.span or span or (0, 0)
        via = frame.reached(at)
        sure = certain and frame.certain
        self.effects[Effect(name, target, sure, where, "command", command, via, place)] = None

    def doubt(self, code: str, reason: Text) -> None:
        self.doubts[Doubt(code, reason, self.frame.span or (0, 0))] = None


def _first_said(fields: list[Field]) -> int:
    """The first field after the first that is more than an unknown word which may be nothing."""
    for index, field in enumerate(fields[1:-1], 1):
        if field.text.strip(HOLE) or not field.loose:
            return index
    return len(fields) - 1


def cover(fields: list[Field]) -> Span:
    """The range of the input that `fields` were read from."""
    return (fields[0].span[0], max(fields[0].span[1], fields[-1].span[1]))


_NODES: dict[type, Callable[[Walk, Any, Stream], Stream]] = {
    Simple: Walk.simple,
    Declaration: Walk.declaration,
    Pipeline: Walk.pipeline,
    Sequence: Walk.sequence,
    Group: Walk.group,
    Branch: Walk.branch,
    Loop: loops.loop,
    Function: Walk.function,
}
