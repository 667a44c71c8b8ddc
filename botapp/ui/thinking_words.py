"""How an advice came about, in plain lines: the first answer, what each step looked at, the end."""

from botapp.advisor.decision import Decision, ScoredAction, StopReason, TraceStep
from botapp.advisor.grounds import may_tell_chance
from botapp.advisor.wording import ONLY_ESTIMATED
from botapp.fight.state import FightState
from botapp.ui import outcomes, words
from botapp.ui.translation import counted, mark, tr, tr_counted

_MANY = 2
"""The number by which gettext chooses the plural of 2 points and more; for fewer it is 0, as French says
"0,31 point" where English says "0.31 points"."""
STOPPED: dict[StopReason, str] = {
    "halted": mark("Stopped: going on was not worth its time."),
    "step-limit": mark("Stopped: these are the most steps that the settings allow."),
    "exhausted": mark("Stopped: every end of the turn that the search tells apart was played on from."),
    "budget": mark("Stopped: the time for the decision was used up."),
    "think-limit": mark("Stopped: the time for thinking on that the settings allow was used up."),
    "only-choice": mark("Nothing else that can be done now changes anything."),
    "searched": mark("The search decided, without a model."),
}


def steps(decision: Decision, names: words.Names) -> list[str]:
    """Returns a line for each step: what it looked at, what changed, why it went on or stopped.

    The rollouts of all lines are those of the decision.
    """
    lines = []
    before: TraceStep | None = None
    for number, step in enumerate(decision.trace, 1):
        parts = [_looked(step, before, names), _changed(step, before, names)]
        if number == len(decision.trace):
            parts += [stopped(decision)] * (number > 1)  # else it stands above the only step already
        elif number == decision.effort.first_steps:
            parts.append(tr("Advised; thought on, as there was time."))
        elif number < decision.effort.first_steps and step.gain > 0:
            parts.append(
                tr_counted(
                    0 if step.gain < _MANY else _MANY,
                    "Went on: {points} point expected.",
                    "Went on: {points} points expected.",
                    points=words.number(step.gain, 2, sign=True),
                )
            )
        elif number < decision.effort.first_steps:
            parts.append(tr("Went on: too early to tell."))
        lines.append(f"{step.index}.  " + " ".join(filter(None, parts)))
        before = step
    further = decision.effort.rollouts - (before.rollouts if before is not None else 0)
    if before is not None and further > 0:
        lines.append(
            tr_counted(
                further,
                "Then {number} rollout more, to compare what is shown.",
                "Then {number} rollouts more, to compare what is shown.",
                number=further,
            )
        )
    return lines


def in_short(decision: Decision, names: words.Names) -> list[str]:
    """Returns the first answer, what became of it and why the thinking ended: three lines at most."""
    if not decision.trace:
        return comparison(decision, names)
    at_once = tr("System 1, at once: {action}.", action=names(decision.reflex))
    if len(decision.trace) < 2:
        return [tr("System 1 alone: {action}.", action=names(decision.best)), stopped(decision)]
    steps = len(decision.trace) - 1
    changes = sum(
        a.best.action != b.best.action for a, b in zip(decision.trace, decision.trace[1:], strict=False)
    )
    agrees = names(decision.best) == names(decision.reflex)
    text = counted(
        steps,
        "System 2, {number} step: {answer}.",
        "System 2, {number} steps: {answer}.",
        number=steps,
        answer=tr("the same") if agrees and not changes else names(decision.best),
    )
    return [at_once, tr(text), stopped(decision)]


def comparison(decision: Decision, names: words.Names) -> list[str]:
    """Returns how the answer differs from the first one and from the search's, and what that is worth."""
    if not decision.trace:
        looked = decision.effort.rollouts and decision.stop != "only-choice"
        return [stopped(decision), *([depth(decision)] if looked else [])]
    best = decision.best
    first, search = decision.first_known, decision.search_choice
    own = names.groups[0]
    parts = []
    if first.action == best.action:
        parts += [tr("The first answer was the same.")] * (len(decision.trace) > 1)
    elif len(decision.trace) > 1:
        parts.append(
            tr(
                "The first answer was {action}: {worth}.",
                action=names(first),
                worth=_difference(best, first, names.state),
            )
        )
    if search.action in {choice.action for choice in (*own.choices, *own.orders)}:
        parts.append(tr("The search alone would have advised the same."))
    else:
        parts.append(
            tr(
                "The search alone would have advised {action}: {worth}.",
                action=names(search),
                worth=_difference(best, search, names.state),
            )
        )
    return [*parts, *([depth(decision)] if decision.effort.depth > 1 else [])]


def stopped(decision: Decision) -> str:
    """Returns why the thinking ended, or what it still does, in a sentence."""
    if decision.going_on:
        return tr("Thinking on: playing on from further ends of the turn.")
    return tr(STOPPED[decision.stop])


def depth(decision: Decision) -> str:
    """Returns how deep the search has looked by now, in a sentence."""
    return tr_counted(
        decision.effort.rollouts,
        "Depth {depth}: {number:,} rollout, {time}.",
        "Depth {depth}: {number:,} rollouts, {time}.",
        number=decision.effort.rollouts,
        depth=decision.effort.depth,
        time=words.spent(decision),
    )


def _looked(step: TraceStep, before: TraceStep | None, names: words.Names) -> str:
    if before is None and not step.rollouts:
        return tr("System 1, before anything was played out: {action}.", action=names(step.best))
    played = step.rollouts - (before.rollouts if before is not None else 0)
    what = tr("the best turns") if step.looked is None else names(step.looked)
    if not played:
        return tr("Looked at {what}.", what=what)
    return tr_counted(
        played,
        "Looked at {what}: {number} rollout.",
        "Looked at {what}: {number} rollouts.",
        what=what,
        number=played,
    )


def _changed(step: TraceStep, before: TraceStep | None, names: words.Names) -> str:
    if before is None:
        return "" if not step.rollouts else tr("Answer: {action}.", action=names(step.best))
    if step.best.action == before.best.action:
        return tr("The answer stays.")
    return tr("Now {action}.", action=names(step.best))


def _difference(best: ScoredAction, other: ScoredAction, state: FightState | None) -> str:
    if not may_tell_chance(state):
        return tr("what that is worth is not known")
    if outcomes.guessed(best, other):
        return tr(ONLY_ESTIMATED)
    points = words.points(best.chance, other.chance)
    if not points:
        return tr("the same chance of winning")
    if points > 0:
        return tr_counted(points, "{number} point less", "{number} points less", number=points)
    return tr_counted(-points, "{number} point more", "{number} points more", number=-points)
