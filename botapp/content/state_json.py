"""States and actions as plain dicts for JSON, both ways; what cannot be read is named by its path.

Next hop: the arena's link and log, data sets for training, and examples in the README.
"""

from collections.abc import Sequence
from typing import Any

from botapp.content.fields import FieldError, Fields, cell_id, shown, whole_number
from botapp.content.spell_json import (
    buff_from_json,
    buff_to_json,
    effect_from_json,
    effect_to_json,
    spell_from_json,
    spell_to_json,
    stats_from_json,
    stats_to_json,
)
from botapp.fight.actions import Action, Cast, EndTurn, Move, Place, Ready
from botapp.fight.board import CELLS
from botapp.fight.state import CellFlag, Fighter, FightMap, FightState, Mark, MarkKind

__all__ = [
    "action_from_json",
    "action_to_json",
    "effect_from_json",
    "effect_to_json",
    "fighter_from_json",
    "fighter_to_json",
    "map_from_json",
    "map_to_json",
    "spell_from_json",
    "spell_to_json",
    "state_from_json",
    "state_to_json",
    "stats_from_json",
    "stats_to_json",
]

Json = dict[str, Any]
_CELL_LETTERS = "#.o_"
"""How a map's cells are written, by `CellFlag`: obstacle, walkable without sight, hole, floor."""

_FIGHTER_COUNTS = ("id", "team", "cell", "level", "hp", "max_hp", "ap", "mp", "base_ap", "base_mp")
_PLAIN_ACTIONS: dict[object, Action] = {"end_turn": EndTurn(), "ready": Ready()}


def action_to_json(action: Action) -> Json:
    """Returns an action as a plain dict with a `type` of move, cast, end_turn, place or ready."""
    if isinstance(action, Move):
        return {"type": "move", "path": list(action.path)}
    if isinstance(action, Cast):
        return {"type": "cast", "spell": action.spell, "target": action.target}
    if isinstance(action, Place):
        return {"type": "place", "target": action.cell}
    return {"type": "ready" if isinstance(action, Ready) else "end_turn"}


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
    if kind == "place":
        return Place(cell_id(reader.raw("target"), "target"))
    if kind in _PLAIN_ACTIONS:
        return _PLAIN_ACTIONS[kind]
    raise FieldError(f"type: expected one of move, cast, end_turn, place, ready, got {shown(kind)}")


def fighter_to_json(fighter: Fighter) -> Json:
    """Returns a fighter as a plain dict, its spells included."""
    data = {
        **{name: getattr(fighter, name) for name in ("name", "kind", *_FIGHTER_COUNTS, "shield", "eroded")},
        "spells": [spell_to_json(spell) for spell in fighter.spells],
        "stats": stats_to_json(fighter.stats),
        "cooldowns": [list(entry) for entry in fighter.cooldowns],
        "casts": [list(entry) for entry in fighter.casts],
        "assumed": sorted(fighter.assumed),
    }
    if fighter.buffs:
        data["buffs"] = [buff_to_json(buff) for buff in fighter.buffs]
    if fighter.summoner is not None:
        data["summoner"] = fighter.summoner
    if fighter.player:
        data["player"] = True
    return data


def fighter_from_json(data: object, path: str = "fighter") -> Fighter:
    """Returns the fighter a plain dict describes; `path` is where it stands, for the error.

    Raises:
        FieldError: a field is missing or wrong; the text names it.
    """
    reader = Fields(data, path)
    summoner = reader.raw("summoner", None)
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
        buffs=reader.items("buffs", buff_from_json, ()),
        summoner=None if summoner is None else whole_number(summoner, reader.at("summoner"), 0),
        player=reader.flag("player", False),
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


def mark_to_json(mark: Mark) -> Json:
    """Returns a glyph or a trap as a plain dict."""
    return {
        "kind": mark.kind.value,
        "owner": mark.owner,
        "cell": mark.cell,
        "cells": list(mark.cells),
        "turns": mark.turns,
        "payload": [effect_to_json(effect) for effect in mark.payload],
        "name": mark.name,
    }


def mark_from_json(data: object, path: str = "mark") -> Mark:
    """Returns the glyph or trap a plain dict describes; `path` is where it stands, for the error.

    Raises:
        FieldError: a field is missing or wrong; the text names it.
    """
    reader = Fields(data, path)
    return Mark(
        reader.choice("kind", MarkKind),
        reader.whole("owner", low=0),
        cell_id(reader.raw("cell"), reader.at("cell")),
        tuple(sorted(reader.items("cells", cell_id))),
        reader.whole("turns", low=0),
        reader.items("payload", effect_from_json),
        reader.text("name", ""),
    )


def state_to_json(state: FightState) -> Json:
    """Returns a fight as a plain dict that `state_from_json` turns back into an equal state."""
    data = {
        "map": map_to_json(state.map),
        "fighters": [fighter_to_json(fighter) for fighter in state.fighters],
        "order": list(state.order),
        "current": state.current,
        "turn": state.turn,
    }
    if state.marks:
        data["marks"] = [mark_to_json(mark) for mark in state.marks]
    if state.placing:
        data["placing"] = True
    return data


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
    marks = reader.items("marks", mark_from_json, ())
    _check_ids(fighters, marks, ids)
    return FightState(
        map_from_json(reader.raw("map"), "map"),
        fighters,
        order,
        reader.whole("current", 0, low=0, high=len(order) - 1),
        reader.whole("turn", 1, low=1),
        marks,
        reader.flag("placing", False),
    )


def _check_ids(fighters: Sequence[Fighter], marks: Sequence[Mark], ids: Sequence[int]) -> None:
    """Refuses a summoner, a buff's caster or a mark's owner that is not in the fight."""
    found = [(f"marks[{index}].owner", mark.owner) for index, mark in enumerate(marks)]
    for index, fighter in enumerate(fighters):
        if fighter.summoner is not None:
            found.append((f"fighters[{index}].summoner", fighter.summoner))
        found += [
            (f"fighters[{index}].buffs[{place}].caster", buff.caster)
            for place, buff in enumerate(fighter.buffs)
        ]
    for path, wanted in found:
        if wanted not in ids:
            raise FieldError(f"{path}: expected one of {list(ids)}, got {wanted}")
