"""What the actor may do, cut down to what is worth thinking about: no casts without effect, no two the same.

Next hop: `botapp.advisor.encoding` writes one token for each.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from botapp.advisor.outlook import Outlook
from botapp.advisor.threat import Floats
from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.board import CELLS, distance
from botapp.fight.casting import target_mask, view_mask
from botapp.fight.rules import Outcome, expected
from botapp.fight.sight import cells_of, mask_of
from botapp.fight.state import EffectKind, Shape, Spell

MOVES = 40
"""Moves kept at most; the rest are those that no ranking puts high."""

_HELPFUL = (EffectKind.HEAL, EffectKind.SHIELD)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One action to weigh.

    Attributes:
        action: the action.
        row: the row of `Outlook.cells` the actor stands on afterwards.
        spell: the spell cast, None for other actions.
        outcomes: what a cast is expected to do, by fighter id.
    """

    action: Action
    row: int
    spell: Spell | None = None
    outcomes: Mapping[int, Outcome] | None = None


def candidates(outlook: Outlook, merits: Floats, moves: int = MOVES) -> tuple[Candidate, ...]:
    """Returns the actions worth weighing: casts, then moves, the end of the turn last.

    Args:
        outlook: what the rules say of the state.
        merits: what tells the actor's cells apart, (C, M), more being better; the ranking of moves goes by
            them.
        moves: moves kept at most.
    """
    walked = [Candidate(Move(outlook.ways[row].path), row) for row in _moves_kept(merits, moves)]
    return (*_casts(outlook), *walked, Candidate(EndTurn(), 0))


def _casts(outlook: Outlook) -> list[Candidate]:
    state, actor = outlook.state, outlook.actor
    seen = view_mask(state, actor)
    found: list[Candidate] = []
    for spell in actor.spells:
        aimed = target_mask(state, actor, spell, seen) & _worth_aiming(outlook, spell)
        kept: set[tuple[object, ...]] = set()
        for cell in cells_of(aimed):
            action = Cast(spell.key, cell)
            outcomes = expected(state, action)
            if not _useful(outlook, outcomes):
                continue
            alike = _fingerprint(outcomes)
            if alike not in kept:
                kept.add(alike)
                found.append(Candidate(action, 0, spell, outcomes))
    return found


@cache
def _around(centre: int, radius: int) -> int:
    """Returns the set of cells within `radius` of a cell."""
    return mask_of(cell for cell in range(CELLS) if distance(centre, cell) <= radius)


def _worth_aiming(outlook: Outlook, spell: Spell) -> int:
    """Returns the set of cells from which the spell could reach anyone it is meant for."""
    own = [outlook.actor.cell, *(f.cell for f in outlook.allies)]
    harmed = [f.cell for f in outlook.enemies]
    aimed = 0
    for effect in spell.effects:
        meant = own if effect.kind in _HELPFUL else harmed
        if effect.shape is Shape.POINT:
            aimed |= mask_of(meant)
        else:
            for cell in meant:
                aimed |= _around(cell, effect.radius)
    return aimed


def _useful(outlook: Outlook, outcomes: Mapping[int, Outcome]) -> bool:
    """Tells whether a cast hurts or hinders an enemy, or helps the own side."""
    enemies = {f.id for f in outlook.enemies}
    return any(
        (o.damage > 0 or o.ap > 0 or o.mp > 0) if key in enemies else (o.heal > 0 or o.shield > 0)
        for key, o in outcomes.items()
    )


def _fingerprint(outcomes: Mapping[int, Outcome]) -> tuple[object, ...]:
    return tuple(
        sorted(
            (key, round(o.damage), round(o.heal), round(o.shield), round(o.ap, 1), round(o.mp, 1))
            for key, o in outcomes.items()
        )
    )


def _moves_kept(merits: Floats, moves: int) -> list[int]:
    """Returns the rows worth walking to: of equal ones the first, of too many those that rank high."""
    seen: set[bytes] = set()
    rows: list[int] = []
    for row in range(1, len(merits)):
        alike = np.round(merits[row], 3).tobytes()
        if alike not in seen:
            seen.add(alike)
            rows.append(row)
    if len(rows) <= moves:
        return rows
    ranks = np.argsort(-merits[rows], axis=0, kind="stable")
    kept: dict[int, None] = {}
    for place in ranks:
        for index in place:
            kept[rows[index]] = None
            if len(kept) == moves:
                return sorted(kept)
    return sorted(kept)
