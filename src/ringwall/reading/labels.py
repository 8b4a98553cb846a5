"""Visible labels from the engine's own snapshot of a page.

Invariant: made only from what the layout engine says is drawn; no script of the page has a say. Values of
password and hidden fields never appear. Text that is covered, drawn on a canvas or of its ground's colour is
beyond it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from ringwall.reading import limits

STYLES = (
    "visibility", "opacity", "font-size", "overflow-x", "overflow-y", "clip", "clip-path", "color",
    "-webkit-text-fill-color",
)  # fmt: skip
"""The computed styles that a snapshot must carry, in this order."""

Box = tuple[float, float, float, float]
_LEAST = 2.0  # pixels: what is drawn smaller nobody reads
_FAINT = 0.05
_EVERYWHERE: Box = (0.0, 0.0, 1e9, 1e9)
_CLEAR = re.compile(r"rgba\([^)]*, 0(?:\.0\d*)?\)")
_NO_AREA = re.compile(r"rect\((?:0px,? ?){4}\)|inset\((?:[5-9]\d|100)%|circle\(0|ellipse\(0|polygon\(0")

_ROLES = {
    "A": "link", "BUTTON": "button", "SUMMARY": "button", "TABLE": "table", "TR": "row", "TD": "cell",
    "TH": "header", "UL": "list", "OL": "list", "LI": "item", "DL": "list", "DT": "term", "DD": "item",
    "NAV": "navigation", "MAIN": "main", "HEADER": "banner", "FOOTER": "footer", "ASIDE": "aside",
    "FORM": "form", "FIELDSET": "group", "LEGEND": "caption", "CAPTION": "caption", "LABEL": "label",
    "DIALOG": "dialog", "IFRAME": "frame", "FRAME": "frame", "SELECT": "choice", "TEXTAREA": "field",
    "INPUT": "field", "H1": "heading", "H2": "heading", "H3": "heading", "H4": "heading", "H5": "heading",
    "H6": "heading", "PRE": "text", "OPTION": "option",
}  # fmt: skip
_CLAIMED = {
    "button": "button", "link": "link", "heading": "heading", "table": "table", "grid": "table", "row": "row",
    "cell": "cell", "gridcell": "cell", "columnheader": "header", "rowheader": "header", "list": "list",
    "listitem": "item", "tab": "tab", "menuitem": "button", "dialog": "dialog", "navigation": "navigation",
    "textbox": "field", "checkbox": "check", "radio": "check", "switch": "check", "option": "option",
}  # fmt: skip
_PASSED = frozenset({"SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "HEAD", "::marker"})
_PRESSED = frozenset({"submit", "button", "reset"})
_DEFAULT_WORDS = {"submit": "Submit", "reset": "Reset"}
_SECRET = frozenset({"password", "hidden"})
_DEPTH = 200


class Label(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that a person sees: its role, its words, what it holds, and what is within it."""

    role: str
    text: str = ""
    value: str = ""
    level: int = 0
    within: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """What was visible; `whole` is false where there was more than the bounds allow."""

    title: str
    labels: tuple[Label, ...]
    whole: bool = True


@dataclass(frozen=True, slots=True)
class _Piece:
    """A label with where it is drawn, while its neighbours are still to be joined."""

    label: Label
    box: Box


def read_snapshot(snapshot: Mapping[str, Any]) -> Seen:
    """The labels of an answer of `DOMSnapshot.captureSnapshot` with `STYLES`."""
    page = _Page(snapshot)
    pieces = page.document(0, 0) if page.documents else []
    title = page.word(page.documents[0].get("title", -1)) if page.documents else ""
    return Seen(" ".join(title.split()), tuple(piece.label for piece in pieces), page.left > 0)


class _Page:
    def __init__(self, snapshot: Mapping[str, Any]) -> None:
        self.documents: list[Mapping[str, Any]] = list(snapshot.get("documents", ()))
        self._strings: list[str] = list(snapshot.get("strings", ()))
        self.left = limits.LABELS

    def word(self, index: int) -> str:
        return self._strings[index] if 0 <= index < len(self._strings) else ""

    def document(self, index: int, depth: int) -> list[_Piece]:
        if depth > _DEPTH or not 0 <= index < len(self.documents):
            return []
        return _Document(self, self.documents[index]).pieces(depth)


