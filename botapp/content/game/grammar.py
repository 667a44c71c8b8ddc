"""The game's little languages: areas, target masks, triggers and conditions on casting, in the rules' words.

What is not understood is returned by name, never guessed. Facts: docs/rules.md and the sources it names.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from botapp.content.game.lines import Zone
from botapp.fight.spells import (
    Affects,
    Asks,
    Condition,
    Conditions,
    Shape,
    StateName,
    Trigger,
    Who,
)

_FARTHEST = 63
_NO_FALL_OFF_BEYOND = 50
_MOST_CLAUSES = 24

_ALLIES = (Who.ALLIED_PLAYER, Who.ALLIED_MONSTER, Who.ALLIED_SUMMON, Who.ALLIED_STATIC)
_ENEMIES = (Who.ENEMY_PLAYER, Who.ENEMY_MONSTER, Who.ENEMY_SUMMON, Who.ENEMY_STATIC)
_LETTERS: dict[str, tuple[Who, ...]] = {
    "a": (Who.CASTER, *_ALLIES),
    "g": _ALLIES,
    "A": _ENEMIES,
    "c": (Who.CASTER,),
    "h": (Who.ALLIED_PLAYER,),
    "H": (Who.ENEMY_PLAYER,),
    "l": (Who.ALLIED_PLAYER,),
    "L": (Who.ENEMY_PLAYER,),
    "m": (Who.ALLIED_MONSTER,),
    "M": (Who.ENEMY_MONSTER,),
    "i": (Who.ALLIED_SUMMON,),
    "I": (Who.ENEMY_SUMMON,),
    "j": (Who.ALLIED_SUMMON, Who.ALLIED_STATIC),
    "J": (Who.ENEMY_SUMMON, Who.ENEMY_STATIC),
    "s": (Who.ALLIED_STATIC,),
    "S": (Who.ENEMY_STATIC,),
    "d": (),
    "D": (),
}
"""Fighters that each letter includes; companions (d, D) are not simulated."""

_SIDES: dict[frozenset[Who], Affects] = {
    frozenset((Who.CASTER, *_ALLIES, *_ENEMIES)): Affects.ALL,
    frozenset((*_ALLIES, *_ENEMIES)): Affects.OTHERS,
    frozenset((Who.CASTER, *_ALLIES)): Affects.TEAM,
    frozenset(_ALLIES): Affects.ALLIES,
    frozenset(_ENEMIES): Affects.ENEMIES,
}

_SHAPES = {
    "P": Shape.POINT,
    "C": Shape.CIRCLE,
    "O": Shape.RING,
    "X": Shape.CROSS,
    "Q": Shape.CROSS,
    "+": Shape.DIAGONAL,
    "#": Shape.DIAGONAL,
    "*": Shape.STAR,
    "L": Shape.LINE,
    "l": Shape.LINE_FROM_CASTER,
    "T": Shape.T,
    "-": Shape.ACROSS_DIAGONAL,
    "G": Shape.SQUARE,
    "V": Shape.CONE,
    "U": Shape.HALF_CIRCLE,
    "a": Shape.EVERYWHERE,
    "A": Shape.EVERYWHERE,
}
SHAPE_LETTERS = tuple(_SHAPES)  # The areas that are understood

TRIGGERS: dict[str, Trigger] = {
    "TB": Trigger.TURN_BEGIN,
    "TE": Trigger.TURN_END,
    "D": Trigger.DAMAGE,
    "DN": Trigger.NEUTRAL,
    "DE": Trigger.EARTH,
    "DF": Trigger.FIRE,
    "DW": Trigger.WATER,
    "DA": Trigger.AIR,
    "DM": Trigger.MELEE,
    "DR": Trigger.RANGED,
    "DS": Trigger.DAMAGE,
    "DBA": Trigger.FROM_ALLY,
    "DBE": Trigger.FROM_ENEMY,
    "PD": Trigger.PUSH_DAMAGE,
    "P": Trigger.PUSHED,
    "MA": Trigger.PULLED,
    "M": Trigger.MOVED,
    "MS": Trigger.SWAPPED,
    "TP": Trigger.TELEPORTED,
    "APA": Trigger.AP_LOST,
    "MPA": Trigger.MP_LOST,
    "H": Trigger.HEALED,
    "X": Trigger.DEATH,
    "K": Trigger.KILLS,
    "DIS": Trigger.DISPELLED,
    "CC": Trigger.CRITICAL,
    "CI": Trigger.SUMMONS,
}
"""The triggers that are understood, those of states left out; an X before one counts as the same."""

_COVERED = {"DTB": "D", "DTE": "D", "DV": "D", "DG": "D", "DT": "D", "DI": "D", "DCAC": "D"}
"""Kinds of damage that are part of another trigger, where that is listed too."""
_TOKEN = re.compile(r"(\*?)([A-Za-z]{1,2}?)(\d*)")
_STATE_TRIGGER = re.compile(r"(EON|EOFF)(\d+)")
_CRITERION = re.compile(r"\s*(HS(?:=|!)\d+|[A-Za-z]+[^&|()]*|[&|()])")


class AreaSpread(NamedTuple):
    """An area in the rules' words; see `botapp.fight.spells.Effect`."""

    shape: Shape
    radius: int = 0
    inner: int = 0
    fall_off: int = 10
    fall_steps: int = 4


