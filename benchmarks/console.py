"""The console over a long past: the queue with 10,000 that wait, and the search over 1,000,000 decisions.

`python -m benchmarks.console [DECISIONS] [PENDING] [FOLDER]`. The state is made first (in an empty FOLDER,
where it is kept for another run), which takes minutes: real decisions of the judge on some commands, written
again and again with other words, hashed and chained; then they are read into the index as a console does it
by itself. The pages are asked for over HTTP as a browser does; a time is the median from request to last
byte.
"""

from __future__ import annotations

import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any
from urllib.parse import urlencode

import sqlalchemy as sa

from benchmarks.table import Figure, show
from ringwall.approvals.read import pending
from ringwall.console.index import catch_up
from ringwall.console.pairing import Pairing
from ringwall.journal.identifiers import uuid7
from ringwall.journal.record import START, Record
from ringwall.judge.judge import Judge
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir
from ringwall.store.schema import events, heads, proposals

DECISIONS, PENDING, ROUNDS = 1_000_000, 10_000, 9
QUEUE_AIM, SEARCH_AIM = 150, 300
COMMANDS = (
    "git status --short", "npm test -- {word}", "rg {word} src", "cat docs/{word}.md", "pkill -f {word}",
    "git push origin {word}", "rm -rf build/{word}", "curl https://{word}.example.com/x",
    "sed -i s/a/{word}/ src/a.py", "python3 scripts/{word}.py", "docker compose up -d {word}",
    "kubectl get pods -n {word}", "rm -rf /", "dropdb {word}",
)  # fmt: skip
WORDS = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in ("ar", "el", "in", "op", "ust") for c in range(40)]
SEARCHES = {
    "search, one word": {"words": "sed"},
    "search, a word of every record": {"words": "bash"},
    "search, two words and filters": {"words": "push bar1", "verdict": "ask", "effect": "git.push"},
    "search, a word that is nowhere": {"words": "nowhere"},
    "search, the beginning of a word": {"words": "ust"},
    "search, filters alone": {"verdict": "deny", "host": "claude", "type": "decision"},
    "search, a week": {"words": "docker", "since": "2026-01-05", "until": "2026-01-12"},
    "history, its first page": {},
}


def measure(decisions: int = DECISIONS, waiting: int = PENDING, kept: str = "") -> list[Figure]:
    with tempfile.TemporaryDirectory() as scratch:
        folder = kept or scratch
        state = StateDir(f"{folder}/state")
        if not os.path.exists(state.database):
            _fill(folder, state, decisions, waiting)
        read = _index(state)
        served = _serve(folder, state)
        try:
            figures = list(_pages(served, state, decisions, waiting))
        finally:
            served.terminate()
            served.wait()
    return [*figures, Figure("console, records indexed", read, "/s")] if read else figures


def _fill(folder: str, state: StateDir, decisions: int, waiting: int) -> None:
    """Decisions over half a year, of which the last so many wait."""
    models = _models(folder, state)
    asked = next(model for model in models if model["verdict"] == "ask")
    store = Store(state)
    with store.transaction() as connection:
        opened = next(iter(pending(connection, 0)), None)
        assert opened is not None
        sample = connection.execute(sa.select(proposals).limit(1)).one()._mapping
        connection.execute(sa.delete(proposals))
        seq, prev = connection.execute(
            sa.select(heads.c.seq, heads.c.hash).where(heads.c.stream == "calls")
        ).one()
        for rows in _in_groups(_records(models, decisions, seq, prev), 10_000):
            connection.execute(sa.insert(events), [_columns(row) for row in rows])
        last = rows[-1]
        connection.execute(
            sa.update(heads).where(heads.c.stream == "calls").values(seq=last.seq, hash=last.hash)
        )
        now = int(time.time())
        connection.execute(
            sa.insert(proposals),
            [
                {
                    **sample, "number": n, "binding": f"sha256:{n}", "action": f"sha256:{n}",
                    "event": last.id, "opened": now, "expires": now + 86_400, "content": _content(asked, n),
                }
                for n in range(1, waiting + 1)
            ],
        )  # fmt: skip
    store.close()


def _models(folder: str, state: StateDir) -> list[dict[str, Any]]:
    """What the judge says about each command, as the journal keeps it."""
    project = f"{folder}/shop"
    os.mkdir(project)
    subprocess.run(["git", "init", "-q", project], check=True)
    judge = Judge(state)
    for text in COMMANDS:
        payload = {
            "hook_event_name": "PreToolUse", "session_id": "s", "cwd": project, "permission_mode": "default",
            "tool_name": "Bash", "tool_input": {"command": text.format(word="word")}, "tool_use_id": "c",
        }  # fmt: skip
        environ = {"HOME": folder, "PATH": os.environ["PATH"], "RINGWALL_HEADLESS": "0"}
        judge.hook("claude", json.dumps(payload).encode(), environ)
    with judge.store.reading() as connection:
        query = sa.select(events.c.body).where(events.c.type == "decision").order_by(events.c.seq)
        found = [json.loads(body) for body in connection.execute(query).scalars()]
    judge.close()
    return found


