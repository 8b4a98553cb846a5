"""The front door: any text yields an analysis."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ringwall.model.action import Action, Kind
from ringwall.shell.analyse import analyse, command_pattern
from ringwall.shell.evaluate import MOST_COMPARED

from .world import ROOT, World, analysed, effects, second_reading


def test_plain_commands_observe() -> None:
    assert effects("git status") == {"observe"}
    assert effects("") == {"observe"}
    assert effects("# git push") == {"observe"}


def test_a_call_without_text_is_a_doubt() -> None:
    analysis = analyse(Action(Kind.SHELL, "Bash", {}, ROOT), World())
    assert [doubt.code for doubt in analysis.doubts] == ["unreadable"]


def _out_of_order(_: object) -> None:
    raise KeyError("engine")


def test_a_fault_of_the_engine_is_a_doubt_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = analysed("git push; ls")
    monkeypatch.setattr("ringwall.shell.evaluate.understand", _out_of_order)
    broken = analysed("cd src; git push; ls")
    assert [(doubt.code, str(doubt.reason)) for doubt in broken.doubts] == [
        ("unreadable", "Ringwall failed to understand it (KeyError)")
    ]
    assert not whole.doubts


def test_what_was_found_before_a_fault_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ringwall.shell.tasks.run", lambda *_: _out_of_order(None))
    broken = analysed("git push; make all; ls")
    assert [doubt.code for doubt in broken.doubts] == ["unreadable"]
    assert "git.push" in {effect.name for effect in broken.effects}


def test_only_faults_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ringwall.shell.evaluate.understand", stopped)
    with pytest.raises(KeyboardInterrupt):
        analysed("ls")


@pytest.mark.parametrize("directory", ["", ".", "relative", "/"])
def test_any_directory_will_do(directory: str) -> None:
    assert analysed("rm -rf x", cwd=directory).effects


_PIECES = st.sampled_from(
    ("git push", "rm -rf", "$X", "${X:-y}", "'", '"', "`", "$(", ")", "(", "{", "}", ";", "&&", "|", "\n",
     "<<EOF", "EOF", "<(", ">", "bash -c", "eval", "f()", "f", "for i in a;do", "done", "if", "then", "fi",
     "xargs", "find .", "-exec", "{}", "\\;", "python3 -c", "node -e", "source", "trap", "cd", "..", "/", "~",
     "*", "\x00", "\r", "é", "=", "x=1", "!", "#", "\\", "$'", "case x in", "esac", "make", "npm run x",
     "awk", "sudo", "export", "read", "while", "do", "&", "exec 3<", "<&3", "unset", "parallel", ":::")
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(_PIECES, max_size=14).map(" ".join))
def test_any_text_yields_one_analysis(text: str) -> None:
    first = analysed(text)
    assert first.effects or first.doubts
    assert analysed(text) == first


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_any_characters_will_do(text: str) -> None:
    analysed(text)
    analysed("bash -c '" + text.replace("'", "") + "'")
    analysed("python3 -c '" + text.replace("'", "") + "'")
    analysed("node -e '" + text.replace("'", "") + "'")
    analysed("perl -e '" + text.replace("'", "") + "'")


def test_rule_texts_are_read_as_commands_are() -> None:
    rule = command_pattern("git push:*")
    assert rule.prefix
    assert rule.invocation == analysed("git push").commands[0].invocation
    assert command_pattern("git push *") == command_pattern("git push *")
    assert command_pattern("npm run test").prefix is False
    assert command_pattern("*").invocation is None
    assert command_pattern("").invocation is None


def test_the_second_reader_is_asked_a_bounded_number_of_times() -> None:
    world = World()
    asked: list[str] = []
    world.second_reading = lambda text: asked.append(text) or second_reading(text)  # type: ignore[method-assign]
    text = "; ".join(f"eval 'coproc N{n} {{ id; }}'" for n in range(40))
    found = analyse(Action(Kind.SHELL, "Bash", {"command": text}, ROOT), world)
    assert 0 < len(asked) <= MOST_COMPARED
    assert found.doubts
