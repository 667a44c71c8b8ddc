"""Draws one whole screen by its seed: scenery, board, effects, HUD, a window around it, augmentation.

The label has the fields of the labels of real screens, and more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

import numpy as np

from vision.synthetic import board, board_looks, camera, marks, other_screens, painting, scenery
from vision.synthetic.board import DrawnFight, DrawnFighter
from vision.synthetic.canvas import Drawing, Picture
from vision.synthetic.clients import CLIENTS as _CLIENTS
from vision.synthetic.clients.base import DrawnClient
from vision.synthetic.hud_sample import USUAL, Area, DrawnHud, Life, Look, sample
from vision.synthetic.scenery import PALETTES, Dice
from vision.view import CELLS, CellKind, Lattice

CLIENTS = tuple(_CLIENTS)
_SIZES = (
    ((1024, 600), 1), ((1280, 720), 3), ((1366, 768), 2), ((1440, 847), 3), ((1600, 900), 2),
    ((1680, 1010), 1),
    ((1920, 1009), 2), ((1920, 1080), 3), ((1280, 960), 1), ((2560, 1377), 1), ((2560, 1440), 1),
    ((3440, 1440), 1), ((2560, 1080), 1),
)  # fmt: skip
_GROUPED = 0.6  # How often start cells stand side by side
_CUT = 0.04  # How often a picture is cut off above the HUD: often enough for some 80 of 2,000
CUT_OFF = "cut off above the HUD"
NUMBER_LABELS = ("hp", "max_hp", "hp_share", "shield", "ap", "mp", "timer_s", "fight_turn")
_SMALL, _LARGE = (640, 400), 1600
"""The smallest window that is drawn, in pixels, and how wide windows of any size are at most."""
_EVERYWHERE = 0.25  # How often an aimed spell reaches all of the board
_ASPECTS = (4 / 3, 11 / 7, 16 / 10, 16 / 9)


def draw(
    seed: int, client: str = "", unlike: bool = False, boards: bool = False
) -> tuple[Picture, dict[str, Any]]:
    """Draws a screen of a fight or a placement.

    Args:
        seed: the same seed gives the same picture.
        client: one of `CLIENTS`, "" for a random one.
        unlike: whether it is of another player: themes, windows of any size from 640x400 on, hearts of every
            form, glyphs, summons that are played. Screens drawn without stay what they are, so that figures
            can be compared with earlier ones.
        boards: whether the board looks as other players' do, see `board_looks`; those without stay too.

    Returns:
        The picture (BGR) and its label.
    """
    dice = np.random.default_rng((seed, 7919))
    client = client or _any_client(dice)
    width, height = _size(dice)
    others = np.random.default_rng((seed, 15485863)) if unlike else None
    forms = np.random.default_rng((seed, 32452843)) if unlike else None
    later = np.random.default_rng((seed, 49979687)) if unlike else None  # so that what those draw stays
    looks = np.random.default_rng((seed, 67867967)) if boards else None
    width, height = _any_size((width, height), later)
    everywhere = later is not None and later.random() < _EVERYWHERE
    picture, label = _client_area(dice, client, width, height, others, forms, later, everywhere, looks)
    if forms is not None and forms.random() < _CUT:
        picture, label = _above_hud(forms, client, picture, label)
    if _CLIENTS[client].shape is not None:
        picture, label = _letterboxed(dice, picture, label)
    picture = picture if looks is None else board_looks.graded(looks, picture)
    picture, label = camera.framed(dice, picture, label)
    picture, label = camera.captured(dice, picture, label)
    return picture, label | {"client": client, "seed": seed}


def draw_elsewhere(seed: int) -> tuple[Picture, dict[str, Any]]:
    """Draws a screen that shows no fight, see `vision.synthetic.other_screens`."""
    dice = np.random.default_rng((seed, 104729))
    width, height = _size(dice)
    client = _any_client(dice)
    picture, what = other_screens.draw(dice, client, width, height, _CLIENTS[client].hud.draw)
    label: dict[str, Any] = dict.fromkeys(
        ("turn", "hp", "max_hp", "ap", "mp", "timer_s", "player_px", "fight_turn", "shield", "lattice")
    )
    label |= {"phase": "not-fight", "enemies_px": [], "allies_px": [], "what": what, "covered": []}
    label["size"] = [width, height]
    picture, label = camera.framed(dice, picture, label)
    picture, label = camera.captured(dice, picture, label)
    return picture, label | {"client": client, "seed": seed}


def _any_client(dice: Dice) -> str:
    shares = np.array([way.share for way in _CLIENTS.values()])
    return str(dice.choice(list(_CLIENTS), p=shares / shares.sum()))


def _size(dice: Dice) -> tuple[int, int]:
    weights = np.array([weight for _, weight in _SIZES], float)
    return _SIZES[int(dice.choice(len(_SIZES), p=weights / weights.sum()))][0]


def _any_size(usual: tuple[int, int], dice: Dice | None) -> tuple[int, int]:
    """Returns a window's size: the usual one, or for one of ten other players any between."""
    if dice is None or dice.random() >= 0.1:
        return usual
    width = float(np.exp(dice.uniform(np.log(_SMALL[0]), np.log(_LARGE))))
    return round(width), max(_SMALL[1], round(width / float(dice.choice(_ASPECTS))))


