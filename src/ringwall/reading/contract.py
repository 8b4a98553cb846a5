"""A contract: the requests and routes that a person has reviewed as reading only.

Invariant: a contract that exists is valid in every rule of this file; anything else is `INVALID_READ_POLICY`
with the place of each fault, and allows nothing. That its grounds are true no code can check.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal

import msgspec

from ringwall.model import json_tree
from ringwall.model.canonical import digest
from ringwall.model.errors import PolicyError, RingwallError
from ringwall.model.text import Text, msg
from ringwall.reading import limits
from ringwall.reading.address import Address, read_address
from ringwall.reading.scope import Scope
from ringwall.reading.secrets import secret_in

INVALID = "INVALID_READ_POLICY"
METHODS = ("GET", "POST")

_ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?")
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
_HEADER = re.compile(r"[\x20-\x7e]{0,200}")


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One request, byte for byte. `body` is sent as UTF-8."""

    id: str
    url: str
    method: str
    body: str
    content_type: str = msgspec.field(name="contentType")

    @property
    def address(self) -> Address:
        found = read_address(self.url)
        assert isinstance(found, Address)  # noqa: S101 - held by `parse`
        return found


class Route(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page, and the requests that it may make."""

    id: str
    label: str
    url: str
    requests: tuple[str, ...]


class Contract(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file; `digest` is what a person confirms."""

    format: Literal[1]
    id: str
    site_url: str = msgspec.field(name="siteUrl")
    scope: Scope
    review_basis: str = msgspec.field(name="reviewBasis")
    requests: tuple[Request, ...]
    routes: tuple[Route, ...]

    @property
    def digest(self) -> str:
        return digest(msgspec.to_builtins(self))

    def route(self, name: str) -> Route | None:
        return next((route for route in self.routes if route.id == name), None)

    def requests_of(self, route: Route) -> tuple[Request, ...]:
        return tuple(request for request in self.requests if request.id in route.requests)


def parse(content: bytes, name: str = "") -> Contract:
    """The contract in `content`. Raises `RingwallError` with the first fault."""
    contract, faults = examine(content, name)
    if faults:
        raise faults[0]
    assert contract is not None  # noqa: S101
    return contract


def examine(content: bytes, name: str = "") -> tuple[Contract | None, tuple[RingwallError, ...]]:
    """The contract as far as it could be read, and every fault with its place."""
    if len(content) > limits.FILE_BYTES:
        what = msg("The file has more than {most} bytes.", most=limits.FILE_BYTES)
        return None, (fault(what, name),)
    try:
        text = content.decode("utf-8")
        tree = json_tree.read(text, name)
        contract = msgspec.convert(json.loads(text.removeprefix("\ufeff")), Contract)
    except UnicodeDecodeError as error:
        return None, (fault(msg("This is not UTF-8."), f"{name}: byte {error.start}"),)
    except PolicyError as error:
        return None, (fault(error.what, error.where),)
    except msgspec.ValidationError as error:
        why, _, path = str(error).partition(" - at `")
        return None, (fault(msg("The shape is wrong: {why}.", why=why), _place(text, tree, path, name)),)
    found = (fault(what, _place(text, tree, path, name)) for path, what in _faults(contract))
    return contract, tuple(found)


def fault(what: Text, where: str) -> RingwallError:
    return RingwallError(INVALID, what, msg("Mend the contract; until then nothing is read."), where)


def _place(text: str, tree: json_tree.Node, path: str, name: str) -> str:
    """`file:line:column $.path`, the line being that of the nearest thing that is there."""
    node = tree
    for key, index in _STEP.findall(path):
        inner = _within(node, key, index)
        if inner is None:
            break
        node = inner
    return f"{json_tree.where(text, node.start, name)} {path.rstrip('`')}".rstrip()


def _within(node: json_tree.Node, key: str, index: str) -> json_tree.Node | None:
    if key and isinstance(node, json_tree.Object):
        return node.get(key)
    if index and isinstance(node, json_tree.Array) and int(index) < len(node.items):
        return node.items[int(index)]
    return None


Faults = Iterator[tuple[str, Text]]


def _faults(contract: Contract) -> Faults:
    if not _ID.fullmatch(contract.id):
        yield "$.id", _no_id(contract.id)
    if not contract.review_basis.strip():
        yield "$.reviewBasis", msg("The grounds of the review are missing.")
    for name in Scope.__struct_fields__:
        if not getattr(contract.scope, name).strip():
            yield f"$.scope.{name}", msg("The scope must name its {name}.", name=name)
    yield from _site_faults(contract.site_url)
    yield from _counted("requests", len(contract.requests), limits.REQUESTS)
    yield from _counted("routes", len(contract.routes), limits.ROUTES)
    yield from _twice("requests", [request.id for request in contract.requests])
    yield from _twice("routes", [route.id for route in contract.routes])
    for index, request in enumerate(contract.requests):
        for key, what in _request_faults(request, contract.site_url):
            yield f"$.requests[{index}].{key}", what
    for index, route in enumerate(contract.routes):
        for key, what in _route_faults(route, contract):
            yield f"$.routes[{index}].{key}", what


def _site_faults(url: str) -> Faults:
    found = read_address(url)
    if isinstance(found, Text):
        yield "$.siteUrl", msg("{url} is not exact: {why}.", url=ascii(url), why=found)
    elif not found.target.endswith("/") or "?" in found.target:
        yield "$.siteUrl", msg("The site must end with a slash; it holds everything below it.")


def _counted(what: str, count: int, most: int) -> Faults:
    if not 1 <= count <= most:
        yield f"$.{what}", msg("There are {count}; it takes 1 to {most}.", count=count, most=most)


def _twice(what: str, names: list[str]) -> Faults:
    for name, count in Counter(names).items():
        if count > 1:
            yield f"$.{what}", msg("The id {name} stands {count} times.", name=ascii(name), count=count)


def _request_faults(request: Request, site: str) -> Faults:
    if not _ID.fullmatch(request.id):
        yield "id", _no_id(request.id)
    if request.method not in METHODS:
        yield (
            "method",
            msg("{method} is not GET or POST; there are no wildcards.", method=ascii(request.method)),
        )
    for key, given in (("body", request.body), ("contentType", request.content_type)):
        if request.method == "GET" and given:
            yield key, msg("A GET has neither body nor contentType.")
    if not _HEADER.fullmatch(request.content_type) or request.content_type != request.content_type.strip():
        yield "contentType", msg("This cannot be the value of a header.")
    yield from (("url", what) for what in _url_faults(request.url, site))
    for key, text in (("url", request.url), ("body", request.body)):
        if word := secret_in(text):
            yield key, msg("It holds what looks like a secret: {word}.", word=word)


def _url_faults(url: str, site: str) -> Iterator[Text]:
    found = read_address(url)
    if isinstance(found, Text):
        yield msg("{url} is not exact: {why}.", url=ascii(url), why=found)
    elif not url.startswith(site):
        yield msg("{url} lies outside {site}.", url=ascii(url), site=ascii(site))
    elif "*" in url:
        yield msg("{url} has a *; there are no wildcards.", url=ascii(url))


def _route_faults(route: Route, contract: Contract) -> Faults:
    if not _ID.fullmatch(route.id):
        yield "id", _no_id(route.id)
    if not route.label.strip():
        yield "label", msg("A route needs a label for people.")
    known = {request.id for request in contract.requests}
    for name in dict.fromkeys(route.requests):
        if name not in known:
            yield "requests", msg("There is no request {name}.", name=ascii(name))
        if route.requests.count(name) > 1:
            yield "requests", msg("The request {name} stands twice.", name=ascii(name))
    requests = contract.requests_of(route)
    if not any(request.method == "GET" and request.url == route.url for request in requests):
        yield "url", msg("The page itself must be one of the route's requests, as a GET.")
    keys = Counter((one.method, one.url, one.body, one.content_type) for one in requests)
    if any(count > 1 for count in keys.values()):
        yield "requests", msg("Two of its requests are the same.")


def _no_id(name: str) -> Text:
    return msg("{name} is no id: letters, digits, dot, dash and underscore, at most 64.", name=ascii(name))
