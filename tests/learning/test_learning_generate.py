"""Shards are whole, say what they are, and generation goes on where it was stopped."""

import json
from collections import Counter

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from botapp.advisor.features import CANDIDATE, FIGHTER, GLOBAL
from botapp.learning import fights
from botapp.learning import generate as module
from botapp.learning.fights import Curriculum, samples
from botapp.learning.generate import GenerationError, generate, main, play
from botapp.learning.shards import About, ShardError, about, joined, pack, paths, read, write

HASTY = Curriculum(search_states=0)
SEED = 1852
"""The first of some short fights between greedy players."""


@pytest.fixture(scope="module", autouse=True)
def few_states():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fights, "_JUDGED", (0.5, 6))
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Five fights with a hasty search, in files of two."""
    where = tmp_path_factory.mktemp("shards")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PER_SHARD", 2)
        generate(where, 5, SEED, HASTY, workers=1)
    return where


def fights_of(where, seed=SEED):
    return Counter(fight for path in paths(where, seed) for fight in about(path).fights)


def test_a_shard_has_as_many_entries_as_it_says(folder):
    assert len(paths(folder)) == 3
    for path in paths(folder):
        arrays = read(path)
        states = len(arrays["context"])
        for name in ("fighter_counts", "option_counts", "outcomes", "fights", "sizes", "kind"):
            assert len(arrays[name]) == states
        assert arrays["context"].shape[1] == len(GLOBAL)
        assert arrays["fighters"].shape == (arrays["fighter_counts"].sum(), len(FIGHTER))
        assert arrays["options"].shape == (arrays["option_counts"].sum(), len(CANDIDATE))
        assert arrays["regrets"].shape == (arrays["option_counts"].sum(),)
        assert arrays["option_counts"].min() >= 2
        assert arrays["options"].dtype == np.float16
        assert arrays["sizes"].dtype == np.int8
        assert np.isfinite(arrays["regrets"]).all()
        assert set(arrays["fights"]) <= set(about(path).fights)


def test_what_is_packed_is_what_was_judged():
    found = samples(HASTY, SEED)
    arrays = joined([pack(found[:3]), {}, pack(found[3:])])
    at = arrays["option_counts"][:3].sum()
    fourth = found[3].label
    count = arrays["option_counts"][3]
    np.testing.assert_array_equal(arrays["regrets"][at : at + count], fourth.regrets[fourth.scored])
    np.testing.assert_allclose(
        arrays["options"][at : at + count],
        fourth.encoded.options[: len(fourth.regrets)][fourth.scored],
        atol=4e-3,
    )
    assert pack([]) == joined([{}]) == {}


def test_each_fight_is_there_once(folder):
    assert fights_of(folder) == Counter(range(SEED, SEED + 5))


@pytest.mark.slow
def test_generation_goes_on_where_it_was_stopped(folder, tmp_path):
    kept = paths(folder)[1]
    (tmp_path / kept.name).write_bytes(kept.read_bytes())
    (tmp_path / f".shard-{SEED}-00000.safetensors.999999999.0123abcd.tmp").write_bytes(b"half")
    answer = generate(tmp_path, 5, SEED, HASTY, workers=1)
    assert (answer["fights"], answer["fights_left"]) == (3, 0)
    assert fights_of(tmp_path) == Counter(range(SEED, SEED + 5))
    assert not list(tmp_path.glob(".*.tmp"))
    assert generate(tmp_path, 5, SEED, HASTY, workers=1)["fights"] == 0
    both = [joined(read(p) for p in paths(where)) for where in (folder, tmp_path)]
    rows = [sorted(map(bytes, np.ascontiguousarray(arrays["context"]))) for arrays in both]
    assert rows[0] == rows[1]


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_played(tmp_path):
    def interrupt(fights, states):
        if fights == 2:
            raise KeyboardInterrupt

    answer = generate(tmp_path, 5, SEED, HASTY, workers=1, told=interrupt)
    assert (answer["fights"], answer["fights_left"]) == (2, 3)
    assert fights_of(tmp_path) == Counter([SEED, SEED + 1])


@pytest.mark.slow
def test_two_processes_share_the_fights(tmp_path):
    assert generate(tmp_path, 2, SEED, HASTY, workers=2)["fights"] == 2
    assert fights_of(tmp_path) == Counter([SEED, SEED + 1])


def test_rounds_of_other_seeds_lie_beside_each_other(folder, tmp_path):
    generate(tmp_path, 1, SEED, HASTY, workers=1)
    generate(tmp_path, 1, 2009, HASTY, workers=1)
    assert fights_of(tmp_path) == {SEED: 1}
    assert fights_of(tmp_path, 2009) == {2009: 1}
    assert len(paths(tmp_path)) == 2


def test_fights_played_otherwise_are_not_mixed_in(folder):
    with pytest.raises(ShardError, match="choose another folder or seed"):
        generate(folder, 6, SEED, Curriculum(search_states=1), workers=1)


def test_a_fight_that_fails_is_left_out_and_told(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(module, "samples", lambda curriculum, fight: 1 / 0 if fight == SEED + 1 else [])
    answer = generate(tmp_path, 3, SEED, HASTY, workers=1)
    assert (answer["fights"], answer["failed"], answer["fights_left"]) == (2, 1, 0)
    assert f"fight {SEED + 1} failed" in caplog.text
    assert fights_of(tmp_path) == Counter([SEED, SEED + 2])
    assert read(paths(tmp_path)[0]) == {}


def test_fight_after_fight_failing_ends_it_with_the_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "samples", lambda curriculum, fight: 1 / 0)
    with pytest.raises(GenerationError, match="ZeroDivisionError"):
        generate(tmp_path, 50, SEED, HASTY, workers=1)


def test_shards_of_another_kind_are_refused_by_name(folder, tmp_path):
    path = tmp_path / "shard-1-00000.safetensors"
    path.write_bytes(b"junk")
    with pytest.raises(ShardError, match=r"00000.safetensors is damaged"):
        read(path)
    save_file({"context": np.zeros(1)}, path, {"format": "1"})
    with pytest.raises(ShardError, match="format 1, not 2"):
        read(path)
    save_file({"context": np.zeros(1)}, path, {"format": "2"})
    with pytest.raises(ShardError, match="says nothing of itself"):
        about(path)
    arrays = load_file(paths(folder)[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("botapp.learning.shards._FEATURES", {"context": ("x",), "fighters": (), "options": ()})
        write(path, arrays, About({}, (1,)))
    with pytest.raises(ShardError, match="other context features"):
        read(path)


@pytest.mark.slow
def test_the_command_writes_shards_and_tells_what_it_did(tmp_path, capsys):
    arguments = ["--out", str(tmp_path / "deep"), "--fights", "2", "--workers", "1", "--search-states", "0"]
    assert main([*arguments, "--seed", str(SEED), "--pool", "unseen"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["fights"] == 2
    assert told["states"] == sum(len(read(path)["fights"]) for path in paths(tmp_path / "deep"))
    assert about(paths(tmp_path / "deep")[0]).plan["pool"] == "unseen"


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (["--student", "nowhere.safetensors"], "nowhere.safetensors"),
        (["--workers", "0"], "at least 1 worker"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(tmp_path, capsys, more, why):
    with pytest.raises(SystemExit) as ended:
        main(["--out", str(tmp_path), "--fights", "1", *more])
    assert ended.value.code == 1
    assert why in capsys.readouterr().err


def test_a_fight_is_played_the_same_wherever_it_is(folder):
    arrays = play(HASTY, SEED)
    assert isinstance(arrays, dict)
    stored = joined(read(path) for path in paths(folder))
    np.testing.assert_array_equal(stored["context"][stored["fights"] == SEED], arrays["context"])
