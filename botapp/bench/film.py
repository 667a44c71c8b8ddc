"""Films fights: what a client's window shows, ten pictures a second, and what was there in each of them.

Fights between the arena's fighters go by the rules on boards drawn at random, in the manner of a client.
The fighters walk from cell to cell, spells flash, damage floats up, the timer ticks, the pointer wanders,
and now and then a window covers part of the screen. Between two fights the player is elsewhere.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise

import cv2
import numpy as np
import numpy.typing as npt

from botapp.arena.players.simple import GreedyPlayer
from botapp.arena.scenarios import outcome
from botapp.content.library import classes, monsters
from botapp.fight.actions import Action, Cast, Move
from botapp.fight.order import turn_order
from botapp.fight.ranges import reachable
from botapp.fight.refusals import hindrances
from botapp.fight.rules import apply
from botapp.fight.state import CellFlag, Fighter, FightMap, FightState
from vision.frame import Rect, bgra
from vision.profiles import load
from vision.synthetic import board, hud_sample, painting, scenery
from vision.synthetic.board import DrawnFight, DrawnFighter
from vision.synthetic.canvas import Drawing, Picture, Typeface
from vision.synthetic.clients import CLIENTS
from vision.synthetic.hud_sample import DrawnHud
from vision.view import CellKind

RATE = 10  # Pictures a second

CLASS = "ember"  # The class that the player plays

_PALETTES = ("stone", "grass", "wood", "sand", "meadow", "hall")
_TURN_S = 30
_STARTS = 8
_PLAYER = 0
_WHO, _GROUND, _FLOOR, _LIT, _STANDING, _HUD = range(6)


@dataclass(frozen=True, slots=True)
class Shown:
    """What a picture shows of a fight.

    Attributes:
        turn: number of the player's turn in the film, from 1; 0 in others' turns.
        enemies, allies: the cells of the others.
    """

    mine: bool
    turn: int
    own: int
    enemies: frozenset[int]
    allies: frozenset[int]
    hp: int
    ap: int
    mp: int


@dataclass(frozen=True, slots=True)
class FilmFrame:
    """A picture of a film."""

    pixels: npt.NDArray[np.uint8]  # BGRA, uint8, shape (height, width, 4)
    shown: Shown | None  # What it shows of a fight, None before and after
    covered: Rect | None


@dataclass(frozen=True, slots=True)
class _Scene:
    """A moment: the board's fight as drawn, the HUD, what floats over a cell, and how far it has risen."""

    fight: DrawnFight
    hud: DrawnHud
    shown: Shown | None
    over: tuple[tuple[int, str], ...] = ()
    age: float = 0.0


class _WindowOver:
    """A window that covers part of the screen for some seconds, every now and then."""

    def __init__(self, seed: int, size: tuple[int, int]) -> None:
        self.box: Rect | None = None  # Where it lies now
        self._dice, self._size = random.Random(f"windows {seed}"), size
        self._change_at = 15 * RATE

    def draw(self, canvas: Drawing, index: int) -> None:
        """Draws it over a picture, the pictures being taken in their order."""
        if index >= self._change_at:
            seconds = (2, 5) if self.box is None else (15, 40)
            self._change_at = index + RATE * self._dice.randint(*seconds)
            self.box = self._placed() if self.box is None else None
        if self.box is not None:
            box = self.box
            middle = (box.x + box.width / 2, box.y + box.height / 2)
            hud_sample.tooltip(np.random.default_rng(box.x), canvas, middle, box.width, box.height)

    def _placed(self) -> Rect:
        width, height = (round(self._dice.uniform(0.15, 0.35) * side) for side in self._size)
        left, top = (
            self._dice.randint(0, self._size[0] - width),
            self._dice.randint(0, self._size[1] - height),
        )
        return Rect(left, top, width, height)


