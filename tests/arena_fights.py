"""Small fights of our own making for the players' tests, on an open floor unless told otherwise."""

from botapp.fight.board import CELLS, to_cell
from botapp.fight.spells import Effect, EffectKind, Spell
from botapp.fight.state import CellFlag, Fighter, FightMap, FightState

OPEN = bytes([CellFlag.FLOOR]) * CELLS
MIDDLE = (14, 0)


def at(dx=0, dy=0):
    """The cell so many steps along both axes from the middle of the board."""
    cell = to_cell(MIDDLE[0] + dx, MIDDLE[1] + dy)
    assert cell is not None
    return cell


def walled(*cells):
    floor = bytearray(OPEN)
    for cell in cells:
        floor[cell] = CellFlag.NONE
    return bytes(floor)


def hit(low=20, **changes):
    return Effect(EffectKind.DAMAGE, low, low, **changes)


def spell(key, *effects, **changes):
    base = {"key": key, "name": key, "ap": 3, "min_range": 1, "max_range": 5, "effects": effects}
    return Spell(**{**base, **changes})


JAB = spell("jab", hit(), max_range=1)
SHOT = spell("shot", hit(), min_range=2, max_range=8)


def fighter(id, team, cell, *spells, **changes):
    sheet = {"level": 50, "hp": 200, "max_hp": 200, "ap": 6, "mp": 3, "base_ap": 6, "base_mp": 3}
    return Fighter(
        id=id, name=f"F{id}", kind="test", team=team, cell=cell, spells=spells, **{**sheet, **changes}
    )


def fight(*fighters, cells=OPEN, current=0, **changes):
    order = tuple(f.id for f in fighters)
    return FightState(FightMap("test", cells), fighters, order, current, **changes)
