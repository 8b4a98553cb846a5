import pytest

from policy.world import PLACES, loaded, permissions, read_command
from ringwall.model.verdict import Verdict
from ringwall.policy.load import LayerFiles
from ringwall.policy.model import LayerName, Rule
from ringwall.policy.permissions import read_permissions
from ringwall.policy.problems import Problems
from ringwall.policy.source import PolicyFile


def read(content: bytes) -> tuple[tuple[Rule, ...], Problems]:
    problems = Problems()
    file = PolicyFile("permissions.json", content)
    return read_permissions(file, LayerName.USER, PLACES, read_command, problems), problems


def codes(content: bytes) -> list[tuple[str, str]]:
    return [(problem.code, problem.where) for problem in read(content)[1].found]


def test_rules_know_where_they_stand() -> None:
    rules, problems = read(
        b'{"permissions": {\n "allow": ["Bash(ls:*)",\n  "Edit(src/**)"],\n "deny": ["Read(.env)"]}}'
    )
    assert not problems.found
    assert [(rule.verdict, rule.ref.text, rule.ref.file, rule.ref.line) for rule in rules] == [
        (Verdict.DENY, "Read(.env)", "permissions.json", 4),
        (Verdict.ALLOW, "Bash(ls:*)", "permissions.json", 2),
        (Verdict.ALLOW, "Edit(src/**)", "permissions.json", 3),
    ]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"[]", [("policy.wrong_type", "permissions.json:1:1")]),
        (b'{"permissions": []}', [("policy.wrong_type", "permissions.json:1:17")]),
        (b'{"permissions": {"allow": {}}}', [("policy.wrong_type", "permissions.json:1:27")]),
        (b'{"permissions": {"allow": [1]}}', [("policy.wrong_type", "permissions.json:1:28")]),
        (b'{"permissions": {"alow": []}}', [("policy.unknown_key", "permissions.json:1:18")]),
        (b'{"permission": {}}', [("policy.unknown_key", "permissions.json:1:2")]),
        (b'{"permissions": {}, "permissions": {}}', [("policy.json_duplicate_key", "permissions.json:1:21")]),
        (b'{"permissions": {}} {}', [("policy.json_trailing", "permissions.json:1:21")]),
        (b'\n{"a": ' + b"[" * 50, [("policy.too_deep", "permissions.json:2:22")]),
        (b"\n\xff", [("policy.not_text", "permissions.json:2")]),
        (b" " * 1_048_577, [("policy.too_large", "permissions.json")]),
        (
            b'{"permissions": {\n"deny": ["bash(ls)"],\n"ask": ["Effect(nope)"],\n'
            b'"allow": ["Bash(a && b)", "Bash"]}}',
            [
                ("policy.unknown_tool", "permissions.json:2:10"),
                ("policy.unknown_effect", "permissions.json:3:9"),
                ("policy.never_matches", "permissions.json:4:11"),
            ],
        ),
        (
            b'{"permissions": {\n"allow": ["Bash(ls)"],\n"deny": ["Bash(ls)"]}}',
            [("policy.never_matches", "permissions.json:2")],
        ),
    ],
)
def test_every_problem_is_collected_with_its_place(content: bytes, found: list[tuple[str, str]]) -> None:
    assert codes(content) == found


def test_a_byte_order_mark_and_empty_lists_are_fine() -> None:
    assert codes(b'\xef\xbb\xbf{"$schema": "x", "permissions": {"allow": []}}') == []
    assert codes(b"{}") == []


def test_the_rules_beside_a_bad_one_are_read() -> None:
    rules, _ = read(b'{"permissions": {"deny": ["bash(ls)", "Read(.env)"]}}')
    assert [rule.ref.text for rule in rules] == ["Read(.env)"]


def test_a_large_file_is_read_in_one_pass() -> None:
    file = permissions(deny=[f"Bash(tool{number} run:*)" for number in range(5_000)])
    result = loaded(user=LayerFiles(permissions=file))
    assert not result.problems
    assert result.policy.layers[-1].rules[-1].ref.line == 5_005
