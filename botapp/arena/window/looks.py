"""How a kind of fighter and a spell look and what they are called, from the arena's content.

A kind or spell that the content does not know (a fight made by a test) gets a look of its own that is
always the same.
"""

from dataclasses import dataclass
from functools import cache
from zlib import crc32

from PySide6.QtGui import QColor

from botapp.content.library import classes, monsters, spell_looks
from botapp.content.templates import GLYPHS, SHAPES
from botapp.fight.spells import Spell
from botapp.fight.state import Fighter


@dataclass(frozen=True, slots=True)
class Appearance:
    """A colour (hex) and the name of a drawing: a figure's shape or an icon's sign."""

    colour: str
    drawing: str


def _own_colour(key: str) -> str:
    return QColor.fromHsvF(crc32(key.encode()) % 360 / 360, 0.62, 0.85).name()


@cache
def fighter_look(kind: str) -> Appearance:
    """Returns the body colour and shape of a kind of fighter."""
    template = classes().get(kind) or monsters().get(kind)
    if template is None:
        return Appearance(_own_colour(kind), SHAPES[crc32(kind.encode()) % len(SHAPES)])
    return Appearance(template.colour, template.shape)


@cache
def spell_look(key: str) -> Appearance:
    look = spell_looks().get(key)
    if look is None:
        return Appearance(_own_colour(key), GLYPHS[crc32(key.encode()) % len(GLYPHS)])
    return Appearance(look.colour, look.glyph)


def fighter_name(fighter: Fighter, language: str) -> str:
    """Returns what a person reads for a fighter, with the number that tells two of a kind apart."""
    template = classes().get(fighter.kind) or monsters().get(fighter.kind)
    if language != "fr" or template is None:
        return fighter.name
    return template.name_fr + fighter.name.removeprefix(template.name)


def kind_name(fighter: Fighter, language: str) -> str:
    """Returns the name of a fighter's kind, the same for two of a kind."""
    template = classes().get(fighter.kind) or monsters().get(fighter.kind)
    if template is None:
        return fighter.name
    return template.name_fr if language == "fr" else template.name


def spell_name(spell: Spell, language: str) -> str:
    look = spell_looks().get(spell.key)
    return look.name_fr if language == "fr" and look is not None else spell.name
