"""Matches the fighters on the board with the timeline's cards, for their sides and HP.

Where a spell's flash hides a ring, the cards may give the side: by the kind, if only one side has it, or by
elimination, if one fighter and one card are left. Where another body hides the kind, they may give that.
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
    possible = _possible(sightings, cards)
    placed = [_with_side(sighting, cards) for sighting in possible]
    open_places = [place for place, sighting in enumerate(placed) if sighting.team is None]
    doubted = {place for place, sighting in enumerate(sightings) if sighting.team != possible[place].team}
    if len(open_places) == 1 and doubted <= set(open_places):
        placed[open_places[0]] = _left_over(placed, open_places[0], cards)
    placed = _with_own_kinds(placed, cards)
    return [_seen(sighting, sighting.team, cards) for sighting in placed if sighting.team is not None]


def _with_own_kinds(sightings: Sequence[RingSighting], cards: Sequence[TimelineCard]) -> list[RingSighting]:
    """Returns the sightings, a kind of a side at most as often as its cards have it: one may cover another.

    The surest keep it. The others, and those whose kind was not read, have the kind of the cards left over,
    where that is a single one and there are enough of these.
    """
    assigned = list(sightings)
    if any(card.team is None or card.kind.value is None for card in cards):
        return assigned
    left = Counter((card.team, card.kind.value) for card in cards)
    known = set(left)
    open_places = []
    for place in sorted(range(len(assigned)), key=lambda place: -assigned[place].kind.confidence):
        named = assigned[place].team, assigned[place].kind.value
        if left[named] > 0:
            left[named] -= 1
        elif named in known or named[1] is None:
            open_places.append(place)
    for place in open_places:
        side = assigned[place].team
        others = {kind: count for (team, kind), count in left.items() if team == side and count > 0}
        alike = sum(assigned[other].team == side for other in open_places)
        kind: Seen[str] = Seen()
        if len(others) == 1 and sum(others.values()) >= alike:
            kind = Seen(next(iter(others)), _BY_ELIMINATION)
        assigned[place] = replace(assigned[place], kind=kind)
    return assigned


def _possible(sightings: Sequence[RingSighting], cards: Sequence[TimelineCard]) -> list[RingSighting]:
    """Returns the sightings, without a side where there are more of it than cards: a spell's glow on a ring.

    The surest keep their side.
    """
    if not cards or any(card.team is None for card in cards):
        return list(sightings)
    left = Counter(card.team for card in cards)
    remaining = list(sightings)
    for place in sorted(range(len(remaining)), key=lambda place: -remaining[place].certainty):
        team = remaining[place].team
        if team is not None and left[team] == 0:
            remaining[place] = replace(remaining[place], team=None, certainty=0.0)
        elif team is not None:
            left[team] -= 1
    return remaining


def _with_side(sighting: RingSighting, cards: Sequence[TimelineCard]) -> RingSighting:
    """Returns the sighting with its kind's side, where the ring is hidden and only one side has the kind."""
    if sighting.team is not None or sighting.kind.value is None:
        return sighting
    sides = {card.team for card in cards if card.kind.value == sighting.kind.value}
    unread = any(card.kind.value is None for card in cards)
    if len(sides) != 1 or unread:
        return sighting
    return replace(sighting, team=sides.pop(), certainty=_BY_KIND)


def _left_over(sightings: Sequence[RingSighting], place: int, cards: Sequence[TimelineCard]) -> RingSighting:
    """Returns the only sighting without a side with the side of the only unmatched card."""
    if len(cards) != len(sightings) or any(card.team is None for card in cards):
        return sightings[place]
    left = Counter(card.team for card in cards)
    left.subtract(sighting.team for sighting in sightings if sighting.team is not None)
    sides: list[Team | None] = [team for team, count in left.items() if count == 1]
    if len(sides) != 1 or any(count not in (0, 1) for count in left.values()):
        return sightings[place]
    return replace(sightings[place], team=sides[0], certainty=_BY_ELIMINATION)


def _seen(sighting: RingSighting, team: Team, cards: Sequence[TimelineCard]) -> FighterSeen:
    """Returns the fighter; a kind that none of its side's cards has is not told: bodies are animated.

    If those cards are all of one kind, it is theirs.
    """
    sure = sighting.certainty if sighting.cell is not None else 0.5
    kind = sighting.kind
    of_side = [card.kind for card in cards if card.team == team]
    if of_side and all(card.team is not None for card in cards) and all(of_side):
        kinds = {portrait.value for portrait in of_side}
        if len(kinds) == 1:
            kind = min(of_side, key=lambda portrait: portrait.confidence)
        elif kind.value not in kinds:
            kind = Seen()
    hp = _hp(sighting, team, cards)
    return FighterSeen(sighting.px, sighting.cell, team, hp, kind, sure, shield=sighting.shield)


def _hp(sighting: RingSighting, team: Team, cards: Sequence[TimelineCard]) -> Seen[float]:
    bar = sighting.hp_fraction
    if bar is None:
        return Seen()
    shown = [
        card.hp_fraction.value
        for card in cards
        if card.team == team and card.kind.value is not None and card.kind.value == sighting.kind.value
    ]
    known = [value for value in shown if value is not None]
    if known and min(abs(value - bar) for value in known) > _HP_AGREES:
        return Seen()
    return Seen(bar, 0.98 if known else 0.9)
