"""What a reviewing command says, however it says it."""

from __future__ import annotations

import pytest

from ringwall.plan.advice import Advice, Word, advice_of


@pytest.mark.parametrize(
    ("output", "status", "word", "words"),
    [
        ('{"verdict": "approve"}', 0, Word.APPROVE, ""),
        ('{"verdict": "reject", "reason": "step 2 is vague"}', 0, Word.REJECT, "step 2 is vague"),
        ('{"verdict": "REJECT", "reason": "x"}', 3, Word.REJECT, "x"),
        ("approve\n", 0, Word.APPROVE, ""),
        ("Reject: step 2 is vague\nand long", 0, Word.REJECT, "step 2 is vague\nand long"),
        ("APPROVED, nothing to add", 0, Word.APPROVE, "nothing to add"),
        ("I would say yes", 0, Word.NONE, "I would say yes"),
        ('{"verdict": "maybe", "reason": "x"}', 0, Word.NONE, '{"verdict": "maybe", "reason": "x"}'),
        ('{"reason": "x"}', 0, Word.NONE, '{"reason": "x"}'),
        ("[1]", 0, Word.NONE, "[1]"),
        ("", 0, Word.NONE, ""),
        ("approve", 1, Word.NONE, "approve"),
        ("approval is not mine to give", 0, Word.NONE, "approval is not mine to give"),
    ],
)
def test_a_verdict_is_json_or_the_first_word(output: str, status: int, word: Word, words: str) -> None:
    assert advice_of("mentor", output, status) == Advice("mentor", word, words)


def test_nothing_of_a_reviewer_decides() -> None:
    assert {word.value for word in Word} == {"approve", "reject", "none"}