class DrawnFilm:
    """Fights one after the other, of one player on one client.

    Args:
        client: a key of `vision.synthetic.clients.CLIENTS`.
        seed: of everything: the same seed gives the same film.
        size: width and height of the pictures; Retro keeps its shape between black borders.
        allies: whether every second fight has an ally.
    """

    def __init__(
        self, client: str, seed: int, size: tuple[int, int] = (1920, 1080), allies: bool = True
    ) -> None:
        self._client, self._seed, self._size, self._allies = client, seed, size, allies
        self.area = CLIENTS[client].area(*size)
        self._lattice = load(client).lattice(Rect(self.area.left, 0, self.area.width, size[1]))
        self._rng = random.Random(f"film {seed}")
        self._window = _WindowOver(seed, size)
        self._bar = hud_sample.spells(np.random.default_rng((seed, _HUD)))
        self._turns = 0
        self._floor: Picture | None = None
        self._board: tuple[object, Picture] | None = None
        self._picture: tuple[object, Picture] | None = None

    def frames(self, count: int, first: int = 0) -> Iterator[FilmFrame]:
        """Yields so many pictures from the first one wanted on, each a fresh array; others are not drawn."""
        for index, scene in islice(enumerate(self.scenes()), first, first + count):
            picture = self.draw(scene).copy()
            canvas = Drawing(picture)
            self._float(canvas, scene)
            self._window.draw(canvas, index)
            x, y = self._pointer(index)
            cv2.fillConvexPoly(picture, np.array([(x, y), (x, y + 22), (x + 14, y + 14)]), (255, 255, 255))
            picture[:, : self.area.left] = picture[:, self.area.right :] = 0
            pixels = bgra(picture)
            yield FilmFrame(pixels, scene.shown, self._window.box)

    def scenes(self) -> Iterator[_Scene]:
        """Yields what each frame shows, before it is drawn; there is no last one."""
        number = 0
        while True:
            state, drawn, palette = self._begun(number)
            self._floor = self._ground(number, drawn, palette)
            self._board = self._picture = None
            self._palette = scenery.PALETTES[palette]
            yield from self._placing(state, drawn)
            yield from self._fought(state, drawn)
            number += 1

    def _begun(self, number: int) -> tuple[FightState, DrawnFight, str]:
        """Returns a new fight: its state, its board and the colours of its place."""
        dice = np.random.default_rng((self._seed, _WHO, number))
        while True:
            drawn = board.lay_out(dice, self._lattice, whole=False, last=CLIENTS[self._client].board.last_row)
            if np.count_nonzero(drawn.cells == CellKind.WALKABLE) > 5 * _STARTS:
                break
        board.place_fighters(dice, drawn, ["own"] * _STARTS + ["enemy"] * _STARTS)
        places = [fighter.cell for fighter in drawn.fighters]
        flags = {CellKind.WALKABLE: CellFlag.FLOOR, CellKind.HOLE: CellFlag.SIGHT}
        cells = bytes(flags.get(CellKind(kind), CellFlag.NONE) for kind in drawn.cells.tolist())
        ground = FightMap("film", cells, tuple(places[:_STARTS]), tuple(places[_STARTS:]))
        kinds = sorted(kind for kind, template in monsters().items() if template.points)
        foes = [monsters()[self._rng.choice(kinds)] for _ in range(self._rng.randint(1, 4))]
        own = [classes()[CLASS]]
        if self._allies and number % 2:
            own.append(classes()[self._rng.choice(sorted(set(classes()) - {CLASS}))])
        sides = [(0, one) for one in own] + [(1, one) for one in foes]
        starts = [iter(ground.red_starts), iter(ground.blue_starts)]
        fighters = tuple(
            one.fighter(place, side, next(starts[side]), f"{one.name} {place}")
            for place, (side, one) in enumerate(sides)
        )
        drawn.fighters = []
        palette = str(dice.choice(_PALETTES))
        return FightState(ground, fighters, turn_order(fighters)), drawn, palette

    def _placing(self, state: FightState, drawn: DrawnFight) -> Iterator[_Scene]:
        starts = {"red_start": set(state.map.blue_starts), "blue_start": set(state.map.red_starts)}
        for tick in range(3 * RATE):
            fight, hud, _ = self._seen(state, drawn, _TURN_S - tick // RATE)
            fight.highlights = starts
            for fighter in fight.fighters:
                fighter.playing = False
            hud.phase, hud.turn = "placement", None
            hud.look = replace(hud.look, points_placing=False)  # Retro alone shows them then, or not
            yield _Scene(fight, hud, None)

    def _fought(self, state: FightState, drawn: DrawnFight) -> Iterator[_Scene]:
        greedy, actor, left = GreedyPlayer(), None, 0
        while outcome(state) is None and state.fighter(_PLAYER).alive:
            mine = state.actor.id == _PLAYER
            if actor != (state.actor.id, state.turn):
                actor, left = (state.actor.id, state.turn), _TURN_S * RATE
                self._turns += mine
            action = greedy.choose(state, self._rng)
            after = apply(state, action, self._rng)
            pause = self._rng.randint(8, 24) if mine else self._rng.randint(4, 10)
            mode = self._rng.choice(("walk", "walk", "none", "aim")) if mine else "none"
            lit = self._lit(state, drawn, mode)
            for tick in range(pause):
                fight, hud, shown = self._seen(state, drawn, (left - tick) // RATE)
                fight.highlights = lit
                yield _Scene(fight, hud, shown)
            left -= pause
            for scene in self._done(state, action, after, drawn, left):
                left -= 1
                yield scene
            state = after
        fight, hud, shown = self._seen(state, drawn, 1)
        for _ in range(RATE):
            yield _Scene(fight, hud, shown)
        away = replace(hud, phase="not-fight", turn=None, fighters=())
        for _ in range(3 * RATE):
            yield _Scene(replace(fight, fighters=[]), away, None)

    def _done(
        self, state: FightState, action: Action, after: FightState, drawn: DrawnFight, left: int
    ) -> Iterator[_Scene]:
        """Yields an action as it is seen: a walk two pictures a cell, a spell's flash, damage that rises."""
        second = left // RATE
        if isinstance(action, Move):
            way = (state.actor.cell, *action.path)
            for before, then in pairwise(way):
                (x, y), (to_x, to_y) = self._lattice.centre(before), self._lattice.centre(then)
                for share in (0.0, 0.5):
                    fight, hud, shown = self._seen(state, drawn, second)
                    walker = next(f for f in fight.fighters if f.face == self._face(state.actor))
                    walker.cell = before
                    across, along = (to_x - x) / self._lattice.cell_w, (to_y - y) / self._lattice.cell_h
                    walker.off = (share * across, share * along)
                    yield _Scene(fight, hud, shown)
        elif isinstance(action, Cast):
            paid = replace(state.actor, ap=after.fighter(state.actor.id).ap)
            casting = replace(state, fighters=tuple(paid if f.id == paid.id else f for f in state.fighters))
            for tick in range(4):
                yield _Scene(*self._seen(casting, drawn, second), ((action.target, ""),), tick / 4)
            if after.actor.id != state.actor.id:
                return
            hurt = tuple((f.cell, f.hp - after.fighter(f.id).hp) for f in state.fighters if f.alive)
            numbers = tuple((cell, f"{-lost:+d}") for cell, lost in hurt if lost)
            for tick in range(RATE):
                yield _Scene(*self._seen(after, drawn, second), numbers, tick / RATE)

    def _seen(self, state: FightState, drawn: DrawnFight, timer_s: int) -> tuple[DrawnFight, DrawnHud, Shown]:
        player, mine = state.fighter(_PLAYER), state.actor.id == _PLAYER
        alive = [fighter for fighter in state.fighters if fighter.alive]
        drawn_as = {
            f.id: DrawnFighter(
                f.cell, self._side(f), f.hp / f.max_hp, f.id == state.actor.id, face=self._face(f)
            )
            for f in alive
        }
        cards = dict(drawn_as)
        if CLIENTS[self._client].hud.keeps_dead:
            fallen = [fighter for fighter in state.fighters if not fighter.alive]
            cards |= {
                f.id: DrawnFighter(-1, self._side(f), 0.0, face=self._face(f), dead=True) for f in fallen
            }
        ap, mp = (player.ap, player.mp) if mine else (player.base_ap, player.base_mp)
        why = hindrances(state, player)
        bar = list(self._bar)
        for index, spell in enumerate(player.spells[: len(bar)]):
            bar[index] = (why[spell.key] in ("", "summons"), dict(player.cooldowns).get(spell.key, 0))
        hud = DrawnHud(
            "fight",
            "mine" if mine else "other",
            player.hp,
            player.max_hp,
            player.shield or None,
            ap,
            mp,
            max(1, timer_s),
            state.turn,
            [cards[number] for number in state.order if number in cards],
            bar,
            folded=False,
        )
        others = [fighter for fighter in alive if fighter.id != _PLAYER]
        shown = Shown(
            mine,
            self._turns if mine else 0,
            player.cell,
            frozenset(f.cell for f in others if f.team != player.team),
            frozenset(f.cell for f in others if f.team == player.team),
            player.hp,
            ap,
            mp,
        )
        return replace(drawn, fighters=list(drawn_as.values()), highlights={}), hud, shown

    def _side(self, fighter: Fighter) -> str:
        return "own" if fighter.id == _PLAYER else "ally" if fighter.team == 0 else "enemy"

    def _face(self, fighter: Fighter) -> int:
        return 100 * self._seed + fighter.id

    def _lit(self, state: FightState, drawn: DrawnFight, mode: str) -> dict[str, set[int]]:
        """Returns the cells that the client highlights: the reach by the rules, or a spell's range."""
        if mode == "walk":
            reach = set(reachable(state, state.actor))
            return {"reachable": reach} if reach else {}
        fight, _, _ = self._seen(state, drawn, 1)
        colours = CLIENTS[self._client].colours
        board.add_highlights(np.random.default_rng(self._rng.getrandbits(32)), fight, colours, mode, 0)
        return fight.highlights

    def _ground(self, number: int, drawn: DrawnFight, palette: str) -> Picture:
        colours = scenery.PALETTES[palette]
        dice = np.random.default_rng((self._seed, _GROUND, number))
        canvas = Drawing.filled(*self._size, colours.ground)
        scenery.ground(dice, canvas, colours.ground, 1.0)
        scenery.furnish(dice, canvas, colours, self._lattice.cell_w, 20)
        painting.floor(np.random.default_rng((self._seed, _FLOOR)), canvas, drawn, colours, self._client)
        return canvas.image

    def draw(self, scene: _Scene) -> Picture:
        """Draws a moment without what lies over it; the last one is kept."""
        fight = scene.fight
        lit = tuple((name, frozenset(cells)) for name, cells in fight.highlights.items())
        below = (tuple(map(repr, fight.fighters)), lit)
        if self._board is None or self._board[0] != below:
            assert self._floor is not None
            canvas = Drawing(self._floor.copy())
            painting.highlight(np.random.default_rng((self._seed, _LIT)), canvas, fight, self._client)
            standing = np.random.default_rng((self._seed, _STANDING))
            painting.stand(standing, canvas, fight, self._palette, self._client)
            self._board = below, canvas.image
            self._picture = None
        key = repr(scene.hud)
        if self._picture is None or self._picture[0] != key:
            canvas = Drawing(self._board[1].copy())
            dice = np.random.default_rng((self._seed, _HUD, 0))
            CLIENTS[self._client].hud.draw(dice, canvas, self.area, scene.hud, 1.0, False)
            self._picture = key, canvas.image
        return self._picture[1]

    def _float(self, canvas: Drawing, scene: _Scene) -> None:
        w, h = self._lattice.cell_w, self._lattice.cell_h
        for cell, text in scene.over:
            x, y = self._lattice.centre(cell)
            if text:
                colour = (206, 52, 40) if text.startswith("-") else (60, 150, 60)
                spot = (x, y - (1.0 + 1.5 * scene.age) * h)
                canvas.write(text, spot, 0.55 * h, colour, Typeface("plain", 600), outline=((40, 10, 8), 2.5))
            else:
                for share in (1.6, 1.1, 0.6):
                    size = share * (0.5 + scene.age) * w
                    canvas.oval((x, y - 0.4 * h), (size, 0.7 * size), (255, 220, 120), 0.3)

    def _pointer(self, index: int) -> tuple[int, int]:
        width, height = self._size
        return round(width * (0.5 + 0.4 * np.sin(index / 31))), round(
            height * (0.45 + 0.35 * np.sin(index / 23))
        )
