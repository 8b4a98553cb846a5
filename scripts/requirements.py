"""Prints which requirement ids have no test named by them.

The ids stand in `docs/requirements.txt` (one a line, with the part that they belong to). Exit status 1 when
an id of a finished part has no test.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMED = re.compile(r"def test_((?:PRE|W|B|P|L|X|H)_\d\d)", re.IGNORECASE)


def listed() -> dict[str, list[str]]:
    """Ids by part, in the order of the list."""
    parts: dict[str, list[str]] = {}
    for line in (ROOT / "docs" / "requirements.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            part, ids = line.split(":", 1)
            parts[part.strip()] = ids.split()
    return parts


def tested() -> set[str]:
    """Ids that a test is named by."""
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    return {found.upper().replace("_", "-") for text in sources for found in NAMED.findall(text)}


def main() -> int:
    have = tested()
    missing = False
    for part, ids in listed().items():
        without = [name for name in ids if name not in have]
        missing = missing or bool(without)
        print(
            f"{part}: {len(ids) - len(without)} of {len(ids)} tested"
            + (f"; without a test: {' '.join(without)}" if without else "")
        )
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
