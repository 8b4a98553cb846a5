"""Every row of every knowledge table compiles, and does what its own examples say."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import ringwall.shell
from ringwall.model.analysis import HOLE
from ringwall.model.effects import covers
from ringwall.shell.meaning import Meaning
from ringwall.shell.rows import KnowledgeError, Row
from ringwall.shell.tables import FAMILIES, Program, Tables, tables
from ringwall.shell.understand import understand

FOLDER = Path(ringwall.shell.__file__).parent / "knowledge"
NOT_ROWS = {"verbs", "places", "settings"}


def raw_rows() -> Iterator[tuple[str, dict[str, object]]]:
    for family in FAMILIES:
        for raw in tomllib.loads((FOLDER / f"{family}.toml").read_text())["command"]:
            yield f"{family}: {raw['names'][0]}", raw


ROWS = list(raw_rows())


def reading(line: str) -> Meaning:
    """The meaning of an example's command line; `{?}` stands for an unknown part."""
    return understand(tuple(shlex.split(line.replace("{?}", HOLE))))


def holds(line: str, expected: str) -> bool:
    """`<effect> [target]`, `?<effect>` for a possible one, or `runs <kind> <text>`."""
    meaning = reading(line)
    if expected.startswith("runs "):
        _, kind, text = (*expected.split(" ", 2), "")[:3]
        return any(
            carried(line, carry.words, carry.text, text) for carry in meaning.carries if carry.kind == kind
        )
    name, _, target = expected.partition(" ")
    certain = not name.startswith("?")
    name = name.removeprefix("?")
    return any(
        (covers(name, raw.name) or (name == "read" and raw.access == "read"))
        and raw.certain is certain
        and (not target or raw.target == target.replace("{?}", HOLE))
        for raw in meaning.effects
    )


def carried(line: str, words: tuple[int, ...], text: str | None, expected: str) -> bool:
    argv = shlex.split(line.replace("{?}", HOLE))
    found = text if text is not None else " ".join(argv[at] for at in words)
    return not expected or found == expected.replace("{?}", HOLE)


def absent(line: str, name: str) -> bool:
    """Nothing of the kind, not even a possible one."""
    meaning = reading(line)
    if name.startswith("runs"):
        kind = name.removeprefix("runs").strip()
        return not any(not kind or carry.kind == kind for carry in meaning.carries)
    return not any(
        covers(name, raw.name) or (name == "read" and raw.access == "read") for raw in meaning.effects
    )


def test_every_file_is_a_family_and_every_family_a_file() -> None:
    assert {path.stem for path in FOLDER.glob("*.toml")} - NOT_ROWS == set(FAMILIES)


def test_no_program_has_two_rows() -> None:
    assert [str(problem) for problem in tables().problems] == []


@pytest.mark.parametrize("family", FAMILIES)
def test_the_index_finds_what_toml_finds(family: str) -> None:
    text = (FOLDER / f"{family}.toml").read_text()
    whole = tomllib.loads(text)["command"]
    found = list(Tables({family: text}))
    assert [program.row.names for program in found] == [tuple(raw["names"]) for raw in whole]
    for program, raw in zip(found, whole, strict=True):
        assert [row.names for row in program.all_subs()] == [
            tuple(sub["names"]) for sub in raw.get("sub", ())
        ]
        assert [str(problem) for problem in program.problems] == []


@pytest.mark.parametrize(("where", "raw"), ROWS, ids=[where for where, _ in ROWS])
def test_a_row_does_what_its_examples_say(where: str, raw: dict[str, list[dict[str, list[str]]]]) -> None:
    wrong = []
    for part in (raw, *raw.get("sub", ())):
        for example in part.get("match", ()):
            line, _, expected = str(example).rpartition(" => ")
            if not holds(line, expected):
                wrong.append(f"{where}: expected {example}\n    found {reading(line)}")
        for example in part.get("no_match", ()):
            line, _, unwanted = str(example).rpartition(" => ")
            if not absent(line, unwanted):
                wrong.append(f"{where}: did not expect {example}\n    found {reading(line)}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ('colour = "red"', "knowledge.unknown_key"),
        ('effects = ["delete.everything"]', "knowledge.unknown_effect"),
        ('effects = ["delete path"]', "knowledge.bad_row"),
        ('effects = ["observe if --colour"]', "knowledge.bad_row"),
        ('runs = ["ritual"]', "knowledge.bad_row"),
        ('stop = "--colour"', "knowledge.bad_row"),
        ('verb_effects = { read = "peek" }', "knowledge.unknown_effect"),
        ("effects = [", "knowledge.not_toml"),
    ],
)
def test_a_bad_row_is_named(row: str, code: str) -> None:
    faulty = Tables({"sample": f'[[command]]\nnames = ["good"]\n\n[[command]]\nnames = ["bad"]\n{row}\n'})
    assert faulty.program("good") is not None
    with pytest.raises(KnowledgeError) as caught:
        faulty.program("bad")
    assert (caught.value.code, caught.value.where) == (code, "sample.toml bad")


def test_a_bad_subcommand_is_named() -> None:
    text = '[[command]]\nnames = ["tool"]\n\n[[command.sub]]\nnames = ["go"]\nalways = []\n'
    program = Tables({"sample": text}).program("tool")
    assert program is not None
    with pytest.raises(KnowledgeError) as caught:
        program.sub("go")
    assert caught.value.where == "sample.toml tool go"


def test_a_second_row_for_a_program_is_a_problem_and_the_first_is_used() -> None:
    found = Tables(
        {"one": '[[command]]\nnames = ["a"]\n', "two": '[[command]]\nnames = ["a"]\nposix = true\n'}
    )
    program = found.program("a")
    assert isinstance(program, Program)
    assert program.row.posix == 0
    assert [problem.where for problem in found.problems] == ["two.toml a"]


def test_a_row_is_compiled_once() -> None:
    assert isinstance(tables().program("rm"), Program)
    assert tables().program("rm") is tables().program("grm")
    assert isinstance(tables().program("rm").row, Row)  # type: ignore[union-attr]
