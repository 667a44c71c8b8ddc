"""Why an action is refused: the condition that fails, and a text for it."""

from botapp.fight.board import CELLS, distance
from botapp.fight.core.casting import CONDITIONS
from botapp.fight.core.requests import HINDRANCE, REFUSAL
from botapp.fight.sheet import as_changed, max_range
from botapp.fight.spells import Spell, name_of_state
from botapp.fight.state import Fighter, FightState
from botapp.fight.workspace import Workspace, open_workspace


class IllegalAction(ValueError):
    """An action that the rules refuse.

    Attributes:
        condition: short name of the condition that failed, such as "ap", "range" or "sight".
    """

    def __init__(self, condition: str, text: str) -> None:
        super().__init__(text)
        self.condition = condition

    def __reduce__(self) -> "tuple[type[IllegalAction], tuple[str, str]]":
        """Lets it travel to another process."""
        return IllegalAction, (self.condition, str(self))


def hindrances(state: FightState, fighter: Fighter) -> dict[str, str]:
    """Returns what keeps a fighter from casting each of its spells anywhere now, by the spell's key.

    It is the short name of a condition, "" where nothing does.
    """
    desk = open_workspace(state)
    number = desk.number(fighter)
    return {
        spell.key: CONDITIONS[desk.ask(HINDRANCE, number, slot)] for slot, spell in enumerate(fighter.spells)
    }


def refusal(desk: Workspace, fighter: Fighter, spell: Spell, target: int) -> IllegalAction | None:
    """Returns why a fighter may not cast a spell at the cell `target`, None where it may."""
    if not 0 <= target < CELLS:
        return IllegalAction("target", f"{spell.name}: cell {target} is off the board")
    number, slot = desk.number(fighter), desk.slot(fighter, spell)
    condition = CONDITIONS[desk.ask(REFUSAL, number, slot, target)]
    if not condition:
        return None
    spell = as_changed(fighter, spell)
    high = max_range(fighter, spell)
    standing = next(
        (there.name for there in desk.parts.state.fighters if there.hp > 0 and there.cell == target), ""
    )
    return IllegalAction(
        condition, f"{spell.name}: {_reason(condition, fighter, spell, target, high, standing)}"
    )


def _reason(condition: str, fighter: Fighter, spell: Spell, target: int, high: int, standing: str) -> str:
    """Returns a condition in words; `high` is the longest range, `standing` who is on the target."""
    name = fighter.name
    required = ", ".join(name_of_state(s) for s in spell.required_states if not fighter.has(s))
    forbidden = ", ".join(name_of_state(s) for s in spell.forbidden_states if fighter.has(s))
    left = max((turns for key, turns in fighter.cooldowns if key == spell.key), default=0)
    done = sum(key == spell.key for key, _ in fighter.casts)
    far = distance(fighter.cell, target)
    reasons = {
        "ap": f"not enough AP, {spell.ap} needed, {fighter.ap} left",
        "cooldown": f"ready again in {left} turns",
        "casts-per-turn": f"cast {done} times this turn already",
        "required-state": f"{name} would have to be {required}",
        "forbidden-state": f"not while {name} is {forbidden}",
        "pacified": f"{name} is pacified and cannot deal damage",
        "gravity": f"{name} is held by gravity and cannot teleport",
        "summons": f"{name} cannot have more than {fighter.stats.summons} summons at once",
        "target": f"cell {target} is not one that can be walked on",
        "range": f"out of range, {far} cells away, {spell.min_range} to {high} allowed",
        "line": f"cell {target} is not {'in line' if spell.in_line else 'on a diagonal'}",
        "free-cell": f"a fighter stands on cell {target}",
        "taken-cell": f"no fighter to aim at stands on cell {target}",
        "casts-per-target": f"no casts left on {standing} this turn",
        "sight": f"no line of sight to cell {target}",
    }
    return reasons[condition]
