"""The spell bar of real clients: slots wherever it stands, what can be cast, turns to wait, icons."""

import cv2
import hudpicture
import numpy as np
import pytest

from vision import profiles
from vision.extract import Reader
from vision.extract.dofus import bar, slots
from vision.extract.dofus.anchors import HudAnchor
from vision.extract.dofus.hud import DofusHudReader
from vision.extract.dofus.slots import SlotAppearance
from vision.frame import Frame, Rect
from vision.signature import SAME, likeness, signature
from vision.synthetic.screen import draw
from vision.view import Seen

UNITY, TWO, RETRO = (profiles.load(name) for name in ("dofus-unity", "dofus-2", "dofus-retro"))
ICONS = (11, 12, 13, 14, 15, 16, 17, None, None)
DARK, WAITS = (1, 3, 6), {1: 2, 3: 7}


def fight(at=(560, 720), icons=ICONS, dark=DARK, waits=None, scale=1.0):
    image = hudpicture.screen(size=(1280, 800))
    hudpicture.button(image, (1120, 745))
    hudpicture.spell_bar(image, at, icons, dark=dark, waits=WAITS if waits is None else waits)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return cv2.resize(image, None, fx=scale, fy=scale, interpolation=how)


def read(image, reader=None):
    return (reader or DofusHudReader(UNITY)).read(image, Rect(0, 0, image.shape[1], image.shape[0])).spells


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scale", "at"),
    [(0.8, (500, 650)), (1.0, (560, 720)), (1.0, (540, 690)), (1.5, (500, 650)), (1.5, (540, 690))],
)
def test_slots_wherever_the_bar_stands(scale, at):
    found = read(fight(at, scale=scale))
    assert [slot.usable.value for slot in found][:6] == [index not in DARK for index in range(6)]
    assert len(found) == 7 or scale < 1
    for index, slot in enumerate(found):
        wanted = WAITS.get(index, 0)
        assert slot.cooldown.value in (wanted, None)
        assert slot.index == index
        assert abs(slot.box.x - (at[0] + index * 0.718 * hudpicture.UNIT) * scale) <= 3
    assert sum(found[index].cooldown.value == wait for index, wait in WAITS.items()) >= 1


@pytest.mark.slow
def test_icons_are_known_again_dark_or_smaller():
    known = [slot.icon for slot in read(fight(dark=(), waits={}))]
    for image, scale in (
        (fight(), 1),
        (fight(at=(500, 650)), 1),
        (fight(scale=1.4), 1.4),
        (fight(scale=0.8), 0.8),
    ):
        for index, slot in enumerate(read(image)):
            likes = [likeness(slot.icon, other) for other in known]
            assert int(np.argmax(likes)) == index
            assert likes[index] >= SAME or scale != 1
            assert sorted(likes)[-2] < SAME


def test_a_slot_follows_what_changes():
    reader = DofusHudReader(UNITY)
    assert read(fight(), reader)[1].usable.value is False
    assert read(fight(dark=(3, 6), waits={}), reader)[1].usable.value is True
    gone = hudpicture.screen(size=(1280, 800))
    hudpicture.button(gone, (1120, 745))
    assert not any(slot.icon for slot in read(gone, reader))


@pytest.mark.slow
def test_a_slot_without_a_number_has_no_turns_to_wait_once_one_would_have_come():
    grey = fight(dark=(1, 2), waits={})
    assert [slot.cooldown.value for slot in read(grey)][:3] == [0, 0, 0]
    reader = DofusHudReader(UNITY)
    assert read(fight(dark=(), waits={}), reader)[1].cooldown.value == 0
    told = [read(grey, reader)[1] for _ in range(12)]
    assert all(slot.usable.value is False for slot in told)
    assert [slot.cooldown.value for slot in told] == [None] * 9 + [0] * 3
    assert read(fight(dark=(1, 2), waits={1: 3}), reader)[1].cooldown.value == 3
    assert read(grey, reader)[1].cooldown.value is None


