"""What is written for every host, shown, taken back, and looked at by doctor."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from ringwall.hosts import codex_trust
from ringwall.hosts.installation import Scope, folder_of
from ringwall.hosts.registry import HOSTS, registration_files
from ringwall.model.errors import PolicyError, UsageError
from ringwall.setup import claude_settings, registering
from ringwall.setup.block import block_of, with_block, without_block
from ringwall.setup.check import Status
from ringwall.setup.doctor import examine
from ringwall.setup.init import found_hosts, plan_init, plan_remove
from setup.conftest import Ground

SITES = [(name, site.scope) for name, host in HOSTS.items() for site in host.installation.sites]

JSON_HOSTS = ["codex", "gemini", "cursor", "opencode"]


@pytest.fixture(autouse=True)
def native(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A client that allows what is harmless and stops the rest, for every dialect."""
    path = ground.home / "ring wall" / "ringwall-hook"
    path.parent.mkdir()
    path.write_text(
        '#!/bin/sh\npayload=$(cat)\ncase "$payload" in *"rm -rf"*) exit 2;; *"}"*"}") ;; *) exit 2;; esac\n'
    )
    path.chmod(0o755)
    monkeypatch.setattr(registering, "hook_client", lambda: (str(path),))
    monkeypatch.setattr(claude_settings, "MANAGED", ())
    monkeypatch.setattr("ringwall.setup.doctor.DAEMON_SECONDS", 0)
    ground.env["DSH_HOME"] = str(ground.home / "dsh home")
    profile = ground.home / "dsh home" / "profiles" / "web"
    profile.mkdir(parents=True)
    (profile / "cordis.patch.yml").write_text("# mine\n- id: llm\n  disabled: false\n")
    return path


def everything(ground: Ground) -> dict[str, bytes]:
    found = (path for folder in (ground.home, ground.project) for path in folder.rglob("*"))
    return {str(path): path.read_bytes() for path in found if path.is_file()}


def put_in(host: str, ground: Ground, scope: Scope | None = None) -> None:
    for change in plan_init(host, scope, str(ground.project), ground.env):
        change.apply()


def take_out(host: str, ground: Ground, scope: Scope | None = None) -> None:
    for change in plan_remove(host, scope, str(ground.project), ground.env):
        change.apply()


@pytest.mark.parametrize(("host", "scope"), SITES)
def test_in_and_out_again_at_every_place(host: str, scope: Scope, ground: Ground) -> None:
    before = everything(ground)
    put_in(host, ground, scope)
    once = everything(ground)
    assert once != before
    put_in(host, ground, scope)
    assert everything(ground) == once
    assert not any(change.needed for change in plan_init(host, scope, str(ground.project), ground.env))
    take_out(host, ground, scope)
    assert everything(ground) == before


@pytest.mark.parametrize("host", JSON_HOSTS)
@pytest.mark.parametrize("receipt", [True, False])
def test_what_others_put_there_stays(host: str, receipt: bool, ground: Ground) -> None:
    [site] = [site for site in HOSTS[host].installation.sites if site.scope is Scope.USER]
    path = Path(folder_of(site, "", ground.env) or "") / site.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"theme": "dark", "plugin": ["file:///their.js"], "last": None}, indent=4))
    before = path.read_bytes()
    put_in(host, ground, Scope.USER)
    assert json.loads(path.read_text())["theme"] == "dark"
    if not receipt:  # edited since, so that only our part is taken out
        path.write_text(path.read_text().replace("dark", "light"))
        before = before.replace(b"dark", b"light")
    take_out(host, ground, Scope.USER)
    assert path.read_bytes() == before


@pytest.mark.parametrize("host", JSON_HOSTS)
@pytest.mark.parametrize("content", ['{"a": 1,}', "[]", '{"hooks": []}', "// mine\n{}", '{"a": 1, "a": 2}'])
def test_a_file_that_cannot_be_read_is_named_and_left(host: str, content: str, ground: Ground) -> None:
    [site] = [site for site in HOSTS[host].installation.sites if site.scope is Scope.USER]
    path = Path(folder_of(site, "", ground.env) or "") / site.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    if host == "opencode" and content == '{"hooks": []}':
        content, path_text = '{"plugin": {}}', path.write_text('{"plugin": {}}')
        assert path_text
    before = everything(ground)
    with pytest.raises(PolicyError) as caught:
        put_in(host, ground, Scope.USER)
    assert str(path) in caught.value.where
    assert everything(ground) == before


