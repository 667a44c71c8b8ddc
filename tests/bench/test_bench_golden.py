"""Decisions, readings and fights are those recorded before the modules were moved.

The recording belongs to one kind of machine (another processor may round otherwise), so it is run on demand.
"""

from pathlib import Path

import pytest

from botapp.bench.golden import PARTS, compare

RECORDING = Path(__file__).with_name("golden.json.gz")


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_everything_is_as_recorded() -> None:
    assert compare(RECORDING, lambda _: None, PARTS) == []
