"""The second reader, as tests run it: shfmt beside the running interpreter."""

from __future__ import annotations

import subprocess
import sys
from functools import lru_cache
from pathlib import Path

SHFMT = Path(sys.executable).with_name("shfmt")


@lru_cache(maxsize=4096)
def shfmt(text: str) -> bytes | None:
    run = subprocess.run(
        [SHFMT, "--to-json", "-ln", "bash"], input=text.encode(), capture_output=True, timeout=60, check=False
    )
    return run.stdout if run.returncode == 0 else None


def absent(text: str) -> bytes | None:
    """A second reader that is not there."""
