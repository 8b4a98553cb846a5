"""The tables. Invariant: plain SQL types only, so that the same schema serves SQLite and PostgreSQL.

`CURRENT` is the number of the newest migration; every change of a table is a migration and a new number.
"""

from __future__ import annotations

import sqlalchemy as sa

CURRENT = 1

metadata = sa.MetaData()

events = sa.Table(
    "events",
    metadata,
    sa.Column("id", sa.String(36), primary_key=True),
    sa.Column("v", sa.Integer, nullable=False),
    sa.Column("stream", sa.Text, nullable=False),
    sa.Column("seq", sa.BigInteger, nullable=False),
    sa.Column("at", sa.String(27), nullable=False),
    sa.Column("type", sa.Text, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("prev", sa.String(71), nullable=False),
    sa.Column("hash", sa.String(71), nullable=False),
    sa.UniqueConstraint("stream", "seq", name="events_stream_seq"),
)
"""The journal. `body` is canonical JSON, redacted; `hash` covers every other column."""

heads = sa.Table(
    "heads",
    metadata,
    sa.Column("stream", sa.Text, primary_key=True),
    sa.Column("seq", sa.BigInteger, nullable=False),
    sa.Column("hash", sa.String(71), nullable=False),
)
"""The last record of each stream, written in the transaction that appends it."""

asks = sa.Table(
    "asks",
    metadata,
    sa.Column("host", sa.Text, primary_key=True),
    sa.Column("session", sa.Text, primary_key=True),
    sa.Column("call_id", sa.Text, primary_key=True),
    sa.Column(
        "event",
        sa.String(36),
        sa.ForeignKey("events.id", deferrable=True, initially="DEFERRED"),
        nullable=False,
    ),
    sa.Column("action", sa.String(71), nullable=False),
)
"""Questions that a host's own prompt puts, until the host reports what became of the call."""

trusted = sa.Table(
    "trusted",
    metadata,
    sa.Column("digest", sa.String(71), primary_key=True),
    sa.Column("path", sa.Text, primary_key=True),
    sa.Column(
        "event",
        sa.String(36),
        sa.ForeignKey("events.id", deferrable=True, initially="DEFERRED"),
        nullable=False,
    ),
)
"""Policy files that a person trusts, by place and content."""

sources = sa.Table(
    "sources",
    metadata,
    sa.Column("path", sa.Text, primary_key=True),
    sa.Column("digest", sa.String(71), nullable=False),
    sa.Column("content", sa.LargeBinary, nullable=False),
)
"""The last good content of each policy file, in force while the file on disk is invalid."""

pauses = sa.Table(
    "pauses",
    metadata,
    sa.Column(
        "event",
        sa.String(36),
        sa.ForeignKey("events.id", deferrable=True, initially="DEFERRED"),
        primary_key=True,
    ),
    sa.Column("begins", sa.BigInteger, nullable=False),
    sa.Column("ends", sa.BigInteger, nullable=False),
)
"""Times (Unix seconds) in which a person has switched judging off."""
