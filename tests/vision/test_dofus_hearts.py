"""The forms of the heart that players choose: HP alone, HP over the maximum, the share in percent."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
import real_screens
from real_screens import SCREENS

from vision.extract import Reader
from vision.extract.dofus import anchors
from vision.extract.dofus.hud import DofusHudReader
from vision.extract.dofus.model import HudSeen
from vision.extract.dofus.numbers_seen import NumberReader
from vision.frame import Frame, Rect
from vision.profiles import load
from vision.synthetic import screen
from vision.synthetic.canvas import Drawing
from vision.synthetic.clients import dofus2
from vision.synthetic.hud_sample import Area, Look, sample
from vision.view import Seen

CLIENT = "dofus-2"
WIDTH, HEIGHT = 1280, 720


def heart(seed, **look):
    dice = np.random.default_rng(seed)
    canvas = Drawing.filled(WIDTH, HEIGHT, (96, 120, 70))
    shown = replace(sample(dice, [], "fight", "mine", True), look=Look(**look))
    dofus2.draw(dice, canvas, Area(0, 0, WIDTH, HEIGHT), shown, 1.0, False)
    seen = DofusHudReader(load(CLIENT)).read(canvas.image, Rect(0, 0, WIDTH, HEIGHT))
    return seen, shown


@pytest.mark.slow
@pytest.mark.parametrize(
    "extra", [pytest.param({}, marks=pytest.mark.long), {"drained": True}, {"underlined": True}]
)
def test_each_form_of_a_heart_is_read(extra):
    read = {"number": 0, "rows": 0, "percent": 0}
    for form in read:
        for seed in range(3):
            seen, shown = heart(seed, life=form, **extra)
            got = seen.hp.value, seen.max_hp.value, seen.hp_share.value
            hp, most = shown.hp, shown.max_hp
            wanted = {"number": (hp, None, None), "rows": (hp, most, None)}
            want = wanted.get(form, (None, None, shown.percentage))
            assert all(one in (None, other) for one, other in zip(got, want, strict=True)), (form, seed)
            read[form] += got == want
    assert min(read.values()) >= 2


def test_two_forms_at_once_contradict_each_other(monkeypatch):
    shown = {"hp": Seen(7, 0.9), "max_hp": Seen(70, 0.9), "lone_hp": Seen(45, 0.9), "ap": Seen(6, 0.9)}
    monkeypatch.setattr(
        NumberReader,
        "read",
        lambda self, part, anchor, fields: {n: shown.get(n, Seen()) for n in fields},
    )
    seen = DofusHudReader(load(CLIENT)).read(drawn_hud(), Rect(0, 0, WIDTH, HEIGHT))
    assert seen.ap.value == 6 and not (seen.hp or seen.max_hp or seen.hp_share)
    shown.pop("lone_hp")
    seen = DofusHudReader(load(CLIENT)).read(drawn_hud(), Rect(0, 0, WIDTH, HEIGHT))
    assert (seen.hp.value, seen.max_hp.value) == (7, 70)


def test_every_form_tells_the_share_of_life_that_the_players_card_shows():
    assert HudSeen(hp=Seen(30, 0.9), max_hp=Seen(40, 0.9)).life == 0.75
    assert HudSeen(hp_share=Seen(75, 0.9)).life == 0.75
    assert HudSeen(hp=Seen(30, 0.9)).life is None and HudSeen().life is None


def drawn_hud():
    dice = np.random.default_rng(3)
    canvas = Drawing.filled(WIDTH, HEIGHT, (96, 120, 70))
    dofus2.draw(dice, canvas, Area(0, 0, WIDTH, HEIGHT), sample(dice, [], "fight", "mine", True), 1.0, False)
    return canvas.image


def test_screens_of_other_players_have_each_form():
    forms = [screen.look(CLIENT, np.random.default_rng(seed)).life for seed in range(400)]
    assert 180 <= forms.count("rows") <= 245 and 100 <= forms.count("number") <= 160
    assert 35 <= forms.count("percent") <= 80


def strips():
    return json.loads((SCREENS / "hud" / "labels.json").read_text())["strips"]


def is_read(picture, label):
    """Whether the heart of a picture is read; what is read of it is as labelled."""
    height, width = picture.shape[:2]
    seen = DofusHudReader(load(CLIENT)).read(picture, Rect(0, 0, width, height))
    share = label.get("hp_share")
    want = label["hp"], label["max_hp"], None if share is None else round(100 * share)
    got = seen.hp.value, seen.max_hp.value, seen.hp_share.value
    assert all(one in (None, other) for one, other in zip(got, want, strict=True)), label["file"]
    return got == want


def whole(label):
    """Returns a picture as large as the window with one of the real lower parts at its foot."""
    strip = cv2.imread(str(SCREENS / label["file"]))
    wide, tall = label["window"]
    picture = np.zeros((tall, wide, 3), np.uint8)
    picture[tall - len(strip) :] = strip[:, :wide]
    return picture


@pytest.mark.slow
@real_screens.need("hud/labels.json")
def test_real_hearts():
    read = sum(is_read(whole(label), label) for label in strips())
    assert read >= 11, "a line drawn by its author covers the top of one"


def found(picture):
    """Returns where star and diamond are."""
    anchor = anchors.vitals(anchors.hsv(picture), load(CLIENT).hud, picture.shape[0])
    assert anchor is not None
    return anchor


def pasted(fight, picture):
    """Returns a fight with another HUD's heart, star and diamond in the place and size of its own."""
    target, source = found(fight), found(picture)
    scale = target.unit / source.unit
    left, top = round(source.x - 1.5 * source.unit), round(source.y - 2.3 * source.unit)
    right, foot = round(source.x + 1.5 * source.unit), round(source.y + 0.9 * source.unit)
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    part = cv2.resize(picture[top:foot, left:right], None, fx=scale, fy=scale, interpolation=way)
    x, y = round(target.x - (source.x - left) * scale), round(target.y - (source.y - top) * scale)
    new = fight.copy()
    place = new[y : y + len(part), x : x + part.shape[1]]
    place[:] = part[: len(place), : place.shape[1]]
    return new


