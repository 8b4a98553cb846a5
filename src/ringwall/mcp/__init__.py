"""Ringwall over the Model Context Protocol: its own tools, and the gateway before other servers."""
