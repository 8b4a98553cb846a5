"""How well the engines group labelled notes. `python -m benchmarks.grouping [NOTES.jsonl] [ENGINE …]`.

A note has a `theme`, or none where it stands alone. Pure: all notes of a group have the same theme. The
baseline is the same encoder without its background taken away and one threshold for all.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.table import Figure, show
from ringwall.harvest.grouping.engine import Engine, Request
from ringwall.harvest.grouping.engines import engine_named
from ringwall.harvest.model import Correction

NOTES = Path(__file__).parents[1] / "tests" / "harvest" / "data" / "notes.jsonl"


class Plain:
    """The baseline."""

    name = "baseline: vectors as they are"
    version = "1"

    def group(self, request: Request) -> bytes:
        from ringwall.harvest.grouping.likeness import _encoder, spoken
        from ringwall.harvest.grouping.linkage import Nearness, groups

        vectors = _encoder().encode([spoken(each.note) for each in request.corrections])
        found = groups(1 - vectors @ vectors.T, Nearness(0.45, 0.45))
        ids = [[request.corrections[each].id for each in group] for group in found]
        return json.dumps({"clusters": [{"correction_ids": each, "essence": "-"} for each in ids]}).encode()


def measure(path: Path, engines: list[Engine]) -> list[Figure]:
    rows = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
    request = Request([_correction(row) for row in rows])
    themes = {row["id"]: row.get("theme") for row in rows}
    figures: list[Figure] = []
    for engine in engines:
        engine.group(request)
        begun = time.perf_counter()
        answer = json.loads(engine.group(request))
        took = (time.perf_counter() - begun) * 1000
        figures += _figures(engine.name, [each["correction_ids"] for each in answer["clusters"]], themes)
        figures.append(Figure(f"{engine.name}: time", took, f"ms for {len(rows)} notes"))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [*figures, Figure("memory at most", memory, "MB")]


def _figures(name: str, clusters: list[list[str]], themes: dict[str, Any]) -> list[Figure]:
    pure = [each for each in clusters if len({themes[id] for id in each}) == 1 and themes[each[0]]]
    alone = [id for each in clusters for id in each if not themes[id]]
    known = {theme for theme in themes.values() if theme}
    return [
        Figure(f"{name}: groups proposed", len(clusters), ""),
        Figure(f"{name}: pure", len(pure), "", "proposed", len(pure) / max(len(clusters), 1)),
        Figure(f"{name}: themes hit", len({themes[each[0]] for each in pure}), f"of {len(known)}"),
        Figure(f"{name}: notes that stand alone, touched", len(alone), ""),
    ]


def _correction(row: dict[str, Any]) -> Correction:
    return Correction(
        row["id"], "0" * 16, "notes", row["agent"], row["incarnation"], row["event"], row["event_seq"], "",
        row["note"],
    )  # fmt: skip


if __name__ == "__main__":
    notes = Path(sys.argv[1]) if sys.argv[1:] else NOTES
    chosen = [engine_named(name, {}) for name in sys.argv[2:] or ("embedded", "embedded-wide")]
    print(show(measure(notes, [Plain(), *chosen])))
