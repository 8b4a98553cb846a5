"""The hostile site: listens at addresses of its own and records all that arrives.

Each technique has two addresses: the application's and another's, with the same ports, so that what arrives
is known to be its doing. HTTP is at 8000; 8002 takes any TCP, 3478 and 4433 any datagram. One name server
records what is asked for.
"""

from __future__ import annotations

import asyncio
import json
import struct
from dataclasses import dataclass, field
from typing import Any

from reading.hostile.techniques import Technique

HTTP, TCP, STUN, UDP = 8000, 8002, 3478, 4433
APP, EVIL, NAMES = "203.0.113", "198.51.100", "leak.invalid"
_GIF = bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c000000000100010000020144003b")
_LARGE = 64 << 20


@dataclass(slots=True)
class Arrived:
    """What came to a technique's addresses: a line each."""

    unlisted: list[str] = field(default_factory=list)
    requests: list[tuple[str, str]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


class Site:
    """One technique's listeners."""

    def __init__(self, technique: Technique, place: int) -> None:
        self.technique = technique
        self.host, self.evil = f"{APP}.{place}", f"{EVIL}.{place}"
        self.name = f"{technique.id.replace('_', '-')}.{NAMES}"
        self.arrived = Arrived()
        self._open: list[Any] = []

    @property
    def base(self) -> str:
        return f"http://{self.host}:{HTTP}"

    @property
    def path(self) -> str:
        return self.technique.entry or f"/t/{self.technique.id}"

    def contract(self) -> dict[str, Any]:
        """The contract under which the page is read."""
        rows = [("GET", self.path, "", ""), *self.technique.listed]
        requests = [
            {"id": f"r{n}", "url": self.base + path, "method": method, "body": body, "contentType": kind}
            for n, (method, path, body, kind) in enumerate(rows)
        ]
        route = {"id": "it", "label": "It", "url": self.base + self.path}
        return {
            "format": 1, "id": "hostile", "siteUrl": f"{self.base}/",
            "scope": {"site": "s", "account": "a", "tenant": "t", "role": "r"},
            "reviewBasis": "A page that tries to escape; see its source.",
            "requests": requests, "routes": [{**route, "requests": [one["id"] for one in requests]}],
        }  # fmt: skip

    async def __aenter__(self) -> Site:
        loop = asyncio.get_running_loop()
        for host in (self.host, self.evil):
            self._open.append(await asyncio.start_server(self._http(host), host, HTTP, limit=1 << 20))
            self._open.append(await asyncio.start_server(self._raw(host), host, TCP))
            for port in (STUN, UDP):
                transport, _ = await loop.create_datagram_endpoint(
                    lambda host=host, port=port: _Datagrams(self, f"{host}:{port}"), local_addr=(host, port)
                )
                self._open.append(transport)
        return self

    async def __aexit__(self, *_error: object) -> None:
        for one in self._open:
            one.close()

    def expand(self, text: str) -> str:
        values = {
            "same": f"/x/{self.technique.id}", "other": f"http://{self.evil}:{HTTP}/x/{self.technique.id}",
            "app": self.base, "host": self.host, "evil": self.evil, "name": self.name, "tcp": str(TCP),
            "udp": str(UDP), "stun": str(STUN),
        }  # fmt: skip
        for key, value in values.items():
            text = text.replace(f"{{{key}}}", value)
        return text

    def leak(self, what: str) -> None:
        if len(self.arrived.unlisted) < 20:
            self.arrived.unlisted.append(what)

    def _http(self, host: str) -> Any:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if host == self.evil:
                self.leak(f"connection to {host}")
            try:
                while await self._one(host, reader, writer):
                    pass
            except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError, ValueError):
                pass
            finally:
                writer.close()

        return serve

    async def _one(self, host: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, target, _ = lines[0].split(" ", 2)
        pairs = (line.partition(":") for line in lines[1:] if line)
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        if headers.get("transfer-encoding") == "chunked":
            body = b"chunked"
            while size := int((await reader.readline()).split(b";")[0], 16):
                await reader.readexactly(size + 2)
            await reader.readline()
        else:
            body = await reader.readexactly(int(headers.get("content-length", "0")))
        self._judge(host, method, target, headers, body)
        if target == "/r/endless":
            await asyncio.sleep(3600)
        writer.write(self._answer(method, target, headers))
        await writer.drain()
        return headers.get("upgrade", "") == ""

    def _judge(self, host: str, method: str, target: str, headers: dict[str, str], body: bytes) -> None:
        self.arrived.requests.append((method, target))
        self.arrived.headers.append(headers)
        listed = {("GET", self.path, b"", "")} | {
            (one, path, text.encode(), kind) for one, path, text, kind in self.technique.listed
        }
        asked = (method, target, body, headers.get("content-type", ""))
        by_itself = target == "/favicon.ico" and self.technique.id != "icon"
        if host == self.evil or (asked not in listed and not by_itself):
            self.leak(f"{method} {host} {target}" + (" with the login" if "cookie" in headers else ""))
        forbidden = {"authorization", "x-http-method-override", "x-any"} & headers.keys()
        if forbidden:
            self.leak(f"headers {sorted(forbidden)}")

    def _answer(self, method: str, target: str, headers: dict[str, str]) -> bytes:
        status, named, body = self._page(target, headers)
        lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in named)]
        lines += [f"Content-Length: {len(body)}", "Cache-Control: no-store", "", ""]
        return "\r\n".join(lines).encode("latin-1") + (b"" if method == "HEAD" or status == 204 else body)

    def _page(self, target: str, headers: dict[str, str]) -> tuple[int, list[tuple[str, str]], bytes]:
        html, cross = ("Content-Type", "text/html; charset=utf-8"), ("Access-Control-Allow-Origin", "*")
        if target.startswith("/t/"):
            own = [(name, self.expand(value)) for name, value in self.technique.headers]
            text = f"<!doctype html><html lang=en><title>t</title><body><h1>Orders</h1>{self.technique.html}"
            return 200, [html, *own], self.expand(text).encode()
        if target.startswith("/x/"):
            kinds = {"script": "text/javascript", "style": "text/css", "worker": "text/javascript",
                     "sharedworker": "text/javascript", "serviceworker": "text/javascript"}  # fmt: skip
            kind = kinds.get(headers.get("sec-fetch-dest", ""), "text/html")
            return 200, [("Content-Type", kind), cross, ("Access-Control-Allow-Headers", "*")], b"/* out */"
        return self._resource(target.removeprefix("/r/"), html)

    def _resource(self, name: str, html: tuple[str, str]) -> tuple[int, list[tuple[str, str]], bytes]:
        worker = "fetch('{app}{same}').catch(() => 0); fetch('{other}', {mode: 'no-cors'}).catch(() => 0)"
        xml = (
            '<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="{same}"?>'
            '<!DOCTYPE a [<!ENTITY x SYSTEM "{other}">]><a>&x;</a>'
        )
        svg = (
            '<svg xmlns="http://www.w3.org/2000/svg"><image href="{other}"/>'
            '<script>fetch("{app}{same}")</script></svg>'
        )
        made: dict[str, tuple[str, str]] = {
            "worker.js": ("text/javascript", worker), "doc.xml": ("text/xml", xml),
            "pic.svg": ("image/svg+xml", svg),
            "style.css": ("text/css", "@import '{same}'; body { background: url({other}) }"),
            "empty.html": ("text/html", "<!doctype html>"),
        }  # fmt: skip
        if name in made:
            kind, text = made[name]
            return 200, [("Content-Type", kind)], self.expand(text).encode()
        if name == "doc.pdf":
            return 200, [("Content-Type", "application/pdf")], _pdf(self.expand("{other}"))
        if name == "attachment":
            kind = [("Content-Type", "application/octet-stream"), ("Content-Disposition", "attachment")]
            return 200, kind, b"\0" * 64
        if name == "large":
            return 200, [("Content-Type", "image/gif")], _GIF + b"\0" * _LARGE
        code = name.rpartition("/")[2]
        if code.isdigit():
            to = self.expand("{other}" if name.startswith("other/") else "{same}")
            asks = {"401": "WWW-Authenticate", "407": "Proxy-Authenticate"}.get(code)
            more = [("Location", to)] if code.startswith("3") else [(asks, 'Basic realm="x"')] if asks else []
            return int(code), [html, *more], b"<h1>x</h1>"
        if name in ("/api/list", "/api/query"):
            return 200, [("Content-Type", "application/json")], json.dumps({"rows": [1001]}).encode()
        return 404, [html], b"none"

    def _raw(self, host: str) -> Any:
        async def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self.leak(f"connection to {host}:{TCP}")
            await asyncio.sleep(1)
            writer.close()

        return serve


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, site: Site, name: str) -> None:
        self._site = site
        self._name = name

    def datagram_received(self, data: bytes, _address: Any) -> None:
        self._site.leak(f"datagram of {len(data)} bytes to {self._name}")


