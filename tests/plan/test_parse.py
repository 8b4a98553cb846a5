"""Plan files: what is read, and what is wrong with its line and column."""

from __future__ import annotations

import json
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from plan.world import SESSION, WRITE, markdown, planned, problems
from ringwall.plan.fields import LONGEST
from ringwall.plan.model import Group, Op, SessionStep, Step
from ringwall.plan.parse import MOST_CHARACTERS, parse
from ringwall.plan.steps import MOST_NESTING, MOST_STEPS

KEYS = st.sampled_from(["op", "object", "to", "title", "steps", "goal", "tools", "produces", "name", "note"])


def codes(text: str) -> list[tuple[str, int, int]]:
    return [(problem.code, problem.line, problem.column) for problem in parse(text).problems]


def test_every_op_with_all_that_may_stand_in_it() -> None:
    more = {
        "role": "lead", "note": "first\nsecond", "creates": ["a.py"], "modifies": ["b.py"],
        "deletes": ["c.py"], "requires": ["d.py"],
    }  # fmt: skip
    ops = ("Write", "Edit", "MultiEdit", "NotebookEdit", "Delete")
    plan = planned(
        *({"op": op, "object": "src/a.py", **more} for op in ops),
        {"op": "Move", "object": "a.py", "to": "b.py", **more},
        {"op": "Bash", "object": "make a\nmake b", **more},
        {**SESSION, **more},
    )
    assert [step.op for step in plan.steps] == list(Op)
    for step in plan.steps:
        assert (step.role, step.note) == ("lead", "first\nsecond")
        assert step.expected.creates == ("a.py",)
        assert step.expected.requires == ("d.py",)
    move = plan.steps[5]
    assert isinstance(move, Step)
    assert (move.object, move.to) == ("a.py", "b.py")
    assert isinstance(plan.steps[7], SessionStep)


def test_groups_nest_and_number_through() -> None:
    inner = {"title": "Inner", "steps": [{"op": "Bash", "object": "b"}]}
    plan = planned(WRITE, {"title": "Outer", "steps": [inner, {"op": "Bash", "object": "c"}]}, SESSION)
    assert [(step.number, step.titles) for step in plan.steps] == [
        (1, ()), (2, ("Outer", "Inner")), (3, ("Outer",)), (4, ()),
    ]  # fmt: skip
    outer = plan.items[1]
    assert isinstance(outer, Group)
    assert [type(item).__name__ for item in outer.items] == ["Group", "Step"]


def test_the_title_is_the_first_heading_outside_the_blocks() -> None:
    assert planned(WRITE).title == "Sign-up"
    assert parse("<!-- # no title\n# nor this -->\n" + markdown([WRITE])).plan == planned(WRITE)
    fenced = "```sh\n# no title\n```\n\n## Second level\n\n# The title #\n" + markdown([WRITE])
    read = parse(fenced)
    assert read.plan is not None and read.plan.title == "The title"


def test_lines_are_those_of_the_file() -> None:
    steps = '[\n\n {"op": "Write",\n  "object": "a"},\n {"op": "Bash", "object": "b"}\n]'
    text = f"a\n\n~~~ steps-json more\n{steps}\n~~~\n"
    read = parse(text)
    assert read.plan is not None
    assert [step.line for step in read.plan.steps] == [6, 8]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_either_line_ending(ending: str) -> None:
    read = parse(markdown([WRITE], ["tdd"]).replace("\n", ending))
    assert read.plan is not None, read.problems


@pytest.mark.parametrize(
    ("block", "place"),
    [
        ('[\n // why\n {"op": "Bash", "object": "a"}\n]', (4, 2)),
        ('[\n {"op": "Bash", "object": "a"} /* why */\n]', (4, 32)),
        ('[{"op": "Bash", "object": "a"},]', (3, 31)),
        ("[{'op': 'Bash'}]", (3, 3)),
        ('[{"op": "Bash", "object": "a", "object": "b"}]', (3, 32)),
        ('[{"op": "Bash"', (3, 15)),
        ("", (3, 1)),
        ("[] []", (3, 4)),
        ("[" * 100, (3, 65)),
    ],
)
def test_what_is_not_json_is_refused_at_its_place(block: str, place: tuple[int, int]) -> None:
    assert codes(f"x\n```steps-json\n{block}\n```\n") == [("plan.not_json", *place)]


