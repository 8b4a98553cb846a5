"""How a failure is told: what happened, what to do, and the code by which it can be looked up.

Invariant: errors go to stderr, never to stdout; a traceback is shown only when `RINGWALL_DEBUG` asks for it.
"""

from __future__ import annotations

import os
import traceback

import click

from ringwall.cli.catalogue import _, click_speaks, show
from ringwall.cli.main import FAILED, WRONG_USE
from ringwall.model.errors import PayloadError, PolicyError, RingwallError, UsageError
from ringwall.model.text import msg


def status_of(error: Exception) -> int:
    """The exit status for a failure."""
    wrong_use = (click.ClickException, UsageError, PolicyError, PayloadError)
    return WRONG_USE if isinstance(error, wrong_use) else FAILED


def report(error: Exception) -> None:
    """Tell a failure on stderr."""
    if os.environ.get("RINGWALL_DEBUG"):
        traceback.print_exception(error)
    colour = False if os.environ.get("NO_COLOR") else None
    click.echo(click.style("ringwall: ", fg="red", bold=True) + describe(error), err=True, color=colour)


def describe(error: Exception) -> str:
    """A failure in words: one sentence what, one what to do, the code at the end."""
    if isinstance(error, RingwallError):
        return sentence(error)
    if isinstance(error, click.ClickException):
        return _click_error(error)
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    what = show(msg("Ringwall itself failed ({reason}).", reason=reason))
    repair = _("Run it again with RINGWALL_DEBUG=1 to see where, and report that.")
    return f"{what}\n{repair} [internal]"


def sentence(error: RingwallError) -> str:
    """One of our own errors, in the reader's language."""
    place = f"{error.where}: " if error.where else ""
    return f"{place}{show(error.what)}\n{show(error.repair)} [{error.code}]"


def _click_error(error: click.ClickException) -> str:
    with click_speaks():
        what = error.format_message()
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "ringwall"
    repair = show(msg("See “{command} --help”.", command=path))
    return f"{what}\n{repair} [usage]"
