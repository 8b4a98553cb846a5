"""What Ringwall writes for a host: one change for each file, made from what stands there now.

Invariant: a file is planned in the same way for `init`, `--remove` and `doctor`, so what doctor calls right
is what `init` would write.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ringwall.hosts.installation import Extra, Form, Installation, Planned
from ringwall.model.errors import RingwallError
from ringwall.setup import block, json_lists, plugins
from ringwall.setup.change import decoded, read_file
from ringwall.setup.hook_client import hook_client
from ringwall.setup.sites import located
from ringwall.store.paths import StateDir


@dataclass(frozen=True, slots=True)
class File:
    """One file of ours, or with our part in it; `main` is the one that registers the hooks."""

    path: str
    form: Form
    extra: Extra | None = None
    main: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """All files of one host for one place of its hooks."""

    installation: Installation
    planned: Planned
    state: StateDir

    def files(self) -> tuple[File, ...]:
        """In the order in which they are written: what a registration needs comes before it."""
        main = File(self.planned.path, self.installation.form, main=True)
        apart = self.installation.plugin and self.installation.form is not Form.OWN
        plugin = (File(plugins.path(self.installation, self.state), Form.OWN),) if apart else ()
        extras = tuple(
            File(extra.path, extra.form, extra) for extra in self.installation.extras(self.planned)
        )
        return (*plugin, main, *extras)

    def with_ours(self, file: File, text: str) -> str:
        """The text of `file` with our part. Raises `PolicyError`."""
        installation = self.installation
        if file.form is Form.LISTS:
            text = json_lists.with_items(text, file.path, installation.lists(self.planned))
            return json_lists.with_members(text, file.path, installation.members(self.planned))
        if file.form is Form.BLOCK:
            seed = "" if file.extra else installation.seed
            rest = block.without_block(text, file.path, seed)
            ours = block.block_of(text) or ""
            lines = file.extra.text(rest, ours) if file.extra else installation.text(self.planned)
            return block.with_block(text, file.path, lines, seed)
        if file.extra:
            return file.extra.text("", "")
        if installation.plugin:
            return plugins.written(installation, self.planned.client)
        return installation.text(self.planned)

    def without_ours(self, file: File, text: str) -> str | None:
        """The text of `file` without our part; None where the file is ours."""
        installation = self.installation
        if file.form is Form.OWN:
            return None
        if file.form is Form.BLOCK:
            seed = "" if file.extra else installation.seed
            left = file.extra.left(block.block_of(text) or "") if file.extra else ""
            return block.with_block(text, file.path, left, seed)
        wanted = installation.lists(self.planned)
        name = next((keys[0] for keys in wanted if len(keys) == 1), "")
        text = json_lists.without_items(text, file.path, name)
        return json_lists.without_members(text, file.path, installation.members(self.planned))

    def empty(self, file: File) -> str:
        """What a missing or empty file means."""
        return self.installation.seed if file.main and file.form is not Form.OWN else ""

    def text(self, file: File, content: bytes | None) -> str:
        """The file as text; an empty or missing one is an empty value."""
        if content is None or not content.strip():
            return self.empty(file)
        return decoded(content, file.path)

    def registered(self) -> bool:
        """Whether our part stands in the file of the hooks."""
        content = read_file(self.planned.path)
        return content is not None and b"ringwall" in content and self._stands(content)

    def _stands(self, content: bytes) -> bool:
        main = File(self.planned.path, self.installation.form, main=True)
        text = self.text(main, content)
        if main.form is Form.OWN:
            return True
        if main.form is Form.BLOCK:
            return block.block_of(text) is not None
        wanted = self.installation.lists(self.planned)
        name = next((keys[0] for keys in wanted if len(keys) == 1), "")
        return any(item.ours for item in json_lists.items(text, main.path, name))


def layout(
    installation: Installation, path: str, project: str, env: Mapping[str, str], state: StateDir
) -> Layout:
    """The files for hooks that stand in `path`. Raises `PolicyError` where that file cannot be read."""
    site = installation.home
    home = next(located(site, project, env), "") if site else os.path.dirname(path)
    planned = Planned(hook_client(), plugins.folder(state), home, path)
    first = Layout(installation, planned, state)
    if installation.form is not Form.LISTS:
        return first
    main = File(path, installation.form, main=True)
    text = first.with_ours(main, first.text(main, read_file(path)))
    return replace(first, planned=replace(planned, text=text))


def stands(installation: Installation, path: str, state: StateDir) -> bool:
    """Whether Ringwall is registered in the file `path`; a file that cannot be read registers nothing."""
    try:
        return Layout(installation, Planned((), plugins.folder(state), path=path), state).registered()
    except RingwallError:
        return False
