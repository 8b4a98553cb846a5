"""Tests of `ringwall.mcp`. A package called `mcp` here would hide the SDK."""
