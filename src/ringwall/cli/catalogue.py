"""The reader's language and the texts in it.

Invariant: a text without a translation is shown in English; a broken or missing catalogue never stops a
verb. Nothing is loaded before the first text is shown, and nothing at all for English.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from ringwall.model.text import Text

DOMAIN = "ringwall"
FOLDER = Path(__file__).parent.parent / "locale"
LANGUAGES = ("en", "ru", "zh_Hans")
_VARIABLES = ("RINGWALL_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})


def language(environment: Mapping[str, str]) -> str:
    """The catalogue for an environment: the first variable that is set decides, as in POSIX."""
    wish = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    tag = wish.partition(".")[0].partition("@")[0].replace("-", "_").lower()
    base, *rest = tag.split("_")
    if base == "zh" and _TRADITIONAL.isdisjoint(rest):
        return "zh_Hans"
    return base if base in LANGUAGES else "en"


def translate(template: str) -> str:
    """`template` in the reader's language."""
    return _catalogue(language(os.environ)).gettext(template) if template else ""


def show(text: Text) -> str:
    """A `Text` in the reader's language; in English where the translation does not fit its arguments."""
    try:
        return text.render(translate)
    except (KeyError, IndexError, ValueError):
        return text.render()


_ = translate


@cache
def _catalogue(name: str) -> gettext.NullTranslations:
    if name == "en":
        return gettext.NullTranslations()
    try:
        return gettext.translation(DOMAIN, FOLDER, [name])
    except (OSError, UnicodeDecodeError):
        return gettext.NullTranslations()


@contextmanager
def click_speaks() -> Iterator[None]:
    """Within it, click's own words (`Usage`, `Options`, its errors) come from our catalogue too. The
    environment is put back afterwards, so that no program we start sees the change."""
    before = os.environ.get("LANGUAGE")
    gettext.bindtextdomain(DOMAIN, str(FOLDER))
    gettext.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = language(os.environ)
    try:
        yield
    finally:
        if before is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = before