class _Document:
    """One frame's nodes and boxes; boxes are in its own pixels, from the top left of its content."""

    def __init__(self, page: _Page, raw: Mapping[str, Any]) -> None:
        nodes, layout = raw["nodes"], raw["layout"]
        self._page = page
        self._names = [page.word(name).upper() for name in nodes["nodeName"]]
        self._values = nodes["nodeValue"]
        self._attributes = nodes["attributes"]
        self._types = nodes["nodeType"]
        self._children: dict[int, list[int]] = {}
        for node, parent in enumerate(nodes["parentIndex"]):
            self._children.setdefault(parent, []).append(node)
        self._layout: dict[int, int] = {}
        for at, node in enumerate(layout["nodeIndex"]):
            if node not in self._layout or layout["text"][at] >= 0:  # of what CSS inserts, the text itself
                self._layout[node] = at
        self._boxes, self._texts, self._styles = layout["bounds"], layout["text"], layout["styles"]
        self._inputs = _sparse(nodes.get("inputValue"))
        self._areas = _sparse(nodes.get("textValue"))
        self._frames = _sparse(nodes.get("contentDocumentIndex"))
        self._checked = frozenset((nodes.get("inputChecked") or {}).get("index", ()))
        self._chosen = frozenset((nodes.get("optionSelected") or {}).get("index", ()))

    def pieces(self, depth: int) -> list[_Piece]:
        return _joined(
            [piece for root in self._children.get(-1, ()) for piece in self._of(root, _EVERYWHERE, depth)]
        )

    def _of(self, node: int, clip: Box, depth: int) -> Iterator[_Piece]:
        name = self._names[node]
        if name in _PASSED or depth > _DEPTH or self._page.left <= 0:
            return
        at = self._layout.get(node)
        if at is not None:
            style = dict(zip(STYLES, map(self._page.word, self._styles[at]), strict=False))
            if (
                _faint(style)
                or _NO_AREA.match(style.get("clip", ""))
                or _NO_AREA.match(style.get("clip-path", ""))
            ):
                return
            if self._types[node] == 3 or (self._texts[at] >= 0 and not self._children.get(node)):
                yield from self._text(at, style, clip)
                return
            clip = _narrowed(clip, tuple(self._boxes[at]), style)
        yield from self._element(node, name, at, clip, depth)

    def _text(self, at: int, style: Mapping[str, str], clip: Box) -> Iterator[_Piece]:
        box: Box = tuple(self._boxes[at])
        text = " ".join(self._page.word(self._texts[at]).split())
        if text and _legible(style) and _shows(box, clip):
            self._page.left -= 1
            yield _Piece(Label("text", text), box)

    def _element(self, node: int, name: str, at: int | None, clip: Box, depth: int) -> Iterator[_Piece]:
        attributes = self._attributes_of(node)
        role = _CLAIMED.get(attributes.get("role", "").strip().lower()) or _ROLES.get(name, "")
        if name in ("INPUT", "SELECT", "TEXTAREA"):
            yield from self._field(node, name, at, clip, attributes)
            return
        if node in self._frames:
            if at is not None and _shows(tuple(self._boxes[at]), clip):
                inner = self._page.document(self._frames[node], depth + 1)
                yield _Piece(Label("frame", within=tuple(one.label for one in inner)), tuple(self._boxes[at]))
            return
        within = [
            piece for child in self._children.get(node, ()) for piece in self._of(child, clip, depth + 1)
        ]
        if not role or not within:
            yield from within
            return
        level = int(name[1]) if role == "heading" and name[:1] == "H" and name[1:].isdigit() else 0
        box: Box = tuple(self._boxes[at]) if at is not None else within[0].box
        yield _Piece(_folded(role, level, tuple(piece.label for piece in _joined(within))), box)

    def _field(
        self, node: int, name: str, at: int | None, clip: Box, attributes: Mapping[str, str]
    ) -> Iterator[_Piece]:
        """A form field: whether it is drawn, and what it holds where that may be told."""
        kind = attributes.get("type", "text").lower() if name == "INPUT" else ""
        if at is None or not _shows(tuple(self._boxes[at]), clip) or kind == "hidden":
            return
        if self._page.word(self._styles[at][0]) != "visible":
            return
        self._page.left -= 1
        yield _Piece(self._field_label(node, name, kind, attributes), tuple(self._boxes[at]))

    def _field_label(self, node: int, name: str, kind: str, attributes: Mapping[str, str]) -> Label:
        if kind in ("checkbox", "radio"):
            return Label("check", value="on" if node in self._checked else "off")
        if name == "SELECT":
            return Label("choice", value="; ".join(self._options(node)))
        given = self._areas if name == "TEXTAREA" else self._inputs
        value = " ".join(self._page.word(given.get(node, -1)).split())
        if kind in _PRESSED:
            return Label("button", value or _DEFAULT_WORDS.get(kind, ""))
        if kind in _SECRET:
            return Label("password")
        return Label("field", value=value) if value else Label("field", attributes.get("placeholder", ""))

    def _options(self, node: int) -> Iterator[str]:
        for child in self._children.get(node, ()):
            if self._names[child] == "OPTION" and child in self._chosen:
                yield " ".join(" ".join(self._words(child)).split())
            elif self._names[child] == "OPTGROUP":
                yield from self._options(child)

    def _words(self, node: int) -> Iterator[str]:
        for child in self._children.get(node, ()):
            if self._types[child] == 3:
                yield self._page.word(self._values[child])

    def _attributes_of(self, node: int) -> dict[str, str]:
        words = [self._page.word(index) for index in self._attributes[node]]
        return dict(zip(words[::2], words[1::2], strict=False))