@pytest.mark.long
@real_screens.need("hud/labels.json")
def test_real_hearts_pasted_into_every_real_fight():
    screens = json.loads((SCREENS / "labels.json").read_text())["screens"]
    fights = [one["file"] for one in screens if one["client"] == CLIENT and one["phase"] == "fight"]
    assert len(fights) >= 7
    for name in fights:
        fight = cv2.imread(str(SCREENS / name))
        read = sum(is_read(pasted(fight, whole(label)), label) for label in strips())
        assert read >= 11, f"{name}: a line drawn by its author covers the top of one"


@pytest.mark.slow
@real_screens.need("hud/labels.json")
def test_fighters_behind_a_block_and_each_other_in_a_small_window_of_unity():
    picture = cv2.imread(str(SCREENS / "dofus-unity_small_15.png"))
    seen = Reader(load("dofus-unity")).read(Frame.still(picture))
    assert seen.player is not None and len(seen.enemies) == 1
    assert np.hypot(seen.player.px[0] - 219, seen.player.px[1] - 251) <= 10
    assert np.hypot(seen.enemies[0].px[0] - 219, seen.enemies[0].px[1] - 233) <= 10


@pytest.mark.slow
@real_screens.need("hud/labels.json")
@pytest.mark.parametrize(("number", "ap"), [(3, 6), (10, 7), (15, 6)])
def test_figures_of_five_pixels_in_a_small_window_of_unity(number, ap):
    picture = cv2.imread(str(SCREENS / f"dofus-unity_small_{number}.png"))
    height, width = picture.shape[:2]
    seen = DofusHudReader(load("dofus-unity")).read(picture, Rect(0, 0, width, height))
    assert seen.ap.value == ap
