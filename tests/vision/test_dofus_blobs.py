"""Connected patches: those that are large enough are found whole, wherever and however many they are."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.extract.dofus import blobs


def labelled(mask, wide, tall):
    """Returns the patches by labelling the whole mask: box, area and pixels of each."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    boxes = [(index, *row) for index, row in enumerate(stats.tolist()) if index]
    return sorted(
        (x, y, across, down, area, (labels[y : y + down, x : x + across] == index).tobytes())
        for index, x, y, across, down, area in boxes
        if across >= wide and down >= tall
    )


def found(mask, wide, tall):
    seen = blobs.find(mask, wide, tall)
    boxes = [(index, *row) for index, row in enumerate(seen.stats.tolist())]
    return sorted(
        (x, y, across, down, area, seen.patch(index).astype(bool).tobytes())
        for index, x, y, across, down, area in boxes
        if across >= wide and down >= tall
    )


def drawn(seed, height, width, shapes):
    dice = np.random.default_rng(seed)
    mask = np.zeros((height, width), np.uint8)
    for _ in range(shapes):
        middle = (int(dice.integers(width)), int(dice.integers(height)))
        size = (int(dice.integers(1, 30)), int(dice.integers(1, 30)))
        cv2.ellipse(mask, middle, size, int(dice.integers(180)), 0, 360, 255, int(dice.choice([-1, 1])))
    return mask


@given(
    st.integers(0, 1 << 20),
    st.integers(1, 150),
    st.integers(1, 150),
    st.integers(0, 12),
    st.sampled_from([0, 3, 10, 25]),
    st.sampled_from([0, 5, 12]),
)
def test_the_patches_are_those_of_the_whole_mask(seed, height, width, shapes, wide, tall):
    mask = drawn(seed, height, width, shapes)
    assert found(mask, wide, tall) == labelled(mask, wide, tall)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.001, 0.01, 0.3, 1.0])
def test_specks_and_crowds_are_no_exception(share):
    mask = (np.random.default_rng(4).random((301, 517)) < share).astype(np.uint8) * 255
    assert found(mask, 2, 1) == labelled(mask, 2, 1)


def test_a_patch_within_the_hole_of_another_keeps_to_itself():
    mask = np.zeros((200, 200), np.uint8)
    cv2.circle(mask, (100, 100), 80, 255, 2)
    cv2.rectangle(mask, (90, 90), (110, 112), 255, -1)
    assert found(mask, 10, 10) == labelled(mask, 10, 10)
    assert len(found(mask, 10, 10)) == 2
