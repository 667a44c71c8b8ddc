"""Even fights: one side's HP scaled until the same player wins about half, so that strength shows, not luck.

    python -m botapp.arena.even --scenario team --pool unseen --seeds 500 --workers 32 --out even.json

works the factors out, seed by seed, and writes them to a file; the same command goes on where it was left.
`botapp arena tournament --even` fights with those of `resources/arena/even.json`. In teams the HP of team 0
are scaled, in adventures those of the monsters, whom `MONSTERS` plays. Left out are seeds where most fights
are still on at the round limit, and those that no factor makes even.
"""

import argparse
import json
import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

from botapp.arena.fixtures import POOLS, begin
from botapp.arena.match import play
from botapp.arena.player_spec import make_player, parse, policy_in
from botapp.arena.scenarios import ROUND_LIMIT, Pool
from botapp.arena.workers import SpreadError, spread
from botapp.fight.core.capacity import CapacityError
from botapp.fight.rules import DRAW
from botapp.fight.state import FightState
from botapp.host.files import write_whole
from botapp.search.whole_fights import WholeFight

SCALED_SIDE = {"team": 0, "adventure": 1}
"""The scenarios that can be made even, each with the side whose HP are scaled."""
SIZES = 1, 2, 3, 4  # Fighters of a team, taken in turn by seed: the factor of a seed belongs to one size
FIRST_SEED = 310_000_000
"""No figure before these fights was made with seeds from here on, and drawn fights are not trained on."""
QUICK = "quick:states=60,evaluation=learned,ends=2"
"""Plays both teams: a small search in compiled code, without a clock, so that a seed's factor is the same on
every machine. The factors shipped were made with it."""
MONSTERS = "greedy"
FIGHTS = 6
"""Fights for each factor tried: with two to four points of six the true share is within 0.2 of a half in nine
of ten cases, and the next six cost as much as another seed."""
_STEPS = 6  # Halvings of the range of factors: the last one tells 1.0 from 1.04
_LEAST, _MOST = 25, 400  # Percent of the HP, at the ends of the range
LEFT_OUT = 0

Task = tuple[str, Pool, int, str]  # Scenario, pool, seed, and the player's word


class EvenError(ValueError):
    """There are no factors for what is asked, or a file of them cannot be used; the text names the remedy."""


@dataclass(frozen=True, slots=True)
class Factors:
    """The factors of one scenario and pool."""

    player: str  # The word of the player that wins about half
    # Of the HP, by seed from `FIRST_SEED` on: `LEFT_OUT`, or None where it was not worked out yet
    percent: tuple[int | None, ...] = ()

    def of(self, seed: int) -> int | None:
        """Returns the percent for a seed, `LEFT_OUT` and None as in `percent`."""
        place = seed - FIRST_SEED
        return self.percent[place] if 0 <= place < len(self.percent) else None

    def with_one(self, seed: int, percent: int) -> "Factors":
        known = list(self.percent)
        known += [None] * (seed - FIRST_SEED + 1 - len(known))
        known[seed - FIRST_SEED] = percent
        return Factors(self.player, tuple(known))


