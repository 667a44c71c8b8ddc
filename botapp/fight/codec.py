"""States and actions as plain dicts for JSON, both ways; what cannot be read is named by its path.

Next hop: the arena's link and log, data sets for training, and examples in the README.
"""

from collections.abc import Sequence
from typing import Any

from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.board import CELLS
from botapp.fight.fields import FieldError, Fields, cell_id, shown, whole_number
from botapp.fight.state import (
    CellFlag,
    Effect,
    EffectKind,
    Element,
    Fighter,
    FightMap,
    FightState,
    Shape,
    Spell,
    Stats,
)

Json = dict[str, Any]
_CELL_LETTERS = "#.o_"
"""How a map's cells are written, by `CellFlag`: obstacle, walkable without sight, hole, floor."""

_STAT_NAMES = tuple(Stats.__dataclass_fields__)
_SPELL_FLAGS = (
    "in_line",
    "on_diagonal",
    "needs_sight",
    "needs_free_cell",
    "needs_taken_cell",
    "boostable_range",
)
_SPELL_COUNTS = (
    "crit",
    "crit_bonus",
    "casts_per_turn",
    "casts_per_target",
    "cooldown",
    "initial_cooldown",
)
_FIGHTER_COUNTS = ("id", "team", "cell", "level", "hp", "max_hp", "ap", "mp", "base_ap", "base_mp")


def action_to_json(action: Action) -> Json:
    """Returns an action as a plain dict with a `type` of move, cast or end_turn."""
    if isinstance(action, Move):
        return {"type": "move", "path": list(action.path)}
    if isinstance(action, Cast):
        return {"type": "cast", "spell": action.spell, "target": action.target}
    return {"type": "end_turn"}


def action_from_json(data: object) -> Action:
    """Returns the action a plain dict describes.

    Raises:
        FieldError: a field is missing or wrong; the text names it.
    """
    reader = Fields(data, "")
    kind = reader.raw("type")
    if kind == "move":
        path = reader.items("path", cell_id)
        if not path:
            raise FieldError("path: expected at least one cell, got none")
        return Move(path)
    if kind == "cast":
        return Cast(reader.text("spell"), cell_id(reader.raw("target"), "target"))
    if kind == "end_turn":
        return EndTurn()
    raise FieldError(f"type: expected one of move, cast, end_turn, got {shown(kind)}")


def effect_to_json(effect: Effect) -> Json:
    """Returns an effect as a plain dict."""
    return {
        "kind": effect.kind.value,
        "low": effect.low,
        "high": effect.high,
        "element": effect.element.value,
        "shape": effect.shape.value,
        "radius": effect.radius,
    }


def effect_from_json(data: object, path: str = "effect") -> Effect:
    """Returns the effect a plain dict describes; `path` is where it stands, for the error.

    Raises:
        FieldError: a field is missing or wrong; the text names it.
    """
    reader = Fields(data, path)
    low = reader.whole("low", low=0)
    return Effect(
        reader.choice("kind", EffectKind),
        low,
        reader.whole("high", low, low=low),
        reader.choice("element", Element, Element.NEUTRAL),
        reader.choice("shape", Shape, Shape.POINT),
        reader.whole("radius", 0, low=0, high=63),
    )


def spell_to_json(spell: Spell) -> Json:
    """Returns a spell as a plain dict."""
    return {
        "key": spell.key,
        "name": spell.name,
        "ap": spell.ap,
        "min_range": spell.min_range,
        "max_range": spell.max_range,
        "effects": [effect_to_json(effect) for effect in spell.effects],
        **{name: getattr(spell, name) for name in (*_SPELL_FLAGS, *_SPELL_COUNTS)},
    }


def spell_from_json(data: object, path: str = "spell") -> Spell:
    """Returns the spell a plain dict describes; `path` is where it stands, for the error.

    Raises:
        FieldError: a field is missing or wrong; the text names it.
    """
    reader = Fields(data, path)
    flags = {name: reader.flag(name, name == "needs_sight") for name in _SPELL_FLAGS}
    counts: dict[str, Any] = {name: reader.whole(name, 0, low=0, high=100) for name in _SPELL_COUNTS}
    nearest = reader.whole("min_range", low=0, high=63)
    return Spell(
        reader.text("key"),
        reader.text("name"),
        reader.whole("ap", low=0, high=12),
        nearest,
        reader.whole("max_range", low=nearest, high=63),
        reader.items("effects", effect_from_json),
        **flags,
        **counts,
    )


def stats_to_json(stats: Stats) -> Json:
    """Returns a fighter's sheet as a plain dict."""
    sheet = {name: getattr(stats, name) for name in _STAT_NAMES}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in sheet.items()}


