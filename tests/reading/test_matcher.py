"""Matching, and the headers under which answers are handed over."""

from __future__ import annotations

import pytest

from reading.samples import SITE, text
from ringwall.reading import limits
from ringwall.reading.contract import Request, parse
from ringwall.reading.headers import answer_headers, connection_allowlist
from ringwall.reading.matcher import Asked, Matcher

PAGE = Asked("GET", f"{SITE}orders", b"", "")
QUERY = Asked("POST", f"{SITE}query", b'{"status":"pending"}', "application/json")


def matcher() -> Matcher:
    return Matcher.of(parse(text()).requests)


def test_listed_requests_match_and_a_fragment_is_no_difference() -> None:
    for asked in (PAGE, QUERY, Asked("GET", f"{SITE}orders#top", b"", "")):
        assert isinstance(matcher().take(asked), Request)


@pytest.mark.parametrize(
    "asked",
    [
        Asked("GET", f"{SITE}orders?x=1", b"", ""),
        Asked("GET", f"{SITE}orders?", b"", ""),
        Asked("GET", f"{SITE}orders/", b"", ""),
        Asked("GET", f"{SITE}Orders", b"", ""),
        Asked("GET", f"{SITE}%6frders", b"", ""),
        Asked("HEAD", f"{SITE}orders", b"", ""),
        Asked("GET", f"{SITE}query", b"", ""),
        Asked("POST", f"{SITE}query", b'{"status":"paid"}', "application/json"),
        Asked("POST", f"{SITE}query", b'{"status": "pending"}', "application/json"),
        Asked("POST", f"{SITE}query", b"\xff", "application/json"),
        Asked("POST", f"{SITE}query", b'{"status":"pending"}', "application/json; charset=utf-8"),
        Asked("POST", f"{SITE}query", b'{"status":"pending"}', ""),
        Asked("GET", "https://elsewhere.invalid/erp/orders", b"", ""),
    ],
)
def test_everything_else_does_not(asked: Asked) -> None:
    assert isinstance(matcher().take(asked), str)


def test_a_listed_request_is_not_sent_without_end() -> None:
    one = matcher()
    taken = [one.take(PAGE) for _ in range(limits.REPEATS + 5)]
    assert sum(isinstance(each, Request) for each in taken) == limits.REPEATS


def test_one_read_has_at_most_so_many_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REPEATS", limits.MATCHED_REQUESTS + 10)
    one = matcher()
    taken = [one.take(PAGE) for _ in range(limits.MATCHED_REQUESTS + 1)]
    assert isinstance(taken[-2], Request)
    assert isinstance(taken[-1], str)


def test_an_answer_keeps_its_type_and_nothing_else() -> None:
    made = answer_headers("text/html; charset=utf-8", parse(text()).requests)
    assert made["content-type"] == "text/html; charset=utf-8"
    for directive in ("worker-src 'none'", "object-src 'none'", "form-action 'none'", "webrtc 'block'"):
        assert directive in made["content-security-policy"]
    assert not {"set-cookie", "link", "refresh"} & made.keys()
    assert answer_headers("text/html\r\nset-cookie: a", ())["content-type"] == "application/octet-stream"


def test_patterns_match_exactly_one_url() -> None:
    assert connection_allowlist(["https://a.invalid/x?y=(1)*"]) == (r'("https://a.invalid/x\\?y=\\(1\\)\\*")')
