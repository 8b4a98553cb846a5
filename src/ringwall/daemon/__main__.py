"""`python -m ringwall.daemon STATE`: the daemon itself."""

from __future__ import annotations

import os
import sys

from ringwall.daemon import lock
from ringwall.store.paths import StateDir


def main() -> int:
    """Take the lock before anything slow is imported: of many that start, all but one end here."""
    state = StateDir(sys.argv[1])
    state.prepare()
    held = lock.take(state)
    if held is None:
        return 0
    from ringwall.daemon.collecting import settle
    from ringwall.daemon.judging import Judging
    from ringwall.daemon.notifying import Notifier
    from ringwall.daemon.server import Server

    judging = Judging(state)
    settle()
    Notifier(state, os.environ).start()
    Server(state, judging, undecided=judging.undecided).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
