"""States and actions as plain dicts for JSON, both ways; what cannot be read is named by its path."""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, PlainSerializer, create_model, model_validator

from botapp.content.errors import FieldError, wrong
from botapp.content.fields import (
    Cell,
    ClosedForm,
    Flag,
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
    holds,
    stored,
    unwritten,
    within,
)
from botapp.content.spell_json import MOST_EFFECTS, BuffForm, SpellList, StoredEffect, StoredStats
from botapp.fight.actions import Action, Cast, EndTurn, Move, Place, Ready
from botapp.fight.board import CELLS
from botapp.fight.core.fight import MOST_BUFFS, MOST_CASTS, MOST_FIGHTERS, MOST_MARKS
from botapp.fight.core.pack import pack
from botapp.fight.spells import Buff, Stats
from botapp.fight.state import CellFlag, Fighter, FightMap, FightState, Mark, MarkKind

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


class MapForm(ClosedForm):
    """A map; `cells` is 560 letters: `_` floor, `o` hole, `#` obstacle."""

    makes = FightMap

    key: Text
    cells: _Cells
    red_starts: _SomeCells = ()
    blue_starts: _SomeCells = ()


class FighterForm(ClosedForm):
    """A fighter, its spells included."""

    makes = Fighter

    name: Text
    kind: Text
    id: Id
    team: Annotated[Whole, within(0, 1)]
    cell: Cell
    level: Level
    hp: Whole
    max_hp: Health
    ap: Points
    mp: Points
    base_ap: Points
    base_mp: Points
    shield: Health = 0
    eroded: Health = 0
    spells: SpellList
    stats: StoredStats = Stats()
    cooldowns: Annotated[tuple[tuple[Text, Annotated[Whole, within(-1000, 1000)]], ...], at_most(100)] = ()
    casts: Annotated[
        tuple[tuple[Text, Annotated[Whole, within(-1, 2**31 - 1)]], ...], at_most(MOST_CASTS)
    ] = ()
    assumed: Annotated[frozenset[Text], at_most(100), PlainSerializer(sorted)] = frozenset()
    buffs: Annotated[tuple[Annotated[Buff, stored(BuffForm)], ...], at_most(MOST_BUFFS)] = unwritten(())
    summoner: Id | None = unwritten(None)
    player: Flag = unwritten(False)

    @model_validator(mode="after")
    def _checked(self) -> Self:
        if not 0 <= self.hp <= self.max_hp:
            raise wrong(f"expected 0 to {self.max_hp}, got {self.hp}", "hp")
        return self


class MarkForm(ClosedForm):
    """A glyph or a trap."""

    makes = Mark

    kind: MarkKind
    owner: Id
    cell: Cell
    cells: Annotated[_SomeCells, AfterValidator(lambda cells: tuple(sorted(cells)))]
    turns: Turns
    payload: Annotated[tuple[StoredEffect, ...], at_most(MOST_EFFECTS)]
    name: Text = ""


class StateForm(ClosedForm):
    """A fight at one moment."""

    makes = FightState

    map: Annotated[FightMap, stored(MapForm)]
    fighters: Annotated[tuple[Annotated[Fighter, stored(FighterForm)], ...], at_most(MOST_FIGHTERS)]
    order: Annotated[tuple[Whole, ...], at_most(MOST_FIGHTERS)]
    current: Whole = 0
    turn: Annotated[Whole, within(1, 1_000_000)] = 1
    marks: Annotated[tuple[Annotated[Mark, stored(MarkForm)], ...], at_most(MOST_MARKS)] = unwritten(())
    placing: Flag = unwritten(False)

    def _stand(self) -> None:
        taken: dict[int, int] = {}
        for index, fighter in enumerate(self.fighters):
            if not fighter.alive:
                continue
            if fighter.id not in self.order:
                raise wrong(f"fighters[{index}] has HP left and no turn; add {fighter.id}", "order")
            if not self.map.cells[fighter.cell] & CellFlag.WALKABLE:
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

    @model_validator(mode="after")
    def _checked(self) -> Self:
        ids = [fighter.id for fighter in self.fighters]
        if len(set(ids)) != len(ids):
            raise wrong(f"two of them have the same id, got {ids}", "fighters")
        if not self.order or set(self.order) - set(ids):
            raise wrong(f"expected ids out of {ids}, got {list(self.order)}", "order")
        if len(set(self.order)) < len(self.order):
            raise wrong(f"expected each id once, got {list(self.order)}", "order")
        if not 0 <= self.current < len(self.order):
            raise wrong(f"expected 0 to {len(self.order) - 1}, got {self.current}", "current")
        self._stand()
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
