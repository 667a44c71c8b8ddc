"""Which card of the timeline is which enemy's figure on the board: no single picture of a real client tells.

Over time three things do. Whose card is marked is at turn: the only enemy that has walked meanwhile is its
figure, for sure where no push or pull can have moved it there or as slowly, else after two such turns. A
figure under the mouse has its name written over it, and where one card alone is of that kind it is that
figure's. And once all others are matched, so is the last. A match that something else is sure to speak
against is dropped.

The same tells which enemies out of sight have not moved: the cards that have been at turn since are others'.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from botapp.fight.board import distance, in_line, on_diagonal
from botapp.tracking.names import Names
from vision.roster import common
from vision.signature import likeness
from vision.view import CardSeen, FighterSeen, FightView

_SURE, _LIKELY = 2, 1
"""How much a turn speaks for a match: a walk that cannot be a push, and one that can. Two more than speak for
another match of the same card or figure are enough."""
_SAME_ROW, _CLEARLY = 0.6, 0.1
"""How alike the cards of one fight are on average, and how much more so in one order than in another."""
_MOST_GONE = 3  # Of 12 cards 220 ways to leave out three are compared; more at once are another fight's
_GAP_NS = 2_000_000_000  # After so long without a picture any fighter may have played
_AT_ONCE_NS = 400_000_000
"""No walk is over in so short a time: 2.x walks a cell in 425 ms or more, and runs, at 150 ms a cell, ways of
several cells only. A push is faster."""
_PUSHED_NS, _WALKED_NS = 85_000_000, 600_000_000
"""The longest that a push takes for a cell, and that a walk does: 2.x pushes at 50 to 85 ms a cell, walks at
425 to 510. Two pushes of one turn are two casts, a second and more apart."""


@dataclass(frozen=True, slots=True)
class FigureWalk:
    """A figure that is seen elsewhere than before."""

    key: int  # Whose it is
    start: int  # The cell where it stood
    end: int  # Where it stands now
    turn: int  # The number of the turn in which it stood there last


@dataclass(slots=True)
class Figures:
    """Which figure of a picture is which enemy of the one before, where that is sure, by their cells alone.

    A figure that stands where one stood is the same. One that is gone and one that has come are the same if
    all others are in sight and known; of several that moved unseen none is known again.
    """

    # Who stands where, key by cell; newcomers among them have a key that is theirs for now
    at: dict[int, int] = field(default_factory=dict)
    # Who is not seen now, key by the cell where it stood
    missing: dict[int, int] = field(default_factory=dict)
    lost: bool = False  # Whether figures of the last picture could not be matched
    _newcomers: set[int] = field(default_factory=set)
    _turns: dict[int, int] = field(default_factory=dict)
    _next: int = 0

    @property
    def settled(self) -> bool:
        """Whether each figure in sight is matched to a fighter, and none is missing."""
        return not self._newcomers and not self.missing

    def see(self, cells: frozenset[int], alive: int, turn: int) -> FigureWalk | None:
        """Takes in a picture; returns which fighter has walked, None if none has or it is unsure.

        Args:
            alive: how many there are by the timeline.
            turn: the number of the turn, counted up with each fighter's turn.
        """
        first = not self.at and not self.missing
        before, self.at = self.at, {}
        for cell in cells:
            key = before.pop(cell, None)
            if key is None:
                key = self.missing.pop(cell, None)
            if key is None:
                key, self._next = self._next, self._next + 1
                if not first:
                    self._newcomers.add(key)
            self.at[cell] = key
        self._newcomers &= set(self.at.values())
        self.missing |= {cell: key for cell, key in before.items() if key in self._turns}
        walk = self._walk() if len(cells) == alive else None
        self.lost = len(cells) >= alive and bool(self._newcomers)
        if len(cells) >= alive:
            self.missing.clear()
            self._newcomers.clear()
        known = {key for key in self.at.values() if key not in self._newcomers}
        self._turns = dict.fromkeys(known, turn) | {
            key: last for key, last in self._turns.items() if key in self.missing.values()
        }
        return walk

    def _walk(self) -> FigureWalk | None:
        """Knows the only newcomer for the only one missing, all others being there."""
        if len(self.missing) != 1 or len(self._newcomers) != 1:
            return None
        (start, key), (new,) = next(iter(self.missing.items())), self._newcomers
        end = next(cell for cell, key in self.at.items() if key == new)
        self.at[end] = key
        self.missing.clear()
        self._newcomers.clear()
        return FigureWalk(key, start, end, self._turns[key])


@dataclass(frozen=True, slots=True)
class _Card:
    """A card of an enemy, known again as long as its fighter lives."""

    key: int
    seen: CardSeen


_Token = tuple[str, int]
"""A card known again: ("enemy", its key) or ("own", its number among those of the player's side)."""


@dataclass(frozen=True, slots=True)
class _OwnWalk:
    """How a figure has walked this turn."""

    start: int
    begun_ns: int  # When it was first seen elsewhere
    steps: int = 0  # How many cells it has walked since
    sure: bool = False  # Whether it was where no push or pull leads, or as slow as only a walk is

    def on(self, walk: FigureWalk, now: int, since: int) -> "_OwnWalk":
        """Returns the walk with another part of it, seen at `now`, `since` ns after the picture before."""
        steps = self.steps + distance(walk.start, walk.end)
        took = now - self.begun_ns
        slow = _PUSHED_NS * steps + since <= took <= _WALKED_NS * steps + since
        sure = self.sure or slow or not _may_be_push(self.start, walk.end)
        return replace(self, steps=steps, sure=sure)


class CardMatcher:
    """Follows one fight, view by view."""

    def __init__(self) -> None:
        self._cards: list[_Card] = []
        self._next = 0
        self._figures = Figures()
        self._votes: Counter[tuple[int, int]] = Counter()
        self._turn = 0
        self._playing: int | None = None
        self._walked: dict[int, _OwnWalk] = {}
        self._unclear = False
        self._seen_ns = 0
        self._marked: _Token | None = None
        self._marked_ns = 0
        self._player: _Token | None = None
        self._strayed: set[int] = set()
        self._shown_ns: dict[int, int] = {}

    def follow(self, view: FightView, names: Names) -> FightView:
        """Returns the view with life and portrait of the cards that are surely an enemy's.

        `unmoved` is filled in as well.

        Args:
            view: what was read; fighters that have a life or a portrait keep them.
        """
        row = [card for card in view.timeline if card.team == "enemy"]
        if not row or any(card.kind is not None for card in row):
            return view
        self._line_up(row)
        since = view.captured_ns - self._seen_ns
        gap = since > _GAP_NS
        self._seen_ns = view.captured_ns
        self._take_turn(next((card.key for card in self._cards if card.seen.current), None), gap)
        cells = frozenset(enemy.cell for enemy in view.enemies if enemy.cell is not None)
        self._note(self._figures.see(cells, len(row), self._turn), since)
        missing = {key: self._shown_ns[key] for key in self._figures.missing.values()}
        self._shown_ns = missing | dict.fromkeys(self._figures.at.values(), view.captured_ns)
        for enemy in view.enemies:
            if enemy.cell is not None and enemy.name:
                self._hear(enemy, names)
        matched = self._with_cards(view.enemies, len(cells) == len(row))
        return replace(view, enemies=matched, unmoved=self._unmoved(view))

    def _unmoved(self, view: FightView) -> frozenset[int]:
        """Returns the cells of enemies out of sight that have not been at turn since they were seen there.

        An ally may push them in its turn. Without a marked card it is not known who has been at turn. An
        enemy seen less than `_AT_ONCE_NS` ago has not walked since.
        """
        played = self._played_since(view)
        missing = self._figures.missing
        self._strayed &= set(missing.values())
        if not missing:
            return frozenset()
        if played is None:
            self._strayed |= set(missing.values())
            return frozenset()
        of_card = dict(self._matches(self._votes + self._of_this_turn()))
        of_figure = {figure: card for card, figure in of_card.items()}
        for figure in missing.values():
            at_once = view.captured_ns - self._shown_ns[figure] <= _AT_ONCE_NS
            movers = [token for token in played if not at_once or token[0] != "enemy"]
            if any(self._may_move(figure, token, of_card, of_figure) for token in movers):
                self._strayed.add(figure)
        is_known = any(card.current for card in view.timeline)
        return frozenset(cell for cell, figure in missing.items() if is_known and figure not in self._strayed)

    def _may_move(
        self, figure: int, token: _Token, of_card: dict[int, int], of_figure: dict[int, int]
    ) -> bool:
        side, key = token
        if side != "enemy":
            return token != self._player
        return of_card.get(key, figure) == figure and of_figure.get(figure, key) == key

    def _played_since(self, view: FightView) -> list[_Token] | None:
        """Returns whose turns there were since the last view with a marked card, None where that is unknown.

        They play in the order of the cards; of those that died meanwhile nothing is known.
        """
        tokens, now = self._tokens(view), None
        for token, card in zip(tokens, view.timeline, strict=True):
            now = token if card.current else now
        before, since = self._marked, view.captured_ns - self._marked_ns
        if now is None:
            return [] if before is not None and since <= _GAP_NS else None
        self._marked, self._marked_ns = now, view.captured_ns
        if view.turn.value == "mine":
            self._player = now
        if before is None or before not in tokens or since > _GAP_NS:
            return None
        first, last = tokens.index(before), tokens.index(now)
        return tokens[first : last + 1] if first <= last else tokens[first:] + tokens[: last + 1]

    def _tokens(self, view: FightView) -> list[_Token]:
        enemies = (("enemy", card.key) for card in self._cards)
        own = (("own", number) for number in range(len(view.timeline)))
        return [next(enemies if card.team == "enemy" else own) for card in view.timeline]

    def _line_up(self, row: Sequence[CardSeen]) -> None:
        """Knows the cards again; after another fight's none of the old ones."""
        same = _same_cards([card.seen for card in self._cards], row)
        result: list[_Card] = []
        for place, seen in enumerate(row):
            old = same.get(place)
            if old is None:
                self._next += 1
            result.append(_Card(self._next if old is None else self._cards[old].key, seen))
        if self._cards and not same:
            self._votes.clear()
        self._cards = result

    def _take_turn(self, playing: int | None, gap: bool) -> None:
        """Ends a turn once another card is marked, or where it was not watched, and says what it tells."""
        if playing == self._playing and not gap:
            return
        if self._figures.settled and not self._unclear and not gap:
            self._votes += self._of_this_turn()
        self._playing, self._walked = playing, {}
        self._unclear = gap or not self._figures.settled
        self._turn += 1

    def _of_this_turn(self) -> Counter[tuple[int, int]]:
        """Returns what this turn tells: whose card is marked is the only figure that has walked."""
        if self._playing is None or len(self._walked) != 1:
            return Counter()
        key, walk = next(iter(self._walked.items()))
        return Counter({(self._playing, key): _SURE if walk.sure else _LIKELY})

    def _note(self, walk: FigureWalk | None, since: int) -> None:
        """Notes a walk of this turn; one that was not seen may be any fighter's.

        Args:
            since: how long after the picture before, in ns.
        """
        self._unclear |= self._figures.lost
        if walk is not None and walk.turn == self._turn:
            before = self._walked.get(walk.key)
            first = _OwnWalk(walk.start, self._seen_ns, sure=not _may_be_push(walk.start, walk.end))
            self._walked[walk.key] = first if before is None else before.on(walk, self._seen_ns, since)
        elif walk is not None:
            self._unclear = True

    def _hear(self, enemy: FighterSeen, names: Names) -> None:
        """Matches the figure under the mouse with the only card of its kind, all cards being named."""
        named = names.find("portraits", enemy.name)
        cards = [(card.key, names.find("portraits", card.seen.portrait)) for card in self._cards]
        if named is None or any(kind is None for _, kind in cards) or enemy.cell is None:
            return
        of_kind = [key for key, kind in cards if kind is not None and kind[0] == named[0]]
        if len(of_kind) == 1:
            pair = of_kind[0], self._figures.at[enemy.cell]
            self._votes[pair] = max(_SURE, self._votes[pair])

    def _with_cards(self, enemies: Sequence[FighterSeen], all_there: bool) -> tuple[FighterSeen, ...]:
        """Returns the enemies with what their cards show; of the cards left what all of them show."""
        by_key = {card.key: card.seen for card in self._cards}
        at = self._figures.at
        matches = {
            figure: by_key.pop(card) for card, figure in self._matches(self._votes) if figure in at.values()
        }
        rest = common(list(by_key.values()) if all_there else ())
        result = []
        for enemy in enemies:
            card = matches.get(at[enemy.cell]) if enemy.cell is not None else None
            life, portrait = (card.hp_fraction, card.portrait) if card is not None else rest
            result.append(
                replace(
                    enemy,
                    hp_fraction=enemy.hp_fraction if enemy.hp_fraction else life,
                    portrait=enemy.portrait or portrait,
                )
            )
        return tuple(result)

    def _matches(self, votes: Counter[tuple[int, int]]) -> list[tuple[int, int]]:
        """Returns the matches of cards and figures, by key, that enough speaks for.

        One turn that may have been a push speaks against a match no more than it speaks for one.
        """
        alive = {card.key for card in self._cards}
        matches = []
        for (card, figure), number in votes.items():
            others = (
                votes[other_card, other_figure]
                for other_card, other_figure in votes
                if (other_card == card) != (other_figure == figure)
            )
            against = max(others, default=0)
            if card in alive and against <= _LIKELY and number - against >= _SURE:
                matches.append((card, figure))
        return matches


def _same_cards(before: Sequence[CardSeen], now: Sequence[CardSeen]) -> dict[int, int]:
    """Returns which card of now, by its place, is which of before, as far as that is sure.

    Cards keep their order; some of them may have gone, or others come.
    """
    if not before:
        return {}
    if len(before) == len(now):
        alike = _likeness(before, now) >= _SAME_ROW
        return {place: place for place in range(len(now))} if alike else {}
    many, few = (before, now) if len(before) > len(now) else (now, before)
    if len(many) - len(few) > _MOST_GONE:
        return {}
    ways = {
        way: _likeness([many[place] for place in way], few)
        for way in combinations(range(len(many)), len(few))
    }
    best = max(ways.values(), default=0.0)
    likely = [way for way, likeness_of in ways.items() if likeness_of > best - _CLEARLY / len(few)]
    if best < _SAME_ROW:
        return {}
    sure = {}
    for place in range(len(few)):
        places = {way[place] for way in likely}
        if len(places) == 1:
            sure[place] = places.pop()
    return sure if many is before else {place: old for old, place in sure.items()}


def _likeness(row: Sequence[CardSeen], before: Sequence[CardSeen]) -> float:
    pairs = zip(row, before, strict=True)
    return sum(likeness(card.portrait, old.portrait) for card, old in pairs) / max(1, len(row))


def _may_be_push(start: int, end: int) -> bool:
    return in_line(start, end) or on_diagonal(start, end)
