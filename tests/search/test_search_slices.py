"""Rollouts in slices: by the schedule they change nothing, on a named candidate they go behind it alone."""

import numpy as np
import pytest

from botapp.arena.scenarios import team
from botapp.search.candidates import candidates
from botapp.search.tree import TurnSearch


@pytest.fixture(params=[3, 8])
def grown(request):
    def grow():
        tree = TurnSearch(team(request.param, 2), 400)
        tree.grow(400)
        found = candidates(tree, 40)
        tree.name([one.node for one in found])
        return tree, found

    return grow


def values(found):
    return [one.node.value for one in found]


def test_slices_by_the_schedule_are_what_one_search_does(grown):
    whole, found = grown()
    whole.play_on(160, turns=99)
    sliced, same = grown()
    for slice_number in range(8):
        sliced.look(None, 20 * (slice_number + 1))
    assert values(found) == values(same)
    assert whole.rollouts == sliced.rollouts


def test_a_slice_goes_behind_its_candidate(grown):
    tree, found = grown()
    for one in range(len(found)):
        before = tree.standings()
        played = tree.rollouts
        tree.look(one, tree.played_actions + 40)
        after = tree.standings()
        assert after.behind[one, 0] - before.behind[one, 0] == tree.rollouts - played > 0
    assert np.isfinite(after.spread).all() and after.spread.max() > 0


def test_what_is_known_of_a_candidate_is_what_the_search_holds(grown):
    tree, found = grown()
    tree.look(None, 100)
    tree.look(0, 150)
    known = tree.standings()
    assert known.value[:-1].tolist() == values(found)[:-1]
    assert known.value[-1] == tree.root.here
    for one, end, visits, mean in zip(found[:-1], known.end, known.visits, known.mean, strict=False):
        assert one.node.pv_end.index == end
        assert one.node.pv_end.rollouts == (mean, visits)
    assert (known.behind[:, 2] >= known.behind[:, 3]).all()


def test_rollouts_can_be_forgotten(grown):
    tree, found = grown()
    tree.look(None, 60)
    saved, before = tree.saved(), values(found)
    tree.look(1, 120)
    tree.look(None, 200)
    after = values(found)
    tree.restore(saved)
    assert values(found) == before != after
    tree.look(1, 120)
    tree.look(None, 200)
    assert values(found) == after


def test_other_dice_fall_otherwise(grown):
    def played(shift):
        tree, found = grown()
        tree.throw_other_dice(shift)
        tree.look(None, 400)
        return values(found)

    assert played(0) == played(0) != played(1000)


def test_too_many_candidates_are_refused(grown):
    tree, _ = grown()
    with pytest.raises(ValueError, match="at most 60 candidates can be named, not 61"):
        tree.name([tree.root] * 61)
