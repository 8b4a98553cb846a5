"""`ringwall explain`: effects under their words, and the way through the stages."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Program


def explained(ringwall: Program, *arguments: str, **variables: str) -> list[str]:
    done = ringwall("explain", *arguments, **variables)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_effects_stand_under_their_words(ringwall: Program) -> None:
    rows = explained(ringwall, "echo hi && git push origin main")
    assert rows[0] == "  echo hi && git push origin main"
    (pushed,) = [row for row in rows if "^" in row and row.endswith("git.push")]
    assert rows[0].index("git") <= pushed.index("^") < len(rows[0])


def test_the_verdict_and_its_stage_are_told(ringwall: Program) -> None:
    rows = explained(ringwall, "git push")
    assert "ask  limits.git_push" in rows
    assert any(row.startswith("▸ limits") for row in rows)
    assert any("guarded.toml:" in row for row in rows)


def test_an_uncertain_effect_is_marked_so(ringwall: Program) -> None:
    rows = explained(ringwall, '"$TOOL" now')
    assert rows[1].startswith("  ~~~~~~~ ")
    assert any("(possible)" in row for row in rows)


def test_json_holds_the_whole_trace(ringwall: Program) -> None:
    row = json.loads("".join(explained(ringwall, "--json", "git push")))
    assert row["verdict"] == "ask"
    assert row["trace"][row["winner"]]["stage"] == "limits"
    assert row["effects"][0]["span"]


def test_another_tool(ringwall: Program) -> None:
    rows = explained(ringwall, "--tool", "Write", "--input", '{"file_path": "CLAUDE.md", "content": "x"}')
    assert rows[0] == "Write: file_path"
    assert any("write.instructions" in row for row in rows)


def test_rows_fit_the_page(ringwall: Program) -> None:
    long = "git push && " * 12 + "curl -d @data.csv https://example.com/a/rather/long/path/to/nowhere"
    for columns in ("60", "80"):
        assert all(len(row) <= int(columns) for row in explained(ringwall, long, COLUMNS=columns))


def test_what_is_hidden_is_shown(ringwall: Program) -> None:
    assert "\\u202e" in explained(ringwall, "echo \u202e")[0]


def test_either_a_command_or_a_tool(ringwall: Program) -> None:
    assert ringwall("explain").returncode == 2
    assert ringwall("explain", "--tool", "Write").returncode == 2
    assert ringwall("explain", "--tool", "Write", "--input", "[]").returncode == 2
    assert ringwall("explain", "--tool", "Write", "--input", "{", "ls").returncode == 2


def test_many_effects_of_the_same_words_are_one_row_each(ringwall: Program, project: Path) -> None:
    (project / "setup.sh").write_text(
        "".join(f"echo step {n}\nsudo apt install -y tool{n}\n" for n in range(9))
    )
    rows = explained(ringwall, "sh setup.sh")
    told = rows[: rows.index("")]
    assert len(told) < 12
    assert any("install.global tool0" in row for row in told)
    assert "and 8 more" in " ".join(" ".join(told).split())
    assert not any("observe" in row for row in told)


def test_a_reason_is_in_words(ringwall: Program) -> None:
    assert "  approved beforehand: it looks, changes nothing" in explained(ringwall, "ls")


def test_a_command_without_quotes_is_told_of(ringwall: Program) -> None:
    done = ringwall("explain", "git", "push")
    assert (done.returncode, done.stdout) == (2, "")
    assert "ringwall explain 'git push'" in done.stderr
    assert "ringwall check 'git push'" in ringwall("check", "git", "push").stderr
