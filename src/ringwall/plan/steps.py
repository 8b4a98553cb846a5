"""From the JSON of a block to steps, groups and skills.

Invariant: every entry becomes a step, a group or a problem; numbers count steps from 1 in their order.
"""

from __future__ import annotations

from typing import Any

from ringwall.model.json_tree import Array, Node, Object, Scalar
from ringwall.model.text import msg
from ringwall.model.visible import visible_line
from ringwall.plan.fences import Block
from ringwall.plan.fields import Fields, plain
from ringwall.plan.model import AnyStep, Expected, Group, Op, SessionStep, SkillEntry, Step

MOST_STEPS = 256
MOST_NESTING = 8
MOST_SKILLS = 64

_EXPECTED = ("creates", "modifies", "deletes", "requires")
_ALWAYS = ("op", "role", "note", *_EXPECTED)
_KEYS: dict[Op, tuple[str, ...]] = {
    **dict.fromkeys(Op, (*_ALWAYS, "object")),
    Op.MOVE: (*_ALWAYS, "object", "to"),
    Op.SESSION: (*_ALWAYS, "goal", "tools", "produces"),
}
_GROUP_KEYS = ("title", "steps")


class Steps(Fields):
    """Reads the block of steps."""

    def __init__(self, block: Block) -> None:
        super().__init__(block)
        self.steps: list[AnyStep] = []

    def read(self, node: Node) -> tuple[Group | Step | SessionStep, ...]:
        """The items at the top; `steps` has them flat afterwards."""
        if not isinstance(node, Array):
            self.problem(
                "wrong_type",
                msg("The steps must be a list."),
                msg("Put them between [ and ]."),
                node.start,
            )
            return ()
        items = self._items(node, ())
        if not self.steps and not self.problems:
            self.problem("no_steps", msg("The plan has no step."), msg("Add at least one."), node.start)
        if len(self.steps) > MOST_STEPS:
            what = msg("The plan has more than {most} steps.", most=MOST_STEPS)
            self.problem("too_many", what, msg("Divide it into several plans."), node.start)
        return items

    def _items(self, node: Array, titles: tuple[str, ...]) -> tuple[Group | Step | SessionStep, ...]:
        found = (self._item(item, titles) for item in node.items)
        return tuple(item for item in found if item is not None)

    def _item(self, node: Node, titles: tuple[str, ...]) -> Group | Step | SessionStep | None:
        if not isinstance(node, Object):
            self.problem(
                "wrong_type",
                msg("A step must be an object."),
                msg("Write it like {example}.", example='{"op": "Write", "object": "src/app.py"}'),
                node.start,
            )
            return None
        if node.get("op") is None and (node.get("steps") is not None or node.get("title") is not None):
            return self._group(node, titles)
        step = self._step(node, titles)
        if step is not None:
            self.steps.append(step)
        return step

    def _group(self, node: Object, titles: tuple[str, ...]) -> Group | None:
        self.known_keys(node, _GROUP_KEYS)
        title = self.text(node, "title", needed=True)
        inner = node.get("steps")
        if len(titles) >= MOST_NESTING:
            what = msg("Groups are nested more than {most} deep.", most=MOST_NESTING)
            self.problem("too_deep", what, msg("Flatten them."), node.start)
            return None
        if not isinstance(inner, Array) or not inner.items:
            self.problem(
                "empty_group", msg("A group needs steps."), msg("Add some or take it out."), node.start
            )
            return None
        line = self.line(node)
        return Group(title, line, self._items(inner, (*titles, title)))

    def _step(self, node: Object, titles: tuple[str, ...]) -> Step | SessionStep | None:
        op = self._op(node)
        if op is None:
            return None
        self.known_keys(node, _KEYS[op])
        common: dict[str, Any] = {
            "number": len(self.steps) + 1,
            "line": self.line(node),
            "titles": titles,
            "role": self.text(node, "role"),
            "note": self.text(node, "note", lines=True),
            "expected": Expected(**{key: self.paths(node, key) for key in _EXPECTED}),
            "source": plain(node),
        }
        if op is Op.SESSION:
            return self._session(node, common)
        if op is Op.BASH:
            return Step(op=op, object=self.text(node, "object", needed=True, lines=True), **common)
        to = self.path(node, "to") if op is Op.MOVE else ""
        return Step(op=op, object=self.path(node, "object"), to=to, **common)

    def _op(self, node: Object) -> Op | None:
        word = self.text(node, "op", needed=True)
        at = node.get("op") or node
        if word == "Skill":
            self.problem(
                "skill_step",
                msg("Skill cannot be a step."),
                msg("Declare it in skills-json, where it may be called freely."),
                at.start,
            )
            return None
        if word and word not in tuple(Op):
            what = msg("There is no step {op}.", op=visible_line(word))
            repair = msg("Steps are {ops}.", ops=", ".join(Op))
            self.problem("unknown_op", what, repair, at.start)
            return None
        return Op(word) if word else None

    def _session(self, node: Object, common: dict[str, Any]) -> SessionStep | None:
        goal = self.text(node, "goal", needed=True, lines=True)
        tools = self.texts(node, "tools")
        if node.get("tools") is None:
            self.missing(node, "tools")
        for name in dict.fromkeys(tool for tool in tools if tools.count(tool) > 1):
            what = msg("The tool {name} is there twice.", name=name)
            self.problem("duplicate", what, msg("Name it once."), (node.get("tools") or node).start)
        produces = self.paths(node, "produces", single=True)
        if not produces or not any(path.strip() for path in produces):
            self.problem(
                "no_product",
                msg("A session must name in produces at least one file that it writes."),
                msg('Add "produces" with the path of its report.'),
                (node.get("produces") or node).start,
            )
            return None
        for path in dict.fromkeys(path for path in produces if produces.count(path) > 1):
            what = msg("{path} is there twice in produces.", path=path)
            self.problem("duplicate", what, msg("Name it once."), (node.get("produces") or node).start)
        return SessionStep(goal=goal, tools=tools, produces=produces, **common)


class Skills(Fields):
    """Reads the block of skills: names, or objects with `name` and `note`."""

    def read(self, node: Node) -> tuple[SkillEntry, ...]:
        if not isinstance(node, Array):
            what, repair = msg("The skills must be a list."), msg("Put them between [ and ].")
            self.problem("wrong_type", what, repair, node.start)
            return ()
        if len(node.items) > MOST_SKILLS:
            what = msg("The plan names more than {most} skills.", most=MOST_SKILLS)
            self.problem("too_many", what, msg("Name those that it needs."), node.start)
        found: list[SkillEntry] = []
        for item in node.items:
            entry = self._entry(item)
            if any(entry.name == other.name for other in found):
                what = msg("The skill {name} is there twice.", name=entry.name)
                self.problem("duplicate", what, msg("Name it once."), item.start)
            found.append(entry)
        return tuple(found)

    def _entry(self, node: Node) -> SkillEntry:
        if isinstance(node, Scalar):
            name = self._text(node, "name", False) or ""
            if not name.strip() and isinstance(node.value, str):
                self.missing(Object((), node.start, node.end), "name")
            return SkillEntry(name, self.line(node))
        if isinstance(node, Object):
            self.known_keys(node, ("name", "note"))
            note = self.text(node, "note", lines=True)
            return SkillEntry(self.text(node, "name", needed=True), self.line(node), note)
        self._wrong("skills-json", msg("a list of names"), node.start)
        return SkillEntry("", self.line(node))
