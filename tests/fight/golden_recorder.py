"""Records the golden traces: fights of every kind played half at random, with all that came of them.

    PYTHONPATH=$PWD:$PWD/tests python tests/fight/golden_recorder.py

writes `golden_traces.json.xz` beside this file, the same on every machine, and prints what is in it.
"""

import json
import lzma
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice, product
from typing import Any

from golden_coverage import Coverage
from golden_hashes import actions_hash, outcome_numbers, state_hash
from golden_traces import (
    FIXTURE,
    Engine,
    Step,
    Tape,
    action_text,
    floats_of,
    is_held,
    refusal_of,
)
from wild import wild_fight

from botapp.arena.players.simple import GreedyPlayer
from botapp.arena.scenarios import LARGEST_TEAM, adventure, duel, team
from botapp.content.library import classes
from botapp.content.state_json import action_to_json, state_to_json
from botapp.fight import rules
from botapp.fight.actions import Action, Cast, EndTurn, Move, Place, Ready
from botapp.fight.board import CELLS, distance, neighbours
from botapp.fight.rules import placing, winner
from botapp.fight.spells import Affects, Effect, EffectKind, Shape, Spell, State
from botapp.fight.state import FightState, MarkKind

LENGTHS = (15, 30, 50, 70, 100, 130)
POOLS = ("seen", "hour-veil", "any", "wild")
DUELS, ADVENTURES, TEAMS, WILD, LAST_BREATHS = 400, 480, 800, 420, 40
MOST_DICE = 4000
RECORDED = (1, 2, 3)
"""Which of five groups of four fights are recorded: each thing of the rules is in them at least
`LEAST` times, and the file is half of what all of them take.
Groups of four, as the pools of fighters follow one another."""
BLAST = Spell(
    key="blast",
    name="Blast",
    ap=3,
    min_range=0,
    max_range=5,
    effects=(Effect(EffectKind.DAMAGE, 10, 10, shape=Shape.CIRCLE, radius=6, affects=Affects.ALL),),
)
"""A spell that leaves nobody near alive."""


