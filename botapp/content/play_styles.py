"""How a fighter of the content plays: as its monster's file says, else as its spells suggest."""

from botapp.content.library import monsters
from botapp.fight.state import Fighter
from botapp.search.play_style import BY_NAME, PlayStyle, play_style_from_spells


def play_style_of(fighter: Fighter) -> PlayStyle:
    """Returns the play style that content gives a fighter's kind, or else the one its spells suggest."""
    template = monsters().get(fighter.kind)
    named = BY_NAME.get(template.play_style) if template else None
    return named or play_style_from_spells(fighter)
