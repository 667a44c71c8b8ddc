"""Before the fight: how good each start cell is for the fighter who chooses, by playing the first round.

From each cell the default policy plays the first round for all sides, then the learned evaluation says the
chance of winning. All cells meet the same dice; the better half of them is played on with more. The others
are taken to stay where they stand.
"""

import math
from dataclasses import dataclass
from statistics import fmean

from botapp.fight.actions import Ready
from botapp.fight.core.compiler import HURRIED
from botapp.fight.placement import start_cells
from botapp.fight.rules import apply_expected
from botapp.fight.state import FightState
from botapp.search.learned import load
from botapp.search.play_style import play_style_from_spells
from botapp.search.policy_fight import PolicyFight

TURNS = 100 if HURRIED else 1200  # Turns of single fighters that are played for one advice
ALIKE = 0.01  # Chances of winning that are so close are the same: other dice would part them otherwise
_ROUNDS = 1
FIRST_DICE = 4
_DECIDED = 30.0


@dataclass(frozen=True, slots=True)
class StartPlace:
    """A start cell, and how likely a fight that begins there is won, 0..1."""

    cell: int
    chance: float


@dataclass(frozen=True, slots=True)
class PlaceAdvice:
    """What is known of the start cells of a fighter."""

    fighter: int
    places: tuple[StartPlace, ...]  # Its own cell and all free ones, the best first
    here: StartPlace  # The one on which it stands
    turns: int

    @property
    def best(self) -> StartPlace:
        """Where to stand: the own cell where none is clearly better."""
        return self.here if self.here in self.alike else self.places[0]

    @property
    def alike(self) -> tuple[StartPlace, ...]:
        """The places that are as good as the best one, that one first."""
        return tuple(place for place in self.places if place.chance >= self.places[0].chance - ALIKE)


def advise_place(state: FightState, turns: int = TURNS, seed: int = 0) -> PlaceAdvice:
    """Compares the start cells of the fighter who chooses; the same arguments give the same advice.

    Args:
        state: the fight while places are chosen.
        turns: turns of single fighters that may be played; each cell gets a first few in any case.
    """
    own = state.actor.cell
    begun = {cell: _begun_at(state, cell) for cell in dict.fromkeys((own, *start_cells(state)))}
    a_round = _ROUNDS * len(state.order)
    outcomes: dict[int, list[float]] = {cell: [] for cell in begun}
    left, dice, cells = turns, FIRST_DICE, list(begun)
    while True:
        for cell in cells:
            for throw in range(len(outcomes[cell]), len(outcomes[cell]) + dice):
                outcomes[cell].append(
                    _chance(begun[cell], state.actor.team, a_round, seed * 1_000_003 + throw)
                )
        left -= len(cells) * dice * a_round
        ranked = sorted(cells, key=lambda cell: -fmean(outcomes[cell]))
        cells = list(dict.fromkeys((*ranked[: max(2, len(ranked) // 2)], own)))
        if left < len(cells) * dice * a_round:
            break
    places = sorted(
        (StartPlace(cell, fmean(chances)) for cell, chances in outcomes.items()),
        key=lambda place: (-place.chance, place.cell),
    )
    here = next(place for place in places if place.cell == own)
    return PlaceAdvice(state.actor.id, tuple(places), here, turns - left)


def _begun_at(state: FightState, cell: int) -> FightState:
    placed = tuple(f.changed(cell=cell) if f is state.actor else f for f in state.fighters)
    return apply_expected(state.changed(fighters=placed, current=len(state.order) - 1), Ready())


def _chance(state: FightState, team: int, turns: int, seed: int) -> float:
    """Returns a team's chance of winning, 0..1, after some turns by the default policy."""
    fight = PolicyFight(state, play_style_from_spells, load())
    for number in range(turns):
        won = fight.play_turn((seed * 7919 + number * 104_729) % (2**31 - 1))
        if won is not None:
            return 0.5 if won < 0 else float(won == team)
    odds = max(-_DECIDED, min(_DECIDED, fight.log_odds(team)))
    return 1 / (1 + math.exp(-odds))
