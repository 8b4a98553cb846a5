"""From the Markdown of a plan to the plan, or to everything that is wrong with it.

Invariant: a plan is returned only when there is no problem; each problem names its line in the Markdown
file.
"""

from __future__ import annotations

from dataclasses import dataclass

from ringwall.model.json_tree import Node, NotJsonError, read
from ringwall.model.text import msg
from ringwall.plan.fences import SKILLS, STEPS, Block, blocks, title_of
from ringwall.plan.model import Plan, Problem, SkillEntry
from ringwall.plan.steps import Skills, Steps

MOST_CHARACTERS = 262_144


@dataclass(frozen=True, slots=True)
class Parsed:
    """`plan` is None where there are problems."""

    plan: Plan | None
    problems: tuple[Problem, ...] = ()


def parse(markdown: str) -> Parsed:
    """The plan that stands in `markdown`. Skills may be absent, steps may not."""
    if len(markdown) > MOST_CHARACTERS:
        what = msg("The plan is longer than {most} characters.", most=MOST_CHARACTERS)
        return Parsed(None, (Problem("plan.too_long", what, msg("Divide it into several plans.")),))
    problems: list[Problem] = []
    found = {word: _only(word, markdown, problems) for word in (STEPS, SKILLS)}
    steps_block, skills_block = found[STEPS], found[SKILLS]
    if steps_block is None and not problems:
        problems.append(
            Problem(
                "plan.no_steps",
                msg("There is no block of steps."),
                msg("Add a fenced block that begins with ```steps-json."),
                1,
            )
        )
    if steps_block is None:
        return Parsed(None, tuple(problems))
    steps = Steps(steps_block)
    node = _json(steps_block, problems)
    items = steps.read(node) if node is not None else ()
    problems += steps.problems
    skills = _skills(skills_block, problems)
    if problems:
        return Parsed(None, tuple(sorted(problems, key=lambda one: (one.line, one.column))))
    return Parsed(Plan(title_of(markdown), items, tuple(steps.steps), skills))


def _skills(block: Block | None, problems: list[Problem]) -> tuple[SkillEntry, ...]:
    if block is None:
        return ()
    skills = Skills(block)
    node = _json(block, problems)
    found = skills.read(node) if node is not None else ()
    problems += skills.problems
    return found


def _only(word: str, markdown: str, problems: list[Problem]) -> Block | None:
    """The one block of this word."""
    found = [block for block in blocks(markdown) if block.word == word]
    for block in found[1:]:
        what = msg("There is a second block {word}.", word=word)
        problems.append(Problem("plan.second_block", what, msg("Put all into the first one."), block.line))
    for block in found:
        if not block.closed:
            what = msg("The block {word} has no end.", word=word)
            problems.append(Problem("plan.open_block", what, msg("Close it with ```."), block.line))
    return found[0] if found else None


def _json(block: Block, problems: list[Problem]) -> Node | None:
    try:
        return read(block.text, block.word)
    except NotJsonError as error:
        problems.append(Problem("plan.not_json", error.what, error.repair, *block.place(error.at)))
        return None
