"""States and actions as plain dicts for JSON, both ways; what cannot be read is named by its path."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PlainSerializer, create_model

from botapp.content.errors import FieldError, wrong
from botapp.content.fields import (
    Cell,
    Form,
    Health,
    Id,
    Json,
    Letters,
    Level,
    Points,
    Text,
    Turns,
    Whole,
    at_most,
    form_of,
    holds,
    stored,
    within,
)
from botapp.content.spell_json import MOST_EFFECTS, BuffForm, SpellList
from botapp.fight.actions import Action, Cast, EndTurn, Move, Place, Ready
from botapp.fight.board import CELLS
from botapp.fight.core.fight import MOST_BUFFS, MOST_CASTS, MOST_FIGHTERS, MOST_MARKS
from botapp.fight.core.pack import pack
from botapp.fight.spells import Buff
from botapp.fight.state import CellFlag, Fighter, FightMap, FightState, Mark

_LETTERS = "#.o_"
"""How a map's cells are written, by `CellFlag`: obstacle, walkable without sight, hole, floor."""

_Cells = Annotated[
    Letters,
    holds(
        f"{CELLS} letters out of {_LETTERS!r}",
        lambda letters: len(letters) == CELLS and not set(letters) - set(_LETTERS),
    ),
    AfterValidator(lambda letters: bytes(map(_LETTERS.index, letters))),
    PlainSerializer(lambda cells: "".join(map(_LETTERS.__getitem__, cells))),
]


_SomeCells = Annotated[tuple[Cell, ...], at_most(CELLS)]


def _check_fighter(fighter: Any) -> None:
    if not 0 <= fighter.hp <= fighter.max_hp:
        raise wrong(f"expected 0 to {fighter.max_hp}, got {fighter.hp}", "hp")


def _check_places(state: Any) -> None:
    taken: dict[int, int] = {}
    for index, fighter in enumerate(state.fighters):
        if not fighter.alive:
            continue
        if fighter.id not in state.order:
            raise wrong(f"fighters[{index}] has HP left and no turn; add {fighter.id}", "order")
        if not state.map.cells[fighter.cell] & CellFlag.WALKABLE:
            raise wrong(
                f"no fighter can stand on {fighter.cell}, which is a hole or an obstacle of the map",
                f"fighters[{index}].cell",
            )
        if fighter.cell in taken:
            raise wrong(
                f"fighters[{taken[fighter.cell]}] stands on {fighter.cell} already",
                f"fighters[{index}].cell",
            )
        taken[fighter.cell] = index


def _check_state(state: Any) -> None:
    ids = [fighter.id for fighter in state.fighters]
    if len(set(ids)) != len(ids):
        raise wrong(f"two of them have the same id, got {ids}", "fighters")
    if not state.order or set(state.order) - set(ids):
        raise wrong(f"expected ids out of {ids}, got {list(state.order)}", "order")
    if len(set(state.order)) < len(state.order):
        raise wrong(f"expected each id once, got {list(state.order)}", "order")
    if not 0 <= state.current < len(state.order):
        raise wrong(f"expected 0 to {len(state.order) - 1}, got {state.current}", "current")
    _check_places(state)
    meant = {f"marks[{index}].owner": mark.owner for index, mark in enumerate(state.marks)}
    for index, fighter in enumerate(state.fighters):
        if fighter.summoner is not None:
            meant[f"fighters[{index}].summoner"] = fighter.summoner
        for place, buff in enumerate(fighter.buffs):
            meant[f"fighters[{index}].buffs[{place}].caster"] = buff.caster
    for field, fighter_id in meant.items():
        if fighter_id not in ids:
            raise wrong(f"expected one of {ids}, got {fighter_id}", field)


