"""The calls of the past that `learn` and `replay` look at, as the command line names them.

Invariant: only the journal of this user and the paths that were named are read; what cannot be read is
counted, and the first faults are kept to be shown.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import click

from ringwall.cli.catalogue import _
from ringwall.cli.journal import opened
from ringwall.cli.options import since, until
from ringwall.cli.output import Line, paragraph
from ringwall.cli.reading_bar import reading_bar
from ringwall.cli.summary import call_words
from ringwall.cli.visible import visible_line
from ringwall.journal.read import Filter
from ringwall.judge.bench import Bench, Judged
from ringwall.judge.past import Fault, Past, files_at, from_file, from_journal
from ringwall.judge.standing import Standing, read_standing
from ringwall.model.decision import RuleRef
from ringwall.model.errors import RingwallError
from ringwall.model.text import msg
from ringwall.store.paths import locate

Function = TypeVar("Function", bound=Callable[..., Any])

MOST_FAULTS = 20
_LONGEST = 300


def past_options(function: Function) -> Function:
    """`PATH...`, `--journal`, `--session`, `--since`, `--until` and `--cwd`."""
    for option in (
        click.option(
            "--cwd", type=click.Path(file_okay=False), metavar="DIR",
            help=_("Judge as if every call were made in DIR (default: where it was made)."),
        ),
        until,
        since,
        click.option("--session", default="", metavar="ID", help=_("Only what is about this session.")),
        click.option("--journal", is_flag=True, help=_("Read the journal as well as the files.")),
        click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path(exists=True)),
    ):  # fmt: skip
        function = option(function)
    return function


@dataclass(slots=True)
class Source:
    """Where calls come from. Without a path it is the journal. `faults` fills while they are read."""

    paths: tuple[str, ...]
    journal: bool = False
    session: str = ""
    since: str = ""
    until: str = ""
    cwd: str | None = None
    faults: list[Fault] = field(default_factory=list)
    fault_count: int = 0

    def calls(self) -> Iterator[Past]:
        """The calls, in the order in which they stand there."""
        files = files_at(self.paths)
        with ExitStack() as stack:
            if self.journal or not self.paths:
                store = stack.enter_context(opened())
                if store is not None:
                    connection = stack.enter_context(store.reading())
                    wanted = Filter(subject=self.session, since=self.since, until=self.until)
                    yield from self._sound(from_journal(connection, wanted))
            progress = stack.enter_context(reading_bar(files))
            for path in files:
                yield from self._sound(from_file(path, progress))

    def judged(self, judging: Bench) -> Iterator[tuple[Past, Judged]]:
        """The calls with their decisions; one that makes Ringwall fail is a fault like any other."""
        for past in self.calls():
            try:
                found = judging.judge(past.call)
            except RingwallError:
                raise
            except Exception as error:
                kind = type(error).__name__
                self._note(Fault(past.where, msg("Ringwall failed while judging it ({kind})", kind=kind)))
            else:
                yield past, found

    def _note(self, fault: Fault) -> None:
        self.fault_count += 1
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(fault)

    def _sound(self, found: Iterator[Past | Fault]) -> Iterator[Past]:
        for one in found:
            if isinstance(one, Fault):
                self._note(one)
            elif not self.session or one.call.session == self.session:
                yield replace(one, call=replace(one.call, cwd=self._directory(one.call.cwd)))

    def _directory(self, made_in: str) -> str:
        if self.cwd is not None:
            return os.path.abspath(self.cwd)
        return made_in if made_in.startswith("/") else os.getcwd()


def bench(policy_dir: str | None = None, preset: str | None = None) -> Bench:
    """Where calls are judged again, with what people have settled in the journal."""
    standing = Standing()
    with opened() as store:
        if store is not None:
            with store.reading() as connection:
                standing = read_standing(connection)
    return Bench(locate(os.environ), standing, os.environ, policy_dir, preset or "")


def shown_call(past: Past) -> str:
    """A call on one line, safe to show."""
    words = visible_line(call_words(past.call.tool, past.call.input)[: _LONGEST + 1])
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"


def faults_shown(source: Source) -> Iterator[Line]:
    """What could not be read."""
    if not source.fault_count:
        return
    yield ()
    yield from paragraph(msg("Passed over because it cannot be read: {count}", count=source.fault_count))
    for fault in source.faults:
        yield from paragraph(msg("{where}: {why}", where=fault.where, why=fault.why), 2, "dim")
    if source.fault_count > len(source.faults):
        yield from paragraph("…", 2, "dim")


def faults_row(source: Source) -> dict[str, Any]:
    """The same for programs."""
    return {
        "fault_count": source.fault_count,
        "faults": [{"where": fault.where, "why": fault.why} for fault in source.faults],
    }


def rule_row(ref: RuleRef | None) -> dict[str, Any] | None:
    """A rule for programs, as in `ringwall check`."""
    return None if ref is None else {name: getattr(ref, name) for name in ("text", "file", "line", "layer")}
