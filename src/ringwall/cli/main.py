"""The program `ringwall`: hands the command line to a verb and turns how it ended into an exit status.

Invariant: 0 success, 1 a negative answer, 2 wrong use, 3 Ringwall itself failed. The hook path imports no
command-line library.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

OK, NEGATIVE, WRONG_USE, FAILED = 0, 1, 2, 3
INTERRUPTED = 130


def main() -> NoReturn:
    """The entry point."""
    arguments = sys.argv[1:]
    if len(arguments) == 2 and arguments[0] == "hook" and not arguments[1].startswith("-"):
        from ringwall.daemon.hook import answer

        sys.exit(answer(arguments[1]))
    sys.exit(run(arguments))


def run(arguments: list[str]) -> int:
    """One command line; its exit status. Every failure becomes one."""
    import click

    from ringwall.cli.errors import report, status_of
    from ringwall.cli.group import cli

    try:
        result = cli.main(arguments, prog_name="ringwall", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as ending:
        return ending.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except Exception as error:
        report(error)
        return status_of(error)
    return result if isinstance(result, int) else OK


if __name__ == "__main__":
    main()
