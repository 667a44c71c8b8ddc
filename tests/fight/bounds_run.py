"""Rules, searches and whole fights over content of every origin, meant for a process that checks bounds.

    BOTAPP_INTERPRETED=checked PYTHONPATH=$PWD:$PWD/tests:$PWD/tests/fight:$PWD/tests/fight/core \
        python tests/fight/bounds_run.py rules:13 search:9 fights:2 imported:1 damaged:20

What compiled code would read or write beside an array, row or table is an `OutOfBoundsError` here; the source
is the same. States that are refused in words are fine, whatever was damaged in them.
"""

import json
import random
import sys
from contextlib import suppress
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import madeup_game
from fights import fight
from policy_states import policy_state
from random_fights import RandomFight, first_state

from botapp.arena.player_spec import make_player
from botapp.arena.scenarios import adventure, duel, team
from botapp.content.knowledge.base import KnowledgeBase
from botapp.content.state_json import state_from_json, state_to_json
from botapp.fight.core.capacity import CapacityError
from botapp.fight.core.compiler import BOUNDS_CHECKED, OutOfBoundsError
from botapp.fight.rules import apply, legal_actions
from botapp.search.options import SearchOptions
from botapp.search.result import search_turn
from botapp.search.whole_fights import WholeFight
from tests.attack.damage import twisted

_FEW = SearchOptions(rollout_actions=8, nodes=30)
_PLAYERS = ("quick:states=6,actions=4,replies=3,evaluation=learned,ends=2", "quick:states=8,ends=2")


def rules(number):
    """A fight of random actions: of a scenario, of random spells, or of effects of every kind."""
    game = RandomFight(first_state(number), number)
    for _ in range(60):
        if not game.play() or game.is_too_large:
            break
        game.hold()


def search(number):
    search_turn(policy_state(number), 8, _FEW)


def fights(number):
    """Two rounds between two policies that search, in a team of drawn or random fighters."""
    state = team(number, 1 + number % 2, pool=("drawn", "wild")[number % 2])
    with suppress(CapacityError):
        WholeFight(state, *(make_player(words).policy for words in _PLAYERS), rounds=2).play(number)


def imported(number):
    """Fights of classes and monsters of imported game data, all of whose spells are drawn at random."""
    with TemporaryDirectory(prefix="botapp-bounds-") as folder:
        base = KnowledgeBase(Path(folder) / "knowledge")
        madeup_game.brought(base, Path(folder), madeup_game.large(2, 12, 2, 4, seed=number))
        game = base.game
        assert game is not None
        found = [game.class_template(one, 100) for one in game.classes]
        found += [game.monster_template(named.number) for named in game.monsters[:2]]
        kinds = [template for template in found if template is not None]
        assert len(kinds) >= 2, "nothing was imported"
        for red, blue in list(product(kinds, kinds))[:6]:
            _try(fight(red.fighter(0, 0, 286), blue.fighter(1, 1, 315)), number)


def damaged(number):
    """A state with values replaced by nasty or near ones, where it is taken for a state at all."""
    dice = random.Random(number)
    state = dice.choice((duel, adventure, team))(number % 9)
    with suppress(ValueError):
        _try(state_from_json(json.loads(json.dumps(twisted(state_to_json(state), dice)))), number)


def _try(state, seed):
    """Plays some actions of a state at random and searches what comes of them."""
    dice = random.Random(seed)
    for _ in range(12):
        legal = legal_actions(state)
        if not legal:
            return
        state = apply(state, dice.choice(legal), dice)
    search_turn(state, 4, _FEW)


def main(wanted):
    """Runs so many of each part; returns 1 where nothing would be checked."""
    if not BOUNDS_CHECKED:
        print("set BOTAPP_INTERPRETED=checked", file=sys.stderr)
        return 1
    for word in wanted:
        name, _, count = word.partition(":")
        for number in range(int(count)):
            try:
                {part.__name__: part for part in (rules, search, fights, imported, damaged)}[name](number)
            except OutOfBoundsError as error:
                raise SystemExit(f"{name} {number}: {error}") from error
        print(f"{name}: {count} within bounds", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
