"""Decisions, readings and fights are those recorded before the modules were moved.

The recording belongs to one kind of machine (another processor may round otherwise), so it is run on demand.
"""

import gzip
import json
from pathlib import Path

import pytest

from botapp.bench import golden
from botapp.bench.golden import PARTS, compare

RECORDING = Path(__file__).with_name("golden.json.gz")


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_everything_is_as_recorded() -> None:
    assert compare(RECORDING, lambda _: None, PARTS) == []


def test_parts_that_are_not_recorded_anew_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden, "made", lambda part, progress, limit: [part, limit])
    file = tmp_path / "golden.json.gz"
    golden.record(file, lambda _: None)
    golden.record(file, lambda _: None, ["readings"], 1)
    kept = json.loads(gzip.decompress(file.read_bytes()))
    assert {part: kept[part][1] for part in PARTS} == {"decisions": None, "readings": 1, "tournament": None}
