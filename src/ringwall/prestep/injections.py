"""The injections of one step: which texts are wanted, before anybody looks what is visible.

Invariant: a pure function of the step, the profile and file reads; a delegated step gets none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ringwall.model.step import Step
from ringwall.prestep.disk import Disk
from ringwall.prestep.harness_check import harness_text
from ringwall.prestep.lineage import is_delegated
from ringwall.prestep.profile import Profile
from ringwall.prestep.role_hint import role_text


@dataclass(frozen=True, slots=True)
class Switches:
    """What is switched on. `enabled` is for all; nothing else switches these two off (P-12, P-24)."""

    enabled: bool = True
    harness_check: bool = True
    role_hint: bool = True

    def narrowed(self, step: Step) -> Switches:
        """What the host's own configuration leaves on, by its names `enabled`, `harnessCheck`, `roleHint`."""
        off = {name for name, on in step.switches if not on}
        return Switches(
            self.enabled and "enabled" not in off,
            self.harness_check and "harnessCheck" not in off,
            self.role_hint and "roleHint" not in off,
        )


def injections(step: Step, cwd: str, profile: Profile, switches: Switches, disk: Disk) -> Iterator[str]:
    """The texts for a step of a session in `cwd`, in their order."""
    on = switches.narrowed(step)
    if not on.enabled or is_delegated(step.lineage):
        return
    checked = harness_text(cwd, profile.harness, disk) if on.harness_check else None
    if checked is not None:
        yield checked
    hinted = role_text(step.messages, profile.role, profile.signs) if on.role_hint else None
    if hinted is not None:
        yield hinted