def beginnings() -> Iterator[tuple[str, FightState]]:
    """Yields the first state of each fight, with the name of its kind."""
    kinds = list(classes())
    pairs = list(product(kinds, kinds))
    sizes = list(product(range(1, LARGEST_TEAM + 1), repeat=2))
    for seed in range(DUELS):
        yield "duel", duel(seed, *pairs[seed % len(pairs)], POOLS[seed % 4])
    for seed in range(ADVENTURES):
        yield "adventure", adventure(seed, kinds[seed // 4 % len(kinds)], POOLS[seed % 4])
    for seed in range(TEAMS):
        red, blue = sizes[seed // 4 % len(sizes)]
        yield f"team {red}v{blue}", team(seed, red, blue, POOLS[seed % 4])
    for seed in range(WILD):
        yield "wild", wild_fight(seed)
    pairs_of_two = (state for seed in count(WILD) if len((state := wild_fight(seed)).fighters) == 2)
    for state in islice(pairs_of_two, LAST_BREATHS):
        dying = [replace(one, hp=1, spells=(*one.spells, BLAST)) for one in state.fighters]
        yield "last breath", replace(state, fighters=tuple(dying))


def varied(state: FightState, dice: random.Random) -> FightState:
    """Returns a fight's beginning as it is, with fighters hurt already, or before places are chosen."""
    least = dice.choice((1.0, 1.0, 0.2, 0.02))
    if least < 1.0:
        hurt = [replace(one, hp=max(1, int(one.hp * least * dice.uniform(1, 4)))) for one in state.fighters]
        state = replace(state, fighters=tuple(hurt))
    if state.map.red_starts and dice.random() < 0.08:
        state = placing(state)
    return state


class Wanderer:
    """Plays half at random: the kind of action first, then one of it, what leads to something preferred.

    Args:
        dice: its own, not the fight's.
        greed: how often it plays as the greedy player does instead.
    """

    def __init__(self, dice: random.Random, greed: float) -> None:
        self._dice = dice
        self._greed = greed

    def choose(self, state: FightState, legal: tuple[Action, ...]) -> Action:
        """Returns an action of the actor's; a walk that is not among the legal ones may be refused."""
        dice = self._dice
        if state.placing:
            return dice.choice(legal)
        if dice.random() < self._greed:
            return GreedyPlayer().choose(state, dice)
        moves = [action for action in legal if isinstance(action, Move)]
        casts = [action for action in legal if isinstance(action, Cast)]
        kinds = [(5, casts), (3, moves), (1, [EndTurn()])]
        open_to = [(weight, some) for weight, some in kinds if some]
        some = dice.choices([some for _, some in open_to], [weight for weight, _ in open_to])[0]
        if some is casts:
            return self._cast(state, casts)
        return self._move(state, moves) if some is moves else EndTurn()

    def _cast(self, state: FightState, casts: list[Cast]) -> Action:
        dice = self._dice
        spell = dice.choice(sorted({cast.spell for cast in casts}))
        of_it = [cast for cast in casts if cast.spell == spell]
        taken = {one.cell for one in state.fighters if one.alive}
        aimed = [cast for cast in of_it if cast.target in taken]
        return dice.choice(aimed if aimed and dice.random() < 0.7 else of_it)

    def _move(self, state: FightState, moves: list[Move]) -> Action:
        dice, actor = self._dice, state.actor
        if dice.random() < 0.1:
            return detour(state, dice)
        marked = {cell for mark in state.marks for cell in mark.cells}
        lured = [move for move in moves if not marked.isdisjoint(move.path)]
        if lured and dice.random() < 0.4:
            return dice.choice(lured)
        enemies = [one.cell for one in state.fighters if one.alive and one.team != actor.team]
        if dice.random() < 0.6:
            return min(moves, key=lambda move: min(distance(move.target, cell) for cell in enemies))
        return dice.choice(moves)


def detour(state: FightState, dice: random.Random) -> Move:
    """Returns a walk of neighbouring cells wherever they lead."""
    path = [state.actor.cell]
    for _ in range(dice.randint(1, max(1, state.actor.mp))):
        path.append(dice.choice([cell for cell in neighbours(path[-1]) if cell not in path] or [path[-1]]))
    return Move(tuple(path[1:]))


def refusals(
    engine: Engine, state: FightState, legal: tuple[Action, ...], dice: random.Random
) -> list[tuple[Action, str]]:
    """Returns actions that a state's actor is refused, at most two for each condition."""
    actor = state.actor
    traps = {cell for mark in state.marks if mark.kind is MarkKind.TRAP for cell in mark.cells}
    cells = [one.cell for one in state.fighters] + sorted(traps)[:4] + dice.sample(range(CELLS), 12)
    tries: list[Action] = [EndTurn(), Ready(), Cast("no such spell", actor.cell), Move((actor.cell,))]
    tries += [Place(cell) for cell in (*state.map.red_starts, *state.map.blue_starts, 0)]
    tries += [detour(state, dice) for _ in range(12)]
    moves = [action for action in legal if isinstance(action, Move)]
    for move in dice.sample(moves, min(6, len(moves))):
        tries += [Move((*move.path, near)) for near in neighbours(move.target)]
        tries += [Move(move.path[1:]), Move(move.path[::-1])]
    tries += [Cast(spell.key, cell) for spell in actor.spells for cell in (*cells, *neighbours(actor.cell))]
    dice.shuffle(tries)
    found: dict[str, list[Action]] = {}
    for action in tries:
        stored = not isinstance(action, Move) or action.path
        condition = refusal_of(engine, state, action)
        if stored and condition and len(found.setdefault(condition, [])) < 2:
            found[condition].append(action)
    return [(action, condition) for condition in sorted(found) for action in found[condition]]


def outcomes(
    engine: Engine, state: FightState, legal: tuple[Action, ...], dice: random.Random
) -> list[tuple[str, int, Any]]:
    """Returns two casts, at somebody where that can be, with what they are expected to do."""
    taken = {one.cell for one in state.fighters if one.alive}
    casts = [action for action in legal if isinstance(action, Cast)]
    casts = [cast for cast in casts if cast.target in taken] or casts
    return [
        (
            cast.spell,
            cast.target,
            {id: outcome_numbers(one) for id, one in engine.expected(state, cast).items()},
        )
        for cast in dice.sample(casts, min(2, len(casts)))
    ]


def record(number: int, first: FightState, engine: Engine, coverage: Coverage) -> dict[str, Any]:
    """Plays a fight and returns what is kept of it, map and spells still written out."""
    dice = random.Random(f"golden {number}")
    state = first = varied(first, dice)
    player = Wanderer(dice, 0.8 if dice.random() < 0.15 else 0.0)
    length = dice.choice(LENGTHS)
    asked = {dice.randrange(length), length} if number % 5 == 0 else set()
    weighed = {dice.randrange(length)} if number % 2 == 0 else set()
    tape = Tape(floats_of(number, MOST_DICE))
    kept: dict[str, Any] = {"actions": [], "draws": [], "after": [], "legal": [], "means": []}
    kept |= {"refused": {}, "outcomes": {}}
    coverage.begin(first)
    for step in range(length + 1):
        legal = engine.legal_actions(state)
        if is_held(number, step):
            kept["legal"].append(actions_hash(legal))
        over = winner(state) is not None
        if step in asked or (asked and (over or (step == 0 and state.placing))) or _newly_bound(state, kept):
            kept["refused"][step] = refusals(engine, state, legal, dice)
        if step in weighed and not over and (found := outcomes(engine, state, legal, dice)):
            kept["outcomes"][step] = found
        if over or step == length:
            break
        action = player.choose(state, legal)
        if action not in legal and refusal_of(engine, state, action):
            action = dice.choice(legal)
        kept["actions"].append(action_text(action, state))
        if is_held(number, step):
            kept["means"].append(state_hash(engine.apply_expected(state, action)))
        position = tape.position
        before, state = state, engine.apply(state, action, tape)
        kept["draws"].append(tape.position - position)
        kept["after"].append(state_hash(state))
        coverage.add(Step(before, action, state, tuple(tape.floats[position : tape.position])), engine)
    coverage.end(state)
    for step, entries in kept["refused"].items():
        coverage.refused(condition for _, condition in entries)
        kept["refused"][step] = [(action_to_json(action), condition) for action, condition in entries]
    texts = {name: " ".join(kept["actions"]) if name == "actions" else "".join(kept[name]) for name in _TEXTS}
    return {"first": state_to_json(first), "seed": number, **kept, **texts}


def _newly_bound(state: FightState, kept: dict[str, Any]) -> bool:
    """Tells whether it is the first time in a fight that its states keep an actor from casting something."""
    barring = {State.PACIFIED, State.GRAVITY}.union(*(spell.forbidden_states for spell in state.actor.spells))
    return not kept["refused"] and any(map(state.actor.has, barring))


_TEXTS = ("actions", "after", "legal", "means")


class Shelf:
    """Things that are written down once and meant by their numbers."""

    def __init__(self) -> None:
        self.things: list[Any] = []
        self._numbers: dict[str, int] = {}

    def number(self, thing: Any) -> int:
        number = self._numbers.setdefault(json.dumps(thing), len(self.things))
        if number == len(self.things):
            self.things.append(thing)
        return number


def main() -> None:
    coverage, maps, spells, fights = Coverage(), Shelf(), Shelf(), []
    for number, (scenario, beginning) in enumerate(beginnings()):
        if number // 4 % 5 not in RECORDED:
            continue
        fight = {"scenario": scenario, **record(number, beginning, rules, coverage)}
        first = fight["first"]
        first["map"] = maps.number(first["map"])
        for one in first["fighters"]:
            one["spells"] = [spells.number(spell) for spell in one["spells"]]
        fights.append(fight)
    missing = coverage.missing()
    assert not missing, f"not seen often enough: {missing}"
    data = {"coverage": coverage.table, "maps": maps.things, "spells": spells.things, "fights": fights}
    text = json.dumps(data, separators=(",", ":"))
    FIXTURE.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    for name, times in coverage.table.items():
        print(f"{times:8,} {name}")
    actions = sum(len(fight["draws"]) for fight in fights)
    dice = sum(sum(fight["draws"]) for fight in fights)
    print(f"{len(fights):,} fights, {actions:,} actions, {dice:,} dice, {FIXTURE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
