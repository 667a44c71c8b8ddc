import random
from dataclasses import replace

import numpy as np
import pytest
from advisor_cases import state_after, tokens_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

from botapp.advisor.changes import CHANGES
from botapp.advisor.features import CANDIDATE, FIGHTER, GLOBAL
from botapp.advisor.tokens import BUCKETS, REGISTERS, blank
from botapp.arena.search_player import SearchPlayer
from botapp.fight.actions import Cast, EndTurn
from botapp.fight.board import CELLS
from botapp.fight.rules import apply, apply_expected, legal_actions
from botapp.fight.state import EffectKind, Stats
from botapp.learning.gaps import hide

situations = st.builds(state_after, st.integers(0, 40), st.integers(0, 60))


@settings(max_examples=40, deadline=None)
@given(situations)
def test_tokens_fill_a_bucket_and_the_masks_tell_real_from_padding(state):
    encoded = tokens_of(state)
    assert encoded.bucket in BUCKETS
    assert encoded.bucket == REGISTERS + len(encoded.fighters) + len(encoded.options)
    assert encoded.context.shape == (len(GLOBAL),)
    assert encoded.fighters.shape[1] == len(FIGHTER)
    assert encoded.options.shape[1] == len(CANDIDATE)
    assert encoded.fighter_mask.sum() == sum(f.hp > 0 for f in state.fighters)
    assert encoded.option_mask.sum() == len(encoded.candidates)
    assert not encoded.fighters[~encoded.fighter_mask].any()
    assert not encoded.options[~encoded.option_mask].any()
    for array in (encoded.context, encoded.fighters, encoded.options):
        assert array.dtype == np.float32
        assert np.isfinite(array).all()
        assert np.abs(array).max() <= 4


@settings(max_examples=40, deadline=None)
@given(situations)
def test_every_candidate_is_legal_and_every_useless_cast_is_dropped(state):
    legal = set(legal_actions(state))
    actions = [candidate.action for candidate in tokens_of(state).candidates]
    assert set(actions) <= legal
    assert len(set(actions)) == len(actions)
    assert actions[-1] == EndTurn()
    for action in actions:
        if isinstance(action, Cast):
            after = apply_expected(state, action)
            spent = {"ap": state.actor.ap, "casts": state.actor.casts, "cooldowns": state.actor.cooldowns}
            actor = after.fighter(state.actor.id).changed(**spent)
            fighters = tuple(actor if f.id == actor.id else f for f in after.fighters)
            assert (fighters, after.marks) != (state.fighters, state.marks)


@settings(max_examples=40, deadline=None)
@given(situations)
def test_no_two_candidates_lead_to_the_same_state(state):
    found = tokens_of(state).candidates
    assert len({id(candidate.node) for candidate in found}) == len(found)


@settings(max_examples=25, deadline=None)
@given(situations, st.randoms(use_true_random=False))
def test_the_order_in_which_fighters_are_listed_changes_no_candidate(state, shuffler):
    fighters = list(state.fighters)
    shuffler.shuffle(fighters)
    first, second = tokens_of(state), tokens_of(replace(state, fighters=tuple(fighters)))
    assert [c.action for c in first.candidates] == [c.action for c in second.candidates]
    np.testing.assert_allclose(first.options, second.options, atol=1e-5)
    np.testing.assert_allclose(first.context, second.context, atol=1e-5)
    order = lambda array: array[np.lexsort(array.T)]  # noqa: E731
    np.testing.assert_allclose(order(first.fighters), order(second.fighters), atol=1e-5)


@settings(max_examples=25, deadline=None)
@given(situations, st.sampled_from((0, 12)))
def test_swapping_the_teams_numbers_changes_nothing(state, rollout_actions):
    swapped = replace(state, fighters=tuple(replace(f, team=1 - f.team) for f in state.fighters))
    first, second = tokens_of(state, rollout_actions), tokens_of(swapped, rollout_actions)
    np.testing.assert_array_equal(first.options, second.options)
    np.testing.assert_array_equal(first.fighters, second.fighters)
    np.testing.assert_array_equal(first.context, second.context)


