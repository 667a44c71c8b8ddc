"""A knowledge base in a folder of its own."""

import pytest

from botapp.content.knowledge.base import KnowledgeBase


@pytest.fixture
def base(tmp_path):
    return KnowledgeBase(tmp_path / "knowledge")
