"""Who is who: each fighter of a picture is one known before or a new one, each card of the timeline is whose.

All fighters of a picture are assigned at once, at the least cost. Costs are in cells of a walk: to stand
where one stood costs nothing, a walk its length, and HP that changed as much as a walk. A kind or a side
that differs is a misreading only on the very cell of a missing fighter.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from botapp.fight.board import CELLS, distance
from botapp.fight.state import Fighter, FightState
from vision.view import CardSeen, FighterSeen, FightView, Team

PLAYER_ID = 0  # In states made here; the others count from 1
OWN_TEAM, ENEMY_TEAM = 0, 1  # In states made here
_WALKS = 2.0
"""What a walk costs besides its cells: one fighter that walked far is likelier than two that walked less. In
12 films with gaps of 2 to 5 s 18 of 4,086 sightings are then taken for another fighter's, as many with 5, and
47 with 0. A cost for cells beyond the fighter's MP changed nothing at 1 a cell and made it 47 at 3."""
_HEALTH = 10.0
"""What a change by the whole bar costs, so that two of a kind that changed places, as spells make them, are
told apart. In films and fights of the arena, with gaps too, nothing hangs on it (0 to 20 tried)."""
_UNPLACED = float(CELLS)  # Of a fighter without a cell nothing is known but side and kind: after all others
_MISREAD, _NEW = 1e4, 1e6
"""Sums of the costs above stay below 1e4 for 12 fighters: as few as possible are new, then as few misread."""
CARD_STEP = 0.04
"""How well the life bar of a card of 33 to 41 pixels is read, as a share: of drawn ones 19 in 20 are off by
at most 0.02 on Retro, 0.04 on Unity, 0.07 on 2.x (seeds 4778, 4779). In 12 films 0.02 changes no state, 0.08
57 of 4,320."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A fighter other than the player, as last seen. `id` stays the same from picture to picture.

    `old_life` says that its share of HP is an earlier one, and that it has another by now; `strayed`, of one
    out of sight, that it may have walked since.
    """

    id: int
    team: Team
    cell: int | None
    kind: str | None
    hp_fraction: float | None
    shield: float | None = None
    old_life: bool = False
    strayed: bool = False


def assigned(costs: Sequence[Sequence[float]]) -> list[int]:
    """Returns a column for each row, no column twice, so that the sum of the costs is the least.

    Rows are added one by one along the cheapest chain of exchanges (Kuhn 1955, with Jonker and Volgenant's
    prices of rows and columns), exact for any number of them; scipy, which has it too, is not required by
    anything else here and takes 100 MB.

    Args:
        costs: by row and column; no more rows than columns.
    """
    width = len(costs[0]) if costs else 0
    of_row, of_column = [0.0] * (len(costs) + 1), [0.0] * (width + 1)
    row_at = [-1] * (width + 1)  # the last column is where the row that is added begins
    for row in range(len(costs)):
        row_at[width], column = row, width
        least, before, closed = [float("inf")] * width, [width] * width, [False] * (width + 1)
        while row_at[column] != -1:
            closed[column], here = True, row_at[column]
            step, nearest = float("inf"), column
            for to in range(width):
                if closed[to]:
                    continue
                cost = costs[here][to] - of_row[here] - of_column[to]
                if cost < least[to]:
                    least[to], before[to] = cost, column
                if least[to] < step:
                    step, nearest = least[to], to
            for to in range(width + 1):
                if closed[to]:
                    of_row[row_at[to]] += step
                    of_column[to] -= step
                elif to < width:
                    least[to] -= step
            column = nearest
        while column != width:
            row_at[column] = row_at[before[column]]
            column = before[column]
    places = {row: column for column, row in enumerate(row_at[:width]) if row != -1}
    return [places[row] for row in range(len(costs))]


def identified(
    view: FightView, known: Sequence[Sighting] = (), believed: FightState | None = None
) -> tuple[Sighting, ...]:
    """Gives every fighter but the player the id it had before, filling gaps with what was seen of it then.

    A fighter whose kind or side was misread has those believed. None of them is the player's, which is read
    apart, though one may stand where the player was seen last.

    Args:
        known: the others as last seen, those out of sight too.
        believed: the fight as it is believed, None before there is one.
    """
    seen = view.others
    fighters = believed.fighters if believed is not None else ()
    alive = {fighter.id: fighter for fighter in fighters if fighter.alive and fighter.id != PLAYER_ID}
    before = {old.id: old for old in known}
    ids = _ids(seen, before, alive, {fighter.id for fighter in fighters})
    own = view.own_cell
    taken = {fighter.cell for fighter in seen} | {own}
    result = []
    for fighter, number in zip(seen, ids, strict=True):
        old, was = before.get(number), alive.get(number)
        cell = fighter.cell
        if cell is None and old is not None and old.cell not in taken:
            cell = old.cell
        sighting = Sighting(
            number,
            fighter.team,
            None if cell == own else cell,
            fighter.kind.value or (old.kind if old is not None else None),
            fighter.hp_fraction.value,
            fighter.shield.value,
        )
        if was is not None and (old is None or not _is_alike(fighter, old)):
            sighting = replace(sighting, kind=was.kind, team="ally" if was.team == OWN_TEAM else "enemy")
        if sighting.hp_fraction is None and old is not None:
            sighting = replace(sighting, hp_fraction=old.hp_fraction, old_life=old.old_life)
        result.append(sighting)
    read = {number for number, fighter in zip(ids, seen, strict=True) if fighter.hp_fraction}
    return tuple(sorted(_with_age(view, result, read), key=lambda sighting: sighting.id))


