"""From the events of agents to the ledgers: what people corrected, masked, once.

Invariant: an event gives at most one correction, whatever becomes of the files in between; what is not
understood is passed over and said. Only what people did to missions, proposals and plans is read, never what
an agent wrote or what it was told in a session (H-07).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from ringwall.agents.files import CONTROL, EVENTS, SPEC, read_events, read_incarnation, read_spec
from ringwall.agents.model import CORRECTIONS, CREATED, NAME, OPERATOR, AgentEvent
from ringwall.agents.registry import AGENTS, FORMER
from ringwall.harvest.key import project_key
from ringwall.harvest.mask import mask
from ringwall.harvest.model import Correction, Key, correction_id
from ringwall.harvest.shelf import HARVEST, LEDGER, Shelf, made_shelf, moved_to
from ringwall.model.errors import StateError
from ringwall.model.text import Text, msg
from ringwall.store.durable import Folder, folder
from ringwall.store.paths import StateDir

SEEN = "collected.json"

_PLAIN_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)", re.ASCII)
_EVENT_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)

Stamp = tuple[int, ...]
_SEEN = msgspec.json.Decoder(dict[str, tuple[int, ...]])
_masked = lru_cache(maxsize=1024)(mask)


@dataclass(frozen=True, slots=True)
class Skipped:
    """An agent that was passed over, and why; its name is masked."""

    agent: str
    why: Text


@dataclass(frozen=True, slots=True)
class Collected:
    """What a run has found: new corrections by key, and who was passed over."""

    new: Mapping[Key, int]
    skipped: tuple[Skipped, ...]


@dataclass(frozen=True, slots=True)
class _Source:
    """An agent's folder as it was found: where, whose, and how its files looked before they were read."""

    parts: tuple[str, ...]
    agent: str
    stamp: Stamp
    project: str

    @property
    def name(self) -> str:
        return "/".join(self.parts)


class _Skip(Exception):
    def __init__(self, why: Text) -> None:
        super().__init__(str(why))
        self.why = why


def collect(state: StateDir) -> Collected:
    """Read all agents' events that have changed since the last run. Raises `StateError` where a ledger cannot
    be written, after the others have been."""
    new: dict[Key, int] = {}
    faults: list[StateError] = []
    skipped: list[Skipped] = []
    if not os.path.isdir(f"{state.path}/{AGENTS}"):
        return Collected({}, ())
    with folder(state.path) as top, top.below(AGENTS) as agents:
        by_key = _found(top, agents, skipped)
        for key, sources in sorted(by_key.items()):
            try:
                if not _unchanged(top, key, sources):
                    new[key] = _collect_key(state, agents, key, sources, skipped)
            except StateError as fault:
                faults.append(fault)
    if faults:
        raise faults[0]
    new = {key: count for key, count in new.items() if count}
    return Collected(new, tuple(skipped))


def _found(top: Folder, agents: Folder, skipped: list[Skipped]) -> dict[Key, list[_Source]]:
    by_key: dict[Key, list[_Source]] = {}
    moved = lru_cache(maxsize=None)(lambda key: moved_to(top, key))
    for parts, agent in _folders(agents):
        try:
            key, source = _source(agents, parts, agent)
            by_key.setdefault(moved(key), []).append(source)
        except _Skip as skip:
            skipped.append(Skipped(mask(agent)[:80], skip.why))
        except StateError as error:
            skipped.append(Skipped(mask(agent)[:80], error.what))
    return by_key


def _source(agents: Folder, parts: tuple[str, ...], agent: str) -> tuple[Key, _Source]:
    if not NAME.fullmatch(agent):
        raise _Skip(msg("its folder has no name of an agent"))
    with agents.below(*parts) as place:
        key, project = _key(place)
        stamp = (*(place.stamp(EVENTS) or ()), *(place.stamp(CONTROL) or ()))
    return key, _Source(parts, agent, stamp, project)


def _folders(agents: Folder) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each agent's folder below the registry and its name, former lives too."""
    for name in agents.names():
        if name == FORMER:
            with agents.below(FORMER) as former:
                yield from (((FORMER, each), each.partition(".")[0]) for each in former.names())
        elif not name.startswith("."):
            yield (name,), name


