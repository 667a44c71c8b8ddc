"""Damaged inputs raise nothing and are no fight where nothing is left of one; 8K is read smaller."""

import numpy as np
import pytest

from vision import profiles
from vision.extract import Reader
from vision.extract.dofus.shrink import MOST_PIXELS, enlarged, shrunk
from vision.frame import Frame, Rect
from vision.synthetic import damage, screen
from vision.synthetic.__main__ import main
from vision.view import CardSeen, FighterSeen, FightView, Lattice, Phase, Seen, SpellSlot


@pytest.fixture(scope="module")
def image():
    return screen.draw(4, "dofus-unity")[0]


@pytest.mark.long
@pytest.mark.parametrize("way", sorted(damage.WAYS))
def test_no_damage_raises_and_nothing_is_taken_for_a_fight_where_none_is_left(way, image):
    first = sorted(damage.WAYS).index(way)
    for seed in range(1 if way == "huge" else 2):
        content = damage.WAYS[way](np.random.default_rng(seed), image.copy())
        client = screen.CLIENTS[(first + seed) % len(screen.CLIENTS)]
        outcome = damage.attempt(damage.Damaged(seed, client, way, content, way in damage.EMPTY))
        assert outcome.fault in ("", "late")


@pytest.mark.slow
def test_the_same_seed_gives_the_same_inputs():
    first, second = (list(damage.inputs(20, 3)) for _ in range(2))
    for one, other in zip(first, second, strict=True):
        assert (one.way, one.client, one.empty) == (other.way, other.client, other.empty)
        if isinstance(one.content, bytes):
            assert one.content == other.content
        else:
            np.testing.assert_array_equal(one.content, other.content)


def test_a_fault_is_noticed():
    noise = damage.Damaged(0, "dofus-unity", "noise", np.zeros((9, 9, 3), np.uint8), True)
    fight = FightView(phase=Seen(Phase.FIGHT, 0.9))
    assert damage.fault_of(noise, fight, 0.1, 81) == "a fight where there is none"
    assert damage.fault_of(noise, FightView(), 1.5, 81) == "late"
    assert damage.fault_of(noise, FightView(), 1.5, damage.LARGE + 1) == ""
    assert damage.attempt(damage.Damaged(0, "nobody", "noise", noise.content, True)).fault.startswith(
        "ProfileError"
    )


@pytest.mark.long
def test_the_command_counts_what_came_of_them(capsys, tmp_path):
    assert main(["damage", "--count", "6", "--seed", "100", "--json", str(tmp_path / "damage.json")]) in (
        0,
        1,
    )
    assert "6 inputs" in capsys.readouterr().out
    assert '"count": 6' in (tmp_path / "damage.json").read_text()


@pytest.mark.slow
def test_a_large_picture_is_made_smaller_and_its_places_put_back():
    small, scale = shrunk(np.zeros((4320, 7680, 4), np.uint8))
    assert small.shape[0] * small.shape[1] <= MOST_PIXELS
    assert scale == pytest.approx(7680 / small.shape[1])
    kept, same = shrunk(np.zeros((1800, 2880, 4), np.uint8))
    assert kept.shape == (1800, 2880, 4)
    assert same == 1
    view = FightView(
        client=Rect(10, 20, 100, 200),
        lattice=Seen(Lattice((5.0, 6.0), 40.0, 20.0), 0.9),
        lattice_ambiguous=(Lattice((1.0, 2.0), 40.0, 20.0),),
        player=FighterSeen((7.0, 8.0), 3, "own"),
        enemies=(FighterSeen((9.0, 1.0), 4, "enemy"),),
        spells=(SpellSlot(0, box=Rect(1, 2, 3, 4)), SpellSlot(1)),
        timeline=(CardSeen(Rect(2, 4, 6, 8), "own", True),),
    )
    assert enlarged(view, 1) is view
    twice = enlarged(view, 2)
    assert twice.client == Rect(20, 40, 200, 400)
    assert twice.lattice == Seen(Lattice((10.0, 12.0), 80.0, 40.0), 0.9)
    assert twice.lattice_ambiguous == (Lattice((2.0, 4.0), 80.0, 40.0),)
    assert twice.player.px == (14.0, 16.0)
    assert twice.player.cell == 3
    assert twice.enemies[0].px == (18.0, 2.0)
    assert [slot.box for slot in twice.spells] == [Rect(2, 4, 6, 8), None]
    assert twice.timeline[0].box == Rect(4, 8, 12, 16)


@pytest.mark.long
def test_a_fight_on_an_8k_screen_is_read_at_its_own_places():
    image, label = screen.draw(3, "dofus-unity")
    large = np.ascontiguousarray(np.repeat(np.repeat(image, 4, axis=0), 4, axis=1))
    view = Reader(profiles.load("dofus-unity")).read(Frame.still(large))
    assert view.phase.value is Phase.FIGHT
    assert view.player is not None
    assert np.hypot(*np.subtract(view.player.px, np.array(label["player_px"]) * 4)) < 4 * label["cell_px"]
