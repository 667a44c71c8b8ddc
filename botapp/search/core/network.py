"""The learned evaluation: how likely a side is to win from a state, by a small network on rows of fighters.

A fighter's row goes through a layer by itself; then each fighter hears from every other one, through what
there is to say of the two (message passing: J. Gilmer and others, 2017); then all of a side are summed (deep
sets: M. Zaheer and others, 2017), and the last layers read the two sums. They read them once from either side
and the difference is taken, so that what one side gains the other one loses.

What it sees of a state is written first: a row of decimals for each living fighter, and one for each pair.
Nothing in a row names a cell, a class or a spell, and both sides are described alike: what fighters can do to
each other is worked out from their spells, so that classes and maps never seen are described as well.
"""

from botapp.fight.core.casting import spell_count, spell_of
from botapp.fight.core.cells import distance
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import MOST_FIGHTERS, Fight, Fighter
from botapp.fight.core.kinds import PACIFIED
from botapp.fight.core.records import Decimals
from botapp.fight.core.spellbook import Book
from botapp.search.core.blows import farthest, hurts, known_strike, power
from botapp.search.core.evaluation import (
    INPUT,
    PAIR,
    WIDTHS,
    Evaluation,
    Heard,
    Inputs,
    Side,
    is_in,
    resting,
    striker_tag,
    tag_fighters,
)
from botapp.search.core.static import STEEPNESS, buffs_value
from botapp.search.core.values import forget_marked, mark_value

_STATES = 7
_TEN_AP, _SIX_MP, _FAR, _MANY, _CAP = 10.0, 6.0, 15.0, 4.0, 3.0
_FARTHEST = 40 / _FAR


@compiled
def write_inputs(fight: Fight, book: Book, evaluation: Evaluation) -> int:
    """Writes a row for each living fighter to `evaluation.rows`; returns how many they are.

    What each says of the others goes to `evaluation.pairs`, `MOST_FIGHTERS` of them for each row.

    Args:
        fight: a state still fought in, at the beginning of a fighter's turn; all have their AP and MP for it.
        book: the book.
        evaluation: the evaluation, prepared for a state of the same fight.
    """
    tag_fighters(fight, book, evaluation)
    for number in range(fight.fighter_count):
        fighter = fight.fighters[number]
        if fighter.hp > 0 and fighter.team == evaluation.side:
            evaluation.striker_tags[number] = striker_tag(book, evaluation, fighter)
    living = _note_turns(fight, evaluation)
    count = 0
    for number in range(fight.fighter_count):
        fighter = fight.fighters[number]
        if fighter.hp > 0:
            row = evaluation.rows[count]
            row.team = fighter.team
            _sheet(fight, book, evaluation, fighter, row)
            first = count * MOST_FIGHTERS
            _others(fight, book, evaluation, fighter, first)
            _blows(fight, evaluation, fighter, row, first)
            row.turns_until = evaluation.turns_until[number] / living
            row.acts_now = 1.0 if evaluation.turns_until[number] == 0.0 else 0.0
            count += 1
    if fight.mark_count:
        _marks(fight, book, evaluation)
    return living


@compiled
def _note_turns(fight: Fight, evaluation: Evaluation) -> int:
    """Writes down by number how many of the living act before each of them; returns how many they are."""
    before = 0
    place = fight.current
    for _ in range(fight.turn_count):
        number = fight.order[place]
        if fight.fighters[number].hp > 0:
            evaluation.turns_until[number] = before
            before += 1
        place += 1
        if place == fight.turn_count:
            place = 0
    return before


@compiled
def _sheet(fight: Fight, book: Book, evaluation: Evaluation, fighter: Fighter, row: Inputs) -> None:
    """Writes what a fighter is by itself."""
    scale = evaluation.mean_hp
    full = fighter.max_hp + fighter.eroded
    row.hp = fighter.hp / scale
    row.hp_share = fighter.hp / max(1, full)
    row.max_hp = full / scale
    row.shield = fighter.shield / scale
    row.eroded = fighter.eroded / max(1, full)
    row.ap = fighter.ap / _TEN_AP
    row.mp = fighter.mp / _SIX_MP
    row.base_ap = fighter.base_ap / _TEN_AP
    row.base_mp = fighter.base_mp / _SIX_MP
    row.power = power(fight, book, evaluation, fighter) / scale
    row.summon = 1.0 if fighter.summoner >= 0 else 0.0
    row.buffs = buffs_value(fight, book, evaluation, fighter) / scale if fight.buff_count else 0.0
    closed = resting(book, fighter, 0)
    longest, ready = 0, 0
    for slot in range(spell_count(book, fighter)):
        if not (closed >> slot) & 1:
            ready += 1
            spell = spell_of(book, fighter, slot)
            if hurts(spell):
                longest = max(longest, farthest(book, evaluation, fighter, spell))
    row.longest = longest / _TEN_AP
    row.ready = ready / _TEN_AP
    resistances = 0
    for element in range(5):
        resistances += fighter.resistance[element]
    row.resistance = resistances / 250.0
    row.lock = fighter.lock / 20.0
    row.flee = fighter.flee / 20.0
    for state in range(_STATES):
        row.states[state] = (fighter.states >> state) & 1
    row.marks = 0.0


