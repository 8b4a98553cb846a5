"""Options that several verbs share, so that one word means one thing everywhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
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
