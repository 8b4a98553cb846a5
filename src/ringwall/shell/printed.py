"""What a command that carries nothing prints, as far as its words and its input tell.

Invariant: text that is not certain is None; what may come from the network is marked so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ringwall.shell.appended import found_by, lists_files, temporary
from ringwall.shell.meaning import Meaning
from ringwall.shell.streams import FILTERS, NETWORK, Stream, output_of

if TYPE_CHECKING:
    from ringwall.shell.evaluate import Walk

_SEARCH_ACTIONS = frozenset(("-printf", "-fprintf", "-ls", "-quit", "-delete", "-x", "-X", "--exec"))


def printed(walk: Walk, argv: Sequence[str], meaning: Meaning, stdin: Stream) -> Stream:
    """What a command that carries nothing prints."""
    if argv[0] == "cat" and len(argv) == 2 and argv[1][:1] != "-":
        return walk.content(argv[1])
    if argv[0] == "pwd" and len(argv) == 1:
        return Stream(walk.env.cwd + "\n")
    if argv[0] == "mktemp":
        walk.descriptors += 1
        scratch = walk.surroundings.places.scratch
        return Stream(temporary(argv[1:], scratch[0] if scratch else "/tmp", walk.descriptors))  # noqa: S108
    if argv[0] in ("which", "command", "type") and argv[1:] and argv[-1].isidentifier():
        return Stream(f"/usr/bin/{argv[-1]}\n")
    if argv == ("git", "rev-parse", "--show-toplevel"):
        return Stream(walk.surroundings.places.root + "\n")
    listed = lists_files(argv)
    if listed:
        return Stream(listed)
    if argv[0] in ("find", "fd") and not any(word in _SEARCH_ACTIONS for word in argv):
        return Stream("\n".join(found_by(argv, meaning)) + "\n")
    files = walk.env.files
    if files and any(files[p].network for p in map(walk.env.absolute, argv[1:]) if p in files):
        return NETWORK
    return output_of(argv, walk.settled(stdin) if stdin.source and argv[0] in FILTERS else stdin)
