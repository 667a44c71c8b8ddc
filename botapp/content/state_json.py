"""States and actions as plain dicts for JSON, both ways; what cannot be read is named by its path.

Next hop: the arena's link and log, data sets for training, and examples in the README.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, PlainSerializer, create_model, model_validator

from botapp.content.errors import wrong
from botapp.content.fields import Cell, Count, Flag, Form, Json, Text, Whole, holds, stored, unwritten, within
from botapp.content.spell_json import BuffForm, StoredEffect, StoredSpell, StoredStats
from botapp.fight.actions import Action, Cast, EndTurn, Move, Place, Ready
from botapp.fight.board import CELLS
from botapp.fight.spells import Buff, Stats
from botapp.fight.state import Fighter, FightMap, FightState, Mark, MarkKind

_LETTERS = "#.o_"
"""How a map's cells are written, by `CellFlag`: obstacle, walkable without sight, hole, floor."""

_Cells = Annotated[
    Text,
    holds(
        f"{CELLS} letters out of {_LETTERS!r}",
        lambda letters: len(letters) == CELLS and not set(letters) - set(_LETTERS),
    ),
    AfterValidator(lambda letters: bytes(map(_LETTERS.index, letters))),
    PlainSerializer(lambda cells: "".join(map(_LETTERS.__getitem__, cells))),
]


class MapForm(Form):
    """A map; `cells` is 560 letters: `_` floor, `o` hole, `#` obstacle."""

    makes = FightMap

    key: Text
    cells: _Cells
    red_starts: tuple[Cell, ...] = ()
    blue_starts: tuple[Cell, ...] = ()


class FighterForm(Form):
    """A fighter, its spells included."""

    makes = Fighter

    name: Text
    kind: Text
    id: Count
    team: Annotated[Whole, within(0, 1)]
    cell: Cell
    level: Count
    hp: Whole
    max_hp: Count
    ap: Count
    mp: Count
    base_ap: Count
    base_mp: Count
    shield: Count = 0
    eroded: Count = 0
    spells: tuple[StoredSpell, ...]
    stats: StoredStats = Stats()
    cooldowns: tuple[tuple[Text, Whole], ...] = ()
    casts: tuple[tuple[Text, Whole], ...] = ()
    assumed: Annotated[frozenset[Text], PlainSerializer(sorted)] = frozenset()
    buffs: tuple[Annotated[Buff, stored(BuffForm)], ...] = unwritten(())
    summoner: Count | None = unwritten(None)
    player: Flag = unwritten(False)

    @model_validator(mode="after")
    def _checked(self) -> Self:
        if not 0 <= self.hp <= self.max_hp:
            raise wrong(f"expected 0 to {self.max_hp}, got {self.hp}", "hp")
        return self


class MarkForm(Form):
    """A glyph or a trap."""

    makes = Mark

    kind: MarkKind
    owner: Count
    cell: Cell
    cells: Annotated[tuple[Cell, ...], AfterValidator(lambda cells: tuple(sorted(cells)))]
    turns: Count
    payload: tuple[StoredEffect, ...]
    name: Text = ""


class StateForm(Form):
    """A fight at one moment."""

    makes = FightState

    map: Annotated[FightMap, stored(MapForm)]
    fighters: tuple[Annotated[Fighter, stored(FighterForm)], ...]
    order: tuple[Whole, ...]
    current: Whole = 0
    turn: Annotated[Whole, within(1)] = 1
    marks: tuple[Annotated[Mark, stored(MarkForm)], ...] = unwritten(())
    placing: Flag = unwritten(False)

    @model_validator(mode="after")
    def _checked(self) -> Self:
        ids = [fighter.id for fighter in self.fighters]
        if len(set(ids)) != len(ids):
            raise wrong(f"two of them have the same id, got {ids}", "fighters")
        if not self.order or set(self.order) - set(ids):
            raise wrong(f"expected ids out of {ids}, got {list(self.order)}", "order")
        if not 0 <= self.current < len(self.order):
            raise wrong(f"expected 0 to {len(self.order) - 1}, got {self.current}", "current")
        meant = {f"marks[{index}].owner": mark.owner for index, mark in enumerate(self.marks)}
        for index, fighter in enumerate(self.fighters):
            if fighter.summoner is not None:
                meant[f"fighters[{index}].summoner"] = fighter.summoner
            for place, buff in enumerate(fighter.buffs):
                meant[f"fighters[{index}].buffs[{place}].caster"] = buff.caster
        for field, fighter_id in meant.items():
            if fighter_id not in ids:
                raise wrong(f"expected one of {ids}, got {fighter_id}", field)
        return self


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
    return state
