"""The one reader of URLs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringwall.model.text import Text
from ringwall.reading.address import Address, read_address

GOOD = [
    ("https://example.invalid/", "example.invalid", 443, "/"),
    ("https://example.invalid/erp/orders?status=pending&page=1", "example.invalid", 443, None),
    ("http://127.0.0.1:8080/a", "127.0.0.1", 8080, "/a"),
    ("http://[::1]:8080/a", "::1", 8080, "/a"),
    ("https://xn--bcher-kva.example/a%20b", "xn--bcher-kva.example", 443, "/a%20b"),
    ("https://example.invalid/list?", "example.invalid", 443, "/list?"),
]
BAD = [
    "example.invalid/", "ftp://example.invalid/", "https://example.invalid", "HTTPS://example.invalid/",
    "https://Example.invalid/", "https://example.invalid:443/", "http://example.invalid:80/",
    "https://example.invalid:/", "https://example.invalid:0808/", "https://example.invalid:99999/",
    "https://user@example.invalid/", "https://user:pw@example.invalid/", "https://example.invalid/#x",
    "https://example.invalid/a/../b", "https://example.invalid/./b", "https://example.invalid/%2e%2e/b",
    "https://example.invalid/a%2fb", "https://example.invalid/a\\b", "https://example.invalid/a%00",
    "https://example.invalid/a b", "https://example.invalid/é", "https://bücher.example/",
    "https://example.invalid/?a b", 'https://example.invalid/?"', "https://example.invalid/%zz",
    "https://0x7f.1/", "https://127.1/", "https://256.0.0.1/", "http://[::0001]/", "https://*.example.invalid/",
    "https://example.invalid\t/", "https:///a", "//example.invalid/", "https://example.invalid/<a>",
    "https://127.0.0.01/", "https://a..b/", "https://-a.example/", "https://1.2.3/",
]  # fmt: skip


@pytest.mark.parametrize(("url", "host", "port", "target"), GOOD)
def test_an_exact_url_is_taken_apart(url: str, host: str, port: int, target: str | None) -> None:
    found = read_address(url)
    assert isinstance(found, Address)
    assert (found.host, found.port) == (host, port)
    assert target is None or found.target == target
    assert found.origin + found.target == url


@pytest.mark.parametrize("url", BAD)
def test_what_could_be_read_in_two_ways_is_refused(url: str) -> None:
    assert isinstance(read_address(url), Text)


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader_and_what_it_takes_it_keeps(tail: str) -> None:
    found = read_address("https://example.invalid/" + tail)
    if isinstance(found, Address):
        assert found.text.isascii()
        assert "#" not in found.text
        assert found.authority == "example.invalid"
