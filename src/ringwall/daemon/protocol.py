"""What client and daemon say to each other, once per connection.

    request  "RWQ1"  u32 header size  u32 payload size  header  payload
    header   version NUL  host NUL  "0" or "1" (notify) NUL  { NAME=value NUL }
    reply    "RWR1"  u8 exit  u32 stdout size  u32 stderr size  stdout  stderr
    or       "RWX1"  nine zero bytes: the daemon is of another version; judge without it

Numbers are big-endian; both sides close after the reply. Invariant: sizes are bounded before anything is
kept, and what is not exactly a request gets no reply at all, which the client takes for "no verdict".
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from ringwall.hosts.protocol import HookReply

REQUEST, REPLY, OTHER_VERSION = b"RWQ1", b"RWR1", b"RWX1"
HEADER_LIMIT = 128 * 1024
PAYLOAD_LIMIT = 64 * 1024 * 1024
REPLY_LIMIT = 16 * 1024 * 1024

_REQUEST_HEAD = struct.Struct(">4sII")
_REPLY_HEAD = struct.Struct(">4sBII")
HEAD_SIZE = _REQUEST_HEAD.size


@dataclass(frozen=True, slots=True)
class Request:
    """One hook payload on its way to the judge, with what the agent's shell starts with; `waited`: it has
    waited for a person already."""

    version: str
    host: str
    notify: bool
    environ: Mapping[str, str]
    payload: bytes
    waited: bool = False


class Malformed(ValueError):
    """Bytes that are not a request."""


def sizes(head: bytes | bytearray) -> tuple[int, int]:
    """Header and payload size of a request that begins with `head`. Raises `Malformed`."""
    magic, header, payload = _REQUEST_HEAD.unpack_from(head)
    if magic != REQUEST or header > HEADER_LIMIT or payload > PAYLOAD_LIMIT:
        raise Malformed
    return header, payload


def request(header: bytes, payload: bytes) -> Request:
    """The request in these two parts. Raises `Malformed`."""
    fields = header.decode("utf-8", "surrogateescape").split("\0")
    if len(fields) < 4 or fields.pop() or fields[2] not in ("0", "1"):
        raise Malformed
    version, host, notify, *variables = fields
    environ = dict(variable.split("=", 1) for variable in variables if "=" in variable)
    return Request(version, host, notify == "1", environ, payload)


def reply_frame(reply: HookReply) -> bytes:
    head = _REPLY_HEAD.pack(REPLY, reply.exit, len(reply.stdout), len(reply.stderr))
    return head + reply.stdout + reply.stderr


def other_version_frame() -> bytes:
    return _REPLY_HEAD.pack(OTHER_VERSION, 0, 0, 0)
