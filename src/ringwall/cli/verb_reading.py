"""`ringwall reading …`: a person's side of reading by contract."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import click

from ringwall.approvals.proposal import State
from ringwall.cli.catalogue import _
from ringwall.cli.desk import deciding, person
from ringwall.cli.group import Verb, VerbGroup
from ringwall.cli.options import agreed, as_json, at_terminal, environment
from ringwall.cli.output import paragraph, print_json, print_lines
from ringwall.cli.proposal_view import proposal_shown
from ringwall.cli.reading_observations import VERBS as OBSERVATION_VERBS
from ringwall.cli.reading_view import contract_shown, lint_shown, observation_shown, status_shown
from ringwall.judge.desk import Yes
from ringwall.judge.reading_rows import isolation_row
from ringwall.judge.reading_settings import configured, lint, path
from ringwall.model.errors import RingwallError, UsageError
from ringwall.model.text import msg
from ringwall.reading import client, protocol
from ringwall.setup.person import require_terminal
from ringwall.store.paths import locate


@click.group(
    cls=VerbGroup,
    help=_(
        "Read pages behind a login by a reviewed contract. Off until a person sets it up (docs/reading.md)."
    ),
)
def command() -> None:
    """The group itself does nothing."""


for _verb in OBSERVATION_VERBS:
    command.add_command(_verb)


@command.command("lint", cls=Verb, help=_("Check a contract: its shape, its bounds, its addresses."))
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, exists=True))
@as_json
def lint_(file: str, as_json: bool) -> int:
    """Faults with their places; 1 where there are any."""
    contract, faults, looks = lint(os.path.abspath(file))
    if as_json:
        rows = [{"code": one.code, "what": str(one.what), "where": one.where} for one in faults]
        digest = contract.digest if contract is not None and not faults else ""
        print_json({"ok": not faults, "digest": digest, "faults": rows, "notes": [str(one) for one in looks]})
    else:
        print_lines(lint_shown(contract, faults, looks))
    return 1 if faults else 0


@command.command("status", cls=Verb, help=_("Say what is set up, which wall stands, and what is permitted."))
@as_json
def status(as_json: bool) -> int:
    """Everything that reading needs; 1 where something is missing."""
    row = _standing()
    if as_json:
        print_json(row)
    else:
        print_lines(status_shown(row))
    return 0 if row["ready"] else 1


@command.command("open", cls=Verb, help=_("Open the login window, in which you navigate and log in."))
@as_json
def open_(as_json: bool) -> None:
    """Start the process where it does not run."""
    _tell(_ask(protocol.Open(asker=person())), as_json)


@command.command("close", cls=Verb, help=_("Close the login window; what was permitted ends."))
@as_json
def close(as_json: bool) -> None:
    """End the process."""
    ran = client.close(locate(os.environ), os.environ)
    if as_json:
        print_json({"closed": ran})
    else:
        print_lines(paragraph(_("The login window is closed.") if ran else _("It was not open.")))


@command.command("policy", cls=Verb, help=_("Show the contract in force, whole, with its digest."))
@as_json
def policy(as_json: bool) -> None:
    """The contract as configured."""
    contract = configured().contract()
    if as_json:
        from msgspec import to_builtins

        print_json({"digest": contract.digest, "contract": to_builtins(contract)})
    else:
        print_lines(contract_shown(contract))


@command.command(
    "enable", cls=Verb, help=_("Permit reading by the contract for ten minutes, after showing it whole.")
)
@as_json
def enable(as_json: bool) -> int:
    """Ask and answer the question at this terminal."""
    require_terminal(environment(), at_terminal())
    found = _ask(_enabling())
    if found["state"] == "pending":
        with deciding() as (desk, who):
            proposal = desk.one(found["proposal"])
            if proposal.state is State.PENDING:
                print_lines(proposal_shown(proposal))
                if not agreed(msg("Let agents read by this contract for ten minutes?"), sure=False):
                    print_lines(paragraph(_("Nothing was permitted.")))
                    return 1
                desk.approve(Yes(proposal.number, proposal.binding, who))
        found = _ask(_enabling())
    if as_json:
        print_json(found)
    else:
        print_lines(status_shown(_standing()))
    return 0


@command.command("read", cls=Verb, help=_("Read ROUTE of the contract now, under the permit that holds."))
@click.argument("route", metavar="ROUTE")
@as_json
def read(route: str, as_json: bool) -> None:
    """One read."""
    now, contract = _ask(protocol.Status()), configured().contract()
    asked = protocol.Read(
        asker=person(), folder=os.getcwd(), session_id=now["sessionId"], revision=now["revision"],
        policy_digest=contract.digest, route_id=route,
    )  # fmt: skip
    found = _ask(asked)
    if as_json:
        print_json(found)
    else:
        print_lines(observation_shown(found))


@command.command("takeover", cls=Verb, help=_("Take the login window over: what was permitted ends."))
@as_json
def takeover(as_json: bool) -> None:
    """A new revision."""
    _tell(_ask(protocol.Takeover(asker=person())), as_json)


@command.command("resume", cls=Verb, help=_("Let the page in front be observed passively again."))
@as_json
def resume(as_json: bool) -> None:
    """A new revision; what was permitted ends."""
    require_terminal(environment(), at_terminal())
    _tell(_ask(protocol.Resume(asker=person())), as_json)


@command.command("observe", cls=Verb, help=_("Keep what the page in front of the login window shows."))
@as_json
def observe(as_json: bool) -> None:
    """Passive observation, without any contract."""
    found = _ask(protocol.Observe(asker=person()))
    if as_json:
        print_json(found)
    else:
        print_lines(observation_shown(found))


@command.command(
    "record", cls=Verb,
    help=_("Begin to note what the login window asks for; with --stop, print a draft to review."),
)  # fmt: skip
@click.option("--stop", is_flag=True, help=_("Stop and print the draft."))
@click.option("--out", type=click.Path(dir_okay=False), metavar="FILE", help=_("Write the draft there."))
@as_json
def record(stop: bool, out: str | None, as_json: bool) -> None:
    """A draft that marks nothing as safe and is no valid contract until a person has reviewed it."""
    require_terminal(environment(), at_terminal())
    found = _ask(protocol.Record(asker=person(), on=not stop))
    if not stop:
        if as_json:
            print_json(found)
        else:
            print_lines(paragraph(_("Browse in the login window; then: ringwall reading record --stop")))
        return
    if out is None or as_json:
        print_json(found["draft"])
    if out is not None:
        _write_new(out, found["draft"])
        print_lines(paragraph(msg(
            "{path} lists what was asked for. Nothing in it is known to be safe: review each request, state "
            "your grounds, take the notes out, and run ringwall reading lint.", path=out,
        )))  # fmt: skip


def _write_new(path: str, draft: dict[str, Any]) -> None:
    try:
        with Path(path).open("x", encoding="utf-8") as file:
            json.dump(draft, file, indent=2, ensure_ascii=False)
            file.write("\n")
    except FileExistsError as error:
        raise UsageError(
            "reading.exists", msg("{path} is there already.", path=path), msg("Name a new file."), "--out"
        ) from error


def _ask(asked: protocol.Asked) -> dict[str, Any]:
    return client.ask(locate(os.environ), asked, os.environ)


def _tell(row: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(row)
    else:
        print_lines(status_shown(_standing()))


def _enabling() -> protocol.Enable:
    now, contract = _ask(protocol.Status()), configured().contract()
    return protocol.Enable(
        asker="ringwall", folder=os.getcwd(), session_id=now["sessionId"], revision=now["revision"],
        policy_digest=contract.digest,
    )  # fmt: skip


def _standing() -> dict[str, Any]:
    """Settings, contract, isolation and window in one row; `faults` is what is missing."""
    faults: list[dict[str, str]] = []
    contract = None
    off = False
    try:
        settings = configured()
        off = settings.off
        if not off:
            contract = settings.contract()
    except RingwallError as error:
        faults.append({"code": error.code, "what": str(error), "where": error.where})
    state = locate(os.environ)
    window = client.status(state, os.environ) if os.path.isdir(state.path) else None
    wall = isolation_row() if not off else {"active": "", "weaker": False, "fault": ""}
    if wall["fault"] and not wall["active"]:
        faults.append({"code": "reading.no_isolation", "what": str(wall["fault"]), "where": ""})
    return {
        "ready": not off and not faults,
        "off": off,
        "settings": path(),
        "contract": {"id": contract.id, "digest": contract.digest} if contract is not None else None,
        "isolation": wall,
        "window": window,
        "faults": faults,
    }
