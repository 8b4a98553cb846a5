"""The pages that there are.

Invariant: a page is a module of `console/pages` with a `page`; it is there by being there, and no list names
it. Two pages never share a path.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ringwall.console import pages as folder
from ringwall.console.page import Page


@cache
def pages() -> tuple[Page, ...]:
    """All of them, in the order of the menu."""
    names = sorted(module.name for module in iter_modules(folder.__path__))
    found = [import_module(f"{folder.__name__}.{name}") for name in names]
    made = tuple(module.page for module in found)
    return tuple(sorted(made, key=lambda page: (page.order, page.path)))
