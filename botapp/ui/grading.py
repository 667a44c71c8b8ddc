"""What is said of how a fight was played: grades of faults, accuracy, and a line at its end."""

from collections.abc import Mapping

from botapp.review.account import RESULTS, Account, Result, account
from botapp.review.course import departures
from botapp.review.grades import Grade
from botapp.review.kept_fight import KeptFight, Summary
from botapp.ui import words
from botapp.ui.translation import counted, mark, tr

RESULT_SHADES: dict[Result, str] = {"won": "good", "lost": "bad", "unfinished": "muted"}
GRADES: dict[Grade, str] = {
    "blunder": mark("Blunder"),
    "mistake": mark("Mistake"),
    "inaccuracy": mark("Inaccuracy"),
}
GRADE_SHADES: dict[Grade, str] = {"blunder": "bad", "mistake": "warn", "inaccuracy": "info"}
ACCURACY = mark(
    "How good your own actions were on average, in percent: 100 for one that was no fault, 0 for a blunder, "
    "and between them in proportion to what it cost of the chance of winning."
)
FAULTS = mark(
    "Your own actions other than advised, by what they cost of the chance of winning: 10 points or more "
    "a blunder, 5 to 9 a mistake, 2 to 4 an inaccuracy."
)


def grades(counts: Mapping[Grade, int]) -> str:
    """Returns how many faults of each grade there are, those that there are none of left out."""
    parts = []
    for grade, number in counts.items():
        if number and grade == "blunder":
            parts.append(counted(number, "{number} blunder", "{number} blunders", number=number))
        elif number and grade == "mistake":
            parts.append(counted(number, "{number} mistake", "{number} mistakes", number=number))
        elif number:
            parts.append(counted(number, "{number} inaccuracy", "{number} inaccuracies", number=number))
    return ", ".join(map(tr, parts))


def beyond(summed: Account) -> list[str]:
    """Returns what else moved the chance of winning in points: dice, the others' play, what is not known."""
    parts = []
    if summed.luck:
        parts.append(tr("dice and the others' play: {number}", number=words.number(summed.luck, sign=True)))
    if summed.guessed:
        number = words.number(summed.guessed, sign=True)
        parts.append(tr("while the chance was not known: {number}", number=number))
    if summed.unseen:
        parts.append(tr("in actions not seen: {number}", number=words.number(-summed.unseen)))
    return parts


def result(summary: Summary, *, under_way: bool = False) -> str:
    """Returns how a fight ended in words, or that it is the one being watched."""
    return tr("Under way") if under_way else tr(RESULTS[summary.result])


def taken_back(number: int) -> str:
    """Returns that own actions were taken back, "" where none was."""
    if not number:
        return ""
    text = counted(
        number,
        "{number} action taken back: not counted over the weeks",
        "{number} actions taken back: not counted over the weeks",
        number=number,
    )
    return tr(text)


def unmeasured(summary: Summary) -> str:
    """Returns why a fight says nothing of how the person plays, "" where it does."""
    return tr("played by the advice") if summary.autoplayed else taken_back(summary.taken_back)


def at_the_end(fight: KeptFight, *, under_way: bool = False) -> str:
    """Returns in a line how a fight went that has just ended, or has gone so far."""
    summary = fight.summary
    parts = [result(summary, under_way=under_way)]
    if why := unmeasured(summary):
        parts.append(why)
    if summary.autoplayed:
        return "  ·  ".join(parts)
    if summary.accuracy is not None and summary.measured:
        parts.append(tr("accuracy {share}", share=words.percent(summary.accuracy)))
    parts.append(grades(summary.grades) or tr("no fault"))
    summed = account(fight.moments, summary.result)
    if summed.given:
        parts.append(words.given_away(summed.given))
    parts += beyond(summed)
    dearest = next((moment for moment in departures(fight.moments) if moment.grade is not None), None)
    if dearest is not None and dearest.done is not None:
        parts.append(
            tr(
                "the dearest in round {round}: {action}",
                round=dearest.turn,
                action=words.headline(dearest.done, dearest.state),
            )
        )
    return "  ·  ".join(parts)
