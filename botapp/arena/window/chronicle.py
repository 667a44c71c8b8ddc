"""The fight's chronicle: what was done, in short lines for the panel at the lower left.

Next hop: `bout` keeps the last lines, `bar` paints them.
"""

from botapp.arena.window.looks import fighter_name, spell_name
from botapp.arena.window.words import say
from botapp.fight.actions import Action, Cast
from botapp.fight.state import Fighter, FightState


def turn_line(state: FightState, language: str) -> str:
    """Returns the line that opens a fighter's turn."""
    name = fighter_name(state.actor, language)
    if state.placing:
        return say(language, "places", name=name)
    return say(language, "turn_of", n=state.turn, name=name)


def fault_line(fighter: Fighter, language: str) -> str:
    """Returns the line of a fighter whose player failed, so that its turn ends."""
    return say(language, "fault", name=fighter_name(fighter, language))


def action_lines(before: FightState, action: Action, after: FightState, language: str) -> list[str]:
    """Returns the lines of an action: the spell cast, and what it did to whom."""
    if not isinstance(action, Cast):
        return []
    caster = before.actor
    spell = next(spell for spell in caster.spells if spell.key == action.spell)
    lines = [say(language, "casts", name=fighter_name(caster, language), spell=spell_name(spell, language))]
    for old in before.fighters:
        new = after.fighter(old.id)
        name = fighter_name(old, language)
        if new.hp != old.hp:
            lines.append(say(language, "loses", name=name, n=f"{new.hp - old.hp:+d}"))
        if old.alive and not new.alive:
            lines.append(say(language, "falls", name=name))
    return lines
