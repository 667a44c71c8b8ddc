"""Pictures of fights without a window: `python -m botapp.arena.window.render --seed N --out FILE.png`.

Plays a few random actions from the seed so that pictures differ. `--truth` writes what the picture shows as
JSON, with the keys of the log protocol.
"""

import argparse
import json
import os
import random
import sys
from pathlib import Path

from PySide6.QtGui import QGuiApplication

from botapp.arena.scenarios import adventure, duel
from botapp.arena.window.aim import highlights
from botapp.arena.window.layout import ArenaLayout
from botapp.arena.window.moment import Highlights, Moment
from botapp.arena.window.scene import render
from botapp.arena.window.truth import describe
from botapp.content.library import classes
from botapp.fight.actions import EndTurn
from botapp.fight.rules import apply, legal_actions, winner
from botapp.fight.state import FightState


def staged(seed: int, actions: int, player: int, mine: bool | None) -> FightState:
    """Returns a fight from a seed after some random actions, in or out of the player's turn as asked."""
    dice = random.Random(seed)
    kinds = sorted(classes())
    state = adventure(seed, kinds[seed % len(kinds)]) if seed % 3 else duel(seed)
    for _ in range(actions):
        after = apply(state, dice.choice(legal_actions(state)), dice)
        if winner(after) is not None or not after.fighter(player).alive:
            break
        state = after
    while mine is not None and (state.actor.id == player) is not mine:
        state = apply(state, EndTurn(), dice)
    return state


def staged_moment(
    state: FightState, seed: int, player: int, spell: int | None, language: str = "en"
) -> Moment:
    """Returns a moment for a staged fight: highlights in the player's turn, a random timer."""
    dice = random.Random(seed)
    me = state.fighter(player)
    mine = state.actor.id == player
    selected = me.spells[spell % len(me.spells)].key if mine and spell is not None else None
    shown = highlights(state, me, selected, None) if mine or state.placing else Highlights()
    return Moment(
        player,
        language=language,
        seed=seed,
        mine=mine,
        selected=selected,
        timer_s=dice.randrange(1, 31),
        highlights=shown,
    )


def main(arguments: list[str] | None = None) -> int:
    """Writes one picture, and its truth when asked; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m botapp.arena.window.render", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", default="1280x720", help="WIDTHxHEIGHT in pixels")
    parser.add_argument("--out", type=Path, required=True, help="where the picture goes (PNG)")
    parser.add_argument("--truth", type=Path, help="where to write what the picture shows (JSON)")
    parser.add_argument("--actions", type=int, default=12, help="random actions played first")
    parser.add_argument("--turn", choices=("mine", "other", "any"), default="mine")
    parser.add_argument("--spell", type=int, help="spell to select, counted from 0")
    parser.add_argument("--language", choices=("en", "fr"), default="en")
    asked = parser.parse_args(arguments)
    try:
        width, height = (int(part) for part in asked.size.split("x"))
    except ValueError:
        parser.error(f"--size: expected WIDTHxHEIGHT, such as 1280x720, got {asked.size!r}")
    if QGuiApplication.instance() is None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        QGuiApplication([])
    mine = {"mine": True, "other": False, "any": None}[asked.turn]
    state = staged(asked.seed, asked.actions, 0, mine)
    moment = staged_moment(state, asked.seed, 0, asked.spell, asked.language)
    if not render(state, (width, height), moment).save(str(asked.out)):
        print(f"{asked.out}: the picture cannot be written there", file=sys.stderr)
        return 1
    if asked.truth:
        asked.truth.write_text(json.dumps(describe(state, ArenaLayout(width, height), moment)), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
