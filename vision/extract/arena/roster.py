"""Matches the fighters on the board with the timeline's cards, for their sides and HP.

Where a spell's flash hides a ring, the cards may give the side: by the kind, if only one side has it, or by
elimination, if one fighter and one card are left. Next hop: the `FightView`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from vision.extract.arena.fighters import RingSighting
from vision.extract.arena.timeline import TimelineCard
from vision.view import FighterSeen, Seen, Team

_HP_AGREES = 0.06
_BY_KIND, _BY_ELIMINATION = 0.85, 0.7


def assign_sides(sightings: Sequence[RingSighting], cards: Sequence[TimelineCard]) -> list[FighterSeen]:
    """Returns the fighters whose side is known; an HP that their cards contradict is None."""
    found = [_with_side(sighting, cards) for sighting in sightings]
    open_places = [place for place, sighting in enumerate(found) if sighting.team is None]
    if len(open_places) == 1:
        found[open_places[0]] = _left_over(found, open_places[0], cards)
    return [_seen(sighting, sighting.team, cards) for sighting in found if sighting.team is not None]


def _with_side(sighting: RingSighting, cards: Sequence[TimelineCard]) -> RingSighting:
    """Returns the sighting with its kind's side, where the ring is hidden and only one side has the kind."""
    if sighting.team is not None or sighting.kind.value is None:
        return sighting
    sides = {card.team for card in cards if card.kind.value == sighting.kind.value}
    unread = any(card.kind.value is None for card in cards)
    if len(sides) != 1 or unread:
        return sighting
    return replace(sighting, team=sides.pop(), certainty=_BY_KIND)


def _left_over(found: Sequence[RingSighting], place: int, cards: Sequence[TimelineCard]) -> RingSighting:
    """Returns the only sighting without a side with the side of the only unmatched card."""
    if len(cards) != len(found) or any(card.team is None for card in cards):
        return found[place]
    left = Counter(card.team for card in cards)
    left.subtract(sighting.team for sighting in found if sighting.team is not None)
    sides: list[Team | None] = [team for team, count in left.items() if count == 1]
    if len(sides) != 1 or any(count not in (0, 1) for count in left.values()):
        return found[place]
    return replace(found[place], team=sides[0], certainty=_BY_ELIMINATION)


def _seen(sighting: RingSighting, team: Team, cards: Sequence[TimelineCard]) -> FighterSeen:
    """Returns the fighter; if its side has one card, the kind is the portrait's: bodies are animated."""
    sure = sighting.certainty if sighting.cell is not None else 0.5
    kind = sighting.kind
    of_side = [card for card in cards if card.team == team]
    if len(of_side) == 1 and of_side[0].kind and all(card.team is not None for card in cards):
        kind = of_side[0].kind
    hp = _hp(sighting, team, cards)
    return FighterSeen(sighting.px, sighting.cell, team, hp, kind, sure, shield=sighting.shield)


def _hp(sighting: RingSighting, team: Team, cards: Sequence[TimelineCard]) -> Seen[float]:
    bar = sighting.hp_fraction
    shown = [
        card.hp_fraction.value
        for card in cards
        if card.team == team and card.kind.value is not None and card.kind.value == sighting.kind.value
    ]
    known = [value for value in shown if value is not None]
    if known and min(abs(value - bar) for value in known) > _HP_AGREES:
        return Seen()
    return Seen(bar, 0.98 if known else 0.9)
