"""What `botapp advise` says of a picture or a state: the decision, or why there is none."""

from dataclasses import replace
from typing import Any

from botapp.advisor.decision import Decision, Expectation, Planned, ScoredAction
from botapp.advisor.grounds import guesses, may_tell_chance, why_untold
from botapp.advisor.sureness import WORDS, margin, reasons
from botapp.advisor.wording import ONLY_ESTIMATED, assumptions, cost, expectation, spoken
from botapp.commands.advice import Advice
from botapp.commands.player import with_names
from botapp.content.nameless import without_names
from botapp.content.position_line import to_line
from botapp.content.state_json import action_to_json
from botapp.fight.actions import Move
from botapp.fight.state import FightState
from botapp.host.clients import CLIENTS
from botapp.host.message import counted
from botapp.host.translation import ENGLISH, Language, Translator
from botapp.tracking.reasons import plainly


def advice_json(advice: Advice) -> dict[str, Any]:
    """Returns advice as `botapp advise --json` prints it: a decision, or why there is none.

    A reason's id is its template, which is the text before figures and names were put in.
    """
    if advice.decision is not None:
        values = {**decision_json(advice.decision, advice.state), "device": advice.device}
        if advice.state is not None:
            values["position"] = to_line(without_names(advice.state))
        return {**values, "client": advice.client} if advice.client else values
    reason = advice.withheld
    values = {"withheld": {"id": getattr(reason, "template", reason), "text": reason}}
    return {**values, "client": advice.client} if advice.client else values


def advice_text(advice: Advice, language: Language = ENGLISH) -> str:
    """Returns advice in a few lines, why there is none in a language."""
    tr = Translator(language)
    if advice.decision is None or advice.state is None:
        sentences = " ".join(map(tr, advice.found))
        return "\n".join(
            filter(None, (tr("withheld: {reason}", reason=tr(plainly(advice.withheld))), sentences))
        )
    text = decision_text(advice.decision, advice.state, language)
    if not advice.client:
        return text
    return f"{tr('Read as {client}.', client=tr(CLIENTS[advice.client]))}\n{text}"


def decision_json(decision: Decision, state: FightState | None = None) -> dict[str, Any]:
    """Returns a decision as `botapp advise --json` prints it.

    `chance` is that of winning the fight, 0..1, None where it would rest on what is `guessed` in the state,
    and so is every other figure that is a chance of winning or a part of one. `line` is the turn after the
    action. Where the `adviser` is the search alone, a choice's confidence is the chance of winning after it,
    and there is no `trace`; else it is the model's own estimate that no other is better by a point, and its
    `value` is the chance of winning after it. `sure` is how sure the choice is, by the rule of the app.
    """
    may_tell = may_tell_chance(state)

    def shown(chance: float | None) -> float | None:
        return round(chance, 4) if may_tell and chance is not None else None

    def confidence(share: float) -> float | None:
        return shown(share) if decision.adviser == "search" else round(share, 4)

    def choice(entry: ScoredAction) -> dict[str, Any]:
        return {**_choice(entry), "confidence": confidence(entry.confidence), "value": shown(entry.value)}

    def planned(step: Planned) -> dict[str, Any]:
        return {**choice(step.choice), "expected": [_expectation(entry) for entry in step.expected]}

    return {
        "action_type": decision.action_type,
        "action": action_to_json(decision.action),
        "label": decision.best.label,
        "target": decision.target,
        "confidence": confidence(decision.confidence),
        "chance": shown(decision.chance),
        "guessed": [guess.why for guess in guesses(state)] if state is not None else [],
        "sure": decision.sure,
        "line": [planned(step) for step in decision.plan],
        "choices": [choice(entry) for entry in decision.choices],
        "reflex": choice(decision.reflex),
        "adviser": decision.adviser,
        "stop": decision.stop,
        "trace": [
            {
                "step": step.index,
                "q_halt": round(step.q_halt, 4),
                "best": step.best.label,
                "chance": shown(step.chance),
                "elapsed_ms": round(step.elapsed_ms, 3),
            }
            for step in decision.trace
        ],
        "expected": [_expectation(entry) for entry in decision.expected],
        "alternative": None
        if decision.alternative is None
        else {
            **choice(decision.alternative.choice),
            "chance_lost": shown(decision.alternative.chance_lost),
            "damage_lost": round(decision.alternative.damage_lost, 2),
            "kills_lost": decision.alternative.kills_lost,
        },
        "plan": [planned(step) for step in decision.plan],
        "assumed": list(decision.assumed),
        "search": {"nodes": decision.effort.nodes, "rollouts": decision.effort.rollouts},
        "timings_ms": {name: round(cost, 3) for name, cost in decision.effort.timings_ms},
    }


