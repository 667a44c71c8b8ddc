"""Fights to practise on, each from a seed: a duel, two teams, or an adventure against monsters.

The same seed is the same fight on every machine. What is marked unseen in resources/arena takes part only
where a pool asks for it, so that nothing is trained on it by accident.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Literal, TypeVar

from botapp.arena.drawn_fighters import with_drawn_fighters
from botapp.content import library
from botapp.content.library import monsters
from botapp.content.maps import build_map, wild_recipe
from botapp.content.templates import FighterTemplate, MapTemplate
from botapp.fight.order import turn_order
from botapp.fight.rules import DRAW, winner
from botapp.fight.state import Fighter, FightMap, FightState

ROUND_LIMIT = 50  # A fight still on after so many rounds is a draw

GROUP_POINTS = 10
LARGEST_TEAM = 4
LARGEST_GROUP = 8  # The most monsters of an adventure whose monsters are given

Pool = Literal["seen", "unseen", "hour-veil", "any", "wild", "drawn"]
"""Where classes and maps come from:

- `seen`: those trained on;
- `unseen`: the twelve classes and 22 maps never trained on;
- `hour-veil`: the two classes and ten maps among these that were all of `unseen` until 28 November 2026, so
  that earlier figures can be had again;
- `any`: `seen` and `hour-veil` together, as the arena's window has them;
- `wild`: the classes trained on with a map of the seed's own that has no name;
- `drawn`: fighters with spells, points, stats and HP of the seed's own on such a map.
"""

FIRST_TRAINING_SEED = 500_000_000
"""Fights of the pool `drawn` from this seed on may be trained on; those below are for measuring only."""

T = TypeVar("T", FighterTemplate, MapTemplate)


def duel(seed: int, red: str | None = None, blue: str | None = None, pool: Pool = "seen") -> FightState:
    """Returns a fight of one class against one, on start cells that are each other's counterpart.

    Args:
        seed: picks the map, the start cells and the classes left open.
        red: the kind of team 0's fighter.
        blue: the kind of team 1's fighter.
        pool: where the map and the classes left open are drawn from.

    Raises:
        KeyError: there is no such class.
    """
    rng = random.Random(f"duel {seed}")
    board = _board(rng, seed, pool)
    kinds = sorted(_classes(pool))
    sides = [_class(red or rng.choice(kinds)), _class(blue or rng.choice(kinds))]
    return _finished(_facing(board, [[sides[0]], [sides[1]]], rng), seed, pool)


def team(
    seed: int, red_size: int | None = None, blue_size: int | None = None, pool: Pool = "seen"
) -> FightState:
    """Returns a fight of two teams of classes.

    No team has a class twice where there are enough of them.

    Args:
        seed: picks the map, the start cells, the classes and, where it is left open, the size.
        red_size: how many fighters team 0 has, 1 to `LARGEST_TEAM`; two or more where the seed picks.
        blue_size: how many fighters team 1 has, as many as team 0 where it is left out.
        pool: where the map and the classes are drawn from.

    Raises:
        ValueError: there are no teams of this size.
    """
    rng = random.Random(f"team {seed}")
    red = rng.randint(2, LARGEST_TEAM) if red_size is None else red_size
    sizes = (red, red if blue_size is None else blue_size)
    for size in sizes:
        if not 1 <= size <= LARGEST_TEAM:
            raise ValueError(f"size: a team has 1 to {LARGEST_TEAM} fighters, got {size}")
    board = _board(rng, seed, pool)
    kinds = sorted(_classes(pool))
    teams = [[_class(kind) for kind in rng.sample(kinds * -(-size // len(kinds)), size)] for size in sizes]
    return _finished(_facing(board, teams, rng), seed, pool)


def adventure(seed: int, player_class: str | None = None, pool: Pool = "seen") -> FightState:
    """Returns a fight of one player (fighter 0, alone in team 0) against a group of one to three monsters.

    Args:
        seed: picks the map, the start cells, the monsters and the class where it is left open.
        pool: where the map and the class are drawn from.

    Raises:
        KeyError: there is no such class.
    """
    rng = random.Random(f"adventure {seed}")
    board = _board(rng, seed, pool)
    kind = player_class or rng.choice(sorted(_classes(pool)))
    player = _class(kind).fighter(0, 0, rng.choice(board.red_starts))
    group = _group(rng)
    foes = _named(group, rng.sample(board.blue_starts, len(group)), 1, 1)
    fighters = (player, *foes)
    return _finished(FightState(board, fighters, turn_order(fighters)), seed, pool)


def encounter(
    seed: int, player: FighterTemplate, foes: Sequence[FighterTemplate], ground: FightMap | None = None
) -> FightState:
    """Returns a fight of one player (fighter 0) against given monsters.

    Args:
        seed: picks the start cells, and a map of the app's where `ground` is None.
        player: the player, of a class of the app's, of a person's own or of the imported game.

    Raises:
        ValueError: there are no monsters, or more than may be met or the map has room for.
    """
    if not 1 <= len(foes) <= LARGEST_GROUP:
        raise ValueError(f"monsters: 1 to {LARGEST_GROUP} can be met, got {len(foes)}")
    rng = random.Random(f"encounter {seed}")
    board = _board(rng, seed, "seen") if ground is None else ground
    if not board.red_starts or len(board.blue_starts) < len(foes):
        raise ValueError(f"map: {board.key} has too few start cells for {len(foes)} monsters")
    me = player.fighter(0, 0, rng.choice(board.red_starts))
    fighters = (me, *_named(foes, rng.sample(board.blue_starts, len(foes)), 1, 1))
    return FightState(board, fighters, turn_order(fighters))


def outcome(state: FightState) -> int | None:
    """Returns the winning team, -1 for a draw (also past `ROUND_LIMIT`), None while the fight is on."""
    won = winner(state)
    return DRAW if won is None and state.turn > ROUND_LIMIT else won


def _finished(state: FightState, seed: int, pool: Pool) -> FightState:
    return with_drawn_fighters(state, random.Random(f"drawn {seed}")) if pool == "drawn" else state


def _facing(board: FightMap, teams: list[list[FighterTemplate]], rng: random.Random) -> FightState:
    """Returns a fight of two teams, each fighter opposite the other team's fighter of the same place."""
    places = rng.sample(range(len(board.red_starts)), max(len(templates) for templates in teams))
    starts = (board.red_starts, board.blue_starts)
    fighters: list[Fighter] = []
    for side, templates in enumerate(teams):
        cells = [starts[side][place] for place in places[: len(templates)]]
        fighters += _named(templates, cells, side, len(fighters))
    return FightState(board, tuple(fighters), turn_order(tuple(fighters)))


