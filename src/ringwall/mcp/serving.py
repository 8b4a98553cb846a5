"""`ringwall mcp serve`: Ringwall's own tools over standard input and output.

Invariant: standard output carries the protocol and nothing else; a tool that fails answers, and the server
goes on.
"""

from __future__ import annotations

import json
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from ringwall import __version__
from ringwall.mcp.tools import Answer, Site, call, described, tools

INSTRUCTIONS = (
    "Ringwall judges tool calls and keeps outward and irreversible acts for a person. Use `check` before a "
    "command of which you are not sure. What you must not do yourself (push, merge, open a pull request, "
    "deploy), propose with the propose_* tools: a person sees it, and on a yes Ringwall does exactly that, "
    "once. When nobody has decided yet, go on with other work and propose exactly the same again later."
)


async def serve(site: Site) -> None:
    """Serve until standard input ends."""
    async with site.closing, stdio_server() as (reading, writing):
        made = server(site)
        await made.run(reading, writing, made.create_initialization_options())


def server(site: Site) -> Server[Any]:
    """The server with all tools, to be run over any transport."""

    async def listed(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool(name) for name in tools()])

    async def called(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        return _result(await _answer(params.name, params.arguments or {}, site))

    return Server(
        "ringwall", version=__version__, instructions=INSTRUCTIONS, on_list_tools=listed, on_call_tool=called
    )


def _tool(name: str) -> types.Tool:
    tool = tools()[name]
    return types.Tool(
        name=name,
        description=described(tool),
        input_schema=tool.schema,
        annotations=types.ToolAnnotations(read_only_hint=tool.looks),
    )


async def _answer(name: str, given: dict[str, Any], site: Site) -> Answer:
    try:
        return await call(name, given, site)
    except Exception as error:
        return Answer(
            f"Ringwall failed: {type(error).__name__}: {error}. Run `ringwall doctor`.", failed=True
        )


def _result(answer: Answer) -> types.CallToolResult:
    data = json.loads(json.dumps(answer.data, default=str)) if answer.data is not None else None
    return types.CallToolResult(
        content=[types.TextContent(text=answer.text)], structured_content=data, is_error=answer.failed
    )
