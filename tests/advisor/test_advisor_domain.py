"""Advice is withheld where a fight's figures are unlike all training, or where there is nothing to decide."""

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
from advisor_cases import state_after, tokens_of

from botapp.advisor.decision import Withheld
from botapp.advisor.domain import (
    CONTEXT_LIMIT,
    FIGHTER_LIMIT,
    OPTION_LIMIT,
    SMALLEST_SCALE,
    TOO_FAR,
    TrainingDomain,
)
from botapp.advisor.model import AdvisorModel, load_weights
from botapp.advisor.tokens import blank
from botapp.arena.scenarios import adventure, duel, team
from botapp.fight.actions import Place, Ready
from botapp.fight.rules import placing
from botapp.fight.spells import Effect, EffectKind, Spell
from botapp.fight.state import FightState

STORM = Spell("storm", "Storm", 1, 1, 30, (Effect(EffectKind.DAMAGE, 4000, 6000),), needs_sight=False)
PROTECTION = Spell("ward", "Ward", 1, 0, 8, (Effect(EffectKind.SHIELD, 4000, 6000),), needs_sight=False)


@pytest.fixture(scope="module")
def model() -> AdvisorModel:
    return load_weights()[0]


@pytest.fixture(scope="module")
def guard(model) -> TrainingDomain:
    return TrainingDomain(model)


def crazy() -> FightState:
    """A duel of fighters behind walls, with points and blows that no fight has."""
    state = duel(1)
    sheet = {"ap": 60, "mp": 40, "shield": 9000, "level": 2000, "spells": (STORM, PROTECTION)}
    return state.changed(fighters=tuple(f.changed(**sheet) for f in state.fighters))


def test_a_crazy_sheet_gets_no_advice_unless_it_is_asked_for(make_advisor, model, guard):
    state = crazy()
    assert guard.refusal(tokens_of(state)) == TOO_FAR
    with pytest.raises(Withheld, match="too different"):
        make_advisor(model=model, withholds=True).decide(state)
    assert make_advisor(model=model, withholds=False).decide(state).choices


def test_where_the_model_is_lost_the_search_advises_alone_and_says_so(make_advisor, model):
    state = crazy()
    decision = make_advisor(model=model, withholds=True, falls_back=True).decide(state)
    assert decision.stop == "beyond-model"
    assert decision.trace == ()
    assert max(decision.candidates, key=lambda one: one.confidence) == decision.best
    usual = make_advisor(model=model, withholds=True, falls_back=True).decide(duel(3))
    assert usual.stop != "beyond-model"


def test_the_crazier_the_farther(guard):
    near, far = guard.deviations(tokens_of(duel(1))), guard.deviations(tokens_of(crazy()))
    assert all(a < b for a, b in zip(near, far, strict=True))


def test_deviations_are_in_units_of_the_training_and_of_the_farthest_token(small_model):
    encoded = blank(32)
    encoded.context[:] = 2
    encoded.fighters[1], encoded.options[3] = -3, 4
    guard = TrainingDomain(small_model)
    assert guard.deviations(encoded) == pytest.approx((2, 3, 4))
    masked = replace(encoded, option_mask=np.arange(len(encoded.options)) < 3)
    assert guard.deviations(masked) == pytest.approx((2, 3, 0))


def test_what_hardly_varied_in_training_is_not_far_for_being_there(small_model):
    model = deepcopy(small_model)
    model.fighter.gain[:] = 1000
    encoded = blank(32)
    encoded.fighters[2] = 0.5
    assert TrainingDomain(model).deviations(encoded) == pytest.approx((0, 0.5 / SMALLEST_SCALE, 0))


@pytest.mark.parametrize("limit", range(3))
def test_each_limit_withholds_by_itself(small_model, limit):
    encoded = blank(32)
    part = (encoded.context, encoded.fighters, encoded.options)[limit]
    most = (CONTEXT_LIMIT, FIGHTER_LIMIT, OPTION_LIMIT)[limit]
    part[:] = most - 0.01
    assert TrainingDomain(small_model).refusal(encoded) == ""
    part[:] = most + 0.01
    assert TrainingDomain(small_model).refusal(encoded) == TOO_FAR


@pytest.mark.parametrize("scenario", [adventure, duel, team])
def test_the_arenas_own_fights_are_advised_on(guard, scenario):
    for seed in range(12):
        state = scenario(seed)
        if state.actor.team == 0:
            assert guard.refusal(tokens_of(state)) == ""


def test_players_of_the_arena_are_advised_on_throughout_their_fights(guard):
    for seed in range(0, 12, 2):
        state = state_after(seed, 25)
        own = next(f for f in state.fighters if f.team == 0 and f.summoner is None)
        mine = state.changed(current=state.order.index(own.id))
        if own.hp > 0:
            assert guard.refusal(tokens_of(mine)) == ""


def test_before_the_fight_the_advice_is_where_to_stand(make_advisor):
    decision = make_advisor().decide(placing(duel(3)))
    assert isinstance(decision.action, Place | Ready)


def test_nothing_to_decide_is_said_as_a_sentence(make_advisor):
    state = duel(3)
    over = replace(
        state, fighters=tuple(f if f.team == state.actor.team else f.changed(hp=0) for f in state.fighters)
    )
    with pytest.raises(Withheld, match=r"^There is nothing to decide: the fight is over\.$"):
        make_advisor().decide(over)
