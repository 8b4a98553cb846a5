"""What a tool is that Ringwall itself offers over MCP, and where its tools come from.

Invariant: a tool's arguments are read strictly by their struct before it runs, and whatever goes wrong is an
answer that says so, never an opening. Nothing here imports the SDK.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

import anyio.to_thread
import msgspec

from ringwall.model.errors import RingwallError
from ringwall.store.paths import StateDir

SOURCES = (
    "ringwall.mcp.looking",
    "ringwall.mcp.proposing",
    "ringwall.mcp.reading",
)
"""Modules that have a `TOOLS`; whoever offers more tools adds a line."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool says: `text` for the model, `data` the same for programs; `failed`: it could not do it."""

    text: str
    data: Mapping[str, Any] | None = None
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Site:
    """Where the tools work: the folder of the session, its environment, Ringwall's state. What a tool opens
    for longer than a call it hands to `closing`, which is closed when the server ends."""

    folder: str
    environ: Mapping[str, str]
    state: StateDir
    closing: AsyncExitStack = field(default_factory=AsyncExitStack)


Run = Callable[[Any, Site], Awaitable[Answer]]
"""Gets the arguments as the tool's struct. A `RingwallError` that it raises becomes a failed answer."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `arguments` is a frozen msgspec struct with `forbid_unknown_fields`, whose field descriptions
    the model is shown; `looks`: it changes nothing."""

    name: str
    description: str
    arguments: type[msgspec.Struct]
    run: Run
    looks: bool = False

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the arguments, with nothing in it that is defined elsewhere."""
        (found,), defined = msgspec.json.schema_components([self.arguments])
        name = found["$ref"].rpartition("/")[2]
        schema: dict[str, Any] = {**defined.pop(name), "additionalProperties": False}
        return {**schema, "$defs": defined} if defined else schema


def threaded(function: Callable[[Any, Site], Answer]) -> Run:
    """A tool that waits for a disk or a person, beside the others instead of before them."""

    async def run(arguments: Any, site: Site) -> Answer:
        return await anyio.to_thread.run_sync(function, arguments, site, abandon_on_cancel=True)

    return run


@cache
def tools() -> Mapping[str, Tool]:
    """All tools by name. Two of one name are a mistake of ours."""
    found = [tool for source in SOURCES for tool in import_module(source).TOOLS]
    named = {tool.name: tool for tool in found}
    if len(named) != len(found):
        raise ValueError("two tools have one name")
    return named


async def call(name: str, given: Mapping[str, Any], site: Site) -> Answer:
    """The answer of the tool called `name`."""
    tool = tools().get(name)
    if tool is None:
        return Answer(f"There is no tool {name!a}. Tools: {', '.join(sorted(tools()))}.", failed=True)
    try:
        arguments = msgspec.convert(dict(given), tool.arguments)
    except msgspec.ValidationError as error:
        return Answer(f"The arguments are not as agreed: {error}", failed=True)
    try:
        return await tool.run(arguments, site)
    except RingwallError as error:
        return Answer(str(error), {"code": error.code}, failed=True)


def described(tool: Tool) -> str:
    """The description as one paragraph."""
    return inspect.cleandoc(tool.description).replace("\n", " ")