def test_slots_that_all_look_new_are_read_over_some_frames_and_looks_seen_before_at_once():
    icons = list(range(11, 21))
    lit, dark = fight(icons=icons, dark=(), waits={}), range(1, 10)
    grey = fight(icons=icons, dark=dark, waits={})
    reader = DofusHudReader(UNITY)
    assert [slot.usable.value for slot in read(lit, reader)] == [True] * 10
    first = read(grey, reader)
    assert reader.is_unfinished
    told = [slot.usable.value for slot in first]
    assert told.count(None) == 1 and told.count(False) == 8 and all(slot.icon for slot in first)
    assert [slot.usable.value for slot in read(grey, reader)] == [True] + [False] * 9
    assert not reader.is_unfinished
    assert [slot.usable.value for slot in read(lit, reader)] == [True] * 10
    assert [slot.usable.value for slot in read(grey, reader)] == [True] + [False] * 9


def test_no_bar_outside_a_fight_and_none_in_noise():
    image = hudpicture.screen(size=(1280, 800))
    hudpicture.spell_bar(image, (560, 720), ICONS)
    assert read(image) == ()
    rng = np.random.default_rng(3)
    noise = rng.integers(0, 256, (400, 600, 3), dtype=np.uint8)
    assert bar.find(noise, UNITY.hud.spells, HudAnchor(100, 350, 50, 1)) == ()


def test_a_wide_green_button_is_no_row_of_slots():
    image = hudpicture.screen(size=(1280, 800))
    cv2.rectangle(image, (500, 600), (500 + round(0.718 * 60 * 6) - 2, 641), (60, 190, 150), -1)
    assert bar.find(image, UNITY.hud.spells, HudAnchor(400, 740, 60, 1)) == ()


def test_a_bar_that_cannot_be_moved_is_where_it_is():
    boxes = bar.find(np.zeros((900, 1200, 3), np.uint8), RETRO.hud.spells, HudAnchor(675, 724, 64, 1))
    assert len(boxes) == 14
    assert boxes[7].y > boxes[0].y
    assert bar.find(np.zeros((760, 1200, 3), np.uint8), RETRO.hud.spells, HudAnchor(675, 724, 64, 1)) == ()
    assert bar.find(np.zeros((760, 1200, 3), np.uint8), RETRO.hud.spells, HudAnchor(675, 724, 5, 1)) == ()


