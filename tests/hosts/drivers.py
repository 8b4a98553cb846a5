"""How each host is started on its stage: its environment, its configuration, its own words for a shell.

Invariant: a scrubbed environment, a dummy key, an empty home; nothing but 127.0.0.1.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hosts.install import program
from hosts.stage import Json, Stage, call
from ringwall.setup.init import Scope

PROMPT = "please do it"


@dataclass(frozen=True)
class Driver:
    """`configure` writes what the host needs to reach the model on a port, before Ringwall is registered with
    `scope`; `env` and `words` start it in its most permissive mode; `shell` makes a call of its shell."""

    host: str
    scope: Scope
    configure: Callable[[Stage, int], None]
    env: Callable[[Stage, int], dict[str, str]]
    words: tuple[str, ...]
    shell: Callable[[str], Json] = field(
        default=lambda line: call("bash", command=line, description="scripted")
    )

    @property
    def program(self) -> list[str]:
        found = program(self.host)
        assert found is not None
        return found


def write(path: Path, content: str | Json) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=2) + "\n", "utf-8")


def nothing(stage: Stage, port: int) -> None:
    """No configuration beyond the environment."""


def _codex(stage: Stage, port: int) -> None:
    write(
        stage.home / ".codex" / "config.toml",
        f"""# as a person has it
model = "fake-model"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.fake]
name = "fake"
base_url = "http://127.0.0.1:{port}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0

[projects."{os.path.realpath(stage.project)}"]
trust_level = "trusted"
""",
    )


def _gemini(stage: Stage, port: int) -> None:
    settings: Json = {
        "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
        "general": {"enableAutoUpdate": False},
        "privacy": {"usageStatisticsEnabled": False},
    }
    write(stage.home / ".gemini" / "settings.json", settings)


def _opencode(stage: Stage, port: int) -> None:
    model = {"name": "Fake", "tool_call": True, "limit": {"context": 200000, "output": 8000}}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "Fake",
        "options": {"baseURL": f"http://127.0.0.1:{port}/v1", "apiKey": "dummy"},
        "models": {"fake-model": model},
    }
    settings: Json = {
        "autoupdate": False,
        "share": "disabled",
        "model": "fake/fake-model",
        "small_model": "fake/fake-model",
        "provider": {"fake": provider},
    }
    write(stage.project / "opencode.json", settings)


def _pi(stage: Stage, port: int) -> None:
    model = {"id": "fake-model", "name": "Fake", "contextWindow": 200000, "maxTokens": 8000}
    provider = {
        "baseUrl": f"http://127.0.0.1:{port}/v1",
        "api": "openai-completions",
        "apiKey": "dummy",
        "models": [model],
    }
    write(stage.home / ".pi" / "agent" / "models.json", {"providers": {"fake": provider}})


def _dsh(stage: Stage, port: int) -> None:
    """Its own patch of a profile, as the host makes it at its first start."""
    write(
        stage.home / "dsh" / "profiles" / "headless" / "cordis.patch.yml",
        "# Your patch layer for this dsh profile.\n[]\n",
    )
    write(
        stage.home / "dsh" / "profiles" / "headless" / "package.json",
        {
            "name": "dsh-profile-headless", "private": True, "dependencies": {},
            "dsh": {"profile": {"bundles": ["@deepseek-ai/dsh-base", "@deepseek-ai/dsh-headless"]}},
        },
    )  # fmt: skip
    write(stage.home / "dsh" / "profiles" / "headless" / "cordis.yml", "[]\n")


def _with(stage: Stage, **more: str) -> dict[str, str]:
    return {**stage.env, "NO_COLOR": "1", **more}


def shell_named(tool: str, field_name: str = "command", **more: Any) -> Callable[[str], Json]:
    return lambda line: call(tool, **{field_name: line}, **more)


DRIVERS: Sequence[Driver] = (
    Driver(
        "codex", Scope.USER, _codex, lambda stage, port: _with(stage, FAKE_KEY="dummy"),
        ("exec", "--json", PROMPT), shell_named("exec_command", "cmd"),
    ),
    Driver(
        "gemini", Scope.USER, _gemini,
        lambda stage, port: _with(
            stage, GOOGLE_GEMINI_BASE_URL=f"http://127.0.0.1:{port}", GEMINI_API_KEY="dummy"
        ),
        ("-m", "gemini-2.5-pro", "--approval-mode", "yolo", "--output-format", "stream-json", "-p", PROMPT),
        shell_named("run_shell_command", description="scripted"),
    ),
    Driver(
        "opencode", Scope.USER, _opencode,
        lambda stage, port: _with(
            stage, OPENCODE_DISABLE_AUTOUPDATE="1", OPENCODE_DISABLE_MODELS_FETCH="1",
            OPENCODE_DISABLE_LSP_DOWNLOAD="1",
        ),
        ("run", "--format", "json", "--auto", PROMPT),
    ),
    Driver(
        "copilot", Scope.USER, nothing,
        lambda stage, port: _with(
            stage, COPILOT_OFFLINE="true", COPILOT_PROVIDER_BASE_URL=f"http://127.0.0.1:{port}/v1",
            COPILOT_PROVIDER_API_KEY="dummy", COPILOT_MODEL="gpt-4.1", COPILOT_AUTO_UPDATE="false",
        ),
        ("-p", PROMPT, "--output-format", "json", "--allow-all-tools"),
    ),
    Driver(
        "pi", Scope.USER, _pi, lambda stage, port: _with(stage, PI_OFFLINE="1"),
        ("--mode", "json", "-p", "--provider", "fake", "--model", "fake-model", PROMPT),
    ),
    Driver(
        "dsh", Scope.USER, _dsh,
        lambda stage, port: _with(
            stage, DEEPSEEK_BASE_URL=f"http://127.0.0.1:{port}/v1", DEEPSEEK_API_KEY="sk-" + "dummy0" * 5,
            DSH_TELEMETRY_MODE="DISABLED", DSH_TELEMETRY_OTLP_URL="http://127.0.0.1:9/",
            DSH_PERMISSION_MODE="danger-full-access",
        ),
        ("--profile", "headless", "--json", PROMPT),
    ),
)  # fmt: skip