def _client_area(
    dice: Dice,
    client: str,
    width: int,
    height: int,
    others: Dice | None = None,
    forms: Dice | None = None,
    later: Dice | None = None,
    everywhere: bool = False,
    looks: Dice | None = None,
) -> tuple[Picture, dict[str, Any]]:
    way = _CLIENTS[client]
    width = way.area(width, height).width
    area = Area(0, 0, width, height)
    name = str(dice.choice([name for name in PALETTES if way.board.black_maps != 0 or name != "black"]))
    name = "black" if way.board.black_maps and dice.random() < way.board.black_maps else name
    palette = PALETTES[name] if looks is None else board_looks.repainted(looks, PALETTES[name])
    canvas = Drawing.filled(width, height, palette.ground)
    lattice, zoomed = _lattice(dice, way, area)
    if name != "black":
        scenery.ground(dice, canvas, palette.ground, float(dice.uniform(0.5, 1.5)))
        scenery.furnish(dice, canvas, palette, lattice.cell_w, int(dice.integers(6, 40)))
    whole = way.board.whole_maps or dice.random() < 0.1
    fight = board.lay_out(dice, lattice, whole, last=way.board.last_row)
    fight.look = board_looks.USUAL if looks is None else board_looks.sampled(looks, way.board.looks)
    enemies, allies = int(dice.choice([1, 2, 3, 4, 6, 8], p=[0.3, 0.25, 0.2, 0.13, 0.08, 0.04])), 0
    if dice.random() < 0.3:
        allies = int(dice.integers(1, 5))
    board.place_fighters(dice, fight, ["own", *["ally"] * allies, *["enemy"] * enemies])
    phase, turn = _moment(dice)
    _who_plays(dice, fight, phase, turn)
    hud = sample(dice, fight.fighters, phase, turn, way.hud.long_lives)
    mode = "start" if phase == "placement" else "none"
    if turn == "mine":
        mode = str(dice.choice(["walk", "aim", "none"], p=[0.65, 0.2, 0.15]))
    board.add_highlights(dice, fight, way.colours, mode, min(hud.mp, 6), everywhere)
    summon = others is not None and turn == "mine" and _play_summon(others, fight, way)
    hud.look = _looks(way, others, later)
    _place_otherwise(forms, way, fight, hud)
    if others is not None and way.board.jagged:
        for fighter in fight.fighters:
            fighter.ringed = others.random() < way.board.jagged and fighter.team == "enemy"
    painting.floor(dice, canvas, fight, palette, client)
    painting.highlight(dice, canvas, fight, client)
    if others is not None and others.random() < 0.6:
        marks.scatter(others, canvas, fight)
    painting.stand(dice, canvas, fight, palette, client)
    if phase == "fight" and dice.random() < 0.5:
        painting.effects(dice, canvas, fight)
    canvas.image[:] = board_looks.lit(canvas.image, fight.look.light)
    hud.fighters = [fight.fighters[i] for i in dice.permutation(len(fight.fighters))]
    if others is not None:
        hud.fighters = _in_order(hud.fighters, summon)
        hud.spells = hud.spells[: int(others.integers(0, 5))] if summon else hud.spells
    hud.fighters = _with_dead(forms, client, hud)
    scale = float(np.exp(dice.uniform(np.log(0.6), np.log(2.0)))) if dice.random() < 0.4 else 1.0
    scale = min(scale, width / (way.hud.width * height)) if way.hud.width else scale
    way.hud.draw(dice, canvas, area, hud, scale, dice.random() < 0.3)
    pointer(dice, canvas, area)
    hud.turn = None if summon else hud.turn
    hud.covered |= {"hp", "max_hp", "hp_share", "shield", "ap", "mp"} if summon else set()
    hud.covered |= _HIDDEN[hud.look.life or way.hud.life]
    return canvas.image, _label(way, area, fight, hud) | {
        "playing": "other" if summon else hud.turn,
        "palette": name,
        "zoomed": zoomed,
        "ui_scale": scale,
    }


