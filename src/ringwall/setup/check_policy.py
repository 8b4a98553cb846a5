"""Doctor's look at the policy: every file valid, every loosening trusted, judging not switched off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ringwall.judge.places import config_directory, places_of
from ringwall.judge.policies import layer_files
from ringwall.judge.prestep import named_profile
from ringwall.model.errors import RingwallError
from ringwall.model.text import msg
from ringwall.policy.load import load
from ringwall.setup.check import Check, fail, ok, warn
from ringwall.setup.off import state as switch_state
from ringwall.setup.trust import review
from ringwall.shell.analyse import command_pattern
from ringwall.store.paths import locate


def policy(project: str, env: Mapping[str, str]) -> Iterator[Check]:
    """Each fault of a policy file, each file that waits for trust, or the one word that all is well."""
    try:
        places = places_of(project, env, locate(env))
        loaded = load(
            places=places,
            read_command=command_pattern,
            project=layer_files(f"{places.root}/.ringwall"),
            user=layer_files(config_directory()),
            trusted=True,
        )
        pending = [file for file in review(project, env).pending if file.loosens]
        if loaded.policy.prestep.profile:
            named_profile(loaded.policy.prestep, places.root, None)
    except RingwallError as error:
        yield fail("policy", msg("{error}", error=error), error.repair)
        return
    for problem in loaded.problems:
        yield fail("policy", msg("{error}", error=problem), problem.repair)
    for file in pending:
        what = msg("What {path} loosens does not count: nobody has trusted it.", path=file.path)
        yield warn("policy.trust", what, msg("Run `ringwall trust` to read it and decide."))
    if not loaded.problems:
        yield ok("policy", msg("The policy is valid; the preset is {preset}.", preset=loaded.policy.preset))


def switch(env: Mapping[str, str]) -> Check:
    try:
        until = switch_state(env).until
    except RingwallError as error:
        return fail("switch", msg("{error}", error=error), error.repair)
    if until is None:
        return ok("switch", msg("Judging is switched on."))
    return warn(
        "switch",
        msg("Judging is switched off until {until}.", until=until.isoformat(timespec="seconds")),
        msg("Run `ringwall off --on` to judge again at once."),
    )
