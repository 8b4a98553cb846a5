"""The contract: what it holds, and every rule that it must keep."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reading.samples import SITE, demo, text
from ringwall.model.errors import RingwallError
from ringwall.reading import limits
from ringwall.reading.contract import examine, parse


def test_a_good_contract_has_a_digest_of_its_meaning() -> None:
    spaced = json.dumps(demo(), indent=3).encode()
    assert parse(text()).digest == parse(spaced).digest
    assert parse(text()).digest.startswith("sha256:")
    assert parse(text()).digest != parse(text(id="reviewed-demo-v2")).digest


@pytest.mark.parametrize("key", ["id", "siteUrl", "scope", "reviewBasis", "requests", "routes", "format"])
def test_every_key_must_be_there(key: str) -> None:
    values = demo()
    del values[key]
    refused(json.dumps(values).encode(), key)


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"format": 2}, "format"),
        ({"extra": 1}, "extra"),
        ({"id": "a b"}, "$.id"),
        ({"reviewBasis": "  "}, "reviewBasis"),
        ({"siteUrl": "https://example.invalid/erp"}, "siteUrl"),
        ({"scope": {"site": "a", "account": "", "tenant": "c", "role": "d"}}, "scope.account"),
        ({"scope": {"site": "a", "account": "b", "tenant": "c", "role": "d", "more": "e"}}, "scope"),
        ({"routes": []}, "routes"),
        ({"requests": []}, "requests"),
    ],
)
def test_a_fault_is_named_with_its_place(changes: dict[str, Any], place: str) -> None:
    refused(text(**changes), place)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("method", "*"),
        ("method", "get"),
        ("method", "DELETE"),
        ("method", "HEAD"),
        ("url", "https://example.invalid/erp/*"),
        ("url", "https://example.invalid/other"),
        ("url", "https://example.invalid/erp/../admin"),
        ("url", "http://example.invalid/erp/orders"),
        ("url", f"{SITE}orders?access_token=abc"),
        ("body", "x"),
        ("contentType", "text/plain"),
        ("id", ""),
    ],
)
def test_a_request_is_exact(key: str, value: str) -> None:
    values = demo()
    values["requests"][0][key] = value
    refused(json.dumps(values).encode(), f"requests[0].{key}")


def test_a_header_cannot_be_smuggled_in() -> None:
    values = demo()
    values["requests"][1]["contentType"] = "application/json\r\nX-HTTP-Method-Override: DELETE"
    refused(json.dumps(values).encode(), "contentType")


def test_a_route_lists_its_own_page_and_only_known_requests() -> None:
    for requests in (["orders-query"], ["orders-html", "nothing"], ["orders-html", "orders-html"]):
        values = demo()
        values["routes"][0]["requests"] = requests
        refused(json.dumps(values).encode(), "routes[0]")


def test_a_key_that_stands_twice_is_refused() -> None:
    refused(text().replace(b'"format": 1', b'"format": 1, "format": 1'), "twice")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"null", b'{"format": NaN}', b"[" * 100_000])
def test_anything_else_is_an_error_with_a_place(content: bytes) -> None:
    refused(content, "contract")


def test_all_faults_are_told_at_once() -> None:
    values = demo()
    values["requests"][0]["method"] = "*"
    values["requests"][1]["url"] = "nowhere"
    _, faults = examine(json.dumps(values).encode(), "contract.json")
    assert len(faults) >= 3


def test_the_bounds_hold() -> None:
    one = demo()["requests"][0]
    many = [{**one, "id": f"r{n}", "url": f"{SITE}{n}"} for n in range(limits.REQUESTS + 1)]
    refused(text(requests=[*demo()["requests"], *many]), "requests")
    route = demo()["routes"][0]
    refused(text(routes=[{**route, "id": f"r{n}"} for n in range(limits.ROUTES + 1)]), "routes")
    refused(text() + b" " * limits.FILE_BYTES, "bytes")


def refused(content: bytes, place: str) -> None:
    with pytest.raises(RingwallError) as caught:
        parse(content, "contract.json")
    _, faults = examine(content, "contract.json")
    assert caught.value.code == "INVALID_READ_POLICY"
    assert all(fault.code == "INVALID_READ_POLICY" for fault in faults)
    assert any(place in str(fault) for fault in faults), [str(fault) for fault in faults]
