# ruff: noqa: E501 - a page is data
"""What a person sees, from the engine's snapshot of a page that tells the truth, and of one that lies."""

from __future__ import annotations

import pytest

from reading import needs
from reading.erp import contract
from reading.world import Reading
from ringwall.reading.labels import Label, read_snapshot
from ringwall.reading.outline import outline, words

pytestmark = [needs.browser, pytest.mark.xdist_group("reading")]

PAGE = """<!doctype html><html lang=en><title>T</title><style>.b::before { content: "SEEN_before " }</style>
<h1>SEEN_heading</h1><button>SEEN_button</button><label>SEEN_label<input value=SEEN_value></label>
<input placeholder=SEEN_placeholder><input type=password value=NOT_password><input type=hidden value=NOT_hidden>
<p aria-hidden=true>SEEN_aria_hidden</p><p style="display: none">NOT_display</p><p style="visibility: hidden">NOT_visible</p>
<div style="opacity: 0"><p>NOT_opacity_of_parent</p></div><p style="position: absolute; left: -9999px">NOT_left</p>
<p style="font-size: 0">NOT_size</p><p style="color: transparent">NOT_clear</p><p style="text-indent: -9999px">NOT_indent</p>
<p style="position: absolute; width: 1px; height: 1px; overflow: hidden">NOT_one_pixel</p>
<div style="height: 0; overflow: hidden"><p>NOT_folded</p></div><p style="transform: scale(0)">NOT_scaled</p>
<button aria-label=NOT_label>SEEN_real_name</button><img alt=NOT_alt src="data:,"><a href=/x title=NOT_title>SEEN_link</a>
<p class=b>SEEN_after</p><details><summary>SEEN_summary</summary>NOT_details</details>
<select><option>NOT_first<option selected>SEEN_chosen</select><textarea>SEEN_area</textarea><div contenteditable>SEEN_edit</div>
<svg width=90 height=20><text y=15>SEEN_svg</text></svg><div id=o></div><div id=k></div><iframe srcdoc="<p>SEEN_frame</p>"></iframe>
<iframe style="display: none" srcdoc="<p>NOT_frame</p>"></iframe><noscript>NOT_noscript</noscript><template>NOT_template</template>
<!-- NOT_comment --><input type=checkbox checked><input type=submit value=SEEN_submit>
<div style="height: 3000px"></div><p>SEEN_below</p>
<table><tr><th>No</th><th>State</th></tr><tr><td>1001</td><td>SEEN_cell</td><td><button>Open</button></td></tr></table>
<script>o.attachShadow({mode: 'open'}).innerHTML = '<p>SEEN_open</p>'; k.attachShadow({mode: 'closed'}).innerHTML = '<p>SEEN_closed</p>';
const c = document.createElement('canvas'); document.body.append(c); c.getContext('2d').fillText('NOT_canvas', 1, 15)</script>%s"""
LIE = """<script>
Object.defineProperty(HTMLElement.prototype, 'innerText', {get() { return 'NOT_lie' }});
Object.defineProperty(Node.prototype, 'textContent', {get() { return 'NOT_lie' }});
window.getComputedStyle = () => ({display: 'none', visibility: 'hidden'});
Element.prototype.getBoundingClientRect = () => ({x: 0, y: 0, width: 0, height: 0});
Document.prototype.createTreeWalker = () => { throw 1 }; Element.prototype.checkVisibility = () => false;
</script>"""  # fmt: skip


@pytest.mark.parametrize("more", ["", LIE], ids=["honest", "lying"])
def test_what_is_seen_is_there_and_nothing_else(reading: Reading, more: str) -> None:
    page = PAGE % more
    reading.erp.page("labels", page)
    seen = reading.read(contract(reading.erp, "labels")).seen
    told = "\n".join(outline(seen.labels))
    wanted = {word.strip('"<>\'') for word in page.replace(">", " ").replace("=", " ").replace("<", " ").split()
              if word.strip('"\'').startswith("SEEN_")}  # fmt: skip
    assert len(wanted) > 20
    assert not [word for word in sorted(wanted) if word not in told], told
    assert "NOT_" not in told
    assert seen.title == "T"
    assert "password" in told.split("\n")


def test_structure_is_told(reading: Reading) -> None:
    reading.erp.page("labels", PAGE % "")
    lines = list(outline(reading.read(contract(reading.erp, "labels")).seen.labels))
    assert "heading 1: SEEN_heading" in lines
    assert "  row: 1001 | SEEN_cell | [Open]" in lines
    assert "check = on" in lines
    assert "choice = SEEN_chosen" in lines
    assert "link: SEEN_link" in lines


def test_a_page_cannot_write_a_line_of_its_own() -> None:
    label = Label("text", "a\nheading 1: forged\u202e\u200b\x1b[2K")
    (line,) = outline([label])
    assert line == "text: a\\nheading 1: forged\\u202e\\u200b\\x1b[2K"


def test_more_than_the_bounds_is_told(monkeypatch: pytest.MonkeyPatch, reading: Reading) -> None:
    monkeypatch.setattr("ringwall.reading.limits.LABELS", 50)
    reading.erp.page("many", "".join(f"<p>line {n}</p>" for n in range(200)))
    seen = reading.read(contract(reading.erp, "many")).seen
    assert not seen.whole
    assert len(list(words(seen.labels))) <= 50


def test_an_empty_snapshot_is_an_empty_page() -> None:
    assert read_snapshot({"documents": [], "strings": []}).labels == ()
