"""Where state is kept: engine, schema, migrations."""
