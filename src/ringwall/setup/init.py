"""`ringwall init`: registers the hooks with a host, and takes them out again.

Invariant: what was in the files stays there, byte for byte; running it twice changes nothing more.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ringwall.hosts.installation import Form, Installation, Scope
from ringwall.hosts.registry import HOSTS, real_host
from ringwall.model.canonical import digest_bytes
from ringwall.model.text import Text, msg
from ringwall.setup import claude_settings, json_lists, receipt
from ringwall.setup.change import Change, read_file
from ringwall.setup.registering import File, Layout, layout, stands
from ringwall.setup.sites import everywhere, paths
from ringwall.store.paths import StateDir, locate

__all__ = ["Scope", "found_hosts", "plan_init", "plan_remove"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Registering(Change):
    """Puts our part in, and first keeps what the file was."""

    state: StateDir
    kept: receipt.Receipt

    def apply(self) -> None:
        if self.needed:
            receipt.save(self.state, self.kept)
        Change.apply(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Removing(Change):
    """Takes our part out; `folder` is removed too when it is empty then, because we made it. `shared` files
    are needed by another place of hooks, which still will have to give them back."""

    state: StateDir
    folder: str
    shared: bool = False

    def apply(self) -> None:
        Change.apply(self)
        if not self.shared:
            receipt.forget(self.state, self.path)
        if self.folder and os.path.isdir(self.folder) and not os.listdir(self.folder):
            os.rmdir(self.folder)


def found_hosts(env: Mapping[str, str]) -> tuple[str, ...]:
    """The hosts whose program is on PATH, in the registry's order."""
    where = env.get("PATH", os.defpath)
    return tuple(name for name, host in HOSTS.items() if shutil.which(host.installation.program, path=where))


def plan_init(host: str, scope: Scope | None, project: str, env: Mapping[str, str]) -> tuple[Change, ...]:
    """The changes that register all hooks of `host`, in the order in which they are made; no scope is the
    host's usual one. `project` is an absolute directory; `env` gives HOME, PATH and RINGWALL_HOME. Raises
    `PolicyError` for settings that cannot be read, with file:line:column."""
    installation = real_host(host).installation
    scope = scope or installation.usual
    state = locate(env)
    changes: list[Change] = []
    for path in paths(installation, scope, project, env):
        planned = layout(installation, path, project, env, state)
        changes += [_putting_in(planned, file, scope, project, env) for file in planned.files()]
    return _once(changes)


def plan_remove(host: str, scope: Scope | None, project: str, env: Mapping[str, str]) -> tuple[Change, ...]:
    """The changes that take exactly our part out again, the registration first."""
    installation = real_host(host).installation
    scope = scope or installation.usual
    state = locate(env)
    here = paths(installation, scope, project, env)
    elsewhere = any(
        stands(installation, path, state)
        for _, path in everywhere(installation, project, env)
        if path not in here
    )
    changes: list[Change] = []
    for path in here:
        planned = layout(installation, path, project, env, state)
        files = planned.files()
        if elsewhere:  # what another registration needs stays
            files = tuple(file for file in files if file.main or (file.extra and file.extra.consent))
        ordered = sorted(files, key=lambda file: not file.main)
        changes += [_taking_out(planned, file, elsewhere and not file.main) for file in ordered]
    return _once(changes)


def _once(changes: list[Change]) -> tuple[Change, ...]:
    """Each file once: several places of hooks may need the same plug-in."""
    return tuple({change.path: change for change in changes}.values())


def _putting_in(planned: Layout, file: File, scope: Scope, project: str, env: Mapping[str, str]) -> Change:
    before = read_file(file.path)
    after = planned.with_ours(file, planned.text(file, before)).encode("utf-8")
    if not after.strip() and before is None:
        return Change(file.path, None, None)
    kept = _receipt(planned, file, before, after)
    notices = _notices(planned, file, after.decode("utf-8"), scope, project, env)
    if file.extra and before != after:
        notices = (file.extra.why,)
    consent = file.extra.consent if file.extra else None
    return Registering(file.path, before, after, notices, consent=consent, state=planned.state, kept=kept)


def _taking_out(planned: Layout, file: File, shared: bool) -> Change:
    """`shared`: another place of hooks needs the file too, so that only our own part goes."""
    content = read_file(file.path)
    kept = receipt.load(planned.state, file.path)
    folder = os.path.dirname(file.path) if kept is not None and kept.made_folder else ""
    restored = _restored(planned, file, content, None if shared else kept)
    return Removing(file.path, content, restored, state=planned.state, folder=folder, shared=shared)


def _receipt(planned: Layout, file: File, before: bytes | None, after: bytes) -> receipt.Receipt:
    """What `--remove` shall give back: what the first `init` found, unless it was edited since."""
    kept = receipt.load(planned.state, file.path)
    made_folder = kept.made_folder if kept else not os.path.isdir(os.path.dirname(file.path))
    original = _restored(planned, file, before, kept)
    return receipt.Receipt(file.path, original, digest_bytes(after), made_folder)


def _restored(
    planned: Layout, file: File, content: bytes | None, kept: receipt.Receipt | None
) -> bytes | None:
    if content is None or not content.strip():
        return content
    if kept is not None and kept.covers(content):
        return kept.before
    rest = planned.without_ours(file, planned.text(file, content))
    if rest is None:
        return content if kept is None and not _looks_ours(content) else None
    ours_alone = kept is not None and kept.before is None
    nothing = planned.empty(file).translate(_BLANK) in ("", rest.translate(_BLANK))
    return None if ours_alone and nothing and not rest.strip("{}[] \t\r\n") else rest.encode("utf-8")


_BLANK = str.maketrans("", "", " \t\r\n")


def _looks_ours(content: bytes) -> bool:
    return b"ringwall" in content.lower()


def _notices(
    planned: Layout, file: File, after: str, scope: Scope, project: str, env: Mapping[str, str]
) -> tuple[Text, ...]:
    """What the person should know besides the difference."""
    if not file.main:
        return ()
    found = list(_shared(planned.installation, scope, project))
    found += _unmet(planned, after)
    if planned.installation.program == "claude":
        return (*found, *claude_settings.all_notices(scope, project, env))
    for _, path in everywhere(planned.installation, project, env):
        if path != file.path and stands(planned.installation, path, planned.state):
            found.append(msg("{path} registers Ringwall too; each call is then judged twice.", path=path))
    return tuple(found)


def _shared(installation: Installation, scope: Scope, project: str) -> Iterator[Text]:
    if scope is not Scope.PROJECT or not os.path.lexists(os.path.join(project, ".git")):
        return
    yours = Scope.LOCAL if any(site.scope is Scope.LOCAL for site in installation.sites) else Scope.USER
    yield msg(
        "These settings are often shared through git, but the path of the hook is this machine's; where it "
        "is missing, every call is stopped. `ringwall init --scope {scope}` keeps them yours.",
        scope=yours.value,
    )


def _unmet(planned: Layout, after: str) -> Iterator[Text]:
    if planned.installation.form is not Form.LISTS:
        return
    wanted = planned.installation.members(planned.planned)
    for place in json_lists.unmet_members(after, planned.planned.path, wanted):
        yield msg(
            "{where}: your own rule stands where Ringwall's would; if the plug-in does not load, {host} goes "
            "by yours.",
            where=place,
            host=planned.installation.title,
        )
