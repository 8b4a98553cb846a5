"""`ringwall trust`: a person looks at what the project's policy files would loosen, and says yes to exactly
those bytes. Invariant: what is recorded is the digest of what was shown."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from ringwall.journal.write import Entry, Journal
from ringwall.judge import standing
from ringwall.judge.places import places_of
from ringwall.judge.policies import layer_files
from ringwall.judge.prestep import profile_file, read_bounded
from ringwall.model.canonical import digest_bytes
from ringwall.model.errors import PolicyError
from ringwall.model.text import Text, msg
from ringwall.policy.load import Loaded, load
from ringwall.policy.model import LayerName
from ringwall.policy.source import PolicyFile as Source
from ringwall.prestep.profile_file import read_profile, told_by
from ringwall.setup.person import require_person
from ringwall.shell.analyse import command_pattern
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir, locate


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
    state = locate(env)
    places = places_of(project, env, state)
    sources = layer_files(f"{places.root}/.ringwall")
    untrusted = load(places=places, read_command=command_pattern, project=sources, trusted=False)
    trusted = _trusted(state)
    files = tuple(_reviewed(source, untrusted, trusted) for source in sources.present)
    return Review(places.root, (*files, *_profile(profile_file(places.root), trusted)))


def trust(reviewed: Review, env: Mapping[str, str]) -> None:
    """Record the digests of `reviewed`. Raises `UsageError` inside an agent's session."""
    require_person(env)
    with _writing(env) as entry:
        for file in reviewed.pending:
            standing.trust(entry, file.path, file.digest)


def distrust(reviewed: Review, env: Mapping[str, str]) -> None:
    """Forget the digests of `reviewed`."""
    with _writing(env) as entry:
        for file in reviewed.files:
            if file.trusted:
                standing.distrust(entry, file.path, file.digest)


def _reviewed(source: Source, loaded: Loaded, trusted: frozenset[tuple[str, str]]) -> PolicyFile:
    layer = loaded.policy.layer(LayerName.PROJECT)
    dropped = layer.dropped if layer is not None else ()
    return PolicyFile(
        path=source.name,
        digest=source.digest,
        trusted=(source.name, source.digest) in trusted,
        loosens=tuple(
            msg("line {line}: {rule}", line=ref.line, rule=ref.text)
            for ref in dropped
            if ref.file == source.name
        ),
        problems=tuple(
            msg("{error}", error=error)
            for error in loaded.problems
            if error.where == source.name or error.where.startswith(f"{source.name}:")
        ),
    )


def _profile(path: str, trusted: frozenset[tuple[str, str]]) -> Iterator[PolicyFile]:
    """The project's own profile of hints: each of its texts that an agent would be told."""
    content = read_bounded(path)
    if content is None:
        return
    digest = digest_bytes(content)
    try:
        profile = read_profile(path, content)
    except PolicyError as error:
        yield PolicyFile(path, digest, (path, digest) in trusted, (), (msg("{error}", error=error),))
        return
    texts = tuple(msg("tells agents: {text}", text=text) for text in told_by(profile))
    yield PolicyFile(path, digest, (path, digest) in trusted, texts)


def _trusted(state: StateDir) -> frozenset[tuple[str, str]]:
    """What is trusted; looking makes no state where there is none."""
    if not os.path.exists(state.database):
        return frozenset()
    store = Store(state)
    try:
        with store.reading() as connection:
            return standing.read_standing(connection).trusted
    finally:
        store.close()


@contextmanager
def _writing(env: Mapping[str, str]) -> Iterator[Entry]:
    store = Store(locate(env))
    try:
        with Journal(store).writing() as entry:
            yield entry
    finally:
        store.close()
