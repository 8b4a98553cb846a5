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
from ringwall.shell import carriers, loops, named, stateful, variables
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
from ringwall.shell.scope import assigns, left_by, may_fail
from ringwall.shell.streams import EMPTY, LIMIT, Stream, joined
from ringwall.shell.streams import UNKNOWN as UNKNOWN_STREAM
from ringwall.shell.understand import understand

MOST_COMMANDS = 4_000
MOST_DEPTH = 12
MOST_CHARACTERS = 1 << 20
MOST_NESTED = 32_768
MOST_COMPARED = 8
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
        self.compared = 0
        self.left: list[Environment] = []  # ends of what leaves the running loop or function early
        self.words = 0
        self.placed: set[tuple[object, ...]] = set()
        self.turns = 0
        self.descriptors = 0
        self.links: dict[str, str] = {}  # made by this call: absolute path to what it names
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
        reading = read(text.replace(HOLE, MARK) if holed else text, self.second)
        before, self.frame = self.frame, frame
        for doubt in reading.doubts:
            self.doubt(doubt.code, doubt.reason)
        if holed:
            self.emit("code.opaque", certain=False)
        output = self.script(reading.script, stdin)
        self.frame = before
        return output

    def second(self, text: str) -> bytes | None:
        """The second reader, asked a bounded number of times: without it, what needs it is a doubt."""
        self.compared += 1
        return self.surroundings.second_reading(text) if self.compared <= MOST_COMPARED else None

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
        self.rejoin(before, node, taken)
        return output

    def rejoin(self, env: Environment, node: Node, taken: Environment) -> None:
        """Have `env` hold as well what holds after `node`; where that leaves, its end is kept for the loop or
        function that it leaves."""
        way = left_by(node)
        if not way:
            env.join(taken)
        elif way != "exit":
            self.left.append(taken)

    def returned(self, outer: list[Environment]) -> None:
        """What was left early joins here."""
        self.join_all(self.left)
        self.left = outer

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
        skipped: list[Environment] = []  # what holds where an assignment of an `&&` list is not reached
        for index, item in enumerate(node.items):
            background = index + 1 < len(operators) and operators[index + 1] == "&"
            if operators[index] != "&&":
                self.join_all(skipped)
            elif assigns(item) and may_fail(node.items[index - 1]):
                skipped.append(self.env.fork())
            if operators[index] == "||":
                piece = self.doubted(item, stdin)
            elif background:
                self.spawned += 1
                piece = self.inside(item, stdin)
                self.spawned -= 1
            else:
                piece = self.node(item, stdin)
            output = joined(output, piece)
        self.join_all(skipped)
        return output

    def join_all(self, others: list[Environment]) -> None:
        """Have what holds in any of `others` hold as well."""
        for other in others:
            self.env.join(other)
        others.clear()

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
            ends.append(self.env)
        self.env = before
        for body, end in zip(node.bodies, ends, strict=True):
            self.rejoin(before, body, end)
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
        if assigned:
            seen = assigned if fields else variables.exported(assigned)
            variables.open_variables(self, seen, span or node.span)
        if not fields:
            return poured(self, EMPTY, opened)
        at = node.span[0]
        if node.words[0].raw in self.env.aliases:
            named.alias(self, node, fields, stdin, at)
        if not opened:
            return self.run(fields, stdin, at, assigned)
        outer, self.recorded = self.recorded, -1
        output = self.run(fields, stdin, at, assigned)
        index, self.recorded = self.recorded, outer
        return poured(self, output, opened, index)

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
            return named.nameless(self, fields, stdin, at)
        self.words += len(fields)
        if self.words > MOST_WORDS:
            self.doubt("too_many", msg("more than {bound} words", bound=MOST_WORDS))
            return UNKNOWN_STREAM
        env = self.env
        if name in env.functions:
            body, certain = env.functions[name]
            output = named.call(self, name, body, fields, stdin, at)
            if certain:
                return output
        own = stateful.BUILTINS.get(name)
        if own is not None:
            answer = own(self, fields, stdin, at)
            if answer is not None:
                return answer
        argv = tuple([field.text for field in fields])
        if " " in name or "\n" in name:
            named.misquoted(self, name, fields, stdin, at)
        meaning = understand(argv)
        return carriers.perform(self, argv, fields, meaning, stdin, at, assigned or {})

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
