"""One call from its payload to its reply, with the state in between.

Invariant: a verdict is given only after its event is committed, and no failure of any kind opens: without a
verdict the call is stopped, and without state only what does nothing but look passes (docs/adr/0010).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from ringwall.approvals import read as proposals
from ringwall.approvals.proposal import Channel
from ringwall.gate import selfguard
from ringwall.hosts.protocol import Dialect, HookReply, HostEvent, Moment
from ringwall.hosts.registry import FOLDER_VARIABLES
from ringwall.hosts.registry import host as host_named
from ringwall.journal.write import Entry, Journal
from ringwall.judge import asks, escaping, telling
from ringwall.judge.bound import binding_of
from ringwall.judge.case import Asked, Case
from ringwall.judge.failures import unforeseen, unrecorded
from ringwall.judge.granted import Granted
from ringwall.judge.hints import Hints, Occasion
from ringwall.judge.identity import principal
from ringwall.judge.missions import Missions
from ringwall.judge.opening import opening
from ringwall.judge.places import PROJECT_DIRECTORY, places_of
from ringwall.judge.policies import InForce, Policies
from ringwall.judge.prestep import prestep_hints
from ringwall.judge.recall import Recall
from ringwall.judge.replies import bounded, reply
from ringwall.judge.standing import Standing, forget, read_standing, remember
from ringwall.judge.surface import surface_of
from ringwall.judge.surroundings import DiskSurroundings
from ringwall.judge.verdict import judge
from ringwall.judge.waiting import HEADLESS, LOOK_SECONDS, Waiting
from ringwall.judge.wall import cases
from ringwall.judge.wall.calls import Wall
from ringwall.judge.wall.moves import MOVED
from ringwall.model.action import ToolCall
from ringwall.model.decision import Decision
from ringwall.model.errors import RingwallError, StateError
from ringwall.model.surroundings import Places
from ringwall.model.verdict import Verdict
from ringwall.policy.model import Policy, Prompting
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir, locate


@dataclass(frozen=True, slots=True)
class Outcome:
    """A decision, the id of the event that holds it, and the number of its proposal (else 0)."""

    decision: Decision
    event_id: str
    proposal: int = 0


class Judge:
    """Judges calls one group after another, for one state directory, in one thread."""

    def __init__(self, state: StateDir, clock: Callable[[], int] = time.time_ns) -> None:
        self._state = state
        self.store = Store(state)
        self.journal = Journal(self.store, clock)
        self.clock = clock
        self._policies = Policies()
        self._granted = Granted()
        self._passing = escaping.Passing()
        self._recall = Recall()
        self._wall = Wall(self.store, clock)
        self._missions = Missions(state)
        self._hints = Hints(opening, prestep_hints, surface=surface_of)
        self._standing: tuple[object, Standing] | None = None
        self._places: dict[tuple[str, ...], tuple[float, Places]] = {}

    def hook(
        self, host: str, payload: bytes, environ: Mapping[str, str] | None = None, notify: bool = False
    ) -> HookReply:
        """The reply to one hook payload; where it takes a person, after waiting for them."""
        asked = Asked(host, payload, os.environ if environ is None else environ, notify)
        begun = time.monotonic()
        first = self.hooks([asked])[0]
        if not isinstance(first, Waiting):
            return first
        while time.monotonic() - begun < first.seconds:
            time.sleep(LOOK_SECONDS)
            if not self.undecided([first.proposal]):
                again = self.hooks([replace(asked, waited=True)])[0]
                return again.otherwise if isinstance(again, Waiting) else again
        return first.otherwise

    def hooks(self, group: Sequence[Asked]) -> list[HookReply | Waiting]:
        """The replies to a group of hook payloads, committed together."""
        settled, fault = self._settled(group)
        if fault is not None and fault.code == MOVED:  # another process was quicker
            settled, fault = self._settled(group)
        if fault is None:
            sessions = self._standing[1].sessions if self._standing else ()
            self._missions.bind(settled, sessions, self.clock() / 1e9)
        return [bounded(case.asked, reply(case, fault)) for case in settled]

    def undecided(self, numbers: Sequence[int]) -> Collection[int]:
        """Which of these proposals still wait for a person; all of them where that cannot be seen."""
        try:
            with self.store.reading() as connection:
                return proposals.undecided(connection, numbers, self._now())
        except StateError:
            return numbers

    def decide(self, call: ToolCall, environ: Mapping[str, str] | None = None) -> Outcome:
        """The decision on one call, journalled. Raises `StateError` where it cannot be."""
        standing, fault = self._stand()
        if fault is not None:
            raise fault
        environ = os.environ if environ is None else environ
        decision, in_force = self._judged(call, environ, standing)
        told: list[str] = []
        with self.journal.writing() as entry:
            self._remember(entry, in_force, standing)

            def tell(decision: Decision) -> str:
                told.append(self._decided(entry, call, Moment.BEFORE_CALL, decision, Channel.NONE))
                return told[-1]

            decision = escaping.still(entry, decision, self._now())
            if decision.verdict is not Verdict.ASK:
                return Outcome(decision, tell(decision))
            asking = self._asking(call, decision, in_force, environ, Channel.NONE)
            answer = asks.answer(entry, asking, tell, self._now())
        return Outcome(answer.decision, told[-1], answer.proposal.number)

    def warm(self) -> None:
        """Load all that the first call would wait for. Writes nothing, and fails silently: a fault will be
        told to the call that meets it."""
        with suppress(Exception):
            call = ToolCall("ringwall", "Bash", {"command": "ls"}, cwd="/")
            self._judged(call, {}, Standing())

    def close(self) -> None:
        self.store.close()

    def _settled(self, group: Sequence[Asked]) -> tuple[list[Case], StateError | None]:
        standing, fault = self._stand()
        self._wall.begin()
        considered = [self._consider(asked, standing) for asked in group]
        return considered, fault or self._record(considered)

    # ---- before the commit

    def _stand(self) -> tuple[Standing, StateError | None]:
        """What people have settled; read again only after another process has committed something."""
        try:
            version = self.store.changes()
            if self._standing is None or self._standing[0] != version:
                with self.store.reading() as connection:
                    self._standing = (version, read_standing(connection))
                    self._wall.read(connection)
        except StateError as error:
            self._standing = None
            return Standing(), error
        return self._standing[1], None

    def _consider(self, asked: Asked, standing: Standing) -> Case:
        case = Case(asked)
        try:
            case.host = host_named(asked.host)
            case.event = case.host.parse(asked.payload)
            if case.event.moment.decides and case.event.call is not None:
                case.pause = standing.pause(self.clock() / 1e9)
                if case.pause is None:
                    passing = self._passing.of(case.event)
                    case.decision, case.in_force = self._judged(
                        case.event.call, asked.environ, standing, passing
                    )
                    cases.attempt(self._wall, case, self._placed(case.event.cwd, asked.environ))
                    case.asking = self._question(case, case.event.call, case.in_force)
                else:
                    case.decision = self._held(case.event.call, asked.environ, standing)
                    cases.passed(self._wall, case, self._placed(case.event.cwd, asked.environ))
            elif case.event.step is not None:
                case.pause = standing.pause(self.clock() / 1e9)
                places = self._placed(case.event.cwd, asked.environ)
                case.in_force = self._in_force(places, standing)
                occasion = Occasion(case.event, places, case.in_force, standing, case.pause)
                case.hints = self._hints.bodies(occasion)
            if self._wall.stands and not case.event.moment.decides:
                cases.hear(self._wall, case, self._placed(case.event.cwd, asked.environ))
        except RingwallError as error:
            case.error = error
        except Exception as error:
            case.error = unforeseen(error)
        return case

    def _held(self, call: ToolCall, environ: Mapping[str, str], standing: Standing) -> Decision | None:
        """What holds while a person has switched judging off: what would outlast the pause stays denied.
        Whatever goes wrong here does not, for the way out of a broken judge must not need it."""
        with suppress(Exception):
            decision, _ = self._judged(call, environ, standing)
            if decision.verdict is Verdict.DENY and decision.deciding.stage == selfguard.STAGE:
                return decision
        return None

    def _judged(
        self, call: ToolCall, environ: Mapping[str, str], standing: Standing,
        passing: frozenset[str] = frozenset(),
    ) -> tuple[Decision, InForce]:  # fmt: skip
        places = self._placed(call.cwd, environ)
        in_force = self._in_force(places, standing)
        disk = DiskSurroundings(places, environ)
        grants = standing.grants_for(places.root, call.session, self.clock() / 1e9)
        policy = self._granted.policy(in_force.loaded.policy, grants, places)
        now = self.clock() / 1e9
        who = principal(call, environ, standing.sessions, now)
        escapes = standing.escaped(now) | passing
        view = self._wall.view(call, places)
        return judge(call, disk, policy, self._recall, who, escapes, view), in_force

    def _question(
        self, case: Case, call: ToolCall, in_force: InForce
    ) -> asks.Asking | None:  # fmt: skip
        """What a person would have to answer, where the call needs one."""
        host, event, decision = case.host, case.event, case.decision
        if host is None or event is None or event.moment is not Moment.BEFORE_CALL:
            return None
        if decision is None or decision.verdict is not Verdict.ASK:
            return None
        channel = _channel(host, event, case.asked.environ, in_force.loaded.policy)
        asking = self._asking(call, decision, in_force, case.asked.environ, channel)
        return replace(asking, binding=self._wall.bound(asking.binding, case.turns))

    def _asking(
        self, call: ToolCall, decision: Decision, in_force: InForce, environ: Mapping[str, str],
        channel: Channel,
    ) -> asks.Asking:  # fmt: skip
        places = self._placed(call.cwd, environ)
        policy = in_force.loaded.policy.digest  # without grants: to give or revoke one changes no question
        binding = binding_of(decision.analysis, policy, environ, places.home)
        return asks.Asking(call, decision, binding, channel, places.root)

    def _now(self) -> int:
        return self.clock() // 1_000_000_000

    def _in_force(self, places: Places, standing: Standing) -> InForce:
        trusted = standing.trusted_below(f"{places.root}/.ringwall")
        return self._policies.in_force(places, trusted, standing.sources)

    def _placed(self, cwd: str, environ: Mapping[str, str]) -> Places:
        """The places of a call; looked up anew every second."""
        asked = (cwd, *(environ.get(name, "") for name in _PLACING))
        found = self._places.get(asked)
        now = time.monotonic()
        if found is None or found[0] < now:
            if len(self._places) >= _PLACES_KEPT:
                self._places.clear()
            found = (now + _PLACES_SECONDS, places_of(cwd, environ, self._state, (os.getpid(),)))
            self._places[asked] = found
        return found[1]

    # ---- the commit

    def _record(self, group: Sequence[Case]) -> StateError | None:
        try:
            with self.journal.writing() as entry:
                for case in group:
                    self._tell(entry, case)
                    cases.keep(self._wall, entry, case)
        except Exception as error:
            self._standing = None  # what was worked out for this group did not happen
            return error if isinstance(error, StateError) else unrecorded(error)
        return None

    def _tell(self, entry: Entry, case: Case) -> None:
        host, event = case.asked.host, case.event
        if case.error is not None or event is None:
            error = case.error or unforeseen(ValueError("no event"))
            entry.append(telling.undecided(host, event, error), "ringwall", event.session if event else "")
            return
        self._remember(entry, case.in_force, self._standing[1] if self._standing else Standing())
        call = event.call
        if case.decision is not None and event.moment is Moment.BEFORE_CALL:
            self._check_escape(entry, case, case.decision)
        if call is not None and case.asking is not None:
            moment, channel = event.moment, case.asking.channel

            def tell(told: Decision) -> str:
                case.record = self._decided(entry, call, moment, told, channel)
                return case.record

            case.answer = asks.answer(entry, case.asking, tell, self._now())
        elif call is not None and case.decision is not None:
            case.record = self._decided(entry, call, event.moment, case.decision, Channel.NONE)
        elif call is not None and case.pause is not None:
            who = telling.actor(host, call.agent)
            case.record = entry.append(telling.unjudged(call, case.pause.event), who, event.session)
        else:
            who = telling.actor(host, call.agent if call else "")
            entry.append(telling.reported(host, event), who, event.session)
            asks.settle(entry, host, event, self._now())

    def _check_escape(self, entry: Entry, case: Case, decision: Decision) -> None:
        case.decision = escaping.still(entry, decision, self._now())
        if case.decision is not decision:
            case.asking = None

    def _decided(
        self, entry: Entry, call: ToolCall, moment: Moment, decision: Decision, channel: Channel
    ) -> str:
        who = telling.actor(call.host, call.agent)
        event = entry.append(telling.decided(call, moment, decision), who, call.session)
        if moment is Moment.BEFORE_CALL and escaping.settle(entry, decision, channel, event, who):
            self._passing.note(call, decision)
        return event

    def _remember(self, entry: Entry, in_force: InForce | None, standing: Standing) -> None:
        if in_force is None or self._standing is None:
            return
        known = standing.sources
        new = tuple(file for file in in_force.good if known.get(file.name) != file.content)
        gone = tuple(path for path in in_force.absent if path in known)
        if gone:
            forget(entry, gone)
        if new:
            remember(entry, new)
        if new or gone:
            left = {path: content for path, content in known.items() if path not in gone}
            sources = {**left, **{file.name: file.content for file in new}}
            self._standing = (self._standing[0], replace(standing, sources=sources))


_HEADLESS = {"1": Prompting.WAIT, "0": Prompting.HOST}
_PLACING = ("HOME", "TMPDIR", *FOLDER_VARIABLES, PROJECT_DIRECTORY)
_PLACES_KEPT = 64
_PLACES_SECONDS = 1.0


def open_judge() -> Judge:
    """A judge for the state directory of this user."""
    return Judge(locate(os.environ))


def _channel(host: Dialect, event: HostEvent, environ: Mapping[str, str], policy: Policy) -> Channel:
    """Where the person is asked: as whoever started the host says, else the policy, else the host."""
    said = environ.get(HEADLESS, "")
    prompt = _HEADLESS.get(said, policy.approvals.prompt)
    by_host = host.asks(event, environ) if prompt is Prompting.AUTO else prompt is Prompting.HOST
    return Channel.HOST if by_host and host.can_ask else Channel.WAIT
