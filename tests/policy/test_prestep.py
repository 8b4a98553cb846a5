"""`[prestep]`: the strongest word counts, and a project's own words only with trust."""

from __future__ import annotations

import pytest

from ringwall.policy.load import Loaded, load
from ringwall.policy.prestep import Prestep
from ringwall.policy.source import LayerFiles, PolicyFile
from ringwall.shell.analyse import command_pattern
from shell.world import World


def loaded(project: str = "", user: str = "", trusted: bool = False) -> Loaded:
    def files(text: str) -> LayerFiles:
        return LayerFiles(PolicyFile("ringwall.toml", text.encode()) if text else None)

    return load(
        places=World().places, read_command=command_pattern, project=files(project), user=files(user),
        trusted=trusted,
    )  # fmt: skip


def prestep(project: str = "", user: str = "", trusted: bool = False) -> Prestep:
    found = loaded(project, user, trusted)
    assert not found.problems
    return found.policy.prestep


def test_without_a_word_there_is_no_profile_and_everything_in_one_is_on() -> None:
    assert prestep() == Prestep()
    assert prestep(user='[prestep]\nprofile = "ru"') == Prestep("ru", "user", True, True, True)


def test_the_stronger_word_counts_key_by_key() -> None:
    project = '[prestep]\nprofile = "zh"\nrole_hint = false'
    assert prestep(project) == Prestep("zh", "project", role_hint=False)
    assert prestep(project, '[prestep]\nprofile = "en"') == Prestep("en", "user", role_hint=False)
    assert prestep(project, "[prestep]\nrole_hint = true") == Prestep("zh", "project")


def test_a_projects_own_profile_counts_only_with_trust_and_is_told_of() -> None:
    own = '[prestep]\nprofile = "own"\nharness_check = false'
    assert prestep(own) == Prestep(harness_check=False)
    assert prestep(own, trusted=True) == Prestep("own", "project", harness_check=False)
    layer = loaded(own).policy.layers[-1]
    assert [(ref.text, ref.line) for ref in layer.dropped] == [('prestep.profile = "own"', 2)]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ('[prestep]\nprofil = "ru"', "unknown_key", 2),
        ('[prestep]\nprofile = "fr"', "wrong_type", 2),
        ("[prestep]\nprofile = 3", "wrong_type", 2),
        ('[prestep]\nenabled = true\nrole_hint = "no"', "wrong_type", 3),
        ("prestep = 1", "wrong_type", 1),
    ],
)
def test_a_fault_is_told_with_its_line(text: str, code: str, line: int) -> None:
    [problem] = loaded(user=text).problems
    assert (problem.code, problem.where) == (f"policy.{code}", f"ringwall.toml:{line}")
