"""The tools that propose outward acts."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import anyio
import pytest

from ringwall.judge.desk import Desk, Yes
from ringwall.mcp.tools import Answer, Site, call
from ringwall.store.paths import StateDir

ANN = "person:ann"


@pytest.fixture
def site(project: Path, environ: dict[str, str], state: StateDir) -> Site:
    git = ["git", "-C", str(project), "-c", "user.name=a", "-c", "user.email=a@example.com"]
    remote = project.parent / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", str(remote)], check=True, env=environ)
    subprocess.run([*git, "remote", "add", "origin", str(remote)], check=True, env=environ)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first thing"], check=True, env=environ)
    return Site(str(project), environ, state)


def answer(site: Site, name: str, /, **given: Any) -> Answer:
    return anyio.run(call, name, given, site)


def test_a_push_is_proposed_decided_and_done_once(site: Site) -> None:
    asked = answer(site, "propose_git_push", branch="topic", wait=0)
    assert not asked.failed and "ringwall approve 1" in asked.text
    desk = Desk(site.state)
    proposal = desk.one(1)
    assert proposal.requester == "agent:mcp" and "first thing" in proposal.content["preview"][1]
    desk.approve(Yes(1, proposal.binding, ANN))
    done = answer(site, "propose_git_push", branch="topic", wait=0)
    assert done.data is not None and done.data["exit"] == 0
    again = answer(site, "propose_git_push", branch="topic", wait=0)
    assert again.data is not None and again.data["proposal"] == 2
    desk.reject(2, desk.one(2).binding, ANN, "not twice")
    desk.close()
    told = answer(site, "propose_git_push", branch="topic", wait=0)
    assert told.failed and "not twice" in told.text


@pytest.mark.parametrize(
    ("tool", "given", "code"),
    [
        ("propose_git_push", {"branch": "--mirror"}, "propose.name"),
        ("propose_merge", {"branch": "nowhere"}, "propose.no_commit"),
        ("propose_deploy", {"name": "staging"}, "propose.no_deployment"),
        ("propose_pr_merge", {"number": 0}, "arguments"),
        ("propose_git_push", {"wait": 10_000}, "arguments"),
        ("propose_pr_open", {}, "arguments"),
    ],
)
def test_what_cannot_be_proposed_says_why(site: Site, tool: str, given: dict[str, Any], code: str) -> None:
    refused = answer(site, tool, **given)
    assert refused.failed and code in refused.text
