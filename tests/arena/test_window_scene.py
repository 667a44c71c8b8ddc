"""What is painted: cells, highlights, rings, numbers and bars say what the state says, at every size."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import itertools
import json
import random
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from botapp.arena.scenarios import adventure, duel
from botapp.arena.window import figures, icons, lettering, terrain, tones, words
from botapp.arena.window.aim import highlights
from botapp.arena.window.layout import ArenaLayout
from botapp.arena.window.looks import fighter_look, fighter_name, spell_look, spell_name
from botapp.arena.window.moment import Buttons, Flash, Floater, Highlights, Line, Moment, Motion, Pointed
from botapp.arena.window.render import main as render_command
from botapp.arena.window.scene import ArenaScene, render
from botapp.arena.window.truth import describe
from botapp.content.templates import GLYPHS, SHAPES
from botapp.fight.actions import EndTurn
from botapp.fight.rules import apply
from botapp.fight.spells import Buff, State
from botapp.fight.state import CellFlag
from botapp.host.translation import Translator, languages
from vision.view import CellKind

pytestmark = pytest.mark.usefixtures("qapp")
SIZE = (880, 520)


def pixels(image: QImage) -> np.ndarray:
    return (
        np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., :3].copy()
    )


def in_turn_of(state, fighter_id):
    dice = random.Random(1)
    while state.actor.id != fighter_id:
        state = apply(state, EndTurn(), dice)
    return state


@pytest.fixture(scope="module")
def fight():
    return in_turn_of(adventure(4, "ember"), 0)


def near(image, at, colour, slack=60):
    found = QColor(image.pixel(round(at[0]), round(at[1])))
    wanted = QColor(colour)
    return max(abs(a - b) for a, b in zip(found.getRgb(), wanted.getRgb(), strict=True)) <= slack


@pytest.mark.slow
@pytest.mark.parametrize("size", [(640, 400), (1500, 600), pytest.param(SIZE, marks=pytest.mark.long)])
def test_a_picture_has_the_size_asked_for_and_shows_highlights_where_they_are(fight, size):
    lit = highlights(fight, fight.actor, None, None)
    image = render(fight, size, Moment(0, highlights=lit))
    assert (image.width(), image.height()) == size
    lattice = ArenaLayout(*size).lattice
    taken = {fighter.cell for fighter in fight.fighters}
    blocks = {c for c, kind in enumerate(terrain.kinds(fight.map.cells)) if kind is CellKind.OBSTACLE}
    hidden = {cell for cell in lit.reachable for below in (28, 13, 14, 15) if cell + below in blocks | taken}
    assert lit.reachable - hidden
    for cell in lit.reachable - hidden:
        assert near(image, lattice.centre(cell), tones.REACHABLE)


@pytest.mark.slow
def test_a_selected_spell_shows_its_range_and_the_area_under_the_mouse(fight):
    fireball = next(spell for spell in fight.actor.spells if spell.key == "fireball")
    target = next(iter(fight_targets(fight, fireball)))
    lit = highlights(fight, fight.actor, "fireball", target)
    assert lit.range and target in lit.area and not lit.reachable
    image = render(fight, SIZE, Moment(0, selected="fireball", highlights=replace(lit, area=frozenset())))
    lattice = ArenaLayout(*SIZE).lattice
    seen = [cell for cell in lit.range if near(image, lattice.centre(cell), tones.RANGE, 70)]
    assert len(seen) > 0.7 * len(lit.range)


def fight_targets(state, spell):
    from botapp.arena.window.aim import targets

    return targets(state, state.actor, spell)


def test_floor_holes_and_blocks_look_different(fight):
    image = render(fight, SIZE, Moment(0))
    lattice = ArenaLayout(*SIZE).lattice
    kinds = terrain.kinds(fight.map.cells)
    light = {kind: [] for kind in CellKind}
    for cell, kind in enumerate(kinds):
        at = lattice.centre(cell)
        light[kind].append(QColor(image.pixel(round(at[0]), round(at[1]) + 4)).lightness())
    assert np.median(light[CellKind.WALKABLE]) > 150
    assert np.median(light[CellKind.HOLE]) < 40
    assert np.median(light[CellKind.OBSTACLE]) < 140


def test_what_the_border_reaches_is_outside_and_what_is_enclosed_is_an_obstacle():
    cells = bytearray(560)
    for row in range(8, 20):
        for col in range(3, 10):
            cells[row * 14 + col] = CellFlag.FLOOR
    inside, hole = 12 * 14 + 6, 14 * 14 + 5
    cells[inside], cells[hole] = CellFlag.NONE, CellFlag.SIGHT
    kinds = terrain.kinds(bytes(cells))
    assert kinds[inside] is CellKind.OBSTACLE
    assert kinds[hole] is CellKind.HOLE
    assert kinds[0] is kinds[559] is CellKind.OUTSIDE
    assert kinds[9 * 14 + 4] is CellKind.WALKABLE


@pytest.mark.slow
def test_the_same_seed_paints_the_same_picture_and_another_one_another(fight):
    first, other, again = (pixels(render(fight, SIZE, Moment(0, seed=seed))) for seed in (3, 4, 3))
    assert (first == again).all()
    assert (first != other).any()


def test_the_hp_bar_over_a_head_is_as_long_as_the_hp_left(fight):
    me = fight.actor
    half = replace(fight, fighters=(replace(me, hp=me.max_hp // 2), *fight.fighters[1:]))
    image = render(half, SIZE, Moment(0))
    lattice = ArenaLayout(*SIZE).lattice
    x, y = lattice.centre(me.cell)
    row = round(y - 1.46 * lattice.cell_h)
    wide = 0.62 * lattice.cell_w / 2
    bar = [near(image, (px, row), tones.BAR, 12) for px in range(round(x - wide), round(x + wide))]
    assert sum(bar) / len(bar) == pytest.approx(0.5, abs=0.06)


def test_the_button_is_bright_in_the_players_turn_and_grey_in_the_others(fight):
    from botapp.arena.window import layout

    box = ArenaLayout(*SIZE).from_bottom(layout.BUTTON)
    at = (box.x + box.w * 0.1, box.y + box.h * 0.4)
    assert near(render(fight, SIZE, Moment(0, mine=True)), at, tones.BUTTON, 40)
    assert near(render(fight, SIZE, Moment(0, mine=False)), at, tones.BUTTON_OFF, 40)


def test_dead_fighters_leave_board_and_timeline(fight):
    gone = replace(fight, fighters=(*fight.fighters[:-1], replace(fight.fighters[-1], hp=0)))
    assert len(describe(gone, ArenaLayout(*SIZE), Moment(0))["enemies"]) == len(fight.fighters) - 2
    before, after = (pixels(render(state, SIZE, Moment(0))) for state in (fight, gone))
    x, y = ArenaLayout(*SIZE).lattice.centre(fight.fighters[-1].cell)
    ring = (slice(round(y) - 6, round(y) + 12), slice(round(x) - 20, round(x) + 20))
    assert (before[ring] != after[ring]).mean() > 0.3
    assert (before[:60, 440:] != after[:60, 440:]).any()


@pytest.mark.slow
@pytest.mark.parametrize(("winner", "language"), [(0, "en"), (1, "fr"), (-1, "en")])
def test_the_result_darkens_the_board(fight, winner, language):
    dark = pixels(render(fight, SIZE, Moment(0, winner=winner, mine=False, language=language)))
    assert dark[80:120, 250:600].mean() < 0.6 * pixels(render(fight, SIZE, Moment(0)))[80:120, 250:600].mean()


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
def test_tooltips_tell_of_spells_and_fighters(fight, language):
    plain = pixels(render(fight, SIZE, Moment(0, language=language)))
    for pointed in (Pointed(slot=1), Pointed(cell=fight.fighters[1].cell)):
        tip = pixels(render(fight, SIZE, Moment(0, language=language, pointed=pointed)))
        assert (plain != tip).any(axis=2).sum() > 2000


@pytest.mark.slow
def test_painting_only_what_changed_gives_the_whole_picture(fight):
    lit = highlights(fight, fight.actor, None, None)
    cell = fight.actor.cell
    hit = Flash(cell, fight.fighters[1].cell, (fight.fighters[1].cell,), "#ff8800", 0.3)
    told = Line("a"), Line("b", 1, "ember", "fireball", "boar")
    moments = [
        Moment(0, highlights=lit),
        Moment(0, highlights=lit, timer_s=29),
        Moment(0, timer_s=29, motion=Motion({0: (5.25, 14.25)})),
        Moment(0, timer_s=29, motion=Motion({0: (5.5, 14.5)}), lines=told),
        Moment(0, timer_s=29, motion=Motion({0: (5.5, 14.5), 1: (9.5, 6.5)}), lines=told),
        Moment(0, timer_s=29, motion=Motion({0: (5.5, 14.5)}), lines=told),
        Moment(0, timer_s=28, motion=Motion(flashes=(hit,))),
        Moment(0, timer_s=28, motion=Motion(flashes=(replace(hit, progress=0.8),), struck=frozenset({1}))),
        Moment(
            0, timer_s=28, motion=Motion(floaters=(Floater("-27", fight.fighters[1].cell, tones.HURT, 0.4),))
        ),
        Moment(
            0, timer_s=28, motion=Motion(floaters=(Floater("-27", fight.fighters[1].cell, tones.HURT, 0.9),))
        ),
        Moment(0, timer_s=4, pointed=Pointed(cell=fight.fighters[1].cell), highlights=Highlights()),
        Moment(0, timer_s=4, pointed=Pointed(button="end"), buttons=Buttons(autopilot=True)),
        Moment(0, timer_s=4, mine=False),
        Moment(0, timer_s=0, mine=False, winner=0),
    ]
    scene = ArenaScene(ArenaLayout(*SIZE))
    live = QImage(*SIZE, QImage.Format.Format_RGB32)
    painter = QPainter(live)
    scene.paint(painter, fight, moments[0])
    painter.end()
    for before, after in itertools.pairwise(moments):
        region = scene.changed((fight, before), (fight, after))
        painter = QPainter(live)
        painter.setClipRegion(region)
        scene.paint(painter, fight, after, region)
        painter.end()
        whole = pixels(render(fight, SIZE, after)).astype(int)
        assert np.abs(pixels(live).astype(int) - whole).max() <= 2, after


def test_every_letter_can_be_drawn():
    drawable = {*lettering.GLYPHS, *lettering.MARKS, *" {}_"}
    for tr, text in itertools.product(map(Translator, languages()), words.WORDS.values()):
        assert set(lettering.letters(tr(text))) <= drawable | {"\u00a0"}, text


def test_digits_are_equally_wide_and_long_texts_fit():
    assert len({lettering.width(digit, 20) for digit in "0123456789"}) == 1
    height = lettering.fit("A RATHER LONG TEXT", 30, 100)
    assert height < 30 and lettering.width("A RATHER LONG TEXT", height) == pytest.approx(100)


@pytest.mark.slow
def test_unknown_kinds_and_spells_have_a_look_of_their_own(fight):
    assert fighter_look("nobody") == fighter_look("nobody") != fighter_look("somebody")
    assert fighter_look("nobody").drawing in SHAPES
    assert spell_look("nothing").drawing in GLYPHS
    stranger = replace(fight.fighters[1], kind="nobody", name="Nobody")
    assert fighter_name(stranger, "fr") == "Nobody"
    assert spell_name(replace(fight.actor.spells[0], key="nothing", name="Nothing"), "fr") == "Nothing"
    render(replace(fight, fighters=(fight.fighters[0], stranger, *fight.fighters[2:])), (640, 400), Moment(0))


def test_the_truth_says_what_is_shown(fight):
    me = fight.actor
    lit = highlights(fight, me, None, None)
    truth = describe(fight, ArenaLayout(*SIZE), Moment(0, seed=4, timer_s=17, highlights=lit), fight=2)
    assert json.loads(json.dumps(truth)) == truth
    assert truth["event"] == "shown" and truth["fight"] == 2 and truth["seed"] == 4
    assert truth["settled"] and truth["phase"] == "fight" and truth["turn"] == "mine"
    assert (truth["hp"], truth["max_hp"], truth["ap"], truth["mp"]) == (me.hp, me.max_hp, me.ap, me.mp)
    assert truth["timer_s"] == 17 and truth["turn_number"] == fight.turn
    assert truth["player"]["cell"] == me.cell
    assert truth["highlights"] == {"reachable": sorted(lit.reachable)}
    assert len(truth["cells"]) == 560 and len(truth["spells"]) == len(me.spells)
    assert truth["client"] == [880, 520] and truth["moving"] == []
    moving = describe(fight, ArenaLayout(*SIZE), Moment(0, motion=Motion({0: (3.0, 12.5)})))
    assert not moving["settled"] and moving["player"]["cell"] is None and moving["moving"] == [0]
    over = describe(fight, ArenaLayout(*SIZE), Moment(0, mine=False, winner=1))
    assert over["phase"] == "not-fight" and over["turn"] is None
    assert not any(spell["usable"] for spell in over["spells"])


def test_an_ally_has_its_own_ring_and_card(fight):
    ally = replace(fight.fighters[1], team=0)
    state = replace(fight, fighters=(fight.fighters[0], ally, *fight.fighters[2:]))
    truth = describe(state, ArenaLayout(*SIZE), Moment(0))
    assert [entry["cell"] for entry in truth["allies"]] == [ally.cell]
    a, b = (pixels(render(s, SIZE, Moment(0))) for s in (fight, state))
    assert (a != b).any()


@pytest.mark.slow
def test_the_render_command_writes_picture_and_truth(tmp_path):
    picture, truth = tmp_path / "a.png", tmp_path / "a.json"
    arguments = ["--seed", "3", "--size", "800x600", "--out", str(picture), "--truth", str(truth)]
    assert render_command([*arguments, "--spell", "0"]) == 0
    assert QImage(str(picture)).width() == 800
    assert "range" in json.loads(truth.read_text())["highlights"]
    assert render_command([*arguments, "--turn", "other", "--language", "fr"]) == 0
    assert json.loads(truth.read_text())["turn"] == "other"


@pytest.mark.slow
def test_the_render_command_names_what_is_wrong(tmp_path, capsys):
    with pytest.raises(SystemExit):
        render_command(["--size", "big", "--out", str(tmp_path / "a.png")])
    assert "WIDTHxHEIGHT" in capsys.readouterr().err
    missing = tmp_path / "no" / "a.png"
    assert render_command(["--out", str(missing)]) == 1
    assert str(missing) in capsys.readouterr().err


def test_a_duel_can_be_painted_from_either_side():
    state = duel(3)
    for player in (0, 1):
        truth = describe(state, ArenaLayout(*SIZE), Moment(player))
        assert truth["player"]["cell"] == state.fighter(player).cell
        assert len(truth["enemies"]) == 1


def test_every_body_is_mostly_of_its_colour_on_the_board_and_on_a_card():
    colour = QColor("#2a9d4e")
    for shape, portrait in itertools.product(SHAPES, (False, True)):
        image = QImage(80, 80, QImage.Format.Format_RGB32)
        image.fill(QColor("#ffffff"))
        with QPainter(image) as painter:
            if portrait:
                figures.portrait(painter, QRectF(0, 0, 80, 80), colour.name(), shape)
            else:
                figures.paint(painter, (40, 76), 72, colour.name(), shape)
        drawn = pixels(image)
        body = (drawn == (colour.blue(), colour.green(), colour.red())).all(axis=2)
        assert body.sum() > 0.12 * (drawn != 255).any(axis=2).sum(), shape


def test_every_icon_is_drawn_in_colour_and_in_grey():
    middle = (slice(8, 32), slice(8, 32))
    for glyph in GLYPHS:
        drawn = {}
        for grey in (False, True):
            image = QImage(40, 40, QImage.Format.Format_RGB32)
            image.fill(QColor("#000000"))
            with QPainter(image) as painter:
                icons.paint(painter, QRectF(0, 0, 40, 40), glyph, "#d0402c", grey=grey)
            drawn[grey] = pixels(image)[middle]
        assert drawn[False].mean() > 1.4 * drawn[True].mean() and drawn[False].std() > 20, glyph
        assert np.ptp(drawn[True].astype(int), axis=2).max() < 60, glyph


@pytest.mark.slow
@pytest.mark.parametrize(
    "size",
    [
        (640, 400),
        (1280, 720),
        *(pytest.param(size, marks=pytest.mark.long) for size in ((704, 400), (2560, 1440))),
    ],
)
def test_signs_of_states_cover_no_bar_and_are_repainted_with_their_fighter(fight, size):
    from botapp.arena.window.scene import figure_box, health_bar, position

    plain = fight.changed(fighters=tuple(f.changed(buffs=()) for f in fight.fighters))
    signs = [Buff(caster=0, turns=2, state=state) for state in State]
    signs = [buff for buff in signs if buff.state is not State.INVISIBLE]
    marked = plain.changed(fighters=tuple(f.changed(buffs=tuple(signs)) for f in plain.fighters))
    places, moment = ArenaLayout(*size), Moment(0, seed=1)
    before, after = (pixels(render(state, size, moment)) for state in (plain, marked))
    living = [f for f in plain.fighters if f.alive]
    allowed = np.zeros(before.shape[:2], bool)
    for fighter in living:
        at = position(places, fighter, moment)
        bar = health_bar(places, at)
        rows, columns = slice(bar.top(), bar.bottom() + 1), slice(bar.left(), bar.right() + 1)
        assert (before[rows, columns] == after[rows, columns]).all()
        box = figure_box(places, at).toAlignedRect()
        top, left = max(0, box.top()), max(0, box.left())
        allowed[top : box.bottom() + 1, left : box.right() + 1] = True
    changed = (before != after).any(axis=2)
    above = changed[: round(places.band.y)]
    assert above.any()
    assert not (above & ~allowed[: len(above)]).any()
