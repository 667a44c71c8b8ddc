"""How far the spells of an import are understood, each at its highest grade."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from botapp.content.game.effects import EffectTranslator
from botapp.content.game.lines import SpellLevel, level_from_json
from botapp.content.game.spells import NOT, PARTLY, WHOLLY, GameContent, Levels, States, make_spell
from botapp.content.game.store import unpacked
from botapp.fight.spells import Summon

__all__ = ["NOT", "PARTLY", "WHOLLY", "Judge"]

Rows = Callable[..., Iterator[tuple[Any, ...]]]


class Judge:
    """Judges the spells of a store that is being written; `rows` asks it."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        flags = {number: own.split() for number, own in rows("select id, flags from states")}
        self._states = States(flags, (row[0] for row in rows("select id from asked")))
        self._levels = Levels(self._load, self._grades)
        self._monsters = {row[0] for row in rows("select id from monsters")}
        content = GameContent(self._levels, self._states)
        self._translator = EffectTranslator(content, self._call)

    def judged(self, spell: int, grade: int) -> tuple[str, tuple[str, ...]]:
        """Returns the verdict on a spell at a grade, and what is left out of it."""
        level = self._levels.level(spell, grade)
        if level is None:
            return NOT, ()
        made = make_spell(level, "", self._translator, self._states)
        return made.verdict, made.left_out

    def _load(self, spell: int, grade: int) -> SpellLevel | None:
        rows = list(self._rows("select body from levels where spell = ? and grade = ?", spell, grade))
        return level_from_json(unpacked(rows[0][0])) if rows else None

    def _grades(self, spell: int) -> list[int]:
        rows = list(self._rows("select grades from spells where id = ?", spell))
        return list(json.loads(rows[0][0])) if rows else []

    def _call(self, monster: int, grade: int) -> Summon | None:
        """Returns a stand-in for a monster that is called: only that it is there counts here."""
        return Summon("", "", 1, 1, 0, 0) if monster in self._monsters else None