def _records(models: list[dict[str, Any]], count: int, seq: int, prev: str) -> Iterator[Record]:
    """Decisions one after another, each with words of its own, evenly over the half-year before now."""
    texts = [json.dumps(model, ensure_ascii=False, separators=(",", ":"), sort_keys=True) for model in models]
    begin, step = time.time_ns() - 182 * 86_400 * 10**9, 182 * 86_400 * 10**9 // count
    for n, (text, word) in enumerate(islice(zip(cycle(texts), cycle(WORDS)), count)):
        at = begin + n * step
        body = text.replace("word", word).replace('"session":"s"', f'"session":"s{n % 400}"')
        moment = time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime(at // 10**9))
        seq += 1
        record = Record(
            uuid7(at), 1, "calls", seq, moment, "decision", "agent:claude", f"s{n % 400}", body, prev or START
        ).sealed()
        prev = record.hash
        yield record


def _columns(record: Record) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__struct_fields__}


def _content(model: dict[str, Any], number: int) -> str:
    command = f"git push origin branch-{number} # {'x' * 400}"
    names = ("tool", "cwd", "trace")
    return json.dumps({**{name: model[name] for name in names}, "input": {"command": command}})


def _in_groups(records: Iterator[Record], size: int) -> Iterator[list[Record]]:
    while group := list(islice(records, size)):
        yield group


def _index(state: StateDir) -> float:
    """Read everything in; records per second."""
    store = Store(state)
    begun, count = time.perf_counter(), 0
    while took := catch_up(store, 2_000):
        count += took
    store.close()
    return count / (time.perf_counter() - begun) if count else 0.0


def _serve(folder: str, state: StateDir) -> subprocess.Popen[str]:
    environ = {"HOME": folder, "PATH": os.environ["PATH"], "RINGWALL_HOME": state.path}
    words = [sys.executable, "-m", "ringwall.cli.main", "serve", "--port", "0", "--json"]
    return subprocess.Popen(words, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)


def _pages(served: subprocess.Popen[str], state: StateDir, decisions: int, waiting: int) -> Iterator[Figure]:
    assert served.stdout is not None
    port = int(json.loads(served.stdout.readline())["address"].rstrip("/").rpartition(":")[2])
    cookie = _paired(port, state)
    queue = _median(port, cookie, "/", f"branch-{min(20, waiting)} ")
    yield Figure(f"queue, {waiting:,} wait", queue, "ms", aim=f"≤ {QUEUE_AIM}", reached=queue <= QUEUE_AIM)
    middle = _median(port, cookie, f"/?after={waiting // 2}", f"branch-{waiting // 2 + 1} ")
    yield Figure("queue, its middle", middle, "ms", aim=f"≤ {QUEUE_AIM}", reached=middle <= QUEUE_AIM)
    for name, wanted in SEARCHES.items():
        spent = _median(port, cookie, "/history?" + urlencode(wanted), "")
        label = f"{name} ({decisions:,})" if name == "search, one word" else name
        yield Figure(label, spent, "ms", aim=f"≤ {SEARCH_AIM}", reached=spent <= SEARCH_AIM)
    for name in ("policy", "sessions", "journal"):
        yield Figure(f"page, {name}", _median(port, cookie, f"/{name}", ""), "ms")


def _paired(port: int, state: StateDir) -> str:
    store = Store(state)
    code = Pairing(store).code()
    store.close()
    own = f"http://localhost:{port}"
    headers = {
        "Origin": own,
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    answer = _ask(port, "POST", "/pair", urlencode({"code": code}), headers)
    return answer[1].partition(";")[0]


def _median(port: int, cookie: str, path: str, expected: str) -> float:
    """Milliseconds for a page that holds what is expected of it."""
    spent = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        status, _cookie, text = _ask(port, "GET", path, "", {"Cookie": cookie})
        spent.append((time.perf_counter() - begun) * 1000)
        if status != 200 or expected not in text:
            raise RuntimeError(f"{path}: {status}")
    return statistics.median(spent)


def _ask(port: int, method: str, path: str, body: str, headers: dict[str, str]) -> tuple[int, str, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    connection.request(method, path, body, {"Host": f"localhost:{port}", **headers})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, answer.headers.get("Set-Cookie", ""), text


if __name__ == "__main__":
    print(show(measure(*map(int, sys.argv[1:3]), *sys.argv[3:4])))
