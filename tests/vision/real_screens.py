"""The real screens with their labels: not all checkouts have them."""

import os
from pathlib import Path

import pytest

SCREENS = Path(os.environ.get("BOTAPP_SCREENS", Path(__file__).parents[3] / "shared" / "screens"))


def need(file="labels.json"):
    """Returns the mark of a test that reads a file of theirs."""
    why = "the real screens are not here: set BOTAPP_SCREENS to their folder"
    return pytest.mark.skipif(not (SCREENS / file).is_file(), reason=why)