def test_signatures():
    rng = np.random.default_rng(9)
    pictures = [cv2.resize(rng.integers(0, 256, (6, 6, 3), dtype=np.uint8), (40, 40)) for _ in range(12)]
    known = [signature(picture) for picture in pictures]
    for index, picture in enumerate(pictures):
        assert likeness(known[index], known[index]) == pytest.approx(1)
        for other in (picture // 2, cv2.resize(picture, (23, 23), interpolation=cv2.INTER_AREA)):
            likes = [likeness(signature(other), one) for one in known]
            assert int(np.argmax(likes)) == index and likes[index] >= SAME
    assert signature(np.full((30, 30, 3), 90, np.uint8)) == ""
    assert signature(pictures[0][:4]) == ""
    assert likeness("", known[0]) == 0
    with pytest.raises(ValueError, match="numbers"):
        likeness("0011", known[0])


def looks(light, body=None, wait=None, count=1):
    tones = (0.4 * light, 0.8 * light if body is None else body, light, 1.1 * light)
    icons = [
        signature(np.random.default_rng(seed).integers(0, 256, (8, 8, 3), np.uint8)) for seed in range(99)
    ]
    return [
        SlotAppearance(icons[index], light, tones, Seen(wait, 0.9) if wait else Seen())
        for index in range(count)
    ]


def told(seen, before=None):
    return [slot.usable.value for slot in slots.classify(seen, UNITY.hud.spells, before)]


def test_a_dark_icon_alone_may_be_greyed_or_only_dark():
    assert told(looks(100, count=4)) == [None] * 4
    assert told(looks(100) + looks(200, count=2)) == [None, True, True]
    assert told(looks(100, wait=3)) == [False]
    assert slots.classify(looks(100, wait=3), UNITY.hud.spells)[0].cooldown.value == 3


def test_a_dark_icon_stands_out_from_bright_ones_only_where_all_of_it_is_darker():
    assert told(looks(100) + looks(200, count=3)) == [False, True, True, True]
    assert told(looks(135) + looks(200, count=3)) == [None, True, True, True]
    assert told(looks(100, body=155) + looks(200, count=3)) == [None, True, True, True]


def test_an_icon_seen_bright_before_is_greyed_once_it_is_darker():
    bright = dict(enumerate(looks(200, count=2)))
    first, second = looks(150, count=2)
    lit = looks(200, count=2)[1]
    assert told([first, lit], bright) == [False, True]
    assert told([first, second], bright) == [None, None], "a veil over the whole bar greys no spell"
    assert told([second, lit], {0: bright[0], 1: bright[1]}) == [None, True], "another icon took its place"


def test_white_writing_makes_no_dark_icon_bright():
    icon = np.zeros((40, 40, 3), np.uint8)
    icon[...] = np.linspace(40, 90, 40).astype(np.uint8)[:, None, None]
    icon[12:28, 14:26] = 255
    assert slots.appearance(icon, profiles.load("dofus-2").hud.spells).light < 100


def test_no_bar_where_a_slot_may_stand_before_the_first_one():
    image = fight(dark=(), waits={})
    start = 560 + round(0.718 * hudpicture.UNIT)
    flat = image.copy()
    flat[720:762, 558 : start - 1] = (104, 96, 84)
    assert len(read(image)) == 7
    assert read(flat) == ()


def two_rows(first, second, dark=(), unit=60):
    """Returns the slots read of two rows of icons, `dark` ones greyed, the second row from column 0 on."""
    image = np.full((900, 1600, 3), (66, 53, 50), np.uint8)
    hudpicture.stacked(image, (200, 500), unit=unit)
    left, top = round(200 + 0.62 * unit), round(500 - 0.65 * unit)
    below = tuple(slot - len(first) for slot in dark if slot >= len(first))
    hudpicture.spell_bar(image, (left, top), first, unit=unit, dark=dark)
    hudpicture.spell_bar(image, (left, top + round(0.718 * unit)), second, unit=unit, dark=below, panel=False)
    hudpicture.button(image, (1300, 500), width=170)
    hudpicture.timeline(image, (500, 60), ("enemy", "own"), 1)
    return [(slot.index, slot.box.x - left) for slot in read(image)]


@pytest.mark.slow
@pytest.mark.parametrize("dark", [(), (11,), (12,), (0, 13), (11, 12)])
def test_a_dark_slot_at_a_rows_end_shifts_no_other_slot(dark):
    slots = two_rows(list(range(12)), list(range(20, 32)), dark)
    assert len(slots) == 24
    for index, left in slots:
        assert abs(left - index % 12 * 0.718 * 60) <= 4


def test_a_row_that_ends_early_is_the_last():
    slots = two_rows(list(range(12)), list(range(20, 28)))
    assert [index for index, _ in slots] == list(range(20))


def test_what_follows_the_first_row_alone_withholds_the_next_ones():
    rows = [bar.SlotRow(20, y, 43, 0, 3) for y in (20, 63, 106)]

    def slots_found(line):
        image = np.full((180, 400, 3), 60, np.uint8)
        if line is not None:
            image[rows[line].y : rows[line].y + 42, 192:234] = 60
            image[rows[line].y + 10 : rows[line].y + 32, 202:224] = 110
        return len(bar.grid_boxes(image, rows, UNITY.hud.spells))

    assert [slots_found(line) for line in (None, 0, 1, 2)] == [12, 4, 12, 12]


@pytest.mark.slow
def test_a_dark_slot_of_nearly_the_panels_colour_counts_in_its_row():
    image, truth = draw(43000089, "dofus-unity")
    found = Reader(UNITY).read(Frame.still(image)).spells
    assert [slot.usable.value for slot in found] == [slot["usable"] for slot in truth["spells"]]


def test_small_slots_that_touch_are_slots():
    unit = 30
    image = np.full((120, 400, 3), (30, 44, 42), np.uint8)
    for index in range(8):
        left = 40 + round(index * TWO.hud.spells.pitch[0] * unit)
        for top in (30, 55):
            image[top : top + 24, left : left + 24] = (150 + 12 * index, 180, 120)
            image[top + 8 : top + 16, left + 8 : left + 16] = 40
        image[54, left : left + 24] = (118, 130, 100)
        if index:
            image[30:79, left - 1] = (118, 130, 100)
    anchor = HudAnchor(20, 100, unit, 1.0)
    assert bar.rows_of_slots(image, TWO.hud.spells, anchor) == []
    rows = bar.rows_of_slots(image, TWO.hud.spells, anchor, touching=True)
    assert [(round(row.y), row.slots) for row in rows] == [(30, 8), (55, 8)]


def test_no_bar_below_a_row_that_is_not_found():
    image = np.full((400, 900, 3), (66, 53, 50), np.uint8)
    hudpicture.spell_bar(image, (100, 100), list(range(12)))
    hudpicture.spell_bar(image, (100, 143), list(range(20, 32)), panel=False)
    row = tuple(Rect(100 + round(43.08 * index), 143, 42, 42) for index in range(12))
    assert bar.has_row_above(image, row)
    assert not bar.has_row_above(image, tuple(box._replace(y=100) for box in row))


def test_less_proves_the_first_slot_of_a_row_with_as_many_as_there_can_be():
    image = np.full((120, 200, 3), 40, np.uint8)
    first = Rect(80, 40, 36, 36)
    image[40:76, :78] = 58
    assert bar.is_first_slot(image, first, TWO.hud.spells, full=True)
    assert not bar.is_first_slot(image, first, TWO.hud.spells, full=False)
    image[40:76, :78] = 90
    assert not bar.is_first_slot(image, first, TWO.hud.spells, full=True)


def test_a_greyed_icon_on_a_screen_turned_up_is_not_called_usable():
    def usable(usual, dark):
        row = [SlotAppearance("a", light, (light,) * 4) for light in (*[usual] * 5, dark)]
        return [slot.usable.value for slot in slots.classify(row, TWO.hud.spells)]

    assert usable(255.0, 178.0) == [True] * 5 + [None]
    assert usable(250.0, 178.0) == [True] * 6


def test_what_lies_beyond_the_panel_is_no_slot():
    image = np.full((80, 400, 3), 60, np.uint8)
    image[:, :200] = (30, 140, 40)
    boxes = [Rect(160 - 40 * step, 30, 36, 36) for step in range(3)]
    for box in boxes:
        image[box.y : box.bottom, box.x : box.right] = 150
        image[box.y + 8 : box.bottom - 8, box.x + 8 : box.right - 8] = 20
    meadow, panel = np.array((30, 140, 40), np.float32), np.array((60, 60, 60), np.float32)
    assert bar.count_beyond(image, meadow, boxes) == len(boxes)
    assert bar.count_beyond(image, panel, boxes) == 0


def framed(light, number=False):
    """Draws a slot of Retro: a frame and a circle on black, perhaps with a number that reaches the frame."""
    icon = np.full((60, 60, 3), 30, np.uint8)
    cv2.rectangle(icon, (6, 6), (53, 53), (light,) * 3, 3)
    cv2.circle(icon, (30, 30), 22, (light,) * 3, 2)
    cv2.line(icon, (20, 40), (40, 22), (light,) * 3, 3)
    if number:
        cv2.putText(icon, "3", (14, 48), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (255, 255, 255), 6)
        cv2.line(icon, (6, 30), (53, 30), (255, 255, 255), 8)
    return slots.appearance(icon, RETRO.hud.spells)


def test_a_white_icon_is_classified_by_its_frame():
    row = [framed(250), framed(250), framed(126), framed(126, number=True), framed(250)]
    assert [slot.usable.value for slot in slots.classify(row, RETRO.hud.spells)] == [
        True,
        True,
        False,
        False,
        True,
    ]
    between = slots.classify([*row, framed(195)], RETRO.hud.spells)
    assert between[-1].usable.value is None
    assert [slot.usable.value for slot in slots.classify([framed(126)] * 3, RETRO.hud.spells)] == [None] * 3
    few = [framed(250), framed(250), *[framed(126)] * 9]
    assert [slot.usable.value for slot in slots.classify(few, RETRO.hud.spells)] == [True] * 2 + [False] * 9


def test_a_frame_is_measured_beside_the_panel_where_its_box_is_a_pixel_off():
    icon = np.full((60, 60, 3), 30, np.uint8)
    cv2.rectangle(icon, (6, 6), (53, 53), (126, 124, 124), 7)
    cv2.circle(icon, (30, 30), 12, (90, 90, 90), -1)
    icon[:, 49:] = (170, 207, 213)
    seen = slots.appearance(icon, RETRO.hud.spells)
    assert 115 <= seen.light <= 135
    icon[:, 12:] = (170, 207, 213)
    assert slots.appearance(icon, RETRO.hud.spells).light == 0


def test_white_frames_on_a_darker_screen_can_be_cast():
    def usable(*lights):
        return [slot.usable.value for slot in slots.classify([framed(x) for x in lights], RETRO.hud.spells)]

    assert usable(216, 214, 217, 108) == [True, True, True, False]
    assert usable(190, 190, 190) == [None] * 3
    assert usable(216, 214, 108) == [None] * 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("client", "seed"),
    [
        ("dofus-2", 12000003),
        pytest.param("dofus-2", 12000067, marks=pytest.mark.long),
        ("dofus-retro", 12100036),
    ],
)
def test_turns_to_wait_are_read_off_the_middle_of_slots(client, seed):
    picture, truth = draw(seed, client)
    view = Reader(profiles.load(client)).read(Frame.still(picture))
    told = {slot.index: slot.cooldown.value for slot in view.spells if slot.cooldown.value}
    drawn = {i: slot["cooldown"] for i, slot in enumerate(truth["spells"]) if slot and slot["cooldown"]}
    assert len(drawn) >= 2 and told == drawn


