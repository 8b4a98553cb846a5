"""A proposal as a person reads it before deciding.

Invariant: everything that will be done is there in full, with hidden and bidirectional characters visible;
nothing is cut.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from ringwall.approvals.proposal import Proposal, State
from ringwall.cli.catalogue import _, show
from ringwall.cli.output import Line, Part, line, page_width, paragraph
from ringwall.cli.visible import visible, visible_line, wrap
from ringwall.model.text import Text, msg
from ringwall.policy.pattern_for import Offered, Refused

_STYLES = {State.PENDING: "bold yellow", State.APPROVED: "bold green", State.REJECTED: "bold red"}


def proposal_shown(proposal: Proposal) -> Iterator[Line]:
    """The whole question."""
    content = proposal.content
    yield line(
        Part(show(msg("Proposal {number}", number=proposal.number)), "bold"), "  ",
        Part(proposal.state.value, _STYLES.get(proposal.state, "")), "  ",
        Part(clock(proposal.opened), "dim"),
    )  # fmt: skip
    yield from paragraph(visible(_who(proposal)), 2, "dim")
    yield line()
    yield line("  ", Part(visible_line(str(content.get("tool", proposal.kind))), "bold"))
    for name, value in content.get("input", {}).items():
        yield from _field(str(name), value)
    for text in content.get("preview", ()):
        yield line()
        yield from _verbatim(str(text), 4)
    yield line()
    yield from _why(content.get("trace", {}))
    yield from _bound(content.get("bound", {}))
    if proposal.decided_by:
        yield line()
        yield from paragraph(_answer(proposal), 2)


def offer_shown(offered: Offered | Refused) -> Iterator[Line]:
    """What always-allow would record, and what else that would let pass."""
    if isinstance(offered, Refused):
        yield from paragraph(msg("Only this once: {why}.", why=offered.reason), 2, "dim")
        return
    yield from paragraph(msg("As a rule it would be {rule}", rule=visible_line(offered.rule)), 2)
    if not offered.also:
        yield from paragraph(_("It would cover this tool with any arguments."), 2)
        return
    yield from paragraph(_("It would also cover:"), 2)
    for text in offered.also:
        yield from _verbatim(text, 4)


def proposal_row(proposal: Proposal) -> dict[str, Any]:
    """A proposal for programs."""
    names = (
        "number", "binding", "action", "kind", "requester", "host", "session", "agent", "plan", "step",
        "project", "opened", "expires", "decided_by", "because", "decided", "event",
    )  # fmt: skip
    row = {name: getattr(proposal, name) for name in names}
    return {
        **row,
        "state": proposal.state.value,
        "channel": proposal.channel.value,
        "content": dict(proposal.content),
    }


def clock(seconds: int) -> str:
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def _who(proposal: Proposal) -> str:
    told = {
        _("asked by"): proposal.requester,
        _("session"): proposal.session,
        _("in"): str(proposal.content.get("cwd", "")),
    }
    return ", ".join(f"{name} {value}" for name, value in told.items() if value)


def _field(name: str, value: object) -> Iterator[Line]:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    yield line("  ", Part(f"{visible_line(name)}:", "dim"))
    yield from _verbatim(text, 4)


def _verbatim(text: str, indent: int) -> Iterator[Line]:
    for row in wrap(visible(text), page_width() - indent):
        yield line(" " * indent, Part(row, "bold"))


def _why(trace: Mapping[str, Any]) -> Iterator[Line]:
    effects = dict.fromkeys(_effect(effect) for effect in trace.get("effects", ()))
    for text in effects:
        yield line("  - ", visible_line(text))
    if reason := trace.get("reason"):
        yield from paragraph(
            show(msg("why: {reason} [{code}]", reason=reason, code=trace.get("code", ""))), 2
        )
    for doubt in trace.get("doubts", ()):
        yield from paragraph(show(msg("doubt: {reason}", reason=str(doubt.get("reason", "")))), 2, "magenta")


def _effect(effect: Mapping[str, Any]) -> str:
    text = f"{effect['name']} {str(effect.get('target', '')).replace(chr(0), '…')}".rstrip()
    via = " → ".join(effect.get("via", ()))
    text += " " + show(msg("(by {via})", via=via)) if via else ""
    return text if effect.get("certain", True) else f"{text} {_('(possible)')}"


def _bound(bound: Mapping[str, Any]) -> Iterator[Line]:
    for path, digest in bound.get("files", ()):
        yield from paragraph(
            show(
                msg("holds for {path} as it is now ({digest})", path=visible_line(path), digest=digest[:19])
            ),
            2,
            "dim",
        )
    if bound.get("commits"):
        yield from paragraph(_("holds for the commits that there are now"), 2, "dim")


def _answer(proposal: Proposal) -> Text:
    at = clock(proposal.decided)
    if proposal.because:
        return msg("{who} at {at}: {because}", who=proposal.decided_by, at=at, because=proposal.because)
    return msg("{who} at {at}", who=proposal.decided_by, at=at)
