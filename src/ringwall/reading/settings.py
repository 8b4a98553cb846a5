"""The table `[reading]` of a person's own `ringwall.toml`.

Invariant: without the table reading is off; a key that is not known or not right is an error, and reading
stays off until it is mended.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from ringwall.model.errors import RingwallError
from ringwall.model.text import Text, msg
from ringwall.reading.address import Address, read_address
from ringwall.reading.failures import refused
from ringwall.reading.scope import Scope

SOURCE_KEY = "browserReadPolicyFile"
"""Another name of `contract`, as the first host of this feature called it."""


class Window(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The login window: where it opens, and for whom a person says that it is logged in."""

    site_url: str = msgspec.field(name="siteUrl")
    site: str
    account: str
    tenant: str
    role: str

    @property
    def scope(self) -> Scope:
        return Scope(self.site, self.account, self.tenant, self.role)


class ReadingSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`contract`, `chromium` and `ca` are absolute paths, empty where they are not set; `isolation` is empty
    for a wall of the system's."""

    contract: str = ""
    window: Window | None = None
    isolation: Literal["", "jail", "namespace", "switches"] = ""
    chromium: str = ""
    ca: str = ""


def read_settings(table: object, where: str) -> ReadingSettings:
    """The settings in a TOML table. Raises `RingwallError`."""
    if not isinstance(table, Mapping):
        raise _wrong(msg("[reading] must be a table."), where)
    given: dict[str, Any] = dict(table)
    if SOURCE_KEY in given:
        if "contract" in given:
            raise _wrong(msg("contract and {key} are the same; keep one.", key=SOURCE_KEY), where)
        given["contract"] = given.pop(SOURCE_KEY)
    try:
        found = msgspec.convert(given, ReadingSettings)
    except msgspec.ValidationError as error:
        raise _wrong(msg("[reading] is not right: {why}.", why=error), where) from error
    for name in ("contract", "chromium", "ca"):
        path = getattr(found, name)
        if path and not path.startswith("/"):
            raise _wrong(msg("reading.{name} must be an absolute path.", name=name), where)
    if found.window is not None and not isinstance(read_address(found.window.site_url), Address):
        raise _wrong(msg("reading.window.siteUrl is no exact URL."), where)
    return found


def _wrong(what: Text, where: str) -> RingwallError:
    return refused(
        "settings", what, msg("Mend the file; until then reading is off. See docs/reading.md."), where
    )
