"""`[wall]`: where plans may be written and who reviews them."""

from __future__ import annotations

import pytest

from policy.world import loaded, policy, settings
from ringwall.policy.load import LayerFiles
from ringwall.policy.wall import FOLDERS, Wall

REVIEWED = '[wall]\nfolders = ["notes/plans/"]\nmentor = ["mentor", "--json"]\njudge = ["judge"]\n'


def layer(text: str) -> LayerFiles:
    return LayerFiles(settings=settings(text))


def test_without_a_word_the_usual_folders_count_and_nobody_reviews() -> None:
    assert policy().wall == Wall(FOLDERS, (), ())


def test_the_strongest_layer_that_names_a_key_counts() -> None:
    found = policy(project=layer(REVIEWED), user=layer('[wall]\njudge = ["mine"]')).wall
    assert found == Wall(("notes/plans",), ("mentor", "--json"), ("mine",))


def test_a_project_that_nobody_trusts_opens_no_folder_and_runs_no_command() -> None:
    assert policy(project=layer(REVIEWED), trusted=False).wall == Wall()


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ('[wall]\nfolder = ["a"]', "policy.unknown_key", "ringwall.toml:2"),
        ('[wall]\nfolders = "plans"', "policy.wrong_type", "ringwall.toml:2"),
        ('[wall]\nmentor = "mentor --json"', "policy.wrong_type", "ringwall.toml:2"),
        ('[wall]\nfolders = ["/etc"]', "policy.wall_folder", "ringwall.toml:2"),
        ('[wall]\nfolders = ["../x"]', "policy.wall_folder", "ringwall.toml:2"),
        ('[wall]\nfolders = ["."]', "policy.wall_folder", "ringwall.toml:2"),
        ("wall = 1", "policy.wrong_type", "ringwall.toml:1"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, code: str, place: str) -> None:
    found = loaded(user=layer(text)).problems
    assert [(problem.code, problem.where) for problem in found] == [(code, place)]