def decision_text(decision: Decision, state: FightState, language: Language = ENGLISH) -> str:
    """Returns a decision in a few lines in a language; without figures of winning where none may be told."""
    tr, may_tell = Translator(language), may_tell_chance(state)
    state = with_names(state, tr)
    names = {fighter.id: fighter.name for fighter in state.fighters}

    def line_of(choice: ScoredAction) -> str:
        action = tr(spoken(state, choice.action))
        return f"{tr.percent(choice.chance, 1):>7}  {action}" if may_tell else f"{action}"

    listed = [scored for scored in decision.choices if scored.visits or not decision.best.visits]
    actions = list(dict.fromkeys(map(line_of, listed)))  # cells alike that are worth the same are one line
    if may_tell:
        lines = [tr("chance of winning after each action:"), *actions]
    else:
        lines = [tr("best actions first:"), *actions, tr(why_untold(state))]
    if len(decision.trace) > 1:
        first = decision.first_known
        text = tr("first answer: {action}", action=tr(spoken(state, first.action)))
        share = tr(ONLY_ESTIMATED) if decision.best.visits and not first.visits else tr.percent(first.chance)
        lines.append(f"{text} ({share})" if may_tell else text)
    if decision.sure and may_tell:
        lines.append(". ".join((tr(WORDS[decision.sure]), *_why_sure(decision, state, tr))))
    spent = f"{tr.typography.figure(f'{decision.effort.first_ms:.1f}')} ms"
    count = len(decision.trace)
    steps = [tr(counted(count, "after {count} step", "after {count} steps", count=count))] if count else []
    lines.append(", ".join([*steps, spent]))
    states = tr("{number} states", number=decision.effort.nodes)
    lines.append(
        tr("searched: {states}, {rollouts} rollouts", states=states, rollouts=decision.effort.rollouts)
    )
    if decision.expected:
        expected = (expectation(replace(each, name=names[each.fighter])) for each in decision.expected)
        lines.append(tr("expected: {facts}", facts="; ".join(map(tr, expected))))
    if decision.alternative is not None:
        second = tr("second choice: {action}", action=tr(spoken(state, decision.alternative.choice.action)))
        lines.append(f"{second} ({tr(cost(decision.alternative))})" if may_tell else second)
    if decision.plan:
        lines.append(tr("then: {actions}", actions=tr(", then ").join(map(tr, _turn(decision, state)))))
    if decision.assumed:
        lines.append(tr("assumed: {facts}", facts=", ".join(map(tr, assumptions(state)))))
    return "\n".join(lines)


def _why_sure(decision: Decision, state: FightState, tr: Translator) -> list[str]:
    lead = margin(decision, state)
    return [] if lead is None else [" ".join(map(tr, reasons(*lead)))]


def _turn(decision: Decision, state: FightState) -> list[str]:
    lines, origin = [], state.actor.cell
    for number, action in enumerate((decision.action, *(step.choice.action for step in decision.plan))):
        if number:
            lines.append(spoken(state, action, origin))
        if isinstance(action, Move):
            origin = action.target
    return lines


def _expectation(expected: Expectation) -> dict[str, Any]:
    amounts = {name: round(getattr(expected, name), 2) for name in ("damage", "heal", "shield", "ap", "mp")}
    return {"fighter": expected.fighter, "name": expected.name, **amounts, "kills": expected.kills}


def _choice(choice: ScoredAction) -> dict[str, Any]:
    """Returns what of a choice is no chance of winning."""
    return {
        "action": action_to_json(choice.action),
        "label": choice.label,
        "visits": choice.visits,
        "line": [action_to_json(action) for action in choice.line],
    }
