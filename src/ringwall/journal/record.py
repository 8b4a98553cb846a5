"""One record of the journal and its hash.

Invariant: the hash covers every field of the record, and through `prev` all records before it in its
stream.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

START = "sha256:" + "0" * 64
"""`prev` of the first record of a stream."""

_JSON = msgspec.json.Encoder()


class Record(msgspec.Struct, frozen=True):
    """A row of the journal. `body` is canonical JSON text; `at` is UTC with microseconds."""

    id: str
    v: int
    stream: str
    seq: int
    at: str
    type: str
    actor: str
    subject: str
    body: str
    prev: str
    hash: str = ""

    def content(self) -> dict[str, Any]:
        """The body as a JSON value."""
        value: dict[str, Any] = msgspec.json.decode(self.body)
        return value

    def canonical(self) -> bytes:
        """The record without its hash as RFC 8785 bytes, as long as `body` is canonical itself."""
        body = msgspec.Raw(self.body.encode("utf-8", "surrogatepass"))
        return _JSON.encode(
            {
                "actor": self.actor,
                "at": self.at,
                "body": body,
                "id": self.id,
                "prev": self.prev,
                "seq": self.seq,
                "stream": self.stream,
                "subject": self.subject,
                "type": self.type,
                "v": self.v,
            }
        )

    def sealed(self) -> Record:
        """The same record with its hash."""
        return msgspec.structs.replace(self, hash=self.expected_hash())

    def expected_hash(self) -> str:
        return f"sha256:{hashlib.sha256(self.canonical()).hexdigest()}"

    def exported(self) -> bytes:
        """One line of the export: the canonical record with its hash."""
        return self.canonical()[:-1] + b',"hash":' + _JSON.encode(self.hash) + b"}"
