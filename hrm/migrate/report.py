"""A migration in words for a terminal, and as plain values."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from hrm.message import mark, say
from hrm.migrate.run import StepOutcome
from hrm.migrate.steps import STEPS

Translate = Callable[..., str]
Plain = Callable[[list[str]], list[str]]
_MARKS = {
    "done": "[x]",
    "planned": "[ ]",
    "shown": "[?]",
    "waiting": "[>]",
    "skipped": "[-]",
    "failed": "[!]",
    "pending": "[ ]",
}
_STATUS = {
    "done": mark("done"),
    "planned": mark("planned"),
    "shown": mark("shown"),
    "waiting": mark("waiting"),
    "skipped": mark("skipped"),
    "failed": mark("failed"),
    "pending": mark("pending"),
}


def text(outcomes: Sequence[StepOutcome], tr: Translate = say, plain: Plain = list) -> str:
    """Returns the plan with how far it got, the diffs at the place of their step.

    Args:
        tr: puts a template with its values into the reader's language.
        plain: does the same with the messages of a list.
    """
    total = sum(step.minutes for step in STEPS)
    lines = [
        tr(
            "{steps} steps in {phases} phases, about {hours} h {minutes} min and a restart",
            steps=len(STEPS),
            phases=len({step.phase for step in STEPS}),
            hours=total // 60,
            minutes=total % 60,
        )
    ]
    for phase, group in groupby(outcomes, key=lambda outcome: outcome.step.phase):
        of_group = list(group)
        minutes = sum(outcome.step.minutes for outcome in of_group)
        restart = any(outcome.step.restart for outcome in of_group)
        took = mark("{phase} ({minutes} min and a restart)") if restart else mark("{phase} ({minutes} min)")
        lines += ["", tr(took, phase=tr(phase), minutes=minutes)]
        for outcome in of_group:
            lines += _step(outcome, tr, plain)
    return "\n".join(lines)


def to_json(outcomes: Sequence[StepOutcome]) -> dict[str, Any]:
    """Returns the outcomes as plain values; "finished" tells whether nothing is left to do."""
    return {
        "minutes": sum(step.minutes for step in STEPS),
        "finished": all(outcome.status in ("done", "skipped") for outcome in outcomes),
        "steps": [
            {**asdict(outcome.step), **{k: v for k, v in asdict(outcome).items() if k != "step"}}
            for outcome in outcomes
        ],
    }


def undone(restored: Sequence[str], refused: Sequence[str], tr: Translate = say) -> str:
    lines = [tr("restored {name}", name=name) for name in restored]
    lines += [tr("left {name}: it was changed since", name=name) for name in refused]
    return "\n".join(lines) or tr("nothing to take back")


def _step(outcome: StepOutcome, tr: Translate, plain: Plain) -> list[str]:
    step = outcome.step
    summary = tr(
        "{title} ({minutes} min): {status}",
        title=tr(step.title),
        minutes=step.minutes,
        status=tr(_STATUS[outcome.status]),
    )
    lines = [f"  {_MARKS[outcome.status]} {step.name:<15} {summary}"]
    lines += [f"        {line}" for line in plain(outcome.lines)]
    lines += [f"        $ {command}" for command in plain(outcome.commands)]
    if outcome.diff:
        lines += ["", outcome.diff]
    return lines
