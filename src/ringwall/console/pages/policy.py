"""The policy in force: its layers and lines, how often each decided, and what it would say to a command."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

import sqlalchemy as sa

from ringwall.console.card import judged
from ringwall.console.console import Console
from ringwall.console.index import catch_up
from ringwall.console.page import Go, Page, View, Visit
from ringwall.console.trusting import files, settle
from ringwall.console.what_if import Project, project, projects, what_if
from ringwall.gate.limits import LIMITS
from ringwall.gate.trace import as_json
from ringwall.model.decision import RuleRef
from ringwall.model.errors import UsageError
from ringwall.model.text import Text, msg
from ringwall.policy.model import Approval, Layer
from ringwall.store.schema import rule_hits

_READ_AT_ONCE = 1000
_WORDS = {
    Approval.AUTO_APPROVE: "allow",
    Approval.REQUIRE_APPROVAL: "ask",
    Approval.DENY: "deny",
}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the policy; `verdict` is empty for one that gives none (a role, a limit)."""

    kind: Text
    verdict: str
    ref: RuleRef
    hits: int
    counts: bool = True


def show(visit: Visit) -> View:
    return _view(visit.console, visit.query.get("project", ""))


def try_out(visit: Visit) -> View:
    """Judge a command, and change nothing."""
    return _view(visit.console, visit.form.get("project", ""), visit.form.get("command", "").strip())


def trust(visit: Visit) -> Go:
    """Let a file of the project loosen something, or no more."""
    form, console = visit.form, visit.console
    root, path = form.get("project", ""), form.get("path", "")
    if root not in projects(console):
        raise UsageError(
            "console.form", msg("There is no such project here."), msg("Choose one of the list.")
        )
    trusted = form.get("do") == "trust"
    settle(console, root, path, form.get("digest", ""), trusted)
    told = (
        msg("{path} is trusted as it is.", path=path) if trusted else msg("{path} is not trusted.", path=path)
    )
    return Go("/policy?" + urlencode({"project": root}), told)


def _view(console: Console, folder: str, command: str = "") -> View:
    catch_up(console.store, _READ_AT_ONCE)
    known = projects(console)
    chosen = folder if folder in known else (known[0] if known else "/")
    found = project(console, chosen)
    with console.store.reading() as connection:
        hits = {(row.file, row.rule): row.hits for row in connection.execute(sa.select(rule_hits))}
    layers = [(layer, list(_lines(layer, hits))) for layer in reversed(found.policy.layers)]
    values = {
        "projects": known,
        "project": found,
        "layers": layers,
        "limits": LIMITS,
        "files": files(console, found.places.root),
        "command": command,
        "decision": _tried(console, found, command) if command else None,
    }
    return View("policy.html", values)


def _tried(console: Console, found: Project, command: str) -> tuple[str, object]:
    decision = what_if(console, found, command)
    return decision.verdict.value, judged(as_json(decision, console.translate))


def _lines(layer: Layer, hits: dict[tuple[str, str], int]) -> Iterator[Line]:
    def line(kind: Text, verdict: str, ref: RuleRef, counts: bool = True) -> Line:
        return Line(kind, verdict, ref, hits.get((ref.file, ref.text), 0), counts)

    yield from (line(msg("rule"), rule.verdict.value, rule.ref) for rule in layer.rules)
    yield from (line(msg("autonomy"), _WORDS[one.approval], one.ref) for one in layer.autonomy)
    yield from (line(msg("limit"), "ask", ref) for _effect, ref in layer.limits)
    yield from (line(msg("role"), "", ref) for _effect, _role, ref in layer.roles)
    yield from (line(msg("not trusted"), "", ref, counts=False) for ref in layer.dropped)


page = Page(
    msg("Policy"), "/policy", {"/policy": show}, {"/policy": try_out, "/policy/trust": trust}, order=30
)
