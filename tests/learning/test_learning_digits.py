"""Drawn strips are labelled truly, and training on them gives weights that the reader takes."""

from pathlib import Path

import numpy as np
import pytest

from botapp.learning.digits import glyphs, strips, train
from vision.extract.dofus.digits import BLANK, OTHER, STRIDE, STRIP, Network

FONTS = Path("/usr/share/fonts/truetype/dejavu")


@pytest.fixture(scope="module")
def faces():
    if not FONTS.is_dir():
        pytest.skip("no DejaVu fonts on this machine: install fonts-dejavu-core")
    return glyphs.faces([FONTS])


def test_faces_are_upright_text_fonts(faces):
    assert faces
    assert all(set(glyphs.DIGITS + "s") <= set(face.pictures) for face in faces)
    assert not any("Oblique" in face.name for face in faces)


@pytest.mark.slow
def test_strips_are_of_one_shape_and_always_the_same_for_a_seed(faces):
    once = [strips.sample(faces, np.random.default_rng(seed)) for seed in range(60)]
    again = [strips.sample(faces, np.random.default_rng(seed)) for seed in range(60)]
    for (strip, labels), (other, others) in zip(once, again, strict=True):
        assert strip.shape == STRIP
        assert labels.shape == (STRIP[1] // STRIDE,)
        assert np.array_equal(strip, other)
        assert np.array_equal(labels, others)
        assert labels.min() >= strips.IGNORED
        assert labels.max() <= BLANK
    meanings = {int(label) for _, labels in once for label in labels}
    assert meanings >= {*range(10), OTHER, BLANK}


@pytest.mark.long
def test_training_writes_weights_that_the_reader_runs_alike(faces, tmp_path, capsys):
    import torch

    out = tmp_path / "digits.npz"
    torch.manual_seed(1)
    model = train.network()
    seen, labels = train.draw(faces, 150, 3)
    train.train(model, seen, labels, minutes=0.03, pace=3e-3, batch=16)
    named = train.weights(model)
    np.savez(out, **named)
    again = train.network()
    train.restore(again, out)
    with torch.no_grad():
        wanted = again(seen[:8].float())[:, :, 0].softmax(dim=1).numpy()
    reader = Network(named)
    for strip, probable in zip(seen[:8, 0].float().numpy(), wanted, strict=True):
        assert np.allclose(reader.columns(strip[None])[0], probable.T, atol=2e-3)
    assert sum(train.judge(reader, faces, 30, 4)) == 30
