"""Levels and colours worked out here are those that NumPy and OpenCV work out."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from vision.extract.dofus.percentiles import percentiles
from vision.signature import likeness, signature


@pytest.mark.slow
@given(
    arrays(np.uint8, array_shapes(min_dims=1, max_dims=2, max_side=40)),
    st.lists(st.floats(0, 100), min_size=1, max_size=4),
)
def test_levels_are_percentiles(values, shares):
    expected = np.percentile(values, shares, axis=-1)
    assert np.allclose(percentiles(values, shares), expected, rtol=0, atol=1e-6)


def test_a_signature_sees_the_colours_that_opencv_sees():
    dice = np.random.default_rng(5)
    for _ in range(40):
        tones = dice.integers(0, 256, (8, 8, 3)).astype(np.uint8)
        lab = cv2.cvtColor(np.float32(tones) / 255, cv2.COLOR_BGR2LAB)
        light = lab[..., 0] - lab[..., 0].mean()
        tint = cv2.resize(lab[..., 1:], (4, 4), interpolation=cv2.INTER_AREA)
        parts = [values.ravel() / np.sqrt((values**2).mean()) for values in (light, tint)]
        expected = np.clip(np.rint(np.concatenate(parts) * 40), -127, 127).astype(np.int8)
        assert likeness(signature(tones), expected.tobytes().hex()) > 0.999
