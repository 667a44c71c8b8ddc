"""`botapp bench fights`: whole fights in compiled code against the same fights played in Python.

What is counted is the process's own time on the processor. Both play the same fights with the same dice, by
turns, so that what else the computer does weighs on both alike.
"""

import platform
import sys
from time import process_time
from typing import Any

from botapp.arena.match import play
from botapp.arena.player_spec import make_player, policy_of
from botapp.arena.scenarios import LARGEST_TEAM, adventure, team
from botapp.fight.state import FightState
from botapp.host.message import mark
from botapp.host.translation import Language, Translator
from botapp.search.whole_fights import FightDice, WholeFight

PLAYERS = "quick:states=60", "quick:states=60"
"""Both sides evaluate so many states a decision, beside those of its first actions."""
MONSTERS = "quick:states=60", "monster"
_NAMES = {"adventure": mark("adventure")}
_KINDS = {"1v1": 1, f"{LARGEST_TEAM}v{LARGEST_TEAM}": LARGEST_TEAM}


def measure_fights(seconds: float = 4.0, seed: int = 1) -> dict[str, Any]:
    """Times whole fights on one core, warm.

    Args:
        seconds: of processor time for each figure, at least.
        seed: of the first fight; the others follow.

    Returns:
        By kind of fight ("1v1", "4v4", "adventure"): "fights_per_s" in compiled code, "python_per_s" the same
        fights in Python, "times": how many times as many that is, "fights": how many both played, "actions":
        how many a fight had on average; "machine" and "python".

    Raises:
        AssertionError: a fight went otherwise in Python.
    """
    figures: dict[str, Any] = {name: _compared(name, seconds, seed) for name in (*_KINDS, "adventure")}
    return {
        **figures,
        "machine": platform.processor() or platform.machine(),
        "python": sys.version.split()[0],
    }


def _fight(kind: str, seed: int) -> FightState:
    return adventure(seed) if kind == "adventure" else team(seed, _KINDS[kind])


def _compared(kind: str, seconds: float, seed: int) -> dict[str, Any]:
    words = MONSTERS if kind == "adventure" else PLAYERS
    spent = [0.0, 0.0]
    fights = actions = 0
    _compiled(_fight(kind, seed), words, seed)
    while sum(spent) < 2 * seconds or not fights:
        state = _fight(kind, seed + fights)
        begun = process_time()
        played = _compiled(state, words, seed + fights)
        spent[0] += process_time() - begun
        state = _fight(kind, seed + fights)  # another object, so that nothing is known of it
        begun = process_time()
        sides = {side: make_player(word) for side, word in enumerate(words)}
        result = play(state, sides, FightDice(seed + fights))
        spent[1] += process_time() - begun
        assert played == (result.winner, result.turns, result.actions), (kind, seed + fights)
        fights, actions = fights + 1, actions + result.actions
    return {
        "fights_per_s": round(fights / spent[0], 1),
        "python_per_s": round(fights / spent[1], 2),
        "times": round(spent[1] / spent[0], 2),
        "fights": fights,
        "actions": round(actions / fights, 1),
    }


def _compiled(state: FightState, words: tuple[str, str], seed: int) -> tuple[int, int, int]:
    red, blue = words
    played = WholeFight(state, policy_of(red), policy_of(blue)).play(seed)
    return played.winner, played.rounds, played.actions


def fights_text(measured: dict[str, Any], language: Language) -> str:
    tr = Translator(language)
    return "\n".join(
        tr(
            "{kind}: {compiled} fights a second and core, {python} in Python, {times} times as many "
            "({fights} fights of {actions} actions)",
            kind=tr(_NAMES.get(kind, kind)),
            compiled=figures["fights_per_s"],
            python=figures["python_per_s"],
            times=figures["times"],
            fights=figures["fights"],
            actions=figures["actions"],
        )
        for kind, figures in measured.items()
        if isinstance(figures, dict)
    )
