"""One call from ToolCall to Decision with its state; the only place where the rooms meet."""
