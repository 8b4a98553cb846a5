"""A permit to read is asked for as every question to a person is: as a proposal.

Invariant: only a person's yes to exactly this contract, scope, window and revision becomes a permit, once;
whoever asked cannot give it, and what carries the question is no authority.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from ringwall.approvals import read, write
from ringwall.approvals.binding import Binding
from ringwall.approvals.proposal import Channel, Proposal, Question, State
from ringwall.journal.events import ActionProposed, ReadingPermitted
from ringwall.journal.write import Journal
from ringwall.model.canonical import digest
from ringwall.model.errors import RingwallError
from ringwall.model.text import msg
from ringwall.reading import limits, protocol
from ringwall.reading.archive import Archive
from ringwall.reading.contract import Contract
from ringwall.reading.failures import refused
from ringwall.reading.permit import End, Permit

KIND = "read_permit"


@dataclass(frozen=True, slots=True)
class Standing:
    """One question and where it stands."""

    proposal: Proposal

    @property
    def number(self) -> int:
        return self.proposal.number

    @property
    def approved(self) -> bool:
        return self.proposal.state is State.APPROVED


class Permits:
    """Asks for permits and gives them."""

    def __init__(self, journal: Journal, archive: Archive, now: Callable[[], int]) -> None:
        self._journal = journal
        self._archive = archive
        self._now = now

    def ask(self, asked: protocol.Enable, contract: Contract) -> Standing:
        """Put the question, or find it where it was put already. Raises `RingwallError` after a no."""
        question = _question(asked, contract)
        now = self._now()
        with self._journal.writing() as entry:
            write.expire_overdue(entry, now)
            connection = entry.connection
            for other in read.superseded(connection, question.action, question.binding, question.session):
                end = write.invalidate if other.state is State.APPROVED else write.withdraw
                end(entry, other, "the login window or the contract has changed")
            last = read.latest(connection, question.binding, now)
            if last is not None and last.state is State.REJECTED:
                raise _rejected(last)
            if last is None or not last.state.live:
                proposed = ActionProposed(
                    kind=KIND, argv=(), cwd=question.project, preview=tuple(question.content["preview"])
                )
                event = entry.append(proposed, question.requester, question.session)
                last = write.open_proposal(entry, question, event, now)
        return Standing(last)

    def look(self, standing: Standing, asked: protocol.Enable) -> Standing:
        """Where it stands now. Raises `RingwallError` after a no."""
        with self._journal.store.reading() as connection:
            proposal = read.one(connection, standing.number, self._now())
        if proposal.state is State.REJECTED:
            raise _rejected(proposal)
        if not proposal.state.live:
            raise refused(
                "not_confirmed",
                msg("The question is {state}.", state=proposal.state.value),
                msg("Ask again with browser_read_enable."),
            )
        return Standing(proposal)

    def withdraw(self, standing: Standing, why: str) -> None:
        with self._journal.writing() as entry:
            proposal = read.one(entry.connection, standing.number, self._now())
            if proposal.state is State.PENDING:
                write.withdraw(entry, proposal, why)

    def grant(self, standing: Standing, contract: Contract, session: str, revision: int) -> Permit:
        """Use the yes up, and keep the permit that it gives. Dying in between gives nothing."""
        now = self._now()
        permit = Permit(
            0,
            session,
            revision,
            contract.digest,
            standing.proposal.decided_by,
            now,
            now + limits.PERMIT_SECONDS,
        )
        with self._journal.writing() as entry:
            proposal = read.one(entry.connection, standing.number, now)
            permitted = ReadingPermitted(
                number=standing.number, contract=contract.id, digest=contract.digest,
                scope=msgspec.to_builtins(contract.scope), session=session, revision=revision,
                expires=permit.expires, budget=permit.budget, proposal=standing.number,
            )  # fmt: skip
            event = entry.append(permitted, proposal.decided_by, session)
            write.consume(entry, proposal, event, "ringwall")
        return self._archive.grant(permit, End.REPLACED)


def _question(asked: protocol.Enable, contract: Contract) -> Question:
    shown = _shown(contract, asked)
    action = digest({"kind": KIND, "site": contract.site_url, "session": asked.session_id})
    binding = Binding(action=digest({"action": action, "shown": shown}), policy=contract.digest)
    content = {
        "tool": "browser_read_enable",
        "input": shown,
        "cwd": asked.folder,
        "preview": [
            f"Reading by contract {contract.id} for {limits.PERMIT_SECONDS // 60} minutes, "
            f"at most {limits.PERMIT_ATTEMPTS} attempts, with the login of the window.",
            "Nobody but you knows whether these requests only read. The window must show the account below.",
        ],
        "trace": {"effects": [{"name": "browse.read", "target": contract.site_url, "certain": True}]},
    }
    return Question(
        binding=binding.digest, action=action, requester=asked.asker or "agent:mcp", content=content,
        channel=Channel.NONE, kind=KIND, session=asked.session_id, project=asked.folder,
    )  # fmt: skip


def _shown(contract: Contract, asked: protocol.Enable) -> dict[str, Any]:
    """All that a yes is bound to, as the person sees it."""
    return {
        "contract": contract.id,
        "digest": contract.digest,
        "siteUrl": contract.site_url,
        **{name: getattr(contract.scope, name) for name in type(contract.scope).__struct_fields__},
        "grounds": contract.review_basis,
        "routes": "\n".join(f"{one.id}: {one.label} — {one.url}" for one in contract.routes),
        "requests": "\n".join(f"{one.method} {one.url} {one.body}".rstrip() for one in contract.requests),
        "window": f"session {asked.session_id}, revision {asked.revision}",
    }


def _rejected(proposal: Proposal) -> RingwallError:
    return refused(
        "rejected",
        msg("{who} rejected this: {because}", who=proposal.decided_by, because=proposal.because),
        msg("Do not ask again for the same; talk to the person."),
    )
