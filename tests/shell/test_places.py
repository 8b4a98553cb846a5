"""Paths become effects by where they lie and what they are."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringwall.model.analysis import HOLE
from ringwall.model.effects import EFFECTS
from ringwall.model.surroundings import Node, Places, Recovery
from ringwall.shell.places import Place, path_effects, place

ROOT, HOME = "/home/u/app", "/home/u"
PLACES = Places(
    ROOT, HOME, worktrees=("/home/u/app-topic",), governor=("/home/u/.local/state/ringwall",),
    registrations=("/home/u/.claude/settings.json",),
)  # fmt: skip


@dataclass
class Disk:
    """A disk of which only links, nodes and what git says are told."""

    places: Places = PLACES
    links: dict[str, str] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)
    recoveries: dict[str, Recovery] = field(default_factory=dict)
    on_branch: str | None = "topic"

    def resolve(self, path: str) -> str | None:
        path = posixpath.normpath(path)
        for link, target in self.links.items():
            if path == link or path.startswith(link + "/"):
                return target + path[len(link) :]
        return path

    def node(self, path: str) -> Node:
        return self.nodes.get(path, Node.ABSENT)

    def names(self, directory: str) -> tuple[str, ...] | None:
        beginning = directory.rstrip("/") + "/"
        known = [path[len(beginning) :] for path in self.nodes if path.startswith(beginning)]
        return tuple(sorted({name.partition("/")[0] for name in known})) or None

    def read(self, path: str, limit: int = 0) -> str | None:
        return None

    def env(self, name: str) -> str | None:
        return None

    def recovery(self, path: str) -> Recovery:
        return self.recoveries.get(path, Recovery.LOST)

    def branch(self, directory: str) -> str | None:
        return self.on_branch

    def git_alias(self, directory: str, name: str) -> str | None:
        return None

    def second_reading(self, text: str) -> bytes | None:
        return None


def effects(
    access: str, target: str, disk: Disk | None = None, cwd: str = ROOT, deep: bool = False
) -> dict[str, bool]:
    found: dict[str, bool] = {}
    for name, certain in path_effects(access, target, cwd, disk or Disk(), deep):
        found[name] = found.get(name, False) or certain
    return found


@pytest.mark.parametrize(
    ("path", "where"),
    [
        (ROOT, Place.INSIDE),
        (f"{ROOT}/src", Place.INSIDE),
        ("/home/u/app-topic/x", Place.INSIDE),
        ("/home/u/app2", Place.OUTSIDE),
        ("/tmp/x", Place.SCRATCH),
        ("/home/u/.cache/pip", Place.SCRATCH),
        ("/etc/hosts", Place.OUTSIDE),
        ("/home/u", Place.OUTSIDE),
        ("src", Place.UNKNOWN),
        (f"/x/{HOLE}", Place.UNKNOWN),
    ],
)
def test_where_a_path_lies(path: str, where: Place) -> None:
    assert place(path, PLACES) is where


def test_case_is_folded_where_the_disk_does() -> None:
    folding = Places("/Users/u/App", "/Users/u", fold_case=True)
    assert place("/users/U/app/x", folding) is Place.INSIDE
    assert place("/users/U/app/x", Places("/Users/u/App", "/Users/u")) is Place.OUTSIDE


@pytest.mark.parametrize(
    "path",
    [
        "/home/u/.ssh/id_ed25519",
        ".env",
        "config/.env.production",
        "/home/u/.aws/credentials",
        "certs/server.key",
        "/etc/shadow",
        "/proc/self/environ",
        "/home/u/.netrc",
        "/home/u/.kube/config",
        "/home/u/.gnupg/secring.gpg",
        "/home/u/.mozilla/firefox/p/logins.json",
        "../../u/.npmrc",
        "/home/u/.local/state/ringwall/key",
        "a.pem",
    ],
)
def test_reading_a_secret(path: str) -> None:
    assert effects("read", path)["read.secret"] is True


@pytest.mark.parametrize(
    "path",
    [
        ".env.example",
        "src/env.py",
        "/home/u/.ssh/id_ed25519.pub",
        "/home/u/.ssh/known_hosts",
        "key.py",
        "/etc/hosts",
        "/proc/cpuinfo",
        "README.md",
        "environ",
        ".envrc.md",
        "/home/u/.config/ringwall/ringwall.toml",
        "*",
        "src/*.py",
    ],
)
def test_reading_what_is_no_secret(path: str) -> None:
    assert "read.secret" not in effects("read", path)


def test_a_link_to_a_secret_is_one() -> None:
    disk = Disk(links={f"{ROOT}/notes": "/home/u/.ssh/id_rsa"})
    assert effects("read", "notes", disk)["read.secret"] is True


@pytest.mark.parametrize(
    ("glob", "name"), [(".e*", ".env"), ("id_*", "id_rsa"), ("*.pem", "server.pem"), ("~/.ssh/*", "")]
)
def test_a_glob_may_take_in_a_secret(glob: str, name: str) -> None:
    assert "read.secret" in effects("read", glob.replace("~", HOME))


def test_reading_outside() -> None:
    assert effects("read", "/etc/hosts") == {"observe": True, "read.outside": True}
    assert effects("read", "src/a.py") == {"observe": True}
    assert effects("read", "/tmp/x") == {"observe": True}


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("CLAUDE.md", "write.instructions"),
        ("docs/AGENTS.md", "write.instructions"),
        (".cursor/rules/a.mdc", "write.instructions"),
        (".claude/commands/x.md", "write.instructions"),
        (".git/hooks/pre-commit", "write.hook"),
        (".husky/pre-push", "write.hook"),
        ("/home/u/.bashrc", "write.hook"),
        (".envrc", "write.hook"),
        ("/etc/cron.d/x", "write.hook"),
        (".git/config", "write.hook"),
        (".ringwall/ringwall.toml", "write.governor"),
        (".claude/settings.local.json", "write.governor"),
        (".codex/hooks.json", "write.governor"),
        ("/home/u/.claude/settings.json", "write.governor"),
        ("/home/u/.local/state/ringwall/x.db", "write.governor"),
        ("../x", "write.outside"),
        ("/home/u/bin/x", "write.outside"),
        ("/etc/hosts", "system"),
        ("/dev/sda", "catastrophic"),
        ("/dev/nvme0n1p2", "catastrophic"),
        (".git/HEAD", "git.discard"),
    ],
)
@pytest.mark.parametrize("access", ["write", "delete"])
def test_touching_what_is_more_than_a_file(access: str, path: str, name: str) -> None:
    if name == "write.outside":
        name = f"{access}.outside"
    assert name in effects(access, path)


@pytest.mark.parametrize(
    "path",
    [
        "src/a.py",
        ".github/workflows/ci.yml",
        ".git/hooks/x.sample",
        "/tmp/a",
        "hooks/use.ts",
        "claude.py",
        ".git/index.lock",
        ".git/info/exclude",
    ],
)
def test_an_ordinary_write_is_nothing_else(path: str) -> None:
    assert effects("write", path) == {"write": True}


@pytest.mark.parametrize("path", ["/dev/null", "/dev/stderr", "/dev/fd/3"])
def test_writing_to_nowhere_is_nothing(path: str) -> None:
    assert effects("write", path) == {}


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/etc",
        "/usr/",
        "/home",
        "/home/u",
        "/home/u/*",
        "/*",
        "..",
        ".",
        ROOT,
        ".git",
        "../*",
        "/home/other",
        "/home/u/app/",
        "/etc/*",
    ],
)
def test_the_loss_of_everything(path: str) -> None:
    assert effects("delete", path, deep=True).get("catastrophic") is True


@pytest.mark.parametrize("path", ["/", "/etc", HOME, ".", "/usr/lib"])
def test_overwriting_everything(path: str) -> None:
    assert "catastrophic" in effects("overwrite", path)
    assert "catastrophic" not in effects("overwrite", "src")


@pytest.mark.parametrize("path", ["src", "*", "./*", "/home/u/app/data", "src/*", "data*"])
def test_a_tree_that_git_cannot_bring_back_is_lost(path: str) -> None:
    found = effects("delete", path, deep=True)
    assert "delete.lost" in found
    assert "catastrophic" not in found


def test_a_tree_that_git_has_is_not_lost() -> None:
    disk = Disk(recoveries={f"{ROOT}/src": Recovery.CLEAN, f"{ROOT}/data": Recovery.UNKNOWN})
    assert "delete.lost" not in effects("delete", "src", disk, deep=True)
    assert "delete.lost" in effects("delete", "data", disk, deep=True)


@pytest.mark.parametrize(
    "path",
    ["node_modules", "web/dist", "build", ".venv", "src/__pycache__", "target/debug", "/tmp/x", ".next/*"],
)
def test_what_tools_make_again_is_not_lost(path: str) -> None:
    assert set(effects("delete", path, deep=True)) == {"delete", "delete.recursive"}


def test_a_single_file_is_ordinary() -> None:
    assert effects("delete", "notes.txt") == {"delete": True}
    assert effects("delete", "/home/u/notes.txt") == {"delete": True, "delete.outside": True}
    assert effects("delete", "/home/u/projects", deep=True)["delete.outside"] is True


def test_the_link_goes_and_not_what_it_names() -> None:
    disk = Disk(links={f"{ROOT}/etc": "/etc"})
    assert "catastrophic" not in effects("delete", "etc", disk, deep=True)
    assert "catastrophic" in effects("delete", "etc/", disk, deep=True)
    assert "write.outside" in effects("write", "etc/hosts", disk)


def test_a_folder_that_holds_the_registration() -> None:
    assert effects("delete", "/home/u/.claude", deep=True)["write.governor"] is True
    assert effects("delete", ".claude", deep=True)["write.governor"] is True


@pytest.mark.parametrize("target", [HOLE, f"{HOLE}/x", f"/tmp/{HOLE}", f"src/{HOLE}"])
def test_an_unknown_path_could_be_anywhere(target: str) -> None:
    assert effects("write", target)["write.outside"] is False
    assert effects("delete", target)["delete.outside"] is False
    assert effects("delete", target, deep=True)["catastrophic"] is False
    assert effects("read", target) == {"observe": True, "read.outside": False}


def test_a_name_that_only_goes_on_stays_in_its_folder() -> None:
    assert effects("write", f"logs/run-{HOLE}.txt") == {"write": True}
    folder = Disk(nodes={f"{ROOT}/logs/run-": Node.DIRECTORY})
    assert "write.outside" in effects("write", f"logs/run-{HOLE}", folder)
    assert "write.outside" in effects("write", f"logs/run-{HOLE}/x")


def test_a_literal_name_with_a_star_is_no_glob() -> None:
    disk = Disk(nodes={f"{ROOT}/*": Node.FILE})
    assert effects("delete", "*", disk) == {"delete": True}


def test_an_unknown_directory_makes_everything_possible() -> None:
    assert effects("delete", "x", cwd=HOLE, deep=True)["catastrophic"] is False
    assert effects("delete", "/etc", cwd=HOLE, deep=True)["catastrophic"] is True


def test_listing_names_gives_nothing_away() -> None:
    assert effects("list", "/home/u/.ssh") == {"observe": True, "read.outside": True}
    assert effects("list", ".env") == {"observe": True}
    assert effects("list", HOLE) == {"observe": True, "read.outside": False}


@pytest.mark.parametrize("folder", ["/home/u/.gnupg", "/home/u/.ssh/", HOME, "/home", "/", ".."])
def test_a_folder_of_secrets_is_read_as_one(folder: str) -> None:
    assert effects("read", folder)["read.secret"] is True


PATHS = st.text(alphabet="/.~*?[]{}abc-\x00 ", max_size=20)


@given(st.sampled_from(["list", "read", "write", "overwrite", "delete"]), PATHS, st.booleans())
def test_every_path_has_known_effects(access: str, target: str, deep: bool) -> None:
    for name, certain in path_effects(access, target, ROOT, Disk(), deep):
        assert name in EFFECTS
        assert isinstance(certain, bool)


GLOBS = (
    ("delete", ".claude/settings.j*", "write.governor"),
    ("write", ".cl[a]ude/settings.json", "write.governor"),
    ("write", "CLAUDE.?d", "write.instructions"),
    ("delete", ".git/hooks/pre-*", "write.hook"),
    ("read", ".e*", "read.secret"),
)


@pytest.mark.parametrize(("access", "glob", "name"), GLOBS)
def test_a_glob_is_what_it_names_now(access: str, glob: str, name: str) -> None:
    there = (".claude/settings.json", "CLAUDE.md", ".git/hooks/pre-commit", ".env")
    disk = Disk(nodes={f"{ROOT}/{path}": Node.FILE for path in there} | {f"{ROOT}/.git": Node.DIRECTORY})
    assert (name, True) in path_effects(access, glob, ROOT, disk)


def test_a_glob_takes_no_hidden_name_unless_it_names_the_dot() -> None:
    disk = Disk(nodes={f"{ROOT}/.claude/settings.json": Node.FILE, f"{ROOT}/src": Node.DIRECTORY})
    names = {name for name, _ in path_effects("delete", "*", ROOT, disk, recursive=True)}
    assert "write.governor" not in names
    assert "write.governor" in {name for name, _ in path_effects("delete", ".*", ROOT, disk, recursive=True)}


def test_a_home_in_a_scratch_folder_is_no_scratch() -> None:
    disk = Disk(Places("/tmp/h/app", "/tmp/h"))
    assert ("delete.outside", True) in path_effects("delete", "/tmp/h/notes.txt", "/tmp/h/app", disk)
    assert ("delete.outside", True) not in path_effects("delete", "/tmp/x/notes.txt", "/tmp/h/app", disk)