def pointer(dice: Dice, canvas: Drawing, area: Area) -> None:
    x, y = float(dice.uniform(area.left, area.right)), float(dice.uniform(area.top, area.bottom))
    arrow = [(0, 0), (0, 17), (4, 13), (7, 20), (10, 18.5), (7, 12), (12, 12)]
    canvas.polygon([(x + px - 0.7, y + py - 1) for px, py in arrow], (255, 255, 255))
    canvas.polygon([(x + 1 + px * 0.8, y + 1.5 + py * 0.8) for px, py in arrow], (0, 0, 0))


def _lattice(dice: Dice, way: DrawnClient, area: Area) -> tuple[Lattice, bool]:
    """Returns the documented lattice of a client, sometimes zoomed in."""
    if way.board.lattice is not None:
        return way.board.lattice(dice, area)
    w = way.board.cell_w * area.height
    h = w / 2
    x = area.left + area.width / 2 - 6.75 * w + float(dice.normal(0, 0.03)) * w
    y = area.bottom - way.board.foot * area.height - 20 * h + float(dice.normal(0, 0.03)) * h
    if dice.random() > 0.05:
        return Lattice((x, y), w, h), False
    zoom = float(dice.uniform(1.05, 1.3))
    middle = (
        area.left + area.width * float(dice.uniform(0.4, 0.6)),
        area.top + area.height * float(dice.uniform(0.35, 0.55)),
    )
    origin = (middle[0] + (x - middle[0]) * zoom, middle[1] + (y - middle[1]) * zoom)
    return Lattice(origin, w * zoom, h * zoom), True


def _moment(dice: Dice) -> tuple[str, str | None]:
    chance = dice.random()
    if chance < 0.08:
        return "placement", None
    return "fight", "mine" if chance < 0.7 else "other"


def _who_plays(dice: Dice, fight: DrawnFight, phase: str, turn: str | None) -> None:
    if phase != "fight":
        return
    others = [fighter for fighter in fight.fighters if fighter.team != "own"]
    playing = fight.fighters[0] if turn == "mine" else others[int(dice.integers(len(others)))]
    playing.playing = True


def _play_summon(dice: Dice, fight: DrawnFight, way: DrawnClient) -> bool:
    """Makes one of several allies a summon that the player plays, now and then; returns whether it did."""
    allies = [fighter for fighter in fight.fighters if fighter.team == "ally"]
    if not allies or dice.random() > 0.4 or not way.hud.plays_summons:
        return False
    for fighter in fight.fighters:
        fighter.playing = fighter is allies[0]
    return True


def _in_order(fighters: Sequence[DrawnFighter], summon: bool) -> list[DrawnFighter]:
    """Returns fighters in the order of play: sides take turns, a summon comes after its summoner."""
    own = [f for f in fighters if f.team != "enemy" and not (summon and f.playing)]
    enemies = [f for f in fighters if f.team == "enemy"]
    order = [f for pair in zip_longest(own, enemies) for f in pair if f is not None]
    for fighter in fighters:
        if summon and fighter.playing:
            order.insert(next(i for i, f in enumerate(order) if f.team == "own") + 1, fighter)
    return order


def _place_otherwise(dice: Dice | None, way: DrawnClient, fight: DrawnFight, hud: DrawnHud) -> None:
    """Makes a placement one of other maps: start cells in groups or opaque, no AP and MP."""
    if dice is None or hud.phase != "placement":
        return
    if dice.random() < _GROUPED:
        board.group_starts(dice, fight)
    if way.board.opaque_starts:
        fight.opacity = 1.0 if dice.random() < way.board.opaque_starts else None
    if not way.hud.points_placing:
        hud.look = replace(hud.look, points_placing=False)


def _with_dead(dice: Dice | None, client: str, hud: DrawnHud) -> list[DrawnFighter]:
    """Returns a HUD's fighters, now and then with some who have died and whose cards stay where they were."""
    fighters = list(hud.fighters)
    if dice is None or hud.phase != "fight" or dice.random() >= _CLIENTS[client].hud.with_dead:
        return fighters
    for _ in range(int(dice.choice([1, 2, 3], p=[0.5, 0.3, 0.2]))):
        team = "enemy" if dice.random() < 0.75 else "ally"
        dead = DrawnFighter(-1, team, 0.0, face=int(dice.integers(1 << 31)), dead=True)
        fighters.insert(int(dice.integers(len(fighters) + 1)), dead)
    return fighters


