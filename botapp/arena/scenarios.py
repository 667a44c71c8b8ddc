"""Fights to practise on, each from a seed: a duel of two classes, or an adventure against monsters.

The same seed is the same fight on every machine. Next hop: `botapp.arena.players` play them, the arena's
window shows them.
"""

import random

from botapp.arena.content import FighterTemplate, classes, monsters
from botapp.arena.maps import build_map, opposite
from botapp.fight.order import turn_order
from botapp.fight.rules import DRAW, winner
from botapp.fight.state import FightState

ROUND_LIMIT = 50
"""A fight still on after so many rounds is a draw."""

GROUP_POINTS = 10


def duel(seed: int, red: str | None = None, blue: str | None = None) -> FightState:
    """Returns a fight of one class against one, on opposite start cells.

    Args:
        seed: picks the map, the start cells and the classes left open.
        red: the kind of team 0's fighter.
        blue: the kind of team 1's fighter.

    Raises:
        KeyError: there is no such class.
    """
    rng = random.Random(f"duel {seed}")
    board = build_map(rng, f"duel-{seed}")
    kinds = sorted(classes())
    sides = [_class(red or rng.choice(kinds)), _class(blue or rng.choice(kinds))]
    cell = rng.choice(board.red_starts)
    fighters = (sides[0].fighter(0, 0, cell), sides[1].fighter(1, 1, opposite(cell)))
    return FightState(board, fighters, turn_order(fighters))


def adventure(seed: int, player_class: str) -> FightState:
    """Returns a fight of one player (fighter 0, alone in team 0) against a group of one to three monsters.

    Raises:
        KeyError: there is no such class.
    """
    rng = random.Random(f"adventure {seed}")
    board = build_map(rng, f"adventure-{seed}")
    player = _class(player_class).fighter(0, 0, rng.choice(board.red_starts))
    cells = rng.sample(board.blue_starts, 3)
    fighters = [player]
    for index, template in enumerate(_group(rng)):
        same = sum(1 for fighter in fighters if fighter.kind == template.kind)
        name = f"{template.name} {same + 1}" if same else template.name
        fighters.append(template.fighter(index + 1, 1, cells[index], name))
    return FightState(board, tuple(fighters), turn_order(fighters))


def outcome(state: FightState) -> int | None:
    """Returns the winning team, -1 for a draw (also past `ROUND_LIMIT`), None while the fight is on."""
    won = winner(state)
    return DRAW if won is None and state.turn > ROUND_LIMIT else won


def _class(kind: str) -> FighterTemplate:
    if kind not in classes():
        raise KeyError(f"no class {kind!r}; there are {', '.join(classes())}")
    return classes()[kind]


def _group(rng: random.Random) -> list[FighterTemplate]:
    """Returns one to three monsters worth between 8 and `GROUP_POINTS` points together."""
    kinds = sorted(monsters())
    while True:
        group = [monsters()[rng.choice(kinds)] for _ in range(rng.randint(1, 3))]
        if GROUP_POINTS - 2 <= sum(template.points for template in group) <= GROUP_POINTS:
            return group