def _sparse(raw: Mapping[str, Any] | None) -> dict[int, int]:
    return dict(zip(raw["index"], raw["value"], strict=False)) if raw else {}


def _faint(style: Mapping[str, str]) -> bool:
    """A group that is see-through takes all that is in it along."""
    try:
        return float(style.get("opacity") or 1) < _FAINT
    except ValueError:
        return False


def _legible(style: Mapping[str, str]) -> bool:
    size = style.get("font-size", "16px").removesuffix("px")
    clear = any(_CLEAR.fullmatch(style.get(name, "")) for name in ("color", "-webkit-text-fill-color"))
    return style.get("visibility") == "visible" and float(size or 0) >= 1 and not clear


def _narrowed(clip: Box, box: Box, style: Mapping[str, str]) -> Box:
    """What of a box's content can show: what overflows and cannot be scrolled to is cut away."""
    cut = ("hidden", "clip")
    if style.get("overflow-x") not in cut and style.get("overflow-y") not in cut:
        return clip
    left, top = max(clip[0], box[0]), max(clip[1], box[1])
    right, bottom = min(clip[0] + clip[2], box[0] + box[2]), min(clip[1] + clip[3], box[1] + box[3])
    if style.get("overflow-x") not in cut:
        left, right = clip[0], clip[0] + clip[2]
    if style.get("overflow-y") not in cut:
        top, bottom = clip[1], clip[1] + clip[3]
    return (left, top, max(0.0, right - left), max(0.0, bottom - top))


def _shows(box: Box, clip: Box) -> bool:
    """Whether enough of a box lies where it can be seen, or scrolled to."""
    width = min(box[0] + box[2], clip[0] + clip[2]) - max(box[0], clip[0])
    height = min(box[1] + box[3], clip[1] + clip[3]) - max(box[1], clip[1])
    return width >= _LEAST and height >= _LEAST


def _joined(pieces: list[_Piece]) -> list[_Piece]:
    """Neighbouring texts of one line as one."""
    done: list[_Piece] = []
    for piece in pieces:
        last = done[-1] if done else None
        if last and piece.label.role == last.label.role == "text" and _one_line(last.box, piece.box):
            text = f"{last.label.text} {piece.label.text}"
            done[-1] = _Piece(Label("text", text), piece.box)
        else:
            done.append(piece)
    return done


def _one_line(one: Box, other: Box) -> bool:
    shared = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return shared > min(one[3], other[3]) / 2


def _folded(role: str, level: int, within: tuple[Label, ...]) -> Label:
    """A label whose only content is one text holds it itself."""
    if len(within) == 1 and within[0].role == "text":
        return Label(role, within[0].text, level=level)
    return Label(role, level=level, within=within)
