"""How much of some files has been read, told on stderr and only to a person."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from ringwall.cli.catalogue import _


@contextmanager
def reading_bar(files: Sequence[str]) -> Iterator[Callable[[int], None]]:
    """Within it, the function that is told of each number of bytes read; a bar where stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(_("reading"), total=_size(files) or None)
        yield lambda count: progress.advance(task, count)


def _size(files: Sequence[str]) -> int:
    total = 0
    for path in files:
        with suppress(OSError, ValueError):
            total += os.stat(path).st_size
    return total
