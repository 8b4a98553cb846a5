"""A change to one file of the person's, shown before it is made.

Invariant: nothing is written but what the diff showed, to a file that still is what the diff was made from;
the write is atomic and keeps mode and links.
"""

from __future__ import annotations

import difflib
import os
import stat
import tempfile
from dataclasses import dataclass

from ringwall.model.errors import PolicyError, StateError
from ringwall.model.text import Text, msg


@dataclass(frozen=True, slots=True)
class Change:
    """`before` is None where there is no file, `after` is None where it shall be removed. `notices` are
    what the person should know besides the diff; `consent` is a question of its own, which only a person
    answers."""

    path: str
    before: bytes | None
    after: bytes | None
    notices: tuple[Text, ...] = ()
    consent: Text | None = None

    @property
    def needed(self) -> bool:
        return self.before != self.after

    @property
    def diff(self) -> str:
        """The unified diff, empty where nothing changes."""
        return "".join(
            difflib.unified_diff(
                _lines(self.before),
                _lines(self.after),
                "/dev/null" if self.before is None else self.path,
                "/dev/null" if self.after is None else self.path,
            )
        )

    def apply(self) -> None:
        """Make the change. Raises `StateError` when the file has changed since, or cannot be written."""
        if not self.needed:
            return
        try:
            if read_file(self.path) != self.before:
                raise StateError(
                    "setup.changed_meanwhile",
                    msg("The file was changed while the difference was being shown."),
                    msg("Run the command again."),
                    self.path,
                )
            if self.after is None:
                os.unlink(self.path)
            else:
                _replace(os.path.realpath(self.path), self.after)
        except OSError as error:
            raise StateError(
                "setup.not_written",
                msg("The file cannot be written: {detail}.", detail=error.strerror),
                msg("Check the owner and the permissions of the file and its folder."),
                self.path,
            ) from error


def read_file(path: str) -> bytes | None:
    """The bytes of a file; None where there is none. Raises `StateError` for what cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StateError(
            "setup.not_read",
            msg("The file cannot be read: {detail}.", detail=error.strerror),
            msg("Check that it is a file and that you may read it."),
            path,
        ) from error


def decoded(content: bytes, path: str) -> str:
    """The text of a settings file, byte order mark included. Raises `PolicyError` where it is not UTF-8."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        raise PolicyError(
            "settings.not_utf8",
            msg("The file is not UTF-8."),
            msg("Save it as UTF-8 and run the command again."),
            f"{path}:{line}:{column}",
        ) from error


def _replace(path: str, content: bytes) -> None:
    directory = os.path.dirname(path)
    os.makedirs(directory, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=".ringwall-", dir=directory)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), _mode(path))
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    _sync(directory)


def _mode(path: str) -> int:
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        umask = os.umask(0)
        os.umask(umask)
        return 0o666 & ~umask


def _sync(directory: str) -> None:
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _lines(content: bytes | None) -> list[str]:
    """Lines that end in a newline, so that the diff shows a missing last newline as git does."""
    if not content:
        return []
    lines = content.decode("utf-8", "backslashreplace").splitlines(keepends=True)
    if not lines[-1].endswith("\n"):
        lines[-1] += "\n\\ No newline at end of file\n"
    return lines
