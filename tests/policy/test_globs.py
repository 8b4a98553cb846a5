import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringwall.model.analysis import HOLE
from ringwall.policy.globs import alternatives, overlap, path_regex


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("src/**", "src/a/b.py", True),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/a/b.py", False),
        ("src/**/b.py", "src/b.py", True),
        ("src/**/b.py", "src/x/y/b.py", True),
        ("**/b.py", "b.py", True),
        ("a?c", "abc", True),
        ("a?c", "a/c", False),
        ("a[0-9].txt", "a7.txt", True),
        ("a[!0-9].txt", "a7.txt", False),
        ("*.{ts,js}", "x.js", True),
        ("*.{ts,js}", "x.py", False),
        ("a.b", "axb", False),
        ("a[", "a[", True),
        (r"a\*", "a*", True),
        (r"a\*", "ab", False),
    ],
)
def test_path_globs(glob: str, path: str, matches: bool) -> None:
    assert bool(re.fullmatch(path_regex(glob), path, re.DOTALL)) is matches


@pytest.mark.parametrize(
    ("one", "other", "may"),
    [
        ("/p/src/**", "/p/src/*.py", True),
        ("/p/src/**", "/p/doc/*.py", False),
        ("/p/.env", f"/p/{HOLE}", True),
        ("/p/.env", f"/q/{HOLE}", False),
        ("/p/.env", HOLE, True),
        ("/p/*.pem", "/p/a*.key", False),
        ("**/.env", "/p/**", True),
    ],
)
def test_overlap(one: str, other: str, may: bool) -> None:
    assert overlap(one, other) is may
    assert overlap(other, one) is may


def test_alternatives_are_bounded() -> None:
    assert len(alternatives("{a,b}" * 40)) <= 70


@given(st.text("ab/*?", max_size=8), st.text("ab/", max_size=8))
def test_overlap_never_misses_what_a_glob_matches(glob: str, path: str) -> None:
    if re.fullmatch(path_regex(glob), path, re.DOTALL):
        assert overlap(glob, path)


@given(st.text(max_size=40))
def test_any_text_compiles(glob: str) -> None:
    re.compile(path_regex(glob))
    overlap(glob, glob)
