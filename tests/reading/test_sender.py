"""What the sender puts on the wire, and what it refuses to take."""

from __future__ import annotations

import asyncio
import gzip
import zlib

import pytest

from ringwall.reading.contract import Request
from ringwall.reading.cookies import Borrowed, Cookie, cookies_from
from ringwall.reading.failures import ReadFailed
from ringwall.reading.sender import Answer, Sender

pytest.importorskip("httpx")


def exchange(
    answer: bytes,
    request: tuple[str, str, str] = ("GET", "", ""),
    path: str = "/erp/a?b=%20c",
    room: int = 1 << 20,
) -> tuple[bytes, Answer]:
    """The bytes of one request as they arrived, and the answer as it was taken."""

    async def run() -> tuple[bytes, Answer]:
        got = bytearray()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            got.extend(await reader.readuntil(b"\r\n\r\n"))
            if request[1]:
                got.extend(await reader.readexactly(len(request[1].encode())))
            writer.write(answer)
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}{path}"
        cookies = {url: (Cookie("sid", "s", "127.0.0.1", "/", False, True, "Lax"),)}
        sender = Sender()
        try:
            one = Request("r", url, *request)
            return bytes(got), await sender.send(one, Borrowed(cookies), True, room)
        finally:
            server.close()
            await sender.close()
            sent.append(bytes(got))

    sent.clear()
    return asyncio.run(run())


sent: list[bytes] = []


def plain(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def test_the_bytes_are_the_contracts() -> None:
    exchange(plain(b"x"))
    lines = sent[0].decode().split("\r\n")
    assert lines[0] == "GET /erp/a?b=%20c HTTP/1.1"
    assert [line.partition(":")[0].lower() for line in lines[1:-2]] == ["host", "accept", "cookie"]


def test_a_post_has_its_type_its_length_and_its_body() -> None:
    exchange(plain(b"x"), ("POST", '{"a":"é"}', "application/json"))
    head, _, body = sent[0].partition(b"\r\n\r\n")
    assert body == '{"a":"é"}'.encode()
    names = [line.partition(b":")[0].lower() for line in head.split(b"\r\n")[1:]]
    assert sorted(names) == [b"accept", b"content-length", b"content-type", b"cookie", b"host"]
    exchange(plain(b"x"), ("POST", "", ""))
    assert b"content-length: 0" in sent[0].lower()


def test_of_the_answers_header_only_the_type_is_kept() -> None:
    _, answer = exchange(plain(b"x", "200 OK", "Content-Type: text/html", "Set-Cookie: a=b", "Link: </x>"))
    assert answer == Answer(200, "text/html", b"x")


@pytest.mark.parametrize("status", ["301 M", "302 F", "304 N", "401 U", "407 P", "500 E", "103 H"])
def test_only_2xx_counts_and_nothing_is_followed(status: str) -> None:
    with pytest.raises(ReadFailed):
        exchange(plain(b"", status, "Location: /elsewhere"))


def test_a_coded_answer_is_opened_within_the_bound() -> None:
    _, answer = exchange(plain(gzip.compress(b"hello" * 100), "200 OK", "Content-Encoding: gzip"))
    assert answer.body == b"hello" * 100
    bomb = zlib.compress(b"\0" * (64 << 20))
    with pytest.raises(ReadFailed, match="larger"):
        exchange(plain(bomb, "200 OK", "Content-Encoding: deflate"))
    with pytest.raises(ReadFailed, match="coding"):
        exchange(plain(b"x", "200 OK", "Content-Encoding: br"))


def test_a_torn_answer_is_a_failure() -> None:
    with pytest.raises(ReadFailed):
        exchange(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
    with pytest.raises(ReadFailed):
        exchange(b"nonsense\r\n\r\n")


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    assert exchange(plain(b"x"))[1].body == b"x"


def test_cookies_go_where_a_browser_would_send_them_and_are_never_shown() -> None:
    found = [
        {
            "name": "a",
            "value": "secret",
            "domain": "x.example",
            "path": "/",
            "httpOnly": True,
            "secure": True,
        },
        {"name": "b", "value": "2", "domain": "x.example", "path": "/erp", "httpOnly": False},
        {
            "name": "p",
            "value": "3",
            "domain": "x.example",
            "path": "/",
            "partitionKey": "https://other.example",
        },
        {"name": "q", "value": "4", "domain": "x.example", "path": "/", "partitionKey": "https://example"},
    ]
    cookies = cookies_from(found, "https://x.example/erp/")
    assert [one.name for one in cookies] == ["a", "b", "q"]
    lent = Borrowed({"u": cookies}, {"token": "secret"})
    assert lent.header("u") == "b=2; a=secret; q=4"
    assert lent.header("other") == ""
    assert [one["name"] for one in lent.for_page()] == ["q", "b"]
    assert "secret" not in repr(lent) + repr(cookies)
