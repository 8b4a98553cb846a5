"""What may be asked of the reading process, and how it answers: one JSON line each way, one per connection.

Invariant: a request is one of these shapes with exactly its fields; an address, selector, script, method or a
word that something is approved has no place in any of them.
"""

from __future__ import annotations

from typing import Any

import msgspec

from ringwall.model.errors import RingwallError
from ringwall.model.text import msg
from ringwall.reading.failures import refused

MOST_BYTES = 64 * 1024
REPLY_BYTES = 16 << 20


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", kw_only=True):
    """What all have in common: `asker` stands in the journal, `folder` is where they work."""

    asker: str = ""
    folder: str = ""


class Open(Ask, frozen=True, tag="open"):
    """Open the login window, or say where it stands."""


class Status(Ask, frozen=True, tag="status"):
    """Session, revision, permit and isolation."""


class Policy(Ask, frozen=True, tag="policy"):
    """The trusted contract and its digest."""


class Enable(Ask, frozen=True, tag="enable"):
    """Ask a person for a permit, and wait for their answer at most `wait` seconds."""

    session_id: str = msgspec.field(name="sessionId")
    revision: int
    policy_digest: str = msgspec.field(name="policyDigest")
    wait: float = 0


class Read(Ask, frozen=True, tag="read"):
    """Read one route of the contract."""

    session_id: str = msgspec.field(name="sessionId")
    revision: int
    policy_digest: str = msgspec.field(name="policyDigest")
    route_id: str = msgspec.field(name="routeId")


class Takeover(Ask, frozen=True, tag="takeover"):
    """A person takes the window over."""


class Resume(Ask, frozen=True, tag="resume"):
    """A person lets the page in front be observed passively again."""


class Observe(Ask, frozen=True, tag="observe"):
    """Keep the labels of the page in front, as a person has it."""


class Record(Ask, frozen=True, tag="record"):
    """The requests that the window's pages have made since recording began."""

    on: bool


class Close(Ask, frozen=True, tag="close"):
    """Close the window and end the process."""


Asked = Open | Status | Policy | Enable | Read | Takeover | Resume | Observe | Record | Close


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """`result` of what went well, else what went wrong."""

    result: dict[str, Any] | None = None
    code: str = ""
    what: str = ""
    repair: str = ""
    where: str = ""


def read_request(line: bytes) -> Asked:
    """Raises `RingwallError` for anything that is not exactly a request."""
    try:
        return msgspec.json.decode(line, type=Asked, strict=True)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise refused(
            "malformed",
            msg("This is no request of reading: {why}.", why=error),
            msg("Send only the fields that the tool describes; a route is named by its routeId."),
        ) from error


def reply_of(error: RingwallError) -> Reply:
    return Reply(code=error.code, what=str(error.what), repair=str(error.repair), where=error.where)


def result_of(reply: Reply) -> dict[str, Any]:
    """The result. Raises the error that the reply tells of."""
    if reply.result is not None:
        return reply.result
    raise RingwallError(
        reply.code, msg("{what}", what=reply.what), msg("{repair}", repair=reply.repair), reply.where
    )
