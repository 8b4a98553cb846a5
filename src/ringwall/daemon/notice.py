"""What a person is told when something waits for them: one line and a link.

Invariant: pure; no secret that the journal would black out, no hidden character, never more than a line. It
carries no authority: nothing can be decided by it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ringwall.approvals.proposal import Proposal
from ringwall.journal.redact import redact_text
from ringwall.journal.summary import call_words
from ringwall.model.text import msg
from ringwall.model.visible import visible_line

LONGEST = 160
"""Characters of what is said about a call."""


@dataclass(frozen=True, slots=True)
class Notice:
    """`link` is empty where no console listens."""

    number: int
    line: str
    link: str


def notice_of(proposal: Proposal, console: str) -> Notice:
    """The notice about a proposal; `console` is `host:port` of the console, or empty."""
    words = _words(proposal)
    if len(words) > LONGEST:
        words = f"{words[: LONGEST - 1]}…"
    text = msg("Proposal {number} waits: {words}", number=proposal.number, words=words)
    link = f"http://{console}/proposals/{proposal.number}" if console else ""
    return Notice(proposal.number, visible_line(str(text)), link)


def _words(proposal: Proposal) -> str:
    content = proposal.content
    tool, given = str(content.get("tool", proposal.kind)), content.get("input", {})
    if isinstance(given.get("command"), list):
        return redact_text(visible_line(f"{tool}: {' '.join(map(str, given['command']))}"))
    return redact_text(visible_line(call_words(tool, given)))
