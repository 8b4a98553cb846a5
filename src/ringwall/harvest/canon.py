"""The list of what waits for the canon: `upstream_pending` in a project's `.claude/canon.yaml`.

Invariant: the file is changed under its own lock, which others who change it take as well, from a whole and
valid state to a whole and valid state; everything else in it stays, comments too. What is damaged is never
written over (H-67 to H-69).
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.util import load_yaml_guess_indent

from ringwall.harvest.border import Outlet, outlet
from ringwall.harvest.canon_text import KEY, with_entry, without_entries
from ringwall.model.errors import StateError, UsageError
from ringwall.model.text import Text, msg
from ringwall.store.durable import Folder
from ringwall.store.paths import StateDir

CANON, LOCK = "canon.yaml", ".canon.lock"
PENDING = KEY
LONGEST = 1024 * 1024

Edit = Callable[[str, Any], str | None]

_FIRST = f"version: 1\n{PENDING}: []\n"


def begin(state: StateDir, project: str) -> bool:
    """Make the first canon of a project; whether it was this call that did. One that is there is checked and
    stays."""
    with outlet(state, project, Outlet.CANON, CANON, make=True) as place, place.locked(LOCK):
        if place.has(CANON):
            _pending(_parsed(place), place)
            return False
        place.write(CANON, _FIRST.encode(), 0o644)
        return True


def add(state: StateDir, project: str, entry: str) -> bool:
    """Put `entry` on the list unless it is there; whether it was put. Raises `UsageError` without a canon,
    `StateError` for a damaged one."""
    return _change(
        state,
        project,
        lambda listed: [*listed, entry] if entry not in listed else listed,
        lambda text, document: with_entry(text, document, entry),
    )


def take_out(state: StateDir, project: str, entry: str) -> bool:
    """Take `entry` off the list; whether it stood there. Raises as `add` does."""
    return _change(
        state,
        project,
        lambda listed: [each for each in listed if each != entry],
        lambda text, document: without_entries(text, document, {entry}),
    )


def is_there(project: str) -> bool:
    return os.path.lexists(f"{project}/{Outlet.CANON.path(CANON)}")


def pending(state: StateDir, project: str) -> list[str]:
    """What stands on the list."""
    with _open(state, project) as place:
        return list(_pending(_parsed(place), place))


def _change(state: StateDir, project: str, change: Callable[[list[str]], list[str]], edit: Edit) -> bool:
    """Change the list by `edit`, an edit of the text, or where that is not possible by the library. The file
    is synced also where nothing is to be changed: whoever changed it may have been killed before that."""
    with _open(state, project) as place, place.locked(LOCK):
        text = (place.read(CANON) or b"").decode("utf-8", "surrogateescape")
        document = _parsed(place)
        before = _pending(document, place)
        after = change(list(before))
        if after == before:
            place.sync(CANON)
            return False
        wanted = _with(document, before, after)
        written = edit(text, document)
        if written is None or not _same(written.encode(), wanted, place):
            written = _written(wanted, text)
            if not _same(written.encode(), wanted, place):
                raise _damaged(place.path, msg("it cannot be written as it was read"))
        place.write(CANON, written.encode())
        return True


def _same(content: bytes, wanted: Any, place: Folder) -> bool:
    """Whether the content reads as what was wanted."""
    try:
        read = _read(content, place.path)
        return _plain(read) == _plain(wanted) and _pending(read, place) == _pending(wanted, place)
    except StateError:
        return False


def _with(document: Any, before: list[str], after: list[str]) -> Any:
    """The document with the list changed in its place, so that its comments stay."""
    wanted = copy.deepcopy(document)
    if wanted.get(PENDING) is None:
        wanted[PENDING] = []
    listed = wanted[PENDING]
    for place in reversed(range(len(before))):
        if before[place] not in after:
            del listed[place]
    listed.extend(each for each in after if each not in before)
    return wanted


@contextmanager
def _open(state: StateDir, project: str) -> Iterator[Folder]:
    if not is_there(project):
        raise _missing(project)
    with outlet(state, project, Outlet.CANON, CANON) as place:
        yield place


def _parsed(place: Folder) -> Any:
    document = _read(place.read(CANON) or b"", place.path)
    _pending(document, place)
    return document


def _read(content: bytes, where: str) -> Any:
    """The document in `content`, checked against its schema."""
    if len(content) > LONGEST:
        raise _damaged(where, msg("it is longer than {most} bytes", most=LONGEST))
    try:
        document = _yaml().load(content.decode())
    except (YAMLError, ValueError, RecursionError) as fault:
        why = " ".join(str(fault).split())
        raise _damaged(where, msg("it is not YAML: {why}", why=why)) from fault
    return document


def _pending(document: Any, place: Folder) -> list[str]:
    if not isinstance(document, dict):
        raise _damaged(place.path, msg("it is not a mapping"))
    if document.get("version", 1) != 1:
        raise _damaged(place.path, msg("its version is not 1"))
    found = document.get(PENDING)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise _damaged(place.path, msg("{name} is not a list of texts", name=PENDING))
    return found


def _written(document: Any, like: str) -> str:
    """`document` as YAML, indented as the text was."""
    yaml = _yaml()
    _ignored, indent, offset = load_yaml_guess_indent(like)
    if indent is not None:
        yaml.indent(mapping=indent, sequence=indent, offset=offset or 0)
    out = StringIO()
    yaml.dump(document, out)
    return out.getvalue()


def _yaml() -> YAML:
    yaml = YAML(typ="rt", pure=True)
    yaml.preserve_quotes = True
    yaml.width = 10_000
    return yaml


def _plain(document: Any) -> Any:
    if isinstance(document, dict):
        return {str(key): _plain(value) for key, value in document.items()}
    if isinstance(document, list):
        return [_plain(each) for each in document]
    return document


def _missing(project: str) -> UsageError:
    return UsageError(
        "harvest.no_canon",
        msg("The project has no canon yet; nothing was changed."),
        msg("A person makes the first one: ringwall harvest init --project {project}", project=project),
        f"{project}/{Outlet.CANON.path(CANON)}",
    )


def _damaged(where: str, why: Text) -> StateError:
    return StateError(
        "harvest.canon",
        msg("The canon is damaged: {why}. It was left as it is.", why=why),
        msg("Mend the file, and do it again."),
        f"{where}/{CANON}",
    )
