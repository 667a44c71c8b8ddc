"""The player as last seen, and what it has cast in its turn: inferred from lost AP and from who was hurt.

Where the spell bar says otherwise, the spell bar is right.
"""

from dataclasses import dataclass, replace

from botapp.fight.sheet import as_changed
from botapp.fight.spells import Spell
from botapp.fight.state import Fighter
from botapp.tracking.picture import was_cast
from botapp.tracking.spellbook import Spellbook, without_grade
from vision.view import FightView, SpellSlot


@dataclass(frozen=True, slots=True)
class OwnTurn:
    """The player and its turn as last seen."""

    number: int | None = None  # The round
    mine: bool = False
    ap: int | None = None
    hp: int | None = None
    max_hp: int | None = None
    cell: int | None = None
    # The player's casts of this turn, (spell key, target id); -1 for a target that is gone, None for one that
    # has not shown yet
    casts: tuple[tuple[str, int | None], ...] = ()
    ready: tuple[tuple[str, int], ...] = ()  # (spell key, round in which it can be cast again)

    @property
    def figures(self) -> tuple[int | None, ...]:
        """What the screen shows of an own state, by which it is found again."""
        return self.number, self.ap, self.hp, self.cell

    def cooldown_left(self, key: str) -> int:
        """Returns the turns until the spell can be cast again, by the casts remembered."""
        return max((until - (self.number or 0) for spell, until in self.ready if spell == key), default=0)

    def with_sheet(self, book: Spellbook) -> "OwnTurn":
        """Returns the same with the keys that another sheet has for its spells."""
        keys = {without_grade(spell.key): spell.key for spell in book.spells}
        return replace(
            self,
            casts=tuple((keys.get(without_grade(key), key), at) for key, at in self.casts),
            ready=tuple((keys.get(without_grade(key), key), turn) for key, turn in self.ready),
        )

    def after(
        self, view: FightView, number: int | None, book: Spellbook, player: Fighter | None, hurt: int | None
    ) -> "OwnTurn":
        """Returns the turn after a view.

        Args:
            player: the player's fighter as it is believed, None before the first picture.
            hurt: id of the fighter whose HP have changed, -1 for one that is gone, None where none changed.
        """
        mine = self.mine if view.turn.value is None else view.turn.value == "mine"
        same_turn = mine and self.mine and number == self.number
        casts = self.casts if same_turn else ()
        ready = tuple(entry for entry in self.ready if number is None or entry[1] > number)
        ap = view.ap.value
        spent = 0 if ap is None or self.ap is None else self.ap - ap
        if same_turn and spent > 0 and view.own_cell == self.cell:
            cast = _cast_for(spent, book, player, view)
            casts += tuple((spell.key, None) for spell in cast)
            if number is not None:
                ready += tuple((spell.key, number + spell.cooldown) for spell in cast if spell.cooldown)
        return OwnTurn(
            number=number,
            mine=mine,
            ap=self.ap if ap is None else ap,
            hp=view.hp.value,
            max_hp=self.max_hp if view.max_hp.value is None else view.max_hp.value,
            cell=view.own_cell,
            casts=tuple((key, hurt if target is None else target) for key, target in casts),
            ready=ready,
        )


def _cast_for(spent: int, book: Spellbook, player: Fighter | None, view: FightView) -> tuple[Spell, ...]:
    """Returns the spells that may have cost `spent` AP; several where the screen does not tell them apart."""
    by_slot = {slot.index: slot for slot in view.spells}
    fitting = []
    for index, spell in enumerate(book.spells):
        cooling = by_slot.get(index, SpellSlot(index)).cooldown.value
        ap = spell.ap if player is None else as_changed(player, spell).ap
        if ap != spent or (spell.cooldown and cooling == 0):
            continue
        if not was_cast(spell.key, book.key, view.log_past):
            continue
        if spell.cooldown and cooling == spell.cooldown:
            return (spell,)
        fitting.append(spell)
    return tuple(fitting)
