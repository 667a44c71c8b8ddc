"""Carries a migration out as far as it gets; remembers, goes on where it stopped, takes it back.

A step done by hand waits until the doctor sees that it was done. A rewriting step first shows its diff; the
same call again applies what was shown, and nothing else, and never to a git tree with other changes.
"""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from hrm.message import say
from hrm.migrate import checks
from hrm.migrate.computer import Computer
from hrm.migrate.project import MigrationError, Project
from hrm.migrate.rewrites import Changes, changes_of
from hrm.migrate.steps import REWRITES, STEPS, Step, index

Status = Literal["done", "planned", "shown", "waiting", "skipped", "failed", "pending"]
_STOPS = ("shown", "waiting", "failed")


@dataclass(slots=True)
class StepOutcome:
    """How a step ended."""

    step: Step  # Which one
    # Done, now or before; planned: what it would do; shown: its diff waits for the same call again, which
    # applies it; waiting: for a person; skipped; failed; pending: not reached
    status: Status
    lines: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)  # What it would run, or what a person is to run
    diff: str = ""


def migrate(
    root: Path,
    computer: Computer,
    *,
    dry_run: bool = False,
    start_from: str | None = None,
    run: checks.Run = checks.run_command,
) -> list[StepOutcome]:
    """Goes through the plan as far as it gets.

    Args:
        dry_run: only say what would be done; nothing is written, not even the state.
        start_from: the step to begin with; those before it are skipped in later runs too.

    Raises:
        MigrationError: the folder or the step does not exist, or the git tree has changes of its own.
    """
    project = Project(root)
    first = _first(start_from)
    outcomes: list[StepOutcome] = []
    stopped = False
    for place, step in enumerate(STEPS):
        before = project.state["steps"].get(step.name)
        if stopped:
            outcome = StepOutcome(step, "pending")
        elif place < first and before != "done":
            outcome = StepOutcome(step, "skipped", [say("before the step to start from")])
        elif before in ("done", "skipped") and step.name != start_from:
            outcome = StepOutcome(step, before, [say("as before")])
        elif dry_run:
            outcome = _planned(step, project, computer)
        else:
            outcome = _carried_out(step, project, computer, run)
        stopped = stopped or outcome.status in _STOPS
        if not dry_run and outcome.status in ("done", "skipped"):
            project.state["steps"][step.name] = outcome.status
            project.save()
        outcomes.append(outcome)
    return outcomes


def undo(root: Path) -> tuple[list[str], list[str]]:
    """Takes back what was written, the last step first, and forgets how far the migration got.

    Returns:
        The files restored or removed, and those left because they were changed since.

    Raises:
        MigrationError: nothing was migrated there.
    """
    project = Project(root)
    if not project.state["steps"]:
        raise MigrationError(say("nothing was migrated in {root}", root=root))
    restored: list[str] = []
    refused: list[str] = []
    for step in reversed(STEPS):
        back, left = project.restore(step.name)
        restored += [name for name in back if name not in restored]
        refused += left
    project.state |= {"steps": {}, "approved": {}}
    project.save()
    return restored, refused


def _first(start_from: str | None) -> int:
    if start_from is None:
        return 0
    try:
        return index(start_from)
    except KeyError:
        names = ", ".join(step.name for step in STEPS)
        raise MigrationError(
            say("there is no step {step}; the steps are {names}", step=start_from, names=names)
        ) from None


def _planned(step: Step, project: Project, computer: Computer) -> StepOutcome:
    """Says what a step would do; what it would change is taken as changed by the steps after it."""
    if step.kind == "rewrite":
        changes = changes_of(step.name, project, computer)
        outcome = StepOutcome(step, "planned", changes.notes, diff=project.difference(changes.texts))
        project.plan(changes.texts)
        return outcome
    lines, commands = checks.PREVIEWS[step.name](project, computer)
    return StepOutcome(step, "planned", lines, commands)


def _carried_out(step: Step, project: Project, computer: Computer, run: checks.Run) -> StepOutcome:
    if step.kind == "rewrite":
        return _rewritten(step, project, computer)
    outcome = checks.CHECKS[step.name](project, computer, run)
    return StepOutcome(step, outcome.status, outcome.lines, outcome.commands)


def _rewritten(step: Step, project: Project, computer: Computer) -> StepOutcome:
    changes = changes_of(step.name, project, computer)
    if not changes.texts:
        return StepOutcome(step, "done", [*changes.notes, say("nothing to change")])
    diff = project.difference(changes.texts)
    if project.state["approved"].get(step.name) != _fingerprint(diff):
        return _shown(step, project, computer)
    dirty = project.dirty()
    if dirty:
        listed = ", ".join(dirty[:5]) + (" ..." if len(dirty) > 5 else "")
        raise MigrationError(
            say(
                "the git tree has changes ({files}), so nothing is rewritten: "
                "commit or stash them, then go on",
                files=listed,
            )
        )
    project.write(step.name, changes.texts)
    return StepOutcome(step, "done", changes.notes, diff=diff)


def _shown(step: Step, project: Project, computer: Computer) -> StepOutcome:
    diffs: list[str] = []
    notes: list[str] = []
    for name in REWRITES[REWRITES.index(step.name) :]:
        changes: Changes = changes_of(name, project, computer)
        diff = project.difference(changes.texts)
        project.state["approved"][name] = _fingerprint(diff)
        project.plan(changes.texts)
        diffs.append(diff)
        notes += changes.notes
    project.forget_plans()
    project.save()
    notes.append(say("This was only shown. Read it; the same command again applies it."))
    return StepOutcome(step, "shown", notes, diff="".join(diffs))


def _fingerprint(diff: str) -> str:
    return hashlib.sha256(diff.encode()).hexdigest()
