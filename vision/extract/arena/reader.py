"""Reads a frame of the arena: combines board, fighters, timeline and HUD.

Where a value is shown twice (a fighter's bar and its card, the button and the current card) and the
readings differ, it is withheld.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.extract.arena import lattice, paints, roster
from vision.extract.arena.board import ArenaBoardReader, ArenaBoardSeen
from vision.extract.arena.fighters import FighterReader, RingSighting
from vision.extract.arena.hud import ArenaHudReader
from vision.extract.arena.log import LogReader
from vision.extract.arena.timeline import ArenaTimelineReader, TimelineCard
from vision.frame import Rect
from vision.message import say
from vision.profiles.arena import NUMBERS, FightRules
from vision.profiles.profile import Profile
from vision.view import CardSeen, FighterSeen, FightView, Highlight, Lattice, Phase, Seen, Turn

_SETTLED = 0.6
_STARTS = frozenset(("red_start", "blue_start"))


@dataclass(slots=True)
class _KnownBoard:
    """The lattice and board reader for one frame size, and the last reading of the board."""

    lattice: Lattice
    confidence: float
    board: ArenaBoardReader
    hidden: npt.NDArray[np.bool_]
    sampled: npt.NDArray[np.uint32] | None = None
    standing: tuple[tuple[float, float], ...] = ()
    cards: int = -1
    seen: ArenaBoardSeen | None = None


class ArenaReader:
    """Reads frames of the arena, at the places in its profile."""

    def __init__(self, profile: Profile, fight: FightRules) -> None:
        self._profile = profile
        self._rules = fight
        self._palette = paints.board(profile, fight)
        self._hud = ArenaHudReader(profile, fight)
        self._fighters = FighterReader(profile, fight, self._palette)
        self._timeline = ArenaTimelineReader(profile, fight)
        self._log = LogReader(profile, fight)
        self._place: tuple[Rect, _KnownBoard] | None = None

    def read(self, pixels: npt.NDArray[np.uint8], client: Rect) -> FightView:
        """Reads a picture in BGRA that shows the client area."""
        phase, missing = self._hud.phase(pixels, client)
        if phase == Phase.NOT_FIGHT:
            return FightView(client=client, phase=Seen(phase, 0.95), reason=say("The fight is over."))
        if phase == Phase.UNKNOWN:
            return FightView(
                reason=say(
                    "The HUD of {client} is not where it should be: {missing}.",
                    client=self._profile.name,
                    missing=missing,
                )
            )
        packed = pixels.view(np.uint32)[..., 0]
        place = self._placed(packed, client)
        area = client._replace(height=client.height - self._band(client).height)
        cards = self._timeline.read(packed, client)
        sightings = self._fighters.read(packed, place.lattice, area)
        board = self._board(place, packed, sightings, cards)
        fighters = roster.assign_sides(sightings, cards)
        own = [fighter for fighter in fighters if fighter.team == "own"]
        lit = _lit(board.highlights, {sighting.cell for sighting in sightings}, own)
        shown = _phase(lit)
        if not shown:
            lit = {name: cells for name, cells in lit.items() if name not in _STARTS}
        numbers = {name: self._hud.number(pixels, client, name) for name in NUMBERS}
        return FightView(
            client=client,
            phase=shown,
            turn=_turn(self._hud.turn(pixels, client), cards),
            lattice=Seen(place.lattice, place.confidence) if place.confidence > 0.5 else Seen(),
            cells=board.cells,
            cell_confidence=board.confidence,
            highlights=lit,
            signs=board.signs,
            player=own[0] if len(own) == 1 else None,
            allies=tuple(fighter for fighter in fighters if fighter.team == "ally"),
            enemies=tuple(fighter for fighter in fighters if fighter.team == "enemy"),
            spells=self._hud.spells(pixels, client),
            fighters_shown=Seen(len(cards), 0.95) if cards else Seen(),
            hp=numbers["hp"],
            max_hp=numbers["max_hp"],
            shield=self._hud.shield(pixels, client),
            ap=numbers["ap"],
            mp=numbers["mp"],
            timer_s=numbers["timer_s"],
            turn_number=numbers["turn_number"],
            log=self._log.read(pixels, client),
            order=_order(cards),
        )

    def _placed(self, packed: npt.NDArray[np.uint32], client: Rect) -> _KnownBoard:
        """Returns the board of this frame size, located anew if the size is new or the lattice unsure."""
        if self._place is not None and self._place[0] == client and self._place[1].confidence >= _SETTLED:
            return self._place[1]
        refined, confidence = lattice.refine(packed, self._palette, self._profile.lattice(client))
        board = ArenaBoardReader(
            self._profile, self._rules, self._palette, refined, client.width, client.height
        )
        hidden = board.under([self._band(client)])
        self._place = (client, _KnownBoard(refined, confidence, board, hidden))
        return self._place[1]

    def _band(self, client: Rect) -> Rect:
        height = round(self._profile.board.bottom * self._profile.unit(client))
        return Rect(client.x, client.bottom - height, client.width, height)

    def _board(
        self,
        place: _KnownBoard,
        packed: npt.NDArray[np.uint32],
        sightings: Sequence[RingSighting],
        cards: Sequence[TimelineCard],
    ) -> ArenaBoardSeen:
        """Reads the board, or returns the last reading when no sampled pixel has changed."""
        sampled = place.board.gather(packed)
        standing = tuple(sighting.px for sighting in sightings)
        same = (
            place.seen is not None
            and place.standing == standing
            and place.cards == len(cards)
            and np.array_equal(sampled, place.sampled)  # type: ignore[arg-type]
        )
        if not same:
            grounds = {s.cell: s.ground for s in sightings if s.cell is not None}
            hidden = place.hidden | place.board.under([self._cards_box(cards)])
            place.seen = place.board.read(sampled, grounds, standing, hidden)
            place.sampled, place.standing, place.cards = sampled, standing, len(cards)
        assert place.seen is not None
        return place.seen

    def _cards_box(self, cards: Sequence[TimelineCard]) -> Rect:
        if not cards:
            return Rect(0, 0, 0, 0)
        pad = cards[0].box.width
        left, top = cards[0].box.x - pad, 0
        return Rect(left, top, cards[-1].box.right + 12 - left, max(c.box.bottom for c in cards) + 8)


def _lit(
    highlights: Mapping[Highlight, frozenset[int]], taken: set[int | None], own: Sequence[FighterSeen]
) -> dict[Highlight, frozenset[int]]:
    """Returns the highlights without what may be glyphs or the glow of a spell that strikes.

    Those are start cells that are under fighters only, and reachable ones away from the player.
    """
    lit = {name: cells for name, cells in highlights.items() if name not in _STARTS or cells - taken}
    near = {
        int(cell) for fighter in own if fighter.cell is not None for cell in grid.NEIGHBOURS[fighter.cell]
    }
    if not near & lit.get("reachable", frozenset()):
        lit.pop("reachable", None)
    return lit


def _phase(lit: Mapping[Highlight, frozenset[int]]) -> Seen[Phase]:
    """Returns the phase: both sides' start cells are lit for placement, one side's may be a spell's glow."""
    starts = len(_STARTS & set(lit))
    if starts == 1:
        return Seen()
    return Seen(Phase.PLACEMENT if starts else Phase.FIGHT, 0.99)


def _order(cards: Sequence[TimelineCard]) -> tuple[CardSeen, ...]:
    """Returns the cards in the order of play, none where a side or kind is not known."""
    seen = tuple(
        CardSeen(card.box, card.team, card.current, card.hp_fraction, kind=card.kind.value)
        for card in cards
        if card.team is not None and card.kind
    )
    return seen if len(seen) == len(cards) else ()


def _turn(button: Seen[Turn], cards: Sequence[TimelineCard]) -> Seen[Turn]:
    """Returns whose turn it is by the current card; None where the button contradicts it."""
    current = [card.team for card in cards if card.current]
    if len(current) != 1 or current[0] is None:
        return Seen()
    turn: Turn = "mine" if current[0] == "own" else "other"
    if not button or (button.value == "mine" and turn == "other"):
        return Seen()
    return Seen(turn, min(0.99, button.confidence))
