"""Fights as the rules engine of November 2026 played them, and how another engine is held to them.

`golden_recorder` has written `golden_traces.json.xz`. An engine is whatever has the four functions of
`Engine`; `botapp.fight.rules` is one:

    traces = Traces()
    for number in range(len(traces)):
        replay(traces.fight(number), engine)

Where one differs, play it beside one that does not: `steps(fight, rules)` yields what is right, step by step,
with the dice, and `golden_hashes.fields_of` says what is hashed of a state.

Nothing here asks the rules anything: states come from their JSON, dice from a tape, and hashes of the fields
of `FightState` are compared. Actions are written as `m` and the way of each step, `c` and spell and cell, `e`
for the end of the turn, `p` and a start cell, `r` for ready.
"""

import json
import lzma
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from golden_hashes import DIGITS, actions_hash, outcome_numbers, state_hash

from botapp.content.state_json import action_from_json, state_from_json
from botapp.fight.actions import Action, Cast, EndTurn, Move, Place, Ready
from botapp.fight.state import FightState

FIXTURE = Path(__file__).with_name("golden_traces.json.xz")

EVERY = 7
"""Legal actions and the expected next state are held at each so many-th step."""

_SPARE_DICE = 128
"""Dice on a fight's tape beyond those it took, so that an engine that takes more is told so."""

_STEPS = (-15, -14, 13, 14)
"""From a cell of an even row to its neighbours; from an odd row it is one more."""


class Engine(Protocol):
    """What is held to the traces; each is as the function of this name in `botapp.fight.rules` was.

    A state is whatever the engine works on; see `replay`.
    """

    def apply(self, state: Any, action: Action, rng: "Tape") -> Any: ...

    def apply_expected(self, state: Any, action: Action) -> Any: ...

    def legal_actions(self, state: Any) -> Sequence[Action]: ...

    def expected(self, state: Any, action: Action) -> dict[int, Any]: ...


class Tape(random.Random):
    """Dice known beforehand: `floats` from 0 to 1, of which the one at `position` is the next.

    A compiled engine that takes an array reads `floats[position:]` and moves `position` on by what it took.
    """

    def __init__(self, floats: Sequence[float]) -> None:
        super().__init__(0)
        self.floats = floats
        self.position = 0

    def random(self) -> float:
        drawn = self.floats[self.position]
        self.position += 1
        return drawn

    def getstate(self) -> Any:
        """Returns how many of the floats are taken."""
        return self.position

    def setstate(self, state: Any) -> None:
        self.position = state


def floats_of(seed: int, count: int) -> list[float]:
    """Returns the first floats that Python's own generator gives from a seed."""
    dice = random.Random(seed)
    return [dice.random() for _ in range(count)]


@dataclass(frozen=True)
class GoldenFight:
    """One recorded fight. A step is the number of actions taken before.

    Attributes:
        first: the state that the first action was taken in.
        seed: of the tape.
        actions: as text.
        draws: how many dice each action took.
        after: hash of the state after each action.
        legal, means: by step, hash of `legal_actions` and of the state `apply_expected` gives.
        refused: by step, actions with the condition that forbids them.
        outcomes: by step, casts with what `expected` says of them, what is 0 left out.
    """

    number: int
    scenario: str
    first: FightState
    seed: int
    actions: tuple[str, ...]
    draws: tuple[int, ...]
    after: tuple[str, ...]
    legal: dict[int, str]
    means: dict[int, str]
    refused: dict[int, list[tuple[Action, str]]]
    outcomes: dict[int, list[tuple[Action, dict[int, dict[str, Any]]]]]

    @property
    def tape(self) -> Tape:
        return Tape(floats_of(self.seed, sum(self.draws) + _SPARE_DICE))


class Step(NamedTuple):
    """One action of a replay: the states around it, and the dice it took."""

    before: FightState
    action: Action
    after: FightState
    dice: tuple[float, ...]


class Traces:
    """The recorded fights by number, and `coverage`: how often each thing is in them."""

    def __init__(self, path: Path = FIXTURE) -> None:
        self._data = json.loads(lzma.decompress(path.read_bytes()))
        self.coverage: dict[str, int] = self._data["coverage"]

    def __len__(self) -> int:
        return len(self._data["fights"])

    def fight(self, number: int) -> GoldenFight:
        data = self._data["fights"][number]
        return GoldenFight(
            number,
            data["scenario"],
            state_from_json(self._whole(data["first"])),
            data["seed"],
            tuple(data["actions"].split()),
            tuple(data["draws"]),
            _cut(data["after"]),
            _by_step(data["seed"], data["legal"]),
            _by_step(data["seed"], data["means"]),
            {
                int(step): [(action_from_json(action), condition) for action, condition in entries]
                for step, entries in data["refused"].items()
            },
            {
                int(step): [
                    (Cast(spell, cell), {int(id): outcome for id, outcome in found.items()})
                    for spell, cell, found in entries
                ]
                for step, entries in data["outcomes"].items()
            },
        )

    def _whole(self, first: dict[str, Any]) -> dict[str, Any]:
        """Returns a state's JSON with map and spells in the places of their numbers."""
        spells = self._data["spells"]
        fighters = [{**one, "spells": [spells[n] for n in one["spells"]]} for one in first["fighters"]]
        return {**first, "map": self._data["maps"][first["map"]], "fighters": fighters}


