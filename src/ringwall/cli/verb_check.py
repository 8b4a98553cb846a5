"""`ringwall check`: a verdict for one call or for a stream of them, without any state.

Invariant: with `--batch`, each line that holds anything gets exactly one line of answer, in order; the keys
of the line come back with it, and a line that is no call is denied. This format is relied on by others.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

import click

from ringwall.cli.calls import bash, rows
from ringwall.cli.catalogue import _, show, translate
from ringwall.cli.group import Verb
from ringwall.cli.main import FAILED, NEGATIVE, OK
from ringwall.cli.options import absolute, as_json, judged_by, one_command
from ringwall.cli.output import (
    Line,
    Part,
    json_text,
    line,
    paragraph,
    print_json,
    print_lines,
    styled_verdict,
)
from ringwall.cli.progress import counted
from ringwall.gate.trace import as_json as judged
from ringwall.judge.check import check
from ringwall.model.decision import Decision
from ringwall.model.errors import RingwallError, UsageError
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict

ANSWER = ("verdict", "stage", "code", "rule", "effects", "reason")
EFFECT = ("name", "target", "certain")


@click.command(
    cls=Verb,
    help=_(
        "Judge COMMAND, or with --batch a file of tool calls (JSON Lines). Changes nothing, runs nothing."
    ),
    epilog=_(
        "Exit status for one command: 0 for allow, 1 for ask and deny. With --batch 0, unless --strict."
    ),
)
@click.argument("words", metavar="COMMAND", nargs=-1)
@click.option(
    "--batch",
    type=click.File("rb"),
    metavar="FILE|-",
    help=_("Judge each line; - is standard input."),
)
@click.option("--strict", is_flag=True, help=_("With --batch: exit status 1 when a line was no call."))
@judged_by
@as_json
def command(
    words: tuple[str, ...], batch: BinaryIO | None, strict: bool,
    preset: str | None, policy_dir: str | None, cwd: str | None, as_json: bool,
) -> int:  # fmt: skip
    """One command, or a batch."""
    directory, command_line = absolute(cwd), one_command(words, "check")
    if batch is not None and command_line is None:
        return _batch(batch, strict, preset, policy_dir, directory)
    if command_line is None or batch is not None:
        raise UsageError(
            "cli.no_call",
            msg("Either a command or --batch says what to judge."),
            msg("Put the command into quotes: ringwall check 'git push'"),
        )
    decision = check(bash(command_line, directory), preset, policy_dir, directory)
    if as_json:
        print_json(_answer(decision))
    else:
        print_lines(_shown(decision))
    return OK if decision.verdict is Verdict.ALLOW else NEGATIVE


def _batch(batch: BinaryIO, strict: bool, preset: str | None, policy_dir: str | None, cwd: str) -> int:
    unreadable = failed = 0
    out = sys.stdout.buffer
    at_once = batch.name == "<stdin>"
    for row in counted(rows(batch, cwd)):
        error: RingwallError | None = row.error
        if row.call is not None:
            try:
                answer = _answer(check(row.call, preset, policy_dir, row.call.cwd))
            except RingwallError:
                raise
            except Exception as unforeseen:
                error = _failure(unforeseen)
                failed += 1
        if error is not None:
            unreadable += row.call is None
            answer = _denied(error)
        out.write((json_text({**row.values, **answer}) + "\n").encode())
        if at_once:
            out.flush()
    out.flush()
    return FAILED if failed else NEGATIVE if strict and unreadable else OK


def _answer(decision: Decision) -> dict[str, Any]:
    whole = judged(decision, translate)
    effects = [{name: effect[name] for name in EFFECT} for effect in whole["effects"]]
    return {**{name: whole[name] for name in ANSWER}, "effects": effects}


def _denied(error: RingwallError) -> dict[str, Any]:
    """The answer for a line without a decision."""
    stage = error.code.partition(".")[0]
    answer = {"verdict": Verdict.DENY.value, "stage": stage, "code": error.code, "rule": None}
    return {**answer, "effects": [], "reason": f"{show(error.what)} {show(error.repair)}"}


def _failure(error: Exception) -> RingwallError:
    return RingwallError(
        "judge.failed",
        msg("Ringwall failed while judging: {error}.", error=f"{type(error).__name__}: {error}"),
        msg("Run `ringwall doctor` and report what it says."),
    )


def _shown(decision: Decision) -> Iterator[Line]:
    deciding = decision.deciding
    yield line(styled_verdict(decision.verdict.value), "  ", Part(deciding.code, "bold"))
    yield from paragraph(deciding.reason, 2)
    if deciding.rule:
        yield from paragraph(show(msg("rule: {rule}", rule=deciding.rule)), 2, "dim")
