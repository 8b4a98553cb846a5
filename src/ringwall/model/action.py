"""Tool calls as hosts report them and actions as Ringwall judges them.

Invariant: an action's digest covers all that decides what the call does (tool, input, working directory),
and nothing that does not (session, time, call id).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ringwall.model.canonical import digest


class Kind(StrEnum):
    """What sort of tool an action uses; decides who reads its effects."""

    SHELL = "shell"
    FILE = "file"
    WEB = "web"
    BROWSER = "browser"
    MCP = "mcp"
    AGENT = "agent"
    HOST = "host"  # tools that only touch the host itself: todo lists, tool search, plan mode
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool call in the words of its host. `input` is JSON; `cwd` is an absolute path or empty."""

    host: str
    tool: str
    input: Mapping[str, Any]
    cwd: str = ""
    session: str = ""
    agent: str = ""  # the host's id of the subagent, empty for the main agent
    agent_type: str = ""
    depth: int = 0  # subagent depth: 0 is the main agent
    mode: str = ""  # the host's permission mode, in its own word
    call_id: str = ""
    server: str = ""  # the MCP server, where the host names it


@dataclass(frozen=True, slots=True)
class Action:
    """A tool call in host-neutral form. `tool` is the neutral name (`Bash`, `Write`, `mcp__server__tool`)."""

    kind: Kind
    tool: str
    input: Mapping[str, Any]
    cwd: str
    digest: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not self.digest:
            parts = {"kind": self.kind.value, "tool": self.tool, "input": dict(self.input), "cwd": self.cwd}
            object.__setattr__(self, "digest", digest(parts))


@dataclass(frozen=True, slots=True)
class Principal:
    """Who acts. `role` is a name from the policy's roles, least first: reader, worker, lead, owner."""

    role: str = "worker"
    agent: str = ""
    depth: int = 0
    human: bool = False
