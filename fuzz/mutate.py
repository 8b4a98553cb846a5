"""Mutations of known command lines, and replay: `python -m fuzz.mutate [-n COUNT] [-s SEED] FILE…`.

Each FILE is JSON Lines with a `command` or `cmd`; any other file is one command line, which is tried as it
is. Prints each input that breaks a property and exits with 1 when there was one.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from fuzz.properties import broken

TOKENS = [
    line[1:-1].encode("ascii").decode("unicode_escape")
    for line in Path(__file__).with_name("shell.dict").read_text().splitlines()
    if line.startswith('"')
]

CHARACTERS = "\x00\t\n\r\x1b\"$'`\xa0\u200b\ufeff"
AROUND = (("$(", ")"), ("`", "`"), ('"', '"'), ("{ ", "; }"), ("<(", ")"), ("eval '", "'"))


def commands(file: Path) -> list[str]:
    """The command lines of a file of rows."""
    rows = [
        json.loads(line) for line in file.read_text("utf-8", "surrogatepass").splitlines() if line.strip()
    ]
    found = (row.get("command") or row.get("cmd") for row in rows)
    return [text for text in found if isinstance(text, str)]


def mutations(texts: list[str], count: int, chance: random.Random) -> Iterator[str]:
    for _ in range(count):
        text = chance.choice(texts)[:4000]
        for _ in range(chance.randint(1, 5)):
            text = _mutated(text, texts, chance)
        yield text[:9000]


def _mutated(text: str, texts: list[str], chance: random.Random) -> str:
    at = chance.randint(0, len(text))
    end = min(len(text), at + chance.randint(1, 12))
    match chance.randint(0, 6):
        case 0:
            return text[:at] + text[end:]
        case 1:
            return text[:at] + chance.choice(TOKENS) + text[at:]
        case 2:
            return text[:at] + chance.choice(TOKENS) * chance.choice((2, 3, 8, 30, 120)) + text[at:]
        case 3:
            return text[:at] + text[at:end] * chance.choice((2, 3, 20)) + text[end:]
        case 4:
            return text[:at] + chance.choice(texts)[:2000] + text[at:]
        case 5:
            return text[:at] + chance.choice(CHARACTERS) + text[end:]
        case _:
            left, right = chance.choice(
                (("$(", ")"), ("`", "`"), ('"', '"'), ("{ ", "; }"), ("<(", ")"), ("eval '", "'"))
            )
            return text[:at] + left + text[at:end] + right + text[end:]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("-n", type=int, default=20_000)
    options.add_argument("-s", type=int, default=1)
    options.add_argument("files", nargs="+", type=Path)
    given = options.parse_args()
    rows = [file for file in given.files if file.suffix == ".jsonl"]
    known = [text for file in rows for text in commands(file)]
    single = [
        file.read_bytes().decode("utf-8", "surrogateescape") for file in given.files if file not in rows
    ]
    tried = iter(single)
    found = 0
    for source in (tried, mutations(known, given.n, random.Random(given.s)) if known else ()):  # noqa: S311
        for text in source:
            what = broken(text)
            if what is not None:
                found += 1
                print(f"{what}\t{text!r}", flush=True)
    print(f"{found} broken", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
