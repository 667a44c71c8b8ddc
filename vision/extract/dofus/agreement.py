"""Compares what timeline, numbers and board say of the same thing: agreement is kept, contradiction withheld.

- HP, or the share of life that the heart shows, with the life bar of the player's card;
- the MP with how far the lit cells reach;
- the turn with whose card is marked and whom the player plays.

Used by `vision.extract.dofus.reader` on a finished view.
"""

from dataclasses import replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.message import say
from vision.view import CELLS, CardSeen, FightView, Played, Seen

Number = TypeVar("Number", int, float)

_OFF = 0.1
"""How far HP and the life bar of a card may be apart: a bar is some 60 pixels high, with a border."""

_FEW_BEYOND = 0.5
"""Of the lit cells so many may lie beyond the MP: a field of grass looks lit as well."""

_FEWEST = 3
"""Fewer lit cells than these tell nothing: a tuft of grass is as green."""

_SURER = 0.3
"""The share of its doubt that a number loses where another source says the same."""


def checked(view: FightView, mine: CardSeen | None, played: Played) -> FightView:
    """Returns a view without the fields that other fields of it contradict.

    Args:
        view: the view of one picture.
        mine: the player's card on the timeline, None where it is not known.
        played: whom the player moves, if the turn is or may be the player's.
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
    """Returns a view whose HP agree with the life bar of the player's card, where both are seen."""
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
    """Returns a view without MP where cells are lit that are further than the MP reach, on any path.

    Where lit cells are joined to the player's, only those count: grass that looks lit lies elsewhere as well.
    """
    mp, own = view.mp.value, view.player.cell if view.player is not None else None
    lit = view.highlights.get("reachable", frozenset())
    if mp is None or own is None or len(lit) < _FEWEST or view.turn.value != "mine":
        return view
    shown = np.zeros(CELLS, bool)
    shown[[own, *lit]] = True
    joined = _grown(own, shown, CELLS)
    judged = joined if np.count_nonzero(joined) > 1 else shown
    beyond = np.count_nonzero(judged & ~_grown(own, np.ones(CELLS, bool), mp))
    return replace(view, mp=Seen()) if beyond > _FEW_BEYOND * np.count_nonzero(judged) else view


def _grown(start: int, within: npt.NDArray[np.bool_], steps: int) -> npt.NDArray[np.bool_]:
    """Returns the cells that so many steps from a cell reach, all of them in `within`."""
    reached = np.zeros(CELLS, bool)
    reached[start] = True
    for _ in range(steps):
        wider = reached | (grid.beside(reached) & within)
        if (wider == reached).all():
            break
        reached = wider
    return reached


def _surer(seen: Seen[Number]) -> Seen[Number]:
    """Returns a number that a second source confirms."""
    return Seen(seen.value, 1 - (1 - seen.confidence) * (1 - _SURER))
