"""A machine with an agent on it and a console over it: home, project, state, judge, and a served console.

Invariant: nothing outside its folder is read or written, and it answers only on loopback.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from ringwall.console.pairing import Pairing
from ringwall.judge.desk import Desk
from ringwall.judge.judge import Judge
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir

FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Page:
    """An answer of the console."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def words(self) -> str:
        """What a person reads."""
        return " ".join(re.sub(r"<[^>]+>", " ", self.text).split())

    def nonce(self, action: str, do: str = "") -> str:
        """The nonce of the first form that goes to `action` and has a button for `do`."""
        for given, inside in re.findall(r'<form method="post"([^>]*)>(.*?)</form>', self.text, re.DOTALL):
            wanted = re.search(rf'action="{re.escape(action)}["#]', given) or "action=" not in given
            if wanted and (not do or f'value="{do}"' in inside):
                found = re.search(r'name="nonce" value="([^"]+)"', inside)
                assert found, inside
                return found[1]
        raise AssertionError(f"no form for {action} {do}:\n{self.text}")


@dataclass
class World:
    """`folder` holds home, project and state."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for folder in (self.home, self.project):
            folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["git", "init", "-q", "-b", "main", str(self.project)], check=True, env=self.env)

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def project(self) -> Path:
        return self.home / "code" / "shop"

    @property
    def state(self) -> StateDir:
        return StateDir(str(self.folder / "state"))

    @property
    def env(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "LOGNAME": "ann",
            "RINGWALL_HOME": self.state.path,
            "RINGWALL_HEADLESS": "0",
            "LC_ALL": "C.UTF-8",
            **self.variables,
        }

    def git(self, *words: str) -> None:
        identity = {"GIT_AUTHOR_NAME": "Dev", "GIT_AUTHOR_EMAIL": "dev@example.com"}
        identity |= {"GIT_COMMITTER_NAME": "Dev", "GIT_COMMITTER_EMAIL": "dev@example.com"}
        subprocess.run(
            ["git", *words], cwd=self.project, check=True, env={**self.env, **identity}, capture_output=True
        )

    def ask(self, command: str = "", session: str = "s1", **fields: Any) -> str:
        """One tool call of an agent; the verdict that its host gets."""
        sent = {
            "hook_event_name": "PreToolUse", "session_id": session, "cwd": str(self.project),
            "permission_mode": "default", "tool_name": "Bash", "tool_input": {"command": command},
            "tool_use_id": "c1", **fields,
        }  # fmt: skip
        reply = self.judge.hook("claude", json.dumps(sent).encode(), self.env)
        return str(json.loads(reply.stdout)["hookSpecificOutput"]["permissionDecision"])

    @property
    def judge(self) -> Judge:
        if not hasattr(self, "_judge"):
            self._judge = Judge(self.state)
        return self._judge

    @property
    def desk(self) -> Desk:
        if not hasattr(self, "_desk"):
            self._desk = Desk(self.state)
        return self._desk

    def close(self) -> None:
        for name in ("_judge", "_desk"):
            if hasattr(self, name):
                getattr(self, name).close()


class Served:
    """A console that runs as `ringwall serve` in an environment."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self.state = StateDir(env["RINGWALL_HOME"])
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ringwall.cli.main", "serve", "--port", "0", "--json"],
            env=env, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._process.stdout is not None
        told = json.loads(self._process.stdout.readline())
        assert told["code"] == "", "a code is only for a terminal"
        self.address = told["address"].rstrip("/")
        self.port = int(self.address.rpartition(":")[2])

    @property
    def pid(self) -> int:
        return self._process.pid

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=20)

    def code(self) -> str:
        store = Store(self.state)
        try:
            return Pairing(store).code()
        finally:
            store.close()

    def send(self, method: str, path: str, body: str = "", **headers: str) -> Page:
        """One request as it stands; `_` in a header's name is `-`, an empty one is left out."""
        given = {"Host": f"localhost:{self.port}"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in given.items():
                if value:
                    connection.putheader(name, value)
            if method == "POST" and "Content-Length" not in given:
                connection.putheader("Content-Length", str(len(body.encode())))
            connection.endheaders(body.encode())
            answer = connection.getresponse()
            return Page(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read().decode())
        finally:
            connection.close()

    @property
    def same(self) -> dict[str, str]:
        """What a browser sends with a form of the console's own pages."""
        return {"Origin": self.address, "Sec_Fetch_Site": "same-origin", "Content_Type": FORM}

    def browser(self) -> Browser:
        """A paired browser."""
        answer = self.send("POST", "/pair", urlencode({"code": self.code()}), **self.same)
        assert answer.status == 303, answer.text
        return Browser(self, answer.headers["set-cookie"].partition(";")[0])


@dataclass(frozen=True)
class Browser:
    """One that is paired, without scripts."""

    served: Served
    cookie: str

    def get(self, path: str, **headers: str) -> Page:
        return self.served.send("GET", path, Cookie=self.cookie, **headers)

    def post(self, path: str, fields: Mapping[str, Any] | list[tuple[str, Any]], **headers: str) -> Page:
        given = {**self.served.same, "Cookie": self.cookie, **headers}
        return self.served.send("POST", path, urlencode(fields), **given)

    def decide(self, number: int, do: str, page: Page | None = None, **fields: Any) -> Page:
        """What a click on the proposal's own page sends."""
        path = f"/proposals/{number}"
        page = page or self.get(path)
        shown = re.search(r'name="shown" value="([^"]+)"', page.text)
        assert shown, page.text
        return self.post(path, {"nonce": page.nonce(path, do), "shown": shown[1], "do": do, **fields})
