"""`ringwall off --for 10m`: a person lets calls through for a while."""

from __future__ import annotations

import click

from ringwall.cli.catalogue import _, show
from ringwall.cli.group import Verb
from ringwall.cli.options import as_json, at_terminal, environment
from ringwall.cli.output import paragraph, print_json, print_lines
from ringwall.model.text import Text, msg
from ringwall.setup.off import Switch, duration, state, switch_off, switch_on


@click.command(
    cls=Verb,
    help=_(
        "Let calls through unjudged for a while, at a terminal outside the agent. "
        "Without options: how it stands."
    ),
)
@click.option("--for", "length", metavar="TIME", help=_("How long: 90s, 10m, 2h; at most a day."))
@click.option("--reason", default="", help=_("Why; it stands in the journal."))
@click.option("--on", "back", is_flag=True, help=_("Judge again, at once."))
@as_json
def command(length: str | None, reason: str, back: bool, as_json: bool) -> None:
    """Switch off or on, or say how it stands."""
    env = environment()
    if back:
        switch = switch_on(env)
    elif length:
        switch = switch_off(duration(length), reason, env, at_terminal())
    else:
        switch = state(env)
    if as_json:
        until = switch.until.isoformat() if switch.until else None
        print_json({"off": switch.until is not None, "until": until, "reason": switch.reason})
    else:
        print_lines(paragraph(show(told(switch))))


def told(switch: Switch) -> Text:
    """How the switch stands, in words."""
    if switch.until is None:
        return msg("Calls are judged.")
    until = switch.until.astimezone().strftime("%H:%M:%S")
    return msg(
        "Calls are let through until {until}, except what would change Ringwall itself. "
        "To judge again: ringwall off --on",
        until=until,
    )