def test_a_host_without_a_place_of_that_scope_is_an_error(ground: Ground) -> None:
    with pytest.raises(UsageError):
        plan_init("codex", Scope.LOCAL, str(ground.project), ground.env)
    del ground.env["DSH_HOME"]
    with pytest.raises(UsageError):
        plan_init("dsh", None, str(ground.project), ground.env)


# ---- Codex


def test_the_trust_of_codex_is_asked_apart(ground: Ground) -> None:
    asked = [change for change in plan_init("codex", None, str(ground.project), ground.env) if change.consent]
    assert [Path(change.path).name for change in asked] == ["config.toml"]
    assert "trusted_hash" in asked[0].diff


def test_the_digest_is_of_the_hook_as_it_stands(ground: Ground) -> None:
    put_in("codex", ground)
    hooks = ground.home / ".codex" / "hooks.json"
    state = tomllib.loads((ground.home / ".codex" / "config.toml").read_text())["hooks"]["state"]
    assert {key: row["trusted_hash"] for key, row in state.items()} == codex_trust.digests(
        str(hooks), hooks.read_text()
    )
    assert f"{hooks}:pre_tool_use:0:0" in state
    other = codex_trust.digests(str(hooks), hooks.read_text().replace("|| exit 2", "|| exit 0"))
    assert other[f"{hooks}:pre_tool_use:0:0"] != state[f"{hooks}:pre_tool_use:0:0"]["trusted_hash"]


def test_what_of_a_hook_its_digest_covers() -> None:
    """That the program computes the same is held by its real run, in which untrusted hooks are skipped."""
    handler = {"type": "command", "command": "true", "timeout": 10}
    plain = codex_trust.digest("PreToolUse", {}, handler)
    assert plain != codex_trust.digest("PreToolUse", {"matcher": "Bash"}, handler)
    assert plain == codex_trust.digest("PreToolUse", {"matcher": ""}, handler)
    assert codex_trust.digest("Stop", {}, {"command": "x"}) == codex_trust.digest(
        "Stop", {}, {"command": "x", "timeout": codex_trust.DEFAULT_TIMEOUT}
    )


def test_trust_that_stands_elsewhere_is_not_written_twice_and_another_is_an_error(ground: Ground) -> None:
    put_in("codex", ground)
    config = ground.home / ".codex" / "config.toml"
    lines = block_of(config.read_text())
    assert lines is not None
    config.write_text(lines)
    assert not any(change.needed for change in plan_init("codex", None, str(ground.project), ground.env))
    config.write_text(lines.replace("sha256:", "sha256:0"))
    with pytest.raises(PolicyError) as caught:
        plan_init("codex", None, str(ground.project), ground.env)
    assert caught.value.code == "codex.trusted_otherwise"


def test_trust_for_one_file_of_hooks_does_not_end_that_for_another(ground: Ground) -> None:
    before = everything(ground)
    put_in("codex", ground, Scope.USER)
    put_in("codex", ground, Scope.PROJECT)
    config = ground.home / ".codex" / "config.toml"
    hooks = [ground.home / ".codex" / "hooks.json", ground.project / ".codex" / "hooks.json"]

    def trusts(path: Path) -> bool:
        return any(key.startswith(f"{path}:") for key in codex_trust.trusted(config.read_text()))

    assert trusts(hooks[0]) and trusts(hooks[1])
    take_out("codex", ground, Scope.PROJECT)
    assert trusts(hooks[0]) and not trusts(hooks[1])
    assert failing("codex", ground) == []
    take_out("codex", ground, Scope.USER)
    assert everything(ground) == before


def test_doctor_fails_where_codex_does_not_trust_the_hooks(ground: Ground) -> None:
    put_in("codex", ground)
    assert failing("codex", ground) == []
    (ground.home / ".codex" / "config.toml").unlink()
    [told] = failing("codex", ground)
    assert "config.toml" in told


