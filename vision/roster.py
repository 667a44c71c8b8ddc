"""Assigns life and portrait of the timeline's cards to the fighters on the board.

The client does not show which card belongs to which fighter, so only certain matches are used: a side's
only card, values shared by all cards of a side, and the player's card, known by the turn or by its life.
"""

from collections.abc import Sequence
from dataclasses import replace

from vision.signature import SAME, likeness
from vision.view import CardSeen, FighterSeen, Seen

_NEAR = 0.04  # Of a full bar: 0.02 to 0.1 read 88 pictures alike, with 0 two of them show less


def own_card(row: Sequence[CardSeen], mine: bool, life: float | None) -> CardSeen | None:
    """Returns the player's card, None where it is ambiguous.

    Args:
        mine: whether it is the player's turn for sure.
        life: the player's HP as a share of the maximum, None where not read.
    """
    own = [card for card in row if card.team == "own"]
    if len(own) == 1:
        return own[0]
    playing = [card for card in own if card.current]
    if mine and playing:
        return playing[0]
    fitting = [card for card in own if life is not None and _is_about(card.hp_fraction.value, life)]
    return fitting[0] if len(fitting) == 1 else None


def matched(fighters: Sequence[FighterSeen], row: Sequence[CardSeen]) -> tuple[FighterSeen, ...]:
    """Returns fighters of a side with the values that are certain by that side's cards.

    Args:
        row: the side's cards, the player's own left out.
    """
    if len(row) != len(fighters):
        return tuple(fighters)
    life, portrait = common(row)
    return tuple(replace(fighter, hp_fraction=life, portrait=portrait) for fighter in fighters)


def common(row: Sequence[CardSeen]) -> tuple[Seen[float], str]:
    """Returns the life and the portrait that all of some cards show, nothing where they differ."""
    if not row:
        return Seen(), ""
    first = row[0]
    lives = [card.hp_fraction.value for card in row]
    same_life = lives[0] is not None and all(_is_about(life, lives[0]) for life in lives)
    alike = all(likeness(card.portrait, first.portrait) >= SAME for card in row)
    return first.hp_fraction if same_life else Seen(), first.portrait if alike else ""


def _is_about(life: float | None, other: float) -> bool:
    return life is not None and abs(life - other) <= _NEAR
