"""The rules as functions of a state: what may be done, what comes of it, and who has won.

`apply` rolls the dice it is given, `apply_expected` takes their means instead, `expected` only tells the
means. Nothing is ever changed in place. Next hop: `botapp.search` tries `legal_actions`.
"""

import random
from functools import lru_cache
from itertools import chain

from botapp.fight.actions import Action, Cast, EndTurn, Move, Place, Ready
from botapp.fight.board import CELLS, neighbours
from botapp.fight.casting import (
    IllegalAction,
    aims,
    attacks,
    castable_cells,
    refusal,
)
from botapp.fight.draft import Draft
from botapp.fight.effects import resolve, reveal, spring
from botapp.fight.marks import observation, trap_cells
from botapp.fight.outcome import Outcome, outcomes
from botapp.fight.paths import after_grip, grips, reach, reachable
from botapp.fight.placement import choices, placed, placing, ready
from botapp.fight.sight import chosen
from botapp.fight.state import CellFlag, Fighter, FightState, Spell
from botapp.fight.turns import DRAW, end, pass_on, victor

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

_END = (EndTurn(),)
_BEFORE = (Place, Ready)
_NO_CELLS: frozenset[int] = frozenset()


def winner(state: FightState) -> int | None:
    """Returns the only team with someone alive, None while both fight on, -1 when nobody is left.

    Summons do not count: they cannot fight on alone.
    """
    memo = state.memo
    if "winner" not in memo:
        memo["winner"] = victor(state.fighters)
    won: int | None = memo["winner"]
    return won


def legal_actions(state: FightState) -> tuple[Action, ...]:
    """Returns everything the current actor may do: moves, casts by spell and cell, the end of the turn last.

    There is one `Move` for each cell in reach. Once the fight is over there is nothing left to do. While
    places are chosen there is one `Place` for each free start cell, and `Ready` last.
    """
    if winner(state) is not None:
        return ()
    if state.placing:
        return choices(state)
    actor = state.actor
    actions: list[tuple[Action, ...]] = [reach(state, actor).moves]
    actions += [_casts(key, cells) for key, cells in aims(state, actor).items()]
    actions.append(_END)
    return tuple(chain.from_iterable(actions))


@lru_cache(maxsize=1 << 14)
def _casts(spell: str, cells: int) -> tuple[Cast, ...]:
    """Returns a cast of the spell at each cell of a set."""
    return chosen(casts_of(spell), cells)


@lru_cache(maxsize=1 << 9)
def casts_of(spell: str) -> tuple[Cast, ...]:
    """Returns a cast of the spell at each cell of the board."""
    return tuple(Cast(spell, cell) for cell in range(CELLS))


def apply(state: FightState, action: Action, rng: random.Random) -> FightState:
    """Returns the state after the current actor's action; dice come from `rng`.

    Raises:
        IllegalAction: the rules refuse the action; the text names the condition that failed.
    """
    return _after(state, action, rng)


def apply_expected(state: FightState, action: Action, legal: bool = False) -> FightState:
    """Returns the state after an action whose dice all fall on their mean, rounded to whole points.

    Args:
        state: the fight.
        action: what the current actor does.
        legal: whether a cast is known to be legal, so that it need not be looked into.

    Raises:
        IllegalAction: the rules refuse the action.
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
    return outcomes(state, caster, _spell(caster, action.spell), action.target)


def _after(state: FightState, action: Action, rng: random.Random | None, legal: bool = False) -> FightState:
    if winner(state) is not None:
        raise IllegalAction("over", "the fight is over")
    if state.placing or isinstance(action, _BEFORE):
        return _place(state, action)
    if isinstance(action, Move):
        return _walk(state, action.path, rng)
    draft = Draft(state, rng)
    if isinstance(action, Cast):
        _resolve(draft, state, action, legal)
    elif isinstance(action, EndTurn):
        end(draft)
    else:
        raise IllegalAction("action", f"{action!r} is no action")
    return _handed_on(draft)


def _handed_on(draft: Draft) -> FightState:
    """Returns the finished state; where its actor has died the next one's turn has begun."""
    if draft.fighters[draft.order[draft.current]].hp <= 0 and victor(draft.fighters.values()) is None:
        pass_on(draft)
    return draft.finished()


