"""How far a long piece of work has come, told on stderr and only to a person."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from ringwall.cli.catalogue import _

Item = TypeVar("Item")


def counted(items: Iterable[Item]) -> Iterator[Item]:
    """The items, counted on stderr while they pass, where stderr is a terminal and stdout is not."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description} {task.completed}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(_("calls judged:"), total=None)
        for item in items:
            yield item
            progress.advance(task)
