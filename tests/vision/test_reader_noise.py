"""Whatever the picture is, the reader answers: no traceback, and no fight in noise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.extract import Reader
from vision.extract.dofus.anchors import HudAnchor
from vision.extract.dofus.numbers_seen import NumberReader
from vision.extract.reader import normalised
from vision.frame import Frame, Rect
from vision.profiles import load
from vision.profiles.hud import FieldRule
from vision.view import Phase, Seen

READERS = {name: Reader(load(name)) for name in ("arena", "dofus-unity")}


def read(pixels, name="arena"):
    return READERS[name].read(Frame(pixels, Rect(0, 0, 1, 1), 0, 0))


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 1400),
    st.integers(1, 900),
    st.sampled_from([1, 2, 3, 4, 5]),
    st.sampled_from(["u1", "u2", "f4", "i4", "bool"]),
)
def test_noise_is_no_fight(seed, width, height, channels, dtype):
    dice = np.random.default_rng(seed)
    pixels = (dice.random((height, width, channels)) * 255).astype(dtype)
    view = read(pixels)
    assert view.phase.value is Phase.UNKNOWN
    assert view.player is None and view.enemies == () and view.hp.value is None
    assert view.reason


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.tuples(*[st.integers(0, 255)] * 3), st.integers(560, 1300), st.integers(350, 800))
def test_a_plain_colour_is_no_fight(colour, width, height):
    view = read(np.full((height, width, 3), colour, np.uint8))
    assert view.phase.value is not Phase.FIGHT
    assert view.player is None and view.hp.value is None and not view.cells.any()


@pytest.mark.parametrize("shape", [(0, 0, 4), (0, 5, 4), (1, 1, 4), (1, 1), (3,), (2, 2, 2, 2), (700, 1, 4)])
@pytest.mark.parametrize("name", ["arena", "dofus-unity"])
def test_odd_shapes_are_answered(shape, name):
    view = read(np.zeros(shape, np.uint8), name)
    assert view.phase.value is Phase.UNKNOWN and view.reason


def test_pictures_are_brought_to_one_form():
    bgra = np.arange(4 * 5 * 4, dtype=np.uint8).reshape(4, 5, 4)
    assert normalised(bgra) is bgra
    assert np.array_equal(normalised(bgra[..., :3])[..., :3], bgra[..., :3])
    assert np.array_equal(normalised(bgra.astype(np.uint16) << 8), bgra)
    assert normalised(bgra[..., 0]).shape == (4, 5, 4)
    assert normalised(bgra[:, ::2]).flags.c_contiguous
    assert normalised(bgra.astype(np.float32)) is None


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32 - 1), st.integers(30, 80), st.integers(60, 160), st.floats(0, 1), st.floats(5, 30)
)
def test_noise_spells_no_number(seed, height, width, density, cap):
    dice = np.random.default_rng(seed)
    patch = np.where(dice.random((height, width, 1)) < density, 255, 0).astype(np.uint8).repeat(3, axis=2)
    rule = FieldRule((0.0, 0.0), cap / 100, (1.8, 1.8), 4)
    anchor = HudAnchor(width / 2, height / 2, 100.0, 1.0)
    assert NumberReader().read(patch, anchor, {"hp": rule}).get("hp", Seen()).value is None
