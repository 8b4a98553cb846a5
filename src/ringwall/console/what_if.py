"""What would be said about a call, without making it.

Invariant: nothing is written, journalled, asked or run; what counts for an agent's call counts here: files
that a person trusts, and grants for the whole project.
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from ringwall.console.console import Console
from ringwall.judge.granted import with_grants
from ringwall.judge.places import PROJECT_DIRECTORY, places_of
from ringwall.judge.policies import InForce, Policies
from ringwall.judge.recall import Recall
from ringwall.judge.standing import read_standing
from ringwall.judge.surroundings import DiskSurroundings
from ringwall.judge.verdict import judge
from ringwall.model.action import ToolCall
from ringwall.model.decision import Decision
from ringwall.model.surroundings import Places
from ringwall.policy.model import Policy
from ringwall.store.schema import grants, proposals, seen

_POLICIES = Policies()
_HOST = "claude"


@dataclass(frozen=True, slots=True)
class Project:
    """A project with the policy in force there, grants included."""

    places: Places
    in_force: InForce
    policy: Policy


def projects(console: Console) -> list[str]:
    """The projects that were heard of, the last one first."""
    with console.store.reading() as connection:
        heard = connection.execute(
            sa.select(seen.c.cwd).where(seen.c.cwd != "").order_by(seen.c.last.desc()).limit(200)
        ).scalars()
        asked = connection.execute(
            sa.select(proposals.c.project).order_by(proposals.c.number.desc()).limit(50)
        )
        granted = connection.execute(sa.select(grants.c.project))
        folders = [*heard, *asked.scalars(), *granted.scalars()]
    roots = dict.fromkeys(_places(console, folder).root for folder in dict.fromkeys(folders) if folder)
    return list(roots)


def project(console: Console, folder: str) -> Project:
    """The policy in force in a folder."""
    with console.store.reading() as connection:
        standing = read_standing(connection)
    places = _places(console, folder)
    trusted = standing.trusted_below(f"{places.root}/.ringwall")
    in_force = _POLICIES.in_force(places, trusted, standing.sources)
    held = standing.grants_for(places.root, "", console.desk.now())
    policy = with_grants(in_force.loaded.policy, held, places) if held else in_force.loaded.policy
    return Project(places, in_force, policy)


def what_if(console: Console, found: Project, command: str) -> Decision:
    """The decision that an agent's shell would get for `command` at the top of the project."""
    call = ToolCall(_HOST, "Bash", {"command": command}, cwd=found.places.root)
    disk = DiskSurroundings(found.places, _environ(console, found.places.root))
    return judge(call, disk, found.policy, Recall())


def _places(console: Console, folder: str) -> Places:
    return places_of(folder, _environ(console, folder), console.state)


def _environ(console: Console, folder: str) -> dict[str, str]:
    return {**console.environ, PROJECT_DIRECTORY: folder}