@lru_cache(maxsize=1 << 12)
def area(zone: Zone) -> AreaSpread | None:
    """Returns an area in the rules' words, None where the shape is not understood."""
    shape = _SHAPES.get(zone.shape)
    if shape is None:
        return None
    size, inner = max(0, zone.size), max(0, zone.inner)
    if zone.shape == "l":
        longest = max(1, inner or size)
        size, inner = min(_FARTHEST, max(1, size) + longest - 1), max(1, size)
        shape = Shape.LINE_TO_TARGET if zone.stops else shape
    elif zone.shape in "Q#":
        size, inner = max(1, size), max(1, inner)
    elif zone.shape == "+":
        size = max(1, size)
    elif zone.shape not in "CX":
        inner = 0
    if size >= _FARTHEST and shape is Shape.CIRCLE and not inner:
        shape = Shape.EVERYWHERE
    if shape in (Shape.POINT, Shape.EVERYWHERE):
        return AreaSpread(shape)
    if size == 0 and shape is not Shape.RING:
        return AreaSpread(Shape.POINT)
    flat = size > _NO_FALL_OFF_BEYOND
    fall_off = 0 if flat else max(0, min(100, zone.fall_off))
    return AreaSpread(shape, min(_FARTHEST, size), inner, fall_off, max(0, min(_FARTHEST, zone.fall_steps)))


class Mask(NamedTuple):
    """The fighters that a line reaches, in the rules' words."""

    affects: Affects | None  # Which fighters in the area, None for none
    among: tuple[Who, ...]  # The fighters in place of `affects`, where any are named
    caster: bool  # Whether the caster is reached wherever it stands
    cause: bool  # Whether who triggered it is meant, wherever that one stands
    conditions: Conditions  # What must hold for each
    never: bool  # Whether it reaches no fighter at all
    unknown: tuple[str, ...]  # What was not understood


StateOf = Callable[[int], StateName]  # Gives the state that a number of the game's means


@lru_cache(maxsize=1 << 13)
def read_mask(written: str, state_of: StateOf, own_class: int = 0) -> Mask:
    """Returns the fighters that a target mask selects.

    Args:
        written: letters and conditions between commas.
        own_class: how the rules call the caster's class, "" for a monster.
    """
    reader = _MaskReader(state_of, own_class)
    for token in filter(None, (part.strip() for part in written.split(","))):
        reader.take(token)
    return reader.mask()