def replay(
    fight: GoldenFight,
    engine: Engine,
    begin: Callable[[FightState], Any] = lambda state: state,
    seen: Callable[[Any], FightState] = lambda own: own,
) -> None:
    """Plays a fight again and holds each step to what was recorded.

    Args:
        fight: the recording.
        engine: who plays.
        begin: turns a `FightState` into the engine's own state; left out where that is a `FightState`.
        seen: the other way round.

    Raises:
        AssertionError: something differs; the text names fight, step, action and what it is.
    """
    for _ in steps(fight, engine, begin, seen):
        pass


def steps(
    fight: GoldenFight,
    engine: Engine,
    begin: Callable[[FightState], Any] = lambda state: state,
    seen: Callable[[Any], FightState] = lambda own: own,
) -> Iterator[Step]:
    """Yields the steps of a `replay`, each once it has been held to the recording."""
    own, tape = begin(fight.first), fight.tape
    state = seen(own)
    assert state_hash(state) == state_hash(fight.first), f"fight {fight.number}: changed by being converted"
    for step, written in enumerate(fight.actions):
        _hold_state(fight, step, state, own, engine)
        action = action_of(written, state)
        where = f"fight {fight.number} ({fight.scenario}), step {step}, {action}"
        if step in fight.means:
            means = seen(engine.apply_expected(own, action))
            assert state_hash(means) == fight.means[step], f"{where}: apply_expected gives another state"
        position = tape.position
        own = engine.apply(own, action, tape)
        before, state = state, seen(own)
        assert tape.position - position == fight.draws[step], f"{where}: other number of dice"
        assert state_hash(state) == fight.after[step], f"{where}: another state"
        yield Step(before, action, state, tuple(tape.floats[position : tape.position]))
    _hold_state(fight, len(fight.actions), state, own, engine)


def _hold_state(fight: GoldenFight, step: int, state: FightState, own: Any, engine: Engine) -> None:
    """Holds what may be done in a state, what is refused, and what casts are expected to do."""
    where = f"fight {fight.number} ({fight.scenario}), step {step}"
    if step in fight.legal:
        assert actions_hash(engine.legal_actions(own)) == fight.legal[step], f"{where}: other legal actions"
    for action, condition in fight.refused.get(step, ()):
        said = refusal_of(engine, own, action)
        assert said == condition, f"{where}, {action}: refused for {said!r}, not for {condition!r}"
    for action, outcomes in fight.outcomes.get(step, ()):
        found = {id: outcome_numbers(outcome) for id, outcome in engine.expected(own, action).items()}
        assert _near(found, outcomes), f"{where}, {action}: expected {found}, not {outcomes}"


def refusal_of(engine: Engine, own: Any, action: Action) -> str:
    """Returns the condition for which an engine refuses an action, "" where it does it."""
    try:
        engine.apply(own, action, Tape(floats_of(0, _SPARE_DICE)))
    except ValueError as error:
        return str(getattr(error, "condition", error))
    return ""


def _near(found: Any, wanted: Any) -> bool:
    """Tells whether two outcomes are the same, numbers to 1e-6."""
    if isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(_near(found[key], wanted[key]) for key in wanted)
    if isinstance(wanted, int | float):
        return abs(found - wanted) <= 1e-6
    return bool(found == wanted)


def action_text(action: Action, state: FightState) -> str:
    if isinstance(action, Move):
        cells = (state.actor.cell, *action.path)
        ways = (_STEPS.index(b - a - a // 14 % 2) for a, b in pairwise(cells))
        return "m" + "".join(map(str, ways))
    if isinstance(action, Cast):
        keys = [spell.key for spell in state.actor.spells]
        return f"c{keys.index(action.spell)}.{action.target}"
    if isinstance(action, Place):
        return f"p{action.cell}"
    return "r" if isinstance(action, Ready) else "e"


def action_of(text: str, state: FightState) -> Action:
    """Returns the action of a state's actor that a text says."""
    kind, rest = text[0], text[1:]
    if kind == "m":
        path = [state.actor.cell]
        for way in rest:
            path.append(path[-1] + _STEPS[int(way)] + path[-1] // 14 % 2)
        return Move(tuple(path[1:]))
    if kind == "c":
        spell, cell = map(int, rest.split("."))
        return Cast(state.actor.spells[spell].key, cell)
    if kind == "p":
        return Place(int(rest))
    return Ready() if kind == "r" else EndTurn()


def _cut(hashes: str) -> tuple[str, ...]:
    return tuple(hashes[at : at + DIGITS] for at in range(0, len(hashes), DIGITS))


def is_held(seed: int, step: int) -> bool:
    """Tells whether the legal actions of this step are recorded in the fight of this seed."""
    return (seed + step) % EVERY == 0


def _by_step(seed: int, hashes: str) -> dict[int, str]:
    return dict(zip(range(-seed % EVERY, EVERY * len(hashes), EVERY), _cut(hashes), strict=False))
