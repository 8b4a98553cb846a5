"""The tables. Invariant: plain SQL types only, so that the same schema serves SQLite and PostgreSQL.

`CURRENT` is the number of the newest migration; every change of a table is a migration and a new number.
"""

from __future__ import annotations

import sqlalchemy as sa

CURRENT = 2

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

proposals = sa.Table(
    "proposals",
    metadata,
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("binding", sa.String(71), nullable=False),
    sa.Column("action", sa.String(71), nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("requester", sa.Text, nullable=False),
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("session", sa.Text, nullable=False),
    sa.Column("agent", sa.Text, nullable=False),
    sa.Column("channel", sa.Text, nullable=False),
    sa.Column("plan", sa.Text, nullable=False),
    sa.Column("step", sa.Text, nullable=False),
    sa.Column("project", sa.Text, nullable=False),
    sa.Column("content", sa.Text, nullable=False),
    sa.Column("opened", sa.BigInteger, nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False),
    sa.Column("decided_by", sa.Text, nullable=False),
    sa.Column("because", sa.Text, nullable=False),
    sa.Column("decided", sa.BigInteger, nullable=False),
    sa.Column(
        "event",
        sa.String(36),
        sa.ForeignKey("events.id", deferrable=True, initially="DEFERRED"),
        nullable=False,
    ),
    sa.Index("proposals_state", "state", "expires"),
    sa.Index("proposals_binding", "binding", "number"),
    sa.Index(
        "proposals_live",
        "binding",
        unique=True,
        sqlite_where=sa.text("state IN ('pending', 'approved')"),
        postgresql_where=sa.text("state IN ('pending', 'approved')"),
    ),
)
"""Questions to a person. Of one binding at most one is live, pending or approved; `content` is the JSON of
what the person is shown, redacted once the proposal is settled. Times are Unix seconds."""

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
    sa.Column("proposal", sa.BigInteger, nullable=False, server_default="0"),
)
"""Calls about which the host's own prompt asks, until the host reports what became of them."""

grants = sa.Table(
    "grants",
    metadata,
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("scope", sa.Text, nullable=False),
    sa.Column("rule", sa.Text, nullable=False),
    sa.Column("project", sa.Text, nullable=False),
    sa.Column("session", sa.Text, nullable=False),
    sa.Column("proposal", sa.BigInteger, nullable=False),
    sa.Column("granted_by", sa.Text, nullable=False),
    sa.Column("opened", sa.BigInteger, nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False),
    sa.Column(
        "event",
        sa.String(36),
        sa.ForeignKey("events.id", deferrable=True, initially="DEFERRED"),
        nullable=False,
    ),
)
"""Allow rules that a person has granted and not revoked; `session` is empty for a whole project."""

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
