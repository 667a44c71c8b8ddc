"""Records come back from their shards as they were, and a recording goes on where the last one ended."""

import json

import numpy as np
import pytest

from botapp.learning import record as recorder
from botapp.learning.recorded import RecordingPlan, begin
from botapp.learning.shards import ShardWriter, read, read_all, write


def some(count, fight=2):
    rng = np.random.default_rng(fight)
    return {
        "fight": np.full(count, fight, np.int64),
        "evidence": rng.random((count, 2, 9, 24, 48)).astype(np.float16),
        "candidates": rng.random((count, 24, 36)).astype(np.float16),
        "fighters": rng.random((count, 16, 25)).astype(np.float16),
        "gains": np.full((count, 2, 9, 24), np.nan, np.float32),
    }


def test_a_shard_holds_what_was_written(tmp_path):
    parts = [some(3, 2), some(2, 4)]
    assert write(tmp_path / "records-0-00000.npz.xz", parts) == 5
    found = read(tmp_path / "records-0-00000.npz.xz")
    for key, array in found.items():
        assert array.dtype == parts[0][key].dtype
        assert np.array_equal(array, np.concatenate([part[key] for part in parts]), equal_nan=True)


def test_a_recording_goes_on_after_the_last_fight(tmp_path):
    writer = ShardWriter(tmp_path, RecordingPlan(), 10)
    assert writer.add(12, some(3)) == 3 and writer.add(11, {}) == 0
    writer.flush()
    again = ShardWriter(tmp_path, RecordingPlan(), 10)
    assert again.next_fight == 13
    again.add(13, some(2))
    again.flush()
    manifest = json.loads((tmp_path / "manifest-10.json").read_text())
    assert (manifest["fights"], manifest["states"], manifest["next_fight"]) == (3, 5, 14)
    assert [shard["states"] for shard in manifest["shards"]] == [3, 2]
    assert sum(len(part["fight"]) for part in read_all([tmp_path])) == 5
    assert ShardWriter(tmp_path, RecordingPlan(), 500).next_fight == 500


def test_records_of_another_kind_are_not_mixed_in(tmp_path):
    ShardWriter(tmp_path, RecordingPlan(), 10).flush()
    with pytest.raises(ValueError, match="another plan: choose another folder or seed"):
        ShardWriter(tmp_path, RecordingPlan(states=3), 10)
    write(tmp_path / "records-10-00000.npz.xz", [some(1)])
    manifest = tmp_path / "manifest-10.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "features": "others"}))
    with pytest.raises(ValueError, match="other features"):
        read_all([tmp_path])


def test_a_damaged_shard_is_named(tmp_path):
    path = tmp_path / "records-0-00000.npz.xz"
    write(path, [some(1)])
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(ValueError, match=r"records-0-00000\.npz\.xz is damaged"):
        read_all([tmp_path])


def test_fights_to_train_on_and_to_measure_with_are_kept_apart(tmp_path, capsys):
    with pytest.raises(ValueError, match="the pool drawn has fights below 1000000000"):
        begin(500_000_000, "drawn")
    with pytest.raises(ValueError, match="the pool training has fights from 1000000000"):
        begin(499_999_999, "training")
    assert begin(500_000_000, "training").fighters and begin(3, "drawn").fighters
    with pytest.raises(SystemExit):
        recorder.main(["--out", str(tmp_path), "--seconds", "5", "--workers", "1", "--seed", "4"])
    assert "has fights from 1000000000" in capsys.readouterr().err
