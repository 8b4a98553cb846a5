"""Options that several verbs share, so that one word means one thing everywhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from shlex import quote
from typing import Any, TypeVar

import click

from ringwall.cli.catalogue import _, show
from ringwall.model.errors import UsageError
from ringwall.model.text import Text, msg

Function = TypeVar("Function", bound=Callable[..., Any])

PRESETS = ("guarded", "walled", "strict", "auto")

as_json = click.option("--json", "as_json", is_flag=True, help=_("Print JSON."))
yes = click.option("--yes", is_flag=True, help=_("Do it without asking."))
preset = click.option(
    "--preset", type=click.Choice(PRESETS), metavar="P",
    help=_("guarded, walled, strict or auto, instead of the policy’s own."),
)  # fmt: skip
policy = click.option(
    "--policy", "policy_dir", type=click.Path(file_okay=False, exists=True), metavar="DIR",
    help=_("Take DIR as the trusted policy of the project."),
)  # fmt: skip
cwd = click.option(
    "--cwd", type=click.Path(file_okay=False), metavar="DIR",
    help=_("The directory in which the call would run (default: the current one)."),
)  # fmt: skip
project = click.option(
    "--project", type=click.Path(file_okay=False, exists=True), metavar="DIR", default=".",
    help=_("The project (default: the current directory)."),
)  # fmt: skip


def _moment(_context: click.Context, _option: click.Parameter, written: str) -> str:
    """A moment as a person writes it, as the journal does: in UTC. Without a zone it is local time."""
    if not written:
        return ""
    try:
        moment = datetime.fromisoformat(written).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        what = msg("{value} is no moment; write it like 2026-11-30 or 2026-11-30T08:00", value=written)
        raise click.BadParameter(show(what)) from error
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


since = click.option(
    "--since", default="", callback=_moment, metavar="TIME",
    help=_("From this moment on (2026-11-30, 2026-11-30T08:00)."),
)  # fmt: skip
until = click.option(
    "--until", default="", callback=_moment, metavar="TIME", help=_("Before this moment.")
)  # fmt: skip


def one_command(words: tuple[str, ...], verb: str) -> str | None:
    """The command that a verb was given, None where there is none. It is one word for our shell."""
    if len(words) > 1:
        raise UsageError(
            "cli.unquoted",
            msg("The command came as {count} words.", count=len(words)),
            msg(
                "Put the command into quotes: ringwall {verb} {command}",
                verb=verb,
                command=quote(" ".join(words)),
            ),
        )
    return words[0] if words else None


def judged_by(function: Function) -> Function:
    """`--preset`, `--policy` and `--cwd`."""
    return preset(policy(cwd(function)))


def absolute(directory: str | None) -> str:
    """A directory as an absolute path; the current one where none is given."""
    return os.path.abspath(directory or os.getcwd())


def environment() -> dict[str, str]:
    """What setup may know of the environment: all of it."""
    return dict(os.environ)


def at_terminal() -> bool:
    """Whether a person sits in front: both what we read and what we print is a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def agreed(question: Text, sure: bool) -> bool:
    """Whether a person says yes. A bare Enter is no; without a terminal it takes `--yes`."""
    if sure:
        return True
    if not at_terminal():
        raise UsageError(
            "cli.no_terminal",
            msg("Nothing was changed, because there is no terminal to ask on."),
            msg("Look at what is shown above and run it again with --yes."),
        )
    return click.confirm(show(question), default=False)
