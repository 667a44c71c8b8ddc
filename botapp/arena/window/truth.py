"""What a moment shows, as plain data: the `shown` lines of the log and the files beside rendered pictures.

The keys are those of the log protocol; pixels are those of the client area.
"""

from typing import Any

from botapp.arena.window.layout import ArenaLayout
from botapp.arena.window.marks import ground_marks
from botapp.arena.window.moment import Moment, Motion, cooldown, visible
from botapp.arena.window.scene import position
from botapp.arena.window.terrain import kinds
from botapp.fight.state import Fighter, FightState


def describe(state: FightState, places: ArenaLayout, moment: Moment, fight: int = 0) -> dict[str, Any]:
    me = state.fighter(moment.player)
    over = moment.winner is not None
    others = [fighter for fighter in visible(state, me) if fighter.id != me.id]
    lattice = places.lattice
    shown = moment.highlights
    ready = moment.ready(state)
    marks = {
        "reachable": sorted(shown.reachable),
        "range": sorted(shown.range - shown.area),
        "no_sight": sorted(shown.no_sight - shown.area),
        "area": sorted(shown.area),
        "red_start": sorted(shown.red_start),
        "blue_start": sorted(shown.blue_start),
    }

    def entry(fighter: Fighter) -> dict[str, Any]:
        return {
            "cell": None if fighter.id in moment.motion.moving else fighter.cell,
            "px": [round(value, 1) for value in position(places, fighter, moment)],
            "hp_fraction": round(fighter.hp / fighter.max_hp, 4),
            "shield_fraction": round(min(1.0, fighter.shield / fighter.max_hp), 4),
            "kind": fighter.kind,
        }

    return {
        "event": "shown",
        "fight": fight,
        "seed": moment.seed,
        "settled": moment.motion == Motion(),
        "phase": "not-fight" if over else "placement" if state.placing else "fight",
        "turn": None if over else "mine" if state.actor.id == me.id else "other",
        "hp": me.hp,
        "max_hp": me.max_hp,
        "shield": me.shield,
        "ap": me.ap,
        "mp": me.mp,
        "timer_s": moment.timer_s,
        "turn_number": state.turn,
        "player": entry(me) if me.alive else None,
        "enemies": [entry(fighter) for fighter in others if fighter.team != me.team],
        "allies": [entry(fighter) for fighter in others if fighter.team == me.team],
        "cells": [int(kind) for kind in kinds(state.map.cells)],
        "highlights": {name: cells for name, cells in marks.items() if cells},
        "path": list(shown.path),
        "marks": [
            {"kind": mark.kind.value, "cells": list(mark.cells), "own": owner.team == me.team}
            for mark, owner in ground_marks(state, me)
        ],
        "spells": [{"usable": spell.key in ready, "cooldown": cooldown(me, spell)} for spell in me.spells],
        "lattice": {
            "origin_px": [round(value, 3) for value in lattice.origin_px],
            "cell_w": round(lattice.cell_w, 4),
            "cell_h": round(lattice.cell_h, 4),
        },
        "client": [places.width, places.height],
        "moving": sorted(moment.motion.moving),
        "log": [
            {
                "odd": line.number % 2,
                "taken_back": line.taken_back,
                "caster": line.caster,
                "spell": line.spell,
                "target": line.target,
            }
            for line in moment.lines
        ],
    }