def test_a_comment_is_called_one() -> None:
    found = parse("```steps-json\n[] // x\n```").problems[0]
    assert "comments" in str(found.what)


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ({"op": "Write"}, "plan.missing"),
        ({"op": "Write", "object": ""}, "plan.missing"),
        ({"op": "Write", "object": 1}, "plan.wrong_type"),
        ({"op": "Write", "object": "a", "to": "b"}, "plan.unknown_key"),
        ({"op": "Move", "object": "a"}, "plan.missing"),
        ({"op": "write", "object": "a"}, "plan.unknown_op"),
        ({"op": 1, "object": "a"}, "plan.wrong_type"),
        ({"object": "a"}, "plan.missing"),
        ({"op": "Write", "object": "/a/../../b", "note": 1}, "plan.wrong_type"),
        ({"op": "Write", "object": "../a"}, "plan.outside"),
        ({"op": "Write", "object": "a/../../b"}, "plan.outside"),
        ({"op": "Write", "object": "~/a"}, "plan.outside"),
        ({"op": "Write", "object": "src/"}, "plan.no_file"),
        ({"op": "Write", "object": "."}, "plan.no_file"),
        ({"op": "Write", "object": "src/*.py"}, "plan.pattern"),
        ({"op": "Write", "object": "src/a\u202e.py"}, "plan.hidden_character"),
        ({"op": "Write", "object": "src/a\nb"}, "plan.hidden_character"),
        ({"op": "Bash", "object": "make\u0000"}, "plan.hidden_character"),
        ({"op": "Bash", "object": "x" * (LONGEST + 1)}, "plan.too_long"),
        ({"op": "Write", "object": "a", "creates": "a"}, "plan.wrong_type"),
        ({"op": "Write", "object": "a", "creates": ["../a"]}, "plan.outside"),
        ({"title": "empty", "steps": []}, "plan.empty_group"),
        ({"title": "", "steps": [WRITE]}, "plan.missing"),
        ({"title": "t", "steps": [WRITE], "op": "Write", "object": "a"}, "plan.unknown_key"),
        ({"title": "t", "steps": [WRITE], "colour": 1}, "plan.unknown_key"),
        ({**SESSION, "goal": " "}, "plan.missing"),
        ({**SESSION, "tools": "browser_click"}, "plan.wrong_type"),
        ({**SESSION, "tools": ["a"] * 65}, "plan.too_many"),
        ({**SESSION, "tools": ["browser_click", "browser_click"]}, "plan.duplicate"),
        ({**SESSION, "produces": ["a.md", "a.md"]}, "plan.duplicate"),
        ({**SESSION, "produces": "../a.md"}, "plan.outside"),
        ("Write a", "plan.wrong_type"),
        ([], "plan.wrong_type"),
    ],
)
def test_what_is_wrong_in_a_step(step: Any, code: str) -> None:
    found = problems(WRITE, step)
    assert code in [problem.code for problem in found]
    assert all(problem.line > 7 and problem.column for problem in found), found
    assert all(str(problem.what) and str(problem.repair) for problem in found)


@pytest.mark.parametrize("unseen", ["\u3164", "\u2800", "\u034f", "\U000e0100", "\u00a0", "\ufe0f", "\u202e"])
def test_a_path_reads_to_a_person_as_it_is(unseen: str) -> None:
    assert [problem.code for problem in problems({"op": "Write", "object": f"src/a{unseen}.py"})] == [
        "plan.hidden_character"
    ]


def test_every_fault_is_shown_at_once_in_its_order() -> None:
    found = problems({"op": "Frob", "object": "a"}, {"op": "Write"}, {"op": "Write", "object": "../a"})
    assert [problem.code for problem in found] == ["plan.unknown_op", "plan.missing", "plan.outside"]
    assert [problem.line for problem in found] == sorted(problem.line for problem in found)


def test_a_near_word_is_suggested() -> None:
    found = problems({"op": "Write", "objekt": "a", "object": "a"})[0]
    assert "object" in str(found.repair)


