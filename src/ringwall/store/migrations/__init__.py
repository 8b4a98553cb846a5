"""The schema's history, run by `ringwall.store.migrate`."""
