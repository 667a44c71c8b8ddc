"""The rules as functions of a state: legal actions, their outcomes, and who has won.

`apply` rolls the dice it is given, `apply_expected` takes their means instead, `expected` only tells the
means. Nothing is ever changed in place.
"""

import random
from array import array
from collections.abc import Callable
from functools import lru_cache

from botapp.fight.actions import Action, Cast, EndTurn, Move, Place, Ready
from botapp.fight.board import CELLS
from botapp.fight.core import requests as ask_for
from botapp.fight.core.actions import WALK_CONDITIONS, WALKED
from botapp.fight.core.capacity import fault, put_words
from botapp.fight.core.fight import DRAWN_FIGHT, LONGEST_WAY, MOST_TAPE, NOBODY, SET, TAPE, Fight
from botapp.fight.core.unpack import follow
from botapp.fight.marks import observation
from botapp.fight.outcome import Outcome, outcomes
from botapp.fight.placement import choices, placed, placing
from botapp.fight.ranges import castable_cells, reachable, ways
from botapp.fight.refusals import IllegalAction, refusal
from botapp.fight.spells import Spell
from botapp.fight.state import Fighter, FightState
from botapp.fight.workspace import Workspace, open_workspace

__all__ = [
    "DRAW",
    "IllegalAction",
    "Outcome",
    "apply",
    "apply_expected",
    "castable_cells",
    "expected",
    "legal_actions",
    "observation",
    "placing",
    "reachable",
    "winner",
]

DRAW = DRAWN_FIGHT
_END = EndTurn()
_BEFORE = (Place, Ready)
_LONGEST_WALK = LONGEST_WAY
_AIMS, _TAPE_AT = Fight.word("aims"), Fight.word("tape")
_TAPE_UNIT = 2**31
_FEW_DICE = 16
_MANY = 40  # Fighters from which on summons that have died are forgotten


def winner(state: FightState) -> int | None:
    """Returns the only team with a fighter alive, None while both fight on, -1 when no fighter is left.

    Summons do not count: they cannot fight on alone.
    """
    return state.once("winner", _winner_of)


def _winner_of(state: FightState) -> int | None:
    return _winner(open_workspace(state))


def _winner(desk: Workspace) -> int | None:
    won = desk.ask(ask_for.WINNER)
    return None if won == NOBODY else won


def legal_actions(state: FightState) -> tuple[Action, ...]:
    """Returns everything the current actor may do: moves, casts by spell and cell, the end of the turn last.

    There is one `Move` for each cell in reach. Once the fight is over there is nothing left to do. While
    places are chosen there is one `Place` for each free start cell, and `Ready` last.
    """
    if winner(state) is not None:
        return ()
    if state.placing:
        return choices(state)
    return state.once("legal", _legal)


def _legal(state: FightState) -> tuple[Action, ...]:
    desk = open_workspace(state)
    desk.ask(ask_for.LEGAL)
    actor = state.actor
    legal: list[Action] = [Move(way) for way in ways(desk, actor).values()]
    for slot, spell in enumerate(actor.spells):
        casts = _casts_of(spell.key)
        legal += [casts[cell] for cell in desk.cells(_AIMS + slot * SET)]
    return (*legal, _END)


@lru_cache(maxsize=1 << 9)
def _casts_of(spell: str) -> tuple[Cast, ...]:
    return tuple(Cast(spell, cell) for cell in range(CELLS))


def apply(state: FightState, action: Action, rng: random.Random) -> FightState:
    """Returns the state after the current actor's action; dice come from `rng`.

    Raises:
        IllegalAction: the rules refuse the action; the text names the condition that failed.
        CapacityError: more comes of it than the rules have room for.
    """
    return _after(state, action, rng)


def apply_expected(state: FightState, action: Action, legal: bool = False) -> FightState:
    """Returns the state after an action whose dice all fall on their mean, rounded to whole points.

    Args:
        legal: whether a cast is known to be legal, so that it need not be looked into.

    Raises:
        IllegalAction: the rules refuse the action.
        CapacityError: more comes of it than the rules have room for.
    """
    return _after(state, action, None, legal)


def expected(state: FightState, action: Action) -> dict[int, Outcome]:
    """Returns what a cast by the current actor is expected to do, by fighter id; nothing for other actions.

    The action need not be affordable now: only the spell and the target cell are looked at.

    Raises:
        IllegalAction: the actor does not have the spell.
    """
    if not isinstance(action, Cast):
        return {}
    caster = state.actor
    return outcomes(open_workspace(state), caster, _spell(caster, action.spell), action.target)


