"""What a browser sends with a form or after a path.

Invariant: only the one form encoding that this console's own forms use is read, within bounds; everything
else is refused as it stands (docs/adr/0050).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import parse_qsl

from ringwall.model.errors import UsageError
from ringwall.model.text import Text, msg

FORM = "application/x-www-form-urlencoded"
MOST_BYTES = 64 * 1024
MOST_FIELDS = 500


class Fields(Mapping[str, str]):
    """Names with their values; of a name that came more than once, `[name]` is the first."""

    def __init__(self, pairs: tuple[tuple[str, str], ...] = ()) -> None:
        self._pairs = pairs

    def __getitem__(self, name: str) -> str:
        for known, value in self._pairs:
            if known == name:
                return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(name for name, _value in self._pairs))

    def __len__(self) -> int:
        return len(dict.fromkeys(name for name, _value in self._pairs))

    def all(self, name: str) -> tuple[str, ...]:
        return tuple(value for known, value in self._pairs if known == name)

    def number(self, name: str) -> int:
        """A whole number, 0 where there is none. Raises `UsageError` for anything else."""
        text = self.get(name, "")
        if text and not (text.isascii() and text.isdigit() and len(text) < 16):
            raise unreadable(msg("{name} is no number.", name=ascii(name)))
        return int(text or 0)


def read(body: bytes) -> Fields:
    """The fields of an urlencoded form or query. Raises `UsageError`."""
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=bool(body),
            errors="strict",
            max_num_fields=MOST_FIELDS,
        )
    except ValueError as error:
        raise unreadable(msg("The form cannot be read.")) from error
    return Fields(tuple((name, value.replace("\r\n", "\n")) for name, value in pairs))


def unreadable(what: Text) -> UsageError:
    return UsageError("console.form", what, msg("Go back, load the page again and fill it in anew."))
