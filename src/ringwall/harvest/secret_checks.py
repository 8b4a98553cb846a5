"""What a match of the table of secrets must also be, where its pattern alone would star ordinary words.

Invariant: each check looks at the matched text only, in one pass; in doubt it says that it is a secret.
"""

from __future__ import annotations

import re
from itertools import pairwise

_WORD = re.compile(r"[a-z]{1,14}|[A-Z][a-z]{1,14}|[A-Z]{1,10}|\d{1,2}")
_SEPARATORS = re.compile(r"[-_./+]")
_PLACEHOLDER = re.compile(
    r"""(?ix) \$[\w{(] | \$\$ | <[^<>]{1,60}>? | \{ | \*{3} | %[\w(] | \[redacted | \.\.\. | … | x{3,}\W*$
    | (?:os\.|process\.|self\.|config\.|settings\.|env[.\[]|get|none\b|null\b|true\b|false\b)
    | your[-_ ] | value\b """
)
_LETTERS = re.compile(r"[^\W\d_]+(?:[-’'/][^\W\d_]+){0,6}")
_RUSSIAN = re.compile(r"[а-яёА-ЯЁ]+[.,;:!?)]*")
_CASES = (str.isupper, str.islower, str.isdigit)
_LONG_WORD = 24
_TURNS = 0.40
_TURNS_ONE_CASE = 0.25


def not_words(text: str) -> bool:
    """Whether `text` behind its prefix is more than short plain words with dashes between them."""
    parts = _SEPARATORS.split(text)[1:]
    return not all(_WORD.fullmatch(part) or not part for part in parts)


def not_prose(text: str) -> bool:
    """Whether `text` is more than a word of a sentence: it has a digit, a sign or a change of case."""
    bare = text.strip(".,;:!?()[]«»\"'`、。，；：！？")
    if not bare:
        return False
    if _LETTERS.fullmatch(bare) is None:
        return not bare.isdigit() or len(bare) > 3
    mixed = not (bare.islower() or bare.isupper() or bare.istitle())
    return len(bare) > _LONG_WORD or (mixed and bare.isascii() and len(bare) > 5)


def not_cyrillic(text: str) -> bool:
    """Whether `text` is more than a Russian word: behind a Russian label, what is not Russian is a value."""
    return _RUSSIAN.fullmatch(text) is None


def not_placeholder(text: str) -> bool:
    """Whether `text` is a value and no reference to one (`$TOKEN`, `<token>`, `{token}`, `***`)."""
    return _PLACEHOLDER.match(text) is None


def not_one_letter(text: str) -> bool:
    """Whether `text` is no line of one repeated digit."""
    return len(set(text)) > 3


def random(text: str) -> bool:
    """Whether a run of letters and digits changes its kind as often as chance would; names and paths not."""
    kinds = [next((n for n, is_kind in enumerate(_CASES) if is_kind(character)), 3) for character in text]
    turns = sum(a != b for a, b in pairwise(kinds)) / (len(kinds) - 1)
    there = set(kinds) - {3}
    if len(there) == 3:
        return turns >= _TURNS
    return 2 in there and 3 not in kinds and turns >= _TURNS_ONE_CASE
