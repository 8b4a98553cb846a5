"""The ways on which a notice goes out: the desktop, a webhook, ntfy.

Invariant: each is bounded in time, follows no redirect, and its failure is told to the caller as words, never
as a fault. What stands in a notice is data to every program and format that it passes.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator, Mapping
from html import escape
from http.client import HTTPException
from typing import Any

from ringwall.daemon.notice import Notice
from ringwall.policy.outlets import Outlets

SECONDS = 5.0
_SCRIPT = ("on run argv", 'display notification (item 1 of argv) with title "Ringwall"', "end run")


def send(notice: Notice, outlets: Outlets, environ: Mapping[str, str]) -> Iterator[str]:
    """Send a notice on every way that is set; the faults, in words."""
    for name, way in (("desktop", _desktop), ("webhook", _webhook), ("ntfy", _ntfy)):
        try:
            way(notice, outlets, environ)
        except (OSError, ValueError, subprocess.SubprocessError, HTTPException) as error:
            yield f"{name}: {type(error).__name__}"  # not its words: they may hold the address


def _desktop(notice: Notice, outlets: Outlets, environ: Mapping[str, str]) -> None:
    """By notify-send, or by osascript on macOS."""
    if not outlets.desktop:
        return
    body = f"{notice.line} {notice.link}".strip()
    path = environ.get("PATH", "")
    if program := shutil.which("notify-send", path=path):
        words = [program, "--app-name=Ringwall", "--", "Ringwall", escape(body, quote=False)]
    elif program := shutil.which("osascript", path=path):
        words = [program, *(word for row in _SCRIPT for word in ("-e", row)), body]
    else:
        raise FileNotFoundError("notify-send")
    subprocess.run(
        words, env=dict(environ), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, timeout=SECONDS, check=True,
    )  # fmt: skip


def _webhook(notice: Notice, outlets: Outlets, _environ: Mapping[str, str]) -> None:
    if not outlets.webhook:
        return
    told = {"text": f"{notice.line} {notice.link}".strip(), "proposal": notice.number, "link": notice.link}
    _post(outlets.webhook, json.dumps(told).encode(), {"Content-Type": "application/json"})


def _ntfy(notice: Notice, outlets: Outlets, _environ: Mapping[str, str]) -> None:
    if not outlets.ntfy:
        return
    click = {"Click": notice.link} if notice.link else {}
    _post(
        outlets.ntfy,
        notice.line.encode(),
        {"Title": "Ringwall", "Content-Type": "text/plain; charset=utf-8", **click},
    )


def _post(url: str, body: bytes, headers: Mapping[str, str]) -> None:
    request = urllib.request.Request(url, body, dict(headers), method="POST")  # noqa: S310 - http(s) by policy
    with _OPENER.open(request, timeout=SECONDS) as response:
        response.read(1)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)
