"""Compares what timeline, numbers and board say of the same thing: agreement is kept, contradiction withheld.

- HP, or the share of life that the heart shows, with the life bar of the player's card;
- the MP with how far the lit cells reach;
- the turn with whose card is marked and whom the player plays.

Used by `vision.extract.dofus.reader` on a finished view.
"""

from dataclasses import replace
from typing import TypeVar

import numpy as np

from vision.extract import grid
from vision.extract.dofus.reach import FEWEST, FITS, walks
from vision.message import say
from vision.view import CardSeen, CellKind, FightView, Played, Seen

Number = TypeVar("Number", int, float)

_OFF = 0.1  # How far HP and the life bar of a card may be apart: a bar is some 60 pixels high, with a border

_SURER = 0.3  # The share of its doubt that a number loses where another source says the same


def checked(view: FightView, mine: CardSeen | None, played: Played) -> FightView:
    """Returns a view without the fields that other fields of it contradict.

    Args:
        mine: the player's card on the timeline, None where it is not known.
        played: the fighter that the player moves, if the turn is or may be the player's.
    """
    if view.turn.value != "other" and played != "own":
        return _of_summon(view, played)
    return _with_reach(_with_life(view, mine))


def _of_summon(view: FightView, played: Played) -> FightView:
    """Returns a view without what is a summon's, or may be."""
    reason = say("It is your summon's turn.") if played == "summon" else say("It may be your summon's turn.")
    return replace(
        view,
        turn=Seen("other", view.turn.confidence) if played == "summon" else Seen(),
        hp=Seen(),
        max_hp=Seen(),
        hp_share=Seen(),
        shield=Seen(),
        ap=Seen(),
        mp=Seen(),
        spells=(),
        played=played,
        reason=view.reason or reason,
    )


def _with_life(view: FightView, mine: CardSeen | None) -> FightView:
    bar = mine.hp_fraction.value if mine is not None else None
    shield = view.shield.value
    if bar is None or shield:
        return view
    if view.hp_share.value is not None:
        agrees = abs(view.hp_share.value - bar) <= _OFF
        return replace(view, hp_share=_surer(view.hp_share) if agrees else Seen())
    hp, most = view.hp.value, view.max_hp.value
    if hp is None or not most:
        return view
    if abs(hp / most - bar) > _OFF:
        return replace(view, hp=Seen(), max_hp=Seen())
    return replace(view, hp=_surer(view.hp), max_hp=_surer(view.max_hp))


def _with_reach(view: FightView) -> FightView:
    """Returns a view without MP where the lit cells are what more MP would reach.

    Lit cells that no number of MP explains are no reach: grass looks lit as well.
    """
    mp, own = view.mp.value, view.own_cell
    lit = grid.marked(view.highlights.get("reachable", ()))
    if mp is None or own is None or np.count_nonzero(lit) < FEWEST or view.turn.value != "mine":
        return view
    lit[own] = True
    for steps, reached in enumerate(walks(lit | (view.cells == CellKind.WALKABLE), own), 1):
        if np.count_nonzero(reached & lit) >= FITS * np.count_nonzero(reached | lit):
            return view if steps <= mp else replace(view, mp=Seen())
    return view


def _surer(seen: Seen[Number]) -> Seen[Number]:
    """Returns a number that a second source confirms."""
    return Seen(seen.value, 1 - (1 - seen.confidence) * (1 - _SURER))
