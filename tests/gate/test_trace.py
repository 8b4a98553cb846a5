import json

from policy.world import command, effect, judged, policy, shell, user
from ringwall.gate import trace
from ringwall.model.analysis import HOLE

DECISION = judged(
    shell(("git reset --hard", ["git.discard"]), (command("git push"), [effect("git.push", "origin")])),
    policy(user=user(allow=["Bash(git reset:*)", "Bash(git push:*)"])),
)


def test_the_row_for_programs() -> None:
    row = trace.as_json(DECISION)
    assert row["verdict"] == "ask"
    assert (row["stage"], row["code"], row["rule"]) == ("limits", "limits.git_push", None)
    assert [one["name"] for one in row["effects"]] == ["git.discard", "git.push"]
    assert {"name", "target", "certain"} <= set(row["effects"][1])
    stages = [one["stage"] for one in row["trace"]]
    assert stages == ["autonomy", "permissions", "limits"]
    permission = row["trace"][1]
    assert permission["rule"]["text"] == "Bash(git reset:*)"
    assert permission["rule"]["file"] == "~/.config/ringwall/permissions.json"
    assert permission["rule"]["line"] == 4
    assert [ref["text"] for ref in permission["shadowed"]] == ["Effect(git.discard)"]
    assert permission["shadowed"][0]["file"] == "presets/guarded.toml"
    assert row["silent"] == ["selfguard", "roles", "floor", "wall"]
    json.dumps(row)


def test_texts_are_rendered_in_the_callers_language() -> None:
    row = trace.as_json(DECISION, lambda template: f"¿{template}?")
    assert row["reason"].startswith("¿")
    assert row["code"] == "limits.git_push"


def test_rows_for_people() -> None:
    rows = trace.rows(DECISION)
    assert [row.decided for row in rows] == [False, False, True]
    assert rows[1].rule == "~/.config/ringwall/permissions.json:4: Bash(git reset:*)"
    assert rows[2].effect == "git.push origin"


def test_an_unknown_target_is_still_json() -> None:
    made = shell((command(("rm", HOLE)), [effect("delete", f"/p/{HOLE}", certain=False)]))
    json.dumps(trace.as_json(judged(made)))
    assert trace.rows(judged(made))[-1].effect.endswith("?")
