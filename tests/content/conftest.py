"""A knowledge base in a folder of its own, and spells of the game that are made up."""

import pytest
from game_spells import Game

from botapp.content.knowledge.base import KnowledgeBase


@pytest.fixture
def base(tmp_path):
    return KnowledgeBase(tmp_path / "knowledge")


@pytest.fixture
def game():
    return Game()
