"""The turns that `search:states=3000` plays, recorded once: others are measured by it.

    PYTHONPATH=$PWD:$PWD/tests python tests/search/core/frozen_search.py

writes them to `search_turns.json` beside this file. That is for the day on which there is no such opponent
yet; see `test_frozen_search` on what to do when it plays otherwise.
"""

import json
import random
from pathlib import Path

from policy_states import policy_state, told

from botapp.arena.player_spec import make_player
from botapp.fight.actions import EndTurn
from botapp.fight.rules import apply_expected, winner

OPPONENT = "search:states=3000"
RECORDED = Path(__file__).with_name("search_turns.json")


def turn_in(number):
    """Everything it does in the turn of `policy_state(number)` while no dice fall, as plain values."""
    state, player, dice, turn = policy_state(number), make_player(OPPONENT), random.Random(0), []
    mover = state.actor.id
    while state.actor.id == mover and winner(state) is None:
        action = player.choose(state, dice)
        turn.append(told(action))
        if isinstance(action, EndTurn):
            break
        state = apply_expected(state, action)
    return turn


if __name__ == "__main__":
    turns = [json.dumps(turn_in(number)) for number in range(120)]
    RECORDED.write_text("[\n" + ",\n".join(turns) + "\n]\n")
