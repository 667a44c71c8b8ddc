"""The evaluation on arrays says what it has always said, whatever it was asked before."""

import json
from dataclasses import replace
from itertools import product

import pytest
from desk import Desk
from evaluation_cases import ARENA, RECORDED, WILD, case, evaluated, played
from inner import call
from wild import wild_fight, wild_state

from botapp.fight.core.compiler import INTERPRETED, long_numbers
from botapp.fight.core.fight import STAT_COUNT, STAT_NAMES, Fight
from botapp.fight.core.pack import pack
from botapp.fight.spells import Buff, State
from botapp.fight.state import MarkKind
from botapp.search.core.blows import volley
from botapp.search.core.evaluation import Evaluation, mixed, stats_tag
from botapp.search.core.static import LEAST_WON
from botapp.search.tree import TurnSearch

too_long_interpreted = pytest.mark.skipif(INTERPRETED, reason="takes too long interpreted")
CLOSE = {"rel": 1e-9, "abs": 2e-9}


def same(found, wanted):
    assert found.keys() == wanted.keys()
    for name in wanted:
        assert found[name] == pytest.approx(wanted[name], **CLOSE), name


@pytest.mark.long
@pytest.mark.parametrize("number", range(WILD + ARENA))
def test_a_state_is_worth_what_was_recorded(number):
    same(evaluated(*case(number)), json.loads(RECORDED.read_text())[number])


@pytest.mark.slow
@too_long_interpreted
def test_the_fights_recorded_have_everything_in_them():
    states = [case(number)[1] for number in range(WILD + ARENA)]
    fighters = [fighter for state in states for fighter in state.fighters if fighter.hp > 0]
    assert {mark.kind for state in states for mark in state.marks} == set(MarkKind)
    assert {buff.state for fighter in fighters for buff in fighter.buffs} >= {None, *State}
    assert any(fighter.summoner is not None for fighter in fighters)
    assert any(fighter.shield for fighter in fighters)
    recorded = json.loads(RECORDED.read_text())
    for name in ("potential", "threat", "outlook"):
        assert sum(entry.get(name, 0) > 0 for entry in recorded) >= 6, name


@pytest.mark.slow
@too_long_interpreted
@pytest.mark.parametrize("seed", range(3, 9))
def test_what_was_evaluated_before_changes_nothing(seed):
    first, *states = played(wild_fight(seed), seed, 12)
    desk = Desk(first)
    for state in (*states, *reversed(states)):
        assert evaluated(first, state, desk) == evaluated(first, state)


@pytest.mark.slow
@too_long_interpreted
def test_a_state_is_as_good_for_one_side_as_it_is_bad_for_the_other():
    for seed in range(12):
        state = wild_state(seed, 25)
        red, blue = (Desk(state, team).score() for team in (0, 1))
        assert red == pytest.approx(-blue)
        share = TurnSearch(state, 0).share
        assert share(red) + share(blue) == pytest.approx(1)


def test_a_fight_won_is_worth_more_than_any_other():
    state = wild_state(1, 0)
    won = state.changed(fighters=tuple(replace(f, hp=0) if f.team == 1 else f for f in state.fighters))
    gone = state.changed(fighters=tuple(replace(f, hp=0) for f in state.fighters))
    for team, sign in ((0, 1), (1, -1)):
        desk = Desk(state, team)
        desk.load(won)
        assert desk.score() == sign * LEAST_WON
        desk.load(gone)
        assert desk.score() == 0


def test_nobody_strikes_the_invulnerable_and_no_pacified_strike():
    state = next(
        state
        for state in (wild_state(seed, 0) for seed in range(50))
        if evaluated(state, state)["terms"][1] > 0
    )
    team = state.actor.team
    for struck, given in ((True, State.INVULNERABLE), (False, State.PACIFIED)):
        buff = Buff(0, 2, state=given)
        fighters = [f.changed(buffs=(buff,)) if (f.team == team) == struck else f for f in state.fighters]
        assert Desk(state.changed(fighters=tuple(fighters))).threat() == 0


@pytest.mark.inner
def test_a_volley_is_the_best_of_all_ways_to_spend_the_ap():
    options = [(7.5, 3, 2), (4.0, 2, 12), (1.0, 0, 3), (12.0, 4, 1), (30.0, 14, 12)]
    evaluation = Evaluation(long_numbers(Evaluation.SIZE))
    for place, values in enumerate(options):
        option = evaluation.options[place]
        option.damage, option.cost, option.times = values
    for ap in range(16):
        times = [range(min(most, ap // max(1, cost)) + 1) for _, cost, most in options]
        best = max(
            sum(n * damage for n, (damage, _, _) in zip(ways, options, strict=True))
            for ways in product(*times)
            if sum(n * cost for n, (_, cost, _) in zip(ways, options, strict=True)) <= ap
        )
        assert call(volley, evaluation, len(options), ap) == best


@pytest.mark.inner
def test_tags_tell_sheets_and_words_apart():
    assert STAT_COUNT % 4 == 0
    assert (
        len({mixed(tag, word) for tag in range(300) for word in range(tag * 300, tag * 300 + 300)}) == 90_000
    )
    fighter = Fight(pack(wild_state(1, 0)).s).fighters[0]
    tags = []
    for stat in ("strength", "power", "wisdom", "summons", "erosion", "push_resistance"):
        place = STAT_NAMES.index(stat)
        as_it_was = int(fighter.stats[place])
        for amount in range(-100, 100):
            fighter.stats[place] = amount
            tags.append(call(stats_tag, fighter))
        fighter.stats[place] = as_it_was
    assert len(set(tags)) == len(tags) - 5
