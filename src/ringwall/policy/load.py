"""Policy files in, a policy out.

Invariant: nothing invalid loosens. A layer with a problem, or of a project that no person has trusted,
keeps only what tightens; where a file hides what it would tighten, everything but looking is asked about.
The caller keeps its last good policy while there are problems and uses this one where it has none.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from ringwall.model.canonical import digest
from ringwall.model.decision import RuleRef
from ringwall.model.errors import PolicyError
from ringwall.model.surroundings import Places
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict
from ringwall.policy import outlets, presets, prestep
from ringwall.policy.model import Approval, Approvals, Layer, LayerName, Policy
from ringwall.policy.names import covered
from ringwall.policy.permissions import read_permissions
from ringwall.policy.problems import Problems
from ringwall.policy.roles import least_role, rank
from ringwall.policy.rule_text import ReadCommand
from ringwall.policy.source import LayerFiles
from ringwall.policy.toml_file import Settings, read_settings
from ringwall.policy.wall import merged

NO_FILES = LayerFiles()


@dataclass(frozen=True, slots=True)
class Loaded:
    """A policy that is safe to use, what was wrong, and which tables have no effect yet."""

    policy: Policy
    problems: tuple[PolicyError, ...] = ()
    reserved: tuple[RuleRef, ...] = ()


@dataclass(frozen=True, slots=True)
class _Read:
    layer: Layer
    settings: Settings
    obscured: bool
    problems: tuple[PolicyError, ...]


def load(
    *,
    places: Places,
    read_command: ReadCommand,
    project: LayerFiles = NO_FILES,
    user: LayerFiles = NO_FILES,
    session: LayerFiles = NO_FILES,
    trusted: bool | Collection[str] = False,
    preset: str = "",
) -> Loaded:
    """The policy of these files. `trusted` says whether a person has trusted the project's files, or holds
    the digests of the files that were; `preset` replaces what the files name."""
    reads = [
        _read(name, files, _is_trusted(name, files, trusted), places, read_command)
        for name, files in (
            (LayerName.PROJECT, project),
            (LayerName.USER, user),
            (LayerName.SESSION, session),
        )
        if files.present
    ]
    problems = [problem for read in reads for problem in read.problems]
    chosen, dropped = _preset(reads, preset, problems)
    base = presets.preset_layer(chosen)
    layers = [base]
    for read in reads:
        layer = read.layer
        if not layer.trusted:
            lost = (*dropped.get(layer.name, ()), *read.settings.own_profile, *read.settings.outlets.refs)
            layer = _only_tightening(layer, Policy(chosen, tuple(layers), ""), lost)
        layers.append(layer)
    protected = _protected(layers)
    approvals = _approvals(reads)
    wall = merged(read.settings.wall for read in reads if read.layer.trusted)
    hints = prestep.merged((read.layer.name, read.layer.trusted, read.settings.prestep) for read in reads)
    outside = outlets.merged(read.settings.outlets for read in reads if read.layer.trusted)
    policy = Policy(
        chosen, tuple(layers), _digest(chosen, layers, places), protected, approvals, wall, hints, outside
    )
    return Loaded(policy, tuple(problems), tuple(ref for read in reads for ref in read.settings.reserved))


def _is_trusted(name: LayerName, files: LayerFiles, trusted: bool | Collection[str]) -> bool:
    if name is not LayerName.PROJECT:
        return True
    if isinstance(trusted, bool):
        return trusted
    return all(file.digest in trusted for file in files.present)


def _read(
    name: LayerName, files: LayerFiles, trusted: bool, places: Places, read_command: ReadCommand
) -> _Read:
    problems = Problems()
    settings = Settings()
    if files.settings is not None:
        settings = read_settings(files.settings, name, presets.NAMES, problems)
    rules = (
        read_permissions(files.permissions, name, places, read_command, problems) if files.permissions else ()
    )
    layer = Layer(
        name=name,
        rules=rules,
        autonomy=settings.autonomy,
        roles=settings.roles,
        limits=settings.limits,
        protected=settings.protected,
        trusted=trusted and not problems.found,
        digest=digest([file.digest for file in files.present]),
    )
    return _Read(layer, settings, problems.obscured, tuple(problems.found))


def _preset(
    reads: list[_Read], given: str, problems: list[PolicyError]
) -> tuple[str, dict[LayerName, tuple[RuleRef, ...]]]:
    """The preset in force, and the wishes that were dropped."""
    chosen = presets.DEFAULT
    dropped: dict[LayerName, tuple[RuleRef, ...]] = {}
    for read in reads:
        wish, ref = read.settings.preset, read.settings.preset_ref
        if ref is None or wish == chosen:
            continue
        if read.layer.trusted or presets.stricter(chosen, wish):
            chosen = wish
        else:
            dropped[read.layer.name] = (ref,)
    if given in presets.NAMES:
        chosen = given
    elif given:
        what = msg("There is no preset {name}.", name=repr(given))
        repair = msg("Presets are {names}.", names=", ".join(sorted(presets.NAMES)))
        problems.append(PolicyError("policy.unknown_preset", what, repair))
    if any(read.obscured for read in reads) or (given and given not in presets.NAMES):
        chosen = "strict" if presets.stricter(chosen, "strict") else chosen
    return chosen, dropped


def _only_tightening(layer: Layer, weaker: Policy, dropped: tuple[RuleRef, ...]) -> Layer:
    kept_rules = tuple(rule for rule in layer.rules if rule.verdict is not Verdict.ALLOW)
    kept_lines = tuple(line for line in layer.autonomy if line.approval is not Approval.AUTO_APPROVE)
    kept_roles = tuple(entry for entry in layer.roles if _raises(weaker, entry[0], entry[1]))
    lost = (
        *dropped,
        *(rule.ref for rule in layer.rules if rule.verdict is Verdict.ALLOW),
        *(line.ref for line in layer.autonomy if line.approval is Approval.AUTO_APPROVE),
        *(entry[2] for entry in layer.roles if entry not in kept_roles),
    )
    return replace(layer, rules=kept_rules, autonomy=kept_lines, roles=kept_roles, dropped=lost)


def _raises(weaker: Policy, effect: str, role: str) -> bool:
    """Whether a line raises the least role of anything that it speaks about."""
    needed = [least_role(weaker, name) for name in covered(effect)]
    return any(one is None or rank(role) > rank(one[0]) for one in needed)


def _protected(layers: list[Layer]) -> tuple[str, ...]:
    """Branches: the strongest trusted layer that names some replaces the default; the others add."""
    named = Policy("", (), "").protected
    for layer in layers:
        if layer.protected and layer.trusted:
            named = layer.protected
    added = [glob for layer in layers if not layer.trusted for glob in layer.protected]
    return tuple(dict.fromkeys((*named, *added)))


def _approvals(reads: list[_Read]) -> Approvals:
    """How a person is asked; nothing of it loosens, so trust does not matter. The strongest word counts."""
    found = Approvals()
    for read in reads:
        prompt, wait = read.settings.prompt, read.settings.wait
        found = Approvals(found.prompt if prompt is None else prompt, found.wait if wait is None else wait)
    return found


def _digest(preset: str, layers: list[Layer], places: Places) -> str:
    """Over the files, their trust, and the places that rules are anchored at."""
    return digest(
        {
            "preset": preset,
            "layers": [[layer.name.value, layer.digest, layer.trusted] for layer in layers],
            "places": [places.root, places.home, places.fold_case],
        }
    )
