"""What is said of kept fights, in the person's language."""

from collections.abc import Sequence

from PySide6.QtCore import QDateTime, QLocale

from botapp.advisor.grounds import may_tell_chance
from botapp.advisor.sureness import WORDS
from botapp.fight.actions import Move
from botapp.review.course import UNKNOWN_CELL, OwnAction, played
from botapp.review.kept_fight import Summary
from botapp.runtime.turns import TurnLine, TurnStep
from botapp.ui import grading, words
from botapp.ui.names import named
from botapp.ui.translation import tr


def date(begun: float) -> str:
    when = QDateTime.fromSecsSinceEpoch(int(begun))
    return QLocale().toString(when, QLocale.FormatType.ShortFormat)


def accuracy(summary: Summary) -> str:
    """Returns how accurate the person played, "–" where that is not known or says nothing of them."""
    known = summary.accuracy if summary.measured else None
    return "–" if known is None else words.percent(known)


def title(summary: Summary, *, under_way: bool = False) -> str:
    """Returns a fight in one line; `under_way` for the one being watched."""
    return "  ·  ".join(
        (
            date(summary.begun),
            tr("{who} against {others}", who=named(summary.own_name), others=summary.against(tr, named)),
            grading.result(summary, under_way=under_way),
        )
    )


def where(moments: Sequence[OwnAction], number: int) -> str:
    """Returns which own action it is; the last one may be advised and not played, and counts as none then."""
    turn, count = moments[number].turn, played(moments)
    if number >= count:
        return tr("Round {round}, the last advice", round=turn)
    return tr("Round {round}, action {number} of {count}", round=turn, number=number + 1, count=count)


def advised(moment: OwnAction) -> str:
    """Returns what was advised, with the chance of winning and how sure the choice was."""
    action = words.headline(moment.advised, moment.state)
    if not may_tell_chance(moment.state):
        return tr("Advised: {action}", action=action)
    text = tr("Advised: {action} ({share} to win)", action=action, share=words.percent(moment.chance))
    return f"{text}  ·  {tr(WORDS[moment.sure])}" if moment.sure else text


def done(moment: OwnAction) -> tuple[str, str]:
    """Returns what was done and what that cost, with the theme's colour for it."""
    if moment.done is None:
        return tr("What you did was not seen."), "muted"
    if not moment.departed:
        return tr("You did as advised."), "good"
    text = tr("You: {action}", action=words.headline(moment.done, moment.state))
    lost, grade = moment.points_lost, moment.grade
    if lost is None:
        price, shade = tr("not looked into"), "warn"
    elif grade is None:
        price, shade = tr("about as good"), "good"
    else:
        price, shade = f"{tr(grading.GRADES[grade])}, {words.given_away(lost)}", grading.GRADE_SHADES[grade]
    return f"{text}  ·  {price}", shade


def done_line(moment: OwnAction) -> TurnLine | None:
    """Returns what was done as a turn of one action, to be drawn."""
    if moment.done is None:
        return None
    actor = moment.state.actor
    action = moment.done.action
    if action.target == (actor.cell if isinstance(action, Move) else UNKNOWN_CELL):
        return None
    step = TurnStep(action, actor.cell, moment.done.spell_name)
    return TurnLine(moment.done, (step,), max(0.0, moment.chance - (moment.cost or 0.0)))
