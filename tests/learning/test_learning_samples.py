"""States come back from the shards as they were written, padded only where nothing real is."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from judged_cases import judged, write_judged

from botapp.advisor.tokens import BUCKETS, FIGHTER_SLOTS, REGISTERS
from botapp.learning.samples import NEVER, DataError, load
from botapp.learning.shards import ShardError, path_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("judged")
    write_judged(folder, range(100, 140))
    write_judged(folder, range(500, 520), options=(2, 108))
    return folder


def test_every_state_is_in_one_batch_with_all_that_is_real_and_nothing_else(folder):
    samples = load([folder])
    parts = [judged(range(100, 140)), judged(range(500, 520), options=(2, 108))]
    options = np.concatenate([part["options"] for part in parts])
    regrets = np.concatenate([part["regrets"] for part in parts])
    counts = np.concatenate([part["option_counts"] for part in parts])
    fighters = np.concatenate([part["fighters"] for part in parts])
    fighter_counts = np.concatenate([part["fighter_counts"] for part in parts])
    option_at = np.concatenate(([0], np.cumsum(counts)))
    fighter_at = np.concatenate(([0], np.cumsum(fighter_counts)))
    seen = []
    for rows, batch in samples.batches(torch.arange(len(samples)), 17):
        assert len(rows) == len(batch) <= 17
        seen += rows.tolist()
        assert (batch.regrets[~batch.option_mask] == NEVER).all()
        assert not batch.options[~batch.option_mask].any()
        assert not batch.fighters[~batch.fighter_mask].any()
        for index, row in enumerate(rows.tolist()):
            real = batch.option_mask[index]
            np.testing.assert_array_equal(
                batch.options[index][real], options[option_at[row] : option_at[row + 1]]
            )
            np.testing.assert_array_equal(
                batch.regrets[index][real], regrets[option_at[row] : option_at[row + 1]]
            )
            np.testing.assert_array_equal(
                batch.fighters[index][batch.fighter_mask[index]],
                fighters[fighter_at[row] : fighter_at[row + 1]],
            )
    assert sorted(seen) == list(range(len(counts)))


def test_states_are_padded_to_few_shapes_and_no_further_than_they_need(folder):
    samples = load([folder])
    groups = samples.groups(torch.arange(len(samples)))
    assert sum(len(group.rows) for group in groups) == len(samples)
    for group in groups:
        assert group.tokens <= BUCKETS[-1] and group.slots in FIGHTER_SLOTS
        fighters = samples.fighter_at.diff()[group.rows]
        needed = REGISTERS + group.slots + samples.option_at.diff()[group.rows]
        assert (fighters <= group.slots).all() and (needed <= group.tokens).all()
        assert group.tokens == 32 or (needed > group.tokens / 2).all()


@settings(max_examples=20, deadline=None)
@given(st.floats(0.05, 0.95))
def test_a_fight_is_held_out_whole_and_whatever_else_is_read(folder, share):
    samples = load([folder])
    alone = load([folder, folder])
    training, held = samples.split(share)
    assert len(training) + len(held) == len(samples)
    kept = set(samples.fights[held].tolist())
    assert not kept & set(samples.fights[training].tolist())
    assert set(alone.fights[alone.held(share)].tolist()) == kept


def test_the_halves_of_the_held_out_states_have_no_fight_in_common(folder):
    samples = load([folder])
    rows = torch.arange(len(samples))
    half = samples.halves(rows)
    assert 0.3 < half.float().mean() < 0.7
    assert not set(samples.fights[half].tolist()) & set(samples.fights[~half].tolist())


def test_folders_that_cannot_be_trained_on_are_refused_in_words(folder, tmp_path):
    with pytest.raises(DataError, match="has no shards"):
        load([folder, tmp_path])
    with pytest.raises(DataError, match="too few fights"):
        load([folder]).split(0.0)
    with pytest.raises(DataError, match="too few fights"):
        load([folder]).split(1.0)
    path_of(tmp_path, 1, 0).write_bytes(b"junk")
    with pytest.raises(ShardError, match="is damaged"):
        load([tmp_path])
