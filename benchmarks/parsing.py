"""How well and how fast command lines are read: `python benchmarks/parsing.py FILE…`.

Each FILE is JSON Lines with `cmd`; `correct_commands` (argv of every simple command, nested substitutions as
`$(…)`) is bash's own reading where a row has it, `bash` or `bash_n` its verdict on the syntax. Rows without a
reading are measured against shfmt's, which is then run for every row. A row counts as wrong only when the
reading carries no doubt.
"""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from tree_sitter import Parser

from ringwall.shell import ast
from ringwall.shell.bounds import BoundError
from ringwall.shell.read import Reading, read
from ringwall.shell.reader_shfmt import read_second
from ringwall.shell.reader_treesitter_parse import LANGUAGE, shadow_of
from ringwall.shell.simple import nodes
from ringwall.shell.words import ansi_c

T = TypeVar("T")
Argv = tuple[str, ...]
COMMANDS = ("command", "declaration_command", "unset_command", "test_command")
SHFMT = Path(sys.executable).with_name("shfmt")
PARSER = Parser(LANGUAGE)
LIMIT = 60_000
"""Longer texts are read and timed, but not compared."""


def shfmt(text: str) -> bytes | None:
    try:
        data = text.encode()
    except UnicodeEncodeError:
        return None
    run = subprocess.run([SHFMT, "--to-json", "-ln", "bash"], input=data, capture_output=True, check=False)
    return run.stdout if run.returncode == 0 else None


def bash_accepts(text: str) -> bool:
    try:
        run = subprocess.run(
            ["bash", "-n"], input=text.encode("utf-8", "surrogatepass"), capture_output=True, timeout=20
        )
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0


# ---- readings as argv with placeholders


def argvs(script: ast.Script | None, text: str) -> Counter[Argv]:
    found: Counter[Argv] = Counter()
    for node in nodes(script):
        words = [placed(word, text) for word in node.words]
        if isinstance(node, ast.Declaration):
            words = [node.keyword, *words, *(assigned(a, text) for a in node.assigns)]
        if words:
            found[tuple(words)] += 1
    return found


def assigned(assign: ast.Assign, text: str) -> str:
    index = "" if assign.index is None else f"[{assign.index.raw}]"
    value = "" if assign.value is None else placed(assign.value, text)
    if assign.array is not None:
        value = f"({' '.join(placed(word, text) for word in assign.array)})"
    return f"{assign.name}{index}{'+' * assign.append}={value}"


def placed(word: ast.Word, text: str) -> str:
    """A word as written, with `$(…)` for each substitution in it."""
    out, at = [], word.span[0]
    for (start, end), mark in sorted(substitutions(word)):
        lead = 1 if text[start - 1 : start] == "`" else 2
        if start - lead < at:
            continue
        out += [text[at : start - lead], mark]
        at = end + 1
    if not out:
        return as_bash_keeps_it(word.raw)
    return as_bash_keeps_it("".join([*out, text[at : word.span[1]]]).replace("\\\n", ""))


def as_bash_keeps_it(raw: str) -> str:
    """bash decodes `$'…'` and drops the dollar of `$"…"` while it reads."""
    raw = re.sub(r"\$'((?:[^'\\]|\\.)*)'", lambda m: f"'{ansi_c(m[1])}'", raw, flags=re.DOTALL)
    return raw[1:] if raw.startswith('$"') else raw


def substitutions(word: ast.Word) -> list[tuple[ast.Span, str]]:
    found: list[tuple[ast.Span, str]] = []
    for part in word.parts:
        if isinstance(part, ast.CommandSub):
            found.append((part.script.span, "$(…)"))
        elif isinstance(part, ast.ProcessSub):
            found.append((part.script.span, f"{part.mode}(…)"))
        elif isinstance(part, ast.Param):
            found += substitutions(part.arg) if part.arg else []
        elif not isinstance(part, ast.Literal):
            for inner in part.words:
                found += substitutions(inner)
    return found


# ---- the baseline


def raw_walk(text: str) -> tuple[bool, list[Argv]]:
    """What tree-sitter says when its tree is taken as it is."""
    root = PARSER.parse(shadow_of(text).encode("ascii")).root_node
    found: list[Argv] = []
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type in COMMANDS:
            words = [c for c in node.children if c.type not in ("variable_assignment", "file_redirect")]
            if words and words[0].type != "[[":
                found.append(tuple(text[c.start_byte : c.end_byte] for c in words))
        pending.extend(node.children)
    return root.has_error, found


# ---- one file


class Tally:
    def __init__(self) -> None:
        self.rows = self.doubts = self.seconds = self.missed = self.wrong = self.accepted = self.compared = 0
        self.valid = self.valid_doubts = 0
        self.base_errors = self.base_missed = 0
        self.examples: list[str] = []
        self.times: list[float] = []
        self.plain: list[float] = []
        self.base: list[float] = []
        self.reasons: Counter[str] = Counter()