@pytest.mark.slow
@pytest.mark.parametrize(
    ("client", "seed", "known"),
    [
        ("dofus-unity", 91020592, 12),  # the end-turn panel begins where the bar ends
        ("dofus-unity", 91020475, 24),  # the last icons are greyed and have the panel's colour
        ("dofus-retro", 91020052, 11),  # slots of 18 pixels, the unit 5.5 % off
        pytest.param("dofus-retro", 91020279, 9, marks=pytest.mark.long),
    ],
)
def test_each_slot_is_read_at_its_own_place(client, seed, known):
    picture, truth = draw(seed, client, unlike=True)
    found = Reader(profiles.load(client)).read(Frame.still(picture)).spells
    read = {slot.index: slot for slot in found if slot.usable}
    assert len(read) >= known
    for index, slot in read.items():
        drawn = truth["spells"][index]
        assert slot.usable.value is drawn["usable"]
        assert slot.cooldown.value in (drawn["cooldown"], None)


def test_greyed_icons_without_a_number_have_no_turns_to_wait():
    for light in (100, 126, 150):
        assert framed(light).wait.value is None
    plain = np.full((60, 60, 3), 30, np.uint8)
    cv2.circle(plain, (30, 30), 14, (150, 150, 150), 6)
    for client in ("dofus-2", "dofus-retro"):
        seen = slots.appearance(plain, profiles.load(client).hud.spells)
        assert seen.wait.value is None and not seen.blank
        seen = slots.appearance(
            np.where(plain > 100, 120, plain).astype(np.uint8), profiles.load(client).hud.spells
        )
        assert seen.wait.value is None and seen.blank


