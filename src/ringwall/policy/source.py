"""Policy files as they come in: a name to show and bytes.

Invariant: pure; whoever read the bytes decided what the name shows.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ringwall.model.canonical import digest_bytes

MOST_BYTES = 1_048_576


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """One file; `digest` is what a person trusts."""

    name: str
    content: bytes
    digest: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not self.digest:
            object.__setattr__(self, "digest", digest_bytes(self.content))


@dataclass(frozen=True, slots=True)
class LayerFiles:
    """The files of one layer: `ringwall.toml` and `permissions.json`, as far as they exist."""

    settings: PolicyFile | None = None
    permissions: PolicyFile | None = None

    @property
    def present(self) -> tuple[PolicyFile, ...]:
        return tuple(file for file in (self.settings, self.permissions) if file is not None)
