"""A fight's fighters and spells called as in a command's language."""

from dataclasses import replace

from botapp.content.library import classes, monsters
from botapp.content.names import in_french
from botapp.fight.state import Fighter, FightState
from botapp.host.translation import Translator
from botapp.tracking.fighters import NAMELESS


def with_names(state: FightState, tr: Translator) -> FightState:
    """Returns a state to be put into words: its fighters and their spells have the language's names."""
    if tr.language != "fr":
        return state
    return state.changed(fighters=tuple(_named(one, tr) for one in state.fighters))


def fighter_name(name: str, kind: str, tr: Translator) -> str:
    """Returns what a fighter of a kind is called in a language."""
    if name in NAMELESS.values():
        return tr(name)
    return in_french(name, arena=kind in classes() or kind in monsters()) if tr.language == "fr" else name


def _named(fighter: Fighter, tr: Translator) -> Fighter:
    spells = tuple(replace(one, name=in_french(one.name, one.key, arena=True)) for one in fighter.spells)
    return replace(fighter, name=fighter_name(fighter.name, fighter.kind, tr), spells=spells)
