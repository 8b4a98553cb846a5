"""An event of the journal in a few words of the reader's language."""

from __future__ import annotations

from ringwall.cli.catalogue import show
from ringwall.journal.record import Record
from ringwall.journal.summary import call_words as call_words
from ringwall.journal.summary import told


def summary(record: Record) -> tuple[str, str]:
    """The verdict, where there is one, and what happened, on one line."""
    verdict, words = told(record)
    return verdict, show(words)
