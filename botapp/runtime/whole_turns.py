"""The best whole turns of a decision, step by step, and what one of the person's own choice is worth.

The search hands out each candidate with the actions of its turn; here the rules say where each of them is
done from, what it should do and how likely it kills.
"""

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import NamedTuple

from botapp.advisor.bare import SearchAdvisor
from botapp.advisor.decision import Decision, ScoredAction, Withheld
from botapp.advisor.expectations import expectations
from botapp.advisor.wording import label, spell_name, towards
from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.board import distance
from botapp.fight.core.capacity import CapacityError
from botapp.fight.core.compiler import HURRIED
from botapp.fight.replays import rolled
from botapp.fight.rules import IllegalAction, apply_expected, legal_actions, observation, winner
from botapp.fight.state import Fighter, FightState
from botapp.runtime.turns import WALK, Aims, TurnLine, TurnOutlook, TurnStep, WhatIf, is_asked
from botapp.search.core.values import LIFE
from botapp.search.result import shifted

LINES = 3
WHAT_IF_MS = 200.0  # What looking into one action may take; it is done twice, for the best one too
_ROLLS = 0 if HURRIED else 24  # How often a turn is played with dice to estimate which fighters it kills
_NEAR_DEATH = 0.6  # Dice are rolled where a turn is expected to take this share of a fighter's HP


def outlook(state: FightState, decision: Decision, before: TurnOutlook | None = None) -> TurnOutlook:
    """Returns the best turns of a decision and what can be aimed at in its state.

    Args:
        before: the same of a less deep decision about that state; turns that are still among the best are not
            worked out again.
    """
    known = observation(state, state.actor.team)
    there = {(line.choice.line, line.chance): line for line in before.lines} if before is not None else {}
    lines = [
        replace(there[key], choice=choice)
        if (key := (choice.line, choice.chance)) in there
        else turn_line(known, choice)
        for choice in different_turns(known, decision)
    ]
    return TurnOutlook(tuple(lines), aims_of(state) if before is None else before.aims)


def aims_of(state: FightState) -> Aims:
    aims: dict[str, list[int]] = {}
    for action in legal_actions(observation(state, state.actor.team)):
        if action.target is not None:
            aims.setdefault(action.spell if isinstance(action, Cast) else WALK, []).append(action.target)
    return tuple((spell, tuple(cells)) for spell, cells in aims.items())


def turn_line(state: FightState, choice: ScoredAction) -> TurnLine:
    steps = tuple(_steps(state, choice.line or (choice.action,)))
    rolls = _rolls(state, steps)
    return TurnLine(choice, steps, choice.chance, _kills(state, steps, rolls), _worst(state, choice, rolls))


class Inquiry:
    """Looks into actions of the person's choice, each as closely as the best one of its state."""

    def __init__(self) -> None:
        self._advisor = SearchAdvisor(WHAT_IF_MS)
        self._best: tuple[FightState, Action, float] | None = None

    def answer(self, number: int, state: FightState, best: Action, spell: str, cell: int) -> WhatIf:
        """Returns the outcome of casting a spell at a cell, of walking there or of ending the turn.

        Args:
            spell: the spell's key, `WALK` or `END`.
            cell: the target, of no account for `END`.
        """
        known = observation(state, state.actor.team)
        action = next((legal for legal in legal_actions(known) if is_asked(legal, spell, cell)), None)
        if action is None:
            return WhatIf(number)
        try:
            if self._best is None or self._best[:2] != (state, best):
                self._best = state, best, self._value(known, best).confidence
            choice = self._value(known, action)
        except (Withheld, IllegalAction, CapacityError):
            return WhatIf(number)
        return WhatIf(number, turn_line(known, choice), self._best[2] - choice.confidence)

    def _value(self, state: FightState, action: Action) -> ScoredAction:
        made = ScoredAction(action, 0.0, label(state, action), spell_name(state, action), 0, 0.0, (action,))
        if isinstance(action, EndTurn):
            candidates = self._advisor.decide(state).candidates
            return next(
                (candidate for candidate in candidates if isinstance(candidate.action, EndTurn)), made
            )
        after = apply_expected(state, action)
        won = winner(after)
        if won is not None:
            chance = float(won == state.actor.team)
            return replace(made, confidence=chance, value=chance)
        if after.actor.id != state.actor.id or after.turn != state.turn:
            candidates = self._advisor.decide(state).candidates
            return next((candidate for candidate in candidates if candidate.action == action), made)
        then = self._advisor.decide(after).best
        return replace(
            made,
            confidence=then.confidence,
            value=then.confidence,
            visits=then.visits,
            line=(action, *then.line),
        )