class NameServer(asyncio.DatagramProtocol):
    """Answers every name of ours with an address of the other origin, and records it."""

    def __init__(self, sites: dict[str, Site]) -> None:
        self._sites = sites
        self.others: list[str] = []

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, address: Any) -> None:
        labels, at = [], 12
        while at < len(data) and data[at]:
            labels.append(data[at + 1 : at + 1 + data[at]].decode("latin-1"))
            at += data[at] + 1
        name = ".".join(labels).lower()
        site = next((site for own, site in self._sites.items() if name.endswith(own)), None)
        if site is None:
            self.others.append(name)
        else:
            site.leak(f"name asked for: {name}")
        kind = data[at + 1 : at + 3]
        if site is None or kind != b"\0\1":
            flags = b"\x81\x83" if site is None else b"\x81\x80"
            self._transport.sendto(data[:2] + flags + data[4:6] + b"\0" * 6 + data[12 : at + 5], address)
            return
        answer = b"\xc0\x0c" + struct.pack("!HHIH4s", 1, 1, 1, 4, bytes(map(int, site.evil.split("."))))
        head = data[:2] + b"\x81\x80" + struct.pack("!HHHH", 1, 1, 0, 0)
        self._transport.sendto(head + data[12 : at + 5] + answer, address)


def _pdf(url: str) -> bytes:
    parts = [b"<</Type/Catalog/Pages 2 0 R/OpenAction 4 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
             b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>", f"<</S/URI/URI({url})>>".encode()]  # fmt: skip
    made, places = b"%PDF-1.7\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(made))
        made += b"%d 0 obj%sendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(made)
    made += b"xref\n0 5\n0000000000 65535 f \n" + table
    return made + b"trailer<</Size 5/Root 1 0 R>>startxref\n%d\n%%%%EOF" % start