def stats_from_json(data: object, path: str = "stats") -> Stats:
    """Returns the sheet a plain dict describes; what it leaves out is 0.

    Raises:
        FieldError: a field is unknown or wrong; the text names it.
    """
    reader = Fields(data, path)
    for name in reader.names():
        if name not in _STAT_NAMES:
            raise FieldError(f"{reader.at(name)}: no such stat, there are {', '.join(_STAT_NAMES)}")
    values: dict[str, Any] = {}
    for name in _STAT_NAMES:
        if name.endswith("resistance"):
            found = reader.items(name, whole_number, (0,) * len(Element))
            if len(found) != len(Element):
                order = ", ".join(element.value for element in Element)
                raise FieldError(
                    f"{reader.at(name)}: expected {len(Element)} numbers ({order}), got {len(found)}"
                )
            values[name] = found
        else:
            values[name] = reader.whole(name, 0)
    return Stats(**values)


def fighter_to_json(fighter: Fighter) -> Json:
    """Returns a fighter as a plain dict, its spells included."""
    return {
        **{name: getattr(fighter, name) for name in ("name", "kind", *_FIGHTER_COUNTS, "shield", "eroded")},
        "spells": [spell_to_json(spell) for spell in fighter.spells],
        "stats": stats_to_json(fighter.stats),
        "cooldowns": [list(entry) for entry in fighter.cooldowns],
        "casts": [list(entry) for entry in fighter.casts],
        "assumed": sorted(fighter.assumed),
    }


def fighter_from_json(data: object, path: str = "fighter") -> Fighter:
    """Returns the fighter a plain dict describes; `path` is where it stands, for the error.

    Raises:
        FieldError: a field is missing or wrong; the text names it.
    """
    reader = Fields(data, path)
    highest = {"team": 1, "cell": CELLS - 1, "hp": reader.whole("max_hp", low=0)}
    return Fighter(
        name=reader.text("name"),
        kind=reader.text("kind"),
        **{name: reader.whole(name, low=0, high=highest.get(name)) for name in _FIGHTER_COUNTS},
        spells=reader.items("spells", spell_from_json),
        stats=stats_from_json(reader.raw("stats", {}), reader.at("stats")),
        shield=reader.whole("shield", 0, low=0),
        eroded=reader.whole("eroded", 0, low=0),
        cooldowns=reader.items("cooldowns", _entry, ()),
        casts=reader.items("casts", _entry, ()),
        assumed=frozenset(reader.items("assumed", _word, ())),
    )


def _entry(data: object, path: str) -> tuple[str, int]:
    if isinstance(data, str) or not isinstance(data, Sequence) or len(data) != 2:
        raise FieldError(f"{path}: expected a pair of spell key and number, got {shown(data)}")
    return _word(data[0], f"{path}[0]"), whole_number(data[1], f"{path}[1]")


def _word(data: object, path: str) -> str:
    if not isinstance(data, str):
        raise FieldError(f"{path}: expected a text, got {shown(data)}")
    return data


def map_to_json(board: FightMap) -> Json:
    """Returns a map as a plain dict; `cells` is 560 letters: `_` floor, `o` hole, `#` obstacle."""
    return {
        "key": board.key,
        "cells": "".join(_CELL_LETTERS[flag] for flag in board.cells),
        "red_starts": list(board.red_starts),
        "blue_starts": list(board.blue_starts),
    }


def map_from_json(data: object, path: str = "map") -> FightMap:
    """Returns the map a plain dict describes; `path` is where it stands, for the error.

    Raises:
        FieldError: a field is missing or wrong; the text names it.
    """
    reader = Fields(data, path)
    letters = reader.text("cells")
    if len(letters) != CELLS or set(letters) - set(_CELL_LETTERS):
        raise FieldError(f"{reader.at('cells')}: expected {CELLS} letters out of {_CELL_LETTERS!r}")
    return FightMap(
        reader.text("key"),
        bytes(CellFlag(_CELL_LETTERS.index(letter)) for letter in letters),
        reader.items("red_starts", cell_id, ()),
        reader.items("blue_starts", cell_id, ()),
    )


def state_to_json(state: FightState) -> Json:
    """Returns a fight as a plain dict that `state_from_json` turns back into an equal state."""
    return {
        "map": map_to_json(state.map),
        "fighters": [fighter_to_json(fighter) for fighter in state.fighters],
        "order": list(state.order),
        "current": state.current,
        "turn": state.turn,
    }


def state_from_json(data: object) -> FightState:
    """Returns the fight a plain dict describes.

    Raises:
        FieldError: a field is missing or wrong; the text names it, such as "fighters[1].hp: ...".
    """
    reader = Fields(data, "")
    fighters = reader.items("fighters", fighter_from_json)
    ids = [fighter.id for fighter in fighters]
    if len(set(ids)) != len(ids):
        raise FieldError(f"fighters: two of them have the same id, got {ids}")
    order = reader.items("order", whole_number)
    if not order or set(order) - set(ids):
        raise FieldError(f"order: expected ids out of {ids}, got {list(order)}")
    return FightState(
        map_from_json(reader.raw("map"), "map"),
        fighters,
        order,
        reader.whole("current", 0, low=0, high=len(order) - 1),
        reader.whole("turn", 1, low=1),
    )
