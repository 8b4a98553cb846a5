"""The journal, its heads, open asks, trusted files, last good policy sources, pauses."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "events",
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
    op.create_table(
        "heads",
        sa.Column("stream", sa.Text, primary_key=True),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.String(71), nullable=False),
    )
    op.create_table(
        "asks",
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
    op.create_table(
        "trusted",
        sa.Column("digest", sa.String(71), primary_key=True),
        sa.Column("path", sa.Text, primary_key=True),
        sa.Column(
            "event",
            sa.String(36),
            sa.ForeignKey("events.id", deferrable=True, initially="DEFERRED"),
            nullable=False,
        ),
    )
    op.create_table(
        "sources",
        sa.Column("path", sa.Text, primary_key=True),
        sa.Column("digest", sa.String(71), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "pauses",
        sa.Column(
            "event",
            sa.String(36),
            sa.ForeignKey("events.id", deferrable=True, initially="DEFERRED"),
            primary_key=True,
        ),
        sa.Column("begins", sa.BigInteger, nullable=False),
        sa.Column("ends", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    for table in ("pauses", "sources", "trusted", "asks", "heads", "events"):
        op.drop_table(table)
