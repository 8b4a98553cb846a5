"""One agent program: how it is called, and what is laid out for it when it is inspected. Invariant: data."""

from __future__ import annotations

import msgspec

from ringwall.harvest.grouping.prompt import INSTRUCTIONS


class Program(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of `engines.toml`."""

    name: str
    command: tuple[str, ...]
    keep: tuple[str, ...]
    point: dict[str, str]
    plant: dict[str, str]

    def line(self, path: str, question: bytes) -> list[str]:
        """The command line, with the program at `path`."""
        text = question.decode()
        words = [
            word.replace("{instructions}", INSTRUCTIONS).replace("{question}", text)
            for word in self.command[1:]
        ]
        return [path, *words]
