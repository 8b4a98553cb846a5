"""The tables. Invariant: plain SQL types only, so that the same schema serves SQLite and PostgreSQL.

`CURRENT` is the number of the newest migration; every change of a table is a migration and a new number.
"""

from __future__ import annotations

import sqlalchemy as sa

CURRENT = 5

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
    sa.Index("proposals_waiting", "state", "number", "expires"),
    sa.Index("proposals_event", "event"),
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

pairings = sa.Table(
    "pairings",
    metadata,
    sa.Column("digest", sa.String(71), primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("label", sa.Text, nullable=False),
    sa.Column("opened", sa.BigInteger, nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False),
)
"""Where a person decides: open codes, and the browsers and terminals that are paired; of what they hold only
the digest is kept. Times are Unix seconds."""

past = sa.Table(
    "past",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("event", sa.String(36), nullable=False),
)
"""The events that can be searched, in the order in which they were read."""

PAST_WORDS = (
    "CREATE VIRTUAL TABLE past_words USING fts5"
    "(words, marks, content='', columnsize=0, tokenize='unicode61 remove_diacritics 2')"
)
"""Their words and marks under the same number, in SQLite; elsewhere nothing is searched yet (ADR 0052)."""


@sa.event.listens_for(past, "after_create")
def _with_words(_table: sa.Table, connection: sa.Connection, **_: object) -> None:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(PAST_WORDS)


past_read = sa.Table(
    "past_read",
    metadata,
    sa.Column("stream", sa.Text, primary_key=True),
    sa.Column("seq", sa.BigInteger, nullable=False),
)
"""How far each stream of the journal can be searched."""

rule_hits = sa.Table(
    "rule_hits",
    metadata,
    sa.Column("file", sa.Text, primary_key=True),
    sa.Column("rule", sa.Text, primary_key=True),
    sa.Column("hits", sa.BigInteger, nullable=False),
    sa.Column("last", sa.String(27), nullable=False),
)
"""How often each rule decided, as far as `past_read` says."""

seen = sa.Table(
    "seen",
    metadata,
    sa.Column("host", sa.Text, primary_key=True),
    sa.Column("session", sa.Text, primary_key=True),
    sa.Column("agent", sa.Text, primary_key=True),
    sa.Column("cwd", sa.Text, nullable=False),
    sa.Column("mode", sa.Text, nullable=False),
    sa.Column("first", sa.String(27), nullable=False),
    sa.Column("last", sa.String(27), nullable=False),
    sa.Column("calls", sa.BigInteger, nullable=False),
    sa.Column("asked", sa.BigInteger, nullable=False),
    sa.Column("denied", sa.BigInteger, nullable=False),
    sa.Index("seen_last", "last"),
)
"""Who made calls, as far as `past_read` says; `agent` is empty for the session's own."""

plans = sa.Table(
    "plans",
    metadata,
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("plan_id", sa.String(71), nullable=False),
    sa.Column("root", sa.Text, nullable=False),
    sa.Column("path", sa.Text, nullable=False),
    sa.Column("file", sa.String(71), nullable=False),
    sa.Column("document", sa.Text, nullable=False),
    sa.Column("sealed_by", sa.Text, nullable=False),
    sa.Column("sealed", sa.BigInteger, nullable=False),
    sa.Column("ended", sa.BigInteger, nullable=False),
    sa.Column("because", sa.Text, nullable=False),
    sa.Column(
        "event",
        sa.String(36),
        sa.ForeignKey("events.id", deferrable=True, initially="DEFERRED"),
        nullable=False,
    ),
    sa.Index("plans_root", "root", "number"),
    sa.Index(
        "plans_active",
        "root",
        unique=True,
        sqlite_where=sa.text("state = 'active'"),
        postgresql_where=sa.text("state = 'active'"),
    ),
)
"""Sealed plans; of one worktree at most one is active. `document` is the sealed copy as canonical JSON, whose
digest is `plan_id`; `file` is the digest of the Markdown at `path`. Times are Unix seconds."""

pointers = sa.Table(
    "pointers",
    metadata,
    sa.Column("plan", sa.BigInteger, sa.ForeignKey("plans.number"), primary_key=True),
    sa.Column("content", sa.Text, nullable=False),
)
"""Where the pointer of each plan stands, as canonical JSON. The journal's stream `plans` says the same."""

reservations = sa.Table(
    "reservations",
    metadata,
    sa.Column("plan", sa.BigInteger, sa.ForeignKey("plans.number"), primary_key=True),
    sa.Column("call", sa.String(71), nullable=False),
    sa.Column("words", sa.String(71), nullable=False),
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("session", sa.Text, nullable=False),
    sa.Column("agent", sa.Text, nullable=False),
    sa.Column("asked", sa.Integer, nullable=False),
    sa.Column("opened", sa.BigInteger, nullable=False),
)
"""Whose call holds the step under the pointer; `asked`: its host puts a question about it first. Unix
seconds."""

snapshots = sa.Table(
    "snapshots",
    metadata,
    sa.Column("plan", sa.BigInteger, sa.ForeignKey("plans.number"), primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("content", sa.LargeBinary, nullable=False),
)
"""The files in a plan's scope: `last` as they were after the last step, `before` as the running step found
them."""

quiet = sa.Table(
    "quiet",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("plan", sa.BigInteger, sa.ForeignKey("plans.number"), nullable=False),
    sa.Column("step", sa.Integer, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("call", sa.String(71), nullable=False),
    sa.Column("event", sa.String(36), nullable=False),
    sa.Column("began", sa.BigInteger, nullable=False),
    sa.Column("ended", sa.BigInteger, nullable=False),
    sa.Column("outcome", sa.Text, nullable=False),
    sa.Index("quiet_plan", "plan", "call"),
)
"""The quiet log: every call under a plan, by the event of its decision, the number of the step that was under
the pointer, and what became of it. Times are Unix microseconds."""

escapes = sa.Table(
    "escapes",
    metadata,
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("action", sa.String(71), nullable=False),
    sa.Column("because", sa.Text, nullable=False),
    sa.Column("issued_by", sa.Text, nullable=False),
    sa.Column("opened", sa.BigInteger, nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False),
    sa.Column(
        "event",
        sa.String(36),
        sa.ForeignKey("events.id", deferrable=True, initially="DEFERRED"),
        nullable=False,
    ),
    sa.Index("escapes_action", "action", unique=True),
)
"""Escapes from the floor that a person issued and nobody used; of one action at most one. Unix seconds."""

pins = sa.Table(
    "pins",
    metadata,
    sa.Column("project", sa.Text, primary_key=True),
    sa.Column("server", sa.Text, primary_key=True),
    sa.Column("tool", sa.Text, primary_key=True),
    sa.Column("digest", sa.String(71), nullable=False),
    sa.Column("shown", sa.Text, nullable=False),
    sa.Column(
        "event",
        sa.String(36),
        sa.ForeignKey("events.id", deferrable=True, initially="DEFERRED"),
        nullable=False,
    ),
)
"""What an MCP server may say of its tools to an agent; `shown` is it, as JSON."""

bound_sessions = sa.Table(
    "bound_sessions",
    metadata,
    sa.Column("token", sa.String(71), primary_key=True),
    sa.Column("agent", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("opened", sa.BigInteger, nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False),
    sa.Column(
        "event",
        sa.String(36),
        sa.ForeignKey("events.id", deferrable=True, initially="DEFERRED"),
        nullable=False,
    ),
)
"""As whom a session that Ringwall started runs. `token` is the digest of what the session holds."""
