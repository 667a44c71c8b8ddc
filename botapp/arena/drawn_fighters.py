"""Fighters drawn at random, so that what is learned is the game and not the few classes there are."""

import math
import random
from dataclasses import replace
from typing import Any

from botapp.arena.drawn_spells import drawn_spells
from botapp.fight.spells import Element, Stats
from botapp.fight.state import FightState

_SPELLS = 3, 9
_SCALE = 12.0  # HP and damage at the highest level are so many times those of the arena's classes
_TOUGHNESS = 0.45, 2.2  # How much longer than usual everybody of a fight lasts
_HP = 0.6, 1.6
_AP, _MP = (6, 12), (3, 7)
_ALIKE = 0.75  # The share of fights between teams of the same fighters


def with_drawn_fighters(state: FightState, rng: random.Random) -> FightState:
    """Returns a fight's beginning with other spells, points, stats and HP for each fighter.

    HP and damage are those of some level. In most fights both teams have the same fighters, so that how they
    play decides, as far as one team has no more of them.
    """
    scale = _SCALE ** rng.random()
    toughness = scale * _between(rng, _TOUGHNESS)
    alike = rng.random() < _ALIKE
    sheets: dict[tuple[int, int], dict[str, Any]] = {}
    places = [0, 0]
    fighters = []
    for fighter in state.fighters:
        at = (0 if alike else fighter.team, places[fighter.team])
        places[fighter.team] += 1
        if at not in sheets:
            sheets[at] = _sheet(fighter.max_hp * toughness, scale, rng)
        fighters.append(replace(fighter, **sheets[at]))
    return replace(state, fighters=tuple(fighters))


def _sheet(usual_hp: float, scale: float, rng: random.Random) -> dict[str, Any]:
    hp = max(1, round(usual_hp * _between(rng, _HP)))
    ap, mp = rng.randint(*_AP), rng.randint(*_MP)
    return {
        "hp": hp,
        "max_hp": hp,
        "ap": ap,
        "base_ap": ap,
        "mp": mp,
        "base_mp": mp,
        "spells": drawn_spells(rng.randint(*_SPELLS), scale, rng),
        "stats": _stats(scale, rng),
    }


def _between(rng: random.Random, ends: tuple[float, float]) -> float:
    """Draws a factor between two, each ratio being as likely."""
    return math.exp(rng.uniform(math.log(ends[0]), math.log(ends[1])))


def _stats(scale: float, rng: random.Random) -> Stats:
    strong = rng.sample(("strength", "intelligence", "chance", "agility"), rng.choice((1, 1, 2, 4)))
    elements = {name: rng.randint(80, 260) for name in strong}
    return Stats(
        strength=elements.get("strength", 0),
        intelligence=elements.get("intelligence", 0),
        chance=elements.get("chance", 0),
        agility=elements.get("agility", 0),
        power=rng.choice((0, 0, rng.randint(0, 100))),
        damage=round(rng.choice((0, rng.randint(0, 6))) * scale),
        wisdom=rng.randint(0, 120),
        lock=rng.randint(0, 60),
        flee=rng.randint(0, 60),
        range=rng.choice((0, 0, 1, 2)),
        crit=rng.choice((0, rng.randint(0, 40))),
        summons=rng.randint(1, 3),
        resistance=_resistance(rng),
    )


def _resistance(rng: random.Random) -> tuple[int, int, int, int, int]:
    neutral, earth, fire, water, air = (round(max(-30.0, min(50.0, rng.gauss(10, 18)))) for _ in Element)
    return neutral, earth, fire, water, air
