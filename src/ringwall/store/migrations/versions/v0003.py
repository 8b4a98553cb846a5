"""What the console needs: pairings, and what was decided arranged for looking up."""

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "pairings",
        sa.Column("digest", sa.String(71), primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("opened", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "past",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("event", sa.String(36), nullable=False),
    )
    op.create_table(
        "past_read",
        sa.Column("stream", sa.Text, primary_key=True),
        sa.Column("seq", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "rule_hits",
        sa.Column("file", sa.Text, primary_key=True),
        sa.Column("rule", sa.Text, primary_key=True),
        sa.Column("hits", sa.BigInteger, nullable=False),
        sa.Column("last", sa.String(27), nullable=False),
    )
    op.create_table(
        "seen",
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
    )
    op.create_index("seen_last", "seen", ["last"])
    op.create_index("proposals_waiting", "proposals", ["state", "number", "expires"])
    op.create_index("proposals_event", "proposals", ["event"])
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE VIRTUAL TABLE past_words USING fts5"
            "(words, marks, content='', columnsize=0, tokenize='unicode61 remove_diacritics 2')"
        )


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TABLE past_words")
    op.drop_index("proposals_event", "proposals")
    op.drop_index("proposals_waiting", "proposals")
    for table in ("seen", "rule_hits", "past_read", "past", "pairings"):
        op.drop_table(table)