# ---- OpenCode, DeepSeek Harness


def test_opencode_is_locked_until_the_plugin_has_loaded(ground: Ground) -> None:
    put_in("opencode", ground)
    settings = json.loads((ground.home / ".config" / "opencode" / "opencode.json").read_text())
    assert settings["permission"] == {"*": {"*": "deny"}}
    [plugin] = settings["plugin"]
    assert Path(plugin.removeprefix("file://")).read_text().count("ring wall/ringwall-hook") == 1
    started = HOSTS["opencode"].installation.started
    assert not started(f"banner\n{json.dumps(settings)}")
    assert started(json.dumps({"permission": {"bash": "ask"}})) and started("{}")
    assert not started("") and not started("not JSON {")


@pytest.mark.parametrize("permission", ['"ask"', '{"*": "ask"}', '{"bash": "ask"}'])
def test_a_rule_of_the_persons_own_stays_and_is_said(permission: str, ground: Ground) -> None:
    path = ground.project / "opencode.json"
    path.write_text(f'{{"permission": {permission}}}\n')
    before = path.read_bytes()
    changes = plan_init("opencode", Scope.PROJECT, str(ground.project), ground.env)
    told = [str(notice) for change in changes for notice in change.notices if "your own rule" in str(notice)]
    for change in changes:
        change.apply()
    written = json.loads(path.read_text())["permission"]
    if permission == '{"bash": "ask"}':
        assert written == {"bash": "ask", "*": {"*": "deny"}} and not told
    else:
        assert written == json.loads(permission) and len(told) == 1
    take_out("opencode", ground, Scope.PROJECT)
    assert path.read_bytes() == before


def test_a_plugin_stays_while_another_place_needs_it(ground: Ground) -> None:
    put_in("opencode", ground, Scope.USER)
    put_in("opencode", ground, Scope.PROJECT)
    take_out("opencode", ground, Scope.PROJECT)
    plugin = Path(ground.env["RINGWALL_HOME"]) / "plugins" / "ringwall-opencode.mjs"
    assert plugin.exists()
    take_out("opencode", ground, Scope.USER)
    assert not plugin.exists()


def test_every_profile_of_dsh_waits_for_the_plugin(ground: Ground) -> None:
    other = ground.home / "dsh home" / "profiles" / "tui"
    other.mkdir()
    (other / "cordis.patch.yml").write_text("[]\n")
    put_in("dsh", ground)
    for name in ("web", "tui"):
        text = (ground.home / "dsh home" / "profiles" / name / "cordis.patch.yml").read_text()
        assert "- id: agent-loop\n  inject:\n    - ringwallGate\n" in text
        assert "[]" not in text
    take_out("dsh", ground)
    assert (other / "cordis.patch.yml").read_text() == "[]\n"


# ---- blocks


def test_a_block_goes_in_and_out() -> None:
    text = "a = 1\n[b]\nc = 2"
    once = with_block(text, "x.toml", "[d]\ne = 3\n")
    assert tomllib.loads(once) == {"a": 1, "b": {"c": 2}, "d": {"e": 3}}
    assert with_block(once, "x.toml", "[d]\ne = 3\n") == once
    assert block_of(with_block(once, "x.toml", "[d]\ne = 4\n")) == "[d]\ne = 4\n"
    assert without_block(once, "x.toml", "").strip() == text


@pytest.mark.parametrize(("text", "path", "seed"), [("d = 1\n", "x.toml", ""), ("a: 1\n", "x.yml", "[]\n")])
def test_a_block_that_would_make_the_file_invalid_is_refused(text: str, path: str, seed: str) -> None:
    with pytest.raises(PolicyError):
        with_block(text, path, "[d]\ne = 3\n", seed)


def test_a_block_without_an_end_is_refused() -> None:
    once = with_block("", "x.toml", "[d]\n")
    with pytest.raises(PolicyError):
        without_block(once[: once.rindex("#")], "x.toml", "")


# ---- doctor


def failing(host: str, ground: Ground) -> list[str]:
    report = examine(host, str(ground.project), ground.env)
    hosts = [check for check in report.checks if check.host == host]
    return [str(check.what) for check in hosts if check.status is Status.FAIL and check.name == "host.hooks"]


