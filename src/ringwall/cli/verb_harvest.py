"""`ringwall harvest …`: what people corrected becomes candidate rules, which a person accepts.

Invariant: a verb's module is imported when that verb is used, and no other.
"""

from __future__ import annotations

from importlib import import_module

import click

from ringwall.cli.catalogue import _, show
from ringwall.cli.group import VerbGroup
from ringwall.model.text import Text, msg

SUBVERBS: dict[str, tuple[str, Text]] = {
    "status": ("harvest_show", msg("Say which ledgers there are, and what waits for a person.")),
    "digest": ("harvest_show", msg("Show candidates with all that people said.")),
    "collect": ("harvest_work", msg("Read what people corrected into the ledgers.")),
    "propose": ("harvest_work", msg("Ask an engine which corrections say the same.")),
    "group": ("harvest_group", msg("Group the notes of a file with an engine.")),
    "doctor": ("harvest_group", msg("Inspect the agent programs that could group.")),
    "init": ("harvest_work", msg("Make the first canon of a project.")),
    "move": ("harvest_work", msg("Take the ledgers of a project along to where it is now.")),
    "approve": ("harvest_decide", msg("Accept a candidate: brief, canon entry, status.")),
    "reword": ("harvest_decide", msg("Say a candidate in words of your own, before you approve it.")),
    "dismiss": ("harvest_decide", msg("Say that a candidate is no rule, for ever.")),
    "reject": ("harvest_decide", msg("Say that the canon did not want it, and free its corrections.")),
    "mark-applied": ("harvest_decide", msg("Say that the canon has it.")),
    "suggest": ("harvest_suggest", msg("Show which permission rule a candidate speaks for.")),
}
"""Verb → the module below `ringwall.cli` that has a command of that name, and its help."""


class _Lazy(VerbGroup):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(SUBVERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in SUBVERBS:
            return None
        module = import_module(f"ringwall.cli.{SUBVERBS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(_("Verbs")):
            formatter.write_dl([(name, show(help)) for name, (_module, help) in SUBVERBS.items()])


@click.group(
    cls=_Lazy,
    help=_("Turn what people corrected into candidate rules, and accept them."),
    epilog=_("KEY is PROJECT/ROLE as `ringwall harvest status` prints it; CANDIDATE an id, 12 digits do."),
)
def command() -> None:
    """The group itself does nothing."""
