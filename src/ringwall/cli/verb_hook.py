"""`ringwall hook HOST`: the same as `ringwall-hook`, without the daemon. Hosts call it, people hardly do."""

from __future__ import annotations

import click

from ringwall.cli.catalogue import _
from ringwall.cli.group import Verb
from ringwall.daemon.hook import answer


@click.command(cls=Verb, help=_("Read one hook payload of HOST on stdin; print its reply, exit as it says."))
@click.argument("host", metavar="HOST")
def command(host: str) -> int:
    """Answer, as the short way in `main` does."""
    return answer(host)