class _MaskReader:
    """Reads a target mask token by token."""

    def __init__(self, state_of: StateOf, own_class: int) -> None:
        self._state_of = state_of
        self._own_class = own_class
        self._included: set[Who] = set()
        self._named = self._caster = self._cause = self._never = False
        self._clauses: list[tuple[Condition, ...]] = []
        self._alternatives: dict[str, list[Condition]] = {}
        self._unknown: list[str] = []

    def take(self, token: str) -> None:
        match = _TOKEN.fullmatch(token)
        star, letter, digits = match.groups() if match else ("", token, "")
        if not star and not digits and (letter in _LETTERS or letter == "C"):
            self._named = True
            self._caster = self._caster or letter == "C"
            self._included.update(_LETTERS.get(letter, ()))
        elif letter in ("O", "o"):
            self._cause = True
        elif letter == "u" and not digits:  # who has not just been called: those aimed at are chosen before
            return
        elif letter in ("R", "r"):  # through a portal, or not: no portal is ever judged
            self._never = self._never or letter == "R"
        elif token == "K":  # the fighter that the caster carries: carrying is not simulated
            self._never = True
        else:
            self._take_condition(token, letter, int(digits[:9]) if digits else -1, of_caster=bool(star))

    def _take_condition(self, token: str, letter: str, number: int, *, of_caster: bool) -> None:
        if letter in ("F", "B") and number >= 0:
            asked = _kind(letter, number, self._own_class, of_caster=of_caster)
            self._alternatives.setdefault(f"{of_caster}{letter}", []).append(asked)
            return
        condition = _condition(letter, number, self._state_of, self._own_class, of_caster=of_caster)
        if condition is None:
            self._unknown.append(token)
        else:
            self._clauses.append((condition,))

    def mask(self) -> Mask:
        included = self._included
        clauses = [*self._clauses, *(tuple(group) for group in self._alternatives.values())]
        if not self._named and not self._cause:
            included.update(_LETTERS["a"] + _LETTERS["A"])
        if self._cause and included and Who.CASTER not in included:
            clauses += _side_of_cause(included)
        if self._caster:
            included.discard(Who.CASTER)
        affects, among = _whom(frozenset(included)) if included else (None, ())
        conditions = tuple(_without_doubles(clauses))
        return Mask(affects, among, self._caster, self._cause, conditions, self._never, tuple(self._unknown))


def _whom(included: frozenset[Who]) -> tuple[Affects | None, tuple[Who, ...]]:
    side = _SIDES.get(included)
    if side is not None:
        return side, ()
    return Affects.ALL, tuple(who for who in Who if who in included)


def _side_of_cause(included: set[Who]) -> list[tuple[Condition, ...]]:
    if included <= set(_ENEMIES):
        return [(Condition(Asks.ALLY, unless=True),)]
    return [(Condition(Asks.ALLY),)] if included <= set(_ALLIES) else []


@lru_cache(maxsize=1 << 13)
def states_of_mask(written: str) -> tuple[int, ...]:
    """Returns the numbers of the states that a target mask asks for."""
    return _numbers(read_mask(written, str).conditions)


@lru_cache(maxsize=1 << 12)
def states_of_trigger(written: str) -> tuple[int, ...]:
    """Returns the number of the state whose coming or going triggers something, none where it is no state."""
    state = read_triggers(written, str).state
    return () if state is None else (int(str(state)),)


@lru_cache(maxsize=1 << 12)
def states_of_criterion(written: str) -> tuple[int, ...]:
    """Returns the numbers of the states that a condition on casting asks for."""
    return _numbers(read_criterion(written, str).conditions)


def _numbers(conditions: Conditions) -> tuple[int, ...]:
    return tuple(int(str(c.state)) for clause in conditions for c in clause if c.state is not None)


def _without_doubles(clauses: list[tuple[Condition, ...]]) -> list[tuple[Condition, ...]]:
    return list(dict.fromkeys(clauses))


def monster_kind(number: int | str) -> str:
    """Returns how the rules call a monster of the game; without a number, how all these names begin."""
    return f"monster-{number}"


def class_kind(number: int) -> str:
    """Returns how the rules call a class of the game where a condition asks for it."""
    return f"class-{number}"


def _kind(letter: str, number: int, own_class: int, *, of_caster: bool, unless: bool = False) -> Condition:
    """Returns the condition on a monster or a class; no other fighter is known to be of that class."""
    if letter in "Bb" and number == own_class:
        return Condition(Asks.CASTER, of_caster=of_caster, unless=unless)
    kind = monster_kind(number) if letter in "Ff" else class_kind(number)
    return Condition(Asks.KIND, kind=kind, of_caster=of_caster, unless=unless)


_ASKS = {"p": Asks.FAMILY, "q": Asks.FULL_OF_SUMMONS, "u": Asks.CALLED, "pb": Asks.SHIELDED}