def _key(place: Folder) -> tuple[Key, str]:
    spec = read_spec(place.read(SPEC), place.path)
    if not NAME.fullmatch(spec.role):
        raise _Skip(msg("its role is no word that a ledger can be kept for"))
    if not os.path.isabs(spec.project) or "\0" in spec.project:
        raise _Skip(msg("its project is no absolute path"))
    project = os.path.realpath(spec.project)
    return Key(project_key(project), spec.role), project


def _unchanged(top: Folder, key: Key, sources: Iterable[_Source]) -> bool:
    """Whether every file is as it was when it was read last, and the ledger as it was left."""
    if not os.path.isfile(f"{top.path}/{HARVEST}/{key.project}/{key.role}/{SEEN}"):
        return False
    with top.below(HARVEST, key.project, key.role) as place:
        seen = _seen(place)
        return seen.get(LEDGER, ()) == (place.stamp(LEDGER) or ()) and all(
            seen.get(each.name) == each.stamp for each in sources
        )


def _collect_key(
    state: StateDir, agents: Folder, key: Key, sources: list[_Source], skipped: list[Skipped]
) -> int:
    with made_shelf(state, key, sources[-1].project) as shelf, shelf.place.locked():
        shelf.settle()
        before = _seen(shelf.place)
        if before.get(LEDGER, ()) != (shelf.place.stamp(LEDGER) or ()):
            before = {}
        changed = [each for each in sources if before.get(each.name) != each.stamp]
        rows = shelf.corrections()
        known, ids = {row.source for row in rows}, {row.id for row in rows}
        new: list[Correction] = []
        seen = {each.name: each.stamp for each in sources}
        for source in changed:
            try:
                found = list(_read(agents, key, source, known))
            except (_Skip, StateError) as fault:
                why = fault.why if isinstance(fault, _Skip) else fault.what
                skipped.append(Skipped(source.agent, why))
                del seen[source.name]  # looked at again, until somebody has mended it
                continue
            new += [row for row in found if row.id not in ids]
        if new:
            shelf.collect(new)
        _remember(shelf, seen)
        return len(new)


def _read(
    agents: Folder, key: Key, source: _Source, known: set[tuple[str, str, int]]
) -> Iterator[Correction]:
    with agents.below(*source.parts) as place:
        incarnation = read_incarnation(place.read(CONTROL), place.path)
        events = list(read_events(place.read(EVENTS)))
    incarnation = incarnation or _first_moment(events)
    for event in events:
        if event.type not in CORRECTIONS or event.actor != OPERATOR:
            continue
        note = event.detail.get("note")
        where = (source.agent, incarnation, event.seq)
        if isinstance(note, str) and note.strip() and where not in known:
            known.add(where)
            yield _correction(key, source.agent, incarnation, event, mask(note))


def _first_moment(events: Iterable[AgentEvent]) -> str:
    """What tells lives apart of an agent from before there were incarnations (H-20)."""
    at = next((event.at for event in events if event.type == CREATED), "")
    if not at:
        raise _Skip(msg("nothing tells which life of the agent this is"))
    return _moment(at)


def _correction(key: Key, agent: str, incarnation: str, event: AgentEvent, note: str) -> Correction:
    call, by = event.detail.get("call"), event.detail.get("by")
    return Correction(
        id=correction_id(key, incarnation, event.seq, note),
        project_key=key.project,
        role=key.role,
        agent=agent,
        incarnation=incarnation,
        event=event.type,
        event_seq=event.seq,
        event_at=_moment(event.at),
        note=note,
        by=_masked(by) if isinstance(by, str) else "",
        call=call if isinstance(call, str) and _EVENT_ID.fullmatch(call) else "",
    )


def _moment(text: str) -> str:
    return text if _PLAIN_MOMENT.fullmatch(text) else mask(text)


def _seen(place: Folder) -> dict[str, Stamp]:
    try:
        return _SEEN.decode(place.read(SEEN) or b"{}")
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return {}


def _remember(shelf: Shelf, seen: dict[str, Stamp]) -> None:
    """Keep how the files looked, once what was read from them is durable."""
    seen[LEDGER] = shelf.place.stamp(LEDGER) or ()
    shelf.place.write(SEEN, msgspec.json.encode(seen) + b"\n")
