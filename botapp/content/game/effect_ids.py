"""What the game's effect numbers mean: which of the rules' effects each becomes, or what is left out of it.

The numbers and how often each occurs are facts, counted over the 19 classes' spells, the spells these cast,
and a dungeon's monsters (github.com/noazzouzi/DofusSimu, docs/research/effects.md; see docs/rules.md).
The words are ours. The table is `resources/game/effects.csv`; `docs/game-effects.md` is made of it.
"""

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from importlib.resources import files
from typing import Any

from botapp.fight.spells import Basis, EffectKind, Element, State
from botapp.host.message import mark


class How(Enum):
    """How an effect line of the game is translated into effects of the rules."""

    DICE = "dice"  # One effect whose dice are the line's first two numbers
    BUFF = "buff"  # A stat changes by the first number, or by dice
    STEAL_STAT = "steal_stat"  # The target's stat falls and the caster's rises
    MULTIPLY = "multiply"  # Damage taken becomes a share of itself: a resistance at any distance
    ARMOR = "armor"
    """The third number, and a twentieth of it for each of the caster's levels, is taken off every hit."""
    STATE = "state"  # The third number is a state that is given or taken away
    CAST = "cast"  # The first two numbers are another spell and its grade
    MARK = "mark"  # As `CAST`, from a glyph or a trap
    SUMMON = "summon"  # The first two numbers are a monster and its grade
    REPLACE = "replace"  # As `SUMMON`, in the place of a fighter who dies of it
    GIFT = "gift"  # The caster's HP go over to the target
    REFLECT = "reflect"  # A fighter who hurts the bearer takes a share of it
    REWARD = "reward"  # A fighter who hurts the bearer is healed
    PLAIN = "plain"  # One effect without numbers
    END_SPELL = "end_spell"  # The third number is a spell whose effects end
    RANGE = "range"  # The range of one spell, as `CHANGE`, or of all: a change of the stat
    BOOST = "boost"  # The first number is a spell whose dice change by the third: a state of its caster
    CHANGE = "change"
    """The first number is a spell, 0 for all, that becomes another one by the third: a state of its
    caster."""
    COOLDOWN = "cooldown"
    """The first number is a spell that cannot be cast for as many turns as the third says: a state."""
    NOTHING = "nothing"  # Shows something and changes nothing
    OUT = "out"  # Not understood: it is left out and named


@dataclass(frozen=True, slots=True)
class EffectId:
    """One of the game's effect numbers."""

    number: int  # The game's `effectId`
    does: str  # What it does in the game, in a few English words
    how: How
    kind: EffectKind | None = None
    stat: str = ""  # Which stat changes
    sign: int = 1  # 1 or -1, how it changes
    element: Element = Element.NEUTRAL
    basis: Basis = Basis.POINTS  # What its numbers are percent of
    state: State | None = None
    best: int = 0  # 1 where the caster's best element counts, -1 for the worst
    near: str = ""  # How the rules deviate from the game, "" where they do not
    left_out: str = ""  # For `How.OUT`, what is not simulated; a message id
    # Whether a spell without it would be valued wrongly, so that it must not be advised
    misleads: bool = False
    seen: int = 0  # How often it occurs in the spells counted
    of_classes: int = 0  # How many of these are in the classes' own spells


LEFT_OUT = (
    mark("changes of spells' costs, ranges or dice"),
    mark("runes"),
    mark("portals"),
    mark("glyphs that act otherwise than at the beginning of a turn"),
    mark("carrying and throwing"),
    mark("returns to an earlier place"),
    mark("changes of vitality"),
    mark("damage shared, thrown back, taken over or lessened by a fixed amount"),
    mark("changes of heals"),
    mark("dice made lowest or highest"),
    mark("turns that end or are lost"),
    mark("summons of another kind: doubles, illusions, the dead, others' controlled"),
    mark("changes of cooldowns"),
    mark("bombs set off, and their combos"),
    mark("pushes and pulls up to a cell, and following"),
    mark("damage that depends on the MP left"),
    mark("spells cast at who triggered them, by others than their bearer"),
)
"""Parts of spells that are not simulated: the message ids that the table's `left_out` holds."""

_READ: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("number", "sign", "best", "seen", "of_classes"), int),
    "how": How,
    "kind": EffectKind,
    "element": Element,
    "basis": Basis,
    "state": State,
    "misleads": bool,
}


def rows() -> Iterator[EffectId]:
    """Yields the table's rows; an empty cell is the field's default."""
    text = files("resources").joinpath("game", "effects.csv").read_text("utf-8")
    for cells in csv.DictReader(text.splitlines()):
        yield EffectId(**{name: _READ.get(name, str)(cell) for name, cell in cells.items() if cell})


EFFECT_IDS: dict[int, EffectId] = {row.number: row for row in rows()}  # The game's effect numbers by number
