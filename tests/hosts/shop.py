"""A page on the loopback interface that is worth a click, and says afterwards whether it was clicked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = b"""<!doctype html><title>Shop</title><h1>Shop</h1>
<button onclick="fetch('/bought', {method: 'POST'}); this.textContent = 'Bought'">Buy</button>"""


class Shop(ThreadingHTTPServer):
    """`seen` counts looks at the page, `bought` clicks."""

    daemon_threads = True
    seen = 0
    bought = 0


class _Handler(BaseHTTPRequestHandler):
    server: Shop

    def do_GET(self) -> None:
        self.server.seen += self.path == "/"
        self._send(200, PAGE if self.path == "/" else b"")

    def do_POST(self) -> None:
        self.server.bought += 1
        self._send(200, b"thanks")

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the counts are enough."""


@contextmanager
def shop() -> Iterator[Shop]:
    """The shop on a free port."""
    server = Shop(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
