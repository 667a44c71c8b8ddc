"""A reading that was written is the reading that is read back."""

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from botapp.runtime.readings import Recorder, from_json, readings, to_json
from vision.frame import Rect
from vision.view import FighterSeen, FightView, Lattice, Phase, Seen, SpellSlot

VIEW = FightView(
    client=Rect(0, 0, 1280, 720),
    phase=Seen(Phase.FIGHT, 0.9),
    turn=Seen("mine", 0.8),
    lattice=Seen(Lattice((10.5, 20.25), 61.9, 30.95), 1.0),
    cells=np.arange(560, dtype=np.uint8) % 5,
    cell_confidence=0.7,
    highlights={"reachable": frozenset({3, 1, 2})},
    player=FighterSeen((1.0, 2.0), 100, "own", Seen(np.float64(0.5), 1.0), Seen("ember", 0.9), 0.8),  # type: ignore[arg-type]
    enemies=(FighterSeen((3.0, 4.0), None, "enemy", name="1a45", name_box=Rect(1, 2, 30, 8)),),
    hp=Seen(250, 0.99),
    ap=Seen(None, 0.2),
    spells=(SpellSlot(0, Seen(True, 1.0), Seen(0, 0.9)),),
    fighters_shown=Seen(3, 0.95),
    reason="",
    seq=4,
    captured_ns=123456789,
    elapsed_ms=12.5,
)


def _assert_same(a: FightView, b: FightView) -> None:
    for field in fields(FightView):
        if field.name == "cells":
            np.testing.assert_array_equal(a.cells, b.cells)
            assert b.cells.dtype == np.uint8
        else:
            assert getattr(a, field.name) == getattr(b, field.name), field.name


def test_a_record_is_made_with_its_folder_and_gone_on_with_after_a_line_that_was_cut_off(
    tmp_path: Path,
) -> None:
    path = tmp_path / "out" / "readings.jsonl"
    written = [VIEW, FightView(), FightView(seq=5)]
    for views, cut in ((written[:2], '{"client": nul'), (written[2:], '{"client": [1, {}')):
        recorder = Recorder(path)
        for view in views:
            recorder.add(view)
        recorder.close()
        with path.open("a") as file:
            file.write(cut)
    for view, found in zip(written, readings(path), strict=True):
        _assert_same(view, found)


def test_a_record_that_cannot_be_written_costs_nothing_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    Recorder(tmp_path / "file" / "readings.jsonl").add(VIEW)
    full = Recorder(Path("/dev/full"))
    full.add(VIEW)
    full.add(VIEW)
    full.close()
    assert len(caplog.records) == 2


def test_a_fighter_written_before_names_were_read_is_still_read():
    values = to_json(VIEW)
    values["enemies"] = [fighter[:7] for fighter in values["enemies"]]
    old = from_json(values).enemies[0]
    assert (old.name, old.name_box, old.px) == ("", None, (3.0, 4.0))
