"""The program's entry: lazy verbs, exit statuses, how errors are told."""

from __future__ import annotations

import json
import subprocess
import sys

import click
import pytest

from ringwall import __version__
from ringwall.cli.group import VERBS, cli
from ringwall.cli.main import FAILED, OK, WRONG_USE, run

from .conftest import Program

LIGHT = {"rich", "sqlalchemy", "alembic", "tree_sitter", "tree_sitter_bash", "msgspec", "tomllib", "asyncio"}


def _modules_after(*arguments: str) -> set[str]:
    code = (
        "import sys, json\n"
        f"sys.argv = ['ringwall', *{list(arguments)!r}]\n"
        "from ringwall.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "sys.stderr.write(json.dumps(sorted(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    return set(json.loads(done.stderr.splitlines()[-1]))


def test_the_version_needs_nothing_heavy() -> None:
    assert not _modules_after("--version") & LIGHT


def test_help_imports_no_verb() -> None:
    loaded = _modules_after("--help")
    assert not loaded & LIGHT
    assert not [name for name in loaded if name.startswith("ringwall.cli.verb_")]


def test_a_verb_imports_no_other() -> None:
    loaded = {name for name in _modules_after("completion", "bash") if name.startswith("ringwall.cli.verb_")}
    assert loaded == {"ringwall.cli.verb_completion"}


def test_the_version(ringwall: Program) -> None:
    done = ringwall("--version")
    assert (done.returncode, done.stdout) == (OK, f"ringwall {__version__}\n")


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([verb, "--help"]) == OK
    assert capsys.readouterr().out.startswith(f"Usage: ringwall {verb}")


def _leaves(command: click.Command, path: tuple[str, ...]) -> list[tuple[tuple[str, ...], click.Command]]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        names = command.list_commands(context)
        found = [(name, command.get_command(context, name)) for name in names]
        return [leaf for name, each in found if each for leaf in _leaves(each, (*path, name))]
    return [(path, command)]


AT_A_TERMINAL = {("approve",), ("reject",), ("watch",), ("plan", "seal"), ("plan", "resolve")}
"""Whose output is never a program's to read."""
PROTOCOL = {("mcp", "serve"), ("mcp", "wrap"), ("acp", "wrap")}
"""Whose output is a protocol's."""
SILENT = {("hook",), ("run",), ("daemon", "run"), *AT_A_TERMINAL, *PROTOCOL}


@pytest.mark.parametrize(("path", "command"), _leaves(cli, ()), ids=lambda value: str(value))
def test_every_verb_that_prints_takes_json(path: tuple[str, ...], command: click.Command) -> None:
    assert path in SILENT or any("--json" in parameter.opts for parameter in command.params)


@pytest.mark.parametrize(
    "arguments", [["nosuch"], ["check"], ["check", "--nosuch", "x"], ["init", "nosuchhost"]]
)
def test_wrong_use_is_status_two_and_says_what_to_do(ringwall: Program, arguments: list[str]) -> None:
    done = ringwall(*arguments)
    assert done.returncode == WRONG_USE
    assert done.stdout == ""
    what, repair = done.stderr.strip().splitlines()[:2]
    assert what.startswith("ringwall: ") and repair.endswith("]")
    assert "Traceback" not in done.stderr


def test_a_failure_inside_is_status_three_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_arguments: object, **_options: object) -> None:
        raise ZeroDivisionError("a\nfault")

    monkeypatch.setattr(cli, "main", broken)
    assert run(["status"]) == FAILED
    told = capsys.readouterr().err
    assert "ZeroDivisionError: a fault" in told and "RINGWALL_DEBUG=1" in told and "[internal]" in told
    assert "Traceback" not in told
    monkeypatch.setenv("RINGWALL_DEBUG", "1")
    assert run(["status"]) == FAILED
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(ringwall: Program, shell: str) -> None:
    done = ringwall("completion", shell)
    assert done.returncode == OK
    assert "_RINGWALL_COMPLETE" in done.stdout


def test_completion_offers_verbs(ringwall: Program) -> None:
    done = ringwall(_RINGWALL_COMPLETE="bash_complete", COMP_WORDS="ringwall co", COMP_CWORD="1")
    assert done.stdout.splitlines() == ["plain,completion"]
    done = ringwall(_RINGWALL_COMPLETE="bash_complete", COMP_WORDS="ringwall", COMP_CWORD="1")
    assert done.stdout.splitlines() == [f"plain,{verb}" for verb in VERBS]
    done = ringwall(_RINGWALL_COMPLETE="bash_complete", COMP_WORDS="ringwall log ver", COMP_CWORD="2")
    assert done.stdout.splitlines() == ["plain,verify"]


def test_piped_output_has_no_colours(ringwall: Program) -> None:
    assert "\x1b" not in ringwall("--help").stdout + ringwall("nosuch").stderr


@pytest.mark.parametrize("arguments", [(), ("log",), ("import",)])
def test_a_missing_verb_shows_the_verbs(ringwall: Program, arguments: tuple[str, ...]) -> None:
    done = ringwall(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == ringwall(*arguments, "--help").stdout