def different_turns(state: FightState, decision: Decision) -> list[ScoredAction]:
    """Returns the best candidates whose turns cast different spells; then those that end elsewhere.

    Of turns that read alike, action for action, the best one stands for all.
    """
    ranked = [decision.best]
    others = decision.candidates or decision.choices
    ranked += sorted(
        (other_turn for other_turn in others if other_turn.action != decision.best.action),
        key=attrgetter("chance"),
        reverse=True,
    )
    read = [(choice, read_whole(state, choice)) for choice in ranked]
    different: list[tuple[ScoredAction, _Read]] = []
    ways: tuple[Callable[[_Read], Hashable], ...] = (
        lambda other_turn: other_turn.casts,
        lambda other_turn: (other_turn.casts, other_turn.end),
    )
    for told_apart_by in ways:
        for choice, turn in read:
            before = [other for _, other in different]
            known = {told_apart_by(other_turn) for other_turn in before}
            alike = told_apart_by(turn) in known or turn.words in {other_turn.words for other_turn in before}
            if len(different) < LINES and not alike:
                different.append((choice, turn))
    rest = [choice for choice, _ in different if choice != decision.best]
    return [decision.best, *sorted(rest, key=attrgetter("chance"), reverse=True)]


class _Read(NamedTuple):
    """A turn as a person reads it."""

    # Each spell with the fighter that it is cast on, or with the free cell, in no order
    casts: tuple[tuple[str, bool, int], ...]
    end: int | None  # The cell of the last walk, None without one
    words: tuple[Hashable, ...]  # Action for action, a free cell by how far away and which way it is


def read_whole(state: FightState, choice: ScoredAction) -> _Read:
    at, end = state.actor.cell, None
    standing = {
        fighter.cell: fighter.id
        for fighter in state.fighters
        if fighter.alive and fighter.id != state.actor.id
    }
    casts, read = [], list[Hashable]()
    for action in choice.line or (choice.action,):
        if isinstance(action, Move):
            read.append((len(action.path), towards(at, action.target)))
            at = end = action.target
        elif isinstance(action, Cast):
            target = state.actor.id if action.target == at else standing.get(action.target)
            casts.append((action.spell, target is None, action.target if target is None else target))
            away = (distance(at, action.target), towards(at, action.target))
            read.append((action.spell, away if target is None else target))
    return _Read(tuple(sorted(casts)), end, tuple(read))


def _steps(state: FightState, line: Sequence[Action]) -> Iterator[TurnStep]:
    actor = state.actor.id
    for number, action in enumerate(line):
        if isinstance(action, EndTurn) and number:
            return
        yield TurnStep(action, state.actor.cell, spell_name(state, action), expectations(state, action))
        try:
            state = apply_expected(state, action)
        except (IllegalAction, CapacityError):
            return
        if winner(state) is not None or state.actor.id != actor:
            return


def _rolls(state: FightState, steps: Sequence[TurnStep]) -> list[dict[int, int]]:
    """Returns everybody's HP each time that a turn is played with dice; nothing where none are thrown."""
    if not any(isinstance(step.action, Cast) for step in steps):
        return []
    return rolled(state, [step.action for step in steps], _ROLLS)


def _life(fighter: Fighter, hp: int) -> float:
    """Returns what a fighter with so many HP is worth, in HP, as the search values it."""
    full = fighter.max_hp + fighter.eroded
    return hp + LIFE * math.sqrt(hp * full) if hp > 0 else 0.0


def _worst(state: FightState, choice: ScoredAction, rolls: Sequence[Mapping[int, int]]) -> float | None:
    """Returns the chance of winning after a turn in the worst tenth of its dice, 0..1.

    The effect of the dice is measured by the value of the HP that they leave, on the search's scale.
    """
    if not rolls or not choice.visits:
        return None
    team = state.actor.team
    signs = [(fighter, 1 if fighter.team == team else -1) for fighter in state.fighters if fighter.alive]
    whole = sum(_life(member, member.max_hp) for member in state.fighters if member.summoner is None)
    values = sorted(sum(sign * _life(member, roll[member.id]) for member, sign in signs) for roll in rolls)
    mean = sum(values) / len(values)
    return shifted(choice.chance, (values[len(values) // 10] - mean) / max(1.0, whole))


def _kills(
    state: FightState, steps: Sequence[TurnStep], rolls: Sequence[Mapping[int, int]]
) -> tuple[tuple[int, float], ...]:
    """Returns how likely a turn kills those that it takes most of the HP, by playing it with dice."""
    damage: dict[int, float] = {}
    for expected in (expected for step in steps for expected in step.expected if expected.enemy):
        damage[expected.fighter] = damage.get(expected.fighter, 0.0) + expected.damage
    ids = {fighter.id: fighter.hp + fighter.shield for fighter in state.fighters}
    near = [key for key, hurt in damage.items() if hurt >= _NEAR_DEATH * ids.get(key, 0)]
    if not near:
        return ()
    if not _ROLLS:
        return tuple((key, 1.0) for key in near if damage[key] >= ids[key])
    dead = {key: sum(roll.get(key) == 0 for roll in rolls) for key in near}
    return tuple((key, dead[key] / _ROLLS) for key in near if dead[key])
