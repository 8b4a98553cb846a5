"""What becomes of an escape from the floor when its act is judged.

Invariant: a decision that rests on an escape stands only if the escape is still there in the transaction that
journals it; the act, or the question to the person at the host, uses it up.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from string import hexdigits
from typing import Any

import sqlalchemy as sa

from ringwall.approvals import escapes
from ringwall.approvals.proposal import Channel
from ringwall.gate import floor
from ringwall.hosts.protocol import HostEvent, Moment
from ringwall.journal.read import COLUMNS
from ringwall.journal.record import Record
from ringwall.journal.write import Entry
from ringwall.model.action import ToolCall
from ringwall.model.decision import Decision, Opinion
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict
from ringwall.store.schema import events

_KEPT = 64
_FEWEST_DIGITS = 8


def escaped(decision: Decision) -> bool:
    """Whether the decision rests on an escape."""
    return any(opinion.code == floor.ESCAPED for opinion in decision.opinions)


def still(entry: Entry, decision: Decision, now: int) -> Decision:
    """The decision, or a denial where its escape was used or taken back meanwhile."""
    action = decision.analysis.action.digest
    if not escaped(decision) or escapes.holds(entry.connection, action, now):
        return decision
    gone = Opinion(
        floor.STAGE, Verdict.DENY, f"{floor.STAGE}.escape_gone",
        msg("the escape for it was used or taken back"), advice=floor.how(action), binding=True,
    )  # fmt: skip
    return decision.then(gone)


def settle(entry: Entry, decision: Decision, channel: Channel, event: str, actor: str) -> bool:
    """Use the escape up where the act goes on from here, by this event; whether it does."""
    goes_on = decision.verdict is Verdict.ALLOW
    asked = decision.verdict is Verdict.ASK and channel is Channel.HOST
    if not escaped(decision) or not (goes_on or asked):
        return False
    escapes.use(entry, decision.analysis.action.digest, event, actor)
    return True


class Passing:
    """Acts whose escape was just used, and about which their host may still ask at its own prompt: they are
    not on the floor then, for the person is there. Of a few sessions, in memory; forgotten, it denies."""

    def __init__(self) -> None:
        self._actions: OrderedDict[tuple[str, str], str] = OrderedDict()

    def note(self, call: ToolCall, decision: Decision) -> None:
        """The act of this call passes now; an earlier one of its session has had its time."""
        self._actions[(call.host, call.session)] = decision.analysis.action.digest
        self._actions.move_to_end((call.host, call.session))
        while len(self._actions) > _KEPT:
            self._actions.popitem(last=False)

    def of(self, event: HostEvent) -> frozenset[str]:
        """The act about which the host asks at this moment, if its escape was used."""
        call = event.call
        if call is None or event.moment is not Moment.PERMISSION:
            return frozenset()
        found = self._actions.get((call.host, call.session))
        return frozenset({found}) if found else frozenset()


def refused(connection: sa.Connection, digits: str) -> Record:
    """The last call that the floor refused whose action's digest begins with these digits. Raises
    `UsageError` where there is none, or more than one act."""
    begins = digits.removeprefix("sha256:").lower()
    if len(begins) < _FEWEST_DIGITS or not set(begins) <= set(hexdigits):
        raise _none_such(digits)
    wanted = sa.and_(events.c.type == "decision", events.c.body.like(f'{{"action":"sha256:{begins}%'))
    rows = connection.execute(sa.select(*COLUMNS).where(wanted).order_by(events.c.id.desc())).all()
    records = [Record(*row) for row in rows]
    denied = [one for one in records if _floored(one.content())]
    if len({one.content()["action"] for one in denied}) > 1:
        raise UsageError(
            "escape.ambiguous",
            msg("More than one act has a digest that begins with {digits}.", digits=digits),
            msg("Give more of its digits."),
        )
    if not denied:
        raise _none_such(digits)
    return denied[0]


def _floored(body: Mapping[str, Any]) -> bool:
    return bool(body["verdict"] == Verdict.DENY.value and body["trace"].get("stage") == floor.STAGE)


def _none_such(digits: str) -> UsageError:
    return UsageError(
        "escape.no_such_call",
        msg("The floor has refused no call with the digits {digits}.", digits=ascii(digits)),
        msg("Take the digits from the denial; `ringwall why` shows the last one."),
    )
