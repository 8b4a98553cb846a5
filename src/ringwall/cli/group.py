"""The verbs of `ringwall` and where each one lives.

Invariant: a verb's module is imported when that verb is used, and no other; the list of verbs with their
one-line help is here, so that help imports none of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from ringwall import __version__
from ringwall.cli.catalogue import _, click_speaks, show
from ringwall.cli.main import WRONG_USE
from ringwall.model.text import Text, msg

VERBS: dict[str, Text] = {
    "init": msg("Put Ringwall in front of an agent host."),
    "install": msg("Check what is missing; install skills, and hooks for all your projects."),
    "run": msg("Start an agent with Ringwall in front, without changing the project."),
    "doctor": msg("Try out what stands between the agent and the world, and say what is missing."),
    "trust": msg("Let a project's own policy files loosen something."),
    "serve": msg("Serve the page where people decide, on this machine alone."),
    "open": msg("Open that page in a browser, with a code to pair it."),
    "pending": msg("Show what waits for a person’s decision."),
    "approve": msg("Let exactly one waiting call happen, once."),
    "reject": msg("Refuse a waiting call, with words that the agent is told."),
    "escape": msg("Let what the floor refused happen after all, once; a person’s act."),
    "watch": msg("Show what comes to wait, live, and decide it."),
    "plan": msg("Write, review, seal, follow and end a plan."),
    "grants": msg("List or revoke the rules that a person has granted."),
    "propose": msg("Propose a push, merge or deployment, which Ringwall does on a person’s yes."),
    "check": msg("Judge a tool call, or a file of them, without any state."),
    "explain": msg("Show what a command would do, and how it would be judged."),
    "why": msg("Show why a call was judged as it was."),
    "learn": msg("Say which questions a rule could spare, and which rules decide nothing."),
    "replay": msg("Judge past calls again by another policy, and show what would differ."),
    "agents": msg("Name agents, follow their missions, and say what was wrong with them."),
    "harvest": msg("Turn what people corrected into candidate rules, and accept them."),
    "log": msg("Read, verify or export the journal."),
    "mcp": msg("Offer Ringwall’s tools over MCP, or stand between a host and an MCP server."),
    "acp": msg("Stand between an editor and its agent (Agent Client Protocol)."),
    "hook": msg("Answer one hook payload of a host (for hosts, not for people)."),
    "daemon": msg("Start, stop or look at the daemon."),
    "status": msg("Say what is judged, by which policy, and what waits."),
    "reading": msg("Read pages behind a login by a reviewed contract; off until a person sets it up."),
    "import": msg("Take over rules that another tool has already."),
    "off": msg("Let calls through unjudged for a while; a person’s act, always journalled."),
    "completion": msg("Print the completion script for a shell."),
}


class Verb(click.Command):
    """A verb whose usage and errors are in the reader's language."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with click_speaks():
            return super().make_context(*args, **kwargs)


class VerbGroup(click.Group):
    """A verb with verbs of its own."""

    command_class = Verb

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with click_speaks():
            return super().make_context(*args, **kwargs)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), err=True)
            ctx.exit(WRONG_USE)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        with click_speaks():
            return super().resolve_command(ctx, args)


class LazyVerbs(VerbGroup):
    """The top group: knows its verbs by name and imports one at a time."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        module = import_module(f"ringwall.cli.verb_{cmd_name}")
        command: click.Command = module.command
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return [
            CompletionItem(name, help=show(help))
            for name, help in VERBS.items()
            if name.startswith(incomplete)
        ]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(_("Verbs")):
            formatter.write_dl([(name, show(help)) for name, help in VERBS.items()])


@click.group(
    cls=LazyVerbs,
    help=_(
        "Ringwall judges what each tool call of a coding agent will do, "
        "and keeps for a person what is a person’s."
    ),
    epilog=_("Language: RINGWALL_LANG (en, ru, zh_Hans). State: RINGWALL_HOME."),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(
    __version__, prog_name="ringwall", message="%(prog)s %(version)s", help=_("Show the version and exit.")
)
def cli() -> None:
    """The group itself does nothing."""
