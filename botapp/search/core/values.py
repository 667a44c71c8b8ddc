"""What lives, buffs, acts and marks are worth, in HP.

Of lives the value of being alive on top of the HP; of buffs and states that to their bearer's side over the
turns they still last; of effects that to their targets: those of marks, and what already waits on a fighter;
of a glyph or a trap what it may be expected to do to everyone alive.
"""

import math
from collections.abc import Mapping
from typing import Any

from botapp.fight.core import kinds
from botapp.fight.core.cells import distance, has_cell
from botapp.fight.core.compiler import array_of, compiled, decimals
from botapp.fight.core.damage import is_near, mean_amount
from botapp.fight.core.fight import (
    GLYPH,
    STAT_ALL_RESISTANCES,
    STAT_AP,
    STAT_MP,
    STAT_NAMES,
    Buff,
    Fight,
    Fighter,
    Mark,
)
from botapp.fight.core.spellbook import Book, Effect, effect_at, nth_act
from botapp.fight.core.zones import meant
from botapp.search.core.blows import power
from botapp.search.core.evaluation import PAYLOAD_SLOTS, Evaluation, mixed, sheet_tag, stats_tag

LIFE = 1.0
"""The value of being alive on top of the HP, as a share of the full HP; it shrinks with the root of the HP,
so that a wound weighs more on a fighter that is wounded already."""
SHIELD_VALUE = 0.45
"""The value of a point of shield where a fighter may strike."""
_SUMMON = 0.6


@compiled
def life(hp: float, full: float) -> float:
    """Returns the value of a fighter with `hp` of its `full` HP, in HP; 0 once it is dead."""
    return hp + LIFE * math.sqrt(hp * full) if hp > 0 else 0.0


@compiled
def loss(fighter: Fighter, lost: float) -> float:
    """Returns the value of the HP that a fighter loses."""
    hp = float(fighter.hp)
    if fighter.summoner >= 0:
        return _SUMMON * min(lost, hp)
    full = float(fighter.max_hp + fighter.eroded)
    return life(hp, full) - life(hp - lost, full)


POINT_AP = 0.8
"""The value of a point of AP for a turn, as a share of the damage that it buys."""
POINT_MP = 1.4
"""The value of a point of MP for a turn, in hundredths of the full HP."""
_FADE = 0.7
_ENDLESS = 8
_STATE = 0.6
_PACIFIED = -0.9


def _table(weights: Mapping[str, float]) -> Any:
    """Returns the weights by the numbers of the stats."""
    table = decimals(STAT_ALL_RESISTANCES + 1)
    for name, weight in weights.items():
        table[STAT_ALL_RESISTANCES if name == "resistance" else STAT_NAMES.index(name)] = weight
    return table


_GUARDS = _table(
    {
        "resistance": 0.01,
        **{f"{element}_resistance": 0.0025 for element in ("neutral", "earth", "fire", "water", "air")},
        "erosion": -0.005,
    }
)
"""Which share of the blows that may come in a turn a point of a stat keeps off."""
_BY_POWER = _table(
    {
        **dict.fromkeys(("strength", "intelligence", "chance", "agility"), 0.0025),
        "power": 0.006,
        "damage": 0.05,
        "crit": 0.003,
        "crit_damage": 0.01,
    }
)
"""What a point of a stat adds to a turn, as a share of the bearer's power."""
_BY_BULK = _table(
    {
        "range": 1.2,
        "heals": 0.1,
        "wisdom": 0.02,
        "withdraw": 0.08,
        "dodge": 0.08,
        "lock": 0.06,
        "flee": 0.08,
        "push_damage": 0.08,
        "push_resistance": 0.04,
    }
)
"""The value of a point of a stat for a turn, in hundredths of the bearer's full HP."""


@compiled
def bulk(fighter: Fighter) -> float:
    """Returns a hundredth of the HP that a fighter came with, before erosion."""
    return (fighter.max_hp + fighter.eroded) / 100


@compiled
def in_turns(turns: int) -> float:
    """Returns how many turns so many count for, 0 having no end, each a share of the one before."""
    left = 1.0
    for _ in range(turns if turns else _ENDLESS):
        left *= _FADE
    return (1.0 - left) / (1.0 - _FADE)


@compiled
def _state(fight: Fight, book: Book, evaluation: Evaluation, fighter: Fighter, state: int) -> float:
    """Returns the value of a state in one turn, in HP."""
    if state == kinds.PACIFIED:
        return _PACIFIED * power(fight, book, evaluation, fighter)
    if state in (kinds.INVULNERABLE, kinds.INVISIBLE):
        return (1.0 if state == kinds.INVULNERABLE else 0.5) * evaluation.incoming[fighter.team]
    if state in (kinds.UNLOCKABLE, kinds.FOCUSED):
        return _STATE * bulk(fighter)
    return -_STATE * bulk(fighter) if state in (kinds.ROOTED, kinds.GRAVITY) else 0.0