def read(text: str, name: str) -> dict[str, Factors]:
    """Reads a file of factors, by scenario and pool as `key` names them.

    Raises:
        EvenError: it is no such file.
    """
    try:
        table = json.loads(text)
        return {key: Factors(entry["player"], tuple(entry["percent"])) for key, entry in table.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise EvenError(f"{name} holds no factors of even fights ({error!r}). Give another file.") from error


def written(known: dict[str, Factors]) -> str:
    lines = [
        f'{json.dumps(name)}: {{"player": {json.dumps(factors.player)}, "percent": '
        f"{json.dumps(factors.percent, separators=(',', ':'))}}}"
        for name, factors in sorted(known.items())
    ]
    return "{" + ",\n".join(lines) + "}\n"


def key(scenario: str, pool: str) -> str:
    return f"{scenario} {pool}"


@cache
def shipped() -> dict[str, Factors]:
    file = files("resources").joinpath("arena/even.json")
    return read(file.read_text("utf-8"), "even.json") if file.is_file() else {}


def seeds(scenario: str, pool: str, sizes: Sequence[int], first: int, count: int) -> list[int]:
    """Returns the first even seeds of some sizes of teams.

    Args:
        scenario: one of `SCALED_SIDE`.
        pool: one of `botapp.arena.fixtures.POOLS`.
        sizes: fighters of a team; none for all.
        first: no seed before it.
        count: how many.

    Raises:
        EvenError: there are not so many.
    """
    if scenario not in SCALED_SIDE:
        raise EvenError(f"--even: the scenario {scenario} has no even fights; {', '.join(SCALED_SIDE)} have")
    known = shipped().get(key(scenario, pool), Factors("")).percent
    even_seeds = [
        FIRST_SEED + place
        for place, percent in enumerate(known)
        if percent and FIRST_SEED + place >= first and (not sizes or size_of(FIRST_SEED + place) in sizes)
    ]
    if len(even_seeds) < count:
        raise EvenError(
            f"--even: {len(even_seeds)} seeds of {scenario}, {pool} are even and of these sizes, {count} "
            "were asked for. Ask for fewer fights, or work out more: python -m botapp.arena.even"
        )
    return even_seeds[:count]


def size_of(seed: int) -> int:
    """Returns how many fighters a team has in the even fight of a seed."""
    return SIZES[seed % len(SIZES)]


def even_fight(scenario: str, seed: int, pool: Pool) -> FightState:
    """Returns the beginning of a seed's fight, made even.

    Raises:
        EvenError: the seed has no factor.
    """
    factors = shipped().get(key(scenario, pool))
    percent = factors.of(seed) if factors is not None else None
    if not percent:
        raise EvenError(f"--even: seed {seed} of {scenario}, {pool} is not even")
    return scaled(as_written(scenario, seed, pool), SCALED_SIDE[scenario], percent)


def as_written(scenario: str, seed: int, pool: Pool) -> FightState:
    """Returns the beginning of a seed's fight before it is made even."""
    return begin(scenario, seed, SIZES if scenario == "team" else (), pool)


def scaled(state: FightState, side: int, percent: int) -> FightState:
    """Returns a fight's beginning with the HP of one side's fighters at so many percent."""
    fighters = []
    for fighter in state.fighters:
        hp = max(1, round(fighter.hp * percent / 100))
        fighters.append(fighter.changed(hp=hp, max_hp=hp) if fighter.team == side else fighter)
    return state.changed(fighters=tuple(fighters))


def made_even(task: Task) -> int:
    """Returns the percent at which the scaled side wins about half, `LEFT_OUT` where there are none."""
    scenario, pool, seed, word = task
    plain, side = as_written(scenario, seed, pool), SCALED_SIDE[scenario]
    low, percent, high = _LEAST, 100, _MOST
    for step in range(_STEPS):
        points = _points(scaled(plain, side, percent), side, scenario, word, f"even {seed} {step}")
        if points is None:
            return LEFT_OUT
        if FIGHTS / 3 <= points <= FIGHTS - FIGHTS / 3:
            return percent
        low, high = (low, percent) if points > FIGHTS / 2 else (percent, high)
        percent = round(math.sqrt(low * high))
    return LEFT_OUT


def _points(state: FightState, side: int, scenario: str, word: str, dice: str) -> float | None:
    """Returns what a side has of `FIGHTS` fights; None where most are undecided, or one outgrows its room."""
    points, draws = 0.0, 0
    for number in range(FIGHTS):
        try:
            winner = quick_fight(state, scenario, word, f"{dice} {number}")
        except CapacityError:
            return None
        draws += winner == DRAW
        points += 0.5 if winner == DRAW else float(winner == side)
        if draws > FIGHTS / 2:
            return None
    return points


def quick_fight(state: FightState, scenario: str, word: str, dice: str) -> int:
    """Returns who wins a fight, played in compiled code where both players have a policy.

    Raises:
        CapacityError: the fight outgrew the rules' room.
    """
    other = word if scenario == "team" else MONSTERS
    red, blue = make_player(word), make_player(other)
    rng = random.Random(dice)
    policies = [policy for policy in (policy_in(red), policy_in(blue)) if policy is not None]
    if len(policies) < 2:
        return play(state, {0: red, 1: blue}, rng).winner
    played = WholeFight(state, policies[0], policies[1], ROUND_LIMIT).play(rng.getrandbits(62))
    if played.ending == "outgrown":
        raise CapacityError("the fight outgrew the room that the rules have")
    return played.winner


def work_out(
    scenarios: Sequence[str],
    pools: Sequence[Pool],
    count: int,
    player: str,
    workers: int,
    out: Path,
    seconds: float | None = None,
) -> dict[str, Factors]:
    """Works out the factors of `count` seeds of each scenario and pool, as far as the file lacks them.

    The file is written after each seed; whatever ends the work, it holds what was done by then.

    Raises:
        EvenError: the file holds no factors, or those of another player.
        SpreadError: a fight ended its worker again and again.
    """
    known = read(out.read_text("utf-8"), str(out)) if out.exists() else {}
    word = str(parse(player))
    tasks: list[Task] = []
    for scenario in scenarios:
        for pool in pools:
            there = known.setdefault(key(scenario, pool), Factors(word))
            if there.player != word:
                raise EvenError(
                    f"{out}: {key(scenario, pool)} was made with {there.player}, not with {word}. "
                    "Give another file, or that player."
                )
            tasks += [
                (scenario, pool, seed, word)
                for seed in range(FIRST_SEED, FIRST_SEED + count)
                if there.of(seed) is None
            ]
    tasks.sort(key=lambda task: task[2])  # whenever it ends, all pools have come equally far
    for (scenario, pool, seed, _), percent in spread(made_even, tasks, workers, seconds=seconds):
        name = key(scenario, pool)
        known[name] = known[name].with_one(seed, percent)
        write_whole(out, written(known))
    return known


def progress_lines(known: dict[str, Factors], count: int) -> str:
    """Returns a line for each scenario and pool: how many of `count` seeds are even, left out, to be done."""
    lines = []
    for name, factors in sorted(known.items()):
        even = sorted(percent for percent in factors.percent if percent)
        left_out = sum(percent == LEFT_OUT for percent in factors.percent if percent is not None)
        missing = max(count, len(factors.percent)) - len(even) - left_out
        middle = f", HP at {even[0]} to {even[-1]} %, {even[len(even) // 2]} in the middle" if even else ""
        lines.append(f"{name}: {len(even)} even{middle}; {left_out} left out, {missing} to be done")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Works out the factors of even fights from the command line."""
    parser = argparse.ArgumentParser(prog="python -m botapp.arena.even", description=main.__doc__)
    parser.add_argument("--scenario", choices=sorted(SCALED_SIDE), action="append", help="may be repeated")
    parser.add_argument("--pool", choices=POOLS, action="append", help="may be repeated")
    parser.add_argument("--seeds", type=int, default=400, help=f"of each, from {FIRST_SEED} on")
    parser.add_argument("--player", default=QUICK, help="who wins half, on both sides but for monsters")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--seconds", type=float, help="ends after so long; the same command goes on")
    parser.add_argument("--out", type=Path, required=True, help="the file, gone on with where it exists")
    given: dict[str, Any] = vars(parser.parse_args(arguments))
    scenarios = given["scenario"] or ["team"]
    pools = given["pool"] or [pool for pool in POOLS if pool in get_args(Pool) and pool != "hour-veil"]
    begun = time.monotonic()
    try:
        known = work_out(
            scenarios,
            pools,
            given["seeds"],
            given["player"],
            given["workers"],
            given["out"],
            given["seconds"],
        )
    except (ValueError, OSError, SpreadError) as error:
        parser.error(str(error))
    print(f"{progress_lines(known, given['seeds'])}\n{time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
