import numpy as np
import pytest

from vision.extract.dofus.rings_drawn import drawn
from vision.extract.dofus.rings_seen import COLUMNS, RINGS, ROWS, SIZE, STEP, RingReader, canvas
from vision.learn import LAYERS, data
from vision.learn.data import examples, lattice_of
from vision.synthetic import screen
from vision.view import CELLS, CellScore, Lattice

LATTICE = Lattice((300.0, 60.0), 72.0, 36.0)


def test_each_cells_middle_lies_where_its_score_is():
    picture = np.zeros((900, 1440, 3), np.uint8)
    for cell in (0, 14, 27, 300, 559):
        x, y = LATTICE.centre(cell)
        picture[:] = 0
        picture[round(y) - 4 : round(y) + 5, round(x) - 4 : round(x) + 5] = 255
        image = canvas(picture, LATTICE)
        assert image.shape == (SIZE[1], SIZE[0], 3)
        rows, columns = np.nonzero(image[..., 0] > 128)
        if 0 <= x < 1440 and 0 <= y < 900:
            assert abs(rows.mean() - ROWS[cell] * STEP[1]) < 1
            assert abs(columns.mean() - COLUMNS[cell] * STEP[0]) < 1


@pytest.mark.slow
def test_what_has_changed_alone_is_scored_as_the_whole_picture_would_be():
    dice = np.random.default_rng(5)
    first = dice.integers(0, 256, (900, 1440, 4), np.uint8)
    second = first.copy()
    second[300:330, 500:560] = 90
    second[0:20, 0:9] = 255
    second[880:, 1400:] = 7
    for x, y in dice.integers((300, 60), (1300, 800), (12, 2)):  # one pixel, wherever it lies in its step
        second[y, x] ^= 255
    reader = RingReader()
    reader.read(first, LATTICE)
    assert np.allclose(reader.read(second, LATTICE), RingReader().read(second, LATTICE), atol=1e-5)
    assert np.array_equal(reader.read(second, LATTICE), reader.read(second, LATTICE))


@pytest.mark.long
@pytest.mark.parametrize("client", screen.CLIENTS)
def test_the_network_tells_the_rings_of_drawn_screens_it_was_not_taught_with(client):
    right = wrong = known = 0
    for seed in range(93_100_000, 93_100_006):
        picture, label = screen.draw(seed, client)
        scores = RingReader().read(picture, lattice_of(label))
        assert scores.shape == (CELLS, len(RINGS))
        assert np.allclose(scores.sum(axis=1), 1, atol=1e-4)
        enemy = RINGS.index("enemy" if client == "dofus-unity" else "blue")
        found = set(np.flatnonzero(scores[:, enemy] >= 0.9).tolist())
        known += len(label["enemy_cells"])
        right += len(found & set(label["enemy_cells"]))
        wrong += len(found - set(label["enemy_cells"]))
    assert right >= 0.7 * known
    assert wrong <= 1


@pytest.mark.slow
@pytest.mark.parametrize("decided", ["shown", "withheld"])
def test_the_drawing_marks_cells_that_were_judged_and_counts_them(decided):
    picture = np.zeros((900, 1440, 3), np.uint8)
    bare = drawn(picture, LATTICE, {})
    marked = drawn(picture, LATTICE, {200: CellScore("enemy", 0.98, decided)})
    rows, columns = np.nonzero((marked != bare).any(axis=2))
    x, y = LATTICE.centre(200)
    scale = bare.shape[1] / 1440
    key = rows < 100
    assert key.any() and y > 150
    assert abs(columns[~key].mean() / scale - x) < 6
    assert rows[~key].min() / scale > y - 0.7 * LATTICE.cell_h
    assert (columns[~key].max() - columns[~key].min()) / scale < 1.5 * LATTICE.cell_w


@pytest.mark.long
def test_windows_drawn_over_a_board_hide_its_rings_from_what_is_taught():
    for seed in range(92_990_000, 92_990_006):
        (_, bare), (_, worse) = examples(seed, *data.drawn(seed))
        for labels in (bare, worse):
            for layer, classes in zip(labels, LAYERS.values(), strict=True):
                cells = layer[ROWS, COLUMNS]
                assert set(np.unique(cells)) <= {*range(len(classes)), 255}
                assert np.count_nonzero(layer != 255) == np.count_nonzero(cells != 255)
