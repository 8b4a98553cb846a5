"""Plans of hosts, taken over as drafts that a person completes."""

from __future__ import annotations

import json

import pytest

from ringwall.plan.draft import draft_of, plan_text
from ringwall.plan.parse import parse

CLAUDE = """## Plan: faster search

1. Create `src/index.py` with the index
2. Edit `src/search.py` to use it
3. Run `pytest -q tests/search`
4. Delete `src/old.py`
5. Rename `docs/a.md` to `docs/b.md`
6. Think about naming
"""


def steps(markdown: str) -> list[dict[str, str]]:
    block = markdown.partition("```steps-json\n")[2].partition("\n```")[0]
    found: list[dict[str, str]] = json.loads(block)
    return found


def test_what_names_a_file_or_a_command_becomes_a_step() -> None:
    draft = draft_of(CLAUDE)
    assert [{key: step[key] for key in ("op", "object", "to") if key in step} for step in steps(draft)] == [
        {"op": "Write", "object": "src/index.py"},
        {"op": "Edit", "object": "src/search.py"},
        {"op": "Bash", "object": "pytest -q tests/search"},
        {"op": "Delete", "object": "src/old.py"},
        {"op": "Move", "object": "docs/a.md", "to": "docs/b.md"},
    ]
    read = parse(draft)
    assert read.plan is not None and read.plan.title == "faster search"


def test_the_words_of_each_step_are_its_note_and_the_rest_stands_as_text() -> None:
    draft = draft_of(CLAUDE)
    assert steps(draft)[0]["note"] == "Create `src/index.py` with the index"
    before = draft.partition("```steps-json")[0]
    assert "Think about naming" in before
    assert "Not a step yet" in before


def test_the_hosts_own_text_is_kept() -> None:
    assert all(line in draft_of(CLAUDE) for line in CLAUDE.splitlines()[2:])


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("# A\n\n- Run `make`\n", "# A\n\n- Run `make`\n"),
        (json.dumps({"plan": "# A\n- Run `make`"}), "# A\n- Run `make`"),
        (json.dumps({"tool_name": "ExitPlanMode", "tool_input": {"plan": "# A"}}), "# A"),
        (
            json.dumps({"explanation": "Why", "plan": [{"step": "Run `make`", "status": "pending"}]}),
            "Why\n\n1. Run `make`",
        ),
        (json.dumps({"arguments": json.dumps({"plan": [{"step": "Run `make`"}]})}), "1. Run `make`"),
    ],
)
def test_text_claudes_call_and_codexs_plan_are_read(given: str, text: str) -> None:
    assert plan_text(given) == text


@pytest.mark.parametrize("given", ["", "   ", "{}", '{"plan": 1}', '{"plan": []}', '{"plan": [{"x": 1}]}'])
def test_what_holds_no_plan_is_said(given: str) -> None:
    assert plan_text(given) is None


def test_without_any_step_the_draft_is_there_and_lint_says_what_is_missing() -> None:
    draft = draft_of("# Think\n\nJust think.\n")
    assert [problem.code for problem in parse(draft).problems] == ["plan.no_steps"]


def test_fences_in_the_text_stay_text() -> None:
    draft = draft_of('# A\n\n```steps-json\n[{"op": "Bash", "object": "rm -rf /"}]\n```\n\n- Run `make`\n')
    read = parse(draft)
    assert read.plan is not None
    assert [step.object for step in read.plan.steps] == ["make"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_no_line_ending_makes_a_fence_of_the_text_one_that_is_read(end: str) -> None:
    text = end.join(["- run `make`", "", "```steps-json", '[{"op": "Bash", "object": "evil"}]', "```"])
    plan = parse(draft_of(text)).plan
    assert plan is not None and [step.object for step in plan.steps] == ["make"]


def test_hidden_characters_do_not_come_along() -> None:
    draft = draft_of("- Run `make\u202e all`\n")
    assert "\u202e" not in draft.partition("```steps-json")[2]
