"""Escapes from the floor, pinned tool descriptions, and as whom a session runs."""

import sqlalchemy as sa
from alembic import op

revision = "5"
down_revision = "4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "escapes",
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("action", sa.String(71), nullable=False),
        sa.Column("because", sa.Text, nullable=False),
        sa.Column("issued_by", sa.Text, nullable=False),
        sa.Column("opened", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        _event(),
    )
    op.create_index("escapes_action", "escapes", ["action"], unique=True)
    op.create_table(
        "pins",
        sa.Column("project", sa.Text, primary_key=True),
        sa.Column("server", sa.Text, primary_key=True),
        sa.Column("tool", sa.Text, primary_key=True),
        sa.Column("digest", sa.String(71), nullable=False),
        sa.Column("shown", sa.Text, nullable=False),
        _event(),
    )
    op.create_table(
        "bound_sessions",
        sa.Column("token", sa.String(71), primary_key=True),
        sa.Column("agent", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("opened", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        _event(),
    )


def _event() -> sa.Column[str]:
    return sa.Column(
        "event",
        sa.String(36),
        sa.ForeignKey("events.id", deferrable=True, initially="DEFERRED"),
        nullable=False,
    )


def downgrade() -> None:
    for table in ("bound_sessions", "pins", "escapes"):
        op.drop_table(table)
