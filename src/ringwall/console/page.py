"""What a page of the console is made of. This is all that a room needs to know to add one.

Invariant: what is shown changes nothing; what changes something is an act, which is reached only by a form
that this console made, from a paired browser, once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ringwall.console.forms import Fields
from ringwall.model.text import Text

if TYPE_CHECKING:
    from ringwall.console.console import Console


@dataclass(frozen=True, slots=True)
class Visit:
    """One request of a paired browser: `path` are the named parts of its path, `query` and `form` what was
    written after it and in its form."""

    console: Console
    browser: str
    path: Mapping[str, str]
    query: Fields
    form: Fields

    def redeem(self, path: str, nonce: str) -> None:
        """Use up the nonce of another form that stands on the same page. Raises `UsageError`."""
        self.console.nonces.redeem(self.browser, path, nonce)


@dataclass(frozen=True, slots=True)
class View:
    """A page to show: a template of `console/templates` and its values."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200


@dataclass(frozen=True, slots=True)
class Go:
    """Where to go on after an act, and what to say there."""

    path: str
    told: Text | None = None


Show = Callable[[Visit], View]
Act = Callable[[Visit], View | Go]


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its line in the menu, what it shows and what can be done there, by path (`/plans/{number}`).

    `order` places it in the menu, 0 keeps it out; `count` is the number beside its title, nothing for 0.
    """

    title: Text
    path: str
    shows: Mapping[str, Show]
    acts: Mapping[str, Act] = field(default_factory=dict)
    order: int = 0
    count: Callable[[Console], int] | None = None
