"""An MCP server by the official SDK, for the gateway's tests: `python lab_server.py SAYS LOG`.

SAYS is a JSON file with what it says of its tools, read anew each time; LOG gets a line for each call that
really arrives.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

SAYS, LOG = Path(sys.argv[1]), Path(sys.argv[2])


async def listed(_context: Any, _params: Any) -> types.ListToolsResult:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    says: dict[str, str] = json.loads(SAYS.read_text())["tools"]
    return types.ListToolsResult(
        tools=[types.Tool(name=name, description=text, input_schema=schema) for name, text in says.items()]
    )


async def called(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    given = params.arguments or {}
    with LOG.open("a") as log:
        log.write(json.dumps([params.name, given]) + "\n")
    match params.name:
        case "die":
            os._exit(3)
        case "ask_person":
            answer = await context.session.elicit_form("Which colour?", {"type": "object", "properties": {}})
            text = f"{answer.action}"
        case "slow":
            await context.session.send_progress_notification(context.meta["progress_token"], 0.5, 1.0)
            with LOG.open("a") as log:
                try:
                    await anyio.sleep(30)
                except anyio.get_cancelled_exc_class():
                    log.write('["cancelled"]\n')
                    raise
            text = "late"
        case _:
            text = f"did {params.name} {given.get('text', '')}"
    return types.CallToolResult(content=[types.TextContent(text=text)])


async def main() -> None:
    instructions = json.loads(SAYS.read_text()).get("instructions")
    server: Server[Any] = Server("lab", instructions=instructions, on_list_tools=listed, on_call_tool=called)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


anyio.run(main)
