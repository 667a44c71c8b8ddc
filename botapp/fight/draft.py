"""A state in the making: one action's changes are collected here, the state it began with stays as it is.

Everything that can happen to several fighters at once goes through it: wounds, deaths and what they take
along. Next hop: `botapp.fight.effects`, `botapp.fight.push` and `botapp.fight.marks` write into it,
`botapp.fight.rules` hands the finished state out.
"""

import random

from botapp.fight import damage
from botapp.fight.buffs import without
from botapp.fight.sight import Terrain, terrain
from botapp.fight.state import Fighter, FightState, State


class Draft:
    """What a state is turning into.

    Attributes:
        fighters: everyone by id, in the order of the state.
        marks, order, current, turn: as in `FightState`.
        rng: the dice; None where they all fall on their mean.
        ground: the map's terrain.
    """

    __slots__ = ("_state", "current", "fighters", "ground", "marks", "order", "rng", "turn")

    def __init__(self, state: FightState, rng: random.Random | None) -> None:
        self._state = state
        self.fighters = {fighter.id: fighter for fighter in state.fighters}
        self.marks = state.marks
        self.order = state.order
        self.current = state.current
        self.turn = state.turn
        self.rng = rng
        self.ground: Terrain = terrain(state.map.cells)

    def finished(self) -> FightState:
        """Returns the state as it is now."""
        return self._state.changed(
            fighters=tuple(self.fighters.values()),
            order=self.order,
            current=self.current,
            turn=self.turn,
            marks=self.marks,
        )

    def put(self, fighter: Fighter) -> None:
        """Writes a fighter down in the place of the one with the same id."""
        self.fighters[fighter.id] = fighter

    def at(self, cell: int) -> Fighter | None:
        """Returns who stands on a cell."""
        return next((f for f in self.fighters.values() if f.cell == cell and f.hp > 0), None)

    def free(self, cell: int) -> bool:
        """Tells whether somebody could stand on a cell."""
        return bool(self.ground.walkable >> cell & 1) and self.at(cell) is None

    def hurt(self, fighter_id: int, dose: int) -> int:
        """Takes HP off a fighter, its shield first, and erodes its maximum; returns the HP lost."""
        target = self.fighters[fighter_id]
        if target.hp <= 0 or dose <= 0 or target.has(State.INVULNERABLE):
            return 0
        absorbed = min(target.shield, dose)
        lost = min(dose - absorbed, target.hp)
        eroded = damage.eroded_by(lost, target.stats.erosion)
        self.put(
            target.changed(
                hp=target.hp - lost,
                shield=target.shield - absorbed,
                max_hp=target.max_hp - eroded,
                eroded=target.eroded + eroded,
            )
        )
        if lost == target.hp:
            self._bury(fighter_id)
        return lost

    def _bury(self, fighter_id: int) -> None:
        """Takes away what dies with a fighter: its summons, its marks, and the buffs it gave to others."""
        self.marks = tuple(mark for mark in self.marks if mark.owner != fighter_id)
        for fighter in tuple(self.fighters.values()):
            if fighter.buffs and fighter.hp > 0:
                ended = tuple(buff for buff in fighter.buffs if buff.caster == fighter_id)
                if ended:
                    kept = tuple(buff for buff in fighter.buffs if buff.caster != fighter_id)
                    self.put(without(fighter, kept, ended))
        for fighter in tuple(self.fighters.values()):
            if fighter.summoner == fighter_id and self.fighters[fighter.id].hp > 0:
                self.put(self.fighters[fighter.id].changed(hp=0, shield=0))
                self._bury(fighter.id)
