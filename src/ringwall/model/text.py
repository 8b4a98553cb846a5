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
    """An English template in `str.format` form and its named arguments; an argument may be a text itself."""

    template: str
    args: tuple[tuple[str, str | Text], ...] = ()

    def render(self, translate: Translate | None = None) -> str:
        """The text in one language. Braces inside arguments are kept as they are; an unknown part of a word
        (`HOLE`) is shown as an ellipsis."""
        template = translate(self.template) if translate else self.template
        if not self.args:
            return template
        values = {
            name: v.render(translate) if isinstance(v, Text) else v.replace("\x00", "…")
            for name, v in self.args
        }
        return template.format_map(values)

    def __str__(self) -> str:
        return self.render()


def msg(template: str, **args: object) -> Text:
    """A `Text` from a literal template; arguments that are no texts are turned into strings at once."""
    return Text(template, tuple((name, v if isinstance(v, Text) else str(v)) for name, v in args.items()))
