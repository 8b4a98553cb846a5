"""Calls of the past: from the journal, from an export of it, from transcripts of hosts.

Invariant: files are read line by line and never written; what cannot be read comes out as a `Fault` with
its place, and the rest is read on. A directory is read only where it was named.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO

import msgspec
import sqlalchemy as sa

from ringwall.hosts.protocol import Moment
from ringwall.hosts.transcripts.read import read as read_transcript
from ringwall.hosts.transcripts.told import End, Told, Unread
from ringwall.journal.events import Decided
from ringwall.journal.read import Filter
from ringwall.journal.read import read as read_journal
from ringwall.model.action import ToolCall
from ringwall.model.errors import UsageError
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict

LONGEST = 16 * 1024 * 1024
"""Bytes of a line that are held; a longer one is passed over and reported."""

_CHUNK = 65_536
_BUFFER = 1024 * 1024
_ENDING = ".jsonl"

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Past:
    """A call that was made. `before` is what Ringwall answered then, None where that is not known, and `code`
    why; `asked`: a question to a person was due; `where` is `file:line` or the id of an event."""

    call: ToolCall
    where: str
    before: Verdict | None = None
    code: str = ""
    asked: bool = False
    end: End = End.UNKNOWN


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that could not be read."""

    where: str
    why: Text


class _Trace(msgspec.Struct, frozen=True):
    code: str = ""


class _Body(msgspec.Struct, frozen=True):
    """What is needed of a `decision`, so that a later version's additions do no harm."""

    tool: str
    input: dict[str, msgspec.Raw]
    verdict: Verdict
    host: str = ""
    trace: _Trace = _Trace()
    cwd: str = ""
    session: str = ""
    agent: str = ""
    agent_type: str = ""
    mode: str = ""
    call_id: str = ""
    moment: str = Moment.BEFORE_CALL.value


class _Exported(msgspec.Struct, frozen=True):
    id: str
    stream: str
    type: str
    body: msgspec.Raw


_BODY = msgspec.json.Decoder(_Body)
_EXPORTED = msgspec.json.Decoder(_Exported)


def from_journal(connection: sa.Connection, wanted: Filter) -> Iterator[Past | Fault]:
    """The decisions in the journal, oldest first."""
    only = Filter(Decided.STREAM, Decided.TYPE, wanted.subject, wanted.since, wanted.until)
    for record in read_journal(connection, only):
        yield from _decided(record.body.encode("utf-8", "surrogatepass"), record.id)


def files_at(paths: Iterable[str]) -> list[str]:
    """The files that are meant: each file as named, and the transcripts below each directory."""
    found: list[str] = []
    for path in paths:
        if not os.path.isdir(path):
            found.append(path)
            continue
        below = [
            os.path.join(folder, name)
            for folder, _, names in os.walk(path)
            for name in names
            if name.endswith(_ENDING)
        ]
        if not below:
            what = msg("There is no {ending} file below {path}.", ending=_ENDING, path=path)
            raise UsageError("learn.nothing_there", what, msg("Name the file or folder of a transcript."))
        found += sorted(below)
    return found


def from_file(path: str, progress: Progress = lambda _: None) -> Iterator[Past | Fault]:
    """The calls in a transcript or an export of the journal; `progress` is told how many bytes were read."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError) as fault:
        yield Fault(path, msg("it cannot be opened: {why}", why=getattr(fault, "strerror", None) or fault))
        return
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        yield Fault(path, msg("it is not a file"))
        return
    with os.fdopen(handle, "rb", buffering=_BUFFER) as file:
        try:
            yield from _calls(path, _lines(file, progress))
        except OSError as fault:
            yield Fault(path, msg("it cannot be read: {why}", why=fault.strerror or fault))


def _calls(path: str, lines: Iterator[bytes | None]) -> Iterator[Past | Fault]:
    first = next(lines, b"")
    whole = chain((first,), lines)
    if first is not None and _is_export(first):
        yield from _exported(path, whole)
        return
    for told in read_transcript(whole):
        yield _past(path, told) if isinstance(told, Told) else _fault(path, told)


def _past(path: str, told: Told) -> Past:
    return Past(told.call, f"{path}:{told.line}", told.verdict, asked=told.asked, end=told.end)


def _fault(path: str, unread: Unread) -> Fault:
    return Fault(f"{path}:{unread.line}", unread.why)


def _lines(file: BinaryIO, progress: Progress) -> Iterator[bytes | None]:
    """The lines of a file; None for one that is too long, whose rest is passed over."""
    while line := file.readline(LONGEST + 1):
        progress(len(line))
        if len(line) <= LONGEST or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(_CHUNK)
            progress(len(line))
        yield None


def _is_export(line: bytes) -> bool:
    try:
        _EXPORTED.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return True


def _exported(path: str, lines: Iterable[bytes | None]) -> Iterator[Past | Fault]:
    for number, line in enumerate(lines, 1):
        where = f"{path}:{number}"
        try:
            record = _EXPORTED.decode(line or b"")
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
            if line is None or line.strip():
                yield Fault(where, msg("not a line that Ringwall can read: {why}", why=fault))
            continue
        if record.type == Decided.TYPE:
            yield from _decided(bytes(record.body), where)


def _decided(content: bytes, where: str) -> Iterator[Past | Fault]:
    try:
        body = _BODY.decode(content)
        values = msgspec.json.decode(content)["input"]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        yield Fault(where, msg("not an event that Ringwall can read: {why}", why=fault))
        return
    if body.moment != Moment.BEFORE_CALL.value:
        return  # the same call once more, at the host's own prompt
    call = ToolCall(
        host=body.host,
        tool=body.tool,
        input=values,
        cwd=body.cwd,
        session=body.session,
        agent=body.agent,
        agent_type=body.agent_type,
        depth=1 if body.agent else 0,
        mode=body.mode,
        call_id=body.call_id,
    )
    yield Past(call, where, body.verdict, body.trace.code, asked=body.verdict is Verdict.ASK)
