"""What `botapp advise` says of a picture or a state: the decision, or why there is none."""

from typing import Any

from botapp.advisor.decision import Decision, Expectation, Planned, ScoredAction
from botapp.advisor.sureness import margin
from botapp.advisor.wording import cost, expectation, spoken
from botapp.commands.advice import Advice
from botapp.content.state_json import action_to_json
from botapp.fight.actions import Move
from botapp.fight.state import FightState
from botapp.host.translation import ENGLISH, Language, Translator
from botapp.tracking.reasons import plainly


def advice_json(advice: Advice) -> dict[str, Any]:
    """Returns advice as `botapp advise --json` prints it: a decision, or why there is none.

    A reason's id is its template, which is the text before figures and names were put in.
    """
    if advice.decision is not None:
        return {**decision_json(advice.decision), "device": advice.device}
    reason = advice.withheld
    return {"withheld": {"id": getattr(reason, "template", reason), "text": reason}}


def advice_text(advice: Advice, language: Language = ENGLISH) -> str:
    """Returns advice in a few lines, why there is none in a language."""
    if advice.decision is None or advice.state is None:
        tr = Translator(language)
        return tr("withheld: {reason}", reason=tr(plainly(advice.withheld)))
    return decision_text(advice.decision, advice.state)


def decision_json(decision: Decision) -> dict[str, Any]:
    """Returns a decision as `botapp advise --json` prints it.

    `chance` is that of winning the fight, 0..1; `line` the turn after the action. Where the `adviser` is the
    search alone, a choice's confidence is the chance of winning after it, and there is no `trace`; else it is
    the model's own estimate that no other is better by a point, and its `value` is the chance of winning
    after it. `sure` is how sure the choice is, by the rule that the app shows.
    """
    return {
        "action_type": decision.action_type,
        "action": action_to_json(decision.action),
        "label": decision.best.label,
        "target": decision.target,
        "confidence": round(decision.confidence, 4),
        "chance": round(decision.chance, 4),
        "sure": decision.sure,
        "line": [_planned(step) for step in decision.plan],
        "choices": [_choice(choice) for choice in decision.choices],
        "reflex": _choice(decision.reflex),
        "adviser": decision.adviser,
        "stop": decision.stop,
        "trace": [
            {
                "step": step.index,
                "q_halt": round(step.q_halt, 4),
                "best": step.best.label,
                "chance": round(step.chance, 4),
                "elapsed_ms": round(step.elapsed_ms, 3),
            }
            for step in decision.trace
        ],
        "expected": [_expectation(one) for one in decision.expected],
        "alternative": None
        if decision.alternative is None
        else {
            **_choice(decision.alternative.choice),
            "chance_lost": round(decision.alternative.chance_lost, 4),
            "damage_lost": round(decision.alternative.damage_lost, 2),
            "kills_lost": decision.alternative.kills_lost,
        },
        "plan": [_planned(step) for step in decision.plan],
        "assumed": list(decision.assumed),
        "search": {"nodes": decision.nodes, "rollouts": decision.rollouts},
        "timings_ms": {name: round(cost, 3) for name, cost in decision.timings_ms},
    }


def decision_text(decision: Decision, state: FightState) -> str:
    """Returns a decision in a few lines."""
    choices = [
        f"{choice.chance:6.1%}  {spoken(state, choice.action)}"
        for choice in decision.choices
        if choice.visits or not decision.best.visits
    ]
    lines = list(dict.fromkeys(choices))  # cells that lie alike and are worth the same are one line
    spent = f"{sum(cost for _, cost in decision.timings_ms):.1f} ms"
    lines.insert(0, "chance of winning after each action:")
    if len(decision.trace) > 1:
        first = decision.first_known
        lines.append(f"first answer: {spoken(state, first.action)} ({_share(decision.best, first)})")
    if decision.sure:
        lines.append(f"choice: {decision.sure}{_by(decision, state)}")
    steps = f" after {len(decision.trace)} steps" if decision.trace else ""
    lines.append(f"{decision.stop}{steps}, {spent}")
    lines.append(f"searched: {decision.nodes} states, {decision.rollouts} rollouts")
    if decision.expected:
        lines.append(f"expected: {'; '.join(map(expectation, decision.expected))}")
    if decision.alternative is not None:
        lost = cost(decision.alternative)
        lines.append(f"second choice: {spoken(state, decision.alternative.choice.action)} ({lost})")
    if decision.plan:
        lines.append(f"then: {', then '.join(_turn(decision, state))}")
    if decision.assumed:
        lines.append(f"assumed: {', '.join(decision.assumed)}")
    return "\n".join(lines)


def _share(best: ScoredAction, other: ScoredAction) -> str:
    """Returns the chance of winning after an action where it was played on from as the best one was."""
    return "only estimated" if best.visits and not other.visits else f"{other.chance:.0%}"


def _by(decision: Decision, state: FightState) -> str:
    """Returns the figures behind how sure the choice is."""
    found = margin(decision, state)
    return "" if found is None else f" (the next best is {found[0]} points worse, give or take {found[1]})"


def _turn(decision: Decision, state: FightState) -> list[str]:
    """Returns the turn after the best action in words, each action as seen from where it is done."""
    told, origin = [], state.actor.cell
    for number, action in enumerate((decision.action, *(step.choice.action for step in decision.plan))):
        if number:
            told.append(spoken(state, action, origin))
        if isinstance(action, Move):
            origin = action.target
    return told


def _expectation(expected: Expectation) -> dict[str, Any]:
    amounts = {name: round(getattr(expected, name), 2) for name in ("damage", "heal", "shield", "ap", "mp")}
    return {"fighter": expected.fighter, "name": expected.name, **amounts, "kills": expected.kills}


def _planned(step: Planned) -> dict[str, Any]:
    return {**_choice(step.choice), "expected": [_expectation(one) for one in step.expected]}


def _choice(choice: ScoredAction) -> dict[str, Any]:
    return {
        "action": action_to_json(choice.action),
        "label": choice.label,
        "confidence": round(choice.confidence, 4),
        "visits": choice.visits,
        "value": None if choice.value is None else round(choice.value, 4),
        "line": [action_to_json(action) for action in choice.line],
    }
