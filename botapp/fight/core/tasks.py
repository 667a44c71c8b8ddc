"""What is still to happen within an action, the latest first: an effect may spring a trap whose effects push
somebody into the next one.

A stack in the state's scratch stands in for functions that call each other in circles.
Next hop: `botapp.fight.core.effects` works it off.
"""

from typing import Any

from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import FAULT, FULL_TASKS, MOST_TASKS, TASK, TASK_LIST, TASKS

SPRING_TRAPS, PAYLOAD_OF, STRIKE, STRIKE_AROUND = range(4)
"""Spring the traps under somebody; go through a mark's payload; let an effect strike somebody, or everyone in
its area."""

(
    TASK_KIND,
    TASK_WHAT,
    TASK_BY,
    TASK_CENTRE,
    TASK_TARGET,
    TASK_STEPS,
    TASK_BONUS,
    TASK_CHANCE,
    TASK_CRITICAL,
) = range(9)
"""`TASK_WHAT`: an effect, or the place of the next effect in a payload's list. `TASK_BY`: the number of whose
effect it is. `TASK_STEPS` of a payload: how many effects are left; its `TASK_CRITICAL`: the kind of mark."""


@compiled
def push_task(s: Any, kind: int, what: int, by: int, centre: int, target: int, steps: int) -> int:
    """Puts a task on the stack; returns where it stands, -1 where there is no room."""
    if s[TASKS] >= MOST_TASKS:
        s[FAULT] = FULL_TASKS
        return -1
    task = TASK_LIST + s[TASKS] * TASK
    s[TASKS] += 1
    s[task + TASK_KIND] = kind
    s[task + TASK_WHAT] = what
    s[task + TASK_BY] = by
    s[task + TASK_CENTRE] = centre
    s[task + TASK_TARGET] = target
    s[task + TASK_STEPS] = steps
    s[task + TASK_BONUS] = 0
    s[task + TASK_CHANCE] = 0
    s[task + TASK_CRITICAL] = 0
    return task