def _named(
    templates: Sequence[FighterTemplate], cells: Sequence[int], side: int, first_id: int
) -> list[Fighter]:
    """Returns fighters of one team, namesakes numbered from the second on."""
    fighters: list[Fighter] = []
    for index, (template, cell) in enumerate(zip(templates, cells, strict=True)):
        same = sum(1 for fighter in fighters if fighter.kind == template.kind)
        name = f"{template.name} {same + 1}" if same else template.name
        fighters.append(template.fighter(first_id + index, side, cell, name))
    return fighters


def _board(rng: random.Random, seed: int, pool: Pool) -> FightMap:
    if pool in ("wild", "drawn"):
        return build_map(wild_recipe(seed))
    maps = _maps(pool)
    return maps[rng.choice(sorted(maps))].board


def _classes(pool: Pool) -> dict[str, FighterTemplate]:
    added = library.unseen_content().classes if pool == "unseen" else {}
    return _of_pool(library.classes(), pool) | added


def _maps(pool: Pool) -> dict[str, MapTemplate]:
    added = library.unseen_content().maps if pool == "unseen" else {}
    return _of_pool(library.maps(), pool) | added


def _of_pool(templates: Mapping[str, T], pool: Pool) -> dict[str, T]:
    wants_unseen = pool in ("unseen", "hour-veil")
    return {
        key: template
        for key, template in templates.items()
        if pool == "any" or template.unseen == wants_unseen
    }


def _class(kind: str) -> FighterTemplate:
    known = library.classes() | library.unseen_content().classes
    if kind not in known:
        raise KeyError(f"no class {kind!r}; there are {', '.join(known)}")
    return known[kind]


def _group(rng: random.Random) -> list[FighterTemplate]:
    """Returns one to three monsters worth between 8 and `GROUP_POINTS` points together."""
    kinds = sorted(kind for kind, template in monsters().items() if template.points)
    while True:
        group = [monsters()[rng.choice(kinds)] for _ in range(rng.randint(1, 3))]
        if GROUP_POINTS - 2 <= sum(template.points for template in group) <= GROUP_POINTS:
            return group
