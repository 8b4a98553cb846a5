"""`ringwall trust`: a person reads what the project's policy would loosen, and says yes to those bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from ringwall.cli.catalogue import _, show
from ringwall.cli.group import Verb
from ringwall.cli.options import absolute, agreed, as_json, environment, project, yes
from ringwall.cli.output import Line, Part, line, paragraph, print_json, print_lines
from ringwall.cli.visible import visible_line
from ringwall.model.text import msg
from ringwall.setup.trust import Review, distrust, review, trust


@click.command(
    cls=Verb, help=_("Show what the project’s policy files would loosen, and let it count after a yes.")
)
@click.option("--remove", is_flag=True, help=_("Trust these files no longer."))
@project
@yes
@as_json
def command(remove: bool, project: str, yes: bool, as_json: bool) -> int:
    """Review the files and record, or forget, their digests."""
    env = environment()
    reviewed = review(absolute(project), env)
    concerned = [file for file in reviewed.files if file.trusted == remove]
    if not as_json:
        print_lines(_shown(reviewed))
    question = msg("Trust these files no longer?") if remove else msg("Trust exactly these files?")
    done = bool(concerned) and (yes if as_json else agreed(question, yes))
    if done:
        (distrust if remove else trust)(reviewed, env)
    if as_json:
        print_json({**_row(review(absolute(project), env)), "changed": done})
    elif done:
        print_lines(
            paragraph(
                _("They are no longer trusted.")
                if remove
                else _("They are trusted now, until a byte of them changes.")
            )
        )
    return 0 if done or not concerned or (as_json and not yes) else 1


def _row(reviewed: Review) -> dict[str, Any]:
    files = [
        {
            "path": file.path, "digest": file.digest, "trusted": file.trusted,
            "loosens": [show(text) for text in file.loosens],
            "problems": [show(text) for text in file.problems],
        }
        for file in reviewed.files
    ]  # fmt: skip
    return {"project": reviewed.project, "files": files}


def _shown(reviewed: Review) -> Iterator[Line]:
    if not reviewed.files:
        yield from paragraph(_("The project has no policy files of its own."))
    for file in reviewed.files:
        state = Part(_("trusted"), "green") if file.trusted else Part(_("not trusted"), "yellow")
        yield line(Part(visible_line(file.path), "bold"), "  ", state)
        yield line("  ", Part(file.digest, "dim"))
        for text in file.loosens:
            yield from paragraph(f"- {show(text)}", 2)
        if not file.loosens:
            yield from paragraph(_("It loosens nothing."), 2)
        for problem in file.problems:
            yield from paragraph(problem, 2, "red")
