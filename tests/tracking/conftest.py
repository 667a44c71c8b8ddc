"""The arena's bestiary, and the knowledge with a small game's data brought in."""

import madeup_game as made
import pytest

from botapp.content.knowledge.base import KnowledgeBase, knowledge
from botapp.tracking.bestiary import Bestiary, arena_bestiary


@pytest.fixture(scope="session")
def bestiary() -> Bestiary:
    return arena_bestiary()


@pytest.fixture
def game(tmp_path, monkeypatch) -> KnowledgeBase:
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path / "config"))
    base = knowledge()
    base.import_game([made.write(tmp_path / "game", made.small())])
    return base
