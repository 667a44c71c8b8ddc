"""What the small window says of a snapshot."""

from dataclasses import dataclass

from botapp.runtime.messages import Snapshot
from botapp.ui import words
from botapp.ui.panels.decision import standing_of, stays

STEPS = 3


@dataclass(frozen=True, slots=True)
class CompactAdvice:
    """What the small window says.

    Attributes:
        headline: what to do, or why there is no advice.
        figures: the chance of winning, and how sure the choice is in words.
        steps: how the turn goes on, and what of the board and the level is not confirmed.
        holds: whether the advice is for now; else it is the last one.
    """

    standing: tuple[str, str]
    headline: str
    figures: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    holds: bool = False


def advice(snapshot: Snapshot, kept: Snapshot | None) -> CompactAdvice:
    """Returns what to say of a snapshot.

    Args:
        kept: the last one with a decision, None for none.
    """
    fresh = snapshot.advice == "fresh" and snapshot.decision is not None
    reason = words.explain(snapshot.capture, snapshot.advice, words.reason(snapshot.reason))
    if kept is None or kept.decision is None or not (fresh or stays(kept, snapshot)):
        return CompactAdvice(standing_of(snapshot), reason)
    decision, state = kept.decision, kept.state
    figures = [words.to_win(decision.chance, state)]
    doubt = words.unconfirmed(snapshot)
    sure = words.sureness(decision, state)[0]
    figures += [sure] if sure and not doubt else []
    line = next(iter(kept.turn.lines), None) if kept.turn is not None else None
    steps = words.turn(line, state)[1 : 1 + STEPS - bool(doubt)] if line is not None else []
    steps += [doubt] if doubt else []
    text = reason
    if fresh or snapshot.advice == "settling":
        names = words.names_of(decision, state)
        text = names(decision.best) if line is None else words.headline_of_turn(line, names)
    return CompactAdvice(standing_of(snapshot), text, tuple(figures), tuple(steps), fresh)
