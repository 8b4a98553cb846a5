"""One warm reader for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reading.world import Reading, a_reading


@pytest.fixture(scope="session")
def reading() -> Iterator[Reading]:
    with a_reading() as made:
        yield made
