"""Figures, and the table that they are printed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One row: what was measured, how much, and what it is compared with."""

    name: str
    value: float
    unit: str
    beside: str = ""  # what `ratio` compares it with
    ratio: float | None = None
    aim: str = ""
    reached: bool | None = None


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def show(figures: Sequence[Figure]) -> str:
    head = ("", "value", "unit", "ratio", "of", "aim", "")
    rows = [head, *(_cells(figure) for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = []
    for row in rows:
        cells = (
            cell.rjust(width) if column in (1, 3) else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _cells(figure: Figure) -> tuple[str, ...]:
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
    mark = "" if figure.reached is None else ("reached" if figure.reached else "MISSED")
    value = f"{figure.value:,.2f}" if figure.value < 100 else f"{figure.value:,.0f}"
    return figure.name, value, figure.unit, ratio, figure.beside, figure.aim, mark
