"""What a settings file was before Ringwall came, so that it can be given back byte for byte.

Invariant: a receipt is used only while the file still is exactly what we left; otherwise just our entries
are taken out.
"""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass

import msgspec

from ringwall.model.canonical import digest_bytes
from ringwall.model.errors import StateError
from ringwall.model.text import msg
from ringwall.store.paths import StateDir


class _Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    path: str
    before: str | None
    after: str
    made_folder: bool


@dataclass(frozen=True, slots=True)
class Receipt:
    """`before` is None where there was no file; `after` is the digest of what we left; `made_folder` says
    that the file's folder is ours too."""

    path: str
    before: bytes | None
    after: str
    made_folder: bool

    def covers(self, content: bytes | None) -> bool:
        return content is not None and digest_bytes(content) == self.after


def load(state: StateDir, path: str) -> Receipt | None:
    """The receipt for the settings file `path`; None where there is none, or none that can be read."""
    try:
        with open(_file(state, path), "rb") as file:
            record = msgspec.json.decode(file.read(), type=_Record)
        before = None if record.before is None else base64.b64decode(record.before, validate=True)
    except (OSError, msgspec.MsgspecError, ValueError):
        return None
    return Receipt(record.path, before, record.after, record.made_folder) if record.path == path else None


def save(state: StateDir, receipt: Receipt) -> None:
    """Keep `receipt`. Raises `StateError`."""
    state.prepare()
    before = None if receipt.before is None else base64.b64encode(receipt.before).decode("ascii")
    record = _Record(receipt.path, before, receipt.after, receipt.made_folder)
    name = _file(state, receipt.path)
    try:
        os.makedirs(os.path.dirname(name), mode=0o700, exist_ok=True)
        with open(f"{name}.new", "wb", opener=_private) as file:
            file.write(msgspec.json.encode(record))
            file.flush()
            os.fsync(file.fileno())
        os.replace(f"{name}.new", name)
    except OSError as error:
        raise StateError(
            "setup.no_receipt",
            msg("What the settings were cannot be kept: {detail}.", detail=error.strerror),
            msg("Make the state directory writable for you."),
            name,
        ) from error


def forget(state: StateDir, path: str) -> None:
    """Drop the receipt for `path`, if there is one."""
    try:
        os.unlink(_file(state, path))
    except OSError:
        return


def _file(state: StateDir, path: str) -> str:
    return f"{state.path}/receipts/{digest_bytes(os.fsencode(path)).removeprefix('sha256:')}.json"


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
