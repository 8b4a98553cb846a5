"""`make demo`: a scripted agent session in a scratch repository, judged by the real gate.

With npm the real Claude Code plays it, driven by a scripted model on 127.0.0.1; without, the same calls are
sent through the hook that stands in the settings. Everything happens in a temporary folder with a home of
its own; nothing outside it is touched.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from hosts import install  # noqa: E402
from hosts.payloads import call as call_payload  # noqa: E402
from hosts.payloads import encoded  # noqa: E402
from hosts.stage import Stage, call, lane  # noqa: E402

Json = dict[str, Any]

MAKEFILE = "test:\n\t@grep -q shop README.md && echo ok\n\ninstall:\n\tcp shop /usr/local/bin/shop\n"
COLOURS = {"allow": "32", "ask": "33", "deny": "31"}


def main() -> int:
    options = argparse.ArgumentParser(description="A scripted agent session, judged by the real gate.")
    options.add_argument(
        "--replay", action="store_true", help="send the calls through the hook, run no agent"
    )
    replaying = options.parse_args().replay
    if shutil.which("git") is None:
        return give_up("git is not here. Install it (Debian: apt install git) and run `make demo` again.")
    stage = Stage(Path(tempfile.mkdtemp(prefix="ringwall-demo-")))
    stage.build()
    furnish(stage)
    ready = stage.ringwall("init", "claude", "--yes")
    if ready.returncode != 0:
        return give_up(ready.stdout + ready.stderr)
    print(f"A scratch repository: {stage.project}")
    try:
        perform(stage, replaying)
        return 0 if show(stage) else give_up("Nothing was judged.")
    finally:
        stage.ringwall("daemon", "stop")


def perform(stage: Stage, replaying: bool) -> None:
    missing = "As asked." if replaying else install.install()
    if missing:
        print(f"{missing} The calls are replayed through the hook; no agent program runs.")
        replay(stage)
    else:
        print(f"The real Claude Code {install.CLAUDE_VERSION} plays the session; a script is its model.")
        play(stage)


def give_up(why: str) -> int:
    print(why.strip(), file=sys.stderr)
    return 1


def furnish(stage: Stage) -> None:
    """A project with tests, and a home with a secret that would be missed."""
    (stage.project / "Makefile").write_text(MAKEFILE)
    (stage.project / "src").mkdir()
    (stage.project / "src" / "shop").write_text("#!/bin/sh\necho open\n")
    stage.git("add", "-A")
    stage.git("commit", "-q", "-m", "Open the shop")
    (stage.home / ".ssh").mkdir(mode=0o700)
    (stage.home / ".ssh" / "id_ed25519").write_text("not a real key\n")


def session(stage: Stage) -> dict[str, list[Json]]:
    text = (HERE / "session.json").read_text(encoding="utf-8")
    return json.loads(text.replace("{project}", str(stage.project)))


def play(stage: Stage) -> None:
    """The real host; its model says what the script says."""
    script = session(stage)
    lanes = [
        lane(name, *({"text": turn["say"], **call(turn["tool"], **turn["input"])} for turn in turns), **match)
        for name, turns, match in (
            ("helper", script["helper"], {"match": "HELPER: push"}),
            ("main", script["main"], {}),
        )
    ]
    played = stage.play(*lanes, prompt="please look after the shop", mode="default")
    if played.exit != 0:
        print(f"Claude Code ended with status {played.exit}: {played.errors.strip()[:500]}", file=sys.stderr)


def replay(stage: Stage) -> None:
    """The same calls as payloads for the registered hook command, without the host."""
    settings = json.loads((stage.project / ".claude" / "settings.json").read_text(encoding="utf-8"))
    command = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    script = session(stage)
    calls = [(turn, {}) for turn in script["main"]]
    calls += [(turn, {"agent_id": "a1", "agent_type": "general-purpose"}) for turn in script["helper"]]
    for number, (turn, agent) in enumerate(calls):
        payload = call_payload(
            turn["tool"],
            cwd=str(stage.project),
            tool_input=turn["input"],
            tool_use_id=f"toolu_{number}",
            **agent,
        )
        subprocess.run(
            ["sh", "-c", command], input=encoded(payload), cwd=stage.project, env=stage.env,
            stdout=subprocess.DEVNULL, check=False,
        )  # fmt: skip


def show(stage: Stage) -> int:
    """Each judged call from the journal; how many there were."""
    listed = stage.ringwall("log", "show", "--json", "--type", "decision", "--newest", "0")
    records = [json.loads(line) for line in listed.stdout.splitlines()]
    for record in records:
        if record["body"].get("moment") != "permission":
            show_call(record, stage)
    print()
    print("Nothing was pushed." if not stage.pushed else "Something was pushed!")
    verified = stage.ringwall("log", "verify")
    print(verified.stdout.strip() or verified.stderr.strip())
    program = shlex.quote(os.path.join(os.path.dirname(sys.executable), "ringwall"))
    print(f"The journal is in {stage.env['RINGWALL_HOME']}. To read it:")
    print(f"  RINGWALL_HOME={stage.env['RINGWALL_HOME']} {program} log show")
    if records:
        print(f"  RINGWALL_HOME={stage.env['RINGWALL_HOME']} {program} why {records[-1]['id']}")
    return len(records)


def show_call(record: Json, stage: Stage) -> None:
    body = record["body"]
    trace = body["trace"]
    given = body["input"]
    what = given.get("command") or given.get("file_path") or given.get("prompt") or json.dumps(given)
    agent = f" (subagent {body['agent_type'] or body['agent']})" if body.get("agent") else ""
    print()
    print(short(f"{mark(body['verdict'])} {body['tool']}{agent}: {what}", stage))
    effects = {effect_text(effect) for effect in trace["effects"] if effect["name"] != "observe"}
    tell("effects", short(", ".join(sorted(effects)), stage) or "observe")
    tell("why", short(f"{trace['reason']} [{trace['code']}]", stage))
    if trace["rule"] and trace["rule"]["file"]:
        tell("rule", f"{trace['rule']['file']}:{trace['rule']['line']}: {trace['rule']['text']}")


def short(text: str, stage: Stage) -> str:
    """Paths of the demo without the folder that all of them are in."""
    return text.replace(str(stage.folder), "…")


def effect_text(effect: Json) -> str:
    return f"{effect['name']} {effect['target']}".strip() + ("" if effect["certain"] else " (possible)")


def mark(verdict: str) -> str:
    word = f"{verdict.upper():5}"
    if not sys.stdout.isatty() or "NO_COLOR" in os.environ:
        return word
    return f"\033[1;{COLOURS[verdict]}m{word}\033[0m"


def tell(name: str, text: str) -> None:
    width = max(40, shutil.get_terminal_size((100, 24)).columns)
    head = f"      {name:8}"
    print(textwrap.fill(text, width, initial_indent=head, subsequent_indent=" " * len(head)))


if __name__ == "__main__":
    sys.exit(main())
