"""Contracts that the tests of reading share."""

from __future__ import annotations

import json
from typing import Any

SITE = "https://example.invalid/erp/"


def demo(**changes: Any) -> dict[str, Any]:
    """A whole contract as values, with some keys changed."""
    whole: dict[str, Any] = {
        "format": 1,
        "id": "reviewed-demo-v1",
        "siteUrl": SITE,
        "scope": {"site": "fixture", "account": "reader", "tenant": "demo", "role": "reader"},
        "reviewBasis": "Version 4.2, handlers read, account with rights to read only.",
        "requests": [
            {"id": "orders-html", "url": f"{SITE}orders", "method": "GET", "body": "", "contentType": ""},
            {
                "id": "orders-query",
                "url": f"{SITE}query",
                "method": "POST",
                "body": '{"status":"pending"}',
                "contentType": "application/json",
            },
        ],
        "routes": [
            {
                "id": "orders",
                "label": "Orders",
                "url": f"{SITE}orders",
                "requests": ["orders-html", "orders-query"],
            }
        ],
    }
    return {**whole, **changes}


def text(**changes: Any) -> bytes:
    return json.dumps(demo(**changes)).encode()
