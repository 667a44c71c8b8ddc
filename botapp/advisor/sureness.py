"""How sure a choice is: one rule for the panels, the overlay, the small window, `advise` and kept fights.

It goes by the chances of winning as they are shown and by nothing else, so the same figures always have the
same word. How likely the fight is won does not matter: a choice can be sure in a fight that is nearly lost.
"""

from botapp.advisor.decision import Decision, ScoredAction, Sureness, reading
from botapp.advisor.groups import grouped
from botapp.fight.state import FightState
from botapp.host.message import Message, counted, mark, say

WORDS: dict[Sureness, str] = {
    "sure": mark("sure choice"),
    "fairly sure": mark("fairly sure choice"),
    "close": mark("close choice"),
}

ERROR = 4
"""By how many points the distance of two rows that were played on may change until every end of the turn was
played on: 95 of 100 times it is less (docs/log/advisor.md)."""
GUESS_ERROR = 12  # The same of a row that was only estimated: the root mean square, as its tail has no end


def margin(decision: Decision, state: FightState | None) -> tuple[int, int] | None:
    """Returns by how many points the next best choice is worse, and the error of that figure, in points.

    Other cells that are as good, and the same turn in another order, are no other choice. It is the choice
    that comes nearest when its error is counted; None where there is no other.
    """
    best = decision.best
    others = grouped(decision, state, first_apart=False)[1:]
    leads = [(reading(best.chance) - reading(choice.chance), _error(best, choice.best)) for choice in others]
    return min(leads, key=lambda pair: pair[0] - pair[1], default=None)


def reasons(points: int, error: int) -> tuple[Message, Message]:
    """Returns the figures of `margin` in two sentences: why a choice is as sure as it is."""
    worse = counted(
        points,
        "The next best choice wins {number} point less.",
        "The next best choice wins {number} points less.",
        number=points,
    )
    known = counted(
        error,
        "Such a difference is known to {number} point: more is a sure choice.",
        "Such a difference is known to {number} points: more is a sure choice.",
        number=error,
    )
    return worse if points > 0 else say("Another choice wins as likely."), known


def sureness(decision: Decision, state: FightState | None) -> Sureness:
    """Returns how sure a choice is.

    "sure": the next best is worse by more than the figures' own error; "fairly sure": by more than half of
    it; "close": by less.
    """
    lead = margin(decision, state)
    if lead is None:
        return ""
    points, error = lead
    if points > error:
        return "sure"
    return "fairly sure" if 2 * points > error else "close"


def _error(best: ScoredAction, other: ScoredAction) -> int:
    return ERROR if best.visits and other.visits else GUESS_ERROR