@settings(max_examples=25, deadline=None)
@given(situations, st.integers(0, 1000), st.sampled_from((0, 12)))
@example(state_after(6, 0), 0, 0)
def test_names_and_keys_are_not_among_the_features(state, number, rollout_actions):
    def renamed(fighter):
        spells = tuple(replace(s, key=f"k{number}-{i}", name="?") for i, s in enumerate(fighter.spells))
        keys = dict(zip((s.key for s in fighter.spells), (s.key for s in spells), strict=True))
        return replace(
            fighter,
            name="?",
            kind=f"kind-{number}",
            spells=spells,
            cooldowns=tuple((keys[k], n) for k, n in fighter.cooldowns),
            casts=tuple((keys[k], t) for k, t in fighter.casts),
        )

    other = replace(state, fighters=tuple(map(renamed, state.fighters)))
    np.testing.assert_array_equal(
        tokens_of(state, rollout_actions).options, tokens_of(other, rollout_actions).options
    )


def test_the_best_action_of_the_search_nearly_always_stays_among_the_candidates():
    player, kept, lost = SearchPlayer(60), 0, 0.0
    for seed in range(12):
        state = state_after(seed, 7)
        scores = dict(player.evaluate_candidates(state))
        best = max(scores.values())
        mine = max(scores[c.action] for c in tokens_of(state).candidates)
        kept += mine >= best - 0.001
        lost += best - mine
    assert kept >= 11
    assert lost < 0.05


def test_a_fight_that_is_over_cannot_be_encoded():
    state = state_after(1, 0)
    dead = tuple(f if f.id == state.actor.id else replace(f, hp=0) for f in state.fighters)
    with pytest.raises(ValueError, match="over"):
        tokens_of(replace(state, fighters=dead))


def test_too_many_fighters_are_refused_in_words():
    state = state_after(1, 0)
    enemy = next(f for f in state.fighters if f.team != state.actor.team)
    crowd = tuple(replace(enemy, id=100 + n, cell=n) for n in range(16))
    with pytest.raises(ValueError, match="18 fighters"):
        tokens_of(replace(state, fighters=(*state.fighters, *crowd), order=(*state.order, *range(100, 116))))


def test_a_crowd_fits_the_largest_bucket():
    state = state_after(1, 0)
    enemy = next(f for f in state.fighters if f.team != state.actor.team)
    free = [
        c for c, flag in enumerate(state.map.cells) if flag & 1 and c not in {f.cell for f in state.fighters}
    ]
    crowd = tuple(replace(enemy, id=100 + n, cell=free[7 * n], team=n % 2) for n in range(10))
    many = replace(state, fighters=(*state.fighters, *crowd), order=(*state.order, *range(100, 110)))
    wide = replace(many.actor, mp=12, ap=12)
    many = replace(many, fighters=tuple(wide if f.id == wide.id else f for f in many.fighters))
    encoded = tokens_of(many)
    assert encoded.bucket <= BUCKETS[-1]
    assert encoded.candidates[-1].action == EndTurn()


@settings(max_examples=25, deadline=None)
@given(situations, st.integers(0, 10_000))
def test_gaps_leave_the_own_side_whole_and_can_be_encoded(state, seed):
    veiled = hide(state, random.Random(seed))
    for before, after in zip(state.fighters, veiled.fighters, strict=True):
        assert (before.id, before.team, before.cell, before.alive) == (
            after.id,
            after.team,
            after.cell,
            after.alive,
        )
        if before.team == state.actor.team:
            assert before == after
        assert 0 <= after.hp <= after.max_hp
    assert tokens_of(veiled).candidates


def test_a_blank_state_has_the_shape_of_its_bucket():
    for bucket in BUCKETS:
        assert blank(bucket).bucket == bucket


def test_a_killing_cast_is_marked_and_takes_the_danger_away():
    column = {name: index for index, name in enumerate(CANDIDATE)}
    for seed in range(1, 80, 2):
        rng = random.Random(seed)
        state = state_after(seed, 0)
        for _ in range(80):
            if any(isinstance(c.action, Cast) for c in tokens_of(state).candidates):
                break
            state = apply(state, rng.choice(legal_actions(state)), rng)
        frail = tuple(f if f.team == state.actor.team else replace(f, hp=1) for f in state.fighters)
        encoded = tokens_of(replace(state, fighters=frail))
        for candidate, row in zip(encoded.candidates, encoded.options, strict=False):
            if isinstance(candidate.action, Cast) and row[column["enemy_hp"]] > 0:
                assert row[column["kills"]] == 1
                assert row[column["enemy_share"]] == 1
                assert row[column["lethal"]] == 0
                return
    pytest.fail("no fight offered a cast that hurts")


