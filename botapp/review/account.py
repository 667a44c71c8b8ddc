"""Where the points of a fight went: given away by departures, or taken by the dice and the others' play.

Live and kept figures of a fight are both these, so that they cannot differ.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from botapp.advisor.decision import reading
from botapp.advisor.grounds import may_tell_chance
from botapp.review.course import OwnAction
from botapp.review.grades import LEAST, Grade, accuracy

Result = Literal["won", "lost", "unfinished"]
"""How a fight ended, by what was seen last; "unfinished" where its end was not seen."""
END_CHANCE: dict[Result, float] = {"won": 1.0, "lost": 0.0}
"""The chance of winning once a fight is over."""


@dataclass(frozen=True, slots=True)
class Account:
    """The points of a fight in whole percent, as drawn: `last` is `first - given - unseen + luck`.

    Attributes:
        first: the chance of winning before the first own action.
        last: the chance at the end, or as far as is known.
        given: points given away by departures from the advice.
        unseen: points lost in own actions of which it was not seen what was done.
        luck: points that dice and the others' play brought, less than 0 where they took some.
        grades: how many faults of each grade, the worst first.
        accuracy: see `botapp.review.grades.accuracy`; None where no cost is known.
    """

    first: int
    last: int
    given: int
    unseen: int
    luck: int
    grades: dict[Grade, int]
    accuracy: float | None


def account(moments: Sequence[OwnAction], result: Result = "unfinished") -> Account:
    """Returns where the points of a fight went that has these own actions, of which there is one at least.

    Those in which no chance may be told are left out: points of a guess are none.
    """
    moments = [moment for moment in moments if may_tell_chance(moment.state)]
    if not moments:
        return Account(0, 0, 0, 0, 0, dict.fromkeys(LEAST, 0), None)
    curve = [reading(moment.chance) for moment in moments]
    if result in END_CHANCE:
        curve.append(reading(END_CHANCE[result]))
    else:
        curve.append(curve[-1] - (moments[-1].points_lost or 0))
    given = unseen = 0
    for moment, now, then in zip(moments, curve, curve[1:], strict=False):
        lost = moment.points_lost
        given += lost or 0
        unseen += max(0, now - then) if lost is None else 0
    grades = Counter(moment.grade for moment in moments)
    known = [moment.points_lost for moment in moments if moment.points_lost is not None]
    return Account(
        curve[0],
        curve[-1],
        given,
        unseen,
        curve[-1] - curve[0] + given + unseen,
        {grade: grades[grade] for grade in LEAST},
        accuracy(known),
    )
