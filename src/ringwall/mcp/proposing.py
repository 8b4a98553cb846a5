"""Tools that propose outward acts."""

from ringwall.mcp.tools import Tool

TOOLS: tuple[Tool, ...] = ()
