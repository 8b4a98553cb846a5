import pytest

from policy.world import command, effect, judged, loaded, policy, project, shell, tool, user
from ringwall.model.action import Action, Kind
from ringwall.model.analysis import HOLE, Analysis, Doubt
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY
PUSH = ("git push", ["git.push"])
RESET = ("git reset --hard", ["git.discard"])


def test_a_deny_needs_one_part() -> None:
    rules = policy(user=user(deny=["Bash(git reset:*)"]))
    assert judged(shell(("ls", ["observe"]), RESET), rules).verdict is DENY
    assert judged(shell(("ls", ["observe"])), rules).verdict is ALLOW


def test_within_a_layer_the_stricter_rule_wins_and_the_others_are_shadowed() -> None:
    rules = policy(user=user(allow=["Bash(frob:*)"], ask=["Bash(frob x:*)"], deny=["Bash(frob x y)"]))
    decision = judged(shell(("frob x y", ["write"])), rules)
    assert decision.verdict is DENY
    assert decision.deciding.rule is not None
    assert decision.deciding.rule.text == "Bash(frob x y)"
    assert {ref.text for ref in decision.deciding.shadowed} == {"Bash(frob:*)", "Bash(frob x:*)"}
    assert judged(shell(("frob x z", ["write"])), rules).verdict is ASK
    assert judged(shell(("frob z", ["write"])), rules).verdict is ALLOW


def test_a_persons_precise_allow_lifts_a_shipped_ask() -> None:
    assert judged(shell(RESET)).verdict is ASK
    decision = judged(shell(RESET), policy(user=user(allow=["Bash(git reset:*)"])))
    assert decision.verdict is ALLOW
    assert [ref.text for ref in decision.deciding.shadowed] == ["Effect(git.discard)"]


@pytest.mark.parametrize("rule", ["Bash", "Bash(*)", "*"])
def test_an_allow_for_a_whole_tool_lifts_no_shipped_ask(rule: str) -> None:
    rules = policy(user=user(allow=[rule]))
    assert judged(shell(RESET), rules).verdict is ASK
    strict = policy(preset="strict", user=user(allow=[rule]))
    assert judged(shell(("frob", ["write"])), strict).verdict is ALLOW
    assert judged(shell(RESET), strict).verdict is ASK


def test_an_allow_lifts_only_what_it_covers() -> None:
    made = shell(("rm -rf data", [effect("delete", "/p/data"), effect("delete.lost", "/p/data")]))
    assert judged(made, policy(user=user(allow=["Effect(delete.recursive)"]))).verdict is ASK
    assert judged(made, policy(user=user(allow=["Effect(delete.lost)"]))).verdict is ALLOW


def test_a_stronger_layers_allow_replaces_a_weaker_ask_and_deny() -> None:
    mine = user(allow=["Bash(frob:*)"])
    made = shell(("frob", ["write"]))
    assert judged(made, policy(project=project(ask=["Bash(frob:*)"]), user=mine)).verdict is ALLOW
    assert judged(made, policy(project=project(deny=["Bash(frob:*)"]), user=mine)).verdict is ALLOW
    strange = policy(project=project(deny=["Bash(frob:*)"]), user=mine, trusted=False)
    assert judged(made, strange).verdict is ALLOW


def test_nothing_lifts_a_persons_deny() -> None:
    rules = policy(user=user(deny=["Bash(frob:*)"]), session=user(allow=["Bash(frob:*)"]))
    assert judged(shell(("frob", ["write"])), rules).verdict is DENY
    maybe = shell((command("frob", certain=False), ["write"]))
    assert judged(maybe, rules).verdict is ASK


def test_a_session_may_lift_a_persons_ask() -> None:
    rules = policy(user=user(ask=["Bash(frob:*)"]), session=user(allow=["Bash(frob:*)"]))
    assert judged(shell(("frob", ["write"])), rules).verdict is ALLOW


def test_a_strange_project_cannot_soften_a_stronger_or_weaker_word() -> None:
    made = shell(RESET)
    strange = policy(project=project(allow=["Bash(git reset:*)"]), trusted=False)
    assert judged(made, strange).verdict is ASK
    assert judged(made, policy(project=project(allow=["Bash(git reset:*)"]))).verdict is ALLOW


def test_observing_parts_need_no_rule_but_can_be_denied() -> None:
    rules = policy(preset="strict", user=user(allow=["Bash(frob:*)"], deny=["Read(.env)"]))
    assert judged(shell(("ls", ["observe"]), ("frob", ["write"])), rules).verdict is ALLOW
    seen = shell(("cat .env", [effect("observe", "/p/.env")]), ("frob", ["write"]))
    assert judged(seen, rules).verdict is DENY


