"""What an MCP server says of its tools, held to what it said first or to what a person has accepted since.

Invariant: a description reaches an agent only if it is pinned; it is pinned when the server is seen for the
first time, and afterwards only by a person's yes to exactly this description. Used by one thread.
"""

from __future__ import annotations

import difflib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from ringwall.approvals import read, write
from ringwall.approvals.binding import Binding
from ringwall.approvals.proposal import REJECTED_SECONDS, Channel, Proposal, Question, State
from ringwall.journal.events import ActionProposed, ToolPinned
from ringwall.journal.write import Entry, Journal
from ringwall.model.canonical import digest
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir
from ringwall.store.schema import pins

KIND = "mcp_tool"
"""The kind of proposals about descriptions."""

REQUESTER = "agent:mcp"


@dataclass(frozen=True, slots=True)
class Described:
    """A tool by its name, and all that the server says of it. Without a name: the server's instructions."""

    name: str
    shown: Mapping[str, Any]

    @property
    def digest(self) -> str:
        return digest(dict(self.shown))


class Pins:
    """The pins of one server in one project. `first`: no tool of it was known when this began."""

    def __init__(
        self, state: StateDir, project: str, server: str, session: str,
        clock: Callable[[], int] = time.time_ns,
    ) -> None:  # fmt: skip
        self._store = Store(state)
        self._journal = Journal(self._store, clock)
        self._project, self._server, self._session = project, server, session
        self._clock = clock
        self.first = not any(self._all())

    def close(self) -> None:
        self._store.close()

    def pinned(self, name: str) -> bool:
        """Whether something is pinned for this tool."""
        return name in self._all()

    def review(self, found: Sequence[Described]) -> dict[str, int]:
        """Pin what may be pinned; the others by name, with the proposal that a person decides."""
        now = self._clock() // 1_000_000_000
        withheld: dict[str, int] = {}
        with self._journal.writing() as entry:
            known = self._read(entry.connection)
            write.expire_overdue(entry, now)
            for one in found:
                before = known.get(one.name)
                if before is not None and before[0] == one.digest:
                    continue
                if before is None and self.first:
                    self._pin(entry, one, 0)
                    continue
                proposal = self._asked(entry, one, json.loads(before[1]) if before else None, now)
                if proposal.state is State.APPROVED:
                    event = self._pin(entry, one, proposal.number)
                    write.consume(entry, proposal, event, REQUESTER)
                else:
                    withheld[one.name] = proposal.number
        return withheld

    def undecided(self, numbers: Sequence[int]) -> frozenset[int]:
        """Which of these proposals still wait for a person."""
        with self._store.reading() as connection:
            return read.undecided(connection, numbers, self._clock() // 1_000_000_000)

    def _asked(self, entry: Entry, one: Described, before: Mapping[str, Any] | None, now: int) -> Proposal:
        """The proposal about exactly this description, opened where there is none."""
        action = digest({"kind": KIND, "server": self._server, "tool": one.name, "shown": one.digest,
                         "project": self._project})  # fmt: skip
        binding = Binding(action=action, policy="")
        last = read.latest(entry.connection, binding.digest, now)
        if last is not None and (last.state.live or _refused(last, now)):
            return last
        preview = _difference(before, one.shown)
        proposed = ActionProposed(kind=KIND, argv=(), cwd=self._project, preview=preview)
        event = entry.append(proposed, REQUESTER, self._session)
        name = f"mcp__{self._server}__{one.name}" if one.name else f"mcp__{self._server} (instructions)"
        changed = (
            "says something else of this tool now" if before else "has a tool that it did not have before"
        )
        content = {
            "tool": name, "input": dict(one.shown), "cwd": self._project, "preview": list(preview),
            "trace": {"code": "mcp.description", "reason": f"the MCP server {self._server} {changed}"},
        }  # fmt: skip
        question = Question(
            binding=binding.digest, action=action, requester=REQUESTER, content=content, kind=KIND,
            channel=Channel.NONE, host="mcp", session=self._session, project=self._project,
        )  # fmt: skip
        return write.open_proposal(entry, question, event, now)

    def _pin(self, entry: Entry, one: Described, proposal: int) -> str:
        key = {"project": self._project, "server": self._server, "tool": one.name}
        event = entry.append(
            ToolPinned(**key, digest=one.digest, proposal=proposal), REQUESTER, self._session
        )
        values = {**key, "digest": one.digest, "shown": json.dumps(one.shown), "event": event}
        entry.connection.execute(sa.delete(pins).filter_by(**key))
        entry.connection.execute(sa.insert(pins).values(**values))
        return event

    def _all(self) -> dict[str, tuple[str, str]]:
        with self._store.reading() as connection:
            return self._read(connection)

    def _read(self, connection: sa.Connection) -> dict[str, tuple[str, str]]:
        query = sa.select(pins.c.tool, pins.c.digest, pins.c.shown)
        rows = connection.execute(query.filter_by(project=self._project, server=self._server))
        return {row.tool: (row.digest, row.shown) for row in rows}


def _refused(proposal: Proposal, now: int) -> bool:
    return proposal.state is State.REJECTED and proposal.decided + REJECTED_SECONDS > now


def _difference(before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> tuple[str, ...]:
    """What is said now against what was said before, line by line."""
    if before is None:
        return ()
    old, new = _lines(before), _lines(after)
    return ("\n".join(difflib.unified_diff(old, new, "before", "now", lineterm="")),)


def _lines(shown: Mapping[str, Any]) -> list[str]:
    return json.dumps(dict(shown), indent=2, sort_keys=True, ensure_ascii=False).splitlines()
