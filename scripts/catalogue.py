"""Keeps the translations of Ringwall.

    python scripts/catalogue.py update    collect the texts; bring the .pot and .po files up to date
    python scripts/catalogue.py compile   write the .mo files that the package ships
    python scripts/catalogue.py check     say what is missing or out of date; exit status 1 if anything is

The files depend only on the texts: the same texts give the same bytes.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "src" / "ringwall" / "locale"
TEMPLATE = FOLDER / "ringwall.pot"
LANGUAGES = ("ru", "zh_Hans")
KEYWORDS = {"_": None, "msg": None, "ngettext": (1, 2)}


def po_file(language: str) -> Path:
    return FOLDER / language / "LC_MESSAGES" / "ringwall.po"


def mo_file(language: str) -> Path:
    return po_file(language).with_suffix(".mo")


def collected() -> Catalog:
    """All texts of the source, in English."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as config:
        methods, options = parse_mapping_cfg(config, "babel.cfg")
    catalog = _catalog(None)
    sys.path.insert(0, str(ROOT / "scripts"))  # babel.cfg names the extractor that stands there
    try:
        found = extract_from_dir(str(ROOT), methods, options, KEYWORDS)
        for file, _line, message, _comments, context in sorted(
            found, key=lambda each: (str(each[2]), each[0])
        ):
            if message:
                catalog.add(message, locations=[(Path(file).as_posix(), None)], context=context)
    finally:
        sys.path.pop(0)
    return catalog


def translated(language: str) -> Catalog:
    """The catalogue of a language as it stands in its .po file."""
    catalog = _catalog(language)
    if po_file(language).exists():
        with po_file(language).open("rb") as file:
            for message in read_po(file, locale=language):
                if message.id:
                    catalog[message.id] = message
    return catalog


def updated(language: str, template: Catalog) -> Catalog:
    """The catalogue of a language with exactly the texts of the template."""
    have, catalog = translated(language), _catalog(language)
    for message in template:
        if message.id:
            old = have.get(message.id)
            catalog.add(message.id, old.string if old else "", locations=message.locations)
    return catalog


def po_bytes(catalog: Catalog) -> bytes:
    buffer = io.BytesIO()
    write_po(buffer, catalog, width=100, sort_output=True, include_lineno=False)
    return buffer.getvalue()


def mo_bytes(catalog: Catalog) -> bytes:
    buffer = io.BytesIO()
    write_mo(buffer, catalog)
    return buffer.getvalue()


def faults(language: str) -> Iterator[str]:
    """What is wrong with a language, a line each."""
    catalog = translated(language)
    for message in catalog:
        if message.id:
            yield from _message_faults(language, message)
    if _ids(catalog) != _ids(collected()):
        yield f"{language}: the texts of the source changed; run: python scripts/catalogue.py update"
    if not mo_file(language).exists() or mo_file(language).read_bytes() != mo_bytes(catalog):
        yield f"{language}: the .mo is not from this .po; run: python scripts/catalogue.py compile"


def _message_faults(language: str, message: Message) -> Iterator[str]:
    sources, targets = _forms(message.id), _forms(message.string)
    if not all(targets):
        yield f"{language}: not translated: {message.id!r}"
    elif not all(any(placeholders(each) == placeholders(source) for source in sources) for each in targets):
        yield f"{language}: other placeholders than in English: {message.id!r}"


def _forms(text: str | tuple[str, ...]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def placeholders(template: str) -> set[str] | None:
    """The named fields of a template; None where its braces are plain text."""
    try:
        return {name for _text, name, _spec, _conversion in Formatter().parse(template) if name is not None}
    except ValueError:
        return None


class _Steady(Catalog):
    """A catalogue whose header does not depend on who wrote it when, with which tool."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        kept = ("Language", "Plural-Forms", "MIME-Version", "Content-Type", "Content-Transfer-Encoding")
        return [(name, value) for name, value in super().mime_headers if name in kept]

    @mime_headers.setter
    def mime_headers(self, headers: list[tuple[str, str]]) -> None:
        Catalog.mime_headers.fset(self, headers)


def _ids(catalog: Catalog) -> set[str]:
    return {str(message.id) for message in catalog if message.id}


def _catalog(language: str | None) -> Catalog:
    return _Steady(
        locale=language, domain="ringwall", charset="utf-8", fuzzy=False,
        header_comment="# Texts of Ringwall.",
    )  # fmt: skip


def main(arguments: list[str]) -> int:
    verb = arguments[0] if len(arguments) == 1 else ""
    if verb == "update":
        template = collected()
        TEMPLATE.parent.mkdir(parents=True, exist_ok=True)
        TEMPLATE.write_bytes(po_bytes(template))
        for language in LANGUAGES:
            po_file(language).parent.mkdir(parents=True, exist_ok=True)
            po_file(language).write_bytes(po_bytes(updated(language, template)))
        return 0
    if verb == "compile":
        for language in LANGUAGES:
            mo_file(language).write_bytes(mo_bytes(translated(language)))
        return 0
    if verb == "check":
        found = [fault for language in LANGUAGES for fault in faults(language)]
        print("\n".join(found) if found else "The catalogues are complete and current.")
        return 1 if found else 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
