"""Hop 5: a searched fight state as tokens: registers, one per living fighter, one per candidate action.

The features are worked out in `botapp.advisor.features` and `candidate_features`; here they become arrays,
padded to a bucket so that an engine sees few shapes. Next hop: `botapp.advisor.model`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from botapp.advisor import candidate_features, features
from botapp.advisor.features import CANDIDATE, FIGHTER, GLOBAL
from botapp.advisor.token_context import TokenContext
from botapp.fight.state import FightState
from botapp.host.message import say
from botapp.search.candidates import Candidate
from botapp.search.result import SearchResult

Array = npt.NDArray[np.float32]

BUCKETS = (32, 64, 96, 128)
REGISTERS = 4
FIGHTER_SLOTS = (4, 8, 16)


@dataclass(frozen=True, slots=True)
class Encoded:
    """A state as arrays, without a batch axis.

    Attributes:
        context: what all registers are made from, float32, (len(GLOBAL),).
        fighters: float32, (F, len(FIGHTER)), F one of `FIGHTER_SLOTS`; the actor first, padding zero.
        fighter_mask: bool, (F,).
        options: float32, (N, len(CANDIDATE)), so that REGISTERS + F + N is the bucket; padding zero.
        option_mask: bool, (N,).
        candidates: the actions behind the first rows of `options`.
    """

    context: Array
    fighters: Array
    fighter_mask: npt.NDArray[np.bool_]
    options: Array
    option_mask: npt.NDArray[np.bool_]
    candidates: tuple[Candidate, ...]

    @property
    def bucket(self) -> int:
        """Tokens in all, padding included."""
        return REGISTERS + len(self.fighters) + len(self.options)


def room(state: FightState) -> int:
    """Returns how many candidates have room beside the fighters of a state.

    Raises:
        ValueError: there is nothing to decide, because no enemy is alive, or too many fighters are on the
            board.
    """
    actor = state.actor
    living = [f for f in state.fighters if f.hp > 0]
    if actor.hp <= 0 or all(f.team == actor.team for f in living):
        raise ValueError(say("There is nothing to decide: the fight is over."))
    if len(living) > FIGHTER_SLOTS[-1]:
        raise ValueError(
            say(
                "{count} fighters are alive; the model can handle {most} at most.",
                count=len(living),
                most=FIGHTER_SLOTS[-1],
            )
        )
    return BUCKETS[-1] - REGISTERS - _slots(state)


def encode(search: SearchResult) -> Encoded:
    """Encodes the current actor's decision.

    Args:
        search: the finished search of the actor's turn, of at most `room` candidates.
    """
    found = search.candidates
    facts = TokenContext(search)
    living = [f for f in facts.state.fighters if f.hp > 0]
    slots = _slots(facts.state)
    bucket = next(size for size in BUCKETS if size >= REGISTERS + slots + len(found))
    options = np.zeros((bucket - REGISTERS - slots, len(CANDIDATE)), np.float32)
    options[: len(found)] = candidate_features.options(facts)
    fighters = np.zeros((slots, len(FIGHTER)), np.float32)
    fighters[: len(living)] = features.fighters(facts)
    return Encoded(
        context=_tame(np.array(features.context(facts))),
        fighters=_tame(fighters),
        fighter_mask=np.arange(slots) < len(living),
        options=_tame(options),
        option_mask=np.arange(len(options)) < len(found),
        candidates=found,
    )


def blank(bucket: int) -> Encoded:
    """Returns a state about nothing, of a bucket's size: it warms an engine up."""
    slots = FIGHTER_SLOTS[0]
    options = bucket - REGISTERS - slots
    return Encoded(
        context=np.zeros(len(GLOBAL), np.float32),
        fighters=np.zeros((slots, len(FIGHTER)), np.float32),
        fighter_mask=np.ones(slots, bool),
        options=np.zeros((options, len(CANDIDATE)), np.float32),
        option_mask=np.ones(options, bool),
        candidates=(),
    )


def _slots(state: FightState) -> int:
    living = sum(fighter.hp > 0 for fighter in state.fighters)
    return next(size for size in FIGHTER_SLOTS if size >= living)


def _tame(values: npt.NDArray[Any]) -> Array:
    """Keeps features within what the model was made for, whatever the fight."""
    tamed: Array = np.clip(np.nan_to_num(values), -4.0, 4.0).astype(np.float32)
    return tamed