@pytest.mark.parametrize(
    ("skills", "code"),
    [
        ({}, "plan.wrong_type"),
        ([1], "plan.wrong_type"),
        ([""], "plan.missing"),
        (["a", "a"], "plan.duplicate"),
        ([{"name": "a", "colour": 1}], "plan.unknown_key"),
        ([{"note": "a"}], "plan.missing"),
        ([f"s{n}" for n in range(65)], "plan.too_many"),
    ],
)
def test_what_is_wrong_in_the_skills(skills: Any, code: str) -> None:
    text = f"```steps-json\n{json.dumps([WRITE])}\n```\n```skills-json\n{json.dumps(skills)}\n```\n"
    assert code in [problem.code for problem in parse(text).problems]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "plan.no_steps"),
        ("```steps-json\n[]\n```", "plan.no_steps"),
        ('```steps-json\n{"op": "Bash", "object": "a"}\n```', "plan.wrong_type"),
        (markdown([WRITE]) + markdown([WRITE]), "plan.second_block"),
        ("```steps-json\n[]\n", "plan.open_block"),
        ("x" * (MOST_CHARACTERS + 1), "plan.too_long"),
        (markdown([{"op": "Bash", "object": "a"}] * (MOST_STEPS + 1)), "plan.too_many"),
    ],
)
def test_what_is_wrong_with_the_document(text: str, code: str) -> None:
    read = parse(text)
    assert read.plan is None
    assert code in [problem.code for problem in read.problems]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.text() | JSON.map(json.dumps), JSON.map(json.dumps))
@settings(max_examples=100, deadline=None)
def test_whatever_stands_there_is_a_plan_or_has_problems_with_lines(steps: str, skills: str) -> None:
    text = f"# T\n```steps-json\n{steps}\n```\n```skills-json\n{skills}\n```\n"
    read = parse(text)
    assert (read.plan is None) is bool(read.problems)
    lines = text.count("\n") + 1
    assert all(1 <= problem.line <= lines for problem in read.problems)


def test_groups_are_nested_only_so_deep() -> None:
    step: Any = WRITE
    for _ in range(MOST_NESTING + 1):
        step = {"title": "t", "steps": [step]}
    assert [problem.code for problem in problems(step)] == ["plan.too_deep"]


@pytest.mark.parametrize(
    "hidden",
    [
        "<!--\n{}\n-->",
        "<!-- {}\n-->\n",
        "<pre>\n{}</pre>",
        "<Script x>\n{}\n</script>",
        "<div hidden>{}</div>",
        "<x-note hidden>{}</x-note>",
        "<?php {}\n?>",
        "<!DOCTYPE {}\n>",
        "- <!--\n{}\n-->",
        "> 1. <!--\n{}\n-->",
    ],
)
def test_what_no_reader_of_the_page_sees_is_not_read(hidden: str) -> None:
    block = '\n```steps-json\n[{"op": "Bash", "object": "make evil"}]\n```\n'
    assert [problem.code for problem in parse(hidden.format(block)).problems] == ["plan.no_steps"]
    read = parse(hidden.format(block) + "\n" + markdown([WRITE]))
    assert read.plan is not None and len(read.plan.steps) == 1
    assert parse("<!-- a comment -->\n" + markdown([WRITE])).plan is not None


@pytest.mark.parametrize(
    "before", ["<!-->\n", "<pre>\n</style>\n", "<div>\n\n", "<https://a.example>\n", "a\r"]
)
def test_what_a_reader_of_the_page_sees_is_read(before: str) -> None:
    """Else a second block, which nobody sees, could be the plan."""
    seen = parse(before + markdown([WRITE]) + "\n<!-- -->\n")
    assert seen.plan is not None and len(seen.plan.steps) == 1
    assert parse(before + markdown([WRITE]) + "\n" + markdown([WRITE])).plan is None


def test_a_block_in_a_longer_fence_is_a_text_about_plans() -> None:
    text = "````md\n```steps-json\n[{}]\n```\n````\n" + markdown([WRITE])
    assert parse(text).plan is not None
    assert parse("    ```steps-json\n    []\n    ```\n" + markdown([WRITE])).plan is not None
