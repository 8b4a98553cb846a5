import pytest

from policy.world import command, effect, judged, policy, shell, tool, user
from ringwall.model.action import Kind, Principal
from ringwall.model.analysis import HOLE
from ringwall.model.decision import Decision
from ringwall.model.effects import Effect
from ringwall.model.verdict import Verdict

ALLOW_ALL = policy(preset="auto", user=user(allow=["Bash", "Edit", "Effect(write)", "mcp__x"]))


def denied(decision: Decision) -> bool:
    return decision.verdict is Verdict.DENY and decision.deciding.stage == "selfguard"


@pytest.mark.parametrize(
    "made",
    [
        effect("write.governor", "/anywhere"),
        effect("write", "/p/.ringwall/permissions.json"),
        effect("write.outside", "/home/u/.config/ringwall/ringwall.toml"),
        effect("delete", "/p/.ringwall"),
        effect("delete.recursive", "/home/u/.config"),
        effect("delete.outside", "/home/u/.local/state/ringwall/journal.db"),
        effect("write", "/p/.claude/settings.json"),
        effect("process.kill", "4711"),
        effect("process.kill", "ringwall"),
        effect("network.send", "http://localhost:7411/decide"),
        effect("network.read", "127.0.0.1:7411"),
        effect("network.read", "http://[::1]:7411/"),
        effect("network.read", "http://2130706433:7411/"),
        effect("network.read", "http://[::ffff:127.0.0.1]:7411/"),
        effect("network.read", "http://console.localhost:7411/"),
        effect("network.send", "localhost/7411"),
        effect("read.secret", "/home/u/.local/state/ringwall/ringwall.db"),
        effect("read.outside", "/home/u/.local/state/ringwall/console.lock"),
        effect("read.outside", "/home/u/.local/state/ringwall"),
    ],
)
def test_its_own_things_are_not_an_agents_by_any_tool(made: Effect) -> None:
    assert denied(judged(shell(("frob x", [made])), ALLOW_ALL))
    assert denied(judged(tool("mcp__x__y", made, kind=Kind.MCP), ALLOW_ALL))


@pytest.mark.parametrize(
    "made",
    [
        effect("observe", "/p/.ringwall/permissions.json"),
        effect("write", "/p/.ringwallet"),
        effect("delete.recursive", "/home/u/.configs"),
        effect("process.kill", "4712"),
        effect("network.read", "http://localhost:7412"),
        effect("network.read", "https://example.com:7411/"),
        effect("read.outside", "/home/u/.config/ringwall/ringwall.toml"),
        effect("read.outside", "/home/u/.local/state"),
    ],
)
def test_what_is_near_is_not_its_own(made: Effect) -> None:
    assert not denied(judged(shell(("frob x", [made])), ALLOW_ALL))


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("ringwall status", True),
        ("ringwall why 7", True),
        ("ringwall plan lint plans/a.md", True),
        ("ringwall plan status", True),
        ("ringwall plan show", True),
        ("ringwall plan seal plans/a.md", False),
        ("ringwall plan review plans/a.md", False),
        ("ringwall plan abandon --because lint", False),
        ("ringwall plan resolve --done", False),
        ("ringwall plan", False),
        ("ringwall --x plan lint", False),
        ("ringwall plan --project . seal lint", False),
        ("ringwall explain 'ls'", True),
        ("ringwall --version", True),
        ("ringwall", True),
        ("ringwall off --for 10m", False),
        ("ringwall trust", False),
        ("ringwall --json off", False),
        ("/usr/bin/ringwall off", False),
        ("ringwall-hook claude", False),
        ("python3 -m ringwall off", False),
        ("python3 -m ringwall.cli off", False),
        ("python3 -m ringwall status", True),
        ("python3 -m http.server", True),
    ],
)
def test_its_verbs(text: str, free: bool) -> None:
    assert denied(judged(shell((command(text), ["observe"])), ALLOW_ALL)) is not free


@pytest.mark.parametrize(
    ("text", "made", "denied_"),
    [
        ("nc localhost 7411", "remote.write", True),
        ("telnet 127.0.0.1 7411", "network.send", True),
        ("socat - TCP:localhost:7411", "network.send", True),
        ("xdg-open http://localhost:7411/", "tool.unknown", True),
        ("ssh -L 9000:localhost:7411 host", "remote.exec", True),
        ("chromium --app=http://[::1]:7411", "tool.unknown", True),
        ("nc localhost 7412", "remote.write", False),
        ("nc example.com 7411", "network.send", False),
        ("git commit -m http://localhost:7411/", "git.local", False),
        ("echo http://localhost:7411/", "observe", False),
    ],
)
def test_its_own_port_is_not_an_agents_by_any_program(text: str, made: str, denied_: bool) -> None:
    assert denied(judged(shell((command(text), [made])), ALLOW_ALL)) is denied_


def test_an_unknown_verb_or_an_unsure_command_is_asked_about() -> None:
    for unsure in (command(("ringwall", HOLE)), command("ringwall off", certain=False)):
        decision = judged(shell((unsure, ["observe"])), ALLOW_ALL)
        assert decision.verdict is Verdict.ASK
        assert decision.deciding.stage == "selfguard"


def test_a_certain_denial_beats_an_earlier_doubt() -> None:
    both = [effect("write.governor", "/a", certain=False), effect("write.governor", "/b")]
    assert denied(judged(shell(("frob", both)), ALLOW_ALL))


def test_a_person_is_not_stopped() -> None:
    made = shell(("frob", [effect("write", "/p/.ringwall/permissions.json")]))
    assert not denied(judged(made, ALLOW_ALL, Principal(human=True, role="owner")))
