"""Commands of hosted services and their tools, written from memory of their use, judged in preset guarded.

`services.jsonl` was written before the tables were looked at: the first part in whole, the rest to see
whether what was mended holds for commands that it was not mended for.
"""

from __future__ import annotations

import pytest

from ringwall.model.verdict import Verdict

from .conftest import Judged
from .rows import OWN, rows

AT_LEAST = {"dangerous": 97.0, "external": 99.0}
SAFE_AT_MOST = 4.0
SERVICES = rows(OWN / "services.jsonl")


@pytest.mark.parametrize("expect", AT_LEAST)
def test_a_service_is_not_changed_unasked(expect: str, judged: Judged) -> None:
    of_class = [row.command for row in SERVICES if row.expect == expect]
    missed = [command for command in of_class if judged(command).verdict is Verdict.ALLOW]
    assert 100 * (1 - len(missed) / len(of_class)) >= AT_LEAST[expect], "\n".join(missed)


def test_looking_at_a_service_is_not_interrupted(judged: Judged) -> None:
    safe = [row.command for row in SERVICES if row.expect == "safe"]
    asked = [command for command in safe if judged(command).verdict is not Verdict.ALLOW]
    assert 100 * len(asked) / len(safe) <= SAFE_AT_MOST, "\n".join(asked)


def test_many_programs_are_asked_about() -> None:
    assert len({row.command.split()[0] for row in SERVICES}) >= 120
