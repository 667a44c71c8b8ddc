"""How an advice came about, in plain lines: the first answer, what each step looked at, the end."""

from botapp.advisor.decision import Decision, ScoredAction, StopReason, TraceStep
from botapp.fight.state import FightState
from botapp.ui import words
from botapp.ui.groups import grouped
from botapp.ui.translation import counted, mark, tr

_MANY = 2
"""The number by which gettext chooses the plural of 2 points and more; for fewer it is 0, as French says
"0,31 point" where English says "0.31 points"."""
STOPPED: dict[StopReason, str] = {
    "halted": mark("Stopped: going on was not worth its time."),
    "step-limit": mark("Stopped: these are the most steps that the settings allow."),
    "exhausted": mark("Stopped: there was nothing more to look at."),
    "budget": mark("Stopped: the time for the decision was used up."),
    "only-choice": mark("There was only one possible action."),
    "searched": mark("The search decided, without a model."),
}


def steps(decision: Decision, state: FightState | None) -> list[str]:
    """Returns a line for each step: what it looked at, what changed, why it went on or stopped."""
    told = []
    before: TraceStep | None = None
    for number, step in enumerate(decision.trace):
        last = number == len(decision.trace) - 1
        parts = [_looked(step, before, state), _changed(step, before, state)]
        if last:
            parts += [stopped(decision)] * (number > 0)  # else it stands above the only step already
        elif decision.depth > 1 and step.gain <= 0:
            parts.append(tr("Went on: there was time."))
        elif step.gain > 0:
            parts.append(
                tr(
                    counted(
                        0 if step.gain < _MANY else _MANY,
                        "Went on: {points} point expected.",
                        "Went on: {points} points expected.",
                        points=words.number(step.gain, 2, sign=True),
                    )
                )
            )
        else:
            parts.append(tr("Went on: too early to tell."))
        told.append(f"{step.index}.  " + " ".join(filter(None, parts)))
        before = step
    return told


def comparison(decision: Decision, state: FightState | None) -> list[str]:
    """Returns how the answer differs from the first one and from the search's, and what that is worth."""
    if not decision.trace:
        looked = decision.rollouts and decision.stop != "only-choice"
        return [tr(STOPPED[decision.stop]), *([depth(decision)] if looked else [])]
    best = decision.best
    first, search = decision.reflex, decision.search_choice
    own = [group for group in grouped(decision, state) if best in group.choices]
    alike = {best.action, *(one.action for group in own for one in group.choices)}
    told = []
    if first.action in alike:
        told += [tr("The first answer was the same.")] * (len(decision.trace) > 1)
    else:
        told.append(
            tr(
                "The first answer was {action}: {worth}.",
                action=_named(first, state),
                worth=_difference(best, _known(decision, first)),
            )
        )
    if search.action in alike:
        told.append(tr("The search alone would have advised the same."))
    else:
        told.append(
            tr(
                "The search alone would have advised {action}: {worth}.",
                action=_named(search, state),
                worth=_difference(best, search),
            )
        )
    return [*told, *([depth(decision)] if decision.depth > 1 else [])]


def stopped(decision: Decision) -> str:
    """Returns why the thinking ended, in a sentence; "" where it goes on as long as nothing is done."""
    going_on = decision.depth > 1 and decision.stop == "budget"
    return "" if going_on else tr(STOPPED[decision.stop])


def depth(decision: Decision) -> str:
    """Returns how deep the search has looked by now, in a sentence."""
    spent_s = words.spent_s(decision)
    return tr(
        counted(
            decision.rollouts,
            "Depth {depth}: {number} rollout, {seconds} s.",
            "Depth {depth}: {number} rollouts, {seconds} s.",
            number=decision.rollouts,
            depth=decision.depth,
            seconds=words.number(spent_s, 1 if spent_s >= 0.1 else 2),
        )
    )


def _looked(step: TraceStep, before: TraceStep | None, state: FightState | None) -> str:
    if before is None and not step.rollouts:
        return tr("At once, before anything was played out: {action}.", action=_named(step.best, state))
    played = step.rollouts - (before.rollouts if before is not None else 0)
    what = tr("the best turns") if step.looked is None else _named(step.looked, state)
    if not played:
        return tr("Looked at {what}.", what=what)
    return tr(
        counted(
            played,
            "Looked at {what}, played on {times} time.",
            "Looked at {what}, played on {times} times.",
            what=what,
            times=played,
        )
    )


def _changed(step: TraceStep, before: TraceStep | None, state: FightState | None) -> str:
    if before is None:
        return "" if not step.rollouts else tr("Answer: {action}.", action=_named(step.best, state))
    if step.best.action == before.best.action:
        return tr("The answer stays.")
    return tr("Now {action}.", action=_named(step.best, state))


def _named(choice: ScoredAction, state: FightState | None) -> str:
    return words.headline(choice, state)


def _known(decision: Decision, choice: ScoredAction) -> ScoredAction:
    """Returns a choice with what is known of it in the end."""
    return next((one for one in decision.candidates if one.action == choice.action), choice)


def _difference(best: ScoredAction, other: ScoredAction) -> str:
    """Returns what the other action is worth beside the best one, in points of winning."""
    points = words.points(best.chance, other.chance)
    if not points:
        return tr("the same chance of winning")
    if points > 0:
        return tr(counted(points, "{number} point less", "{number} points less", number=points))
    return tr(counted(-points, "{number} point more", "{number} points more", number=-points))
