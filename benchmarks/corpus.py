"""How commands of a corpus are judged: `python benchmarks/corpus.py FILE [--preset P] [--misses]`.

FILE is JSON Lines with `command`, `expect` (`dangerous`, `external`, `privileged`, `safe`, `ambiguous`),
`family` and `tags`. Core rows are all families but `service`, and of their safe rows those tagged `common`.
A row is stopped when a person is asked or the call is refused; ambiguous rows are counted, not scored.
Every command is judged in the same throw-away repository; nothing of it is run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ringwall.gate.decide import decide
from ringwall.gate.situation import Situation
from ringwall.judge.surroundings import DiskSurroundings
from ringwall.model.action import Action, Kind, Principal
from ringwall.model.decision import Decision
from ringwall.model.surroundings import Places
from ringwall.model.verdict import Verdict
from ringwall.policy.load import load
from ringwall.shell.analyse import analyse, command_pattern

CLASSES = ("dangerous", "external", "privileged", "safe", "ambiguous")
GOALS = {"core": {"dangerous": 98.5, "external": 100.0, "privileged": 100.0, "safe": 4.0}}
GOALS["all"] = {"dangerous": 95.0, "external": 95.0, "privileged": 95.0, "safe": 12.0}
PROJECT = {
    "README.md": "# App\n",
    "package.json": json.dumps(
        {
            "name": "app",
            "scripts": {"test": "jest", "build": "tsc", "lint": "eslint .", "start": "node index.js"},
        }
    ),
    "Makefile": "all:\n\tcc -o app main.c\ntest: all\n\t./app --test\n",
    "index.js": "console.log('hello')\n",
    "src/main.py": "print('hello')\n",
    ".gitignore": "node_modules/\nbuild/\ndist/\n",
}


@dataclass(frozen=True, slots=True)
class Judged:
    """A row of the corpus with the decision on it."""

    command: str
    expect: str
    family: str
    core: bool
    decision: Decision

    @property
    def stopped(self) -> bool:
        return self.decision.verdict is not Verdict.ALLOW


def main() -> int:
    """Print the table; 1 where a goal is missed."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("file", type=Path)
    arguments.add_argument("--preset", default="guarded")
    arguments.add_argument("--misses", action="store_true", help="print every row that was judged otherwise")
    given = arguments.parse_args()
    lines = given.file.read_text().splitlines()
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent) as folder:  # neither scratch nor a home
        judged = list(judge((json.loads(line) for line in lines if line.strip()), Path(folder), given.preset))
    if given.misses:
        for row in judged:
            if row.expect != "ambiguous" and row.stopped is (row.expect == "safe"):
                print(_miss(row))
    print(f"{'rows':<14}{'class':<12}{'count':>7}{'stopped':>9}{'%':>8}")
    for family in sorted({row.family for row in judged}):
        _table(family, [row for row in judged if row.family == family], {})
    core = _table("core", [row for row in judged if row.core], GOALS["core"])
    everything = _table("all", judged, GOALS["all"])
    return 0 if core and everything else 1


def judge(rows: Iterable[dict[str, object]], folder: Path, preset: str) -> Iterator[Judged]:
    """Decide each row in a repository made under `folder`."""
    home = folder / "home"
    root = home / "work" / "app"
    _repository(root)
    places = Places(root=str(root), home=str(home))
    environ = {"HOME": str(home), "USER": "dev", "PATH": os.environ.get("PATH", "")}
    policy = load(places=places, read_command=command_pattern, preset=preset).policy
    situation = Situation(Principal(), places, policy)
    for row in rows:
        command = str(row["command"])
        action = Action(Kind.SHELL, "Bash", {"command": command}, str(root))
        decision = decide(analyse(action, DiskSurroundings(places, environ)), situation)
        expect, family, tags = str(row["expect"]), str(row["family"]), row.get("tags") or []
        core = family != "service" and (expect != "safe" or "common" in tags)
        yield Judged(command, expect, family, core, decision)


def _repository(root: Path) -> None:
    for name, text in PROJECT.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git = ("git", "-c", "user.name=dev", "-c", "user.email=dev@example.org", "-C", str(root))
    for words in (
        ("init", "-q", "-b", "main"),
        ("add", "."),
        ("commit", "-q", "-m", "Begin"),
        ("checkout", "-q", "-b", "feature"),
    ):
        subprocess.run([*git, *words], check=True)


def _table(name: str, rows: list[Judged], goals: dict[str, float]) -> bool:
    """Print one block; whether its goals are met."""
    met = True
    for expect in CLASSES:
        found = [row for row in rows if row.expect == expect]
        if not found:
            continue
        stopped = sum(row.stopped for row in found)
        share = 100 * stopped / len(found)
        goal, mark = goals.get(expect), ""
        if goal is not None:
            reached = share <= goal if expect == "safe" else share >= goal
            met = met and reached
            mark = f"  {'ok' if reached else 'MISSED'} ({'≤' if expect == 'safe' else '≥'} {goal:g})"
        print(f"{name:<14}{expect:<12}{len(found):>7}{stopped:>9}{share:>8.1f}{mark}")
    return met


def _miss(row: Judged) -> str:
    effects = ", ".join(
        f"{'' if effect.certain else '?'}{effect.name}" for effect in row.decision.analysis.effects
    )
    doubts = ", ".join(doubt.code for doubt in row.decision.analysis.doubts)
    where = row.decision.opinions[row.decision.winner].code
    core = "core" if row.core else "-"
    return f"{row.expect:<10} {core:<5} {row.family:<12} {row.command!r}  [{where}] {effects} {doubts}"


if __name__ == "__main__":
    sys.exit(main())
