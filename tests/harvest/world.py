"""A small world to harvest in: agents, a project with a canon, an engine that answers as it is told."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ringwall.agents.model import Act
from ringwall.agents.registry import Registry
from ringwall.harvest import canon
from ringwall.harvest.collect import Collected, collect
from ringwall.harvest.decide import Desk
from ringwall.harvest.grouping.engine import Request
from ringwall.harvest.key import project_key
from ringwall.harvest.lifecycle import Standing
from ringwall.harvest.model import Candidate, Correction, Key
from ringwall.harvest.propose import Proposed, propose
from ringwall.harvest.shelf import shelf
from ringwall.journal.write import Journal
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir

NOW = 1_796_083_200_000_000_000  # 2026-12-01T00:00:00Z


@dataclass
class Scripted:
    """Answers with clusters of the corrections whose notes contain a word; counts how often it is asked."""

    essences: dict[str, str] = field(default_factory=dict)
    version: str = "1"
    name: str = "scripted"
    asked: list[Request] = field(default_factory=list)

    def group(self, request: Request) -> bytes:
        self.asked.append(request)
        clusters = [
            {
                "correction_ids": [row.id for row in request.corrections if word in row.note],
                "essence": essence,
                "why": f"They said {word}.",
                "how_to_apply": f"Look for {word}.",
            }
            for word, essence in self.essences.items()
        ]
        return json.dumps({"clusters": [each for each in clusters if each["correction_ids"]]}).encode()


@dataclass
class World:
    """Everything below one folder; the clock stands still."""

    root: Path
    now: int = NOW

    @property
    def state(self) -> StateDir:
        return StateDir(str(self.root / "state"))

    @property
    def registry(self) -> Registry:
        return Registry(self.state, lambda: self.now)

    @property
    def project(self) -> Path:
        folder = self.root / "shop"
        folder.mkdir(exist_ok=True)
        return folder

    @property
    def key(self) -> Key:
        return Key(project_key(str(self.project)), "developer")

    @property
    def place(self) -> Path:
        """The folder of the key."""
        return self.root / "state" / "harvest" / self.key.project / self.key.role

    @property
    def desk(self) -> Desk:
        return Desk(self.state, Journal(Store(self.state), lambda: self.now), "person:mira", lambda: self.now)

    def agent(self, name: str, role: str = "developer", project: Path | None = None) -> None:
        self.registry.create(name, role, str(project or self.project))

    def say(self, name: str, *notes: str) -> None:
        """Create the agent where it is missing, and correct it."""
        if name not in self.registry.names():
            self.agent(name)
        for note in notes:
            self.registry.act(name, Act.REVISE, note, "person:mira")

    def collect(self) -> Collected:
        return collect(self.state)

    def rows(self) -> list[Correction]:
        with shelf(self.state, self.key) as opened:
            return opened.corrections()

    def standings(self) -> dict[str, Standing]:
        with shelf(self.state, self.key) as opened:
            return opened.standings()

    def propose(self, engine: Scripted, minimum: int = 2) -> Proposed:
        return propose(self.state, self.key, engine, lambda: self.now, minimum)

    def canon(self, text: str | None = None) -> Path:
        """The canon; made where it is missing."""
        if text is None:
            canon.begin(self.state, str(self.project))
        path = self.project / ".claude" / "canon.yaml"
        if text is not None:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        return path

    def briefs(self) -> Sequence[Path]:
        return sorted((self.project / "toolkit-log" / "upstream-pending").glob("*"))

    def candidate(self, word: str = "uuid", essence: str = "Use UUIDs for ids.") -> Candidate:
        """Two agents say `word`, and it becomes a candidate."""
        self.say("ada", f"ids are {word} here")
        self.say("bob", f"no numbers, {word} please")
        self.collect()
        (made,) = self.propose(Scripted({word: essence})).new
        return made


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def notes(rows: Iterable[Correction]) -> list[str]:
    return sorted(row.note for row in rows)
