"""Granted rules: scopes, expiry, revoking."""

from __future__ import annotations

import pytest

from ringwall.approvals import grants
from ringwall.approvals.grants import Scope
from ringwall.model.errors import UsageError

from .conftest import Book


def test_a_grant_holds_for_its_scope_and_time(book: Book) -> None:
    with book.writing() as entry:
        session = grants.give(
            entry, Scope.SESSION, "Bash(make x)", "/p", "s1", "person:ann", book.now, lasts=60
        )
        project = grants.give(entry, Scope.PROJECT, "Bash(make y)", "/p", "s1", "person:ann", book.now)
    now = book.now
    assert session.holds("/p", "s1", now) and not session.holds("/p", "s2", now)
    assert not session.holds("/q", "s1", now) and not session.holds("/p", "s1", now + 60)
    assert project.holds("/p", "s2", now) and not project.holds("/q", "s1", now)
    with book.store.reading() as connection:
        assert [one.number for one in grants.live(connection, now)] == [1, 2]
        assert [one.number for one in grants.live(connection, now + 60)] == [2]


def test_revoked_it_holds_no_longer(book: Book) -> None:
    with book.writing() as entry:
        grants.give(entry, Scope.PROJECT, "Bash(make y)", "/p", "", "person:ann", book.now)
    with book.writing() as entry:
        grants.revoke(entry, 1, "person:ann")
    with book.store.reading() as connection:
        assert grants.live(connection, book.now) == ()
    with pytest.raises(UsageError, match=r"approvals\.no_grant"), book.writing() as entry:
        grants.revoke(entry, 7, "person:ann")


@pytest.mark.parametrize(
    ("scope", "project", "session", "by", "code"),
    [
        (Scope.STEP, "/p", "s", "person:ann", "approvals.no_step"),
        (Scope.ONCE, "/p", "s", "person:ann", "approvals.no_scope"),
        (Scope.SESSION, "/p", "", "person:ann", "approvals.no_scope"),
        (Scope.PROJECT, "", "s", "person:ann", "approvals.no_scope"),
        (Scope.PROJECT, "/p", "s", "agent:claude", "approvals.own"),
    ],
)
def test_what_cannot_be_granted(
    book: Book, scope: Scope, project: str, session: str, by: str, code: str
) -> None:
    with pytest.raises(UsageError) as caught, book.writing() as entry:
        grants.give(entry, scope, "Bash(make y)", project, session, by, book.now)
    assert caught.value.code == code
