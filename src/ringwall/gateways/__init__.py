"""Gateways that stand where there are no hooks: before an MCP server, and before an ACP agent."""
