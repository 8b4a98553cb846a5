"""The append-only record of everything: events, chain, verify, export."""
