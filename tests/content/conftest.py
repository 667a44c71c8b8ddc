"""A knowledge base in a folder of its own, and spells of the game that are made up."""

import pytest
from game_spells import Game

from botapp.content.knowledge.base import KnowledgeBase


@pytest.fixture
def folder(tmp_path):
    """Where the person's entries are kept, a file each: `monster-gobbler.toml`."""
    return tmp_path / "knowledge"


@pytest.fixture
def base(folder):
    return KnowledgeBase(folder)


@pytest.fixture
def game():
    return Game()
