"""Greedy and the search use every kind of spell where it is the thing to do, and only there."""

import random

import pytest
from arena_fights import JAB, SHOT, at, fight, fighter, hit, spell, walled
from desk import Desk

from botapp.arena.players.search import SearchPlayer
from botapp.arena.players.simple import GreedyPlayer
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.board import distance
from botapp.fight.rules import apply, apply_expected, winner
from botapp.fight.spells import Affects, Buff, Effect, EffectKind, Shape, State, Summon
from botapp.fight.state import Mark, MarkKind

PLAYERS = {"greedy": GreedyPlayer, "search": lambda: SearchPlayer(300)}
SELF = {"min_range": 0, "max_range": 0}

hound = Summon("hound", "Hound", 50, 60, 6, 4, (JAB,))
summon = spell("call", Effect(EffectKind.SUMMON, summon=hound), ap=4, max_range=2)
glyph = spell(
    "glyph",
    Effect(EffectKind.GLYPH, shape=Shape.CIRCLE, radius=2, turns=2, payload=(hit(30),)),
    min_range=0,
)
trap = spell("trap", Effect(EffectKind.TRAP, turns=0, payload=(hit(40),)), needs_free_cell=True)
rage = spell("rage", Effect(EffectKind.BUFF, 80, 80, stat="power", turns=3), ap=2, cooldown=3, **SELF)
weaken = spell("weaken", Effect(EffectKind.BUFF, -80, -80, stat="power", turns=2), cooldown=2)
shield = spell("shield", Effect(EffectKind.SHIELD, 60, 60), cooldown=3, **SELF)
aegis = spell("aegis", Effect(EffectKind.STATE, state=State.INVULNERABLE), cooldown=3, **SELF)
peace = spell("peace", Effect(EffectKind.STATE, state=State.PACIFIED, turns=2), cooldown=3)
shove = spell("shove", Effect(EffectKind.PUSH, 4, 4), max_range=1, in_line=True)
drain = spell("drain", Effect(EffectKind.REMOVE_AP, 5, 5), cooldown=2)
mend = spell("mend", Effect(EffectKind.HEAL, 60, 60), min_range=0)
foe = fighter(1, 1, at(2), JAB, hp=150)


def turn(state, player):
    actor, actions, rng = state.actor.id, [], random.Random(3)
    while winner(state) is None and state.actor.id == actor and len(actions) < 20:
        actions.append(player.choose(state, rng))
        state = apply(state, actions[-1], rng)
    assert len(actions) < 20
    return actions


