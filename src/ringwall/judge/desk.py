"""Where a person decides: what waits, yes and no, and what may become a rule.

Invariant: an answer names what was shown; it counts only for that, and a grant only for the very rule that
was shown. Used by one thread.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ringwall.approvals import faults, grants, read, write
from ringwall.approvals.grants import Grant, Scope
from ringwall.approvals.proposal import APPROVED_SECONDS, Proposal, State
from ringwall.journal.write import Entry, Journal
from ringwall.judge import missions
from ringwall.judge.places import PROJECT_DIRECTORY, places_of
from ringwall.judge.surroundings import DiskSurroundings
from ringwall.model.action import ToolCall
from ringwall.model.analysis import Analysis
from ringwall.model.decision import RuleRef
from ringwall.model.errors import UsageError
from ringwall.model.surroundings import Places
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict
from ringwall.policy.match import said_of_command, said_of_effect
from ringwall.policy.names import OBSERVE
from ringwall.policy.paths import paths_of
from ringwall.policy.pattern_for import Offered, Refused, pattern_for
from ringwall.policy.patterns import Rule
from ringwall.policy.rule_text import read_rule
from ringwall.shell.analyse import command_pattern
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir
from ringwall.tools.classify import to_action
from ringwall.tools.effects import effects_of

OTHERS = 3
"""How many other commands are shown that a rule would cover."""


@dataclass(frozen=True, slots=True)
class Yes:
    """A person's yes to the proposal whose binding was `shown`. With a scope beyond this one call, `rule` is
    the rule that was shown; `lasts` is in seconds, 0 for the usual."""

    number: int
    shown: str
    by: str
    because: str = ""
    scope: Scope = Scope.ONCE
    rule: str = ""
    lasts: int = 0


class Desk:
    """The proposals and grants of one state directory."""

    def __init__(self, state: StateDir, clock: Callable[[], int] = time.time_ns) -> None:
        self._state = state
        self._clock = clock
        self.store = Store(state)
        self._journal = Journal(self.store, clock)

    def close(self) -> None:
        self.store.close()

    def pending(self) -> list[Proposal]:
        """What waits for a person, oldest first."""
        with self.store.reading() as connection:
            return list(read.pending(connection, self.now()))

    def next(self, after: int, count: int) -> list[Proposal]:
        """The `count` that wait after a number, oldest first."""
        with self.store.reading() as connection:
            return list(read.pending(connection, self.now(), after, count))

    def tally(self) -> tuple[int, int, int]:
        """How many wait, and two numbers that differ when something was asked or decided."""
        with self.store.reading() as connection:
            return read.tally(connection, self.now())

    def newest(self, count: int) -> list[Proposal]:
        """The last proposals, newest first, whatever became of them."""
        with self.store.reading() as connection:
            return list(read.newest(connection, self.now(), count))

    def one(self, number: int) -> Proposal:
        with self.store.reading() as connection:
            return read.one(connection, number, self.now())

    def approve(self, yes: Yes) -> Proposal:
        """Let exactly this happen once; with a wider scope also grant the rule, in the same transaction."""
        return self.approve_all([yes])[0]

    def approve_all(self, answers: Sequence[Yes]) -> list[Proposal]:
        """All of them or none."""
        for yes in answers:
            self._check_rule(yes)
        with self._journal.writing() as entry:
            return [self._approve(entry, yes) for yes in answers]

    def reject(self, number: int, shown: str, by: str, because: str) -> Proposal:
        """Say no, or take back a yes that has not been used."""
        if self.one(number).state is not State.APPROVED:
            return self.reject_all({number: shown}, by, because)[0]
        with self._journal.writing() as entry:
            done = write.take_back(entry, number, by, self.now(), because)
        missions.rejected(self._state, [done], by, because)
        return done

    def reject_all(self, shown: Mapping[int, str], by: str, because: str) -> list[Proposal]:
        """Say no to all of them (number and binding that was shown), which wait, or to none."""
        with self._journal.writing() as entry:
            now = self.now()
            done = [write.reject(entry, number, each, by, now, because) for number, each in shown.items()]
        missions.rejected(self._state, done, by, because)
        return done

    def offer(self, proposal: Proposal) -> Offered | Refused:
        """The rule that always-allow would record for a pending call, with other commands that it covers."""
        if proposal.kind != "call":
            return Refused("typed", msg("what Ringwall itself runs for an agent is decided each time"))
        refused = _asked_by_more_than_a_rule(proposal)
        if refused is not None:
            return refused
        analysis, places = self._analysis(proposal, None)
        offered = pattern_for(analysis, places, command_pattern)
        if isinstance(offered, Refused):
            return offered
        also = [text for text in offered.also if self._covers(offered.rule, proposal, text)]
        return Offered(offered.rule, tuple(also[:OTHERS]))

    def grants(self) -> tuple[Grant, ...]:
        with self.store.reading() as connection:
            return grants.live(connection, self.now())

    def revoke(self, number: int, by: str) -> Grant:
        with self._journal.writing() as entry:
            return grants.revoke(entry, number, by)

    def now(self) -> int:
        return self._clock() // 1_000_000_000

    def _approve(self, entry: Entry, yes: Yes) -> Proposal:
        now = self.now()
        lasts = yes.lasts or APPROVED_SECONDS
        approved = write.approve(entry, yes.number, yes.shown, yes.by, now, lasts, yes.because)
        if yes.scope is Scope.ONCE:
            return approved
        grant = grants.give(
            entry, yes.scope, yes.rule, approved.project, approved.session, yes.by, now,
            lasts=yes.lasts, proposal=yes.number,
        )  # fmt: skip
        return write.consume(entry, approved, grant.event, yes.by)  # the rule lets it pass now

    def _check_rule(self, yes: Yes) -> None:
        if yes.scope is Scope.ONCE:
            return
        proposal = self.one(yes.number)
        if proposal.state is not State.PENDING:
            raise faults.settled(proposal)
        offered = self.offer(proposal)
        if isinstance(offered, Refused):
            raise refusal(offered)
        if offered.rule != yes.rule:
            raise faults.stale(proposal)

    def _analysis(self, proposal: Proposal, command: str | None) -> tuple[Analysis, Places]:
        """What the proposal's call would do now, or `command` in its place."""
        content = proposal.content
        given: Mapping[str, object] = content["input"] if command is None else {"command": command}
        tool = content.get("call_tool", content["tool"]) if command is None else "Bash"
        call = ToolCall(proposal.host, tool, given, cwd=content["cwd"], server=content.get("server", ""))
        environ = {**os.environ, PROJECT_DIRECTORY: proposal.project}
        places = places_of(call.cwd, environ, self._state)
        return effects_of(to_action(call), DiskSurroundings(places, environ)), places

    def _covers(self, text: str, proposal: Proposal, command: str) -> bool:
        """Whether the rule would let `command` pass, and everything that it does."""
        analysis, places = self._analysis(proposal, command)
        rule = Rule(Verdict.ALLOW, read_rule(text, places, command_pattern, allowing=True), RuleRef(text))
        acting = [effect for effect in analysis.effects if effect.name != OBSERVE]
        return bool(acting) and not analysis.doubts and all(
            said_of_effect(rule, effect, paths_of(effect, analysis)) is Verdict.ALLOW
            or (
                0 <= effect.command < len(analysis.commands)
                and said_of_command(rule, analysis.commands[effect.command], places.root) is Verdict.ALLOW
            )
            for effect in acting
        )  # fmt: skip


def _asked_by_more_than_a_rule(proposal: Proposal) -> Refused | None:
    """Why no granted rule could answer this question: a limit, the floor or the person's own rule asks it."""
    trace = proposal.content.get("trace", {})
    stage, rule = trace.get("stage"), trace.get("rule") or {}
    if stage not in ("autonomy", "permissions", "default"):
        why = msg("{reason}, whatever the rules say", reason=str(trace.get("reason", "")))
        return Refused(str(trace.get("code", "limits")), why)
    if rule.get("layer") in ("user", "session"):
        return Refused(
            "own_rule", msg("your own rule asks each time: {rule}", rule=str(rule.get("text", "")))
        )
    return None


def refusal(refused: Refused) -> UsageError:
    """Why always-allow cannot be had, and what can."""
    return UsageError(
        f"approvals.no_rule.{refused.code}",
        msg("No rule is recorded for this: {why}.", why=refused.reason),
        msg("Approve this one call; the next one will ask again."),
        "--scope",
    )
