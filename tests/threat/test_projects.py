"""No arrangement of folders leads out of a project's policy, or makes a foreign place part of the project."""

import os
import subprocess

import pytest

from ringwall.judge import standing
from ringwall.judge.git import worktrees
from ringwall.judge.places import project
from ringwall.model.canonical import digest_bytes

from .conftest import Ground

DENY = {"permissions": {"deny": ["Bash(npm publish:*)", "Bash(touch:*)"]}}


def test_a_repository_made_inside_leads_out_of_no_policy(ground: Ground) -> None:
    ground.write(".ringwall/permissions.json", DENY)
    inner = ground.project / "src"
    assert ground.verdict("touch x", env={"CLAUDE_PROJECT_DIR": str(inner)}) == "deny"
    subprocess.run(["git", "init", "-q", str(inner)], check=True)
    assert project(str(inner), str(ground.home)) == str(ground.project)


def test_a_policy_that_another_user_put_there_is_no_project(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = ground.home / "code/.ringwall"
    planted.mkdir()
    if os.geteuid() == 0:
        os.chown(planted, 12345, 12345)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert project(str(ground.project), str(ground.home)) == str(ground.project)


@pytest.mark.parametrize("pointer", ["gitdir: ../../.git", "gitdir: ../other/.git"])
def test_a_git_file_makes_no_foreign_folder_part_of_the_project(ground: Ground, pointer: str) -> None:
    subprocess.run(["git", "init", "-q", str(ground.home / "code/other")], check=True)
    unpacked = ground.home / "code/unpacked"
    unpacked.mkdir()
    (unpacked / ".git").write_text(f"{pointer}\n")
    assert worktrees(str(unpacked)) == ()


def test_a_git_folder_that_names_a_foreign_repository_adds_no_place(ground: Ground) -> None:
    other = ground.home / "code/other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    (ground.project / ".git/commondir").write_text("../../other/.git\n")
    assert worktrees(str(ground.project)) == ()


def test_linked_working_trees_know_each_other(ground: Ground) -> None:
    tree = ground.home / "code/tree"
    git = ["git", "-C", str(ground.project), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tree)], check=True)
    assert worktrees(str(tree)) == (str(ground.project),)
    assert worktrees(str(ground.project)) == (str(tree),)


def test_what_was_trusted_earlier_is_trusted_no_more(ground: Ground) -> None:
    loose, tight = b'{"permissions": {"allow": ["Effect(git.discard)"]}}', b'{"permissions": {"deny": []}}'
    file = ground.write(".ringwall/permissions.json", loose.decode())
    for content in (loose, tight):
        with ground.judge.journal.writing() as entry:
            standing.trust(entry, str(file), digest_bytes(content))
        if content == loose:
            ground.judge._standing = None
            assert ground.verdict("git reset --hard") == "allow"
    ground.judge._standing = None
    assert ground.verdict("git reset --hard") == "ask"


def test_a_policy_that_was_removed_does_not_come_back_with_a_broken_one(ground: Ground) -> None:
    file = ground.write(
        "~/.config/ringwall/permissions.json", {"permissions": {"allow": ["Effect(git.discard)"]}}
    )
    assert ground.verdict("git reset --hard") == "allow"
    file.unlink()
    assert ground.verdict("git reset --hard") == "ask"
    ground.write("~/.config/ringwall/permissions.json", "{")
    assert ground.verdict("git reset --hard") == "ask"


@pytest.mark.parametrize("folder", ["/etc", "/usr/local", "/"])
def test_the_system_is_no_scratch(ground: Ground, folder: str) -> None:
    assert ground.verdict(f"touch {folder}/x", env={"TMPDIR": folder}) == "ask"