def casts(actions):
    return [action.spell for action in actions if isinstance(action, Cast)]


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize(
    ("wanted", "state"),
    [
        ("call", fight(fighter(0, 0, at(), summon), foe)),
        ("glyph", fight(fighter(0, 0, at(), glyph), foe)),
        ("trap", fight(fighter(0, 0, at(), trap), foe)),
        ("rage", fight(fighter(0, 0, at(), rage, JAB, mp=0), fighter(1, 1, at(1), JAB, hp=200))),
        ("weaken", fight(fighter(0, 0, at(), weaken), foe)),
        ("shield", fight(fighter(0, 0, at(), shield, mp=0), foe)),
        ("aegis", fight(fighter(0, 0, at(), aegis, mp=0), foe)),
        ("peace", fight(fighter(0, 0, at(), peace, mp=0), foe)),
        (
            "shove",
            fight(fighter(0, 0, at(), shove, mp=0), fighter(1, 1, at(1), JAB), cells=walled(at(2))),
        ),
        ("drain", fight(fighter(0, 0, at(), drain, mp=0), foe)),
        ("mend", fight(fighter(0, 0, at(), mend), fighter(2, 0, at(0, 2), JAB, hp=60), foe)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_kind_of_spell_is_cast_where_it_helps(name, wanted, state):
    assert wanted in casts(turn(state, PLAYERS[name]()))


@pytest.mark.parametrize("name", PLAYERS)
def test_a_jump_takes_a_fighter_to_where_it_can_strike(name):
    leap = spell("leap", Effect(EffectKind.TELEPORT), ap=2, max_range=6)
    state = fight(fighter(0, 0, at(), leap, JAB, mp=1), fighter(1, 1, at(6), hp=15))
    if name == "search":
        assert casts(turn(state, PLAYERS[name]()))[:2] == ["leap", "jab"]
    else:
        assert "jab" in casts(turn(fight(*state.fighters[:1], fighter(1, 1, at(2), hp=15)), GreedyPlayer()))


@pytest.mark.parametrize("name", PLAYERS)
def test_a_pull_or_a_push_serves_to_reach_or_hurt_and_not_by_itself(name):
    useless = fight(fighter(0, 0, at(), shove, mp=0), fighter(1, 1, at(1), SHOT, mp=3))
    free = apply_expected(useless, Cast("shove", at(1)))
    assert free.fighters[1].hp == 200
    assert "mend" not in casts(turn(fight(fighter(0, 0, at(), mend), foe), PLAYERS[name]()))


@pytest.mark.parametrize("name", PLAYERS)
def test_nobody_strikes_its_own_summon_or_an_ally_for_nothing(name):
    blast = spell("blast", hit(30, shape=Shape.CIRCLE, radius=1), min_range=1, max_range=6)
    own = fighter(2, 0, at(2, 1), JAB, hp=40, max_hp=40, summoner=0)
    state = fight(fighter(0, 0, at(), blast, mp=0), fighter(1, 1, at(2)), own)
    rng = random.Random(1)
    for action in turn(state, PLAYERS[name]()):
        state = apply(state, action, rng)
        if isinstance(action, Cast):
            assert state.fighters[1].hp < 200
    assert state.fighters[2].hp == 40

    alone = fight(fighter(0, 0, at(), blast, mp=0), fighter(1, 1, at(9, -9)), own)
    assert casts(turn(alone, PLAYERS[name]())) == []


@pytest.mark.parametrize("name", PLAYERS)
def test_who_strikes_from_afar_does_not_end_its_turn_beside_who_strikes_from_near(name):
    state = fight(fighter(0, 0, at(), SHOT, mp=4, base_mp=4), fighter(1, 1, at(2), JAB, mp=3))
    rng, actions = random.Random(1), turn(state, PLAYERS[name]())
    assert casts(actions) == ["shot", "shot"]
    for action in actions[:-1]:
        state = apply(state, action, rng)
    assert distance(state.fighters[0].cell, at(2)) > 4
    assert isinstance(actions[-1], EndTurn)


@pytest.mark.parametrize("name", PLAYERS)
def test_nobody_walks_to_and_fro_while_it_could_strike(name):
    player, rng = PLAYERS[name](), random.Random(5)
    state = fight(fighter(0, 0, at(-3), SHOT, mp=5), fighter(1, 1, at(3), SHOT, mp=5))
    idle = 0
    for _ in range(120):
        if winner(state) is not None:
            break
        team = state.actor.team
        actions = turn(state, player)
        for action in actions:
            state = apply(state, action, rng)
            if winner(state) is not None:
                break
        idle = idle + 1 if not casts(actions) else 0
        assert idle < 4, (team, actions)
    assert winner(state) is not None


@pytest.mark.parametrize("name", PLAYERS)
def test_enemies_traps_are_not_known(name):
    on_the_way = Mark(MarkKind.TRAP, 1, at(1), (at(1),), 0, (hit(150),))
    known = fight(fighter(0, 0, at(), JAB), fighter(1, 1, at(4)))
    state = known.changed(marks=(on_the_way,))
    rng = random.Random(1)
    assert PLAYERS[name]().choose(state, rng) == PLAYERS[name]().choose(known, rng)


def score(state, team=0, first=None):
    """What a state is worth to a side, in the fight that began with the first one or with itself."""
    desk = Desk(first or state, team)
    desk.load(state)
    return desk.score()


def test_what_lies_on_the_ground_and_lasts_is_weighed_for_both_sides():
    plain = fight(fighter(0, 0, at(), JAB), fighter(1, 1, at(2), JAB))
    under_foe = Mark(MarkKind.GLYPH, 0, at(2), (at(2),), 1, (hit(30),))
    heals = Mark(MarkKind.GLYPH, 1, at(2), (at(2),), 1, (Effect(EffectKind.HEAL, 30, 30),))
    assert score(plain.changed(marks=(under_foe,))) > score(plain)
    hurt = fight(plain.fighters[0], plain.fighters[1].changed(hp=100), marks=(heals,))
    assert score(hurt) < score(hurt.changed(marks=()))
    assert score(hurt) == -score(hurt, 1)


@pytest.mark.parametrize(
    ("buff", "sign"),
    [
        (Buff(0, 2, "power", 50), 1),
        (Buff(1, 2, "strength", -50), -1),
        (Buff(1, 2, "resistance", 20), 1),
        (Buff(1, 2, "fire_resistance", -20), -1),
        (Buff(1, 2, "ap", -2), -1),
        (Buff(0, 3, "mp", 1), 1),
        (Buff(1, 2, "lock", 10), 1),
        (Buff(1, 1, state=State.PACIFIED), -1),
        (Buff(0, 1, state=State.INVULNERABLE), 1),
        (Buff(1, 1, state=State.GRAVITY), -1),
        (Buff(1, 0, "erosion", 20), -1),
        (Buff(1, 1, "summons", 1), 0),
    ],
)
def test_buffs_are_worth_something_to_their_bearer(buff, sign):
    plain = fight(fighter(0, 0, at(), JAB), fighter(1, 1, at(2), JAB))
    blessed = plain.changed(fighters=(plain.fighters[0].changed(buffs=(buff,)), plain.fighters[1]))
    gain = score(blessed, first=plain) - score(plain)
    assert (gain > 0) - (gain < 0) == sign


def test_areas_are_aimed_between_enemies():
    cross = hit(30, shape=Shape.CROSS, radius=1, affects=Affects.ENEMIES)
    blast = spell("blast", cross, max_range=6, casts_per_turn=1, needs_sight=False)
    state = fight(fighter(0, 0, at(), blast), fighter(1, 1, at(7)), fighter(2, 1, at(9)))
    for player in PLAYERS.values():
        actions = turn(state, player())
        assert isinstance(actions[0], Move)
        assert next(action for action in actions if isinstance(action, Cast)).target == at(8)
