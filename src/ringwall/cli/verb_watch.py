"""`ringwall watch`: what comes to wait, live in the terminal, with a line to decide each.

Invariant: a proposal is decided only by a line that names its number, and only after it was shown; a bare
Enter decides nothing.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator

import click

from ringwall.approvals.grants import Scope
from ringwall.approvals.proposal import Proposal
from ringwall.cli.catalogue import _
from ringwall.cli.desk import deciding
from ringwall.cli.errors import sentence
from ringwall.cli.group import Verb
from ringwall.cli.output import Line, line, paragraph, print_lines
from ringwall.cli.proposal_view import offer_shown, proposal_shown
from ringwall.judge.desk import Desk, Yes
from ringwall.model.errors import RingwallError
from ringwall.model.text import Text, msg
from ringwall.policy.pattern_for import Offered

_TICK = 0.5


@click.command(
    cls=Verb, help=_("Show what comes to wait, live, and decide it. At a terminal outside the agent.")
)
def command() -> None:
    """Watch until q or the end of input."""
    with deciding() as (desk, who):
        print_lines(paragraph(_HELP))
        watching = Watching(desk, who)
        while True:
            print_lines(watching.news())
            words = _typed()
            if words is None or words[:1] == ["q"]:
                return
            print_lines(watching.obey(words))


_HELP = msg(
    "Type a NUMBER (approve once), s NUMBER or p NUMBER (as a rule for session or project), "
    "r NUMBER WHY (reject), q (leave)."
)


class Watching:
    """What this terminal has shown, and what a person says about it."""

    def __init__(self, desk: Desk, who: str) -> None:
        self._desk = desk
        self._who = who
        self._shown: dict[int, tuple[Proposal, str]] = {}

    def news(self) -> Iterator[Line]:
        """What has come, and what others have decided."""
        waiting = {proposal.number: proposal for proposal in self._desk.pending()}
        for number in [number for number in self._shown if number not in waiting]:
            del self._shown[number]
            gone = self._desk.one(number)
            yield from paragraph(msg("{number}: {state}", number=number, state=gone.state.value), style="dim")
        for number, proposal in waiting.items():
            if number not in self._shown:
                offered = self._desk.offer(proposal)
                rule = offered.rule if isinstance(offered, Offered) else ""
                self._shown[number] = (proposal, rule)
                yield line()
                yield from proposal_shown(proposal)
                yield from offer_shown(offered)

    def obey(self, words: list[str]) -> Iterator[Line]:
        """One typed line."""
        if len(words) < 2 or words[0] not in ("a", "s", "p", "r") or not words[1].isdigit():
            if words:
                yield from paragraph(_HELP)
            return
        number = int(words[1])
        if number not in self._shown:
            yield from paragraph(msg("Proposal {number} was not shown here.", number=number))
            return
        try:
            yield from paragraph(self._decide(words[0], number, " ".join(words[2:])))
        except RingwallError as error:
            yield from paragraph(sentence(error), style="red")

    def _decide(self, letter: str, number: int, why: str) -> Text:
        proposal, rule = self._shown[number]
        if letter == "r":
            self._desk.reject(number, proposal.binding, self._who, why)
            return msg("{number}: rejected", number=number)
        scope = {"a": Scope.ONCE, "s": Scope.SESSION, "p": Scope.PROJECT}[letter]
        rule = "" if scope is Scope.ONCE else rule
        self._desk.approve(Yes(number, proposal.binding, self._who, why, scope, rule))
        return msg("{number}: approved", number=number)


def _typed() -> list[str] | None:
    """The words of a line, none where nothing was typed for a moment; None at the end of input."""
    ready, _write, _errors = select.select([sys.stdin], [], [], _TICK)
    if not ready:
        return []
    text = os.read(sys.stdin.fileno(), 4096)
    return text.partition(b"\n")[0].decode("utf-8", "replace").split() if text else None
