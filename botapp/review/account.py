"""Where the points of a fight went: given away by departures, or taken by the dice and the others' play.

Live and kept figures of a fight are both these, so that they cannot differ.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from botapp.advisor.decision import reading
from botapp.advisor.grounds import may_tell_chance
from botapp.host.message import mark
from botapp.review.course import OwnAction
from botapp.review.grades import LEAST, Grade, accuracy

Result = Literal["won", "lost", "unfinished"]
"""How a fight ended, by what was seen last; "unfinished" where its end was not seen."""
RESULTS: dict[Result, str] = {"won": mark("Won"), "lost": mark("Lost"), "unfinished": mark("End not seen")}
END_CHANCE: dict[Result, float] = {"won": 1.0, "lost": 0.0}  # The chance of winning once a fight is over


@dataclass(frozen=True, slots=True)
class Account:
    """A fight's points in whole percent, as drawn: `last` is `first - given - unseen + guessed + luck`."""

    first: int  # The chance of winning before the first own action
    last: int  # The chance at the end, or as far as is known
    given: int
    unseen: int  # Points lost in own actions of which it was not seen what was done
    # By how much the chance changed over own actions in which it rested on guesses and was not told, beside
    # what the action before them gave away; less than 0 where it fell
    guessed: int
    luck: int  # Points that dice and the others' play brought, less than 0 where they took some
    grades: dict[Grade, int]  # How many faults of each grade, the worst first
    accuracy: float | None  # See `botapp.review.grades.accuracy`; None where no cost is known


def account(moments: Sequence[OwnAction], result: Result = "unfinished") -> Account:
    """Returns where the points of a fight went that has these own actions, of which there is one at least.

    Those in which no chance may be told are left out: points of a guess are none. What the curve does over
    them belongs neither to a departure nor to the dice.
    """
    priced = [at for at, moment in enumerate(moments) if may_tell_chance(moment.state)]
    if not priced:
        return Account(0, 0, 0, 0, 0, 0, dict.fromkeys(LEAST, 0), None)
    curve = [reading(moments[at].chance) for at in priced]
    if result in END_CHANCE:
        curve.append(reading(END_CHANCE[result]))
    else:
        curve.append(curve[-1] - (moments[priced[-1]].points_lost or 0))
    given = not_seen = guessed = 0
    steps = zip(priced, [*priced[1:], len(moments)], pairwise(curve), strict=True)
    for at, following, (now, then) in steps:
        lost = moments[at].points_lost
        given += lost or 0
        if following > at + 1:
            guessed += then - now + (lost or 0)
        elif lost is None:
            not_seen += max(0, now - then)
    grades = Counter(moments[at].grade for at in priced)
    costs = [lost for at in priced if (lost := moments[at].points_lost) is not None]
    return Account(
        curve[0],
        curve[-1],
        given,
        not_seen,
        guessed,
        curve[-1] - curve[0] + given + not_seen - guessed,
        {grade: grades[grade] for grade in LEAST},
        accuracy(costs),
    )
