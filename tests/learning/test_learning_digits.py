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


@pytest.mark.parametrize(
    ("figure", "covered", "meaning"),
    [
        ("1", 0.0, 1),
        ("1", 0.3, strips.IGNORED),
        ("1", 0.5, OTHER),
        ("4", 0.3, OTHER),
        ("4", 0.1, strips.IGNORED),
        ("4", 0.95, strips.IGNORED),
        ("4", 1.0, BLANK),
    ],
)
def test_a_covered_figure_is_another_character_a_1_only_where_much_of_it_is_hidden(figure, covered, meaning):
    labels = np.full(STRIP[1] // STRIDE, BLANK, np.int64)
    centres = (np.arange(len(labels), dtype=np.float64) + 0.5) * STRIDE
    strips.mark(labels, centres, strips.Char(int(figure), 44.0, 52.0, covered), 44.0, 52.0)
    assert {int(label) for label in labels[23:25]} == {meaning}


def test_a_third_of_the_numbers_is_rich_in_ones():
    rng = np.random.default_rng(1)
    figures = "".join(text for text in (strips.drawn_text(rng) for _ in range(3000)) if text.isdigit())
    assert figures.count("1") / len(figures) == pytest.approx(0.65 * 0.1 + 0.35 * 0.46, abs=0.02)
    assert min(figures.count(figure) for figure in glyphs.DIGITS) / len(figures) > 0.07


def test_weights_between_two_are_their_mean_by_the_share(tmp_path):
    before, after = (train.weights(train.network()) for _ in range(2))
    np.savez(tmp_path / "before.npz", **before)
    mean = train.between(tmp_path / "before.npz", after, 0.25)
    assert mean.keys() == before.keys()
    for name, values in mean.items():
        assert values.dtype == np.float16
        wanted = 0.75 * before[name].astype(np.float32) + 0.25 * after[name].astype(np.float32)
        assert np.allclose(values, wanted, atol=1e-3)


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
