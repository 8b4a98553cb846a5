"""The way back from a correction to the gate: a permission rule that would have spared it.

Invariant: nothing is written; a rule only tightens (`deny` or `ask`), it is one that the policy can read, it
matches the very call that it comes from, and what it would have changed is judged and not guessed.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import sqlalchemy as sa

from ringwall.agents.model import Correcting
from ringwall.gate.decide import decide
from ringwall.harvest.model import Correction
from ringwall.journal.read import Filter
from ringwall.judge.bench import Bench, Judged
from ringwall.judge.past import Past, from_journal
from ringwall.judge.replay import Replay
from ringwall.model.action import Kind
from ringwall.model.analysis import HOLE, Analysis
from ringwall.model.surroundings import Places
from ringwall.model.verdict import Verdict
from ringwall.policy.model import Layer, LayerName, Policy
from ringwall.policy.names import OBSERVE
from ringwall.policy.permissions import rule_at
from ringwall.policy.problems import Problems
from ringwall.shell.analyse import command_pattern

MOST_CALLS = 2000
"""The newest calls of the project that a rule is tried on."""

_QUOTED = re.compile(r"`([^`\n]{3,200})`")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A rule for the list `verdict` of the project's permissions, the corrections that speak for it, and what
    it would have changed."""

    rule: str
    verdict: Verdict
    corrections: tuple[str, ...]
    replay: Replay


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A correction and the call that it is about."""

    row: Correction
    past: Past


def suggestions(
    connection: sa.Connection, bench: Bench, rows: Sequence[Correction], project: str
) -> list[Suggestion]:
    """The rules that these corrections speak for, by what the gate has seen in the project."""
    named = {row.call for row in rows if row.call}
    linked: dict[str, Past] = {}
    calls: deque[Past] = deque(maxlen=MOST_CALLS)
    for past in from_journal(connection, Filter()):
        if not isinstance(past, Past):
            continue
        if past.where in named:
            linked[past.where] = past
        if _below(past.call.cwd, project):
            calls.append(past)
    found: dict[tuple[str, Verdict], list[str]] = {}
    for spoken in _spoken(rows, linked, calls):
        for key in _rules(spoken, bench):
            found.setdefault(key, []).append(spoken.row.id)
    return [
        Suggestion(rule, verdict, tuple(dict.fromkeys(ids)), _tried(rule, verdict, calls, bench))
        for (rule, verdict), ids in found.items()
    ]


def _spoken(rows: Iterable[Correction], linked: dict[str, Past], calls: Sequence[Past]) -> Iterator[_Spoken]:
    for row in rows:
        if row.call in linked:
            yield _Spoken(row, linked[row.call])
            continue
        for words in _QUOTED.findall(row.note):
            past = next((one for one in reversed(calls) if _runs(one, words)), None)
            if past is not None:
                yield _Spoken(row, past)


def _runs(past: Past, words: str) -> bool:
    """Whether the call's command line contains these words."""
    command = past.call.input.get("command")
    return isinstance(command, str) and f" {words.strip()} " in f" {' '.join(command.split())} "


def _rules(spoken: _Spoken, bench: Bench) -> Iterator[tuple[str, Verdict]]:
    """Rules that catch the call; none where it is denied already."""
    judged = bench.judge(spoken.past.call)
    now = judged.decision.verdict
    if now is Verdict.DENY:
        return
    refused = spoken.row.event == Correcting.PROPOSAL_REJECT.value
    wanted = Verdict.DENY if refused or now is Verdict.ASK else Verdict.ASK
    for text in _patterns(judged.decision.analysis, judged.situation.places):
        after = _with(judged, text, wanted)
        if after is not None and after.rank > now.rank:
            yield text, wanted


def _patterns(analysis: Analysis, places: Places) -> Iterator[str]:
    """What names the acting parts of a call: a program with its subcommand, a file, a host's tool."""
    action = analysis.action
    if action.kind is Kind.SHELL:
        acting = {effect.command for effect in analysis.effects if effect.name != OBSERVE}
        for place, command in enumerate(analysis.commands):
            words = (command.invocation.program, *command.invocation.path)
            if place in acting and HOLE not in "".join(words):
                yield f"Bash({' '.join(words)}:*)"
    elif action.kind is Kind.FILE:
        path = action.input.get("file_path")
        if isinstance(path, str) and path.startswith(f"{places.root}/"):
            yield f"{'Read' if action.tool == 'Read' else 'Edit'}(/{path.removeprefix(places.root + '/')})"
    elif action.kind is Kind.MCP:
        yield action.tool


def _tried(text: str, verdict: Verdict, calls: Iterable[Past], bench: Bench) -> Replay:
    replay = Replay()
    for past in calls:
        judged = bench.judge(past.call)
        policy = _policy_with(judged, text, verdict)
        if policy is None:
            continue
        after = decide(judged.decision.analysis, replace(judged.situation, policy=policy))
        replay.add(past, _shown(past), judged.decision.verdict, after, judged.decision.verdict)
    return replay


def _with(judged: Judged, text: str, verdict: Verdict) -> Verdict | None:
    policy = _policy_with(judged, text, verdict)
    if policy is None:
        return None
    return decide(judged.decision.analysis, replace(judged.situation, policy=policy)).verdict


def _policy_with(judged: Judged, text: str, verdict: Verdict) -> Policy | None:
    """The policy with this rule in the project's file, trusted; None where it is no rule."""
    problems = Problems()
    policy, places = judged.situation.policy, judged.situation.places
    rule = rule_at(text, "suggested:1:1", verdict, LayerName.PROJECT, places, command_pattern, problems)
    if rule is None or problems.found:
        return None
    project = policy.layer(LayerName.PROJECT) or Layer(LayerName.PROJECT)
    changed = replace(project, rules=(*project.rules, rule), trusted=True)
    below = tuple(layer for layer in policy.layers if layer.name is LayerName.PRESET)
    above = tuple(layer for layer in policy.layers if layer.name in (LayerName.USER, LayerName.SESSION))
    return replace(policy, layers=(*below, changed, *above))


def _shown(past: Past) -> str:
    words = past.call.input.get("command") or past.call.input.get("file_path") or ""
    return f"{past.call.tool} {words}".strip()


def _below(folder: str, project: str) -> bool:
    return folder == project or folder.startswith(f"{project}/")
