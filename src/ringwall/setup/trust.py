"""`ringwall trust`: a person looks at what the project's policy files would loosen, and says yes to exactly
those bytes. Invariant: what is recorded is the digest of what was shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ringwall.model.text import Text


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """One policy file of the project. `loosens` says, a line each, what counts only once it is trusted."""

    path: str
    digest: str
    trusted: bool
    loosens: tuple[Text, ...]
    problems: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    project: str
    files: tuple[PolicyFile, ...]

    @property
    def pending(self) -> tuple[PolicyFile, ...]:
        return tuple(file for file in self.files if not file.trusted)


def review(project: str, env: Mapping[str, str]) -> Review:
    """The project's policy files as they are now."""
    raise NotImplementedError


def trust(reviewed: Review, env: Mapping[str, str]) -> None:
    """Record the digests of `reviewed`. Raises `UsageError` inside an agent's session."""
    raise NotImplementedError


def distrust(reviewed: Review, env: Mapping[str, str]) -> None:
    """Forget the digests of `reviewed`."""
    raise NotImplementedError
