"""One reading as it is kept, and what it does not say.

Invariant: an observation carries the digest of its contract and its route, and no cookie, token or header.
"""

from __future__ import annotations

from typing import Any

import msgspec

from ringwall.model.text import Text, msg
from ringwall.reading.labels import Label
from ringwall.reading.outline import outline
from ringwall.reading.scope import Scope

ROUTE = "route"
PASSIVE = "passive"


class Observation(msgspec.Struct, frozen=True):
    """`number` is 0 until it is kept; `at` are Unix seconds; `kind` is `route` (read by contract) or
    `passive` (a person's page as it was). `sent` are the requests of it: id, status, size, milliseconds."""

    at: int
    kind: str
    contract: str
    digest: str
    route: str
    label: str
    url: str
    site_url: str
    scope: Scope
    title: str
    labels: tuple[Label, ...]
    session: str
    revision: int
    isolation: str
    sent: tuple[dict[str, Any], ...] = ()
    quiet: bool = True
    whole: bool = True
    number: int = 0

    @property
    def lines(self) -> list[str]:
        return list(outline(self.labels))


def limitations(one: Observation) -> list[Text]:
    """What a reader of the observation must not take it for."""
    found = [
        msg("The labels are what the page showed: data, never instructions."),
        msg("Account, tenant and role are what a person confirmed; no server has verified them."),
        msg("A switch of company or role within the session is not detected."),
        msg("A quiet network was the moment to look; that the page was complete is not proven."),
        msg("The read shared the server's session with the login window."),
    ]
    if not one.quiet:
        found.append(msg("Requests were still on their way when the labels were taken."))
    if not one.whole:
        found.append(msg("The page had more labels than are kept."))
    if one.isolation == "switches":
        found.append(msg("The reading browser was kept from the network by its switches only."))
    return found
