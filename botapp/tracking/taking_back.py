"""Own actions that the player takes back, as the practice arena allows: what was known then is known again.

After one is taken back the screen shows an earlier state of the same fight, and a line of the log says so.
What was cast since, and how long spells wait for it, is forgotten with it.
"""

from dataclasses import replace

from botapp.tracking.memory import Memory, taken_back_since
from vision.view import FightView

_MOST = 400  # Own states kept of one fight, the newest


class TakingBack:
    """What was known at each own state of the fight that is watched."""

    def __init__(self) -> None:
        self._known: list[Memory] = []

    def note(self, memory: Memory) -> None:
        """Takes in what is known in an own state that was understood."""
        if self._known and self._known[-1].fight != memory.fight:
            self._known = []
        if self._known and _numbers(self._known[-1]) == _numbers(memory):
            self._known[-1] = memory
        else:
            self._known = [*self._known[1 - _MOST :], memory]

    def seen(self, memory: Memory, view: FightView) -> Memory:
        """Returns what is known before a view: the memory as it is, unless actions were taken back since."""
        number = taken_back_since(memory.log, view.log)
        if not number:
            return memory
        cell = view.player.cell if view.player is not None else None
        shown = view.turn_number.value, view.ap.value, view.hp.value, cell
        while self._known and _numbers(self._known[-1]) != shown:
            self._known.pop()
        # without one that fits, the fight is known from here on
        known = self._known.pop() if self._known else Memory(cells=memory.cells)
        return replace(
            known,
            log=view.log,
            heard=memory.heard,
            fight=memory.fight,
            taken_back=memory.taken_back + number,
        )


def _numbers(memory: Memory) -> tuple[int | None, ...]:
    """Returns what the screen shows of an own state, by which it is found again."""
    return memory.turn, memory.ap, memory.hp, memory.cell