def best(work: Callable[[], T], turns: int) -> tuple[float, T]:
    shortest, result = float("inf"), work()
    for _ in range(turns):
        start = time.perf_counter()
        result = work()
        shortest = min(shortest, time.perf_counter() - start)
    return shortest * 1e6, result


def names(found: Counter[Argv]) -> Counter[str]:
    return Counter(argv[0] for argv in found.elements())


def judge(row: dict[str, object], tally: Tally, known: dict[str, list[list[str]] | None]) -> None:
    text = str(row["cmd"])
    outputs: dict[str, bytes | None] = {}

    def second(plain: str) -> bytes | None:
        outputs[plain] = shfmt(plain)
        return outputs[plain]

    once, reading = best(lambda: read(text, second), 0 if len(text) > LIMIT else 1)
    if not reading.second_used:
        once, reading = best(lambda: read(text, second), 2)
        tally.plain.append(once)
    base, (error, walked) = best(lambda: raw_walk(text), 0 if len(text) > LIMIT else 3)
    tally.rows += 1
    tally.seconds += reading.second_used
    tally.doubts += bool(reading.doubts)
    tally.reasons.update({doubt.code for doubt in reading.doubts})
    tally.base_errors += error
    if len(text) <= LIMIT:
        tally.times.append(once)
        tally.base.append(base)
        compare(row, text, reading, Counter(walked) if not error else None, tally, known)


def compare(
    row: dict[str, object],
    text: str,
    reading: Reading,
    walked: Counter[Argv] | None,
    tally: Tally,
    known: dict[str, list[list[str]] | None],
) -> None:
    if "bash" in row:
        valid = row["bash"] == "valid"
    else:
        valid = row["bash_n"] == 0 if "bash_n" in row else bash_accepts(text)
    if not valid:
        tally.accepted += not reading.doubts
        if not reading.doubts:
            tally.examples.append(f"accepts what bash rejects: {text[:100]!r}")
        return
    tally.valid += 1
    tally.valid_doubts += bool(reading.doubts)
    correct = row.get("correct_commands") or known.get(text)
    if correct is not None:
        truth: Counter[Argv] = Counter(tuple(map(as_bash_keeps_it, argv)) for argv in correct)  # type: ignore[attr-defined]
    else:
        output = shfmt(text)
        if output is None:
            return
        try:
            truth = argvs(read_second(text, output), text)
        except BoundError:
            return
    tally.compared += 1
    if walked is not None:
        tally.base_missed += sum((names(truth) - names(walked)).values())
    if reading.doubts:
        return
    found = argvs(reading.script, text)
    missed = names(truth) - names(found)
    tally.missed += sum(missed.values())
    if found != truth:
        tally.wrong += 1
        tally.examples.append(
            f"{text[:100]!r}: lost {list(truth - found)[:3]} invented {list(found - truth)[:3]}"
        )


def report(file: Path, known: dict[str, list[list[str]] | None]) -> Tally:
    tally = Tally()
    for line in file.read_text("utf-8", "surrogatepass").splitlines():
        judge(json.loads(line), tally, known)
    return tally


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0.0


def main(files: list[str]) -> None:
    known: dict[str, list[list[str]] | None] = {}
    for file in files:
        for line in Path(file).read_text("utf-8", "surrogatepass").splitlines():
            row = json.loads(line)
            if row.get("correct_commands") is not None:
                known[row["cmd"]] = row["correct_commands"]
    for file in files:
        tally = report(Path(file), known)
        print(f"\n{file}: {tally.rows} rows, {tally.compared} compared with a correct reading")
        print(f"{'':34}{'ringwall':>12}{'tree-sitter':>14}")
        share = 100 / max(1, tally.rows)
        rows = [
            ("commands silently missed", tally.missed, tally.base_missed),
            ("wrong readings without doubt", tally.wrong, "-"),
            ("rejected by bash, yet no doubt", tally.accepted, "-"),
            ("doubts, %", f"{tally.doubts * share:.2f}", f"{tally.base_errors * share:.2f}"),
            ("doubts where bash accepts, %", f"{100 * tally.valid_doubts / max(1, tally.valid):.2f}", "-"),
            ("read by the second reader too, %", f"{tally.seconds * share:.2f}", "-"),
            ("µs, median", f"{statistics.median(tally.times):.1f}", f"{statistics.median(tally.base):.1f}"),
            ("µs, p99", f"{percentile(tally.times, 0.99):.0f}", f"{percentile(tally.base, 0.99):.0f}"),
            ("µs, median of the plain ones", f"{statistics.median(tally.plain or [0]):.1f}", "-"),
            ("µs, p99 of the plain ones", f"{percentile(tally.plain, 0.99):.0f}", "-"),
        ]
        for title, ours, baseline in rows:
            print(f"{title:34}{ours:>12}{baseline:>14}")
        print("doubts:", dict(tally.reasons))
        for example in tally.examples[:20]:
            print("  ", example)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
