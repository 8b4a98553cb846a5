"""One module per host: a session's transcript (JSON Lines) to tool calls and what became of them. Pure."""