def _above_hud(
    dice: Dice, client: str, picture: Picture, label: dict[str, Any]
) -> tuple[Picture, dict[str, Any]]:
    """Returns the part of a picture above its HUD, as players cut screenshots; the phase alone counts."""
    tall = round(float(dice.uniform(*_CLIENTS[client].hud.top)) * picture.shape[0])
    cut = picture[:tall].copy()
    bare: dict[str, Any] = {"what": CUT_OFF, "size": [cut.shape[1], tall], "turn": None, "spells": []}
    left, top, wide, _ = label["client_px"]
    return cut, label | bare | dict.fromkeys(NUMBER_LABELS) | {"client_px": [left, top, wide, tall]}


def look(client: str, dice: Dice) -> Look:
    return _CLIENTS[client].hud.look(dice)


def _looks(way: DrawnClient, others: Dice | None, later: Dice | None) -> Look:
    chosen = USUAL if others is None else way.hud.look(others)
    return chosen if later is None else way.hud.later_look(later, chosen)


_HIDDEN: Mapping[Life, frozenset[str]] = {
    "rows": frozenset({"hp_share"}),
    "number": frozenset({"max_hp", "hp_share"}),
    "percent": frozenset({"hp", "max_hp"}),
}
"""What a heart does not show in each of its forms."""


_NOT_ALL_SHOW = frozenset({"shield", "timer_s", "fight_turn"})  # See `HudStyle.tells`


def _label(way: DrawnClient, area: Area, fight: DrawnFight, hud: DrawnHud) -> dict[str, Any]:
    lattice = fight.lattice
    at = {fighter.cell: [round(v, 2) for v in lattice.centre(fighter.cell)] for fighter in fight.fighters}
    sides = {side: [f for f in fight.fighters if f.team == side] for side in ("own", "ally", "enemy")}
    label: dict[str, Any] = {
        "size": [area.width, area.height],
        "client_px": [area.left, area.top, area.width, area.height],
        "phase": hud.phase,
        "turn": hud.turn,
        "hp": hud.hp,
        "max_hp": hud.max_hp,
        "hp_share": hud.percentage / 100,
        "shield": hud.shield,
        "ap": hud.ap,
        "mp": hud.mp,
        "timer_s": hud.timer_s,
        "fight_turn": hud.fight_turn if hud.phase == "fight" else None,
        "player_px": at[sides["own"][0].cell],
        "enemies_px": [at[f.cell] for f in sides["enemy"]],
        "allies_px": [at[f.cell] for f in sides["ally"]],
        "cell_px": round(0.26 * lattice.cell_w, 3),
        "lattice": {"origin_px": list(lattice.origin_px), "cell_w": lattice.cell_w, "cell_h": lattice.cell_h},
        "player_cell": sides["own"][0].cell,
        "enemy_cells": [f.cell for f in sides["enemy"]],
        "ally_cells": [f.cell for f in sides["ally"]],
        "cells": fight.cells.tolist(),
        "highlights": {name: sorted(int(c) for c in cells) for name, cells in fight.highlights.items()},
        "cards": [
            {"team": f.team, "hp_fraction": round(f.life, 3), "playing": f.playing, "dead": f.dead}
            for f in hud.fighters
        ],
        "spells": [None if slot is None else {"usable": slot[0], "cooldown": slot[1]} for slot in hud.spells],
        "covered": sorted(hud.covered),
        "playing": hud.turn,
    }
    for name in hud.covered | (_NOT_ALL_SHOW - way.hud.tells):
        label[name] = None
    assert len(fight.cells) == CELLS and fight.cells.max() <= CellKind.HOLE
    return label


def _letterboxed(dice: Dice, picture: Picture, label: dict[str, Any]) -> tuple[Picture, dict[str, Any]]:
    """Puts black borders around the picture of a client that keeps its shape, or none."""
    tall, wide = picture.shape[:2]
    side, above = (int(dice.integers(40, 300)), 0) if dice.random() < 0.6 else (0, 0)
    canvas = Drawing.filled(wide + 2 * side, tall + 2 * above, (0, 0, 0))
    canvas.image[above : above + tall, side : side + wide] = picture
    return canvas.image, camera.moved(label, 1, (side, above), (canvas.width, canvas.height))
