"""A session with a person at the host's prompt: the answers are given over its control protocol."""

from __future__ import annotations

import json
import subprocess
import threading
from typing import Any

from hosts.install import claude
from hosts.stage import Stage, model

Json = dict[str, Any]


def attend(stage: Stage, lane: Json, answer: str, mode: str = "default") -> Json:
    """Play `lane`, answering each question with `answer` (`allow` or `deny`); the one question that came."""
    asked: list[Json] = []
    log = stage.folder / "model.jsonl"
    with model({"lanes": [lane]}, log) as port:
        words = [str(claude()), "-p", "--permission-mode", mode, "--permission-prompt-tool", "stdio"]
        words += ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
        process = subprocess.Popen(
            words,
            cwd=stage.project,
            env=stage.host_env(port),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        guard = threading.Timer(150, process.kill)
        guard.start()
        try:
            _say(process, {"type": "user", "message": {"role": "user", "content": "please do it"}})
            assert process.stdout is not None
            for line in process.stdout:
                message = json.loads(line)
                if message["type"] == "control_request":
                    asked.append(message["request"])
                    _say(process, _answer(message, answer))
                elif message["type"] == "result":
                    break
            assert process.stdin is not None
            process.stdin.close()
            process.wait(timeout=60)
        finally:
            guard.cancel()
            process.kill()
            process.wait()
    assert len(asked) == 1, log.read_text(encoding="utf-8") if log.exists() else "the model was never asked"
    return asked[0]


def _answer(message: Json, answer: str) -> Json:
    given = {"behavior": "allow", "updatedInput": message["request"]["input"]}
    refused = {"behavior": "deny", "message": "not now"}
    response = given if answer == "allow" else refused
    return {
        "type": "control_response",
        "response": {"subtype": "success", "request_id": message["request_id"], "response": response},
    }


def _say(process: subprocess.Popen[str], message: Json) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps(message) + "\n")
    process.stdin.flush()