def stand_in(ground: Ground, program: str, version: str) -> None:
    path = ground.home / "programs" / program
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{version}'\n")
    path.chmod(0o755)
    ground.env["PATH"] = f"{path.parent}:/usr/bin:/bin"


def test_one_row_for_each_host_that_is_here(ground: Ground) -> None:
    stand_in(ground, "codex", "codex-cli 0.171.0")
    stand_in(ground, "pi", "1.6.0")
    put_in("codex", ground)
    put_in("gemini", ground)
    assert found_hosts(ground.env) == ("codex", "pi")
    report = examine(None, str(ground.project), ground.env)
    rows = {row.host: row for row in report.hosts}
    assert list(rows) == ["codex", "gemini", "pi"]
    assert (rows["codex"].version, rows["pi"].version, rows["gemini"].version) == ("0.171.0", "1.6.0", "")
    assert rows["codex"].hooks and rows["gemini"].hooks and not rows["pi"].hooks
    assert rows["codex"].probed is True and rows["pi"].probed is None
    cannot = {check.host for check in report.checks if check.name == "host.cannot"}
    assert cannot == {"codex", "gemini"}
    assert {check.host for check in report.checks if check.status is Status.FAIL} >= {"pi"}


@pytest.mark.parametrize("host", ["codex", "gemini", "copilot", "cursor", "opencode", "pi", "dsh"])
def test_doctor_sees_what_was_changed(host: str, ground: Ground) -> None:
    put_in(host, ground)
    assert failing(host, ground) == []
    [path] = [path for path in map(Path, _mains(host, ground)) if path.exists()]
    path.write_text(
        path.read_text().replace("ring wall", "other wall").replace("ringwall-dsh.mjs", "ringwall-x.mjs")
    )
    if host == "opencode":
        path = Path(ground.env["RINGWALL_HOME"]) / "plugins" / "ringwall-opencode.mjs"
        path.write_text(path.read_text().replace("ring wall", "other wall"))
    assert failing(host, ground)


def _mains(host: str, ground: Ground) -> list[str]:
    installation = HOSTS[host].installation
    [site] = [site for site in installation.sites if site.scope is Scope.USER]
    folder = Path(folder_of(site, "", ground.env) or "")
    return [str(folder / site.name.replace("*", "web"))]


def test_an_old_program_fails(ground: Ground) -> None:
    stand_in(ground, "codex", "codex-cli 0.170.9")
    put_in("codex", ground)
    report = examine("codex", str(ground.project), ground.env)
    [check] = [check for check in report.checks if check.name == "host.program"]
    assert check.status is Status.FAIL


# ---- guards


def test_every_place_is_guarded_also_where_a_variable_moves_it(ground: Ground) -> None:
    env = {**ground.env, "CODEX_HOME": "/elsewhere/codex"}
    guarded = registration_files(str(ground.project), env)
    home = str(ground.home)
    for path in (
        "/elsewhere/codex/hooks.json", "/elsewhere/codex/config.toml", f"{home}/.codex/hooks.json",
        f"{home}/.codex/rules", f"{home}/.gemini/settings.json", f"{home}/.copilot/hooks/ringwall.json",
        f"{home}/.config/opencode/opencode.json", f"{home}/.pi/agent/extensions",
        f"{home}/.cursor/hooks.json",
        f"{home}/dsh home/profiles", f"{ground.project}/opencode.json", f"{ground.project}/.github/hooks",
    ):  # fmt: skip
        assert path in guarded


def test_a_broken_file_elsewhere_stands_in_nobodys_way(ground: Ground) -> None:
    put_in("gemini", ground, Scope.USER)
    broken = ground.project / ".gemini" / "settings.json"
    broken.parent.mkdir()
    broken.write_text("{")
    put_in("gemini", ground, Scope.USER)
    take_out("gemini", ground, Scope.USER)
    assert not (ground.home / ".gemini").exists()
    report = examine("gemini", str(ground.project), ground.env)
    assert any(str(broken) in str(check.what) for check in report.checks if check.name == "host.settings")
