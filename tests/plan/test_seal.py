"""The seal: what changes it, what does not, and what is not one."""

from __future__ import annotations

import json
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from plan.world import SESSION, TESTS, WRITE, planned, sealed
from ringwall.model.canonical import canonical, digest, digest_bytes
from ringwall.model.errors import StateError
from ringwall.plan.model import Aim, Base
from ringwall.plan.parse import parse
from ringwall.plan.seal import seal, unseal

NAMES = st.sampled_from(["a.py", "src/b.py", "docs/ü.md", "x y.txt", "data/[id].ts"])
NOTES = st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" \n"), max_size=20)
FILES = st.builds(
    lambda op, name, note: {"op": op, "object": name, "note": note},
    st.sampled_from(["Write", "Edit", "MultiEdit", "NotebookEdit", "Delete"]), NAMES, NOTES,
)  # fmt: skip
COMMANDS = st.sampled_from(["make", "pytest -q src", "cd a && make", "echo 'ü' > f"]).map(
    lambda command: {"op": "Bash", "object": command}
)
SESSIONS = st.builds(
    lambda tools, produces: {**SESSION, "tools": tools, "produces": produces},
    st.lists(st.sampled_from(["browser_click", "Write", "ssh", "mcp__a__b"]), unique=True),
    st.lists(NAMES, min_size=1, max_size=3, unique=True),
)
STEPS = st.one_of(FILES, COMMANDS, SESSIONS)
ITEMS = st.one_of(
    STEPS, st.builds(lambda steps: {"title": "t", "steps": steps}, st.lists(STEPS, min_size=1, max_size=2))
)
PLANS = st.lists(ITEMS, min_size=1, max_size=3)


@given(PLANS, st.lists(st.sampled_from(["tdd", "release"]), unique=True))
@settings(max_examples=30, deadline=None)
def test_what_was_sealed_comes_back_whole(steps: list[Any], skills: list[str]) -> None:
    one = sealed(*steps, skills=skills)
    content = canonical(one.document)
    assert (digest(one.document), digest_bytes(content)) == (one.plan_id, one.plan_id)
    again = unseal(content, one.plan_id)
    assert again == one
    assert [step.source for step in again.plan.steps] == [step.source for step in one.plan.steps]


@given(PLANS, PLANS)
@settings(max_examples=30, deadline=None)
def test_two_plans_have_one_id_exactly_when_they_say_the_same(one: list[Any], other: list[Any]) -> None:
    assert (sealed(*one).plan_id == sealed(*other).plan_id) is (one == other)


@pytest.mark.parametrize(
    "change",
    [
        {"note": "another"}, {"role": "lead"}, {"creates": ["src/a.py"]}, {"requires": ["b"]},
        {"object": "src/b.py"}, {"op": "Edit"},
    ],
)  # fmt: skip
def test_every_field_of_a_step_counts(change: dict[str, Any]) -> None:
    assert sealed({**WRITE, **change}).plan_id != sealed(WRITE).plan_id


def test_order_groups_skills_and_base_count() -> None:
    one = sealed(WRITE, TESTS)
    others = [
        sealed(TESTS, WRITE),
        sealed({"title": "t", "steps": [WRITE, TESTS]}),
        sealed(WRITE, TESTS, skills=["tdd"]),
        sealed(WRITE, TESTS, base=Base("0123")),
        sealed(WRITE, TESTS, base=Base(dirty=(("a", "sha256:1"),))),
        sealed(WRITE, TESTS, base=Base(policy="sha256:2")),
    ]
    assert len({plan.plan_id for plan in (one, *others)}) == 1 + len(others)


def test_where_it_stands_in_the_file_and_the_words_around_it_do_not_count() -> None:
    block = f"```steps-json\n{json.dumps([WRITE])}\n```\n"
    spread = f"```steps-json\n{json.dumps([WRITE], indent=3)}\n```\n"
    plans = [parse(text).plan for text in (block, f"Some words.\n\n{spread}\nMore.\n")]
    ids = {seal(plan, "/p", Base(), (Aim(("/p/src/a.py",)),)).plan_id for plan in plans if plan is not None}
    assert len(plans) == 2 and len(ids) == 1


@pytest.mark.parametrize(
    "spoil",
    [
        lambda value: {**value, "v": 2},
        lambda value: {key: value[key] for key in value if key != "aims"},
        lambda value: {**value, "aims": []},
        lambda value: {**value, "steps": [{"op": "Frob", "object": "a"}]},
        lambda value: {**value, "steps": {}},
        lambda value: {**value, "effective_tools": {}},
        lambda value: {**value, "base": {}},
        lambda value: [value],
    ],
)
def test_what_no_seal_holds_is_broken_even_with_the_right_digest(spoil: Any) -> None:
    content = canonical(spoil(dict(sealed(SESSION, WRITE).document)))
    with pytest.raises(StateError) as broken:
        unseal(content, digest_bytes(content))
    assert broken.value.code == "plan.seal_broken"


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b'{"v": 1}', b'{"v":1,"v":1}'])
def test_other_bytes_are_broken(content: bytes) -> None:
    for plan_id in (digest_bytes(content), sealed(WRITE).plan_id):
        with pytest.raises(StateError):
            unseal(content, plan_id)


def test_a_seal_has_one_aim_per_step() -> None:
    with pytest.raises(ValueError, match="one aim per step"):
        seal(planned(WRITE), "/p", Base(), ())
