"""Makes fighters of the borders found on the board: one a cell, one player, whose side each is on.

Where borders tell teams only (2.x, Retro), or where more than one could be the player's, what is in doubt is
left out rather than guessed. Next hop: `vision.extract.real.reader`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from vision.extract.real.borders import Found
from vision.view import FighterSeen, Lattice, Team

_SHARE = 0.52
_FRONT = 0.5
_MARKED = 0.4
_CLEARLY_MARKED = 0.7
_MARKED_SHARE = 0.43
_FAINT_SHARE = 0.12
_FAINT_EDGE = 3.5
_FAINT_UPPER = 1.2
_FAINT_EDGES = 9.0


@dataclass(frozen=True, slots=True)
class Sides:
    """The fighters on the board by side; `doubt` says that the player is one of several on the own side."""

    player: FighterSeen | None
    allies: tuple[FighterSeen, ...]
    enemies: tuple[FighterSeen, ...]
    doubt: bool


def believed(found: Iterable[Found]) -> list[Found]:
    """Returns the borders of which enough shows, one a cell, by cell."""
    best: dict[int, Found] = {}
    for border in found:
        if not _shows(border):
            continue
        if border.cell not in best or best[border.cell].share < border.share:
            best[border.cell] = border
    return [best[cell] for cell in sorted(best)]


def _shows(border: Found) -> bool:
    """Returns whether enough of a border shows: most of its line, or all of its edges, however faint."""
    if border.share >= _SHARE and border.front >= _FRONT:
        return True
    if border.share >= _MARKED_SHARE and border.front >= _FRONT and border.mark >= _CLEARLY_MARKED:
        return True
    lower = min(border.clear[1], border.clear[2])
    votes = sum(min(4.0, max(-2.0, edge)) for edge in border.clear)
    upper = border.clear[0] + border.clear[3]
    return (
        border.share >= _FAINT_SHARE
        and lower >= _FAINT_EDGE
        and upper >= _FAINT_UPPER
        and votes >= _FAINT_EDGES
    )


def aligned(lattice: Lattice, borders: Iterable[Found]) -> Lattice:
    """Returns the lattice moved so that cells' centres lie in the middle of the borders."""
    shifts = []
    for border in borders:
        x, y = lattice.centre(border.cell)
        shifts.append((border.px[0] - x, border.px[1] - y))
    if not shifts:
        return lattice
    dx, dy = (sum(values) / len(shifts) for values in zip(*shifts, strict=True))
    origin = (lattice.origin_px[0] + dx, lattice.origin_px[1] + dy)
    return Lattice(origin, lattice.cell_w, lattice.cell_h)


def settle(borders: Iterable[Found], lattice: Lattice, numbered: bool) -> Sides:
    """Returns who stands where.

    Args:
        borders: what `believed` returned.
        lattice: where the board's cells lie.
        numbered: whether its cells' ids are sure.
    """
    shown = list(borders)
    own = [border for border in shown if border.team == "own"]
    enemies = [border for border in shown if border.team == "enemy"]
    marked = [border for border in own if border.mark >= _MARKED]
    player = own[0] if len(own) == 1 else marked[0] if len(marked) == 1 else None
    allies = [border for border in own if border is not player] if player is not None else []
    return Sides(
        _fighter(player, "own", lattice, numbered) if player is not None else None,
        tuple(_fighter(border, "ally", lattice, numbered) for border in allies),
        tuple(_fighter(border, "enemy", lattice, numbered) for border in enemies),
        doubt=player is None and len(own) > 1,
    )


def _fighter(border: Found, team: Team, lattice: Lattice, numbered: bool) -> FighterSeen:
    confidence = min(0.99, 0.6 + 0.5 * border.share)
    cell = border.cell if numbered else None
    return FighterSeen(lattice.centre(border.cell), cell, team, confidence=confidence)