def greyed(size, ink=0):
    """Draws a greyed icon, its bright parts at 100, perhaps with a small number that blur has dulled."""
    icon = np.full((size, size, 3), (100, 60, 40), np.uint8)
    cv2.circle(icon, (size // 2, 3 * size // 5), size // 6, (20, 20, 30), -1)
    if ink:
        icon[size // 4 : size // 4 + size // 5, size // 8 : size // 8 + 4] = ink
    return slots.appearance(icon, UNITY.hud.spells)


def test_a_dull_number_or_figures_too_small_to_be_seen_are_no_blank_slot():
    assert greyed(48).blank
    assert not greyed(48, ink=140).blank and not greyed(48, ink=120).blank
    assert not greyed(24).blank


def tone(*tones):
    return slots.SlotAppearance("1", tones[-2], tones)


def test_a_slot_is_told_by_the_bright_tones_of_its_bar():
    rule = TWO.hud.spells
    usual = [tone(90.0, 200.0, 220.0, 225.0)] * 4
    flat, dull, between = (
        tone(125.0, 115.0, 128.0, 131.0),
        tone(80.0, 150.0, 168.0, 172.0),
        tone(80, 145, 150, 153),
    )
    read = slots.classify([*usual, flat, dull, between], rule)
    assert [slot.usable.value for slot in read[4:]] == [False, True, None]
    assert [slot.usable.value for slot in slots.classify([flat, dull], rule)] == [None, None]


@pytest.mark.parametrize(("usual", "usable"), [(220.0, True), (240.0, None)])
def test_a_dull_slot_of_2_x_is_usable_by_its_share_of_the_bars_brightness(usual, usable):
    bar = [tone(90.0, 0.9 * usual, usual, usual + 5)] * 4
    dull = tone(80.0, 146.0, 158.0, 162.0)
    assert slots.classify([*bar, dull], TWO.hud.spells)[4].usable.value is usable
    assert slots.classify([*bar, dull], UNITY.hud.spells)[4].usable.value is None


def test_an_empty_slot_of_a_framed_bar_has_no_usability():
    empty = slots.appearance(np.full((60, 60, 3), (178, 184, 189), np.uint8), RETRO.hud.spells)
    assert slots.classify([empty], RETRO.hud.spells)[0].usable.value is None


def bar_with(drawn, dark=()):
    """Returns the slots read of a bar of nine icons beside what `drawn` draws, by their distance from it."""
    image = np.full((900, 1600, 3), (66, 53, 50), np.uint8)
    hudpicture.stacked(image, (500, 500))
    left, top = 580, 480
    hudpicture.spell_bar(image, (left, top), list(range(9)), dark=dark)
    drawn(image, left, top)
    hudpicture.button(image, (1300, 700), width=170)
    hudpicture.timeline(image, (500, 60), ("enemy", "own"), 1)
    return [(slot.index, slot.box.x - left) for slot in read(image)]


def on_the_grid(slots):
    pitch = 0.718 * hudpicture.UNIT
    return [index for index, left in slots if abs(left - index * pitch) <= 4] == list(range(9))


def test_a_button_beside_the_bar_with_words_on_it_is_no_slots():
    def button(image, left, top):
        unit = hudpicture.UNIT
        first, size = left + round(0.718 * unit * 11), round(0.695 * unit)
        last = first + round(0.718 * unit * 4) + size
        image[top - 14 : top + size + 14, first - 30 : last + 30] = (38, 30, 26)
        image[top : top + size, first:last] = (50, 200, 175)
        for place in range(1, 5):
            middle = first + round(0.718 * unit * place) - 1
            image[top + size // 3 : top + 2 * size // 3, middle - 2 : middle + 2] = (10, 40, 35)

    assert on_the_grid(bar_with(button))
