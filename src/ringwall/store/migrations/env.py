"""Alembic's entry: runs inside the transaction of the connection that it was handed, never opens one."""

from alembic import context

from ringwall.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
