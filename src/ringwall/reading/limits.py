"""The numbers of reading. Invariant: all bounds stand here, and no caller can widen one."""

from __future__ import annotations

FILE_BYTES = 128 * 1024
ROUTES = 50
REQUESTS = 200

PERMIT_SECONDS = 600
PERMIT_ATTEMPTS = 20

READ_SECONDS = 12.0
"""From the first page command to the last label."""
LOAD_SECONDS = 10.0
MATCHED_REQUESTS = 200
"""Answered requests of one read, repetitions counted."""
REPEATS = 20
"""How often one listed request may be sent in one read."""
BODY_BYTES = 8 << 20
READ_BYTES = 32 << 20
QUIET_SECONDS = 0.1
"""So long nothing listed is on its way before the labels are taken: a moment to look, no proof of an end."""
SETTLE_SECONDS = 3.0
"""So long after the page has loaded that moment is waited for."""
CLOSE_SECONDS = 5.0

LABELS = 20_000
LABEL_BYTES = 1 << 20
