"""Lines of ours between two marks, in a file whose comments begin with `#`.

Invariant: only what stands between the marks is ever added, replaced or taken out.
"""

from __future__ import annotations

import tomllib

from ringwall.model.errors import PolicyError
from ringwall.model.text import msg

BEGIN = "# ringwall: begin (`ringwall init` writes this, `ringwall init --remove` takes it out)"
END = "# ringwall: end"
_MARK = "# ringwall: begin"


def with_block(text: str, path: str, lines: str, seed: str = "") -> str:
    """`text` with our lines at its end; where they stand already, in their place. A file that holds nothing
    but `seed` (the empty value of its language) holds our lines instead. Raises `PolicyError` where the file
    would not be valid."""
    rest = without_block(text, path, "")
    block = f"{BEGIN}\n{lines}{END}\n" if lines else ""
    if not lines:
        return without_block(text, path, seed)
    empty = _line_of(rest, seed)
    if empty is not None:
        after = rest[: empty[0]] + block + rest[empty[1] :]
    else:
        gap = "" if not rest or rest.endswith("\n") else "\n"
        after = f"{rest}{gap}{block}"
    _check(after, path, seed)
    return after


def without_block(text: str, path: str, seed: str) -> str:
    """`text` without our lines; `seed` in their place where nothing else is left."""
    start = text.find(_MARK)
    if start < 0:
        return text
    end = text.find(END, start)
    if end < 0:
        line = text.count("\n", 0, start) + 1
        raise PolicyError(
            "settings.block_open",
            msg("The mark of Ringwall's lines has no end."),
            msg("Add the line `{end}` after them.", end=END),
            f"{path}:{line}:1",
        )
    after = end + len(END)
    after += 1 if text.startswith("\n", after) else 0
    rest = text[:start] + text[after:]
    return text[:start] + seed + text[after:] if seed and not _said(rest) else rest


def block_of(text: str) -> str | None:
    """Our lines as they stand in `text`; None where there are none."""
    start, end = text.find(_MARK), text.find(END)
    return None if start < 0 or end < start else text[text.index("\n", start) + 1 : end]


def _said(text: str) -> list[str]:
    """The lines that are neither empty nor comments."""
    return [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def _line_of(text: str, seed: str) -> tuple[int, int] | None:
    """Where the one line stands that says nothing but `seed`."""
    if not seed or _said(text) != [seed.rstrip("\n")]:
        return None
    start = text.index(seed.rstrip("\n"))
    end = text.find("\n", start)
    return start, len(text) if end < 0 else end + 1


def _check(text: str, path: str, seed: str) -> None:
    if path.endswith(".toml"):
        try:
            tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise PolicyError(
                "settings.not_toml",
                msg("With Ringwall's lines the file would not be valid: {detail}.", detail=error),
                msg("Correct the file and run the command again."),
                path,
            ) from error
    elif seed and not _said(text)[0].startswith("- "):
        raise PolicyError(
            "settings.not_a_list",
            msg("The file is not a list with an entry `- …` at the margin."),
            msg("Write its entries one below the other, and run the command again."),
            path,
        )
