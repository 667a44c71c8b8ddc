"""What a log in words has told by now, as the lines and changes of a view."""

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from botapp.tracking.log_facts import LogFact
from botapp.tracking.log_words import FactKind
from vision.view import ChronicleLine, FightView, ToldChange

_LINES, _CHANGES = 16, 48  # As many casts and changes are kept as may come in one picture, and more
_CHANGING: Mapping[FactKind, Literal["hp", "ap", "mp", "dies"]] = {
    FactKind.HP: "hp",
    FactKind.AP: "ap",
    FactKind.MP: "mp",
    FactKind.DIES: "dies",
}
_ACTS = (FactKind.CAST, FactKind.SUMMONS, FactKind.TURN)


class Chronicle:
    """The last casts and changes that the log of one window has told."""

    def __init__(self) -> None:
        self._lines: deque[ChronicleLine] = deque(maxlen=_LINES)
        self._changes: deque[ToldChange] = deque(maxlen=_CHANGES)
        self._past: list[ChronicleLine] = []
        self._casts_told = self._changes_told = 0
        self._linked = self._round = False

    def forget(self) -> None:
        """Takes the next facts for those of another window; they are counted on."""
        self._lines.clear()
        self._changes.clear()
        self._past.clear()
        self._linked = self._round = False

    def take(self, logged: LogFact, caster: str | None, own_name: str) -> None:
        """Takes in a fact.

        Args:
            caster: the kind of who has cast a spell, None where the fact does not tell or is no cast.
            own_name: the player's character, "" where it is not known.
        """
        if not logged.linked:
            self._lines.clear()
            self._changes.clear()
        if logged.old:
            self._take_past(logged, caster)
            return
        if not logged.sure:
            return
        if logged.kind in _ACTS:
            self._past.clear()
            self._round = False
        if logged.kind in _CHANGING:
            self._changes_told += 1
            own = bool(own_name) and logged.fact.who == own_name
            kind, amount = _CHANGING[logged.kind], logged.fact.amount or 0
            who = frozenset(logged.fighters)
            self._changes.append(ToldChange(self._changes_told, kind, who, own, amount))
        if logged.kind is FactKind.CAST:
            odd, at_ns = self._casts_told % 2 == 1, logged.captured_ns or None
            spells = frozenset(logged.spells)
            self._lines.append(ChronicleLine(odd, caster, spells, aimed=False, captured_ns=at_ns))
            self._casts_told += 1

    def _take_past(self, logged: LogFact, caster: str | None) -> None:
        """Takes in a fact from before the log was found: a cast of this round may still be played."""
        if logged.kind is FactKind.TURN:
            self._past.clear()
            self._round = logged.sure
        elif logged.kind is FactKind.CAST:
            spells = frozenset(logged.spells) if logged.sure else frozenset()
            self._past.append(ChronicleLine(False, caster if logged.sure else None, spells, aimed=False))

    def on(self, view: FightView, behind: bool) -> FightView:
        """Returns a view with what the log has told; without lines the first time, so that the next are new.

        Args:
            behind: whether the log shows lines that have not been recognised yet.
        """
        lines, changes = tuple(self._lines), tuple(self._changes)
        if not self._linked:
            self._linked = True
            behind |= bool(lines)
            lines, changes = (), ()
        past = tuple(self._past) or None
        return replace(
            view,
            log=lines,
            changes=changes,
            log_told=self._casts_told if lines else self._casts_told - len(self._lines),
            log_behind=behind,
            log_past=past,
            log_round=self._round and past is not None,
        )
