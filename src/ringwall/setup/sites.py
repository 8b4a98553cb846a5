"""Where a host's files are on this machine, for this person and this project.

Invariant: a path comes out only of a place that the host's module names; nothing is guessed.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Mapping

from ringwall.hosts.installation import Installation, Scope, Site, folder_of
from ringwall.model.errors import UsageError
from ringwall.model.text import msg


def paths(installation: Installation, scope: Scope, project: str, env: Mapping[str, str]) -> tuple[str, ...]:
    """The files of `scope` in which the hooks shall stand. Raises `UsageError` where there are none."""
    sites = [site for site in installation.sites if site.scope is scope]
    if not sites:
        raise UsageError(
            "setup.no_such_scope",
            msg("{host} has no settings of scope {scope}.", host=installation.title, scope=scope.value),
            msg("Use --scope {scopes}.", scopes=" or ".join(sorted({s.scope for s in installation.sites}))),
        )
    found = tuple(path for site in sites for path in located(site, project, env))
    if found:
        return found
    [site] = sites[:1]
    if site.variable and not site.folder:
        what = msg("{host} has no files here yet, or {name} is not set.", host=installation.title,
                   name=site.variable)  # fmt: skip
        repair = msg("Set {name} as for the host, start it once, and run the command again.",
                     name=site.variable)  # fmt: skip
        raise UsageError("setup.no_files", what, repair)
    raise UsageError(
        "setup.no_home",
        msg("HOME is not set, so there are no user settings."),
        msg("Set HOME, or use the project's settings."),
    )


def everywhere(
    installation: Installation, project: str, env: Mapping[str, str]
) -> Iterator[tuple[Scope, str]]:
    """Every file in which this host's hooks can stand, weakest first."""
    for site in installation.sites:
        for path in located(site, project, env):
            yield site.scope, path


def located(site: Site, project: str, env: Mapping[str, str]) -> Iterator[str]:
    """The file of a site; where its name holds a `*`, each file that is there."""
    folder = folder_of(site, project, env)
    if folder is None:
        return
    if "*" in site.name:
        yield from (os.path.join(folder, name) for name in sorted(glob.glob(site.name, root_dir=folder)))
    else:
        yield os.path.join(folder, site.name) if site.name else folder
