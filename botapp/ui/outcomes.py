"""What an action leads to, in the words of the person's language: what is expected of it, what another one
would cost, and how the turn goes on.

Next hop: the Decision panel.
"""

from collections.abc import Sequence

from botapp.advisor.decision import Decision, Expectation, Planned, ScoredAction
from botapp.advisor.wording import AS_LIKELY, kills, less, more
from botapp.fight.state import FightState
from botapp.ui import words
from botapp.ui.names import named
from botapp.ui.translation import mark, tr

_LEAST = 0.05
_LATER = mark("wins about a turn later"), mark("wins about {number} turns later")
_SOONER = mark("wins about a turn sooner"), mark("wins about {number} turns sooner")
_FEWER_KILLS = mark("1 kill fewer"), mark("{number} kills fewer")
_MORE_KILLS = mark("1 kill more"), mark("{number} kills more")


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


def differences(best: ScoredAction, other: ScoredAction) -> list[str]:
    """Returns what tells two actions apart beside their chance of winning, the weightiest first.

    Of the whole turns that begin with them: how many turns the win takes, kills, HP after the others'
    replies, AP kept, and spells that can be cast again sooner. Nothing where it is not known.
    """
    a, b = best.prospect, other.prospect
    if a is None or b is None:
        return []
    parts = []
    if a.turns is not None and b.turns is not None and a.turns != b.turns:
        text = _LATER if b.turns > a.turns else _SOONER
        parts.append(_several(text, abs(b.turns - a.turns)))
    if a.kills != b.kills:
        parts.append(_several(_FEWER_KILLS if b.kills < a.kills else _MORE_KILLS, abs(b.kills - a.kills)))
    lead = round(a.lead - b.lead)
    if lead and (best.visits and other.visits):
        parts.append(
            tr(
                mark("{number} HP worse off") if lead > 0 else mark("{number} HP better off"),
                number=words.number(abs(lead)),
            )
        )
    if a.ap != b.ap:
        text = mark("{number} AP fewer kept") if b.ap < a.ap else mark("{number} AP more kept")
        parts.append(tr(text, number=abs(b.ap - a.ap)))
    if a.cooldown != b.cooldown:
        text = mark("spells longer on cooldown") if b.cooldown > a.cooldown else mark("spells ready sooner")
        parts.append(tr(text))
    return parts


def _several(texts: tuple[str, str], number: int) -> str:
    """Returns the text for one or for several."""
    return tr(texts[number != 1], number=number)


def alternative(decision: Decision, state: FightState | None) -> str:
    """Returns the second best action and what it would cost beside the best, "" where there was only one."""
    other = decision.alternative
    if other is None:
        return ""
    parts = [words.headlines((decision.best, other.choice), state)[1]]
    points = words.points(decision.best.chance, decision.best.chance - other.chance_lost)
    if points:
        parts.append(tr(less(points) if points > 0 else more(-points)))
    else:
        parts += differences(decision.best, other.choice) or [tr(AS_LIKELY)]
    if points and round(abs(other.damage_lost)):
        text = mark("{number} less damage") if other.damage_lost > 0 else mark("{number} more damage")
        parts.append(tr(text, number=words.number(abs(other.damage_lost))))
    if points and round(abs(other.kills_lost)):
        parts.append(tr(kills(other.kills_lost)))
    return "  ·  ".join(parts)


def plan(steps: Sequence[Planned]) -> str:
    """Returns how the turn goes on, one line an action, "" where that is not known."""
    return "\n".join(f"{index}.  {words.headline(s.choice, s.state)}" for index, s in enumerate(steps, 2))