@compiled
def _others(fight: Fight, book: Book, evaluation: Evaluation, fighter: Fighter, first: int) -> None:
    """Writes what there is to say of a fighter and each of the others, to the pairs from the first one on."""
    turn = evaluation.turns_until[fighter.number]
    count = 0
    for number in range(fight.fighter_count):
        other = fight.fighters[number]
        if other.hp > 0:
            pair = evaluation.pairs[first + count]
            foe = other.team != fighter.team
            apart = distance(fighter.cell, other.cell)
            pair.foe = 1.0 if foe else 0.0
            pair.distance = apart / _FAR
            pair.adjacent = 1.0 if apart == 1 else 0.0
            pair.deals = _share(fight, book, evaluation, fighter, other) if foe else 0.0
            pair.suffers = _share(fight, book, evaluation, other, fighter) if foe else 0.0
            pair.after = 1.0 if evaluation.turns_until[number] < turn else 0.0
            count += 1


@compiled
def _share(fight: Fight, book: Book, evaluation: Evaluation, fighter: Fighter, other: Fighter) -> float:
    """Returns which share of an enemy's life a fighter's best turn takes; the tags of all are known."""
    if is_in(fighter, PACIFIED):
        return 0.0
    dealt = known_strike(fight, book, evaluation, fighter, other)
    return min(dealt / (other.hp + other.shield), _CAP)


@compiled
def _blows(fight: Fight, evaluation: Evaluation, fighter: Fighter, row: Inputs, first: int) -> None:
    """Writes what a fighter may do to its enemies in its next turn, and they to it."""
    most, most_share, shares, in_reach = 0.0, 0.0, 0.0, 0
    taken, taken_most, taken_before, strikers, foes = 0.0, 0.0, 0.0, 0, 0
    near_foe, near_friend = _FARTHEST, _FARTHEST
    count = 0
    for number in range(fight.fighter_count):
        other = fight.fighters[number]
        if other.hp > 0:
            pair = evaluation.pairs[first + count]
            if pair.foe > 0.0:
                foes += 1
                near_foe = min(near_foe, pair.distance)
                most = max(most, pair.deals * (other.hp + other.shield))
                most_share = max(most_share, pair.deals)
                shares += pair.deals
                in_reach += 1 if pair.deals > 0.0 else 0
                taken += pair.suffers
                taken_most = max(taken_most, pair.suffers)
                taken_before += pair.suffers * pair.after
                strikers += 1 if pair.suffers > 0.0 else 0
            elif number != fighter.number:
                near_friend = min(near_friend, pair.distance)
            count += 1
    row.strike = most / evaluation.mean_hp
    row.strike_share = most_share
    row.kills = 1.0 if most_share >= 1.0 else 0.0
    row.strike_shares = shares / max(1, foes)
    row.in_reach = in_reach / _MANY
    row.struck_share = min(taken, _CAP)
    row.struck_most = taken_most
    row.struck_before = min(taken_before, _CAP)
    row.falls_before = 1.0 if taken_before >= 1.0 else 0.0
    row.strikers = strikers / _MANY
    row.foe_distance = near_foe
    row.friend_distance = near_friend


@compiled
def _marks(fight: Fight, book: Book, evaluation: Evaluation) -> None:
    """Writes what the marks on the ground are worth to each side, to all of its rows."""
    forget_marked(fight, evaluation)
    worth = 0.0
    for index in range(fight.mark_count):
        worth += mark_value(fight, book, evaluation, fight.marks[index])
    worth /= evaluation.mean_hp
    count = 0
    for number in range(fight.fighter_count):
        fighter = fight.fighters[number]
        if fighter.hp > 0:
            evaluation.rows[count].marks = worth if fighter.team == evaluation.side else -worth
            count += 1


_ALONE, _TWO, _AMONG, _BOTH = WIDTHS
_SENDS = INPUT * _ALONE
_LISTENS = _SENDS + (_ALONE + 1) * _TWO
_OF_TWO = _LISTENS + _ALONE * _TWO
_AMONG_AT = _OF_TWO + PAIR * _TWO
_BOTH_AT = _AMONG_AT + (_ALONE + _TWO + 1) * _AMONG
_LAST = _BOTH_AT + (2 * _AMONG + 1) * _BOTH
"""Where the weights of each layer begin."""


