"""What is still to happen within an action, the latest first: an effect may spring a trap whose effects push
somebody into the next one.

A stack in the state's scratch stands in for functions that call each other in circles.
Next hop: `botapp.fight.core.resolving` works it off.
"""

from typing import Any

from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import (
    CAUSE,
    CAUSE_HP,
    FAULT,
    FULL_TASKS,
    MOST_TASKS,
    RUNNING,
    TASK,
    TASK_LIST,
    TASKS,
)

SPRING_TRAPS, PAYLOAD_OF, STRIKE = range(3)
"""Spring the traps under somebody; go through a payload; let an effect strike somebody."""

(TASK_KIND, TASK_WHAT, TASK_BY, TASK_CENTRE, TASK_TARGET, TASK_STEPS, TASK_HOW, TASK_CAUSE, TASK_CAUSE_HP,
 TASK_RUNNING) = range(10)  # fmt: skip
"""`TASK_WHAT`: an effect, or the place of the next effect in a payload's list. `TASK_BY`: the number of whose
effect it is. `TASK_STEPS` of a payload: how many effects are left. `TASK_HOW` of a payload: how it is done;
of an effect: whether it has waited already. The last three are `CAUSE`, `CAUSE_HP` and `RUNNING` of the
state's head as they were when the task was set."""


@compiled
def push_task(s: Any, kind: int, what: int, by: int, centre: int, target: int, steps: int, how: int) -> None:
    """Puts a task on the stack."""
    if s[TASKS] >= MOST_TASKS:
        s[FAULT] = FULL_TASKS
        return
    task = TASK_LIST + s[TASKS] * TASK
    s[TASKS] += 1
    s[task + TASK_KIND] = kind
    s[task + TASK_WHAT] = what
    s[task + TASK_BY] = by
    s[task + TASK_CENTRE] = centre
    s[task + TASK_TARGET] = target
    s[task + TASK_STEPS] = steps
    s[task + TASK_HOW] = how
    s[task + TASK_CAUSE] = s[CAUSE]
    s[task + TASK_CAUSE_HP] = s[CAUSE_HP]
    s[task + TASK_RUNNING] = s[RUNNING]
