"""The name over a hovered fighter: it is known again anywhere, and another one is never taken for it."""

import cv2
import numpy as np
import pytest

from botapp.tracking.names import Names
from botapp.tracking.picture_names import recognise
from vision.extract.dofus.plates import PlateReader
from vision.extract.dofus.shrink import enlarged
from vision.signature import SAME, likeness, signature
from vision.synthetic.canvas import Drawing, Typeface
from vision.view import FighterSeen, FightView, Lattice

NAMES = ("Sanglier", "Bouftou Royal", "Larve Bleue", "Larve Verte", "Arakne", "Moskito", "Tofu", "Milimulou")


def board(seed=1, size=(900, 600)):
    dice = np.random.default_rng(seed)
    canvas = Drawing.filled(*size, (120, 150, 70))
    noise = dice.normal(0, 6, canvas.image.shape)
    canvas.image[:] = np.clip(canvas.image + noise, 0, 255).astype(np.uint8)
    return canvas


def plate(canvas, words, feet, cell=72.0, extra="", ground=(26, 28, 48)):
    """Draws a plate with a name over a fighter, perhaps with a second line."""
    x, y = feet
    cap = 0.18 * cell
    wide, tall = max(1.1 * cell, 0.8 * cap * len(words) + cap), (2.2 if not extra else 4.0) * cap
    top = y - 1.4 * cell - tall / 2
    canvas.box(x - wide / 2 - 1.5, top - 1.5, wide + 3, tall + 3, (96, 100, 120), corner=4)
    canvas.box(x - wide / 2, top, wide, tall, ground, corner=4)
    face = Typeface("sans", 600, 1.0)
    canvas.write(words, (x, top + 1.1 * cap), cap, (240, 242, 246), face)
    if extra:
        canvas.write(extra, (x, top + 2.8 * cap), cap, (240, 242, 246), face)


def read(canvas, feet, cell=72.0, others=()):
    fighters = [FighterSeen(px, None, "enemy") for px in (feet, *others)]
    picture = np.asarray(canvas.image, np.uint8)
    return PlateReader().named(picture, Lattice((30.0, 20.0), cell, cell / 2), fighters)


def name(words, feet=(450, 400), cell=72.0, seed=1, jpeg=0, **more):
    canvas = board(seed)
    plate(canvas, words, feet, cell, **more)
    if jpeg:
        data = cv2.imencode(".jpg", canvas.image, [cv2.IMWRITE_JPEG_QUALITY, jpeg])[1]
        canvas.image[:] = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return read(canvas, feet, cell)[0].name


@pytest.mark.long
@pytest.mark.parametrize("words", NAMES)
def test_a_name_is_known_again_at_any_place_and_size(words):
    known = name(words)
    assert known
    again = [
        name(words, (300, 330), 72.0, seed=2),
        name(words, (520, 420), 88.0, seed=3),
        name(words, (420, 380), 66.0, seed=4),
        name(words, (450.5, 400.5), 72.0, seed=5, jpeg=75),
        name(words, extra="HP 120"),
    ]
    alike = [likeness(known, other) for other in again]
    assert min(alike) >= SAME, alike


@pytest.mark.slow
@pytest.mark.parametrize("times", [2, 3])
def test_a_name_is_known_again_on_a_larger_screen(times):
    canvas = board()
    plate(canvas, "Sanglier", (450, 400))
    large = Drawing(cv2.resize(canvas.image, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC))
    seen = read(large, (450 * times, 400 * times), 72.0 * times)[0]
    assert likeness(seen.name, name("Sanglier")) >= SAME


@pytest.mark.slow
def test_another_name_is_another():
    found = {words: name(words) for words in NAMES}
    for one in NAMES:
        for other in NAMES:
            assert (likeness(found[one], found[other]) >= SAME) == (one == other), (one, other)


@pytest.mark.slow
@pytest.mark.parametrize("number", ["32", "7", "1250"])
def test_the_life_beside_a_name_is_no_part_of_it(number):
    assert likeness(name("Sanglier"), name(f"Sanglier  {number}")) >= SAME


def test_nothing_is_read_where_no_plate_is():
    assert read(board(), (450, 400))[0].name == ""
    empty = board()
    empty.box(400, 280, 100, 40, (26, 28, 48))
    assert read(empty, (450, 400))[0].name == ""
    dark = Drawing.filled(900, 600, (10, 10, 12))
    assert read(dark, (450, 400))[0].name == ""


def test_a_plate_that_may_be_of_two_fighters_is_nobodys():
    canvas = board()
    plate(canvas, "Sanglier", (450, 400))
    first, second = read(canvas, (450, 400), others=[(455, 418)])
    assert (first.name, second.name) == ("", "")
    first, far = read(canvas, (450, 400), others=[(720, 500)])
    assert first.name and not far.name


def test_the_same_pixels_are_looked_at_once(monkeypatch):
    canvas = board()
    plate(canvas, "Tofu", (450, 400))
    reader, grid = PlateReader(), Lattice((30.0, 20.0), 72.0, 36.0)
    fighters = [FighterSeen((450, 400), None, "enemy")]
    first = reader.named(canvas.image, grid, fighters)
    monkeypatch.setattr("vision.extract.dofus.plates._dark_box", None)
    assert reader.named(canvas.image, grid, fighters) == first


def test_a_name_that_was_assigned_identifies_the_fighter():
    canvas = board()
    plate(canvas, "Moskito", (450, 400))
    seen = read(canvas, (450, 400))[0]
    names = Names().with_name("portraits", name("Moskito", (300, 330), seed=9), "moskito")
    view = recognise(FightView(enemies=(seen,)), names, None)
    assert view.enemies[0].kind.value == "moskito"
    stranger = FightView(enemies=(FighterSeen((1, 1), None, "enemy", name=name("Tofu")),))
    assert recognise(stranger, names, None).enemies[0].kind.value is None


def test_a_written_name_is_never_like_a_picture():
    portrait = signature(np.random.default_rng(0).integers(0, 255, (40, 40, 3)).astype(np.uint8))
    assert likeness(portrait, name("Tofu")) == 0


def test_its_place_grows_with_the_picture():
    canvas = board()
    plate(canvas, "Tofu", (450, 400))
    seen = read(canvas, (450, 400))[0]
    grown = enlarged(FightView(enemies=(seen,)), 2.0).enemies[0]
    assert seen.name_box is not None and grown.name_box is not None
    assert grown.name_box.x == 2 * seen.name_box.x and grown.name_box.width == 2 * seen.name_box.width
