"""A player of another version of this program, in a process and a folder of its own; states travel as JSON.

Two versions can fight by `botapp.arena.player_spec`: `other:folder=/old/tree,player=bare;ms=150`.
"""

import json
import os
import random
import subprocess
import sys
import weakref
from pathlib import Path

from botapp.arena.players.base import player, text
from botapp.content.state_json import action_from_json, state_to_json
from botapp.fight.actions import Action
from botapp.fight.state import FightState
from botapp.host.children import hold, tied

_SERVE = """
import json, random, sys
from botapp.arena.player_spec import make_player
from botapp.content.state_json import action_to_json, state_from_json
player, dice = make_player(sys.argv[1]), random.Random(int(sys.argv[2]))
for line in sys.stdin:
    action = player.choose(state_from_json(json.loads(line)), dice)
    print(json.dumps(action_to_json(action)), flush=True)
"""


@player("other", folder=text, player=text)
class OtherProgram:
    """Plays what a player of another checkout decides.

    Args:
        folder: the root of the checkout; its own requirements are met by this Python.
        player: the player's word there, with ";" where it has "," and "/" where it has ":" in it.

    Raises:
        ValueError: there is no program in the folder.
    """

    def __init__(self, folder: str, player: str) -> None:
        if not (Path(folder) / "botapp").is_dir():
            raise ValueError(f"{folder} is no checkout of this program: it has no folder botapp")
        word = player.replace(";", ",").replace("/", ":")
        self._process = subprocess.Popen(
            tied([sys.executable, "-P", "-c", _SERVE, word, "1"]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": os.pathsep.join((folder, os.environ.get("PYTHONPATH", "")))},
        )
        hold(self._process.pid)
        weakref.finalize(self, self._process.kill)

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns the other program's action.

        Raises:
            RuntimeError: it has ended.
        """
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None and answers is not None
        asked.write(json.dumps(state_to_json(state)) + "\n")
        asked.flush()
        answer = answers.readline()
        if not answer:
            raise RuntimeError("the other program has ended; what it said stands above")
        return action_from_json(json.loads(answer))
