"""`ringwall completion SHELL`: the script by which a shell completes our verbs."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from ringwall.cli.catalogue import _
from ringwall.cli.group import Verb, cli
from ringwall.cli.options import as_json
from ringwall.cli.output import print_json

SHELLS = ("bash", "zsh", "fish")


@click.command(
    cls=Verb,
    help=_("Print the completion script for SHELL."),
    epilog=_(
        'bash, zsh: eval "$(ringwall completion bash)" in ~/.bashrc; fish: ringwall completion fish | source'
    ),
)
@click.argument("shell", type=click.Choice(SHELLS))
@as_json
def command(shell: str, as_json: bool) -> None:
    """Print the script."""
    completion = get_completion_class(shell)
    if completion is None:  # pragma: no cover - the choices above are click's own
        raise click.UsageError(shell)
    script = completion(cli, {}, "ringwall", "_RINGWALL_COMPLETE")
    source = script.source_template % script.source_vars()
    if as_json:
        print_json({"shell": shell, "script": source})
    else:
        click.echo(source)
