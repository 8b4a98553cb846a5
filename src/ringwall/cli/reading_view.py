"""Reading as a person sees it on a terminal. Invariant: what a page wrote is shown with nothing hidden."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ringwall.cli.catalogue import _, show
from ringwall.cli.output import Line, Part, line, paragraph
from ringwall.cli.proposal_view import clock
from ringwall.cli.visible import visible_line
from ringwall.model.errors import RingwallError
from ringwall.model.text import Text, msg
from ringwall.reading.contract import Contract

_WALLS = {
    "jail": msg("The reading browser has no network and no files (bubblewrap)."),
    "namespace": msg("The reading browser has no network (a namespace of its own)."),
    "switches": msg("The reading browser is kept from the network by switches only: the weaker form."),
}


def lint_shown(
    contract: Contract | None, faults: Sequence[RingwallError], looks: Sequence[Text]
) -> Iterator[Line]:
    """Faults, or the contract's sizes and digest."""
    for fault in faults:
        yield line(Part(visible_line(fault.where), "bold"))
        yield from paragraph(fault.what, 2)
    if contract is None or faults:
        yield from paragraph(msg("Faults: {count}. Nothing is read by it.", count=len(faults)))
        return
    yield from paragraph(
        msg(
            "The contract {name} is in order: {routes} routes, {requests} requests.",
            name=contract.id, routes=len(contract.routes), requests=len(contract.requests),
        )
    )  # fmt: skip
    yield line("  ", Part(contract.digest, "dim"))
    for look in looks:
        yield from paragraph(f"- {show(look)}", 2, "yellow")
    yield from paragraph(_("Whether these requests only read, no program can know."), 0, "dim")


def contract_shown(contract: Contract) -> Iterator[Line]:
    """The whole contract."""
    yield line(Part(contract.id, "bold"), "  ", Part(contract.digest, "dim"))
    for name, value in _scope(contract):
        yield line("  ", Part(f"{name}: ", "dim"), visible_line(value))
    yield from paragraph(contract.review_basis, 2)
    for route in contract.routes:
        yield line()
        yield line(Part(route.id, "bold"), "  ", visible_line(route.label))
        for request in contract.requests_of(route):
            body = f"  {request.content_type} {request.body}" if request.body else ""
            yield line("  ", visible_line(f"{request.method} {request.url}{body}"))


def status_shown(row: dict[str, Any]) -> Iterator[Line]:
    """What is set up and what holds now."""
    if row["off"]:
        yield from paragraph(msg("Reading is off. A person sets it up in {path}.", path=row["settings"]))
        return
    wall = row["isolation"]
    if wall["active"]:
        yield from paragraph(_WALLS[wall["active"]], 0, "yellow" if wall["weaker"] else "")
        if wall["fault"]:
            yield from paragraph(msg("no stronger one: {why}", why=wall["fault"]), 2, "dim")
    if row["contract"]:
        yield line(show(msg("Contract")), " ", Part(row["contract"]["id"], "bold"))
        yield line("  ", Part(row["contract"]["digest"], "dim"))
    yield from _window(row["window"])
    for fault in row["faults"]:
        yield from paragraph(fault["what"], 0, "red")


def _window(window: dict[str, Any] | None) -> Iterator[Line]:
    if window is None or not window["open"]:
        yield from paragraph(_("The login window is not open."))
        return
    yield from paragraph(
        msg("Login window {session}, revision {revision}.", session=window["sessionId"],
            revision=window["revision"])
    )  # fmt: skip
    permit = window["permit"]
    if permit is None:
        yield from paragraph(_("Nothing is permitted."))
    elif permit["lives"]:
        yield from paragraph(
            msg("Reading is permitted until {until}, {left} attempts are left; by {who}.",
                until=clock(permit["expires"]), left=permit["attemptsLeft"], who=permit["by"])
        )  # fmt: skip
    else:
        why = permit["ended"] or _("its time or its attempts are over")
        yield from paragraph(msg("The last permit has ended: {why}.", why=why))


def observation_shown(row: dict[str, Any]) -> Iterator[Line]:
    """One observation: where it is from, what it shows, what it does not say."""
    told = row["evidence"]
    yield line(
        Part(show(msg("Observation {number}", number=row["observation"])), "bold"), "  ",
        Part(clock(told["at"]), "dim"), "  ", visible_line(told["label"] or told["title"]),
    )  # fmt: skip
    yield line("  ", Part(visible_line(told["url"]), "dim"))
    for text in row["lines"]:
        yield line("  ", visible_line(text))
    for text in row["limitations"]:
        yield from paragraph(f"- {text}", 2, "dim")


def _scope(contract: Contract) -> Iterator[tuple[str, str]]:
    yield "siteUrl", contract.site_url
    for name in type(contract.scope).__struct_fields__:
        yield name, getattr(contract.scope, name)
