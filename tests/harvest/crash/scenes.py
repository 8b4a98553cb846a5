"""What is interrupted: each scene prepares a world, and says what is done in it again and again.

A scene's snapshot is what must not depend on how often and where the act was interrupted.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from harvest.world import Scripted, World
from ringwall.harvest.decide import Words
from ringwall.harvest.model import Status

Prepare = Callable[[World], None]
Do = Callable[[World], object]

_PASSING = {".lock", ".canon.lock", "collected.json"}  # locks, and how files looked
_ENGINE = {"uuid": "Use UUIDs for ids.", "tabs": "Indent with spaces."}


@dataclass(frozen=True)
class Scene:
    """`act` on a world that was prepared; run again it completes what an interruption has left."""

    name: str
    prepare: Prepare
    act: Do


def _candidate(world: World) -> None:
    world.say("ada", "ids are uuid here", "no tabs, ever")
    world.say("bob", "no numbers, uuid please", "tabs again!")
    world.collect()
    world.propose(Scripted(_ENGINE))
    world.canon().write_text(
        "# ours\nversion: 1\nupstream_pending:\n  - toolkit-log/other.md # first\nrules: []\n"
    )


_WORDS = Words("Ids of rows are UUIDs of version 7.")


def _first(world: World) -> str:
    return next(each for each, one in world.standings().items() if one.candidate.essence == _ENGINE["uuid"])


def _approved(world: World) -> None:
    _candidate(world)
    world.desk.approve(world.key, _first(world))


def _collected(world: World) -> None:
    world.say("ada", "ids are uuid here")
    world.collect()
    world.say("ada", "use token=abcdef here")
    world.say("bob", "no numbers, uuid please")
    world.agent("eve", role="reviewer")
    world.say("eve", "read it twice")


def _free(world: World) -> None:
    world.say("ada", "ids are uuid here")
    world.say("bob", "no numbers, uuid please")
    world.collect()


def _reject(world: World) -> None:
    world.desk.reject(world.key, _first(world), "the canon has one already")


SCENES = {
    scene.name: scene
    for scene in (
        Scene("collect", _collected, lambda world: world.collect()),
        Scene("propose", _free, lambda world: world.propose(Scripted(_ENGINE))),
        Scene("approve", _candidate, lambda world: world.desk.approve(world.key, _first(world))),
        Scene("reject", _approved, _reject),
        Scene("dismiss", _candidate, lambda world: world.desk.dismiss(world.key, _first(world), "no rule")),
        Scene("reword", _candidate, lambda world: world.desk.reword(world.key, _first(world), _WORDS)),
        Scene("apply", _approved, lambda world: world.desk.mark_applied(world.key, _first(world))),
    )
}


class Stage:
    """A prepared world that can be put back as it was."""

    def __init__(self, scene: Scene, folder: Path) -> None:
        self.scene = scene
        self.world = World(folder / "world")
        self._saved = folder / "saved"
        self.world.root.mkdir()
        self.world.project  # noqa: B018 - makes it
        scene.prepare(self.world)
        desk = self.world.desk
        desk.journal.store.changes()  # the database stands before
        desk.journal.store.close()
        shutil.copytree(self.world.root, self._saved)
        self.before = snapshot(self.world)
        self.act()
        self.after = snapshot(self.world)
        assert self.after != self.before

    def reset(self) -> None:
        shutil.rmtree(self.world.root)
        shutil.copytree(self._saved, self.world.root)

    def roots(self) -> tuple[str, ...]:
        """What the harvest writes to."""
        below = self.world.root
        return (str(below / "state" / "harvest"), str(below / "shop"))

    def act(self) -> None:
        self.scene.act(self.world)


def snapshot(world: World) -> dict[str, bytes]:
    """Every file that the harvest keeps, with what it says."""
    found: dict[str, bytes] = {}
    for top in (world.root / "state" / "harvest", world.root / "shop"):
        for path in sorted(top.rglob("*")):
            if path.is_file() and path.name not in _PASSING:
                found[str(path.relative_to(world.root))] = path.read_bytes()
    return found


def faults(stage: Stage) -> list[str]:
    """What in this world is neither whole and old nor whole and new."""
    told = []
    for name, content in snapshot(stage.world).items():
        whole = (stage.before.get(name), stage.after.get(name))
        if content in whole or Path(name).name.endswith(".new"):
            continue
        if name.endswith(".jsonl") and _rows(content) is not None:
            continue  # grows row by row; a torn last one is nobody's
        told.append(f"{name}: {content[:40]!r}")
    return told + _promises(stage)


def _rows(content: bytes) -> list[object] | None:
    """The whole rows of a file, None where one in the middle is broken."""
    *lines, _rest = content.split(b"\n")
    try:
        return [msgspec.json.decode(line) for line in lines]
    except msgspec.MsgspecError:
        return None


def _promises(stage: Stage) -> list[str]:
    """A status says that something is durable; whether it is."""
    world = stage.world
    canon = world.project / ".claude" / "canon.yaml"
    listed = canon.read_text() if canon.exists() else ""
    told = []
    for one in world.standings().values():
        name = f"{one.candidate.project_key}-{one.candidate.role}-{one.candidate.id}.md"
        there = (world.project / "toolkit-log" / "upstream-pending" / name).exists()
        entered = name in listed
        if one.status is Status.PENDING and stage.scene.name == "approve" and not (there and entered):
            told.append(f"pending without brief or entry: {there} {entered}")
        if one.status is Status.REJECTED and (there or entered):
            told.append(f"rejected with brief or entry: {there} {entered}")
    return told