@compiled
def buff_value(
    fight: Fight,
    book: Book,
    evaluation: Evaluation,
    fighter: Fighter,
    by: int,
    turns: int,
    stat: int,
    amount: int,
    state: int,
) -> float:
    """Returns the value of one buff over the turns it still lasts.

    What only counts in the bearer's own turns counts once less where the bearer is the caster, whose
    turn it is now.

    Args:
        fight: the state.
        book: the book.
        evaluation: the evaluation.
        fighter: who bears it.
        by: number of who gave it.
        turns: turns left, 0 for no end.
        stat: what it changes, -1 for nothing.
        amount: by how much.
        state: the state it gives, -1 for none.
    """
    each, in_own_turn = 0.0, True
    if state >= 0:
        each = _state(fight, book, evaluation, fighter, state)
        in_own_turn = state not in (kinds.INVULNERABLE, kinds.INVISIBLE)
    elif stat == STAT_AP:
        each = POINT_AP * amount * power(fight, book, evaluation, fighter) / max(1, fighter.base_ap)
    elif stat == STAT_MP:
        each = POINT_MP * amount * bulk(fighter)
    elif stat >= 0:
        if _GUARDS[stat] != 0.0:
            each = amount * _GUARDS[stat] * evaluation.incoming[fighter.team]
            in_own_turn = False
        elif _BY_POWER[stat] != 0.0:
            each = amount * _BY_POWER[stat] * power(fight, book, evaluation, fighter)
        else:
            each = amount * _BY_BULK[stat] * bulk(fighter)
    if in_own_turn and by == fighter.number:
        turns = (turns if turns else _ENDLESS) - 1
        if turns == 0:
            return 0.0
    return each * in_turns(turns)


@compiled
def payload_value(
    fight: Fight, book: Book, evaluation: Evaluation, payload: int, owner: Fighter, fighter: Fighter
) -> float:
    """Returns what a payload does to a fighter that it reaches, in HP: more is better for it.

    Args:
        fight: the state.
        book: the book.
        evaluation: the evaluation.
        payload: its place in the book.
        owner: whose it is.
        fighter: who is reached.
    """
    total, acts = 0.0, book.all[payload + 1 + book.all[payload]]
    for index in range(book.all[acts]):
        act = nth_act(book, acts, index)
        root, effect = effect_at(book, act.root), effect_at(book, act.effect)
        by = fighter if root.kind == kinds.CAST_BY else owner
        if act.percent and meant(fight, book, root, owner, fighter):
            if effect.number == root.number or meant(fight, book, effect, by, fighter):
                total += _effect_value(fight, book, evaluation, effect, act.percent, by, owner, fighter)
    return total


@compiled
def waiting_value(fight: Fight, book: Book, evaluation: Evaluation, buff: Buff, fighter: Fighter) -> float:
    """Returns what an effect that waits on a fighter is worth to it, in HP.

    It counts where it is certain to happen: after its delay, or as a turn of the bearer's begins or ends.
    """
    effect, by, turns = effect_at(book, buff.effect), buff.by, buff.turns
    trigger = effect.trigger
    if by < 0 or (trigger and not trigger & (kinds.ON_TURN_BEGIN | kinds.ON_TURN_END)):
        return 0.0
    if trigger and turns and _has_struck(fight, by, fighter.number, trigger & kinds.ON_TURN_BEGIN != 0):
        turns -= 1
        if turns == 0:
            return 0.0
    owner, kind, payload = fight.fighters[by], effect.kind, effect.payload
    if kind == kinds.CAST or kind == kinds.CAST_BY:
        does = (
            payload_value(
                fight, book, evaluation, payload, fighter if kind == kinds.CAST_BY else owner, fighter
            )
            if payload
            else 0.0
        )
    else:
        does = _effect_value(fight, book, evaluation, effect, 100, owner, owner, fighter)
    return does * in_turns(turns if trigger else 1)


@compiled
def _has_struck(fight: Fight, giver: int, bearer: int, at_begin: bool) -> bool:
    """Tells whether a turn of the bearer's has begun, or ended, since the giver's last one began."""
    count, place = fight.turn_count, 0
    while place < count and fight.order[place] != giver:
        place += 1
    if place == count:
        return False
    while place % count != fight.current:
        if fight.order[place % count] == bearer:
            return True
        place += 1
    return at_begin and fight.order[fight.current] == bearer


