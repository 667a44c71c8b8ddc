"""The chance of winning over whole fights, as a person sees it who follows the advice.

    python -m botapp.bench.curve [--fights 20] [--seed 1] [--kind adventure|duel|team]
        [--adviser model|search] [--ms 50] [--think-on 0] [--quiet]

One fighter is advised, all others play greedily. Before each of its actions the advice's chance is noted, and
what it promises: the chance after the action. Then the same advisor is asked about the state that the action
leads to with dice at their means: what that differs by from the promise is the advisor's own doing, and what
the next chance differs by from that is what the dice did. With `--ms 0` there is no clock, and the same seeds
give the same figures. With `--think-on` it thinks on about each state for so many seconds at most.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from time import perf_counter
from typing import Literal, Protocol

import typer

from botapp.advisor.bare import BareAdvisor, SearchAdvisor
from botapp.advisor.decision import Decision, Withheld, reading
from botapp.advisor.thinking_on import BySearch, Judge, ThinkingOn
from botapp.advisor.wording import spoken
from botapp.arena.players.simple import GreedyPlayer
from botapp.arena.scenarios import adventure, duel, outcome, team
from botapp.fight.actions import Action, EndTurn
from botapp.fight.rules import apply, apply_expected, observation, winner
from botapp.fight.state import FightState
from botapp.search.options import REPLY_LOOKS

KINDS: Mapping[str, Callable[[int], FightState]] = {
    "adventure": adventure,
    "duel": duel,
    "team": lambda seed: team(seed, 2 + seed % 2),
}
NODES = 20_000
"""States of the turn without a clock, divided by the fighters alive. The app has no such bound but time:
within 50 ms it expands 93 % of a duel's turns completely, with so many states 94 %, with 2,000 78 %."""
_SLICE_S = 0.06
FALL = 0.05  # A fall of the chance by so much is one that a person sees


class Advises(Protocol):
    """What an advisor is asked here."""

    def decide(self, state: FightState, planned: Sequence[Action] = ()) -> Decision:
        """Advises on a state."""
        ...


@dataclass(frozen=True, slots=True)
class Moment:
    """An own action as advised."""

    turn: int
    action: str
    ends: bool
    chance: float  # Said before it
    promised: float  # The chance after it, said before it
    # The chance said of the state that it leads to with dice at their means, the turn still being on; None
    # where it is not
    expected: float | None
    only: bool  # Whether there was nothing else to do
    kept: bool = True  # Whether the advice in that state is to go on as planned
    # The chance that is said there of going on as planned, whether it is advised or not; None as `expected`
    again: float | None = None
    open: bool = True  # Whether the next action planned is among those to choose from there
    above: int = 0  # By how many points another action that was played on from reads better than the advice


def played(advisor: Advises, state: FightState, rng: random.Random, own: int | None = None) -> list[Moment]:
    """Plays a fight to its end, one fighter as advised, the others greedily; returns its moments."""
    own = state.fighters[0].id if own is None else own
    others = GreedyPlayer()
    moments: list[Moment] = []
    planned: tuple[Action, ...] = ()
    while outcome(state) is None:
        if state.actor.id != own or state.placing:
            planned = ()
            state = apply(state, others.choose(state, rng), rng)
            continue
        known = observation(state, state.actor.team)
        decision = advisor.decide(known, planned)
        planned = decision.best.line[1:]
        then = _expected(advisor, known, decision)
        moments.append(
            Moment(
                state.turn,
                spoken(state, decision.action),
                isinstance(decision.action, EndTurn),
                decision.chance,
                decision.best.chance,
                None if then is None else then.chance,
                decision.stop == "only-choice",
                then is None or then.best.line == planned,
                None if then is None else then.planned_chance,
                then is None or planned[0] in [candidate.action for candidate in then.candidates],
                max(
                    reading(candidate.chance)
                    for candidate in decision.candidates
                    if candidate == decision.best or candidate.visits
                )
                - reading(decision.chance),
            )
        )
        state = apply(state, decision.action, rng)
        if isinstance(decision.action, EndTurn):
            planned = ()
    return moments


def _expected(advisor: Advises, state: FightState, decision: Decision) -> Decision | None:
    after = apply_expected(state, decision.action)
    if winner(after) is not None or (after.turn, after.actor.id) != (state.turn, state.actor.id):
        return None
    try:
        return advisor.decide(after, decision.best.line[1:])
    except Withheld:
        return None


@dataclass(frozen=True, slots=True)
class Summary:
    """What a number of fights say."""

    actions: int  # Own actions within a turn that another one of the turn follows
    ends: int
    broken: int  # Promises that the advisor itself did not keep by `FALL` or more, dice at their means
    worst: float  # The largest of those differences
    mean: float  # Of all of them, without their sign
    # How many of the last actions of a turn have a chance lower by `FALL` or more than the action before in
    # that turn
    falls: int
    deepest: float  # The largest of those falls
    high: float  # The share of chances that are 97 % or more


