"""Small fights for the rules' tests, on an open floor unless told otherwise."""

from botapp.fight.board import CELLS
from botapp.fight.spells import Effect, EffectKind, Spell
from botapp.fight.state import CellFlag, Fighter, FightMap, FightState

OPEN = bytes([CellFlag.FLOOR]) * CELLS
HIT = Effect(EffectKind.DAMAGE, 10, 10)


def spell(key="jab", effects=(HIT,), **changes):
    return Spell(
        **{"key": key, "name": key, "ap": 3, "min_range": 1, "max_range": 5, "effects": effects, **changes}
    )


def fighter(id, team, cell, spells=(), **changes):
    sheet = {"level": 10, "hp": 100, "max_hp": 100, "ap": 6, "mp": 3, "base_ap": 6, "base_mp": 3}
    return Fighter(
        id=id, name=f"F{id}", kind="test", team=team, cell=cell, spells=tuple(spells), **{**sheet, **changes}
    )


def fight(*fighters, cells=OPEN, current=0):
    return FightState(FightMap("test", cells), fighters, tuple(f.id for f in fighters), current)


def with_cell(cells, cell, flag):
    changed = bytearray(cells)
    changed[cell] = flag
    return bytes(changed)