@compiled
def log_odds(fight: Fight, book: Book, evaluation: Evaluation, team: int) -> float:
    """Returns the logarithm of the odds that a team wins from a state still fought in.

    Args:
        fight: the state, at the beginning of a fighter's turn.
        book: the book.
        evaluation: the evaluation, prepared for a state of the same fight, with weights.
        team: 0 or 1.
    """
    rows = write_inputs(fight, book, evaluation)
    for row in range(rows):
        _alone(evaluation, evaluation.rows[row], evaluation.fighters[row])
    for side in range(2):
        for out in range(_AMONG):
            evaluation.sides[side].sums[out] = 0.0
    for row in range(rows):
        _hear(evaluation, row, rows)
        _among(evaluation, evaluation.fighters[row], evaluation.sides[int(evaluation.rows[row].team)])
    red, blue = evaluation.sides[0], evaluation.sides[1]
    odds = _read(evaluation, red, blue) - _read(evaluation, blue, red)
    return odds if team == 0 else -odds


@compiled
def worth(fight: Fight, book: Book, evaluation: Evaluation, team: int) -> float:
    """Returns `log_odds` in HP: as many as the heuristic evaluation needs for the same odds."""
    return log_odds(fight, book, evaluation, team) * evaluation.total / STEEPNESS


@compiled
def _add(sums: Decimals, count: int, value: float, weights: Decimals, first: int) -> None:
    """Adds to `count` sums a value's share by its weights, which begin at the first."""
    for out in range(count):
        sums[out] += value * weights[first + out]


@compiled
def _alone(evaluation: Evaluation, row: Inputs, fighter: Heard) -> None:
    """Works out what a fighter is by itself, what it sends, and what it adds to what it is sent."""
    weights = evaluation.weights
    for out in range(_ALONE):
        fighter.alone[out] = weights[out]
    for column in range(1, INPUT):
        if row.columns[column] != 0.0:
            _add(fighter.alone[:], _ALONE, row.columns[column], weights[:], column * _ALONE)
    for out in range(_TWO):
        fighter.sends[out] = weights[_SENDS + out]
        fighter.listens[out] = 0.0
    for unit in range(_ALONE):
        value = fighter.alone[unit]
        if value > 0.0:
            _add(fighter.sends[:], _TWO, value, weights[:], _SENDS + (unit + 1) * _TWO)
            _add(fighter.listens[:], _TWO, value, weights[:], _LISTENS + unit * _TWO)
        else:
            fighter.alone[unit] = 0.0


@compiled
def _hear(evaluation: Evaluation, row: int, rows: int) -> None:
    """Sums up the messages that a fighter receives from all the others."""
    fighter, layer = evaluation.fighters[row], evaluation.layer
    for out in range(_TWO):
        fighter.heard[out] = 0.0
    for other in range(rows):
        if other != row:
            sender = evaluation.fighters[other]
            for out in range(_TWO):
                layer[out] = fighter.listens[out] + sender.sends[out]
            pair = evaluation.pairs[row * MOST_FIGHTERS + other]
            for column in range(PAIR):
                if pair.columns[column] != 0.0:
                    first = _OF_TWO + column * _TWO
                    _add(layer[:], _TWO, pair.columns[column], evaluation.weights[:], first)
            for out in range(_TWO):
                fighter.heard[out] += max(layer[out], 0.0)


@compiled
def _among(evaluation: Evaluation, fighter: Heard, side: Side) -> None:
    """Adds what a fighter is among the others to the sums of its side."""
    layer, weights = evaluation.layer, evaluation.weights
    for out in range(_AMONG):
        layer[out] = weights[_AMONG_AT + out]
    for unit in range(_ALONE):
        if fighter.alone[unit] > 0.0:
            _add(layer[:], _AMONG, fighter.alone[unit], weights[:], _AMONG_AT + (unit + 1) * _AMONG)
    for unit in range(_TWO):
        if fighter.heard[unit] > 0.0:
            first = _AMONG_AT + (_ALONE + unit + 1) * _AMONG
            _add(layer[:], _AMONG, fighter.heard[unit], weights[:], first)
    for out in range(_AMONG):
        side.sums[out] += max(layer[out], 0.0)


@compiled
def _read(evaluation: Evaluation, own: Side, other: Side) -> float:
    """Returns what the last layers make of the sums of a side and of the other one."""
    layer, weights = evaluation.layer, evaluation.weights
    for out in range(_BOTH):
        layer[out] = weights[_BOTH_AT + out]
    for place in range(_AMONG):
        if own.sums[place] > 0.0:
            _add(layer[:], _BOTH, own.sums[place], weights[:], _BOTH_AT + (place + 1) * _BOTH)
        if other.sums[place] > 0.0:
            _add(layer[:], _BOTH, other.sums[place], weights[:], _BOTH_AT + (_AMONG + place + 1) * _BOTH)
    total = 0.0
    for out in range(_BOTH):
        total += max(layer[out], 0.0) * weights[_LAST + out]
    return total
