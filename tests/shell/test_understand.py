"""What a command does, from its words alone."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringwall.model.analysis import HOLE
from ringwall.model.effects import EFFECTS
from ringwall.shell.configuration import environment_carries
from ringwall.shell.meaning import Meaning
from ringwall.shell.understand import base_name, understand


def meaning(line: str) -> Meaning:
    return understand(tuple(shlex.split(line.replace("{?}", HOLE))))


def names(line: str) -> dict[str, bool]:
    found: dict[str, bool] = {}
    for effect in meaning(line).effects:
        found[effect.name] = found.get(effect.name, False) or effect.certain
    return found


# ---- names


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("rm", "rm"),
        ("/bin/rm", "rm"),
        ("./rm", "rm"),
        ("C:\\Tools\\Git.EXE", "git"),
        ("RM.exe", "rm"),
        ("python3.11", "python3.11"),
        ("mkfs.ext4", "mkfs.ext4"),
        ("", ""),
        ("/", ""),
    ],
)
def test_a_program_is_known_by_its_base_name(word: str, name: str) -> None:
    assert base_name(word) == name


@pytest.mark.parametrize("word", ["rm", "/bin/rm", "RM", "rm.exe", "/usr/bin/../bin/rm", "Rm.EXE"])
def test_every_spelling_of_a_program_means_the_same(word: str) -> None:
    assert names(f"'{word}' -rf x") == {"delete": True, "delete.recursive": True}


@pytest.mark.parametrize("program", ["python3.12", "pip3.11", "bash5", "mkfs.xfs", "clang-17", "ruby3.2"])
def test_versions_are_known_by_their_globs(program: str) -> None:
    assert meaning(f"{program} x").known


# ---- unknown programs


def test_an_unknown_program_is_an_unknown_tool() -> None:
    found = meaning("frobnicate --all x")
    assert not found.known
    assert [effect.name for effect in found.effects] == ["tool.unknown"]
    assert found.invocation.operands == ("--all", "x")


@pytest.mark.parametrize(
    ("line", "feared"),
    [
        ("frobnicate delete x", "data.destroy"),
        ("frob --purge", "data.destroy"),
        ("frob db:drop", "data.destroy"),
        ("frob publish", "publish"),
        ("frob deploy prod", "deploy"),
        ("frob upload a", "remote.write"),
    ],
)
def test_a_verb_of_loss_alarms(line: str, feared: str) -> None:
    assert names(line) == {"tool.unknown": True, feared: False}


@pytest.mark.parametrize("line", ["frobnicate --version", "frobnicate --help"])
def test_asking_an_unknown_program_for_its_version_only_looks(line: str) -> None:
    assert names(line) == {"observe": True}


def test_an_unknown_subcommand_is_an_unknown_tool() -> None:
    assert names("cargo frob") == {"tool.unknown": True}
    assert names("cargo frob --delete")["data.destroy"] is False


# ---- unknown words


def test_an_unknown_operand_leaves_the_effect_certain() -> None:
    assert names("rm {?}")["delete"] is True
    assert meaning("rm {?}").effects[0].target == HOLE


def test_an_unknown_option_makes_its_effect_possible() -> None:
    assert names("git reset --ha{?}")["git.discard"] is False
    assert names("rm -{?} x")["delete.recursive"] is False
    assert names("git push {?}")["git.push.force"] is False


def test_an_unknown_word_never_takes_an_effect_away() -> None:
    assert names("git clean -f {?}")["git.discard"] is False
    assert names("git push --dry{?}")["git.push"] is False


def test_an_unknown_subcommand_word_may_be_any() -> None:
    found = names("git {?}")
    assert found["git.push"] is False
    assert found["git.discard"] is False


# ---- options of programs and of their subcommands


def test_options_of_the_program_do_not_leak_into_the_subcommand() -> None:
    found = meaning("git -C sub commit -C HEAD -m x")
    assert found.invocation.path == ("commit",)
    assert dict(found.invocation.options)["-C"] == "sub"
    assert dict(found.invocation.options)["--reuse-message"] == "HEAD"


def test_an_invocation_holds_canonical_options_and_operands() -> None:
    invocation = meaning("git push -f origin main").invocation
    assert (invocation.program, invocation.path) == ("git", ("push",))
    assert invocation.options == (("--force", None),)
    assert invocation.operands == ("origin", "main")


def test_a_subcommand_of_two_words_is_found_among_options() -> None:
    assert meaning("git remote -v add x y").invocation.path == ("remote", "add")
    assert meaning("git stash").invocation.path == ("stash",)


def test_each_effect_names_the_word_it_was_read_from() -> None:
    found = meaning("cp -r a b")
    assert [(effect.target, effect.access, effect.word) for effect in found.effects] == [
        ("a", "read", 2),
        ("b", "write", 3),
    ]


# ---- carriers


def test_a_wrapper_carries_the_rest_of_its_words() -> None:
    carry = meaning("env -u A B=1 rm -rf x").carries[0]
    assert (carry.kind, carry.words, carry.env) == ("argv", (4, 5, 6), (("B", "1"),))


def test_a_carried_command_keeps_its_directory_and_its_unknown_words() -> None:
    assert meaning("env -C sub rm x").carries[0].cwd == "sub"
    assert meaning("xargs rm").carries[0].extra


def test_a_setting_of_git_carries_its_command() -> None:
    assert [carry.text for carry in meaning("git -c core.pager='sh x' log").carries] == ["sh x"]
    assert [
        carry.text for carry in meaning("git -c alias.a='push -f' a origin").carries if carry.kind == "shell"
    ] == ["git push -f origin"]
    assert not meaning("git -c user.name=x log").carries


@pytest.mark.parametrize(
    ("assignments", "kind", "text"),
    [
        ([("EDITOR", "sh -c 'rm x'")], "shell", "sh -c 'rm x'"),
        ([("GIT_SSH_COMMAND", "./run")], "shell", "./run"),
        ([("BASH_ENV", "/tmp/x.sh")], "file", "/tmp/x.sh"),
        ([("LD_PRELOAD", "/tmp/x.so")], "file", "/tmp/x.so"),
        (
            [("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "core.pager"), ("GIT_CONFIG_VALUE_0", "run me")],
            "shell",
            "run me",
        ),
        ([("GIT_CONFIG_PARAMETERS", "'core.editor=run me'")], "shell", "run me"),
    ],
)
def test_variables_that_carry_commands(assignments: list[tuple[str, str]], kind: str, text: str) -> None:
    assert [(carry.kind, carry.text) for carry in environment_carries(assignments)] == [(kind, text)]


def test_an_alias_in_the_environment_runs_with_its_arguments() -> None:
    variables = [
        ("GIT_CONFIG_KEY_0", "alias.nuke"),
        ("GIT_CONFIG_VALUE_0", "reset"),
        ("GIT_CONFIG_COUNT", "1"),
    ]
    carries = environment_carries(variables, ("git", "nuke", "--hard"))
    assert [(carry.text, carry.certain) for carry in carries] == [("git reset --hard", True)]
    assert not environment_carries(variables, ("git", "status"))[0].certain


@pytest.mark.parametrize(
    "assignment", [("LANG", "C"), ("EDITOR", ""), ("GIT_PAGER", "false"), ("FOO", "rm -rf /")]
)
def test_other_variables_carry_nothing(assignment: tuple[str, str]) -> None:
    assert environment_carries([assignment]) == ()


# ---- any words


WORD = st.one_of(
    st.sampled_from(
        [
            "git",
            "rm",
            "find",
            "tar",
            "sudo",
            "env",
            "xargs",
            "-r",
            "-rf",
            "--",
            "-c",
            "--hard",
            "push",
            "reset",
            "{}",
            ";",
            "+",
            ":::",
            "a=b",
            "-exec",
            "-delete",
            "x.sh",
            "$X",
            "--help",
            "npm",
            "run",
            "sed",
            "-i",
        ]
    ),
    st.text(alphabet="-=+ab/.*\x00'\n", max_size=6),
)


@given(st.lists(WORD, min_size=1, max_size=9))
def test_any_words_have_a_meaning(words: list[str]) -> None:
    found = understand(tuple(words))
    assert found == understand.__wrapped__(tuple(words))
    assert found.effects or found.carries
    assert all(effect.name in EFFECTS for effect in found.effects)
    assert all(0 <= at < len(words) for carry in found.carries for at in carry.words)
    assert all(effect.word < len(words) for effect in found.effects)
