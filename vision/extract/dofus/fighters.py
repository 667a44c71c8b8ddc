"""Turns the rings found on the board into fighters, one of them the player.

Where rings distinguish teams only (2.x, Retro), or where more than one could be the player's, ambiguous
fighters become candidates.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.extract.dofus.scored import Ring
from vision.view import MOST_SURE, FighterSeen, Lattice, Seen, Team

Flags = npt.NDArray[np.bool_]

MARKED = 0.5
"""From this probability on a ring is the player's rather than an ally's."""

_PASSING = 5  # Pictures, half a second: a spell's glow over a fighter and its card is gone by then

_UNSEEN = 0.8
"""The confidence in a player's cell that only the cells lit about it tell."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The fighters on the board by side.

    `candidates` are the fighters of the own side while the player among them is not known.
    """

    player: FighterSeen | None = None
    allies: tuple[FighterSeen, ...] = ()
    enemies: tuple[FighterSeen, ...] = ()
    candidates: tuple[FighterSeen, ...] = ()

    @property
    def known_own(self) -> tuple[FighterSeen, ...]:
        """The player, where it is known, and the allies."""
        return (() if self.player is None else (self.player,)) + self.allies

    @property
    def own(self) -> tuple[FighterSeen, ...]:
        """All of the own side, whether the player among them is known or not."""
        return self.known_own + self.candidates

    @property
    def others(self) -> tuple[FighterSeen, ...]:
        """All but the player, who may be one of the candidates."""
        return self.allies + self.enemies + self.candidates


def cells_of(standing: Iterable[FighterSeen]) -> frozenset[int]:
    """Returns the cells that some fighters stand on, as far as they are known."""
    return frozenset(ring.cell for ring in standing if ring.cell is not None)


class Living:
    """Counts the living while something may lie over a fighter and its card of the timeline at once.

    Their card gone, those who died leave their floor behind. One whose cell is under a window lives as far as
    is known, and so does for half a second one whose cell shows no floor: it may be behind a spell's glow.
    """

    def __init__(self) -> None:
        self._cards = 0
        self._away: dict[int, int] = {}  # In how many pictures nothing was seen on a cell where one stood

    def count(
        self, cards: Seen[int], others: Iterable[FighterSeen], empty: Flags, covered: Flags
    ) -> Seen[int]:
        """Takes in a picture; returns how many fighters the timeline would show without what lies over it.

        Args:
            empty: cells that show their floor, shape (560,).
            covered: cells under a window, shape (560,).
        """
        hidden = {
            cell: away + 1
            for cell, away in self._away.items()
            if covered[cell] or (away < _PASSING and not empty[cell])
        }
        self._away = hidden | dict.fromkeys(cells_of(others), 0)
        if cards.value is None:
            return cards
        missing = sum(away > 0 for away in self._away.values())
        living = max(cards.value, min(self._cards, cards.value + missing))
        self._cards = living
        return replace(cards, value=living)

    def forget(self) -> None:
        """Forgets everything, as for another fight."""
        self._cards, self._away = 0, {}


def counted(rings: list[Ring], own: int, marked: bool) -> list[Ring]:
    """Returns the rings without those of the own side that contradict the timeline.

    Where the client marks the player and more are found than the timeline has cards, only those with its
    marks count: the others may be discs, glows or marks on the ground.

    Args:
        own: how many of the player's side the timeline shows, 0 where it is not found.
    """
    mine = sum(ring.team == "own" for ring in rings)
    if not marked or not own or mine <= own:
        return rings
    return [ring for ring in rings if ring.team != "own" or ring.mark >= MARKED]


def assign_sides(
    rings: Iterable[Ring], lattice: Lattice, marked: bool, alone: bool = False, another: bool = False
) -> Sides:
    """Returns the fighters that rings mark, by side.

    Args:
        marked: whether the client marks the player's fighter; else the only one of the own side is it.
        alone: whether the timeline shows no other fighter of the own side.
        another: whether there may be one more of it, so that the only one found need not be the player.
    """
    visible = list(rings)
    own = [ring for ring in visible if ring.team == "own"]
    enemies = tuple(_fighter(ring, "enemy", lattice) for ring in visible if ring.team == "enemy")
    players = [ring for ring in own if ring.mark >= MARKED] if marked else own
    players = own if alone and not players else players
    if len(players) != 1 or (another and not marked):
        return Sides(None, (), enemies, tuple(_fighter(ring, "own", lattice) for ring in own))
    allies = tuple(_fighter(ring, "ally", lattice) for ring in own if ring is not players[0])
    return Sides(_fighter(players[0], "own", lattice), allies, enemies)


def with_unseen(sides: Sides, cell: int, lattice: Lattice) -> Sides:
    """Returns the sides with the player out of sight on a cell, the candidates as allies."""
    player = FighterSeen(lattice.centre(cell), cell, "own", confidence=_UNSEEN)
    return with_player(replace(sides, candidates=(player, *sides.candidates)), cell)


def with_player(sides: Sides, cell: int | None) -> Sides:
    """Returns the sides with the candidate on a cell as the player, those on others as allies."""
    player = next((ring for ring in sides.candidates if cell is not None and ring.cell == cell), None)
    if player is None:
        return sides
    allies = tuple(replace(ring, team="ally") for ring in sides.candidates if ring.cell != cell)
    return Sides(player, allies, sides.enemies)


def without_player(sides: Sides) -> Sides:
    """Returns the sides with the player and all allies as candidates."""
    own = tuple(replace(ring, team="own") for ring in sides.known_own)
    return Sides(None, (), sides.enemies, own or sides.candidates)


def without_cells(sides: Sides) -> Sides:
    """Returns the sides without the ids of the cells that the fighters stand on."""
    return Sides(
        None if sides.player is None else replace(sides.player, cell=None),
        tuple(replace(ring, cell=None) for ring in sides.allies),
        tuple(replace(ring, cell=None) for ring in sides.enemies),
    )


def _fighter(ring: Ring, team: Team, lattice: Lattice) -> FighterSeen:
    return FighterSeen(lattice.centre(ring.cell), ring.cell, team, confidence=min(MOST_SURE, ring.chance))