def test_a_turned_board_tells_the_same_of_the_same_actions():
    """Turning the board half round maps its cells onto each other, so that no token may tell the two apart.

    Which of two equally good cells is expanded first may differ, and with it what was found behind it.
    """
    telling = [CANDIDATE.index(name) for name in (*CHANGES, "move", "cast", "ap_spent", "near", "lethal")]
    compared = 0
    for seed in range(8):
        state = state_after(seed, 0)
        turned = replace(
            state,
            map=replace(state.map, cells=bytes(reversed(state.map.cells))),
            fighters=tuple(replace(f, cell=CELLS - 1 - f.cell) for f in state.fighters),
        )
        first, second = tokens_of(state), tokens_of(turned)
        there = {_name(c.action): row for c, row in zip(second.candidates, second.options, strict=False)}
        for candidate, row in zip(first.candidates, first.options, strict=False):
            spell, cell = _name(candidate.action)
            other = there.get((spell, None if cell is None else CELLS - 1 - cell))
            if other is not None:
                np.testing.assert_allclose(row[telling], other[telling], atol=1e-5)
                compared += cell is not None
    assert compared > 20


def _name(action):
    return getattr(action, "spell", ""), action.target


def test_a_fight_at_a_higher_level_gives_the_same_tokens():
    state = state_after(3, 6)

    def grown(fighter, by=8):
        spells = tuple(
            replace(s, effects=tuple(replace(e, low=e.low * by, high=e.high * by) for e in s.effects))
            for s in fighter.spells
        )
        return fighter.changed(
            spells=spells, hp=fighter.hp * by, max_hp=fighter.max_hp * by, eroded=fighter.eroded * by
        )

    plain = tuple(f.changed(stats=Stats(), buffs=(), shield=0) for f in state.fighters)
    hits = tuple(f.changed(spells=tuple(s for s in f.spells if _hits(s))) for f in plain)
    first = tokens_of(replace(state, fighters=hits, marks=()))
    second = tokens_of(replace(state, fighters=tuple(map(grown, hits)), marks=()))
    np.testing.assert_allclose(first.context, second.context, atol=0.05)
    np.testing.assert_allclose(first.fighters, second.fighters, atol=0.05)
    np.testing.assert_allclose(first.options, second.options, atol=0.15)


def _hits(spell):
    return not spell.crit_bonus and all(
        e.kind is EffectKind.DAMAGE and e.crit_low is None for e in spell.effects
    )


def test_without_rollouts_the_backed_up_values_are_those_of_the_evaluation():
    encoded = tokens_of(state_after(5, 12))
    for backed_up, glanced in (("backed_up_gap", "gap"), ("backed_up_rank", "rank")):
        assert np.array_equal(_column(encoded, backed_up), _column(encoded, glanced))
    assert not _column(encoded, "visits").any()


def test_rollouts_change_the_backed_up_values_and_leave_the_evaluation():
    state = state_after(5, 12)
    plain, rollouts_from = tokens_of(state), tokens_of(state, rollout_actions=60)
    assert _column(rollouts_from, "visits").any()
    assert not np.array_equal(_column(rollouts_from, "backed_up_gap"), _column(rollouts_from, "gap"))
    assert np.array_equal(_column(rollouts_from, "gap"), _column(plain, "gap"))
    assert np.array_equal(rollouts_from.options, tokens_of(state, rollout_actions=60).options)


def test_no_rollout_is_begun_without_time_for_it():
    assert _column(tokens_of(state_after(5, 12), 60), "visits").any()
    assert not _column(tokens_of(state_after(5, 12), 60, deadline=0.0), "visits").any()


def _column(encoded, name):
    return encoded.options[encoded.option_mask, CANDIDATE.index(name)]
