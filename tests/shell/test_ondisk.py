"""Task files: one level on disk."""

from __future__ import annotations

import json

import pytest

from ringwall.model.analysis import HOLE
from ringwall.shell.ondisk import Step, just_recipe, makefile, package_script, recipe_of

from .world import ROOT, World, analysed, argvs, effects

MAKEFILE = """\
.PHONY: all test
DIR := build
DIR ?= other
FLAGS = -q
FLAGS += -v

all: test lint  # the usual
test: prepare
\t@pytest $(FLAGS) \\
\t  tests
prepare:
\tmkdir -p $(DIR)
lint: ; ruff check $@
wipe:
\trm -rf $(HOME)/x $$HOME
%.o: %.c
\t$(CC) -c $<
help:
\t@echo "git push"
"""


def texts(steps: list[Step] | None) -> list[str]:
    assert steps is not None
    return [step.text for step in steps]


def test_a_target_runs_its_prerequisites_first() -> None:
    make = makefile(MAKEFILE)
    assert make.first == "all"
    assert texts(recipe_of(make, "all")) == [
        "mkdir -p build",
        "pytest -q -v \\\n\t  tests",
        "ruff check lint",
    ]


def test_lines_are_those_of_the_file() -> None:
    steps = recipe_of(makefile(MAKEFILE), "test")
    assert steps is not None
    assert [step.line for step in steps] == [12, 9]


def test_unknown_variables_are_holes_and_dollars_are_the_shells() -> None:
    assert texts(recipe_of(makefile(MAKEFILE), "wipe")) == [f"rm -rf {HOLE}/x $HOME"]


def test_pattern_rules() -> None:
    assert texts(recipe_of(makefile(MAKEFILE), "a.o")) == ["cc -c a.c"]


def test_an_unknown_target_has_no_recipe() -> None:
    assert recipe_of(makefile(MAKEFILE), "absent") is None


def test_prerequisites_that_go_round_end() -> None:
    assert texts(recipe_of(makefile("a: b\n\techo a\nb: a\n\techo b\n"), "a")) == ["echo b", "echo a"]


def test_make_shell_functions_run() -> None:
    assert texts(recipe_of(makefile("a:\n\techo $(shell git push)\n"), "a")) == ["echo $(git push)"]


def test_package_scripts_with_their_neighbours() -> None:
    text = json.dumps({"scripts": {"prex": "echo 1", "x": "echo 2", "postx": "echo 3"}}, indent=2)
    assert package_script(text, "x") == [Step("echo 1", 3), Step("echo 2", 4), Step("echo 3", 5)]
    assert package_script(text, "absent") is None
    assert package_script("{", "x") is None
    assert package_script("[]", "x") is None


def test_just_recipes_with_their_dependencies() -> None:
    text = (
        "v := 'out'\n\ndefault: build\n\nbuild target='x': clean\n    @make {{target}}\n\n"
        "clean:\n    rm -r {{v}}\n"
    )
    assert just_recipe(text, "") == [Step("rm -r out", 9), Step(f"make {HOLE}", 6)]
    assert just_recipe(text, "absent") is None


# ---- through the walk


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("make ship", {"Makefile": "ship: build\n\tgit push\nbuild:\n\ttrue\n"}),
        ("make", {"Makefile": "ship:\n\tgit push\n"}),
        ("make -f other.mk ship", {"other.mk": "ship:\n\tgit push\n"}),
        ("make -C sub ship", {"sub/Makefile": "ship:\n\tgit push\n"}),
        ("cd sub && make ship", {"sub/Makefile": "ship:\n\tgit push\n"}),
        ("make ship CMD='git push'", {"Makefile": "ship:\n\t$(CMD)\n"}),
        ("npm run ship", {"package.json": '{"scripts": {"ship": "git push"}}'}),
        ("npm run ship", {"package.json": '{"scripts": {"preship": "git push", "ship": "true"}}'}),
        ("npm test", {"package.json": '{"scripts": {"test": "git push"}}'}),
        ("yarn ship", {"package.json": '{"scripts": {"ship": "git push"}}'}),
        ("pnpm run ship", {"package.json": '{"scripts": {"ship": "git push"}}'}),
        ("just ship", {"justfile": "ship:\n    git push\n"}),
        ("bash ship.sh", {"ship.sh": "set -e\ngit push\n"}),
        ("./ship", {"ship": "#!/usr/bin/env bash\ngit push\n"}),
        ("source ship.sh", {"ship.sh": "git push\n"}),
        ("source lib.sh; ship", {"lib.sh": "ship() { git push; }\n"}),
        ("python3 ship.py", {"ship.py": "import os\nos.system('git push')\n"}),
        ("node ship.js", {"ship.js": "require('child_process').execSync('git push')\n"}),
        ("make ship", {"Makefile": "ship:\n\tbash ship.sh\n", "ship.sh": "git push\n"}),
        ("bash < ship.sh", {"ship.sh": "git push\n"}),
        ("cat ship.sh | bash", {"ship.sh": "git push\n"}),
    ],
)
def test_what_lies_on_disk_is_read_before_it_runs(text: str, files: dict[str, str]) -> None:
    world = World(files={f"{ROOT}/{name}": content for name, content in files.items()})
    analysis = analysed(text, world)
    assert ("git", "push") in [command.argv for command in analysis.commands]
    assert {file.path for file in analysis.files} == set(world.files)
    assert all(file.digest.startswith("sha256:") for file in analysis.files)


def test_the_line_of_the_recipe_is_told() -> None:
    world = World(files={f"{ROOT}/Makefile": "a:\n\ttrue\n\tgit push\n"})
    push = next(e for e in analysed("make a", world).effects if e.name == "git.push")
    assert push.via == ("make", "Makefile:3")


def test_git_aliases_are_read() -> None:
    world = World(aliases={"ship": "push --force", "boom": "!rm -rf /"})
    assert ("git", "push", "--force", "origin") in argvs("git ship origin", world)
    assert "catastrophic" in effects("git boom", world)


def test_absent_task_files_leave_the_run() -> None:
    assert effects("make test") == {"code.run"}
    assert effects("npm run build") == {"code.run"}


def test_a_script_that_runs_itself_ends() -> None:
    world = World(files={f"{ROOT}/x.sh": "bash x.sh\ngit push\n"})
    assert ("git", "push") in argvs("bash x.sh", world)
