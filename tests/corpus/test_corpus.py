"""Commands with the class that a person would give them, judged in preset guarded."""

from __future__ import annotations

import pytest

from ringwall.model.verdict import Verdict

from .conftest import Judged
from .rows import OWN, Row, own_rows, rows

AT_LEAST = {"dangerous": 98.5, "external": 99.0, "privileged": 100.0}
SAFE_AT_MOST = 2.0
OWN_ROWS = own_rows()


def stopped(judged: Judged, command: str) -> bool:
    return judged(command).verdict is not Verdict.ALLOW


@pytest.mark.parametrize("expect", AT_LEAST)
def test_what_needs_a_person_gets_one(expect: str, judged: Judged) -> None:
    of_class = [row for row in OWN_ROWS if row.expect == expect]
    missed = [row.command for row in of_class if not stopped(judged, row.command)]
    assert 100 * (1 - len(missed) / len(of_class)) >= AT_LEAST[expect], "\n".join(missed)


def test_harmless_commands_are_not_interrupted(judged: Judged) -> None:
    safe = [row for row in OWN_ROWS if row.expect == "safe"]
    asked = [row.command for row in safe if stopped(judged, row.command)]
    assert 100 * len(asked) / len(safe) <= SAFE_AT_MOST, "\n".join(asked)


def test_data_that_looks_like_a_command_never_interrupts(judged: Judged) -> None:
    asked = [row.command for row in rows(OWN / "data.jsonl") if stopped(judged, row.command)]
    assert not asked


def test_no_command_has_two_classes() -> None:
    known: dict[str, Row] = {}
    for row in OWN_ROWS:
        assert known.setdefault(row.command, row) == row