@pytest.mark.parametrize("preset", ["auto", "guarded", "strict"])
def test_an_allow_needs_every_command_of_a_chain(preset: str) -> None:
    rules = policy(preset=preset, user=user(allow=["Bash(frob:*)"]))
    decision = judged(shell(("frob", ["write"]), ("other", ["write"])), rules)
    assert (decision.verdict, decision.deciding.code) == (ASK, "permissions.part_without_rule")
    assert [ref.text for ref in decision.deciding.shadowed] == ["Bash(frob:*)"]
    assert judged(shell(("frob", ["write"]), ("frob x", ["write"])), rules).verdict is ALLOW


def test_an_allow_for_looking_says_nothing_about_the_rest_of_a_chain() -> None:
    rules = policy(user=user(allow=["Bash(ls:*)"]))
    assert judged(shell(("ls", ["observe"]), ("other", ["write"])), rules).verdict is ALLOW


def test_what_a_rule_leaves_of_a_command_is_autonomys() -> None:
    made = shell(("frob", [effect("write", "/p/src/a"), "code.run"]))
    assert judged(made, policy(user=user(allow=["Edit(src/**)"]))).verdict is ALLOW
    assert judged(made, policy(preset="strict", user=user(allow=["Edit(src/**)"]))).verdict is ASK


def test_each_effect_of_a_command_needs_its_own_word() -> None:
    rules = policy(preset="strict", user=user(allow=["Edit(src/**)"]))
    inside = effect("write", "/p/src/a")
    assert judged(shell(("frob", [inside])), rules).verdict is ALLOW
    assert judged(shell(("frob", [inside, "code.run"])), rules).verdict is ASK


def test_an_allow_to_edit_is_no_allow_to_delete() -> None:
    rules = policy(preset="strict", user=user(allow=["Edit(src/**)"]))
    assert judged(shell(("rm src/a", [effect("delete", "/p/src/a")])), rules).verdict is ASK


def test_path_rules_hold_for_every_tool() -> None:
    rules = policy(user=user(deny=["Edit(.env)", "Read(.env)"]))
    for made in (effect("write", "/p/.env"), effect("observe", "/p/.env")):
        assert judged(shell(("sed x .env", [made])), rules).verdict is DENY
        assert judged(tool("mcp__fs__touch", made), rules).verdict is DENY
        assert judged(tool("Write", made, kind=Kind.FILE), rules).verdict is DENY


def test_tool_rules() -> None:
    call = tool("mcp__github__create_issue", effect("remote.write"))
    assert judged(call).verdict is ASK
    for rule in ("mcp__github", "mcp__github__*", "mcp__github__create_issue", "mcp__*__create_issue"):
        assert judged(call, policy(user=user(allow=[rule]))).verdict is ALLOW, rule
        assert judged(call, policy(user=user(deny=[rule]))).verdict is DENY, rule
    assert judged(call, policy(user=user(deny=["mcp__git"]))).verdict is ASK


def test_a_bash_rule_without_a_pattern_holds_for_a_shell_call_that_nobody_could_read() -> None:
    action = Action(Kind.SHELL, "Bash", {"command": "\x01"}, "/p")
    unread = Analysis(action, (), doubts=(Doubt("unreadable", msg("it cannot be read")),))
    assert judged(unread, policy(user=user(deny=["Bash"]))).verdict is DENY
    assert judged(unread, policy(user=user(deny=["Bash(ls)"]))).verdict is ASK


def test_a_command_whose_name_is_unknown_may_be_the_denied_one() -> None:
    rules = policy(user=user(deny=["Bash(frob:*)"]))
    assert judged(shell((command((HOLE, "x")), ["tool.unknown"])), rules).verdict is ASK


def test_a_possible_effect_under_a_deny_is_asked_about() -> None:
    rules = policy(user=user(deny=["Effect(network.read)"]))
    assert judged(shell(("frob", [effect("network.read", certain=False)])), rules).verdict is ASK
    assert judged(shell(("frob", [effect("network.read")])), rules).verdict is DENY


def test_silence_without_a_matching_rule() -> None:
    rules = policy(user=user(allow=["Bash(frob:*)"], deny=["Bash(nope:*)"]))
    assert "permissions" in judged(shell(("other", ["write"]), ("more", ["write"])), rules).silent


def test_a_layer_with_an_error_softens_nothing_of_a_weaker_one() -> None:
    broken = user(ask=["Bash(frob:*)"], allow=["bash"])
    rules = loaded(project=project(deny=["Bash(frob:*)"]), user=broken).policy
    assert judged(shell(("frob", ["write"])), rules).verdict is DENY
