"""How much of the game's spells is understood, by how often each thing occurs; and the table for the docs.

`python -m botapp.content.game.coverage docs/game-effects.md` writes the table. How often areas, masks and
triggers occur is counted in the sources that `botapp.content.game.effect_ids` names.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from botapp.content.game.effect_ids import EFFECT_IDS, EffectId, How
from botapp.content.game.grammar import SHAPE_LETTERS, read_mask, read_triggers
from botapp.host.files import write_whole

_AREAS = {
    "P": 16335, "C": 1908, "a": 915, "X": 848, "A": 456, "Q": 405, "G": 285, "l": 166, "T": 164, "V": 158,
    "L": 143, "+": 140, "U": 98, "O": 97, "*": 79, "F": 50, "#": 35, ";": 25, "-": 12, "R": 10,
}  # fmt: skip
_EFFECTS = 16623  # Effects whose masks and triggers were counted, those of critical hits left out
_MASKS = {
    "A": 7749, "a": 7036, "C": 5040, "F1": 3636, "E1": 2267, "*E1": 2090, "e1": 1563, "P": 1204, "*e1": 1161,
    "f1": 1052, "g": 874, "c": 296, "h": 201, "*F1": 159, "j": 139, "l": 132, "b1": 123, "m": 99, "T": 93,
    "J": 63, "O": 58, "R": 55, "M": 54, "L": 52, "U": 51, "r": 41, "p": 35, "K": 29, "o": 24, "H": 19,
    "d": 19, "B1": 18, "D": 17, "v1": 14, "V1": 14, "I": 14, "i": 12, "*v1": 11, "pb": 11, "PB": 11,
    "*V1": 10, "s": 9, "u": 4, "x": 2, "*q": 2, "*h": 2, "pr": 1, "*PR": 1, "PR": 1, "*pr": 1,
}  # fmt: skip
_TRIGGERS = {
    "I": 15618, "TE": 219, "D": 196, "TB": 175, "EOFF1": 58, "X": 56, "EON1": 54, "H": 53, "D|XD": 50,
    "DM": 48, "PD": 30, "DBE": 23, "M": 14, "TP": 14, "DR": 13, "CCMPARR": 13, "DIS": 12, "MS": 11, "DT": 8,
    "MA": 8, "CMPARR": 8, "CC": 7, "DE": 7, "DF": 7, "DW": 7, "DA": 7, "DBA": 7, "PT": 6, "DS": 6, "CI": 5,
    "MPA": 5, "CPT": 5, "CMPAS": 4, "P": 4, "K": 4, "V": 2, "DN": 2, "R": 2, "APA": 2, "CS": 2, "CH": 2,
    "PO": 1, "CPD": 1, "CT": 1, "CAPAS": 1, "DI": 1, "CDE": 1,
}  # fmt: skip

_HOW = {
    How.DICE: "its dice",
    How.BUFF: "a change of the stat",
    How.STEAL_STAT: "two changes of the stat",
    How.MULTIPLY: "resistances in melee and at range",
    How.STATE: "a state",
    How.CAST: "the other spell's effects",
    How.MARK: "the other spell's effects",
    How.SUMMON: "the monster at its grade",
    How.REPLACE: "a death, then the monster",
    How.GIFT: "a heal, and damage to the caster",
    How.REFLECT: "damage to who does damage",
    How.REWARD: "a heal of who does damage",
    How.PLAIN: "itself",
    How.END_SPELL: "the end of what the spell gave",
    How.ARMOR: "a change of the stat",
    How.RANGE: "a change of the stat, or a state of the caster's with which the spell is another one",
    How.COOLDOWN: "of the caster's, in which the spell cannot be cast",
    How.BOOST: "of the caster's, with which the spell's dice are others",
    How.CHANGE: "of the caster's, with which the spell is another one",
}


class Coverage(NamedTuple):
    """Shares, 0 to 1, of the occurrences that are understood."""

    effects: float
    effects_of_classes: float
    areas: float
    masks: float
    triggers: float

    @property
    def together(self) -> float:
        """The share of lines understood in every respect, as if these had nothing to do with each other."""
        return self.effects * self.areas * self.masks * self.triggers

    @property
    def together_of_classes(self) -> float:
        """The same for the classes' own spells."""
        return self.effects_of_classes * self.areas * self.masks * self.triggers


def measure() -> Coverage:
    rows = EFFECT_IDS.values()
    known = [row for row in rows if _understood(row)]
    areas = sum(count for letter, count in _AREAS.items() if letter in SHAPE_LETTERS)
    masks = sum(count for token, count in _MASKS.items() if read_mask(token, str).unknown)
    triggers = sum(count for code, count in _TRIGGERS.items() if read_triggers(code, str).unknown)
    return Coverage(
        sum(row.seen for row in known) / sum(row.seen for row in rows),
        sum(row.of_classes for row in known) / sum(row.of_classes for row in rows),
        areas / sum(_AREAS.values()),
        1 - masks / _EFFECTS,
        1 - triggers / _EFFECTS,
    )


def _understood(row: EffectId) -> bool:
    return row.how is not How.OUT


def table() -> str:
    """Returns the table of effect numbers for the docs, with the shares that are understood."""
    shares = measure()
    lines = [
        "# The game's effects, by number",
        "Made by `python -m botapp.content.game.coverage docs/game-effects.md` of the table in",
        "`resources/game/effects.csv`. How often each occurs was counted by others over 1,838 spells",
        "(all classes, what their spells cast and call, one dungeon): `botapp/content/game/effect_ids.py`",
        "names them. Left-out effects are named to the player, and their spell is judged without them or,",
        "where that would mislead, not advised.",
        "",
        "Occurrences understood: "
        f"effect numbers {shares.effects:.1%} (in classes' own spells {shares.effects_of_classes:.1%}), "
        f"areas {shares.areas:.1%}, masks {shares.masks:.1%}, triggers {shares.triggers:.1%}; in every "
        f"respect {shares.together:.1%} ({shares.together_of_classes:.1%}), as if these were independent.",
        "",
        "| number | in the game | becomes | differs from the game | seen |",
        "| --- | --- | --- | --- | --- |",
    ]
    lines += [_row(row) for row in EFFECT_IDS.values()]
    return "\n".join(lines) + "\n"


def _row(row: EffectId) -> str:
    if row.how is How.NOTHING:
        becomes = "nothing"
    elif row.how is How.OUT:
        becomes = "left out" + ("; not advised without it" if row.misleads else "")
    else:
        becomes = " ".join(_named(row))
    return f"| {row.number} | {row.does} | {becomes} | {row.near} | {row.seen} |"


def _named(row: EffectId) -> Iterable[str]:
    kind = f"`{row.kind.value}`:" if row.kind is not None else ""
    return filter(None, (kind, _HOW[row.how]))


def main(arguments: list[str]) -> int:
    """Prints the shares, or writes the table to a file; returns the exit code."""
    if arguments:
        write_whole(Path(arguments[0]), table())
    shares = measure()
    together = {"together": shares.together, "together_of_classes": shares.together_of_classes}
    for name, share in {**shares._asdict(), **together}.items():
        print(f"{name:20} {share:7.2%}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
