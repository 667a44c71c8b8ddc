"""Remembers which card of the timeline is the player's, and tells by it who plays.

In the player's own turn and in that of a summon which the player moves as well the end-turn button is bright,
and life, AP, MP and spells are those of the fighter that plays. The marked card tells: the player's card is
known once it was the only one of its side, or played with more spells than a summon has. Until then a summon
is ruled out by the order of play, in which it comes right after a fighter of its side.

The same card tells whose turn it is where the button is hidden, or where a client has none, and several cards
are of the player's side. Where no button ever tells which one is the player's, it is the one whose life bar
falls as the player's HP do. Used by `vision.extract.dofus.reader`.
"""

from collections.abc import Sequence

from vision.signature import SAME, likeness
from vision.view import CardSeen, Played, Seen, Turn

_FELL, _OFF = 0.06, 0.03
"""By how much of the maximum a life bar falls at least to tell anything, and how far it may be off: bars are
40 pixels high on small screens, and the white edge of one hides a pixel."""
_KNOWN = 0.85  # How sure a turn is that a portrait tells: less than with a button beside it (0.93)


class PlayedFighter:
    """Remembers the portrait of the player's card."""

    def __init__(self) -> None:
        self._own = ""
        self._lives: tuple[int, tuple[CardSeen, ...]] | None = None

    def at_turn(self, row: Sequence[CardSeen]) -> Seen[Turn]:
        """Returns whose turn it is by the marked card, if the player's card is known among several.

        Args:
            row: the timeline's cards of the living.
        """
        playing = next((card for card in row if card.current and card.team != "enemy"), None)
        known = [card for card in row if card.team != "enemy" and self._is_own(card)]
        if playing is None or len(known) != 1:
            return Seen()
        return Seen("mine" if known[0] is playing else "other", _KNOWN)

    def watch(self, row: Sequence[CardSeen], hp: int | None) -> None:
        """Learns the player's card where its life bar alone has fallen as the player's HP have.

        In the turns of enemies the HP shown are the player's, in those of a summon the summon's. The card
        must have the portrait that it had: a summon, or another fight, may have put another one there.

        Args:
            row: the timeline's cards of the living.
            hp: the player's HP, None where not read.
        """
        own = tuple(card for card in row if card.team != "enemy")
        enemys = any(card.current and card.team == "enemy" for card in row)
        if hp is None or not enemys or len(own) < 2 or any(not card.hp_fraction for card in own):
            return
        before, self._lives = self._lives, (hp, own)
        if before is None or len(before[1]) != len(own) or not 0 < hp < before[0]:
            return
        fallen = []
        for card, old in zip(own, before[1], strict=True):
            now, then = card.hp_fraction.value or 0.0, old.hp_fraction.value or 0.0
            if then - now > _OFF:
                fallen.append((card, old, now, then))
        if len(fallen) == 1:
            card, old, now, then = fallen[0]
            as_the_hp = then - now >= _FELL and abs(now - then * hp / before[0]) <= _OFF
            if as_the_hp and likeness(card.portrait, old.portrait) >= SAME:
                self._own = card.portrait

    def _is_own(self, card: CardSeen) -> bool:
        return bool(self._own and card.portrait) and likeness(card.portrait, self._own) >= SAME

    def of(
        self, row: Sequence[CardSeen], many_spells: bool = False, mine: bool = True, whole: bool = True
    ) -> Played:
        """Returns which fighter the player controls while the end-turn button is bright, or may be.

        Args:
            row: the timeline's cards of the living, none where it is not found. A dead fighter between two
                of one side rules nothing out: it may have been a summon.
            many_spells: whether the spell bar shows more spells than a summon has.
            mine: whether the button is bright for sure; in the turn of an ally that another person plays the
                bar is the player's and the marked card is not.
            whole: whether there are cards for all fighters found on the board; without, another fighter of
                the player's side may be the one that plays.
        """
        own = [card for card in row if card.team != "enemy"]
        place = next((index for index, card in enumerate(row) if card.current), None)
        if place is None or row[place].team == "enemy":
            return "own" if place is not None or whole or many_spells else "unsure"
        playing = row[place]
        if len(own) == 1 and whole:
            self._own = playing.portrait or self._own
            return "own"
        if self._is_own(playing):
            return "own"
        if playing.portrait and any(self._is_own(card) for card in own):
            return "summon"
        if many_spells:
            self._own = (playing.portrait if mine else "") or self._own
            return "own"
        after_own = place > 0 and row[place - 1].team != "enemy"
        return "unsure" if after_own or not whole else "own"
