"""What the wall keeps: sealed plans, pointers, who holds a step, snapshots, and the quiet log."""

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"
branch_labels = None
depends_on = None

_ACTIVE = sa.text("state = 'active'")


def upgrade() -> None:
    op.create_table(
        "plans",
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
    )
    op.create_index("plans_root", "plans", ["root", "number"])
    op.create_index(
        "plans_active", "plans", ["root"], unique=True, sqlite_where=_ACTIVE, postgresql_where=_ACTIVE
    )
    op.create_table("pointers", _plan(), sa.Column("content", sa.Text, nullable=False))
    op.create_table(
        "reservations",
        _plan(),
        sa.Column("call", sa.String(71), nullable=False),
        sa.Column("words", sa.String(71), nullable=False),
        sa.Column("host", sa.Text, nullable=False),
        sa.Column("session", sa.Text, nullable=False),
        sa.Column("agent", sa.Text, nullable=False),
        sa.Column("asked", sa.Integer, nullable=False),
        sa.Column("opened", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "snapshots",
        _plan(),
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "quiet",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("plan", sa.BigInteger, sa.ForeignKey("plans.number"), nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("call", sa.String(71), nullable=False),
        sa.Column("event", sa.String(36), nullable=False),
        sa.Column("began", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
    )
    op.create_index("quiet_plan", "quiet", ["plan", "call"])


def _plan() -> sa.Column[int]:
    return sa.Column("plan", sa.BigInteger, sa.ForeignKey("plans.number"), primary_key=True)


def downgrade() -> None:
    for table in ("quiet", "snapshots", "reservations", "pointers", "plans"):
        op.drop_table(table)
