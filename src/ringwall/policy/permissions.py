"""`permissions.json`: the shape that people know from Claude Code.

Invariant: each rule that could be read is returned, each that could not is a problem with its place.
"""

from __future__ import annotations

from ringwall.model.decision import RuleRef
from ringwall.model.surroundings import Places
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict
from ringwall.policy.json_file import JsonProblem, Node, read_json
from ringwall.policy.model import LayerName
from ringwall.policy.patterns import Rule
from ringwall.policy.problems import Problems
from ringwall.policy.rule_text import ReadCommand, RuleFault, read_rule
from ringwall.policy.source import MOST_BYTES, PolicyFile

LISTS: dict[str, Verdict] = {"deny": Verdict.DENY, "ask": Verdict.ASK, "allow": Verdict.ALLOW}
REPAIR_SHAPE = msg('Write {"permissions": {"allow": [], "ask": [], "deny": []}} with rules as texts.')


def text_of(file: PolicyFile, problems: Problems) -> str | None:
    """The file as text, or None with a problem."""
    if len(file.content) > MOST_BYTES:
        what = msg("The file is longer than {most} bytes.", most=MOST_BYTES)
        problems.add("too_large", what, msg("Shorten it."), file.name)
        return None
    try:
        return file.content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = file.content.count(b"\n", 0, error.start) + 1
        problems.add(
            "not_text", msg("The file is not UTF-8."), msg("Save it as UTF-8."), f"{file.name}:{line}"
        )
        return None


def read_permissions(
    file: PolicyFile, layer: LayerName, places: Places, read_command: ReadCommand, problems: Problems
) -> tuple[Rule, ...]:
    """The rules of a file, denials first."""
    text = text_of(file, problems)
    if text is None:
        return ()
    try:
        document = read_json(file, text)
    except JsonProblem as fault:
        problems.add(fault.code, fault.what, msg("Mend the JSON at this place."), fault.where)
        return ()
    lists = _lists(document, problems)
    rules: list[Rule] = []
    for word, verdict in LISTS.items():
        for text_node in lists.get(word, ()):
            rule = _rule(text_node, verdict, layer, places, read_command, problems)
            if rule is not None:
                rules.append(rule)
    _contradictions(rules, problems)
    return tuple(rules)


def _lists(document: Node, problems: Problems) -> dict[str, list[Node]]:
    lists: dict[str, list[Node]] = {}
    if not isinstance(document.value, dict):
        problems.add("wrong_type", msg("The file must hold an object."), REPAIR_SHAPE, document.where)
        return lists
    for key, (where, _) in document.value.items():
        if key in ("$schema", "permissions"):
            continue
        what = msg("The key {key} is not known.", key=repr(key))
        problems.add("unknown_key", what, msg("The only key is permissions."), where)
    entry = document.value.get("permissions")
    if entry is None:
        return lists
    if not isinstance(entry[1].value, dict):
        problems.add("wrong_type", msg("permissions must be an object."), REPAIR_SHAPE, entry[1].where)
        return lists
    for key, (where, node) in entry[1].value.items():
        if key not in LISTS:
            what = msg("The key {key} is not known.", key=repr(key))
            problems.add("unknown_key", what, msg("The keys are allow, ask and deny."), where)
        elif not isinstance(node.value, list):
            problems.add("wrong_type", msg("{key} must be a list.", key=key), REPAIR_SHAPE, node.where)
        else:
            lists[key] = node.value
    return lists


def _rule(
    node: Node,
    verdict: Verdict,
    layer: LayerName,
    places: Places,
    read_command: ReadCommand,
    problems: Problems,
) -> Rule | None:
    tightens = verdict is not Verdict.ALLOW
    if not isinstance(node.value, str):
        problems.add(
            "wrong_type", msg("A rule must be a text."), REPAIR_SHAPE, node.where, may_tighten=tightens
        )
        return None
    return rule_at(node.value, node.where, verdict, layer, places, read_command, problems)


def rule_at(
    text: str,
    where: str,
    verdict: Verdict,
    layer: LayerName,
    places: Places,
    read_command: ReadCommand,
    problems: Problems,
    reason: Text | None = None,
) -> Rule | None:
    """The rule `text` that stands at `where`, or None with a problem."""
    try:
        pattern = read_rule(text, places, read_command, allowing=verdict is Verdict.ALLOW)
    except RuleFault as fault:
        tightens = verdict is not Verdict.ALLOW
        problems.add(fault.code, fault.what, fault.repair, where, may_tighten=tightens)
        return None
    name, line = _file_and_line(where)
    return Rule(verdict, pattern, RuleRef(text, name, line, layer.value), reason)


def _file_and_line(where: str) -> tuple[str, int]:
    name, line, *_ = where.rsplit(":", 2)
    return name, int(line)


def _contradictions(rules: list[Rule], problems: Problems) -> None:
    """A rule that a stricter list of the same file has as well can never decide."""
    seen: dict[str, Rule] = {}
    for rule in rules:
        stricter = seen.setdefault(rule.ref.text, rule)
        if stricter.verdict is rule.verdict:
            continue
        what = msg(
            "{rule} can never match: the same rule stands under {list} in line {line}.",
            rule=rule.ref.text,
            list=stricter.verdict.value,
            line=stricter.ref.line,
        )
        where = f"{rule.ref.file}:{rule.ref.line}"
        problems.add("never_matches", what, msg("Remove one of the two."), where, may_tighten=False)
