"""Actions and what comes of them in words, in English; the UI builds translated ones from the same values."""

from collections.abc import Iterable

from botapp.advisor.decision import Alternative, Expectation
from botapp.fight.actions import Action, Cast, Move
from botapp.fight.state import FightState

_FACTS = {
    "level": "level",
    "max_hp": "maximum HP",
    "hp": "HP",
    "ap": "AP",
    "mp": "MP",
    "stats": "resistances and stats",
    "spells": "spells",
    "kind": "kind",
}


def sentence(text: str) -> str:
    """Returns a lower-case reason ("the fight is over") as a sentence; "" stays empty."""
    return f"{text[0].upper()}{text[1:]}." if text else ""


def spell_name(state: FightState, action: Action) -> str:
    """Returns the name of the spell that an action of the current actor casts, "" for other actions."""
    if not isinstance(action, Cast):
        return ""
    return next((spell.name for spell in state.actor.spells if spell.key == action.spell), action.spell)


def label(state: FightState, action: Action) -> str:
    """Returns what an action of the current actor is called, such as "Cast Ember at cell 312 (Boar)"."""
    if isinstance(action, Move):
        steps = len(action.path)
        return f"Move to cell {action.target} ({steps} {'step' if steps == 1 else 'steps'})"
    if isinstance(action, Cast):
        standing = [f for f in state.fighters if f.hp > 0 and f.cell == action.target]
        name = spell_name(state, action)
        if not standing:
            return f"Cast {name} at cell {action.target}"
        if standing[0].id == state.actor.id:
            return f"Cast {name} on yourself"
        return f"Cast {name} at cell {action.target} ({standing[0].name})"
    return "End the turn"


def assumptions(state: FightState) -> tuple[str, ...]:
    """Returns the facts about living fighters that nobody has seen, in words, one entry a fighter."""
    said = []
    for fighter in state.fighters:
        if fighter.hp > 0 and fighter.assumed:
            whose = "your" if fighter.id == state.actor.id else f"{fighter.name}:"
            said.append(f"{whose} {_listed(fighter.assumed)}")
    return tuple(said)


def expectation(expected: Expectation) -> str:
    """Returns what is expected to happen to a fighter, such as "Boar: 23 damage, 1.5 AP taken"."""
    amounts = (
        (expected.damage, "{:.0f} damage"),
        (expected.heal, "{:.0f} HP healed"),
        (expected.shield, "{:.0f} shield"),
        (expected.ap, "{:.1f} AP taken"),
        (expected.mp, "{:.1f} MP taken"),
    )
    parts = [text.format(amount) for amount, text in amounts if amount >= 0.05]
    if expected.kills:
        parts.insert(1, "brought down")
    return f"{expected.name}: {', '.join(parts)}"


def cost(alternative: Alternative) -> str:
    """Returns what the alternative costs against the best action, such as "45 points less sure, ..."."""
    parts = [f"{100 * alternative.share_lost:.0f} points less sure"]
    damage, fallen = round(alternative.damage_lost), alternative.kills_lost
    if damage:
        parts.append(f"{abs(damage)} damage {'less' if damage > 0 else 'more'}")
    if fallen:
        parts.append(f"{abs(fallen)} {'fewer' if fallen > 0 else 'more'} brought down")
    return ", ".join(parts)


def _listed(facts: Iterable[str]) -> str:
    names = [words for fact, words in _FACTS.items() if fact in set(facts)]
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
