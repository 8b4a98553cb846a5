"""One module per host: payload to ToolCall, Decision to reply. Pure."""
