"""P-01 … P-37: hints before a step, with the exact words of the Russian profile.

The texts, keywords and signals stand here once more, letter by letter; the profile must agree with them.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import ringwall.prestep
from prestep.conftest import ground, session
from prestep.world import HEADING, ROOT, Memory, Session, shop
from ringwall.model.step import USER, Lineage, Message, Step
from ringwall.prestep.harness_check import harness_text, project_root
from ringwall.prestep.injections import Switches, injections
from ringwall.prestep.lineage import is_delegated
from ringwall.prestep.markers import Kind, body_of, is_injection_visible, marker_of
from ringwall.prestep.profile_file import shipped
from ringwall.prestep.role_hint import role_of
from ringwall.setup import install
from ringwall.setup.skill_files import text as skill_text
from threat.conftest import Ground

__all__ = ["ground", "session"]

RU = shipped("ru")
SECTION = "секция «OpenSpec и superpowers» в CLAUDE.md"
QUESTION = (
    "[dsh-harness] Роль сессии неясна. Вызови skill role: dev — код, issue, PR, тест, миграция; "
    "admin — Jira, Гант, спринт; analyst — ТЗ, OQ, спека, методика; qa — стенд, прогон, скриншот, макет. "
    "Задай владельцу один вопрос с этими четырьмя вариантами."
)
KEYWORDS = [
    ("admin", ["jira", "гант", "спринт"]),
    ("qa", ["стенд", "прогон", "скриншот", "макет"]),
    ("analyst", ["тз", "oq", "спека", "методика"]),
    ("dev", ["срез", "issue", "pr", "тест", "миграция"]),
]


def unconnected(missing: str, root: str = ROOT) -> str:
    return (
        f"[dsh-harness] Проект {root} не подключён к обвязке: нет: {missing}. Предложи владельцу настройку: "
        "openspec init --tools agents, codegraph init и секцию «OpenSpec и superpowers» в CLAUDE.md."
    )


def hint(role: str) -> str:
    return f"[dsh-harness] Роль сессии: {role}. Вызови skill role. Если не так — скажи."


def said(*texts: str, **fields: Any) -> Step:
    return Step(messages=tuple(Message(USER, text) for text in texts), **fields)


def given(step: Step, disk: Memory | None = None, cwd: str = ROOT, **off: bool) -> list[str]:
    return list(
        injections(step, cwd, RU, Switches(**off), disk or shop("openspec", ".codegraph", "CLAUDE.md"))
    )


def roles(text: str) -> list[str]:
    """What is told of the role in a project that is connected."""
    return given(said(text))


# ---- purpose


def test_P_01_two_texts_are_injected_before_a_step_and_each_can_be_switched_off() -> None:
    both = [unconnected(f"openspec/; .codegraph/; {SECTION}"), hint("dev")]
    assert given(said("Напиши тест"), shop()) == both
    assert given(said("Напиши тест"), shop(), harness_check=False) == both[1:]
    assert given(said("Напиши тест"), shop(), role_hint=False) == both[:1]
    assert given(said("Напиши тест"), shop(), enabled=False) == []


def test_P_02_texts_are_built_by_pure_functions_of_file_reads() -> None:
    allowed = {"__future__", "ast", "collections.abc", "dataclasses", "enum", "functools", "hashlib",
               "importlib.resources", "msgspec", "posixpath", "re", "tomllib", "typing"}  # fmt: skip
    for source in Path(str(files(ringwall.prestep))).glob("*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            ours = ("ringwall.model.", "ringwall.prestep.")
            assert all(name in allowed or name.startswith(ours) for name in names), (source.name, names)
    disk = shop()
    given(said("тест"), disk)
    assert all(path.startswith(ROOT) for path in disk.looked)


def test_P_03_bootstrap_has_the_same_markers_and_visibility() -> None:
    text = "Ringwall is on."
    assert re.fullmatch(r"<!-- DSH-HARNESS-BOOTSTRAP:[0-9a-f]{16} -->", marker_of(text, Kind.BOOTSTRAP))
    assert is_injection_visible([body_of(text, Kind.BOOTSTRAP)], (), marker_of(text, Kind.BOOTSTRAP))
    assert not is_injection_visible([body_of(text, Kind.BOOTSTRAP)], (), marker_of(text))


# ---- harness-check


def test_P_04_the_step_of_an_unconnected_project_goes_on_with_one_message_more(session: Session) -> None:
    told = session.start()  # exit status 0 and no decision: the step goes on
    assert told.count("не подключён к обвязке") == 1
    assert len(given(Step(), shop())) == 1


@pytest.mark.parametrize("git", [None, "gitdir: /elsewhere/.git/worktrees/shop\n"])
def test_P_05_the_root_is_the_nearest_directory_with_git_in_it(git: str | None) -> None:
    disk = shop(git=git)
    assert project_root(f"{ROOT}/dsh/bundle", disk) == ROOT
    disk.entries[f"{ROOT}/dsh/.git"] = git
    assert project_root(f"{ROOT}/dsh/bundle", disk) == f"{ROOT}/dsh"


def test_P_06_outside_git_nothing_is_injected() -> None:
    assert project_root("/home/dev/notes", shop()) is None
    assert given(Step(), shop(), cwd="/home/dev/notes") == []


def test_P_07_there_are_exactly_three_signals_in_this_order() -> None:
    assert [(signal.path, signal.heading) for signal in RU.harness.signals] == [
        ("openspec", ""), (".codegraph", ""), ("CLAUDE.md", HEADING),
    ]  # fmt: skip
    disk = shop()
    given(Step(), disk)
    assert disk.looked[-3:] == [f"{ROOT}/openspec", f"{ROOT}/.codegraph", f"{ROOT}/CLAUDE.md"]
    disk.entries[f"{ROOT}/openspec"] = "a file is no directory"
    disk.entries[f"{ROOT}/CLAUDE.md"] = f"#{HEADING}\n{HEADING}, quoted\nsee {HEADING}\n"
    assert given(Step(), disk) == [unconnected(f"openspec/; .codegraph/; {SECTION}")]


@pytest.mark.parametrize(
    ("present", "missing"),
    [
        (["openspec", ".codegraph", "CLAUDE.md"], ""),
        ([".codegraph"], f"openspec/; {SECTION}"),
        (["openspec", "CLAUDE.md"], ".codegraph/"),
        (["openspec", ".codegraph"], SECTION),
        ([], f"openspec/; .codegraph/; {SECTION}"),
    ],
)
def test_P_08_only_what_is_missing_is_listed_in_order(present: list[str], missing: str) -> None:
    assert given(Step(), shop(*present)) == ([unconnected(missing)] if missing else [])


def test_P_09_the_text_is_exact() -> None:
    assert RU.harness.text == (
        "[dsh-harness] Проект {root} не подключён к обвязке: нет: {missing}. Предложи владельцу настройку: "
        "openspec init --tools agents, codegraph init и секцию «OpenSpec и superpowers» в CLAUDE.md."
    )
    assert RU.harness.separator == "; "
    odd = "/home/dev/{missing}"
    assert given(Step(), shop("openspec", ".codegraph", root=odd), cwd=odd) == [unconnected(SECTION, odd)]


@pytest.mark.parametrize("name", ["en", "ru", "zh"])
def test_P_10_no_artefact_of_another_host_is_named(name: str) -> None:
    text = files(ringwall.prestep).joinpath("profiles", f"{name}.toml").read_text(encoding="utf-8")
    for artefact in ("~/.claude", "adopt-project.sh", ".claude/code-paths"):
        assert artefact not in text


@pytest.mark.parametrize("name", ["enabled", "harnessCheck"])
def test_P_11_harnessCheck_and_the_bundles_enabled_are_on_unless_switched_off(name: str) -> None:
    assert given(Step(switches=(("enabled", True), ("harnessCheck", True))), shop())
    assert given(Step(), shop())
    assert not given(Step(switches=((name, False),)), shop())


def test_P_12_it_works_without_bootstrap() -> None:
    assert given(Step(switches=(("bootstrap", False), ("harnessCheck", True))), shop())


def test_P_13_the_check_reads_files_and_runs_no_git() -> None:
    source = files(ringwall.prestep).joinpath("harness_check.py").read_text(encoding="utf-8")
    assert not re.search(r"subprocess|popen|os\.|spawn|exec", source)
    disk = shop("openspec")
    assert harness_text(ROOT, RU.harness, disk)
    assert set(disk.looked) == {f"{ROOT}/.git", f"{ROOT}/openspec", f"{ROOT}/.codegraph", f"{ROOT}/CLAUDE.md"}


def test_P_14_scenarios_of_the_harness_check(session: Session, ground: Ground) -> None:
    root = str(ground.project)
    (ground.project / ".codegraph").mkdir()
    told = session.start()
    assert unconnected(f"openspec/; {SECTION}", root) in told  # unconnected
    session.cwd = str(ground.project / "src")
    session.compacts()
    assert unconnected(f"openspec/; {SECTION}", root) in session.start("compact")  # a sub-directory
    ground.write("~/.config/ringwall/ringwall.toml",
                 '[prestep]\nprofile = "ru"\nharness_check = false\n')  # fmt: skip
    assert "обвязке" not in session.start("clear")  # switched off, and only this one
    assert hint("dev") in session.says("Напиши тест для модуля")
    ground.write("~/.config/ringwall/ringwall.toml", '[prestep]\nprofile = "ru"\n')
    (ground.project / "openspec").mkdir()
    ground.write("CLAUDE.md", f"# App\n{HEADING}\n")
    assert "обвязке" not in session.start("clear")  # connected
    session.cwd = str(ground.home)
    assert "обвязке" not in session.start("clear")  # outside git


# ---- role-hint


def test_P_15_the_role_is_read_from_the_first_message_and_not_stated_as_a_fact() -> None:
    both = said("Напиши тест", "Обнови Jira")
    assert given(both) == [hint("dev")]
    assert "Если не так — скажи." in hint("dev")


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        ([Message("user", "тест")], [hint("dev")]),
        ([Message("runtime-context", "тест")], []),
        ([Message("user", " \n")], []),
        ([Message("plugin", "jira"), Message("user", ""), Message("user", "тест")], [hint("dev")]),
    ],
)
def test_P_16_only_a_persons_text_is_a_trigger(messages: list[Message], told: list[str]) -> None:
    assert given(Step(messages=tuple(messages))) == told


@pytest.mark.parametrize(
    "own",
    [
        "<!-- DSH-HARNESS-PRESTEP:0123456789abcdef -->\nтест",
        "<!-- DSH-HARNESS-BOOTSTRAP:0123456789abcdef -->",
        "сначала [dsh-harness] тест",
        "[claude-harness] тест",
    ],
)
def test_P_17_own_injections_are_left_out_before_a_role_is_chosen(own: str) -> None:
    assert given(said(own)) == []
    assert given(said(own, "Обнови Jira")) == [hint("admin")]


def test_P_18_without_new_words_of_a_person_nothing_is_told() -> None:
    assert given(Step()) == []
    assert given(Step(messages=(Message("job", "тест"),))) == []


def test_P_19_keywords_and_their_priority() -> None:
    assert [(role.name, [word.text for word in role.keywords]) for role in RU.role.roles] == KEYWORDS
    for role, words in KEYWORDS:
        for word in words:
            assert roles(f"Итак: {word.upper()}.") == [hint(role)], word
    for first, (role, words) in enumerate(KEYWORDS):
        for _, later in KEYWORDS[first + 1 :]:
            assert roles(f"{later[0]} {words[0]}") == [hint(role)]


@pytest.mark.parametrize("text", ["PR", "pr.", "смотри pr", "(PR)", "pr-ветка"])
def test_P_20_pr_matches_as_a_word(text: str) -> None:
    assert roles(text) == [hint("dev")]


@pytest.mark.parametrize("text", ["preview", "пр", "prod", "spr", "pr_1"])
def test_P_20_pr_does_not_match_inside_a_word(text: str) -> None:
    assert roles(text) == [QUESTION]


@pytest.mark.parametrize("text", ["миграцию", "миграции", "спеку"])
def test_P_21_inflections_that_change_the_stem_do_not_match(text: str) -> None:
    assert role_of(text, RU.role.roles) is None


@pytest.mark.parametrize(
    ("text", "role"), [("теста", "dev"), ("issue-трекер", "dev"), ("ТЗ-документ", "analyst")]
)
def test_P_21_forms_that_contain_the_keyword_match(text: str, role: str) -> None:
    assert roles(text) == [hint(role)]


def test_P_22_the_hint_is_exact() -> None:
    assert RU.role.hint == "[dsh-harness] Роль сессии: {role}. Вызови skill role. Если не так — скажи."


def test_P_23_the_question_is_exact() -> None:
    assert RU.role.question == QUESTION
    assert roles("Привет") == [QUESTION]


def test_P_24_roleHint_is_on_unless_switched_off_and_needs_no_bootstrap() -> None:
    assert given(said("тест", switches=(("bootstrap", False),))) == [hint("dev")]
    assert given(said("тест", switches=(("roleHint", False),))) == []
    assert given(said("тест", switches=(("enabled", False),))) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Напиши тест для модуля", [hint("dev")]),
        ("Перенеси из jira в спринт тест", [hint("admin")]),
        ("Здравствуй", [QUESTION]),
        (QUESTION, []),
        ("[claude-harness] Роль сессии: dev.", []),
        ("", []),
        ("Сделай миграцию и обнови спеку", [QUESTION]),
        ("Открой preview", [QUESTION]),
        ("Открой preview и PR", [hint("dev")]),
    ],
)
def test_P_25_scenarios_of_the_role_hint(text: str, told: list[str]) -> None:
    assert roles(text) == told


# ---- subagents

DELEGATED = [Lineage(origin="subagent"), Lineage(delegation_depth=1), Lineage(subagent_depth=1)]


@pytest.mark.parametrize("lineage", DELEGATED)
def test_P_26_a_delegated_step_gets_neither(lineage: Lineage) -> None:
    assert given(said("Напиши тест", lineage=lineage), shop()) == []


@pytest.mark.parametrize("lineage", DELEGATED)
def test_P_27_each_signal_of_the_runtime_alone_means_delegated(lineage: Lineage) -> None:
    assert is_delegated(lineage)


@pytest.mark.parametrize(
    "lineage", [Lineage(), Lineage(parent="session-1"), Lineage(origin="fork", parent="s")]
)
def test_P_28_a_fork_is_no_subagent(lineage: Lineage) -> None:
    assert not is_delegated(lineage)
    assert len(given(said("Напиши тест", lineage=lineage), shop())) == 2


# ---- once, as long as it is visible


def test_P_29_the_marker_is_made_from_the_text_and_stands_first(session: Session) -> None:
    told = session.says("Напиши тест")
    body = told[told.index(marker_of(hint("dev"))) :].split("\n")
    assert body[:2] == [marker_of(hint("dev")), hint("dev")]
    assert re.fullmatch(r"<!-- DSH-HARNESS-PRESTEP:[0-9a-f]{16} -->", body[0])
    assert marker_of("a") != marker_of("b")


def test_P_30_what_is_visible_is_not_added_again(session: Session) -> None:
    assert hint("dev") in session.says("Напиши тест")
    assert session.says("Напиши ещё один тест") == ""


def test_P_31_the_messages_of_the_step_are_looked_at_first_then_the_surface() -> None:
    marker = marker_of("text")

    def unread() -> Any:
        raise AssertionError("the surface was read")
        yield

    assert is_injection_visible(unread(), [Message("harness", body_of("text"))], marker)
    assert is_injection_visible([body_of("other"), f"before\n\n{body_of('text')}"], [], marker)
    assert not is_injection_visible([f"a quotation of {marker} is none", "text"], [], marker)


def test_P_32_after_compaction_it_is_told_again(session: Session) -> None:
    assert hint("dev") in session.says("Напиши тест")
    session.compacts()
    assert hint("dev") in session.says("Напиши тест")
    assert session.says("Напиши тест") == ""


def test_P_33_what_was_told_counts_by_its_words_not_by_the_session(session: Session, ground: Ground) -> None:
    first = session.start()
    assert unconnected(f"openspec/; .codegraph/; {SECTION}", str(ground.project)) in first
    assert session.says("Напиши тест") == body_of(hint("dev"))
    assert session.says("Спасибо") == body_of(QUESTION)
    assert session.says("Обнови jira") == body_of(hint("admin"))
    assert session.says("Напиши тест") == ""
    assert "обвязке" not in session.start("resume")
    (ground.project / "openspec").mkdir()
    assert unconnected(f".codegraph/; {SECTION}", str(ground.project)) in session.start("resume")


def test_P_34_scenarios_of_telling_again(session: Session) -> None:
    session.start()
    assert hint("dev") in session.says("Напиши тест")
    assert session.says("Напиши тест") == ""  # the same text
    assert session.says("Привет") == body_of(QUESTION)  # another text
    session.compacts()
    assert "обвязке" in session.start("compact")  # after /compact
    assert session.says("Напиши тест") == body_of(hint("dev"))
    assert session.says("Обнови Jira") == body_of(hint("admin"))  # another role


# ---- the installer

RINGWALL = os.path.join(os.path.dirname(sys.executable), "ringwall")


def program(folder: Path, name: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("#!/bin/sh\nexit 0\n")
    (folder / name).chmod(0o755)


def command_line(tmp_path: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "home").mkdir(exist_ok=True)
    whole = {"HOME": str(tmp_path / "home"), "RINGWALL_HOME": str(tmp_path / "state"), **env}
    return subprocess.run(
        [RINGWALL, *words], env=whole, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )


def test_P_35_check_names_what_is_missing_on_a_path_of_a_stub_directory_alone(tmp_path: Path) -> None:
    stub = tmp_path / "stub"
    for name in ("git", "codegraph"):
        program(stub, name)
    done = command_line(tmp_path, "install", "--check", PATH=str(stub))
    assert done.returncode == 1
    assert "✗ openspec is not on PATH" in done.stdout
    assert "npm install -g @fission-ai/openspec" in done.stdout
    assert "✓ codegraph" in done.stdout
    program(stub, "openspec")
    done = command_line(tmp_path, "install", "--check", PATH=str(stub))
    assert done.returncode == 0, done.stdout
    assert f"✓openspecis{stub}/openspec" in "".join(done.stdout.split())  # however wide the terminal is


@pytest.mark.parametrize("what", ["--global", "--skills"])
def test_P_36_mixed_homes_are_warned_of_once_and_the_installation_goes_on(tmp_path: Path, what: str) -> None:
    elsewhere = tmp_path / "real-dsh"
    elsewhere.mkdir()
    words = ("install", what, "--host", "gemini", "--yes")
    done = command_line(tmp_path, *words, DSH_HOME=str(elsewhere), PATH="/usr/bin:/bin")
    warning = f"WARN: DSH_HOME={elsewhere} both HOME and DSH_HOME must be isolated together"
    assert done.stderr.splitlines().count(warning) == 1
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "home" / ".gemini" / "skills" / "sdd" / "SKILL.md").exists()


def test_P_36_what_is_not_mixed_is_not_warned_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, own, usual = tmp_path / "home", tmp_path / "home" / ".dsh", tmp_path / "usual"
    for folder in (own, usual / ".dsh"):
        folder.mkdir(parents=True)
    monkeypatch.setattr(install, "_usual_home", lambda: str(usual))
    assert install.mixed_homes({"HOME": str(home), "DSH_HOME": str(usual / ".dsh")})
    assert install.mixed_homes({"HOME": str(home), "DSH_HOME": str(own)}) is None
    assert install.mixed_homes({"HOME": str(home), "DSH_HOME": str(tmp_path / "absent")}) is None
    assert install.mixed_homes({"HOME": str(home)}) is None
    assert install.mixed_homes({"HOME": str(usual), "DSH_HOME": str(own)}) is None


def test_P_37_the_skill_sdd_holds_the_order_of_test_driven_work() -> None:
    text = skill_text("sdd").decode("utf-8")
    red = "**RED: write a test and see it fail.** This is mandatory before code."
    green = "**GREEN: write the least code that makes it pass.**"
    assert text.count(red) == 1
    assert text.index(red) < text.index(green)
