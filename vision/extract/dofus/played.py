"""Tells the player's own turn from that of a summon which the player moves as well.

During both the end-turn button is bright, and life, AP, MP and spells are those of the fighter that plays.
The marked card tells: the player's card is known once it was the only one of its side, or played with more
spells than a summon has. Until then a summon is ruled out by the order of play, in which it comes right
after a fighter of its side. Used by `vision.extract.dofus.reader`.
"""

from collections.abc import Sequence

from vision.signature import SAME, likeness
from vision.view import CardSeen, Played


class PlayedFighter:
    """Remembers the portrait of the player's card."""

    def __init__(self) -> None:
        self._own = ""

    def of(self, row: Sequence[CardSeen], many_spells: bool = False, mine: bool = True) -> Played:
        """Returns which fighter the player controls while the end-turn button is bright, or may be.

        Args:
            row: the timeline's cards, those of the dead as well, in any order; none where it is not found.
            many_spells: whether the spell bar shows more spells than a summon has.
            mine: whether the button is bright for sure; in the turn of an ally that another person plays the
                bar is the player's and the marked card is not.
        """
        row = sorted(row, key=lambda card: card.box.x)
        own = [card for card in row if card.team not in ("enemy", None)]
        place = next((index for index, card in enumerate(row) if card.current), None)
        if place is None or row[place].team == "enemy":
            return "own"
        playing = row[place]
        if len(own) == 1:
            self._own = playing.portrait or self._own
            return "own"
        if self._own and playing.portrait:
            if likeness(playing.portrait, self._own) >= SAME:
                return "own"
            if any(likeness(card.portrait, self._own) >= SAME for card in own if card.portrait):
                return "summon"
        if many_spells:
            self._own = (playing.portrait if mine else "") or self._own
            return "own"
        after_own = place > 0 and row[place - 1].team not in ("enemy", None)
        return "unsure" if after_own else "own"
