"""Proposals, also for the asks that are open; grants."""

import json

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"
branch_labels = None
depends_on = None

_LIVE = sa.text("state IN ('pending', 'approved')")
_DAY = 24 * 3600


def upgrade() -> None:
    proposals = op.create_table(
        "proposals",
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
    )
    op.create_index("proposals_state", "proposals", ["state", "expires"])
    op.create_index("proposals_binding", "proposals", ["binding", "number"])
    op.create_index(
        "proposals_live", "proposals", ["binding"], unique=True, sqlite_where=_LIVE, postgresql_where=_LIVE
    )
    op.create_table(
        "grants",
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
    op.add_column("asks", sa.Column("proposal", sa.BigInteger, nullable=False, server_default="0"))
    _take_over(op.get_bind(), proposals)


def _take_over(connection: sa.Connection, proposals: sa.Table) -> None:
    """Give every open ask its proposal. Its binding is one that no later call can have: the host alone
    reports what becomes of it."""
    rows = connection.exec_driver_sql(
        "SELECT asks.host, asks.session, asks.call_id, asks.event, asks.action, events.actor, events.body,"
        " CAST(strftime('%s', events.at) AS INTEGER) FROM asks JOIN events ON events.id = asks.event"
        " ORDER BY events.id"
    ).all()
    for number, row in enumerate(rows, 1):
        host, session, call_id, event, action, actor, body, at = row
        told = json.loads(body)
        content = {name: told[name] for name in ("tool", "input", "cwd", "trace") if name in told}
        connection.execute(
            proposals.insert().values(
                number=number,
                state="pending",
                binding=f"schema1:{event}",
                action=action,
                kind="call",
                requester=actor,
                host=host,
                session=session,
                agent=told.get("agent", ""),
                channel="host",
                plan="",
                step="",
                project="",
                content=json.dumps(content),
                opened=at,
                expires=at + _DAY,
                decided_by="",
                because="",
                decided=0,
                event=event,
            )
        )
        connection.exec_driver_sql(
            "UPDATE asks SET proposal = ? WHERE host = ? AND session = ? AND call_id = ?",
            (number, host, session, call_id),
        )


def downgrade() -> None:
    op.drop_column("asks", "proposal")
    for table in ("grants", "proposals"):
        op.drop_table(table)
