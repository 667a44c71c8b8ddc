"""Actions and their outcomes as messages; the UI has longer ones, made of the same values."""

import math
from collections.abc import Iterable

from botapp.advisor.decision import Alternative, Expectation
from botapp.fight.actions import Action, Cast, EndTurn, Move, Place, Ready
from botapp.fight.board import centre_in_cells, distance
from botapp.fight.state import FightState
from botapp.host.message import Message, counted, listed, mark, say

FACTS = {
    "level": mark("level"),
    "max_hp": mark("maximum HP"),
    "hp": mark("HP"),
    "ap": mark("AP"),
    "mp": mark("MP"),
    "stats": mark("stats and resistances"),
    "spells": mark("spells"),
    "kind": mark("kind"),
}
"""What of a fighter may have been assumed, in words."""

AS_LIKELY = mark("about the same chance of winning")  # The same where it costs less than a point

ONLY_ESTIMATED = mark("only estimated")
"""In place of a chance where nothing was played on from, beside actions where it was."""

DIRECTIONS = (
    mark("right"),
    mark("down right"),
    mark("down"),
    mark("down left"),
    mark("left"),
    mark("up left"),
    mark("up"),
    mark("up right"),
)
"""The ways on the screen, clockwise."""


def less(points: int) -> str:
    return counted(
        points,
        "{number} point less chance of winning",
        "{number} points less chance of winning",
        number=points,
    )


def more(points: int) -> str:
    """Returns what another action has more than the one advised, by the search, in words."""
    return counted(
        points,
        "{number} point more chance of winning",
        "{number} points more chance of winning",
        number=points,
    )


def kills(fewer: float) -> str:
    """Returns how many enemies fewer, or more where it is less than 0, an action kills, in words."""
    number = round(abs(fewer))
    if fewer > 0:
        return counted(number, "{number} enemy fewer killed", "{number} enemies fewer killed", number=number)
    return counted(number, "{number} enemy more killed", "{number} enemies more killed", number=number)


def spell_name(state: FightState, action: Action) -> str:
    """Returns the name of the spell that an action of the current actor casts, "" for other actions."""
    if not isinstance(action, Cast):
        return ""
    return next((spell.name for spell in state.actor.spells if spell.key == action.spell), action.spell)


def label(state: FightState, action: Action) -> str:
    """Returns what an action of the current actor is called, such as "Cast Ember at cell 312 (Boar)"."""
    if isinstance(action, Move):
        steps = len(action.path)
        return counted(
            steps,
            "Move to cell {cell} ({steps} step)",
            "Move to cell {cell} ({steps} steps)",
            cell=action.target,
            steps=steps,
        )
    if isinstance(action, Cast):
        standing = [f for f in state.fighters if f.hp > 0 and f.cell == action.target]
        name = spell_name(state, action)
        if not standing:
            return say("Cast {spell} at cell {cell}", spell=name, cell=action.target)
        if standing[0].id == state.actor.id:
            return say("Cast {spell} on yourself", spell=name)
        return say(
            "Cast {spell} at cell {cell} ({target})",
            spell=name,
            cell=action.target,
            target=standing[0].name,
        )
    if isinstance(action, Place):
        return say("Take the start cell {cell}", cell=action.cell)
    return say("Stay where you are") if isinstance(action, Ready) else say("End the turn")


def towards(start: int, end: int) -> str:
    """Returns the way between two cells as seen on the screen, such as "up right"; "" for the same."""
    if start == end:
        return ""
    (x0, y0), (x1, y1) = centre_in_cells(start), centre_in_cells(end)
    angle = math.atan2((y1 - y0) / 2, x1 - x0)
    return DIRECTIONS[round(angle / (math.pi / 4)) % 8]


def spoken(state: FightState, action: Action, origin: int | None = None) -> str:
    """Returns an action of the current actor in words that need no number of a cell: "Cast Ember on Boar".

    Args:
        origin: the cell it is done from, the actor's own if left out.
    """
    origin = state.actor.cell if origin is None else origin
    if isinstance(action, Move):
        steps = len(action.path)
        where = _way(origin, action.target)
        return counted(
            steps, "Walk {steps} cell {where}", "Walk {steps} cells {where}", steps=steps, where=where
        )
    if isinstance(action, Place) and action.cell != origin:
        return say("Place yourself {where}", where=_away(origin, action.cell))
    if not isinstance(action, Cast):
        return say("End the turn") if isinstance(action, EndTurn) else say("Stay where you are")
    return _spoken_cast(state, action, origin)