def _ids(
    seen: Sequence[FighterSeen], before: dict[int, Sighting], alive: dict[int, Fighter], used: set[int]
) -> list[int]:
    """Returns the id of each fighter seen; new ones have ids that no fighter of the fight has had."""
    numbers = [*before, *(alive.keys() - before.keys())]
    new = [_NEW] * len(seen)
    costs = [[_cost(fighter, before.get(n), alive.get(n)) for n in numbers] + new for fighter in seen]
    places = assigned(costs)
    result = {row: numbers[place] for row, place in enumerate(places) if place < len(numbers)}
    result = {row: number for row, number in result.items() if costs[row][places[row]] < _NEW}
    free = (n for n in range(PLAYER_ID + 1, CELLS) if n not in used | {*result.values()})
    strangers = [row for row in range(len(seen)) if row not in result]
    strangers.sort(key=lambda row: (seen[row].team, seen[row].cell or 0))
    result |= dict(zip(strangers, free, strict=False))
    return [result[row] for row in range(len(seen))]


def _cost(seen: FighterSeen, old: Sighting | None, was: Fighter | None) -> float:
    """Returns how unlike a fighter is to one known before, in cells of a walk; `_NEW` where it is another.

    Args:
        old: how that one was seen last, None where it never was.
        was: what is believed of it, None where it is not believed to be alive.
    """
    if old is None or not _is_alike(seen, old):
        return _MISREAD if was is not None and seen.cell is not None and seen.cell == was.cell else _NEW
    if seen.cell is None or old.cell is None:
        return _UNPLACED
    way, life, before = distance(seen.cell, old.cell), seen.hp_fraction.value, old.hp_fraction
    cost = way + _WALKS * (way > 0)
    if life is not None and before is not None and not old.old_life:
        cost += _HEALTH * abs(life - before)
    return cost


def _is_alike(seen: FighterSeen, old: Sighting) -> bool:
    return seen.team == old.team and (old.kind is None or seen.kind.value in (None, old.kind))


def _with_age(view: FightView, sightings: list[Sighting], read: set[int]) -> list[Sighting]:
    """Returns the sightings, those with an old life marked; `read` are the ids of those read in this view."""
    lives = {
        sighting.id: sighting.hp_fraction
        for sighting in sightings
        if sighting.team == "enemy" and sighting.id not in read and sighting.hp_fraction is not None
    }
    old = outdated(view, list(lives.values()))
    if old is None:
        return sightings
    aged = dict(zip(lives, old, strict=True))
    return [replace(sighting, old_life=aged.get(sighting.id, False)) for sighting in sightings]


def outdated(view: FightView, lives: Sequence[float]) -> list[bool] | None:
    """Tells of lives that enemies had before whether they are old; None without a timeline.

    A figure's HP are read only while its card is known. Where it no longer is, the last value stays, and is
    old once the cards left over show no such life, or fewer than there are figures that should have it.

    Args:
        view: what was read; the enemies whose life it shows have claimed their cards.
        lives: the shares of life of the other enemies, as read last.
    """
    shown = [card.hp_fraction.value for card in view.timeline if card.team == "enemy"]
    if not shown:
        return None
    left = [life for life in shown if life is not None]
    for enemy in view.enemies:
        if (life := enemy.hp_fraction.value) is not None and left:
            nearest = min(left, key=lambda shown_life: abs(shown_life - life))
            if abs(nearest - life) <= CARD_STEP:
                left.remove(nearest)
    return [_count(left, life) < _count(lives, life) for life in lives]


def _count(lives: Iterable[float], life: float) -> int:
    return sum(abs(near - life) <= CARD_STEP for near in lives)


def owners(
    cards: Sequence[CardSeen], sightings: Sequence[Sighting], order: Sequence[int]
) -> tuple[tuple[int, ...], int | None]:
    """Returns the fighters' ids in the order of the timeline's cards, and whose card is the current one.

    Of several of a side and kind the card goes by HP, else by the order believed; with a card that is no
    fighter's there is no order.

    Args:
        order: the ids in the order of play that is believed.
    """
    place = {number: rank for rank, number in enumerate(order)}
    ranked = sorted(sightings, key=lambda sighting: place.get(sighting.id, sighting.id))
    others = [card for card in cards if card.team != "own"]
    if len(others) > len(ranked):
        return (), None
    costs = [
        [_card_cost(card, turn, sighting, rank) for rank, sighting in enumerate(ranked)]
        for turn, card in enumerate(others)
    ]
    places = assigned(costs)
    if any(costs[row][column] >= _NEW for row, column in enumerate(places)):
        return (), None
    of_others = iter(ranked[column].id for column in places)
    line = tuple(PLAYER_ID if card.team == "own" else next(of_others) for card in cards)
    return line, next((number for number, card in zip(line, cards, strict=True) if card.current), None)


def _card_cost(card: CardSeen, turn: int, sighting: Sighting, rank: int) -> float:
    """Returns how unlike a card is to a fighter's: its life counts before its place in the order of play.

    Places cost their distance squared, so that of cards that are alike none is exchanged.
    """
    if (sighting.team, sighting.kind) != (card.team, card.kind):
        return _NEW
    life, on_card = sighting.hp_fraction, card.hp_fraction.value
    steps = 0 if life is None or on_card is None else round(abs(life - on_card) / CARD_STEP)
    return _MISREAD * steps + (turn - rank) ** 2
