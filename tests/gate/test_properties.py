"""Laws of the gate over generated calls and policies."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from policy import world
from policy.world import PLACES, command, judged, loaded, permissions, shell, tool
from ringwall.gate import autonomy, floor, limits, roles, selfguard, wall
from ringwall.gate import permissions as permission_stage
from ringwall.gate.situation import Situation
from ringwall.model.action import Kind, Principal
from ringwall.model.analysis import HOLE, Analysis, Command, Doubt
from ringwall.model.effects import EFFECTS, Effect
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict, strictest
from ringwall.policy.load import LayerFiles
from ringwall.policy.model import Policy

WORDS = [
    "git",
    "push",
    "reset",
    "--hard",
    "-f",
    "-C",
    "/x",
    "rm",
    "-rf",
    "src/a",
    "frob",
    "./frob",
    HOLE,
    f"s{HOLE}",
]
TARGETS = [
    "",
    "/p/src/a",
    "/p/.env",
    "/etc/x",
    "/p",
    "/p/*",
    f"/p/{HOLE}",
    HOLE,
    "https://evil.com/x",
    "origin main",
]
RULES = [
    "Bash",
    "Bash(git:*)",
    "Bash(git push:*)",
    "Bash(git push)",
    "Bash(git reset --hard)",
    "Bash(rm -rf:*)",
    "Bash(frob *)",
    "Bash(./frob)",
    "Bash(sudo:*)",
    "Bash(* src/a)",
    "Read",
    "Read(.env)",
    "Edit",
    "Edit(src/**)",
    "Edit(//etc/**)",
    "WebFetch(domain:evil.com)",
    "WebFetch",
    "mcp__x",
    "mcp__x__y",
    "*",
    "Effect(write)",
    "Effect(git)",
    "Effect(git.push:origin*)",
    "Effect(delete:src/**)",
    "Effect(data.destroy)",
    "Effect(observe)",
]
NAMES = sorted(EFFECTS)
APPROVALS = ["auto_approve", "require_approval", "deny"]
ROLES = ["reader", "worker", "lead", "owner"]
FAMILIES = ["*", "observe", "write", "git", "git.push", "delete", "code.run", "data.destroy"]

effects = st.builds(world.effect, st.sampled_from(NAMES), st.sampled_from(TARGETS), st.booleans())
commands = st.builds(
    command,
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(tuple),
    via=st.sampled_from([(), ("sudo",), ("env", "timeout")]),
    certain=st.booleans(),
)
doubts = st.sampled_from([(), (Doubt("not_bash", msg("it is no bash")),)])


@st.composite
def analyses(draw: st.DrawFn) -> Analysis:
    if draw(st.integers(0, 4)) == 0:
        found = draw(st.lists(effects, max_size=4))
        return tool(draw(st.sampled_from(["mcp__x__y", "Write", "Other"])), *found, kind=Kind.MCP)
    parts: list[tuple[Command, list[Effect]]] = draw(
        st.lists(st.tuples(commands, st.lists(effects, max_size=3)), max_size=3)
    )
    return shell(*parts, doubts=draw(doubts))


rules = st.lists(st.sampled_from(RULES), max_size=4, unique=True)
TOML_LINE = st.tuples(st.sampled_from(FAMILIES), st.sampled_from(APPROVALS))


@st.composite
def layers(draw: st.DrawFn) -> LayerFiles:
    deny, ask, allow = draw(rules), draw(rules), draw(rules)
    ask = [rule for rule in ask if rule not in deny]
    allow = [rule for rule in allow if rule not in deny and rule not in ask]
    file = permissions(allow=allow, ask=ask, deny=deny) if draw(st.booleans()) else None
    text = ""
    if draw(st.booleans()):
        text += f'preset = "{draw(st.sampled_from(["auto", "guarded", "strict", "walled"]))}"\n'
    for table in draw(st.sampled_from([(), ("",), ("", ".roles.worker"), (".agents.fixer",)])):
        lines = dict(draw(st.lists(TOML_LINE, max_size=3)))
        text += f"[autonomy{table}]\n" + "".join(f'"{name}" = "{word}"\n' for name, word in lines.items())
    if draw(st.booleans()):
        lines = dict(draw(st.lists(st.tuples(st.sampled_from(FAMILIES), st.sampled_from(ROLES)), max_size=2)))
        text += "[roles]\n" + "".join(f'"{name}" = "{role}"\n' for name, role in lines.items())
    if draw(st.booleans()):
        text += f'[limits]\nadd = ["{draw(st.sampled_from(NAMES))}"]\n'
    return LayerFiles(world.settings(text) if text else None, file)


principals = st.builds(
    Principal, role=st.sampled_from([*ROLES, "nobody"]), agent=st.sampled_from(["", "fixer"])
)


def made(**files: object) -> Policy:
    result = loaded(**files)  # type: ignore[arg-type]
    assert not result.problems, [str(problem) for problem in result.problems]
    return result.policy


def rank(analysis: Analysis, policy: Policy, principal: Principal) -> int:
    return judged(analysis, policy, principal).verdict.rank


@settings(max_examples=100, deadline=None)
@given(analyses(), layers(), layers(), principals)
def test_decide_is_total_and_deterministic(
    analysis: Analysis, project: LayerFiles, user: LayerFiles, principal: Principal
) -> None:
    policy = made(project=project, user=user)
    first = judged(analysis, policy, principal)
    assert first == judged(analysis, made(project=project, user=user), principal)
    assert first.verdict is first.deciding.verdict
    assert any(opinion.verdict is Verdict.DENY for opinion in first.opinions) == (
        first.verdict is Verdict.DENY
    )


@settings(max_examples=100, deadline=None)
@given(analyses(), layers(), principals)
def test_limits_only_tighten(analysis: Analysis, user: LayerFiles, principal: Principal) -> None:
    situation = Situation(principal, PLACES, made(user=user))
    for so_far in (Verdict.ALLOW, Verdict.ASK):
        opinion = limits.opinion(analysis, situation, so_far)
        assert opinion is None or opinion.verdict is Verdict.ASK
    decision = judged(analysis, situation.policy, principal)
    before = [opinion.verdict for opinion in decision.opinions if opinion.stage != "limits"]
    if before and not any(opinion.binding for opinion in decision.opinions[:-1]):
        assert decision.verdict.rank >= before[-1].rank


@settings(max_examples=100, deadline=None)
@given(analyses(), layers(), layers(), principals, st.sampled_from(RULES), st.booleans())
def test_adding_a_deny_rule_never_loosens(
    analysis: Analysis, one: LayerFiles, other: LayerFiles, principal: Principal, rule: str, mine: bool
) -> None:
    more = with_rule(one, "deny", rule)
    if mine:
        before, after = made(project=other, user=one), made(project=other, user=more)
    else:
        before, after = made(project=one), made(project=more)
    assert rank(analysis, after, principal) >= rank(analysis, before, principal)


@settings(max_examples=100, deadline=None)
@given(analyses(), layers(), principals, st.sampled_from(RULES))
def test_adding_an_ask_rule_never_turns_an_ask_into_an_allow(
    analysis: Analysis, one: LayerFiles, principal: Principal, rule: str
) -> None:
    before = rank(analysis, made(user=one), principal)
    after = rank(analysis, made(user=with_rule(one, "ask", rule)), principal)
    assert after >= min(before, Verdict.ASK.rank)


@settings(max_examples=150, deadline=None)
@given(analyses(), layers(), layers(), principals)
def test_a_strange_project_is_never_looser_than_no_project(
    analysis: Analysis, project: LayerFiles, user: LayerFiles, principal: Principal
) -> None:
    without = made(user=user)
    strange = made(project=project, user=user, trusted=False)
    assert rank(analysis, strange, principal) >= rank(analysis, without, principal)


@settings(max_examples=60, deadline=None)
@given(analyses(), layers(), principals, st.sampled_from(sorted(limits.LIMITS)), st.booleans())
def test_another_limited_effect_is_never_allowed(
    analysis: Analysis, user: LayerFiles, principal: Principal, name: str, certain: bool
) -> None:
    more = Analysis(
        analysis.action,
        (*analysis.effects, world.effect(name, certain=certain, command=-1)),
        analysis.commands,
        analysis.doubts,
    )
    assert rank(more, made(user=user), principal) > Verdict.ALLOW.rank


@settings(max_examples=60, deadline=None)
@given(analyses(), layers(), principals)
def test_each_stage_gives_one_opinion_of_its_own(
    analysis: Analysis, user: LayerFiles, principal: Principal
) -> None:
    situation = Situation(principal, PLACES, made(user=user))
    for stage in (selfguard, roles, floor, wall, autonomy, permission_stage, limits):
        opinion = stage.opinion(analysis, situation, Verdict.ALLOW)
        assert opinion is None or (
            opinion.stage == stage.STAGE and opinion.code.startswith(f"{stage.STAGE}.")
        )
        assert opinion is None or str(opinion.reason)


@given(st.lists(st.sampled_from(list(Verdict))), st.lists(st.sampled_from(list(Verdict))))
def test_the_algebra_of_verdicts(some: list[Verdict], others: list[Verdict]) -> None:
    assert strictest([*some, *others]) is strictest([strictest(some), strictest(others)])
    assert strictest(some) is strictest(reversed(some))
    assert strictest([*some, *some]) is strictest(some)
    assert strictest([*some, Verdict.DENY]) is Verdict.DENY
    assert strictest([]) is Verdict.ALLOW


def with_rule(files: LayerFiles, kind: str, rule: str) -> LayerFiles:
    lists: dict[str, list[str]] = {"allow": [], "ask": [], "deny": []}
    if files.permissions is not None:
        lists = json.loads(files.permissions.content)["permissions"]
    order = ["deny", "ask", "allow"]
    if any(rule in lists[stricter] for stricter in order[: order.index(kind) + 1]):
        return files
    for looser in order[order.index(kind) + 1 :]:
        lists[looser] = [one for one in lists[looser] if one != rule]
    lists[kind].append(rule)
    return LayerFiles(files.settings, permissions(**lists))


@settings(max_examples=100, deadline=None)
@given(analyses(), layers(), principals, st.integers(0, 400), st.binary(max_size=3))
def test_an_invalid_file_is_never_looser_than_none(
    analysis: Analysis, user: LayerFiles, principal: Principal, at: int, noise: bytes
) -> None:
    files = []
    for file in (user.settings, user.permissions):
        if file is not None:
            content = file.content[:at] + noise + file.content[at + len(noise) :]
            files.append(world.PolicyFile(file.name, content))
        else:
            files.append(None)
    result = loaded(user=LayerFiles(*files))
    if result.problems:
        assert rank(analysis, result.policy, principal) >= rank(analysis, made(), principal)
