"""`ringwall explain COMMAND`: what a command would do, under its own words, and how it would be judged."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ringwall.cli.calls import HOST, bash, input_object
from ringwall.cli.catalogue import _, translate
from ringwall.cli.effect_marks import effects_shown
from ringwall.cli.group import Verb
from ringwall.cli.options import absolute, as_json, judged_by, one_command
from ringwall.cli.output import VERDICT_STYLES, Line, line, print_json, print_lines
from ringwall.cli.trace_view import trace_shown
from ringwall.gate.trace import as_json as judged
from ringwall.judge.check import check
from ringwall.model.action import ToolCall
from ringwall.model.decision import Decision
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict


@click.command(
    cls=Verb,
    help=_("Show what COMMAND would do, and how it would be judged, stage by stage. Nothing of it is run."),
)
@click.argument("words", metavar="COMMAND", nargs=-1)
@click.option("--tool", metavar="NAME", help=_("Another tool than Bash."))
@click.option("--input", "tool_input", metavar="JSON", help=_("The input of that tool."))
@judged_by
@as_json
def command(
    words: tuple[str, ...], tool: str | None, tool_input: str | None,
    preset: str | None, policy_dir: str | None, cwd: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Judge one call and show everything that was found."""
    directory, command_line = absolute(cwd), one_command(words, "explain")
    decision = check(_call(command_line, tool, tool_input, directory), preset, policy_dir, directory)
    if as_json:
        print_json(judged(decision, translate))
    else:
        print_lines(_shown(decision))


def _call(command_line: str | None, tool: str | None, tool_input: str | None, cwd: str) -> ToolCall:
    if command_line is not None and not tool and not tool_input:
        return bash(command_line, cwd)
    if tool and tool_input and command_line is None:
        return ToolCall(HOST, tool, input_object(tool_input), cwd=cwd)
    raise UsageError(
        "cli.no_call",
        msg("Either a command, or --tool with --input, says what to explain."),
        msg("Put the command into quotes: ringwall explain 'git push'"),
    )


def _shown(decision: Decision) -> Iterator[Line]:
    yield from effects_shown(decision.analysis, _styles(decision))
    yield line()
    yield from trace_shown(judged(decision, translate))


def _styles(decision: Decision) -> dict[str, str]:
    """The colour of each effect that a stage did not simply let pass."""
    spoken = sorted(decision.opinions, key=lambda opinion: opinion.verdict.rank)
    return {
        opinion.effect.name: VERDICT_STYLES[opinion.verdict]
        for opinion in spoken
        if opinion.effect and opinion.verdict is not Verdict.ALLOW
    }
