"""What an action leads to, in the words of the person's language: what is expected of it, what another one
would cost, how the turn goes on, and what the model does not know.

Next hop: the Decision panel.
"""

from collections.abc import Sequence

from botapp.advisor.decision import Alternative, Expectation, Novelty, Planned, Subject
from botapp.fight.state import FightState
from botapp.ui import words
from botapp.ui.names import named
from botapp.ui.translation import mark, tr

_LEAST = 0.05
_NOVELTIES: dict[Subject, str] = {
    "own-spells": mark("Your spells that it never advises: {names}"),
    "own-effects": mark("Your spells that it knows only in part: {names}"),
    "spells": mark("Fighters with spells that it does not understand: {names}"),
    "marks": mark("What lies on the ground: {names}"),
    "summons": mark("Summons: {names}"),
    "buffs": mark("Fighters with states or changed stats: {names}"),
}


def expectations(expected: Sequence[Expectation]) -> str:
    """Returns what is expected to happen, one line a fighter, "–" where nothing is."""
    return "\n".join(map(_expectation, expected)) or "–"


def _expectation(expected: Expectation) -> str:
    parts = []
    if expected.damage >= _LEAST:
        parts.append(tr("{number} damage", number=words.number(expected.damage)))
    if expected.kills:
        parts.append(tr("brought down"))
    if expected.heal >= _LEAST:
        parts.append(tr("{number} HP healed", number=words.number(expected.heal)))
    if expected.shield >= _LEAST:
        parts.append(tr("{number} shield", number=words.number(expected.shield)))
    if expected.ap >= _LEAST:
        parts.append(tr("{number} AP taken", number=words.number(expected.ap, 1)))
    if expected.mp >= _LEAST:
        parts.append(tr("{number} MP taken", number=words.number(expected.mp, 1)))
    return tr("{who}: {facts}", who=named(expected.name), facts=", ".join(parts))


def alternative(other: Alternative | None, state: FightState | None) -> str:
    """Returns the second best action and what it would cost, "–" where there was only one."""
    if other is None:
        return "–"
    parts = [words.headline(other.choice, state)]
    parts.append(tr("{number} points less sure", number=words.number(100 * other.share_lost)))
    for amount, less, more in (
        (other.damage_lost, mark("{number} damage less"), mark("{number} damage more")),
        (other.kills_lost, mark("{number} fewer brought down"), mark("{number} more brought down")),
    ):
        if round(abs(amount)):
            parts.append(tr(less if amount > 0 else more, number=words.number(abs(amount))))
    return "  ·  ".join(parts)


def plan(steps: Sequence[Planned]) -> str:
    """Returns how the turn goes on, one line an action, "–" where that is not known."""
    lines = [f"{index}.  {words.headline(s.choice, s.state)}" for index, s in enumerate(steps, 2)]
    return "\n".join(lines) or "–"


def unknown(novelties: Sequence[Novelty]) -> str:
    """Returns what the model does not know, one line a matter."""
    if not novelties:
        return tr("Nothing: the model knows all that this fight has.")
    lines = [_novelty(one) for one in novelties]
    return "\n".join([*lines, tr("The confidence is lowered for it.")])


def _novelty(one: Novelty) -> str:
    return "•  " + tr(_NOVELTIES[one.about], names=", ".join(map(named, one.names)))
