"""The static evaluation of a state for one side, in HP: life, deaths, buffs, states, summons and marks.

It values every kind of spell alike: by the difference between the states after and before a cast. Where the
fighters stand does not count, save for marks.
"""

from botapp.fight.core.buffs import full_ap, full_mp
from botapp.fight.core.cells import distance
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import NOBODY, SET, Buff, Fight, Fighter
from botapp.fight.core.spellbook import Book
from botapp.fight.core.state import winner
from botapp.search.core.blows import power
from botapp.search.core.evaluation import PAYLOAD_SLOTS, Evaluation
from botapp.search.core.values import (
    POINT_AP,
    POINT_MP,
    SHIELD_VALUE,
    buff_value,
    bulk,
    forget_marked,
    life,
    mark_value,
    waiting_value,
)

LEAST_WON = 3000.0
"""The value of a fight won, at the least; never less than all HP there are, so that nothing else counts."""
STEEPNESS = 10.0
"""How fast the share of winning grows with the evaluation; see docs/log/search.md for the fit."""
_SUMMON_TURNS = 1.6
_SUMMON_LIFE = 0.35
_IDLE_SHIELD = 0.1
_ARM = 6


@compiled
def prepare(fight: Fight, book: Book, evaluation: Evaluation, team: int) -> None:
    """Fills the head of an evaluation from a decision's first state.

    Args:
        fight: the state; who fights, how strong they are and where they stand is taken from it.
        book: the book.
        evaluation: the evaluation; it has never been used with another book.
        team: the side taken.
    """
    decider = fight.order[fight.current]
    for slot in range(PAYLOAD_SLOTS):
        evaluation.payloads[slot].tag, evaluation.payloads[slot].value = 0, 0.0
    evaluation.side = team
    evaluation.decider = decider
    for word in range(SET):
        evaluation.between[word] = 0
    total, full, red, blue = 0.0, 0.0, 0.0, 0.0
    reds, blues, own = 0, 0, 0
    for number in range(fight.fighter_count):
        fighter = fight.fighters[number]
        if fighter.summoner < 0:
            total += life(fighter.max_hp, fighter.max_hp + fighter.eroded)
            full += fighter.max_hp + fighter.eroded
            own += 1
        if fighter.hp > 0:
            if number != decider:
                evaluation.between[fighter.cell // 28] += 1 << fighter.cell % 28
            if fighter.team == 0:
                red += power(fight, book, evaluation, fighter)
                reds += 1
            else:
                blue += power(fight, book, evaluation, fighter)
                blues += 1
    evaluation.total = max(1.0, total)
    evaluation.mean_hp = max(1.0, full / max(1, own))
    evaluation.won = max(LEAST_WON, evaluation.total)
    evaluation.incoming[0] = blue / reds if reds else 0.0
    evaluation.incoming[1] = red / blues if blues else 0.0


@compiled
def score(fight: Fight, book: Book, evaluation: Evaluation, fleeting: bool) -> float:
    """Returns how much better off the side is than the other one, in HP.

    Args:
        fight: the state.
        book: the book.
        evaluation: the evaluation.
        fleeting: whether shields, lost AP and lost MP count, which are gone after the next turn.
    """
    team, won = int(evaluation.side), winner(fight)
    if won != NOBODY:
        return 0.0 if won < 0 else evaluation.won if won == team else -evaluation.won
    total = 0.0
    actor = fight.order[fight.current]
    for number in range(fight.fighter_count):
        fighter = fight.fighters[number]
        if fighter.hp > 0:
            value = _bare(fight, book, evaluation, fighter)
            if fight.buff_count:
                value += buffs_value(fight, book, evaluation, fighter)
            if fleeting:
                if fighter.shield:
                    value += fighter.shield * (SHIELD_VALUE if _threatened(fight, fighter) else _IDLE_SHIELD)
                if number != actor:
                    value -= lacking(fight, book, evaluation, fighter)
            total += value if fighter.team == team else -value
    if fight.mark_count:
        forget_marked(fight, evaluation)
    for index in range(fight.mark_count):
        mark = fight.marks[index]
        total += mark_value(fight, book, evaluation, mark)
    return total


@compiled
def buffs_value(fight: Fight, book: Book, evaluation: Evaluation, fighter: Fighter) -> float:
    """Returns the value of the fighter's buffs and states to its side, in HP."""
    value = 0.0
    for index in range(fight.buff_count):
        buff = fight.buffs[index]
        if buff.on == fighter.number:
            waits = buff.effect > 0
            value += (
                waiting_value(fight, book, evaluation, buff, fighter)
                if waits
                else _buff(fight, book, evaluation, buff, fighter)
            )
    return value


@compiled
def lacking(fight: Fight, book: Book, evaluation: Evaluation, fighter: Fighter) -> float:
    """Returns the value of the AP and MP that a fighter lacks in its next turn, in HP."""
    value = 0.0
    lost_ap, lost_mp = full_ap(fight, fighter) - fighter.ap, full_mp(fight, fighter) - fighter.mp
    if lost_ap > 0:
        value += POINT_AP * lost_ap * power(fight, book, evaluation, fighter) / max(1, fighter.base_ap)
    if lost_mp > 0:
        value += POINT_MP * lost_mp * bulk(fighter)
    return value


@compiled
def _bare(fight: Fight, book: Book, evaluation: Evaluation, fighter: Fighter) -> float:
    """Returns the value of a living fighter to its side, buffs left out."""
    hp, full = fighter.hp, fighter.max_hp + fighter.eroded
    if fighter.summoner < 0:
        return life(hp, full)
    wholeness = 0.5 + 0.5 * hp / max(1, full)
    return _SUMMON_LIFE * hp + _SUMMON_TURNS * power(fight, book, evaluation, fighter) * wholeness


@compiled
def _buff(fight: Fight, book: Book, evaluation: Evaluation, buff: Buff, fighter: Fighter) -> float:
    by, turns, stat = buff.by, buff.turns, buff.stat
    return buff_value(fight, book, evaluation, fighter, by, turns, stat, buff.amount, buff.state)


@compiled
def _threatened(fight: Fight, fighter: Fighter) -> bool:
    """Tells whether an enemy is close enough to strike the fighter within a turn, as far as one can guess."""
    for index in range(fight.fighter_count):
        foe = fight.fighters[index]
        near = distance(foe.cell, fighter.cell) <= foe.base_mp + _ARM
        if near and foe.team != fighter.team and foe.hp > 0:
            return True
    return False
