"""Absolute limits: what always needs a person, whatever was approved beforehand.

Invariant: a limit turns `allow` into `ask` and never loosens anything; no rule and no autonomy lifts it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ringwall.gate.situation import Situation
from ringwall.model.analysis import Analysis
from ringwall.model.decision import Opinion, RuleRef
from ringwall.model.effects import EFFECTS, Effect
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict
from ringwall.policy.names import CHAINS

STAGE = "limits"


@dataclass(frozen=True, slots=True)
class Limit:
    """Why a person decides, and what goes with it."""

    reason: Text
    advice: Text | None = None


LIMITS: dict[str, Limit] = {
    "privilege": Limit(
        msg(
            "it acts with another user's rights, so this project does not bound what it can reach;"
            " a person decides each time"
        )
    ),
    "git.push": Limit(
        msg("pushing publishes commits to others (action type git_push); a person decides each time"),
        msg("Propose it with `ringwall propose git-push`, or say that the commits are ready to push."),
    ),
    "git.merge.protected": Limit(
        msg("merging changes a protected branch (action type git_merge); a person decides each time"),
        msg("Propose it with `ringwall propose merge BRANCH`, or say that your branch is ready to merge."),
    ),
    "pr.open": Limit(
        msg("a pull request speaks to others (action type pr_open); a person decides each time"),
        msg("Propose it with `ringwall propose pr-open --title TITLE`, or show the text to the person."),
    ),
    "pr.merge": Limit(
        msg("it changes a shared branch (action type git_merge); a person decides each time"),
        msg("Propose it with `ringwall propose pr-merge NUMBER`, or say that it is ready to merge."),
    ),
    "publish": Limit(
        msg("what is published cannot be taken back; a person decides each time"),
        msg("Build the package and say that it is ready to publish."),
    ),
    "deploy": Limit(
        msg("a deployment changes what others use; a person decides each time"),
        msg(
            "Propose it with `ringwall propose deploy NAME` where the policy has it; else prepare it and"
            " show what would change (a dry run or a diff)."
        ),
    ),
    "write.instructions": Limit(
        msg("it changes what agents are told (action type instruction_patch); a person decides each time"),
        msg("Propose the wording to the person."),
    ),
    "agents.parallelize": Limit(msg("it runs agents in parallel; a person decides each time")),
    "agents.raise_max_parallel": Limit(
        msg("it raises how many agents run at once; a person decides each time")
    ),
    "write.outside": Limit(
        msg("it writes outside the project: {target}"),
        msg("Write below the project folder or the temporary folder."),
    ),
    "delete.outside": Limit(
        msg("it deletes outside the project: {target}"),
        msg("Delete only below the project folder or the temporary folder."),
    ),
}
"""By effect, the most telling first. docs/policy.md lists them for people."""

_ORDER = {name: place for place, name in enumerate(LIMITS)}


def opinion(analysis: Analysis, situation: Situation, so_far: Verdict | None) -> Opinion | None:
    """Ask for a limited effect, sure or only possible; ask for what could not be understood."""
    found: tuple[int, str, Effect] | None = None
    for effect in analysis.effects:
        for name in CHAINS[effect.name]:
            if name in _ORDER and (found is None or _ORDER[name] < found[0]):
                found = (_ORDER[name], name, effect)
    if found is not None:
        return _limited(found[1], found[2])
    added = _added(analysis, situation)
    if added is not None or so_far is not Verdict.ALLOW:
        return added
    return _doubted(analysis)


def _limited(name: str, effect: Effect) -> Opinion:
    limit = LIMITS[name]
    reason = limit.reason
    if "{target}" in reason.template:
        reason = Text(reason.template, (("target", effect.target or "?"),))
    if not effect.certain:
        reason = msg("it is not sure, but possibly {why}", why=reason)
    return Opinion(
        stage=STAGE,
        verdict=Verdict.ASK,
        code=f"{STAGE}.{name.replace('.', '_')}",
        reason=reason,
        effect=effect,
        advice=limit.advice,
        binding=True,
    )


def _added(analysis: Analysis, situation: Situation) -> Opinion | None:
    added: dict[str, RuleRef] = {}
    for layer in situation.policy.layers:
        for name, ref in layer.limits:
            added.setdefault(name, ref)
    if not added:
        return None
    for effect in analysis.effects:
        for name in CHAINS[effect.name]:
            if name in added:
                reason = msg("it {meaning}, which this policy limits", meaning=EFFECTS[effect.name].meaning)
                return Opinion(
                    STAGE, Verdict.ASK, f"{STAGE}.added", reason, added[name], effect, binding=True
                )
    return None


def _doubted(analysis: Analysis) -> Opinion | None:
    if not analysis.doubts:
        return None
    doubt = analysis.doubts[0]
    return Opinion(
        stage=STAGE,
        verdict=Verdict.ASK,
        code=f"{STAGE}.doubt",
        reason=doubt.reason,
        advice=msg("Write it in plainer commands, one step at a time."),
        binding=True,
    )