def summary(fights: Sequence[Sequence[Moment]]) -> Summary:
    off = [
        abs(moment.expected - moment.promised)
        for fight in fights
        for moment in fight
        if moment.expected is not None
    ]
    falls = [
        before.chance - last.chance
        for fight in fights
        for before, last in pairwise(fight)
        if last.ends and before.turn == last.turn
    ]
    every = [moment.chance for fight in fights for moment in fight]
    return Summary(
        actions=len(off),
        ends=len(falls),
        broken=sum(value >= FALL for value in off),
        worst=max(off, default=0.0),
        mean=sum(off) / max(1, len(off)),
        falls=sum(value >= FALL for value in falls),
        deepest=max(falls, default=0.0),
        high=sum(value >= 0.97 for value in every) / max(1, len(every)),
    )


class Patient:
    """An advisor that thinks on after its first answer, as the app's does while nothing is done.

    Args:
        first: gives the first answer.
        seconds: how long, at most.

    Attributes:
        falls: by how much the chance fell from one depth to the next, 0..1, where it did.
    """

    def __init__(self, first: Advises, further: ThinkingOn, seconds: float) -> None:
        self._first, self._further, self._seconds = first, further, seconds
        self.falls: list[float] = []

    def decide(self, state: FightState, planned: Sequence[Action] = ()) -> Decision:
        """Advises on a state; the answer is the deepest one there was time for."""
        shown = self._first.decide(state, planned)
        until = perf_counter() + self._seconds
        while perf_counter() < until and shown.stop != "only-choice":
            deeper = self._further.think(state, shown, min(until, perf_counter() + _SLICE_S))
            if deeper is not None:
                self.falls += [shown.chance - deeper.chance] * (deeper.chance < shown.chance)
                shown = replace(deeper, planned_chance=shown.planned_chance)
            if self._further.done:
                break
        return shown


def advisor_of(word: str, ms: float, think_on_s: float = 0.0) -> Advises:
    """Returns the model's advisor, or the search's, with so many milliseconds a decision; 0 for no clock.

    Without one it searches what the app's does that has time, the others' replies among it.
    """
    judge: Callable[..., Judge] = BySearch
    made: BareAdvisor
    if word == "search":
        made = SearchAdvisor(ms)
    else:
        from botapp.advisor.advisor import create_advisor  # noqa: PLC0415 - torch is loaded for a model only
        from botapp.advisor.device import place  # noqa: PLC0415 (as above)

        made = thinking = create_advisor(placement=place("cpu", "auto", "auto"), budget_ms=ms)
        judge = thinking.judge
    made.options = replace(made.options, nodes=NODES, replies=REPLY_LOOKS)
    if think_on_s <= 0:
        return made
    return Patient(made, ThinkingOn(made.timed_options, made.baseline, judge), think_on_s)


def main(
    fights: int = 20,
    seed: int = 1,
    kind: Literal["adventure", "duel", "team"] = "adventure",
    adviser: Literal["model", "search"] = "model",
    ms: float = 50.0,
    think_on: float = 0.0,
    quiet: bool = False,
) -> None:
    """Prints the chance at every own action of some fights, and a summary of them."""
    advisor = advisor_of(adviser, ms, think_on)
    curves = []
    for number in range(seed, seed + fights):
        curves.append(played(advisor, KINDS[kind](number), random.Random(number)))
        if not quiet:
            print(f"fight {number}: {_curve(curves[-1])}", flush=True)
    figures = summary(curves)
    print(
        f"{len(curves)} fights: the last action of a turn has {100 * FALL:.0f} points less than the one "
        f"before in {figures.falls} of {figures.ends}, {100 * figures.deepest:.0f} at worst\n"
        f"promises off by {100 * FALL:.0f} points or more, dice at their means, in {figures.broken} of "
        f"{figures.actions}, {100 * figures.worst:.0f} at worst, {100 * figures.mean:.1f} on average\n"
        f"{figures.high:.0%} of the chances are 97 % or more"
    )
    if isinstance(advisor, Patient):
        deepest = 100 * max(advisor.falls, default=0.0)
        print(
            f"the chance fell while it thought on {len(advisor.falls)} times, by {deepest:.2f} points at most"
        )


def _curve(moments: Sequence[Moment]) -> str:
    """Returns the chances in percent, a turn's in a group; an action that ends one is marked."""
    turns: dict[int, list[str]] = {}
    for moment in moments:
        point = f"{100 * moment.chance:.0f}" + ("." if moment.ends else "") + ("!" if moment.only else "")
        if moment.expected is not None and abs(moment.expected - moment.promised) >= FALL:
            point += f"({100 * moment.promised:.0f}>{100 * moment.expected:.0f})"
        turns.setdefault(moment.turn, []).append(point)
    return " | ".join(" ".join(turn) for turn in turns.values())


if __name__ == "__main__":
    typer.run(main)
