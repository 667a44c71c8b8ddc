"""Fights with anything the rules know in them: random spells of every kind on random ground."""

import random

from fights import fighter

from botapp.fight.actions import Cast
from botapp.fight.board import CELLS
from botapp.fight.order import turn_order
from botapp.fight.rules import apply, legal_actions
from botapp.fight.spells import (
    BUFF_STATS,
    Affects,
    Effect,
    EffectKind,
    Element,
    Shape,
    Spell,
    State,
    Stats,
    Summon,
)
from botapp.fight.state import CellFlag, FightMap, FightState

MARKS = (EffectKind.GLYPH, EffectKind.TRAP)
BOARD = (*MARKS, EffectKind.SUMMON, EffectKind.TELEPORT)
KINDS = tuple(EffectKind)[: list(EffectKind).index(EffectKind.SUMMON) + 1]
SHAPES = tuple(Shape)[: list(Shape).index(Shape.CONE) + 1]
SIDES = tuple(affects for affects in Affects if affects is not Affects.CAUSE)
STATS = tuple(
    stat
    for stat in BUFF_STATS
    if stat not in ("crit_resistance", "final_damage", "final_heals", "heals_received", "armor", "luck")
    and not stat.startswith(("spell_", "weapon_", "melee_", "ranged_"))
)
"""What the arena's content is made of; the rest is tried in tests/fight/core."""
PLAIN = tuple(kind for kind in KINDS if kind not in BOARD)


def effect(dice, kind, depth):
    low = dice.randint(-8, 8) if kind is EffectKind.BUFF else dice.randint(0, 6)
    crit = dice.choice([None, low + 2])
    return Effect(
        kind,
        low,
        low + dice.randint(0, 6),
        dice.choice(list(Element)),
        dice.choice(SHAPES),
        dice.randint(0, 3),
        crit,
        None if crit is None else crit + 1,
        dice.randint(0, 3),
        dice.choice(STATS) if kind is EffectKind.BUFF else "",
        dice.choice(list(State)) if kind is EffectKind.STATE else None,
        dice.choice(SIDES),
        tuple(effect(dice, dice.choice(PLAIN), 0) for _ in range(dice.randint(1, 2)))
        if kind in MARKS
        else (),
        summon(dice, depth - 1) if kind is EffectKind.SUMMON else None,
    )


def wild_spell(dice, key, depth=1):
    kinds = PLAIN + MARKS + ((EffectKind.SUMMON, EffectKind.TELEPORT) if depth > 0 else ())
    near = dice.choice([0, 0, 1, 2])
    some = dice.sample(list(State), 2)
    return Spell(
        key,
        key.title(),
        dice.randint(0, 4),
        near,
        near + dice.randint(0, 6),
        tuple(effect(dice, dice.choice(kinds), depth) for _ in range(dice.randint(1, 3))),
        in_line=dice.random() < 0.2,
        on_diagonal=dice.random() < 0.2,
        needs_sight=dice.random() < 0.7,
        needs_taken_cell=dice.random() < 0.2,
        boostable_range=dice.random() < 0.5,
        crit=dice.choice([0, 30]),
        crit_bonus=dice.randint(0, 5),
        casts_per_turn=dice.choice([0, 2]) or 3,
        casts_per_target=dice.choice([0, 1]),
        cooldown=dice.choice([0, 0, 2]),
        initial_cooldown=dice.choice([0, 0, 1]),
        required_states=tuple(some[:1]) if dice.random() < 0.05 else (),
        forbidden_states=tuple(some[1:]) if dice.random() < 0.1 else (),
    )


def summon(dice, depth):
    spells = tuple(wild_spell(dice, f"minion-{i}", depth) for i in range(2))
    return Summon("minion", "Minion", dice.randint(1, 50), dice.randint(5, 60), 5, 3, spells, sheet(dice))


def sheet(dice):
    return Stats(
        strength=dice.randint(0, 80),
        wisdom=dice.randint(0, 90),
        lock=dice.randint(0, 9),
        flee=dice.randint(0, 9),
        range=dice.randint(-1, 2),
        initiative=dice.randint(0, 99),
        resistance=tuple(dice.randint(-20, 80) for _ in Element),
        fixed_resistance=tuple(dice.randint(0, 3) for _ in Element),
        crit=dice.randint(0, 20),
        crit_damage=dice.randint(0, 5),
        push_damage=dice.randint(0, 20),
        push_resistance=dice.randint(0, 20),
        erosion=dice.randint(0, 50),
        summons=dice.randint(0, 2),
    )


def wild_fight(seed):
    """A fight of 1 to 4 a side on open ground with a few walls and holes, everyone close together."""
    dice = random.Random(seed)
    cells = bytearray(dice.choices([CellFlag.FLOOR, CellFlag.NONE, CellFlag.SIGHT], [8, 1, 1], k=CELLS))
    places = dice.sample(range(210, 350), 8)
    for cell in places:
        cells[cell] = CellFlag.FLOOR
    sides = [0] * dice.randint(1, 4) + [1] * dice.randint(1, 4)
    fighters = []
    for id, team in enumerate(sides):
        spells = [wild_spell(dice, f"spell-{id}-{i}") for i in range(4)]
        ap, mp, hp = dice.randint(4, 12), dice.randint(2, 6), dice.randint(30, 120)
        fighters.append(
            fighter(
                id,
                team,
                places[id],
                spells,
                level=dice.randint(1, 200),
                hp=hp,
                max_hp=hp,
                ap=ap,
                base_ap=ap,
                mp=mp,
                base_mp=mp,
                stats=sheet(dice),
                player=dice.random() < 0.5,
                cooldowns=tuple((s.key, s.initial_cooldown) for s in spells if s.initial_cooldown),
            )
        )
    return FightState(FightMap("wild", bytes(cells)), tuple(fighters), turn_order(fighters))


def wild_state(seed, actions):
    """A wild fight after some random actions, casts preferred so that things happen."""
    dice, state = random.Random(seed), wild_fight(seed)
    for _ in range(actions):
        legal = legal_actions(state)
        if not legal:
            break
        casts = [action for action in legal if isinstance(action, Cast)]
        state = apply(state, dice.choice(casts if casts and dice.random() < 0.7 else legal), dice)
    return state
