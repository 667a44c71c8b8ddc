"""What a fighter can do, as values: walk along a path, cast a spell at a cell, end the turn.

Before the fight begins: take a start cell, be ready.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Move:
    """Walk along `path`, cell by cell, the fighter's own cell left out; each step costs 1 MP."""

    path: tuple[int, ...]

    @property
    def target(self) -> int:
        return self.path[-1]


@dataclass(frozen=True, slots=True)
class Cast:
    """Cast the spell with this key at a cell."""

    spell: str
    target: int


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Hand the turn over."""

    target = None


@dataclass(frozen=True, slots=True)
class Place:
    """Before the fight: stand on this start cell."""

    cell: int

    @property
    def target(self) -> int:
        return self.cell


@dataclass(frozen=True, slots=True)
class Ready:
    """Before the fight: keep this place; the next fighter chooses its own."""

    target = None


Action = Move | Cast | EndTurn | Place | Ready
