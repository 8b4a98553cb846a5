"""Which listed request a page's request is, if any.

Invariant: only the same method, URL (but for the fragment), body bytes and content type match, each at most
so often; a match says which of the contract's requests is sent, never what is sent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from ringwall.reading import limits
from ringwall.reading.address import without_fragment
from ringwall.reading.contract import Request

Key = tuple[str, str, bytes, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """What the page asks for, as the browser reports it."""

    method: str
    url: str
    body: bytes
    content_type: str

    @property
    def key(self) -> Key:
        return (self.method, without_fragment(self.url), self.body, self.content_type)


@dataclass(slots=True)
class Matcher:
    """The listed requests of one read, and how often each was taken."""

    listed: dict[Key, Request]
    taken: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, requests: Iterable[Request]) -> Matcher:
        return cls({(one.method, one.url, one.body.encode(), one.content_type): one for one in requests})

    def take(self, asked: Asked) -> Request | str:
        """The request to send in its place, or why there is none."""
        request = self.listed.get(asked.key)
        if request is None:
            return f"unlisted {asked.method} {asked.url}"
        if self.taken.total() >= limits.MATCHED_REQUESTS:
            return f"more than {limits.MATCHED_REQUESTS} requests"
        if self.taken[request.id] >= limits.REPEATS:
            return f"{request.id} more than {limits.REPEATS} times"
        self.taken[request.id] += 1
        return request

    def lists(self, method: str, url: str) -> bool:
        """Whether some listed request has this method and URL, whatever its body."""
        return any(key[:2] == (method, without_fragment(url)) for key in self.listed)
