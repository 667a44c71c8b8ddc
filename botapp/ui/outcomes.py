"""What an action leads to, in the words of the person's language: what is expected of it, what another one
would cost, and how the turn goes on.

Next hop: the Decision panel.
"""

from collections.abc import Sequence

from botapp.advisor.decision import Decision, Expectation, Planned
from botapp.advisor.wording import AS_LIKELY, kills, less
from botapp.fight.state import FightState
from botapp.ui import words
from botapp.ui.names import named
from botapp.ui.translation import mark, tr

_LEAST = 0.05


def expectations(expected: Sequence[Expectation]) -> str:
    """Returns what is expected to happen, one line a fighter, "" where nothing is."""
    return "\n".join(map(_expectation, expected))


def _expectation(expected: Expectation) -> str:
    parts = []
    if expected.damage >= _LEAST:
        parts.append(tr("{number} damage", number=words.number(expected.damage)))
    if expected.kills:
        parts.append(tr("killed"))
    if expected.heal >= _LEAST:
        parts.append(tr("{number} HP healed", number=words.number(expected.heal)))
    if expected.shield >= _LEAST:
        parts.append(tr("{number} shield", number=words.number(expected.shield)))
    if expected.ap >= _LEAST:
        parts.append(tr("{number} AP removed", number=words.number(expected.ap, 1)))
    if expected.mp >= _LEAST:
        parts.append(tr("{number} MP removed", number=words.number(expected.mp, 1)))
    return tr("{who}: {facts}", who=named(expected.name), facts=", ".join(parts))


def alternative(decision: Decision, state: FightState | None) -> str:
    """Returns the second best action and what it would cost beside the best, "" where there was only one."""
    other = decision.alternative
    if other is None:
        return ""
    parts = [words.headlines((decision.best, other.choice), state)[1]]
    points = words.number(100 * other.chance_lost)
    parts.append(tr(AS_LIKELY) if points == words.number(0) else tr(less(round(100 * other.chance_lost))))
    if round(abs(other.damage_lost)):
        text = mark("{number} less damage") if other.damage_lost > 0 else mark("{number} more damage")
        parts.append(tr(text, number=words.number(abs(other.damage_lost))))
    if round(abs(other.kills_lost)):
        parts.append(tr(kills(other.kills_lost)))
    return "  ·  ".join(parts)


def plan(steps: Sequence[Planned]) -> str:
    """Returns how the turn goes on, one line an action, "" where that is not known."""
    return "\n".join(f"{index}.  {words.headline(s.choice, s.state)}" for index, s in enumerate(steps, 2))
