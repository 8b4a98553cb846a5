"""What an agent is told before a step, besides the verdicts: an open list of sources of hints.

Invariant: a hint blocks nothing, and is told once for as long as the session shows it. That is looked up in
the session itself, never in a note of our own, so that it comes back after compaction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ringwall.hosts.protocol import HostEvent
from ringwall.judge.policies import InForce
from ringwall.judge.standing import Pause, Standing
from ringwall.model.errors import RingwallError
from ringwall.model.step import Step
from ringwall.model.surroundings import Places
from ringwall.model.text import Text, msg
from ringwall.prestep.markers import Kind, body_of, is_injection_visible, marker_of


@dataclass(frozen=True, slots=True)
class Hint:
    """A final text; it gets a marker of this kind as its first line."""

    text: str
    kind: Kind = Kind.PRESTEP


@dataclass(frozen=True, slots=True)
class Occasion:
    """What a hint may rest on: the host's event with its step, where that is, and what is in force there."""

    event: HostEvent
    places: Places
    in_force: InForce
    standing: Standing
    pause: Pause | None = None

    @property
    def step(self) -> Step:
        return self.event.step or Step()


Source = Callable[[Occasion], Iterable[Hint]]
"""Gives the hints that fit an occasion, visible or not; what it raises as `RingwallError` is told instead."""

Surface = Callable[[Step], Iterable[str]]
"""Gives the texts that the session shows already."""


class Hints:
    """The hints of all sources, in the order of the sources."""

    def __init__(self, *sources: Source, surface: Surface) -> None:
        self._sources = sources
        self._surface = surface

    def bodies(self, occasion: Occasion) -> tuple[str, ...]:
        """What is to be added to this step: each text under its marker, once, none that is visible."""
        step = occasion.step
        wanted = {marker_of(hint.text, hint.kind): hint for hint in self._given(occasion)}
        if not wanted:
            return ()
        surface = tuple(self._surface(step))
        return tuple(
            body_of(hint.text, hint.kind)
            for marker, hint in wanted.items()
            if not is_injection_visible(surface, step.messages, marker)
        )

    def _given(self, occasion: Occasion) -> Iterator[Hint]:
        for source in self._sources:
            try:
                yield from source(occasion)
            except RingwallError as error:
                yield Hint(f"Ringwall: {error}")


def told(notice: Text | None, bodies: Iterable[str]) -> Text | None:
    """The notice of a moment and the hints, as one text with each hint's marker at the start of a line."""
    parts = [*([str(notice)] if notice is not None else []), *bodies]
    return msg("{parts}", parts="\n\n".join(parts)) if parts else None