def _spoken_cast(state: FightState, action: Cast, origin: int) -> str:
    spell = spell_name(state, action)
    if action.target == origin:
        return say("Cast {spell} on yourself", spell=spell)
    others = (fighter for fighter in state.fighters if fighter.hp > 0 and fighter.id != state.actor.id)
    standing = next((fighter for fighter in others if fighter.cell == action.target), None)
    if standing is not None:
        return say("Cast {spell} on {target}", spell=spell, target=standing.name)
    return say("Cast {spell} {where}", spell=spell, where=_away(origin, action.target))


def _way(start: int, end: int) -> str:
    return say(towards(start, end)) if start != end else ""


def _away(origin: int, cell: int) -> str:
    steps = distance(origin, cell)
    where = _way(origin, cell)
    return counted(steps, "{steps} cell {where}", "{steps} cells {where}", steps=steps, where=where)


def assumptions(state: FightState) -> tuple[str, ...]:
    """Returns what was assumed of living fighters and not seen, in words, one entry a fighter."""
    parts = []
    for fighter in state.fighters:
        if fighter.hp > 0 and fighter.assumed:
            facts = _facts(fighter.assumed)
            if fighter.id == state.actor.id:
                parts.append(say("your {facts}", facts=facts))
            else:
                parts.append(say("{who}: {facts}", who=fighter.name, facts=facts))
    return tuple(parts)


def expectation(expected: Expectation) -> str:
    """Returns what is expected to happen to a fighter, such as "Boar: 23 damage, 1.5 AP removed"."""
    parts: list[str] = [
        amount(kind, round(size, digits))
        for kind, size, digits in (
            ("damage", expected.damage, None),
            ("heal", expected.heal, None),
            ("shield", expected.shield, None),
            ("ap", expected.ap, 1),
            ("mp", expected.mp, 1),
        )
        if size >= 0.05
    ]
    if expected.kills:
        parts.insert(1, say("killed"))
    return say("{who}: {facts}", who=expected.name, facts=listed(parts))


def amount(kind: str, size: float, shown: str = "") -> Message:
    """Returns an expected amount in words.

    Args:
        kind: "damage", "heal", "shield", "ap" or "mp".
        size: the amount, rounded as it is shown.
        shown: the amount as a person's language writes it; by default as Python does.
    """
    number = shown or size
    words = {
        "damage": counted(size, "{number} damage", "{number} damage", number=number),
        "heal": counted(size, "{number} HP healed", "{number} HP healed", number=number),
        "shield": say("{number} shield", number=number),
        "ap": counted(size, "{number} AP removed", "{number} AP removed", number=number),
        "mp": counted(size, "{number} MP removed", "{number} MP removed", number=number),
    }
    return words[kind]


def damage_beside(lost: int, shown: str = "") -> Message:
    """Returns how much less damage, or more where it is negative, another action does than the best one."""
    size = abs(lost)
    less_of = counted(size, "{number} less damage", "{number} less damage", number=shown or size)
    more_of = counted(size, "{number} more damage", "{number} more damage", number=shown or size)
    return less_of if lost > 0 else more_of


def cost(alternative: Alternative) -> str:
    """Returns what the alternative costs against the best action: "5 points less chance of winning, ..."."""
    points = round(100 * alternative.chance_lost)
    parts: list[str] = [(less(points) if points > 0 else more(-points)) if points else say(AS_LIKELY)]
    damage, fallen = round(alternative.damage_lost), alternative.kills_lost
    if damage:
        parts.append(damage_beside(damage))
    if fallen:
        parts.append(kills(fallen))
    return listed(parts)


def _facts(names: Iterable[str]) -> str:
    known = set(names)
    facts = [say(text) for name, text in FACTS.items() if name in known]
    if len(facts) < 2:
        return listed(facts)
    return say("{first} and {last}", first=listed(facts[:-1]), last=facts[-1])