def _after(state: FightState, action: Action, rng: random.Random | None, legal: bool = False) -> FightState:
    if winner(state) is not None:
        raise IllegalAction("over", "the fight is over")
    if state.placing or isinstance(action, _BEFORE):
        return _place(state, action)
    if len(state.fighters) > _MANY:
        state = _without_dead_summons(state)
    desk = open_workspace(state)
    if isinstance(action, Move):
        return _done(desk, lambda: _walk(desk, action.path), rng)
    if isinstance(action, Cast):
        caster = state.actor
        spell = _spell(caster, action.spell)
        if not legal and (refused := refusal(desk, caster, spell, action.target)):
            raise refused
        slot = desk.slot(caster, spell)
        return _done(desk, lambda: desk.ask(ask_for.CAST, slot, action.target), rng)
    if isinstance(action, EndTurn):
        return _done(desk, lambda: desk.ask(ask_for.END), rng)
    raise IllegalAction("action", f"{action!r} is no action")


def _without_dead_summons(state: FightState) -> FightState:
    """Returns a state without the summons that have died: in a long fight there would be no end of them."""
    actor = state.actor.id
    gone = {f.id for f in state.fighters if f.hp <= 0 and f.summoner is not None and f.id != actor}
    order = tuple(number for number in state.order if number not in gone)
    fighters = tuple(f for f in state.fighters if f.id not in gone)
    return state.changed(fighters=fighters, order=order, current=order.index(actor))


def _done(desk: Workspace, act: Callable[[], object], rng: random.Random | None) -> FightState:
    """Returns the state that comes of what `act` does to the arrays."""
    fight = desk.fight
    if rng is not None:
        fight.dice = TAPE
    act()
    if rng is not None and fight.drawn:
        _roll(desk, act, rng)
    fault(desk.s)
    parts = follow(desk.parts, desk.s)
    state = parts.state
    state.memo["parts"] = parts
    state.memo["winner"] = _winner(desk)
    desk.keep(parts)
    return state


def _roll(desk: Workspace, act: Callable[[], object], rng: random.Random) -> None:
    """Does it again, with dice drawn beforehand; of the generator's just as many are taken as were used."""
    fight = desk.fight
    before = rng.getstate()
    for count in (_FEW_DICE, MOST_TAPE):
        rng.setstate(before)
        desk.begin_again()
        fight.dice = TAPE
        put_words(desk.s, _TAPE_AT, array("i", [int(rng.random() * _TAPE_UNIT) for _ in range(count)]))
        act()
        if fight.drawn <= count:
            break
    rng.setstate(before)
    for _ in range(fight.drawn):
        rng.random()


def _place(state: FightState, action: Action) -> FightState:
    if not state.placing:
        raise IllegalAction("placing", "the fight has begun, places are taken")
    if isinstance(action, Place):
        return placed(state, action.cell)
    if isinstance(action, Ready):
        return _ready(state)
    raise IllegalAction("placing", "the fight has not begun, places are still being chosen")


def _ready(state: FightState) -> FightState:
    """Returns the state with the next fighter choosing; after the last one the first turn begins."""
    if state.current + 1 < len(state.order):
        return state.changed(current=state.current + 1)
    desk = open_workspace(state.changed(placing=False, current=0))
    return _done(desk, lambda: desk.ask(ask_for.BEGIN), None)


def _spell(fighter: Fighter, key: str) -> Spell:
    for spell in fighter.spells:
        if spell.key == key:
            return spell
    raise IllegalAction("spell", f"{fighter.name} has no spell {key!r}")


def _walk(desk: Workspace, path: tuple[int, ...]) -> None:
    """Lets the actor walk.

    Raises:
        IllegalAction: one of the steps is not allowed, be it behind a trap.
    """
    if not path:
        raise IllegalAction("path", "the path is empty")
    if len(path) > _LONGEST_WALK or desk.walk(path) != WALKED:
        raise _walk_refusal(desk, path[:_LONGEST_WALK])


def _walk_refusal(desk: Workspace, path: tuple[int, ...]) -> IllegalAction:
    """Returns why a walk is refused, by its first step that is not allowed."""
    cell = desk.parts.state.actor.cell
    for count, step in enumerate(path, 1):
        desk.begin_again()
        failed = WALK_CONDITIONS[desk.walk(path[:count])]
        if failed:
            reasons = {
                "path": f"cell {step} is not next to cell {cell}",
                "walkable": f"cell {step} cannot be walked on",
                "free-cell": f"cell {step} is taken",
                "mp": f"not enough MP to reach cell {step}",
            }
            return IllegalAction(failed, reasons[failed])
        cell = step
    return IllegalAction("path", f"a walk of more than {_LONGEST_WALK} cells is not possible")
