"""From a shell action to its analysis: the front door of this room.

Invariant: total and deterministic; any text yields an analysis, and what could not be walked is a doubt. A
fault of the walk itself keeps what was found before it and names its kind in the doubt.
"""

from __future__ import annotations

from typing import NamedTuple

from ringwall.model.action import Action
from ringwall.model.analysis import Analysis, Doubt, Invocation
from ringwall.model.effects import Effect
from ringwall.model.surroundings import Surroundings
from ringwall.model.text import msg
from ringwall.shell.ast import Literal, Simple
from ringwall.shell.evaluate import Walk
from ringwall.shell.read import read
from ringwall.shell.streams import EMPTY, Stream
from ringwall.shell.understand import understand


class CommandText(NamedTuple):
    """A `Bash(…)` rule's text as the knowledge tables read it; `invocation` is None for an empty rule."""

    text: str
    invocation: Invocation | None
    prefix: bool


def analyse(action: Action, surroundings: Surroundings, stdin: Stream = EMPTY) -> Analysis:
    """All that the command line of `action` will do, with `stdin` as its standard input."""
    text = action.input.get("command")
    if not isinstance(text, str):
        doubt = Doubt("unreadable", msg("the call has no command text"))
        return Analysis(action, (), doubts=(doubt,))
    walk = Walk(action.cwd, surroundings)
    try:
        reading = read(text, walk.second)
        for doubt in reading.doubts:
            walk.doubts[doubt] = None
        walk.script(reading.script, stdin)
    except RecursionError:
        walk.doubt("too_deep", msg("the command is nested too deep"))
    except Exception as fault:  # a person decides on what the walk cannot, whatever went wrong in it
        walk.doubt("unreadable", msg("Ringwall failed to understand it ({kind})", kind=type(fault).__name__))
    effects = tuple(walk.effects)
    if not effects and not walk.doubts:
        effects = (Effect("observe", "", True, (0, len(text))),)
    return Analysis(action, effects, tuple(walk.commands), tuple(walk.doubts), tuple(walk.files.values()))


def command_pattern(text: str) -> CommandText:
    """The text of a `Bash(…)` rule, read by the same knowledge as commands are."""
    plain, prefix = _without_prefix_mark(text.strip())
    if not plain:
        return CommandText(text, None, prefix)
    argv = _words(plain)
    return CommandText(text, understand(argv).invocation, prefix)


def _without_prefix_mark(text: str) -> tuple[str, bool]:
    for mark in (":*", " *"):
        if text.endswith(mark):
            return text[: -len(mark)].rstrip(), True
    return ("", True) if text == "*" else (text, False)


def _words(text: str) -> tuple[str, ...]:
    """The words of a rule; a text that is no simple command is taken as one split at its blanks."""
    script = read(text, lambda _: None).script
    body = script.body if script is not None else None
    if isinstance(body, Simple) and body.words and not body.assigns and not body.redirects:
        words = ["".join(p.text for p in w.parts if isinstance(p, Literal)) for w in body.words]
        if all(isinstance(part, Literal) for word in body.words for part in word.parts):
            return tuple(words)
    return tuple(text.split())
