"""How good own actions were: a fault's grade by what it cost, and the accuracy of many, as in chess.

Costs are points of the chance of winning as the curve is drawn: `botapp.review.course.OwnAction.points_lost`.
"""

from collections.abc import Iterable
from typing import Literal

Grade = Literal["blunder", "mistake", "inaccuracy"]

LEAST: dict[Grade, int] = {"blunder": 10, "mistake": 5, "inaccuracy": 2}
"""From how many points on a departure from the advice is one, the worst first. A single point is less than
two searches of the same moment differ by, and no fault."""


def grade_of(points: int) -> Grade | None:
    """Returns the grade of an action that cost so many points, None where that is too little for one."""
    return next((grade for grade, least in LEAST.items() if points >= least), None)


def accuracy(points: Iterable[int]) -> float | None:
    """Returns how accurate actions were, 0..1; None where there is none.

    An action that is no fault counts in full, one that cost as much as a blunder not at all, and what lies
    between in proportion to its cost.

    Args:
        points: what each of them cost.
    """
    shares = [max(0.0, 1 - lost / LEAST["blunder"]) if grade_of(lost) else 1.0 for lost in points]
    return sum(shares) / len(shares) if shares else None