_Counted = tuple[tuple[Text, Annotated[Whole, within(-1000, 1000)]], ...]
_Cast = tuple[tuple[Text, Annotated[Whole, within(-1, 2**31 - 1)]], ...]
_FIGHTER = {
    **dict.fromkeys(("id", "summoner"), Id),
    **dict.fromkeys(("ap", "mp", "base_ap", "base_mp"), Points),
    **dict.fromkeys(("max_hp", "shield", "eroded"), Health),
    "team": Annotated[Whole, within(0, 1)],
    "cell": Cell,
    "level": Level,
    "hp": Whole,
    "spells": SpellList,
    "cooldowns": Annotated[_Counted, at_most(100)],
    "casts": Annotated[_Cast, at_most(MOST_CASTS)],
    "assumed": Annotated[frozenset[Text], at_most(100), PlainSerializer(sorted)],
    "buffs": Annotated[tuple[Annotated[Buff, stored(BuffForm)], ...], at_most(MOST_BUFFS)],
}
_MARK = {
    "owner": Id,
    "cell": Cell,
    "cells": Annotated[_SomeCells, AfterValidator(lambda cells: tuple(sorted(cells)))],
    "turns": Turns,
    "payload": MOST_EFFECTS,
}
_STATE = {
    "fighters": MOST_FIGHTERS,
    "order": Annotated[tuple[Whole, ...], at_most(MOST_FIGHTERS)],
    "current": Whole,
    "turn": Annotated[Whole, within(1, 1_000_000)],
    "marks": MOST_MARKS,
}
form_of(FightMap, {"cells": _Cells, "red_starts": _SomeCells, "blue_starts": _SomeCells})
FighterForm = form_of(Fighter, _FIGHTER, "buffs", _check_fighter)
form_of(Mark, _MARK)
StateForm = form_of(FightState, _STATE, "marks", _check_state)


def _action_form(made: type[Action], **fields: Any) -> tuple[type[Action], type[Form]]:
    """Returns a kind of action with its form, whose fields are in the order of the class's."""
    fields = {name: (kind, ...) for name, kind in fields.items()}
    form: type[Form] = create_model(made.__name__, __base__=Form, **fields)
    form.makes = staticmethod(lambda **values: made(*values.values()))
    return made, form


_ACTIONS = {
    "move": _action_form(Move, path=Annotated[tuple[Cell, ...], Field(min_length=1)]),
    "cast": _action_form(Cast, spell=Text, target=Cell),
    "end_turn": _action_form(EndTurn),
    "place": _action_form(Place, target=Cell),
    "ready": _action_form(Ready),
}


class _ActionKind(Form):
    type: Literal["move", "cast", "end_turn", "place", "ready"]


def action_to_json(action: Action) -> Json:
    """Returns an action as a plain dict with a `type` of move, cast, end_turn, place or ready."""
    kind, form = next((kind, form) for kind, (made, form) in _ACTIONS.items() if made is type(action))
    return {"type": kind, **form.written(action)}


def action_from_json(data: object) -> Action:
    """Returns the action a plain dict describes.

    Raises:
        FieldError: a field is missing or wrong; the text names it.
    """
    action: Action = _ACTIONS[_ActionKind.read(data).type][1].read(data).value()
    return action


def fighter_from_json(data: object, path: str = "fighter") -> Fighter:
    """Returns the fighter a plain dict describes; `path` is where it stands, for the error.

    Raises:
        FieldError: a field is missing or wrong; the text names it.
    """
    fighter: Fighter = FighterForm.read(data, path).value()
    alone = fighter.changed(summoner=None, casts=())
    _check_room(FightState(_FIELD, (alone,), (alone.id,)), path)
    return fighter


def state_to_json(state: FightState) -> Json:
    """Returns a fight as a plain dict that `state_from_json` turns back into an equal state."""
    return StateForm.written(state)


def state_from_json(data: object) -> FightState:
    """Returns the fight a plain dict describes.

    Raises:
        FieldError: a field is missing or wrong; the text names it, such as "fighters[1].hp: ...".
    """
    state: FightState = StateForm.read(data).value()
    _check_room(state, "top level")
    return state


_FIELD = FightMap("field", bytes([CellFlag.FLOOR]) * CELLS)


def _check_room(state: FightState, path: str) -> None:
    try:
        pack(state)
    except ValueError as error:
        raise FieldError(f"{path}: {error}") from error
