"""The value of buffs and states to their bearer's side, in HP, over the turns they still last.

Next hop: `botapp.search.static_evaluation` adds it to the value of a fighter.
"""

from typing import NamedTuple

from botapp.fight.spells import Buff, Element, State, StateName

POINT_AP = 0.8
"""The value of a point of AP for a turn, as a share of the damage that it buys."""

POINT_MP = 1.4
"""The value of a point of MP for a turn, in hundredths of the full HP."""

_FADE = 0.7
_ENDLESS = 8
_GOOD_STATES = frozenset({State.INVULNERABLE, State.INVISIBLE, State.UNLOCKABLE, State.FOCUSED})
_STATE = 0.6
_SHELTERS = {State.INVULNERABLE: 1.0, State.INVISIBLE: 0.5}
"""Which share of the blows that may come in a turn a state keeps off."""

_GUARDS = {
    "resistance": 0.01,
    **{f"{element.value}_resistance": 0.0025 for element in Element},
    "erosion": -0.005,
}
"""Which share of the blows that may come in a turn a point of a stat keeps off."""

_BY_POWER = {
    **dict.fromkeys(("strength", "intelligence", "chance", "agility"), 0.0025),
    "power": 0.006,
    "damage": 0.05,
    "crit": 0.003,
    "crit_damage": 0.01,
}
"""What a point of a stat adds to a turn, as a share of the bearer's power."""

_BY_BULK = {
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
"""The value of a point of a stat for a turn, in hundredths of the bearer's full HP."""


class Bearer(NamedTuple):
    """Who bears a buff.

    Attributes:
        id: its id.
        base_ap: the AP that its turns begin with.
        power: the damage of its best turn, in HP.
        incoming: the blows that may come in a turn, in HP.
        bulk: a hundredth of its full HP.
    """

    id: int
    base_ap: int
    power: float
    incoming: float
    bulk: float


def buff_value(buff: Buff, bearer: Bearer) -> float:
    """Returns the value of one buff over the turns it still lasts.

    What only counts in the bearer's own turns counts once less where the bearer is the caster, whose
    turn it is now.
    """
    turns = buff.turns or _ENDLESS
    each, in_own_turn = _each_turn(buff, bearer)
    if in_own_turn and buff.caster == bearer.id:
        turns -= 1
    return each * (1 - _FADE**turns) / (1 - _FADE)


def _each_turn(buff: Buff, bearer: Bearer) -> tuple[float, bool]:
    """Returns the value of a buff in one turn, in HP, and whether that is the bearer's own turn."""
    if buff.state is not None:
        return _state(buff.state, bearer)
    stat, amount = buff.stat, buff.amount
    if stat in _GUARDS:
        return amount * _GUARDS[stat] * bearer.incoming, False
    if stat == "ap":
        return POINT_AP * amount * bearer.power / max(1, bearer.base_ap), True
    if stat == "mp":
        return POINT_MP * amount * bearer.bulk, True
    if stat in _BY_POWER:
        return amount * _BY_POWER[stat] * bearer.power, True
    return amount * _BY_BULK.get(stat, 0.0) * bearer.bulk, True


def _state(state: StateName, bearer: Bearer) -> tuple[float, bool]:
    """Returns the value of a state in one turn, in HP, and whether that is the bearer's own turn."""
    if not isinstance(state, State):
        return 0.0, False
    if state is State.PACIFIED:
        return -0.9 * bearer.power, True
    if state in _SHELTERS:
        return _SHELTERS[state] * bearer.incoming, False
    return (_STATE if state in _GOOD_STATES else -_STATE) * bearer.bulk, True
