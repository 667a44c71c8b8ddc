import numpy as np
import pytest

from vision.synthetic import board_looks, screen
from vision.synthetic.clients import CLIENTS
from vision.synthetic.scenery import PALETTES


def sampled(client, count=200):
    return [
        board_looks.sampled(np.random.default_rng(seed), CLIENTS[client].board.looks) for seed in range(count)
    ]


@pytest.mark.parametrize("client", screen.CLIENTS)
def test_each_form_of_a_board_is_drawn_with_its_share(client):
    looks = sampled(client)
    bare = sum(one.figures == 0 for one in looks) / len(looks)
    flat = sum(one.flat for one in looks) / len(looks)
    dark = sum(one.light != board_looks.USUAL.light for one in looks) / len(looks)
    assert bare == pytest.approx(CLIENTS[client].board.looks.bare, abs=0.08)
    assert flat == pytest.approx(CLIENTS[client].board.looks.flat, abs=0.08)
    assert dark == pytest.approx(board_looks._DARK, abs=0.08)
    assert any(one.line < 1 for one in looks) == (client == "dofus-2")


def test_a_repainted_floor_keeps_what_is_around_the_board():
    before = PALETTES["stone"]
    found = [board_looks.repainted(np.random.default_rng(seed), before) for seed in range(40)]
    changed = [one for one in found if one != before]
    assert 4 <= len(changed) <= 24
    assert all(one.ground == before.ground and one.light != before.light for one in changed)


@pytest.mark.slow
def test_other_boards_are_other_pictures_of_the_same_fight():
    usual, label = screen.draw(93_300_001, "dofus-retro")
    other, same = screen.draw(93_300_001, "dofus-retro", boards=True)
    assert not np.array_equal(usual, other)
    for name in ("player_cell", "enemy_cells", "phase"):
        assert label[name] == same[name], name
