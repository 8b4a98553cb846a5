"""What a copy into a folder is called there."""

import pytest

from ringwall.model.surroundings import Places
from ringwall.shell.landing import landed, may_replace_registration
from ringwall.shell.understand import understand

from .world import HOME, ROOT, World

PLACES = Places(
    root=ROOT, home=HOME, registrations=(f"{ROOT}/.claude/settings.json", f"{ROOT}/opencode.json")
)
WORLD = World(files={f"{ROOT}/src/a.py": "", f"{ROOT}/.claude/settings.json": "{}"}, places=PLACES)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("cp a.py lib/b.py src", {"src/a.py", "src/b.py"}),
        ("cp -t src a.py", {"src/a.py"}),
        ("mv a.py new/", {"new/a.py"}),
        ("cp a.py b.py", set()),
        ("cp *.py src", set()),
        ("touch src", set()),
    ],
)
def test_each_source_has_its_name_in_the_folder(line: str, names: set[str]) -> None:
    argv = tuple(line.split())
    raws = understand(argv).effects
    assert {name for raw in raws for name in landed(raw, argv, ROOT, WORLD)} == names


@pytest.mark.parametrize(
    ("line", "may"),
    [
        ("cp -r x/. .claude", True),
        ("cp *.json .claude", True),
        ("tar xf a.tar -C .claude", True),
        ("cp a.txt .claude", False),
        ("tar xf a.tar -C src", False),
        ("mkdir .claude", False),
        ("tar xf a.tar", False),
        ("cp -r x/. .", False),
    ],
)
def test_names_that_are_not_known_may_be_a_registration(line: str, may: bool) -> None:
    argv = tuple(line.split())
    assert any(may_replace_registration(raw, argv, ROOT, WORLD) for raw in understand(argv).effects) is may
