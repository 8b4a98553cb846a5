"""The reading settings and the contract as they stand on disk now.

Invariant: both are read from the person's own configuration, never from a project; a contract that others
could write is none.
"""

from __future__ import annotations

import os
import stat
import tomllib
from dataclasses import dataclass

from ringwall.judge.places import config_directory
from ringwall.model.errors import RingwallError
from ringwall.model.text import Text, msg
from ringwall.reading import limits
from ringwall.reading.contract import Contract, examine, fault, parse
from ringwall.reading.failures import refused
from ringwall.reading.settings import ReadingSettings, Window, read_settings

FILE = "ringwall.toml"


@dataclass(frozen=True, slots=True)
class Configured:
    """What a person has set; `off` where they have set nothing."""

    settings: ReadingSettings
    off: bool = False

    @property
    def window(self) -> Window:
        """Raises `RingwallError` where none is described."""
        if self.settings.window is None:
            raise off()
        return self.settings.window

    def contract(self) -> Contract:
        """The trusted contract. Raises `RingwallError`: without one nothing is read."""
        if not self.settings.contract:
            raise refused(
                "no_contract",
                msg("No contract is configured; nothing is read."),
                msg('Review one and set contract = "/path" under [reading]. See docs/reading.md.'),
            )
        return parse(contract_bytes(self.settings.contract), self.settings.contract)


def off() -> RingwallError:
    return refused(
        "off",
        msg("Reading is off."),
        msg(
            "A person turns it on with [reading] and [reading.window] in {path}; see docs/reading.md.",
            path=path(),
        ),
    )


def path() -> str:
    return f"{config_directory()}/{FILE}"


def configured() -> Configured:
    """Raises `RingwallError` where the table is not right; then reading stays off."""
    try:
        with open(path(), "rb") as file:
            table = tomllib.load(file).get("reading")
    except FileNotFoundError:
        return Configured(ReadingSettings(), off=True)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise refused(
            "settings",
            msg("{path} cannot be read: {why}.", path=path(), why=error),
            msg("Mend the file; until then reading is off."),
        ) from error
    if table is None:
        return Configured(ReadingSettings(), off=True)
    return Configured(read_settings(table, path()))


def contract_bytes(name: str) -> bytes:
    """The content of a contract that only this user or root can have written. Raises `RingwallError`."""
    try:
        handle = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise fault(msg("It cannot be read: {why}.", why=error.strerror), name) from error
    with os.fdopen(handle, "rb") as file:
        entry = os.fstat(handle)
        if unsafe := _unsafe(entry):
            raise fault(unsafe, name)
        return file.read(limits.FILE_BYTES + 1)


def lint(name: str) -> tuple[Contract | None, tuple[RingwallError, ...], tuple[Text, ...]]:
    """A contract with its faults, and what is allowed but worth a look."""
    contract, faults = examine(contract_bytes(name), name)
    return contract, faults, tuple(_worth_a_look(contract)) if contract is not None and not faults else ()


def _worth_a_look(contract: Contract) -> list[Text]:
    used = {name for route in contract.routes for name in route.requests}
    found = [
        msg("The request {name} belongs to no route.", name=one.id)
        for one in contract.requests
        if one.id not in used
    ]
    address = contract.requests[0].address
    if address.scheme == "http" and address.host not in ("127.0.0.1", "localhost", "::1"):
        found.append(msg("The site is reached without encryption; its session can be read on the way."))
    if len(contract.review_basis) < 40:
        found.append(msg("The grounds are short: which version, which code, which rights of the account?"))
    return found


def _unsafe(entry: os.stat_result) -> Text | None:
    if not stat.S_ISREG(entry.st_mode):
        return msg("It is not a regular file.")
    if entry.st_uid not in (0, os.geteuid()):
        return msg("It belongs to another user.")
    if entry.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return msg("Others can write to it.")
    return None
