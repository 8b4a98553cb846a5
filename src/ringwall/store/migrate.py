"""Brings a database to the current schema.

Invariant: a migration happens whole or not at all. Imported only where the number is not the current one,
for Alembic is slow to load.
"""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from ringwall.store.schema import CURRENT


def upgrade(connection: Connection) -> None:
    """Run the missing migrations in the transaction that `connection` is in, and write the number."""
    config = Config()
    config.set_main_option("script_location", "ringwall.store:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, str(CURRENT))
    connection.exec_driver_sql(f"PRAGMA user_version = {CURRENT}")
