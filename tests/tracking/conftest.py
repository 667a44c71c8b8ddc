"""The arena's bestiary."""

import pytest

from botapp.tracking.bestiary import Bestiary, arena_bestiary


@pytest.fixture(scope="session")
def bestiary() -> Bestiary:
    return arena_bestiary()
