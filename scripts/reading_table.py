# ruff: noqa: E501 - one line of Markdown is one line here
"""Writes docs/reading-table.md: what a hostile page reaches in three designs.

    python scripts/reading_table.py            reads all pages in all designs (needs root; half an hour)
    python scripts/reading_table.py DIR        takes the lines of an earlier run: DIR/plain.jsonl and so on

Every line comes from tests/reading/hostile, run where no packet can leave the machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DESIGNS = ("plain", "switches", "jail")
Row = dict[str, Any]

HEAD = """# What a hostile page reaches

Made by `python scripts/reading_table.py` with {browser} and playwright {playwright}. Each of {count} pages tries one way to reach the network, from a site that counts as public and secure; the site records every connection, datagram and name that is asked for. *Reached* is what no contract lists.

- **plain**: a browser that is only intercepted, as it is commonly done: exact list, no redirects, no service workers, no sockets, three directives of CSP.
- **switches**: Ringwall's reader without a wall of the system's: its own sender, headers and dead-end switches.
- **jail**: the same in bubblewrap, without a network.

| group | pages | plain: reached | … and the read counted as good | switches: reached | jail: reached |
|---|---|---|---|---|---|
"""

TAIL = """
## What this does not show

- **The server.** A listed request reaches it, with the person's session; a listed GET that writes, writes. Nothing here isolates the server, and what was sent cannot be called back.
- **Who is logged in.** A switch of company or role is not detected.
- **Covert timing.** A page chooses which listed requests it makes, in which order, when, and up to 20 times each.
- **What nobody thought of.** These are the ways that we know. In the jail a new one has no network to use; with switches alone it might.
- **Flaws of Chromium, bubblewrap or the kernel.** And only Linux was measured.
"""


def main() -> int:
    given = Path(sys.argv[1]) if sys.argv[1:] else None
    with tempfile.TemporaryDirectory() as made:
        folder = given or Path(made)
        if given is None:
            for design in DESIGNS:
                _run(design, folder)
        rows = {design: _rows(folder / f"{design}.jsonl") for design in DESIGNS}
    names = {design: _names(rows[design]) for design in DESIGNS}
    pages = {design: {row["id"]: row for row in found if row["id"]} for design, found in rows.items()}
    text = "".join(_lines(pages, names))
    (ROOT / "docs" / "reading-table.md").write_text(text, encoding="utf-8")
    return 0


def _run(design: str, folder: Path) -> None:
    world = ROOT / "tests/reading/hostile/world.sh"
    words = ["unshare", "-n", "-m", "sh", str(world), sys.executable, "-m", "reading.hostile.run", design]
    with (folder / f"{design}.jsonl").open("w") as out:
        subprocess.run(words, cwd=ROOT / "tests", stdout=out, check=True)


def _rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _names(rows: list[Row]) -> list[str]:
    return next(row["names"] for row in rows if not row["id"])


def _lines(pages: dict[str, dict[str, Row]], names: dict[str, list[str]]) -> Iterator[str]:
    plain = pages["plain"]
    browser = subprocess.run(["chromium", "--version"], capture_output=True, text=True).stdout.split(
        " built"
    )[0]
    yield HEAD.format(browser=browser.strip(), playwright=version("playwright"), count=len(plain))
    groups = list(dict.fromkeys(row["group"] for row in plain.values()))
    for group in (*groups, "all"):
        ids = [name for name, row in plain.items() if group in (row["group"], "all")]
        leaks = {design: [name for name in ids if pages[design][name]["reached"]] for design in DESIGNS}
        kept = sum(plain[name]["ended"] == "kept" for name in leaks["plain"])
        counts = (len(ids), len(leaks["plain"]), kept, len(leaks["switches"]), len(leaks["jail"]))
        yield f"| {group} | " + " | ".join(map(str, counts)) + " |\n"
    yield (
        "\nNames that the browser itself asked for, of no page: "
        + "; ".join(f"{design}: {', '.join(names[design]) or 'none'}" for design in DESIGNS)
        + ".\n"
    )
    late = {
        design: sum("12 seconds" in row["ended"] for row in found.values()) for design, found in pages.items()
    }
    yield (
        "\nReads that ended at the deadline of 12 seconds, which a busy machine makes many: "
        + "; ".join(f"{design}: {count}" for design, count in late.items())
        + ".\n"
    )
    yield "\n## What arrived in the plain design\n\n| page | what arrived | the read was |\n|---|---|---|\n"
    for name, row in sorted(plain.items()):
        if row["reached"]:
            arrived = "; ".join(_general(one, name) for one in row["reached"][:4])
            yield f"| {name} | {arrived} | {'good' if row['ended'] == 'kept' else 'failed'} |\n"
    yield TAIL


def _general(text: str, name: str) -> str:
    """What arrived, without the addresses of one run."""
    words = [
        "the application" if word.startswith("203.0.113.") else "another host" if word.startswith("198.51.100.")
        else word for word in text.split()
    ]  # fmt: skip
    return " ".join(words).replace(f"/x/{name}", "/…")


if __name__ == "__main__":
    sys.exit(main())
