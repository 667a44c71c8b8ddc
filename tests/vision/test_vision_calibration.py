"""What the person accepted is kept as it was, found again for the same layout, and refused in plain words."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision import calibration
from vision.calibration import BoardCalibration, BoardCalibrations, dumps
from vision.frame import Rect
from vision.view import Lattice

LATTICE = Lattice((228.3, 65.6), 72.84, 36.42)
AREA = Rect(10, 50, 1440, 847)


def accepted(client="dofus-unity", area=AREA, lattice=LATTICE, ui=""):
    return BoardCalibration.accepted(client, area, lattice, ui)


numbers = st.floats(-4000, 4000).map(lambda value: round(value, 3))
sizes = st.floats(8, 400).map(lambda value: round(value, 4))
calibrations = st.builds(
    BoardCalibration,
    st.sampled_from(["dofus-unity", "dofus-2", "dofus-retro"]),
    st.tuples(st.integers(600, 4000), st.integers(400, 3000)),
    st.builds(Lattice, st.tuples(numbers, numbers), sizes, sizes),
    st.text("ab é\"\\'", max_size=6),
)


@pytest.mark.slow
@given(st.lists(calibrations, max_size=4))
def test_what_is_written_is_read_again(layouts):
    kept = BoardCalibrations(tuple(layouts))
    assert calibration.accepted(tomllib.loads(dumps(kept))) == (kept, [])


def test_a_lattice_lies_where_it_was_accepted_wherever_the_window_is():
    layout = accepted()
    assert layout.placed(AREA).origin_px == pytest.approx(LATTICE.origin_px)
    moved = layout.placed(Rect(110, 250, 1440, 847))
    assert moved.origin_px == pytest.approx((LATTICE.origin_px[0] + 100, LATTICE.origin_px[1] + 200))


@given(st.floats(0.4, 2.5))
def test_a_larger_window_has_larger_cells(scale):
    layout = accepted(area=Rect(0, 0, 1440, 847))
    area = Rect(0, 0, round(1440 * scale), round(847 * scale))
    placed = layout.placed(area)
    for cell in (0, 13, 300, 559):
        x, y = LATTICE.centre(cell)
        assert placed.centre(cell) == pytest.approx((x * scale, y * scale), abs=2.5)


def test_a_layout_is_one_of_client_shape_and_interface():
    kept = BoardCalibrations().remember(accepted()).remember(accepted(ui="large"))
    assert kept.find("dofus-unity", AREA) == accepted()
    assert kept.find("dofus-unity", AREA, "large") == accepted(ui="large")
    assert kept.find("dofus-unity", Rect(0, 0, 720, 424)) == accepted()
    assert kept.find("dofus-unity", Rect(0, 0, 1920, 1080)) is None
    assert kept.find("dofus-2", AREA) is None


def test_the_last_word_counts_and_the_nearest_size():
    other = Lattice((1.0, 2.0), 72.0, 36.0)
    again = BoardCalibrations().remember(accepted()).remember(accepted(lattice=other))
    assert len(again.layouts) == 1
    assert again.find("dofus-unity", AREA).placed(AREA).origin_px == pytest.approx((1.0, 2.0))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[a]\nclient = 3", "a.size"),
        ('[a]\nclient = "x"\nsize = [1, 2]\ncell = [9, 9]\norigin = [0, 0]', "a.size"),
        ('[a]\nclient = "x"\nsize = [900, 600]\ncell = [0, 9]\norigin = [0, 0]', "a.cell"),
        ('[a]\nclient = "x"\nsize = [900, 600]\ncell = [nan, 9]\norigin = [0, 0]', "a.cell"),
        ('[a]\nclient = "x"\nsize = [900, 600]\ncell = [9, 9]\norigin = ["left", 0]', "a.origin"),
        ("[a]\nclient = 3\nsize = [900, 600]\ncell = [9, 9]\norigin = [0, 0]", "a.client"),
        ("[a]\nsize = [900, 600]\ncell = [9, 9]\norigin = [0, 0]", "a.client"),
        ("a = 3", "a must be a table"),
    ],
)
def test_a_broken_layout_is_named_with_the_field_and_costs_itself_alone(text, words):
    good = BoardCalibrations().remember(accepted())
    found, problems = calibration.accepted(tomllib.loads(text + "\n" + dumps(good)))
    assert found.find("dofus-unity", AREA) is not None and len(found.layouts) == 1
    assert len(problems) == 1 and words in problems[0]
