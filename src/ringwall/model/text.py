"""Texts that a person reads, kept apart from the language they are shown in.

Invariant: pure rooms make `Text` values (an English template and its arguments); only the edge renders
them, through the catalogue of the reader's language. Templates are literals, so that Babel finds them
under the keyword `msg`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Translate = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Text:
    """An English template in `str.format` form and its named arguments."""

    template: str
    args: tuple[tuple[str, str], ...] = ()

    def render(self, translate: Translate | None = None) -> str:
        """The text in one language. Braces inside arguments are kept as they are."""
        template = translate(self.template) if translate else self.template
        return template.format_map(dict(self.args)) if self.args else template

    def __str__(self) -> str:
        return self.render()


def msg(template: str, **args: object) -> Text:
    """A `Text` from a literal template; the arguments are turned into strings at once."""
    return Text(template, tuple((name, str(value)) for name, value in args.items()))
