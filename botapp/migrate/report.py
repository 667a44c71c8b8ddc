"""A migration in words for a terminal, and as plain values. Next hop: `botapp.commands` prints either."""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from botapp.migrate.run import Outcome
from botapp.migrate.steps import STEPS

_MARKS = {
    "done": "[x]",
    "planned": "[ ]",
    "shown": "[?]",
    "waiting": "[>]",
    "skipped": "[-]",
    "failed": "[!]",
    "pending": "[ ]",
}


def text(outcomes: Sequence[Outcome]) -> str:
    """Returns the plan with how far it got, the diffs at the place of their step."""
    total = sum(step.minutes for step in STEPS)
    lines = [
        f"{len(STEPS)} steps in {_phases()} phases, about {total // 60} h {total % 60} min and a restart"
    ]
    for phase, group in groupby(outcomes, key=lambda outcome: outcome.step.phase):
        found = list(group)
        minutes = sum(outcome.step.minutes for outcome in found)
        restart = " and a restart" if any(outcome.step.restart for outcome in found) else ""
        lines += ["", f"{phase} ({minutes} min{restart})"]
        for outcome in found:
            lines += _step(outcome)
    return "\n".join(lines)


def to_json(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Returns the outcomes as plain values; "finished" tells whether nothing is left to do."""
    return {
        "minutes": sum(step.minutes for step in STEPS),
        "finished": all(outcome.status in ("done", "skipped") for outcome in outcomes),
        "steps": [
            {**asdict(outcome.step), **{k: v for k, v in asdict(outcome).items() if k != "step"}}
            for outcome in outcomes
        ],
    }


def _step(outcome: Outcome) -> list[str]:
    step = outcome.step
    lines = [
        f"  {_MARKS[outcome.status]} {step.name:<15} {step.title} ({step.minutes} min): {outcome.status}"
    ]
    lines += [f"        {line}" for line in outcome.lines]
    lines += [f"        $ {command}" for command in outcome.commands]
    if outcome.diff:
        lines += ["", outcome.diff]
    return lines


def _phases() -> int:
    return len(dict.fromkeys(step.phase for step in STEPS))
