"""What a reader without a fault sees of a fight: the tracker is measured and tested with it."""

from typing import Literal

import numpy as np

from botapp.fight.board import CELLS
from botapp.fight.ranges import reachable
from botapp.fight.refusals import hindrances
from botapp.fight.state import CellFlag, FightState
from vision.frame import Rect
from vision.view import CellKind, FighterSeen, FightView, Phase, Seen, SpellSlot


def view_of(state: FightState, player_id: int) -> FightView:
    """Returns what a reader without a fault sees of a state on the player's screen."""
    player = state.fighter(player_id)
    kinds = np.full(CELLS, CellKind.OBSTACLE, np.uint8)
    for cell, flag in enumerate(state.map.cells):
        if flag & CellFlag.WALKABLE:
            kinds[cell] = CellKind.WALKABLE
        elif flag & CellFlag.SIGHT:
            kinds[cell] = CellKind.HOLE

    def seen(fighter_id: int) -> FighterSeen:
        fighter = state.fighter(fighter_id)
        side: Literal["own", "ally", "enemy"] = (
            "enemy" if fighter.team != player.team else "own" if fighter.id == player_id else "ally"
        )
        return FighterSeen(
            px=(0.0, 0.0),
            cell=fighter.cell,
            team=side,
            hp_fraction=Seen(fighter.hp / fighter.max_hp, 1.0),
            kind=Seen(fighter.kind, 1.0),
            confidence=1.0,
        )

    mine = state.actor.id == player_id
    others = [f for f in state.fighters if f.hp > 0 and f.id != player_id]
    cooldowns, why = dict(player.cooldowns), hindrances(state, player)
    return FightView(
        client=Rect(0, 0, 1280, 720),
        phase=Seen(Phase.FIGHT, 1.0),
        turn=Seen("mine" if mine else "other", 1.0),
        cells=kinds,
        cell_confidence=1.0,
        highlights={"reachable": frozenset(reachable(state, player))} if mine else {},
        player=seen(player_id),
        allies=tuple(seen(f.id) for f in others if f.team == player.team),
        enemies=tuple(seen(f.id) for f in others if f.team != player.team),
        hp=Seen(player.hp, 1.0),
        max_hp=Seen(player.max_hp, 1.0),
        ap=Seen(player.ap, 1.0),
        mp=Seen(player.mp, 1.0),
        turn_number=Seen(state.turn, 1.0),
        spells=tuple(
            SpellSlot(i, Seen(why[s.key] in ("", "summons"), 1.0), Seen(cooldowns.get(s.key, 0), 1.0))
            for i, s in enumerate(player.spells)
        ),
    )
