"""The page of readings: what was read as an outline, and nothing of it as a page's own markup."""

from __future__ import annotations

from reading.samples import text as sample
from ringwall.approvals.proposal import State
from ringwall.journal.write import Journal
from ringwall.judge.reading_permits import Permits
from ringwall.reading import protocol
from ringwall.reading.archive import Archive
from ringwall.reading.contract import parse
from ringwall.reading.labels import Label
from ringwall.reading.observation import ROUTE, Observation
from ringwall.reading.scope import Scope

from .world import Browser, World


def kept(world: World, *labels: Label, route: str = "orders") -> int:
    archive = Archive(world.state)
    one = archive.keep(
        Observation(
            at=1_700_000_000, kind=ROUTE, contract="demo", digest="sha256:0", route=route, label="Orders",
            url="https://example.invalid/erp/orders", site_url="https://example.invalid/erp/",
            scope=Scope("fixture", "reader", "demo", "reader"), title="Orders", labels=labels, session="s",
            revision=2, isolation="jail",
            sent=({"request": "page", "status": 200, "size": 9, "milliseconds": 3},),
        )
    )  # fmt: skip
    archive.close()
    return one.number


def test_a_reading_is_an_outline_with_its_evidence_and_its_bounds(world: World, browser: Browser) -> None:
    row = Label("row", within=(Label("cell", "SO-1001"), Label("cell", "pending")))
    first = kept(world, Label("heading", "Orders", level=1), row)
    second = kept(
        world,
        Label("heading", "Orders", level=1),
        Label("row", within=(Label("cell", "SO-1001"), Label("cell", "paid"))),
        Label("text", "<script>alert(1)</script> \u202eevil"),
    )
    other = kept(world, Label("text", "SO-1001 left"), route="deliveries")
    assert "Orders" in browser.get("/readings").words
    page = browser.get(f"/readings/{second}")
    assert "heading 1" in page.words and "SO-1001 | paid" in page.words
    assert "<script>alert(1)" not in page.text and "\u202e" not in page.text
    assert "- row: SO-1001 | pending" in page.words and "+ row: SO-1001 | paid" in page.words
    assert f'href="/readings/{other}"' in page.text
    assert "no server has verified them" in page.words and "page 200, 9 bytes" in page.words
    assert f'href="/readings/{first}"' in browser.get("/readings?words=pending").text
    assert f'href="/readings/{second}"' not in browser.get("/readings?words=pending").text
    assert browser.get("/readings/999999").status >= 400


def test_a_permit_is_confirmed_in_the_queue_with_all_that_it_is_bound_to(
    world: World, browser: Browser
) -> None:
    journal = Journal(world.desk.store)
    permits = Permits(journal, Archive(world.state), world.desk.now)
    contract = parse(sample(reviewBasis="Version 4.2, read by two people"))
    asked = protocol.Enable(
        asker="agent:mcp",
        folder=str(world.project),
        session_id="abc",
        revision=3,
        policy_digest=contract.digest,
    )
    number = permits.ask(asked, contract).number
    for path in ("/", f"/proposals/{number}"):
        page = browser.get(path)
        for part in (contract.digest, contract.id, contract.site_url, "fixture", "reader", "demo"):
            assert part in page.text
        assert "Version 4.2, read by two people" in page.words and "session abc, revision 3" in page.words
        assert "POST https://example.invalid/erp/query" in page.words
    assert browser.decide(number, "approve").status == 303
    standing = permits.look(permits.ask(asked, contract), asked)
    assert standing.approved
    given = permits.grant(standing, contract, "abc", 4)
    assert (given.revision, given.left, given.digest) == (4, 20, contract.digest)
    assert world.desk.one(number).state is State.CONSUMED