def _condition(
    letter: str, number: int, state_of: StateOf, own_class: int, *, of_caster: bool
) -> Condition | None:
    """Returns what a further token asks, None where it is not understood."""
    unless = letter.islower()
    if letter in ("E", "e") and number >= 0:
        return Condition(Asks.STATE, state=state_of(number), of_caster=of_caster, unless=unless)
    if letter in ("f", "b") and number >= 0:
        return _kind(letter, number, own_class, of_caster=of_caster, unless=True)
    if letter in ("V", "v") and 0 < number <= 100:
        return Condition(Asks.HP_BELOW, percent=number, of_caster=of_caster, unless=unless)
    asks = _ASKS.get(letter.lower())
    if asks is not None and number < 0:
        return Condition(asks, of_caster=of_caster, unless=unless)
    if of_caster and letter == "h" and number < 0:
        return Condition(Asks.PLAYER, of_caster=True)
    return None


class Triggers(NamedTuple):
    """What a line waits for; no triggers for at once."""

    triggers: tuple[Trigger, ...]
    state: StateName | None  # The state that must come or go
    unknown: tuple[str, ...]  # What was not understood


@lru_cache(maxsize=1 << 12)
def read_triggers(written: str, state_of: StateOf) -> Triggers:
    """Returns what a line waits for.

    A trigger that only repeats another one of the line is passed over; an X before one, which lets it happen
    in death too, counts as the same.
    """
    codes = [code.strip() for code in written.split("|") if code.strip()]
    if codes in ([], ["I"]):
        return Triggers((), None, ())
    triggers: list[Trigger] = []
    unknown: list[str] = []
    state: StateName | None = None
    for code in codes:
        plain = code[1:] if code[0] == "X" and code[1:] in TRIGGERS else code
        by_state = _STATE_TRIGGER.fullmatch(plain)
        if by_state is not None:
            asked = state_of(int(by_state[2][:9]))
            if state in (None, asked):
                state = asked
                triggers.append(Trigger.STATE_GAINED if by_state[1] == "EON" else Trigger.STATE_LOST)
                continue
        elif plain in TRIGGERS:
            triggers.append(TRIGGERS[plain])
            continue
        elif _COVERED.get(plain) in codes:
            continue
        unknown.append(code)
    return Triggers(tuple(dict.fromkeys(triggers)), state, tuple(unknown))


class Criterion(NamedTuple):
    """What must hold for the caster, and what of it was not understood."""

    conditions: Conditions
    unknown: tuple[str, ...]


def read_criterion(written: str, state_of: StateOf) -> Criterion:
    """Returns a condition on casting such as `HS=3|(HS!7&HS=5)`: with a state or without it, and, or."""
    if not written.strip():
        return Criterion((), ())
    tokens = _CRITERION.findall(written)
    if "".join(tokens) != "".join(written.split()):
        return Criterion((), (written,))
    unknown: list[str] = []
    reader = _CriterionReader(tokens, state_of, unknown)
    try:
        clauses = reader.either()
        if reader.tokens:
            raise ValueError(written)
    except (ValueError, IndexError, RecursionError):
        return Criterion((), (written,))
    return Criterion(tuple(_without_doubles(clauses)), tuple(unknown))


class _CriterionReader:
    """Reads a condition as clauses that must all hold, of each one part; what is unknown always holds."""

    def __init__(self, tokens: list[str], state_of: StateOf, unknown: list[str]) -> None:
        self.tokens = tokens[::-1]
        self.state_of = state_of
        self.unknown = unknown

    def either(self) -> list[tuple[Condition, ...]]:
        clauses = self._all()
        while self.tokens and self.tokens[-1] == "|":
            self.tokens.pop()
            other = self._all()
            clauses = [(*mine, *its) for mine in clauses for its in other]
            if len(clauses) > _MOST_CLAUSES:
                raise ValueError("too long")
        return clauses

    def _all(self) -> list[tuple[Condition, ...]]:
        clauses = self._one()
        while self.tokens and self.tokens[-1] == "&":
            self.tokens.pop()
            clauses = clauses + self._one()
            if len(clauses) > _MOST_CLAUSES:
                raise ValueError("too long")
        return clauses

    def _one(self) -> list[tuple[Condition, ...]]:
        token = self.tokens.pop()
        if token == "(":
            clauses = self.either()
            if self.tokens.pop() != ")":
                raise ValueError("a bracket is missing")
            return clauses
        if token in "&|)":
            raise ValueError(token)
        if not token.startswith("HS") or len(token) < 4 or not token[3:].isdecimal():
            self.unknown.append(token)
            return []
        state = self.state_of(int(token[3:12]))
        return [(Condition(Asks.STATE, state=state, of_caster=True, unless=token[2] == "!"),)]
