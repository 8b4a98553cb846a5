"""Between who started us (the client, on our standard streams) and a program that we start.

Invariant: a message goes on only if it is one, and an answer only to who asked; each request of the client is
answered once, also when the program dies; when either end goes, the other is told and nothing is left behind.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

from ringwall.gateways import frames
from ringwall.gateways.frames import Key, Kind, Malformed, Message
from ringwall.model.visible import visible_line

GRACE_SECONDS = 5.0
"""How long a program may take to end after its input has ended, and again after it was told to."""

Told = Callable[[str], None]


class Gate(Protocol):
    """What a gateway does with the messages. Each method sends on what may go on."""

    async def client_says(self, message: Message) -> None:
        """A request or notification of the client."""

    async def program_says(self, message: Message) -> None:
        """A request or notification of the program."""

    async def program_answers(self, request: Message, response: Message) -> None:
        """The program's response to a request that was sent on to it."""

    async def client_answers(self, request: Message, response: Message) -> None:
        """The client's response to a request that was sent on to it."""

    async def ends(self) -> None:
        """Nothing more will come."""


class Relay:
    """One client and one program."""

    def __init__(self, words: Sequence[str], environ: Mapping[str, str], folder: str, name: str) -> None:
        self._words, self._environ, self._folder = tuple(words), dict(environ), folder
        self.name = name
        self._of_program: dict[Key, Message] = {}
        self._of_client: dict[Key, Message] = {}
        self._judging: dict[Key, tuple[Message, asyncio.Task[None]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._ending = asyncio.Event()

    # ---- what a gate may do

    async def to_program(self, message: Message) -> None:
        """Send a message on to the program."""
        if frames.kind(message) is Kind.REQUEST:
            self._of_program[_key(message)] = message
        assert self._process.stdin is not None  # noqa: S101 - it was started with a pipe
        with suppress(OSError):
            self._process.stdin.write(frames.written(message))
            await self._process.stdin.drain()

    async def to_client(self, message: Message) -> None:
        """Send a message on to the client."""
        if frames.kind(message) is Kind.REQUEST:
            self._of_client[_key(message)] = message
        try:
            self._out.write(frames.written(message))
            await self._out.drain()
        except OSError:
            self._ending.set()

    def judge(self, request: Message, judging: Coroutine[Any, Any, None]) -> None:
        """Judge a request of the client beside the others, until it is answered or sent on."""
        task = self.beside(self._judged(request, judging))
        key = _key(request)
        self._judging[key] = (request, task)
        task.add_done_callback(lambda _: self._judging.pop(key, None))

    async def _judged(self, request: Message, judging: Coroutine[Any, Any, None]) -> None:
        try:
            await judging
        except Exception as error:
            told = f"Ringwall failed, so the call is stopped: {type(error).__name__}: {error}"
            self.tell(told)
            await self.to_client(frames.error(request, frames.ENDED, told))

    def beside(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something beside the relaying; if it fails, that is told."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def give_up(self, request_id: Any) -> bool:
        """Stop judging the client's request with this id; whether it was being judged."""
        found = self._judging.get(key) if (key := frames.key_of(request_id)) else None
        if found is not None:
            found[1].cancel()
        return found is not None

    def tell(self, text: str) -> None:
        """Say something on standard error, which hosts keep as the server's log."""
        sys.stderr.write(f"ringwall: {visible_line(text)}\n")
        sys.stderr.flush()

    # ---- the relaying

    async def run(self, gate: Gate) -> int:
        """Relay until one end goes; the exit status."""
        try:
            await self._start()
        except OSError as error:
            self.tell(f"{self._words[0]} cannot be started: {error.strerror or error}")
            return 127
        self._end_on_signals()
        near = asyncio.create_task(self._from_client(gate))
        far = asyncio.create_task(self._from_program(gate))
        stop = asyncio.create_task(self._ending.wait())
        await asyncio.wait((near, far, stop), return_when=asyncio.FIRST_COMPLETED)
        died = far.done() and not near.done() and not stop.done()
        await self._end_program(far)
        status = await self._process.wait()
        await self._answer_the_rest(status)
        if died:
            self.tell(f"{self.name} ended (exit status {status}) while the session went on")
        await self._clear(gate, near, far, stop)
        return (status if 0 < status < 256 else 1) if died else 0

    async def _start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *self._words, env=self._environ, cwd=self._folder, limit=frames.LONGEST, start_new_session=True,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        loop = asyncio.get_running_loop()
        self._in = asyncio.StreamReader(limit=frames.LONGEST)
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(self._in), _own(0, "rb"))
        transport, protocol = await loop.connect_write_pipe(
            lambda: asyncio.streams.FlowControlMixin(loop=loop), _own(1, "wb")
        )
        self._out = asyncio.StreamWriter(transport, protocol, None, loop)

    async def _from_client(self, gate: Gate) -> None:
        async for line in self._lines(self._in, "the client"):
            try:
                message = frames.read(line)
            except Malformed as why:
                self.tell(f"a line of the client was refused: {why}")
                await self.to_client(frames.refused(str(why)))
                continue
            if frames.kind(message) is Kind.RESPONSE:
                await self._pass_answer(message, self._of_client, gate.client_answers, "the client")
            elif frames.kind(message) is Kind.REQUEST and self._open(_key(message)):
                self.tell("the client used an id twice")
                await self.to_client(
                    frames.error(message, frames.INVALID_REQUEST, "Ringwall: this id is still open.")
                )
            else:
                await gate.client_says(message)

    async def _from_program(self, gate: Gate) -> None:
        assert self._process.stdout is not None  # noqa: S101 - it was started with a pipe
        async for line in self._lines(self._process.stdout, self.name):
            try:
                message = frames.read(line)
            except Malformed as why:
                self.tell(f"a line of {self.name} was dropped: {why}")
                continue
            if frames.kind(message) is Kind.RESPONSE:
                await self._pass_answer(message, self._of_program, gate.program_answers, self.name)
            elif frames.kind(message) is Kind.REQUEST and _key(message) in self._of_client:
                self.tell(f"{self.name} used an id twice")
            else:
                await gate.program_says(message)

    async def _lines(self, stream: asyncio.StreamReader, whose: str) -> Any:
        while True:
            try:
                line = await stream.readline()
            except ValueError:
                self.tell(f"a line of {whose} is longer than {frames.LONGEST} bytes")
                return
            if not line:
                return
            if line.strip():
                yield line

    async def _pass_answer(
        self, response: Message, asked: dict[Key, Message],
        answers: Callable[[Message, Message], Awaitable[None]], whose: str,
    ) -> None:  # fmt: skip
        key = frames.key_of(response["id"])
        request = asked.pop(key, None) if key else None
        if request is None:
            self.tell(f"an answer of {whose} to nothing was dropped")
        else:
            await answers(request, response)

    def _open(self, key: Key) -> bool:
        return key in self._of_program or key in self._judging

    # ---- the end

    def _end_on_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, self._ending.set)

    async def _end_program(self, far: asyncio.Task[None]) -> None:
        """Let the program end by itself, then make it."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        for number in (None, signal.SIGTERM, signal.SIGKILL):
            if number is not None:
                self._signal(number)
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._process.wait()), GRACE_SECONDS)
                break
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(far), GRACE_SECONDS)
        self._signal(signal.SIGKILL)  # whatever it has started and left behind

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    async def _answer_the_rest(self, status: int) -> None:
        """Nobody else will answer what is still open."""
        left = [request for request, _ in self._judging.values()] + list(self._of_program.values())
        for _, task in list(self._judging.values()):
            task.cancel()
        self._of_program.clear()
        for request in left:
            text = f"Ringwall: {self.name} ended (exit status {status}) before it answered."
            await self.to_client(frames.error(request, frames.ENDED, text))

    async def _clear(self, gate: Gate, *tasks: asyncio.Task[Any]) -> None:
        for task in (*tasks, *self._tasks):
            task.cancel()
        await asyncio.gather(*tasks, *self._tasks, return_exceptions=True)
        await gate.ends()
        with suppress(OSError):
            self._out.close()

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.tell(f"{type(error).__name__}: {error}")
            self._ending.set()


def _own(stream: int, mode: str) -> Any:
    """A standard stream once more, so that closing it leaves the program's own open."""
    return open(os.dup(stream), mode, buffering=0)


def _key(message: Message) -> Key:
    key = frames.key_of(message["id"])
    if key is None:
        raise Malformed("its id is neither a text nor a whole number")
    return key