@compiled
def _effect_value(
    fight: Fight,
    book: Book,
    evaluation: Evaluation,
    effect: Effect,
    percent: int,
    by: Fighter,
    owner: Fighter,
    fighter: Fighter,
) -> float:
    """Returns what an effect that happens with a chance is worth to a fighter, `by` being who does it."""
    kind, hp, full = effect.kind, fighter.hp, fighter.max_hp + fighter.eroded
    mean = mean_amount(fight, effect, 0, 0, by, fighter, 0)
    if percent != 100:
        mean = mean * percent / 100
    if kind == kinds.DAMAGE or kind == kinds.STEAL:
        return life(hp - mean, full) - life(hp, full)
    if kind == kinds.HEAL:
        return min(mean, float(fighter.max_hp - hp))
    if kind == kinds.SHIELD:
        return SHIELD_VALUE * mean
    if kind == kinds.BUFF or kind == kinds.STATE:
        stat = effect.stat if kind == kinds.BUFF else -1
        state = effect.state if kind == kinds.STATE else -1
        turns = effect.turns
        return buff_value(fight, book, evaluation, fighter, owner.number, turns, stat, round(mean), state)
    return -POINT_MP * bulk(fighter) * mean


_IN_GLYPH = 0.9
_NEAR_GLYPH = 0.1
_NEAR = 3
_TRAP_PERCENT = array_of((0, 50, 45, 35, 30, 20, 15))
_FAR_TRAP = 0.05


@compiled
def forget_marked(fight: Fight, evaluation: Evaluation) -> None:
    """Forgets the tags of the fighters that marks act on, for a state that differs from the one before."""
    for number in range(fight.fighter_count):
        evaluation.marked_tags[number] = -1


@compiled
def mark_value(fight: Fight, book: Book, evaluation: Evaluation, mark: Mark) -> float:
    """Returns the value of a mark to the side; one that does nothing, or has no owner, has none.

    The tags that `forget_marked` forgets are those of this state, as far as they are known.
    """
    if mark.by < 0 or mark.payload == 0:
        return 0.0
    owner = fight.fighters[mark.by]
    tag = mixed(sheet_tag(fight, book, owner), (mark.payload << 6) | mark.by)
    total = 0.0
    for number in range(fight.fighter_count):
        fighter = fight.fighters[number]
        if fighter.hp > 0:
            chance = _chance(mark, owner.team, fighter.team, fighter.cell)
            if chance > 0.0:
                does = chance * _payload(fight, book, evaluation, mark, owner, fighter, tag)
                total += does if fighter.team == evaluation.side else -does
    return total


@compiled
def _chance(mark: Mark, owners: int, team: int, cell: int) -> float:
    """Returns how likely a mark is to act on a fighter of a team on a cell within its next turn."""
    far = distance(cell, mark.cell)
    if mark.kind == GLYPH:
        if has_cell(mark.cells, cell):
            return _IN_GLYPH
        return _NEAR_GLYPH if team != owners and far <= _NEAR else 0.0
    if team == owners:
        return 0.0
    return _TRAP_PERCENT[far] / 100 if far < len(_TRAP_PERCENT) else _FAR_TRAP


@compiled
def _payload(
    fight: Fight, book: Book, evaluation: Evaluation, mark: Mark, owner: Fighter, fighter: Fighter, whose: int
) -> float:
    """Returns what a mark does to a fighter it acts on, in HP: more is better for it.

    Args:
        fight: the state.
        book: the book.
        evaluation: the evaluation.
        mark: the mark.
        owner: who laid it.
        fighter: who it acts on.
        whose: tag of the mark's payload and its owner.
    """
    tag = mixed(whose ^ is_near(owner, fighter), _marked_tag(evaluation, fighter))
    known = evaluation.payloads[tag % PAYLOAD_SLOTS]
    if known.tag != tag:
        known.value = payload_value(fight, book, evaluation, mark.payload, owner, fighter)
        known.tag = tag
    return known.value


@compiled
def _marked_tag(evaluation: Evaluation, fighter: Fighter) -> int:
    """Returns the tag of what matters of a fighter that marks act on, worked out once for each state."""
    if evaluation.marked_tags[fighter.number] < 0:
        fixed = (fighter.spells << 8) | (fighter.number << 2) | (fighter.team << 1) | fighter.player
        who = mixed(mixed(stats_tag(fighter), fixed), (fighter.kind << 10) | fighter.base_ap)
        body = mixed(mixed((fighter.hp << 20) ^ fighter.max_hp, fighter.eroded), fighter.states)
        evaluation.marked_tags[fighter.number] = mixed(who, body)
    return evaluation.marked_tags[fighter.number]
