"""A person is told what waits: over real HTTP and by a real program on PATH, without any authority."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from ringwall.daemon.notice import LONGEST, notice_of
from ringwall.daemon.notifying import Notifier
from ringwall.daemon.outlet import send
from ringwall.judge.case import Asked
from ringwall.judge.desk import Desk
from ringwall.judge.judge import Judge
from ringwall.policy.outlets import Outlets
from ringwall.store.paths import StateDir

SECRET = "ghp_" + "a1B2" * 9


class Listener(HTTPServer):
    """Keeps what is posted to it; answers with a redirect to itself where the path says so."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.got: list[tuple[str, dict[str, str], bytes]] = []

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"


class Handler(BaseHTTPRequestHandler):
    server: Listener

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((self.path, dict(self.headers), body))
        self.send_response(302 if self.path == "/moved" else 200)
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "home"
    (made / "project" / ".ringwall").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(made))
    for name in ("XDG_CONFIG_HOME", "CLAUDE_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    return made


@pytest.fixture
def environ(home: Path) -> dict[str, str]:
    """With a `notify-send` that notes its words."""
    program = home / "bin" / "notify-send"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >> {home}/shown\n')
    program.chmod(0o755)
    return {"HOME": str(home), "PATH": f"{program.parent}:/usr/bin:/bin"}


def settings(home: Path, text: str, project: bool = False) -> None:
    folder = home / "project" / ".ringwall" if project else home / ".config" / "ringwall"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ringwall.toml").write_text(text)


def ask(state: StateDir, home: Path, command: str, headless: str = "1") -> None:
    payload = {
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(home / "project"),
        "permission_mode": "default", "tool_name": "Bash", "tool_input": {"command": command},
    }  # fmt: skip
    judge = Judge(state)
    environ = {"HOME": str(home), "PATH": os.environ["PATH"], "RINGWALL_HEADLESS": headless}
    judge.hooks([Asked("claude", json.dumps(payload).encode(), environ, waited=True)])
    judge.close()


def test_one_line_by_every_way_that_a_person_has_set(
    state: StateDir, home: Path, environ: dict[str, str], listener: Listener
) -> None:
    hook, topic = listener.url("/hook"), listener.url("/topic")
    settings(home, f'[notify]\ndesktop = true\nwebhook = "{hook}"\nntfy = "{topic}"\n')
    notifier = Notifier(state, environ)
    ask(state, home, f"git push https://x:{SECRET}@example.com/r main")
    ask(state, home, "git push origin attended", headless="0")
    now = int(os.stat(state.database).st_mtime)
    notifier.look(now)
    notifier.look(now)
    (webhook, ntfy) = listener.got
    told = json.loads(webhook[2])
    assert webhook[0] == "/hook" and told["proposal"] == 1 and "git push" in told["text"]
    assert ntfy[0] == "/topic" and ntfy[1]["Title"] == "Ringwall"
    shown = (home / "shown").read_text()
    assert "Proposal 1 waits" in shown
    assert not any(SECRET in text for text in (told["text"], ntfy[2].decode(), shown))
    assert not any("attended" in text for text in (told["text"], ntfy[2].decode(), shown))


def test_a_project_that_nobody_trusts_sets_no_webhook(
    state: StateDir, home: Path, environ: dict[str, str], listener: Listener
) -> None:
    settings(home, f'[notify]\nwebhook = "{listener.url("/stolen")}"\ndesktop = true\n', project=True)
    notifier = Notifier(state, environ)
    ask(state, home, "git push")
    notifier.look(int(os.stat(state.database).st_mtime))
    assert listener.got == [] and not (home / "shown").exists()


def test_what_waited_before_is_not_told_when_the_daemon_starts_again(
    state: StateDir, home: Path, environ: dict[str, str], listener: Listener
) -> None:
    settings(home, f'[notify]\nwebhook = "{listener.url("/hook")}"\n')
    ask(state, home, "git push")
    Notifier(state, environ).look(int(os.stat(state.database).st_mtime) + 3600)
    assert listener.got == []


def test_a_way_that_fails_is_told_without_its_address_and_stops_no_other(
    state: StateDir, home: Path, environ: dict[str, str], listener: Listener
) -> None:
    ask(state, home, "git push")
    desk = Desk(state)
    notice = notice_of(desk.one(1), "localhost:4711")
    desk.close()
    assert notice.link == "http://localhost:4711/proposals/1"
    closed = "http://127.0.0.1:9/token-in-the-address"
    faults = list(send(notice, Outlets(desktop=True, webhook=closed, ntfy=listener.url("/t")), {"PATH": ""}))
    assert len(faults) == 2 and not any("token" in fault for fault in faults)
    assert [path for path, _, _ in listener.got] == ["/t"]
    assert listener.got[0][1]["Click"] == notice.link
    moved = list(send(notice, Outlets(webhook=listener.url("/moved")), environ))
    assert len(moved) == 1 and [path for path, _, _ in listener.got] == ["/t", "/moved"]


def test_markup_and_hidden_characters_are_only_characters(
    state: StateDir, home: Path, environ: dict[str, str]
) -> None:
    ask(state, home, "git push '<a href=x>' \u202e -- " + "x" * 500)
    desk = Desk(state)
    notice = notice_of(desk.one(1), "")
    desk.close()
    assert "\u202e" not in notice.line and len(notice.line) < LONGEST + 40
    assert list(send(notice, Outlets(desktop=True), environ)) == []
    shown = (home / "shown").read_text()
    assert "&lt;a href=x&gt;" in shown and len(shown.splitlines()) == 4
