"""The sieve for secrets: each row of its table, in three languages, and what it must leave alone."""

import random
import re
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringwall.harvest import mask as masking
from ringwall.harvest.mask import MASK, TEXT_LIMIT, mask, rows, visible

MATCH = [(row.name, example) for row in rows() for example in row.match]
NO_MATCH = [(row.name, example) for row in rows() for example in row.no_match]
SECRET = re.compile("⟦(.*?)⟧", re.DOTALL)
AROUND = ["Remove {} from the file.", "Убери {} из файла.", "请把 {} 从文件里删掉。", "см.{}!", "删掉{}。"]


@pytest.mark.parametrize(("name", "example"), MATCH)
def test_each_row_stars_its_examples(name: str, example: str) -> None:
    assert mask(SECRET.sub(r"\1", example)) == SECRET.sub(MASK, example)


@pytest.mark.parametrize(("name", "example"), NO_MATCH)
def test_each_row_leaves_its_counter_examples(name: str, example: str) -> None:
    assert mask(example) == visible(example)


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize(("name", "example"), MATCH)
def test_the_words_around_a_secret_do_not_matter(name: str, example: str, around: str) -> None:
    starred = mask(around.format(SECRET.sub(r"\1", example)))
    for secret in SECRET.findall(example):
        assert secret not in starred


@pytest.mark.parametrize(("name", "example"), MATCH)
def test_a_secret_cannot_hide_behind_characters_that_nobody_sees(name: str, example: str) -> None:
    text = "\u200b".join(SECRET.sub(r"\1", example))
    for secret in SECRET.findall(example):
        assert secret not in mask(text)


@pytest.mark.parametrize(("name", "example"), MATCH)
def test_what_is_starred_stays_starred(name: str, example: str) -> None:
    once = mask(SECRET.sub(r"\1", example))
    assert mask(once) == once


@given(st.text(max_size=400))
def test_any_text_can_be_masked_and_again(text: str) -> None:
    once = mask(text)
    assert mask(once) == once


PLAIN = [
    "User supplied filename goes straight into open() - path traversal.",
    "Use uuid for the trace header name.",
    "dict[str, Any] everywhere defeats the checker - define a TypedDict.",
    "Keep src/ringwall/harvest/mask.py under 150 lines, see docs/adr/0080-masking.md",
    "Rename getUserAuthenticationTokenFromRequestHeaderOrCookie, it is too long",
    "sk-learn and a risk-averse choice",
    "Не клади ключи словаря в отдельный модуль, см. tests/harvest/test_mask.py",
    "Токены считай по модели, а не на глаз.",
    "主键要用 UUID,不要自增。",
    "不要把密码写进日志",
    "Set max_tokens=4096 and retry 3 times",
    "Release 2026.11.30 breaks http://localhost:8080/path?x=1",
    "The password must not be logged; the token belongs in the environment.",
    "Use git rebase --interactive instead of merge; see RFC 8785 section 3.2.2.3",
    "Пароль хранить нельзя, ключ бери из окружения.",
    "The api key is read from the environment, not from a constant.",
    "Пиши secret в нижнем регистре",
]


@pytest.mark.parametrize("text", PLAIN)
def test_plain_notes_are_left_alone(text: str) -> None:
    assert mask(text) == text


@pytest.mark.parametrize("seed", range(60))
def test_random_keys_of_forty_characters_are_starred(seed: int) -> None:
    chance = random.Random(seed)
    key = "".join(chance.choice(string.ascii_letters + string.digits + "+/") for _ in range(40))
    text = mask(f"ключ был {key} в файле")
    assert key not in text


def test_what_is_too_long_is_left_out_and_counted() -> None:
    text = "note " * TEXT_LIMIT
    starred = mask(text)
    assert starred.endswith(f"*** [{len(text) - TEXT_LIMIT} characters left out]")
    assert len(starred) < TEXT_LIMIT + 100


HOSTILE = [
    "sk-" * 350_000,
    "a" * 1_000_000,
    "password=" * 120_000,
    "eyJ" + "a" * 1_000_000,
    "-----BEGIN A-----" * 60_000,
    "x://:" * 200_000,
    "a.b_" * 250_000,
    "bearer " * 150_000,
    "token " * 150_000,
    "пароль " * 150_000,
    "\u200b" * 1_000_000,
    "authorization:" * 70_000,
    "a@b:" * 250_000,
    "0" * 1_000_000,
    "Aa0" * 340_000,
    "k_live_" * 140_000,
    "cookie:a=" * 110_000,
    "密码是" * 300_000,
    "token_" * 160_000,
    "a_token" * 140_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=[text[:9] for text in HOSTILE])
def test_a_megabyte_of_anything_costs_no_more_than_its_beginning(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[int] = []
    inner = masking._spans
    monkeypatch.setattr(masking, "_spans", lambda seen: (looked_at.append(len(seen)), inner(seen))[1])
    begun = time.process_time()
    mask(text)
    print(f"{(time.process_time() - begun) * 1000:.1f} ms")
    assert max(looked_at) <= TEXT_LIMIT