def _place(state: FightState, action: Action) -> FightState:
    if not state.placing:
        raise IllegalAction("placing", "the fight has begun, places are taken")
    if isinstance(action, Place):
        return placed(state, action.cell)
    if isinstance(action, Ready):
        return ready(state)
    raise IllegalAction("placing", "the fight has not begun, places are still being chosen")


def _spell(fighter: Fighter, key: str) -> Spell:
    for spell in fighter.spells:
        if spell.key == key:
            return spell
    raise IllegalAction("spell", f"{fighter.name} has no spell {key!r}")


def _walk(state: FightState, path: tuple[int, ...], rng: random.Random | None) -> FightState:
    """Returns the state after a walk; it ends early where it springs a trap."""
    if not path:
        raise IllegalAction("path", "the path is empty")
    actor = state.actor
    traps = trap_cells(state) if state.marks else _NO_CELLS
    known = reach(state, actor)
    way = known.ways.get(path[-1])
    if way is not None and way.path == path and traps.isdisjoint(path):
        mp, ap = (actor.mp - len(path), actor.ap) if known.left is None else known.left[path[-1]]
        walker = actor.changed(cell=path[-1], mp=mp, ap=ap)
    else:
        walker = _stepped(state, actor, path, traps)
    if walker.cell in traps:
        draft = Draft(state, rng)
        draft.put(walker)
        spring(draft, walker.id)
        return _handed_on(draft)
    return state.changed(fighters=tuple([walker if f is actor else f for f in state.fighters]))


def _stepped(state: FightState, actor: Fighter, path: tuple[int, ...], traps: frozenset[int]) -> Fighter:
    """Returns the actor after walking step by step, at the latest on the first trap.

    Raises:
        IllegalAction: one of the steps is not allowed, be it behind a trap.
    """
    held = grips(state, actor)
    taken = {fighter.cell for fighter in state.fighters if fighter.hp > 0}
    cell, mp, ap = actor.cell, actor.mp, actor.ap
    sprung: Fighter | None = None
    for step in path:
        if step not in neighbours(cell):
            raise IllegalAction("path", f"cell {step} is not next to cell {cell}")
        if not state.map.cells[step] & CellFlag.WALKABLE:
            raise IllegalAction("walkable", f"cell {step} cannot be walked on")
        if step in taken:
            raise IllegalAction("free-cell", f"cell {step} is taken")
        if cell in held:
            mp, ap = after_grip(mp, held[cell]), after_grip(ap, held[cell])
        if mp < 1:
            raise IllegalAction("mp", f"not enough MP to reach cell {step}")
        cell, mp = step, mp - 1
        if cell in traps and sprung is None:
            sprung = actor.changed(cell=cell, mp=mp, ap=ap)
    return sprung or actor.changed(cell=cell, mp=mp, ap=ap)


def _resolve(draft: Draft, state: FightState, action: Cast, legal: bool) -> None:
    caster = state.actor
    spell = _spell(caster, action.spell)
    if not legal and (refused := refusal(state, caster, spell, action.target)):
        raise refused
    aimed_at = next((f.id for f in state.fighters if f.cell == action.target and f.hp > 0), -1)
    cooldowns = caster.cooldowns
    if spell.cooldown:
        cooldowns = (*(entry for entry in cooldowns if entry[0] != spell.key), (spell.key, spell.cooldown))
    draft.put(
        caster.changed(
            ap=caster.ap - spell.ap, cooldowns=cooldowns, casts=(*caster.casts, (spell.key, aimed_at))
        )
    )
    resolve(draft, state, caster, spell, action.target)
    if caster.buffs and attacks(spell):
        reveal(draft, caster.id)
