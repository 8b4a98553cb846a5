"""The wall's part in judging: which plan a call is under, whether it is the step, and what moves the pointer.

Invariant: a step is given to one call at a time, in the transaction of the decision that let it through; what
the transaction could not keep is forgotten and read again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import sqlalchemy as sa

from ringwall.approvals.binding import Binding
from ringwall.gate.steps import match_of
from ringwall.gate.wall import STAGE
from ringwall.hosts.protocol import HostEvent, Moment
from ringwall.journal.write import Entry
from ringwall.judge.wall import looking, moves, quiet, snapshots
from ringwall.judge.wall.elsewhere import held_elsewhere
from ringwall.judge.wall.kept import ACTIVE, Holder, Kept, active
from ringwall.judge.wall.lines import settled_line, step_line, with_moved
from ringwall.judge.wall.naming import name_of, words_of
from ringwall.judge.wall.plan_file import PlanFiles
from ringwall.judge.wall.quiet import Kind, Outcome
from ringwall.judge.wall.snapshot import Snapshot
from ringwall.judge.wall.snapshots import Which
from ringwall.judge.wall.turn import Fate, Report, Settled, Trial, Turn
from ringwall.model.action import ToolCall
from ringwall.model.decision import Decision, Opinion
from ringwall.model.errors import StateError
from ringwall.model.surroundings import Places
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict
from ringwall.plan import pointer as pointing
from ringwall.plan.view import WallView
from ringwall.store.engine import Store

_ENDS = {
    Moment.PROMPT: "the host went on without reporting on it",
    Moment.STOP: "the turn ended without a report on it",
    Moment.AGENT_STOP: "the subagent ended without a report on it",
    Moment.SESSION_END: "the session ended without a report on it",
    Moment.SESSION_START: "the session began anew without a report on it",
}
"""Moments at which a call of the session, or of the subagent, can no longer be running."""


class Wall:
    """The active plans of one state directory, for one judge."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock
        self._kept: dict[str, Kept] = {}  # as the database has it
        self._ahead: dict[str, Kept] = {}  # as it will be when the present group is written
        self._last: dict[int, Snapshot] = {}
        self._files = PlanFiles()

    def read(self, connection: sa.Connection) -> None:
        """Take the plans as another process, or nobody, has left them."""
        self._kept = active(connection, self._store.state.anchor)
        self._last.clear()
        self.begin()

    def begin(self) -> None:
        """A new group of calls comes."""
        self._ahead = dict(self._kept)

    # ---- before the transaction

    def view(self, call: ToolCall, places: Places) -> WallView | None:
        """What the gate is handed of the plan that the call is under; None in conversation."""
        kept = self._law(places)
        if kept is None:
            return None
        return WallView(kept.plan, kept.pointer, name_of(call, kept), self.fault(kept))

    def attempt(
        self, call: ToolCall, moment: Moment, decision: Decision, places: Places
    ) -> tuple[Decision, tuple[Turn, ...]]:
        """What a judged call means to the plan; the decision is stricter where the step cannot begin."""
        view = self.view(call, places)
        kept = self._law(places)
        if view is None or kept is None:
            return held_elsewhere(decision, [*self._ahead.values()]), ()
        name = view.call
        match = match_of(decision.analysis, view) if decision.verdict is not Verdict.DENY else None
        kind = quiet.kind_of(decision, match, kept)
        trial = Trial(kept.root, name, kind, moment is Moment.BEFORE_CALL)
        if match is None or kept.pointer.holds(name) or not pointing.may_reserve(kept.pointer, name, match):
            return decision, (trial,)
        if absent := looking.missing(kept, match):
            return _stopped(decision, kept, absent), (trial,)
        holder = Holder(name, words_of(call), call.host, call.session, call.agent,
                        decision.verdict is Verdict.ASK, self._clock() // 1_000_000_000)  # fmt: skip
        last = self._snapshot(kept, Which.LAST)
        before = looking.files_now(kept, match.step, places.home, last)
        self._foresee(kept, pointing.reserve(kept.pointer, name, match), holder)
        moved = looking.between(kept, places.home, last, before)
        return decision, (replace(trial, match=match, holder=holder, before=before, moved=moved),)

    def passed(self, call: ToolCall, places: Places) -> tuple[Turn, ...]:
        """A call that nobody judged, for a person has switched that off."""
        kept = self._law(places)
        return (Trial(kept.root, name_of(call, kept), Kind.OTHER, True),) if kept is not None else ()

    def hear(self, host: str, event: HostEvent, places: Places) -> list[Turn]:
        """What a moment that waits for no verdict means to the plans."""
        call = event.call
        if call is not None and event.moment in (Moment.AFTER_CALL, Moment.CALL_FAILED):
            return [*self._reported(call, event.moment, places)]
        if event.moment in _ENDS and event.raw.get("source") not in ("compact", "clear"):
            agent = str(event.raw.get("agent_id") or "") if event.moment is Moment.AGENT_STOP else ""
            return [*self._unreported(host, event, agent, places)]
        return []

    @property
    def stands(self) -> bool:
        """Whether any plan is active."""
        return bool(self._ahead)

    def _law(self, places: Places) -> Kept | None:
        """The plan that a place is under: of its worktree, else of the one that it lies in. A linked worktree
        is one of its own wherever it lies."""
        own = self._ahead.get(places.root)
        if own is not None:
            return own
        around = (
            kept
            for root, kept in self._ahead.items()
            if places.root.startswith(f"{root}/") and root not in places.worktrees
        )
        return max(around, key=lambda kept: len(kept.root), default=None)

    def fault(self, kept: Kept) -> Text | None:
        """Why the plan does not hold, if it does not."""
        return kept.fault or self._files.fault(kept)

    def bound(self, binding: Binding, turns: Sequence[Turn]) -> Binding:
        """What a person's answer holds for, with the step of the plan that the call is."""
        for turn in turns:
            if isinstance(turn, Trial) and turn.match is not None:
                kept = self._ahead[turn.root]
                step = kept.steps[turn.match.step].number
                return replace(binding, plan=kept.plan_id, step=str(step), digest="")
        return binding

    def line_of_denial(self, decision: Decision, places: Places) -> Text | None:
        """Where the plan stands, for a call that another stage stopped; the wall itself says it."""
        kept = self._law(places)
        if kept is None or decision.verdict is not Verdict.DENY or decision.deciding.stage == STAGE:
            return None
        return step_line(kept, self.fault(kept))

    def line_of_moment(
        self, moment: Moment, turns: Sequence[Turn], places: Places, policy: str
    ) -> Text | None:
        """What the agent is told of the plan at a moment of its session."""
        kept = self._law(places)
        for turn in turns:
            if isinstance(turn, Report) and turn.settled is not None:
                return settled_line(turn.settled, self._kept[turn.root], self._ahead[turn.root])
        if kept is None or moment not in (Moment.SESSION_START, Moment.PROMPT, Moment.AGENT_START):
            return None
        line = step_line(kept, self.fault(kept))
        last = self._snapshot(kept, Which.LAST) if moment is Moment.SESSION_START else None
        return with_moved(line, looking.moved_since(kept, places.home, last, policy)) if last else line

    # ---- in the transaction

    def keep(self, entry: Entry, turn: Turn, decision: Decision | None, runs: bool, event: str) -> None:
        """Write down what a turn means. `runs`: the host is told that the call may run, or asks a person
        itself. Raises `StateError` where the plan is not as it was judged."""
        if isinstance(turn, Trial):
            self._keep_trial(entry, turn, decision, runs, event)
            return
        if isinstance(turn, Report):
            kept = self._kept.get(turn.root)
            if kept is not None:
                quiet.end(entry, kept.number, turn.name, turn.outcome, self._now())
        settled = turn.settled if isinstance(turn, Report) else turn
        if settled is not None:
            self._settle(entry, settled)

    def _keep_trial(
        self, entry: Entry, trial: Trial, decision: Decision | None, runs: bool, event: str
    ) -> None:
        kept = self._kept.get(trial.root)
        if kept is None:
            if trial.match is not None and runs:
                raise StateError(moves.MOVED, msg("The plan has ended meanwhile."), msg("Try again."))
            return
        if trial.first and not kept.astray:
            quiet.begin(entry, kept, trial.name, event, trial.kind, _outcome(decision), self._now())
        if trial.match is not None and trial.holder is not None and runs:
            kept = moves.reserve(entry, kept, trial.holder, trial.match, event, trial.moved)
            if trial.before is not None:
                snapshots.save(entry.connection, kept.number, Which.BEFORE, trial.before)
        elif kept.pointer.holds(trial.name):
            if decision is not None and decision.verdict is Verdict.DENY:
                kept = moves.release(entry, kept, "gate", decision.deciding.code)
            elif not trial.first:
                kept = moves.ask(entry, kept)
        self._kept[trial.root] = kept

    def _settle(self, entry: Entry, settled: Settled) -> None:
        kept = self._kept.get(settled.root)
        if kept is None or kept.pointer.held is None or kept.pointer.held.call != settled.name:
            return
        match settled.fate:
            case Fate.HAPPENED:
                kept = moves.commit(entry, kept, settled.by, self._now() // 1_000_000, settled.others)
            case Fate.FAILED | Fate.NOT_RUN:
                kept = moves.release(entry, kept, settled.by, settled.why)
            case Fate.UNKNOWN:
                kept = moves.lose(entry, kept, settled.why)
        if settled.after is not None:
            snapshots.save(entry.connection, kept.number, Which.LAST, settled.after)
            self._last[kept.number] = settled.after
        if settled.fate is not Fate.UNKNOWN:
            snapshots.forget(entry.connection, kept.number, Which.BEFORE)
        if kept.state == ACTIVE:
            self._kept[settled.root] = kept
        else:
            del self._kept[settled.root]

    # ---- what is heard

    def _reported(self, call: ToolCall, moment: Moment, places: Places) -> Iterator[Report]:
        kept = self._holding(call) or self._law(places)
        if kept is None:
            return
        name = name_of(call, kept)
        outcome = Outcome.DONE if moment is Moment.AFTER_CALL else Outcome.FAILED
        held = kept.pointer.held
        if held is None or held.call != name:
            yield Report(kept.root, name, outcome)
            return
        if moment is Moment.AFTER_CALL:
            settled = looking.after_success(kept, places, self._snapshot(kept, Which.BEFORE))
        else:
            settled = looking.after_failure(kept, places)
        self._foresee_settled(kept, settled)
        yield Report(kept.root, name, outcome, settled)

    def _unreported(self, host: str, event: HostEvent, agent: str, places: Places) -> Iterator[Settled]:
        for kept in list(self._ahead.values()):
            holder = kept.holder
            if (
                holder is None
                or kept.pointer.unknown
                or (holder.host, holder.session) != (host, event.session)
            ):
                continue
            whole = event.moment in (Moment.SESSION_END, Moment.SESSION_START)
            if whole or holder.agent == agent:
                alive = event.moment is not Moment.SESSION_START
                before = self._snapshot(kept, Which.BEFORE)
                settled = looking.without_report(kept, places.home, before, alive, _ENDS[event.moment])
                self._foresee_settled(kept, settled)
                yield settled

    def _holding(self, call: ToolCall) -> Kept | None:
        """The plan whose step this call holds, wherever the call says that it was made."""
        for kept in self._ahead.values():
            held = kept.pointer.held
            if held is not None and held.call == name_of(call, kept):
                return kept
        return None

    # ---- what will be

    def _foresee(self, kept: Kept, pointer: pointing.Pointer, holder: Holder | None) -> None:
        self._ahead[kept.root] = replace(kept, pointer=pointer, holder=holder)

    def _foresee_settled(self, kept: Kept, settled: Settled) -> None:
        if settled.fate is Fate.HAPPENED:
            self._foresee(kept, pointing.commit(kept.pointer, settled.name), None)
        elif settled.fate is Fate.UNKNOWN:
            self._foresee(kept, pointing.lose(kept.pointer), kept.holder)
        else:
            self._foresee(kept, pointing.release(kept.pointer, settled.name), None)

    def _snapshot(self, kept: Kept, which: Which) -> Snapshot | None:
        if which is Which.LAST and kept.number in self._last:
            return self._last[kept.number]
        found = None
        with suppress(StateError), self._store.reading() as connection:
            found = snapshots.load(connection, kept.number, which)
        if which is Which.LAST and found is not None:
            self._last[kept.number] = found
        return found

    def _now(self) -> int:
        return self._clock() // 1_000


def _outcome(decision: Decision | None) -> Outcome:
    if decision is None:
        return Outcome.UNJUDGED
    return {Verdict.DENY: Outcome.DENIED, Verdict.ASK: Outcome.ASKED}.get(decision.verdict, Outcome.OPEN)


def _stopped(decision: Decision, kept: Kept, absent: list[str]) -> Decision:
    """The decision of a step whose requirements are not there."""
    step = kept.expected
    opinion = Opinion(
        STAGE,
        Verdict.DENY,
        f"{STAGE}.requires",
        msg(
            "step {step} requires what is not there: {paths}",
            step=step.number if step is not None else 0, paths=", ".join(absent),
        ),
        advice=msg("Tell the person; the plan has to be changed and sealed again."),
        binding=True,
    )  # fmt: skip
    opinions = (*decision.opinions, opinion)
    return replace(decision, verdict=Verdict.DENY, opinions=opinions, winner=len(opinions) - 1)
