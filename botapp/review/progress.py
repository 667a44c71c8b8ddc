"""How the person plays over the weeks: accuracy, faults and wins of the fights that are kept."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from botapp.review.grades import LEAST, Grade
from botapp.review.kept_fight import Summary


@dataclass(frozen=True, slots=True)
class Week:
    """The fights of a week but those that the app itself has played or in which actions were taken back.

    Attributes:
        monday: its first day.
        fights: how many there are.
        won, lost: how many of them ended so; the end of the others was not seen.
        actions: own actions of those whose accuracy is known.
        accuracy: of these actions, 0..1; None where there are none.
        grades: how many faults of each grade, the worst first, of the fights that tell.
        graded: how many fights those are.
        points: given away in all fights, in points of the chance of winning.
    """

    monday: dt.date
    fights: int
    won: int
    lost: int
    actions: int
    accuracy: float | None
    grades: dict[Grade, int]
    graded: int
    points: int


def weeks(summaries: Iterable[Summary]) -> list[Week]:
    """Returns the weeks with a fight in them, the oldest first, by the computer's own clock."""
    by_week: dict[dt.date, list[Summary]] = {}
    for summary in summaries:
        if summary.measured:
            day = dt.datetime.fromtimestamp(summary.begun).date()
            by_week.setdefault(day - dt.timedelta(days=day.weekday()), []).append(summary)
    return [_week(monday, fights) for monday, fights in sorted(by_week.items())]


def _week(monday: dt.date, fights: list[Summary]) -> Week:
    accuracies = [(fight.accuracy, fight.actions) for fight in fights if fight.accuracy is not None]
    actions = sum(number for _, number in accuracies)
    graded = [fight.grades for fight in fights if fight.grades]
    return Week(
        monday,
        fights=len(fights),
        won=sum(fight.result == "won" for fight in fights),
        lost=sum(fight.result == "lost" for fight in fights),
        actions=actions,
        accuracy=sum(share * number for share, number in accuracies) / actions if actions else None,
        grades={grade: sum(fight[grade] for fight in graded) for grade in LEAST},
        graded=len(graded),
        points=round(100 * sum(fight.lost for fight in fights)),
    )
