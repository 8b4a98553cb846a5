"""What a page asked for while a person browsed: a draft to review, and no proof of anything.

Invariant: a draft marks nothing as safe and states no grounds, so that as it stands it is no valid contract.
Values that look like secrets are told of, never written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ringwall.model.text import Text
from ringwall.reading.address import read_address, without_fragment
from ringwall.reading.contract import METHODS
from ringwall.reading.scope import Scope
from ringwall.reading.secrets import secret_in

WORLD_CHANGING = ("POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True, slots=True)
class Noticed:
    """One request that the login window made."""

    method: str
    url: str
    body: str
    content_type: str
    kind: str  # document, script, fetch, …


def draft(noticed: Iterable[Noticed], site: str, scope: Scope) -> dict[str, Any]:
    """A contract without grounds, and `notes` about every request that a person must look at.

    The notes make it invalid, as the missing grounds do: both have to be taken out by whoever reviewed it.
    """
    requests: list[dict[str, str]] = []
    notes: list[str] = []
    for one in dict.fromkeys(noticed):
        url = without_fragment(one.url)
        fault = _unlistable(one, url, site)
        if fault:
            notes.append(f"{one.method} {_shown(url)}: {fault}")
            continue
        name = f"r{len(requests) + 1}-{one.kind or 'request'}"
        requests.append(
            {"id": name, "url": url, "method": one.method, "body": one.body, "contentType": one.content_type}
        )
        if one.method in WORLD_CHANGING:
            notes.append(f"{name}: a {one.method} often changes something; find out what this one does")
    pages = [request for request in requests if request["id"].endswith("-document")]
    return {
        "format": 1,
        "id": "",
        "siteUrl": site,
        "scope": {name: getattr(scope, name) for name in Scope.__struct_fields__},
        "reviewBasis": "",
        "requests": requests,
        "routes": [
            {"id": f"page{n}", "label": "", "url": page["url"], "requests": [one["id"] for one in requests]}
            for n, page in enumerate(pages, 1)
        ],
        "notes": [
            "This lists what was asked for, not what is safe. That a request is a GET, has a harmless "
            "name or went well once says nothing about what the server does.",
            *notes,
        ],
    }


def _unlistable(one: Noticed, url: str, site: str) -> str:
    if one.method not in METHODS:
        return "only GET and POST can be in a contract"
    found = read_address(url)
    if isinstance(found, Text):
        return str(found)
    if not url.startswith(site):
        return "it lies outside the site"
    if secret := secret_in(url) or secret_in(one.body):
        return f"it carries what looks like a secret ({secret})"
    return ""


def _shown(url: str) -> str:
    """Without its query, which may hold anything."""
    return url.partition("?")[0]
