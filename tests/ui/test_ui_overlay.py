"""The overlay draws the advice over the game, lets everything through, and paints only what changed."""

import os
import sys
from dataclasses import replace

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QRegion
from PySide6.QtWidgets import QWidget
from ui_factories import CAST, LATTICE, PLAYER, WALK, WINDOW, decision, searched, snapshot, state, turn, view

from botapp.advisor.decision import ScoredAction
from botapp.fight.actions import EndTurn, Move
from botapp.host.settings import OverlaySettings
from botapp.ui.overlay import paint, platform
from botapp.ui.overlay.badge import BadgeMover
from botapp.ui.overlay.geometry import OverlayGeometry
from botapp.ui.overlay.marks import TurnMarks
from botapp.ui.overlay.platform import Covers
from botapp.ui.overlay.scene import EMPTY, OverlayScene, build
from botapp.ui.overlay.visibility import OverlayLook
from botapp.ui.overlay.window import Overlay
from vision.frame import Rect
from vision.view import Seen
from vision.window import WindowInfo, WindowState

PLACE = OverlayGeometry(100, 60, 1280, 720)
SHOWN = OverlayLook("advice", 1.0)


@pytest.fixture
def overlay(qtbot, monkeypatch):
    monkeypatch.setattr(platform, "blends", lambda: True)
    made = Overlay(OverlaySettings())
    qtbot.addWidget(made)
    yield made
    made.clear()


def test_it_lets_everything_through_and_never_takes_the_focus(overlay):
    for flag in (
        Qt.WindowType.WindowTransparentForInput,
        Qt.WindowType.WindowDoesNotAcceptFocus,
        Qt.WindowType.WindowStaysOnTopHint,
        Qt.WindowType.FramelessWindowHint,
    ):
        assert overlay.windowFlags() & flag
    assert overlay.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    assert overlay.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)


def out_of_the_way(scene, room):
    return paint.in_corner(scene, room, paint.free_corner(scene, room))


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_advice_box_never_lies_over_the_turn_that_it_is_about(qapp, scale):
    room = (1280.0, 720.0)
    seen = snapshot(1, decision=searched(), turn=turn())
    for cell_x, cell_y in ((0.1, 0.2), (0.3, 0.3), (0.8, 0.3), (0.2, 0.7)):
        lattice = replace(LATTICE, origin_px=(0.0, 0.0))
        middle = lattice.centre(PLAYER)
        lattice = replace(LATTICE, origin_px=(cell_x * room[0] - middle[0], cell_y * room[1] - middle[1]))
        moved = replace(seen, view=replace(seen.view, lattice=Seen(lattice, 1.0)))
        scene = build(moved, SHOWN, OverlaySettings(badge_scale=scale), PLACE)
        found = out_of_the_way(scene, room)
        ground = paint.badge_rect(found.badge)
        assert QRectF(0, 0, *room).contains(ground)
        for bubble in found.marks.bubbles:
            assert not ground.adjusted(-9, -9, 9, 9).contains(QPointF(*bubble.at)), (cell_x, cell_y)
        if not any(paint.badge_rect(scene.badge).intersects(rect) for _, rect in paint.placed_notes(scene)):
            assert found.badge.at[0] in (scene.badge.at[0], room[0] - ground.width() - scene.badge.at[0])
    assert out_of_the_way(replace(scene, marks=TurnMarks()), room).badge == scene.badge


def test_the_advice_box_keeps_off_a_fighter_where_it_can(qapp):
    seen = snapshot(1, decision=searched(), turn=turn())
    scene = build(seen, SHOWN, OverlaySettings(), PLACE)
    ground = paint.badge_rect(scene.badge)
    under = (*scene.badge.at, 20.0, 30.0)
    there = replace(scene, marks=replace(scene.marks, bodies=(under,)))
    moved = paint.badge_rect(out_of_the_way(there, (1280.0, 720.0)).badge)
    assert ground.intersects(QRectF(*under)) and not moved.intersects(QRectF(*under))


def test_it_lies_over_the_game_and_follows_it(overlay, qtbot):
    overlay.show_snapshot(snapshot(1))
    assert overlay.isVisible()
    assert overlay.geometry().getRect() == (100, 60, 1280, 720)
    moved = replace(WINDOW, rect=Rect(300, 200, 1024, 640))
    overlay.show_snapshot(snapshot(2, window=moved))
    assert overlay.geometry().getRect() == (300, 200, 1024, 640)


def test_it_hides_with_the_game_and_when_switched_off(overlay):
    overlay.show_snapshot(snapshot(1))
    overlay.show_snapshot(snapshot(2, capture="minimised", advice="none", decision=None))
    assert not overlay.isVisible()
    overlay.show_snapshot(snapshot(3))
    assert overlay.isVisible()
    overlay.apply(OverlaySettings(enabled=False))
    assert not overlay.isVisible()


def test_between_two_advices_it_stays_and_shows_nothing(overlay):
    """A window that comes back is painted when the window system says so, one that is there at once."""
    overlay.show_snapshot(snapshot(1, advice="settling", decision=None))
    assert not overlay.isVisible()
    overlay.show_snapshot(snapshot(2))
    for advice in ("settling", "not-my-turn"):
        overlay.show_snapshot(snapshot(3, advice=advice, decision=None))
        assert overlay.isVisible() and overlay.scene == EMPTY


def test_advice_is_painted_as_soon_as_it_is_taken_in(overlay, qtbot):
    heard = []
    with qtbot.waitExposed(overlay):
        overlay.show_snapshot(snapshot(1))
    overlay.painted.connect(heard.append)
    other = snapshot(2, decision=decision(WALK, WALK))
    overlay.show_snapshot(other)
    assert heard == [other.captured_ns]


@pytest.mark.slow
def test_stale_advice_fades_out_by_itself(overlay, qtbot):
    overlay.apply(OverlaySettings(stale_after_ms=200))
    overlay.show_snapshot(snapshot(1))
    assert overlay.isVisible()
    qtbot.waitUntil(lambda: not overlay.isVisible(), timeout=5000)


def test_each_new_advice_is_told_once_when_it_is_painted(overlay, qtbot):
    heard = []
    overlay.painted.connect(heard.append)
    first = snapshot(1)
    overlay.show_snapshot(first)
    overlay.grab()
    overlay.grab()
    same = snapshot(2, decided_seq=1)
    overlay.show_snapshot(same)
    overlay.grab()
    assert heard == [first.captured_ns]
    other = snapshot(3, decision=decision(WALK, WALK))
    overlay.show_snapshot(other)
    overlay.grab()
    assert heard == [first.captured_ns, other.captured_ns]


def test_without_a_compositor_it_is_cut_to_its_shapes(overlay, monkeypatch):
    monkeypatch.setattr(platform, "blends", lambda: False)
    overlay.show_snapshot(snapshot(1))
    mask = overlay.mask()
    assert not mask.isEmpty()
    covered = sum(rect.width() * rect.height() for rect in mask)
    assert covered < 0.15 * 1280 * 720


def test_trouble_with_hiding_from_captures_is_told(qtbot, monkeypatch):
    monkeypatch.setattr(platform, "hide_from_captures", lambda handle: "not hidden")
    monkeypatch.setattr(platform, "blends", lambda: True)
    made = Overlay(OverlaySettings())
    qtbot.addWidget(made)
    with qtbot.waitSignal(made.trouble) as heard:
        made.show_snapshot(snapshot(1))
    assert heard.args == ["not hidden"]
    made.clear()


def test_a_spell_is_drawn_as_target_line_heat_and_words():
    scene = build(snapshot(), SHOWN, OverlaySettings(), PLACE)
    (step,) = scene.marks.steps
    assert step.cell == PLACE.diamond(LATTICE, 272)
    assert step.route == (PLACE.centre(LATTICE, 229), PLACE.centre(LATTICE, 272))
    assert [share for _, share in scene.heat] == pytest.approx([0.17 / 0.62, 0.11 / 0.62, 0.04 / 0.62])
    assert told_at(scene) == [(("Spark", "name"),)]
    assert scene.badge.lines == ("Cast Spark on Thorn Beast", "68% to win  ·  sure choice")


def told_at(scene):
    return [note.parts for note in scene.marks.notes]


def test_the_whole_turn_is_drawn_step_by_step_with_what_it_should_do():
    scene = build(snapshot(decision=searched(), turn=turn()), SHOWN, OverlaySettings(), PLACE)
    assert [(step.walk, step.first) for step in scene.marks.steps] == [(False, True), (True, False)]
    assert [bubble.number for bubble in scene.marks.bubbles] == [1, 2, 3]
    first, second, _ = scene.marks.bubbles
    assert first.at[1] == second.at[1] and second.at[0] > first.at[0]
    assert told_at(scene) == [(("Spark ×2", "name"), ("−128", "damage"), ("kill 75%", "kill"))]
    assert scene.badge.lines == (
        "Cast Spark on Thorn Beast ×2",
        "68% to win  ·  close choice",
        "3. Walk 2 cells up",
    )


def test_minimal_draws_the_next_action_only():
    full = build(snapshot(decision=searched(), turn=turn()), SHOWN, OverlaySettings(), PLACE)
    scene = build(snapshot(decision=searched(), turn=turn()), SHOWN, OverlaySettings(preset="minimal"), PLACE)
    assert scene.marks.steps == full.marks.steps[:1]
    assert scene.marks.bubbles == () and scene.heat == ()
    assert len(scene.badge.lines) == 2


def test_the_slot_of_the_first_spell_is_outlined_where_it_is_known():
    slots = (("test_mend", Rect(400, 640, 48, 48)), ("spark", Rect(500, 640, 48, 48)))
    scene = build(snapshot(turn=turn(), slots=slots), SHOWN, OverlaySettings(), PLACE)
    assert scene.slot == (500, 640, 48, 48)
    halved = OverlayGeometry(0, 0, 640, 360, 2.0)
    assert build(snapshot(turn=turn(), slots=slots), SHOWN, OverlaySettings(), halved).slot == (
        250,
        320,
        24,
        24,
    )
    assert build(snapshot(turn=turn()), SHOWN, OverlaySettings(), PLACE).slot is None


def test_cells_that_are_as_good_are_drawn_alike_and_counted():
    walks = tuple(
        ScoredAction(Move((cell,)), 0.7 - n / 1000, "", value=0.7 - n / 1000)
        for n, cell in enumerate((243, 215, 228))
    )
    worse = ScoredAction(Move((244,)), 0.5, "", value=0.5)
    alike = searched(choices=(*walks, worse), candidates=(*walks, worse))
    scene = build(snapshot(decision=alike), SHOWN, OverlaySettings(), PLACE)
    assert scene.alike == tuple(PLACE.diamond(LATTICE, cell, 0.86) for cell in (215, 228))
    assert scene.badge.lines[2] == "2 other cells as good"


def test_another_turn_is_shown_in_place_of_the_advised_one_until_there_is_other_advice(overlay):
    first = snapshot(1, decision=searched(), turn=turn())
    overlay.show_snapshot(first)
    advised = overlay.scene
    overlay.show_line(first.turn.lines[1])
    assert overlay.scene.marks.steps[0].walk
    assert overlay.scene.badge.lines[0] == "Walk 3 cells down right"
    assert overlay.scene.badge.lines[1].startswith("61% to win")
    assert overlay.scene.badge.label == "Another turn, not the advice" and overlay.scene.looked_at
    overlay.show_snapshot(snapshot(2, decision=searched(), turn=turn(), decided_seq=1))
    assert overlay.scene.marks.steps[0].walk
    overlay.show_line(None)
    assert overlay.scene == advised
    overlay.show_line(first.turn.lines[1])
    overlay.show_snapshot(snapshot(3, decision=searched(), turn=turn()))
    assert overlay.scene == advised


def test_a_turn_that_is_looked_at_is_dotted_and_the_advised_one_is_not(overlay, qapp):
    seen = snapshot(1, decision=searched(), turn=turn())
    for solid in (False, True):
        lines = {}
        for other in (False, True):
            scene = build(seen, SHOWN, OverlaySettings(), PLACE, seen.turn.lines[1] if other else None)
            lines[other] = list(paint.lines_of(scene, solid=solid))
            image = _painted(scene, solid=solid)
            assert colours(image) == {"advice": not other, "other": other}, (solid, other)
        assert all(line.dotted for line in lines[True]) and not any(line.dotted for line in lines[False])
    overlay.show_snapshot(seen)
    advised = overlay.scene
    overlay.show_line(seen.turn.lines[0])
    assert overlay.scene == advised, "the advice itself, pointed at, is the advice"


def colours(image):
    """Tells which of the two colours of lines are in a picture."""
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(720, 1280, 4)[..., 2::-1]
    wanted = {"advice": (0x35, 0xD0, 0xFF), "other": (0xF2, 0xEF, 0xE6)}
    return {name: bool((pixels == colour).all(axis=2).sum() > 40) for name, colour in wanted.items()}


def test_the_box_keeps_its_corner_through_a_turn(overlay):
    def in_place(seq, cell_x, cell_y, **changes):
        seen = snapshot(seq, decision=searched(), turn=turn(), **changes)
        lattice = replace(LATTICE, origin_px=(0.0, 0.0))
        middle = lattice.centre(PLAYER)
        lattice = replace(LATTICE, origin_px=(cell_x * 1280 - middle[0], cell_y * 720 - middle[1]))
        return replace(seen, view=replace(seen.view, lattice=Seen(lattice, 1.0)))

    def box():
        return paint.badge_rect(overlay.scene.badge)

    overlay.show_snapshot(in_place(1, 0.1, 0.2))
    first = box()
    assert first.left() > 640, "the player stands on the left"
    overlay.show_snapshot(in_place(2, 0.9, 0.2))
    assert box().right() == pytest.approx(first.right()) and box().top() == first.top()
    ending = replace(
        in_place(3, 0.9, 0.2), decision=decision(ScoredAction(EndTurn(), 0.9, ""), CAST), turn=None
    )
    overlay.show_snapshot(ending)
    assert overlay.scene.badge.lines[0] == "End the turn" and box().right() == pytest.approx(first.right())
    overlay.show_line(ending.turn or turn().lines[1])
    assert box().right() == pytest.approx(first.right())
    overlay.show_snapshot(in_place(4, 0.9, 0.2, state=state(turn=2)))
    assert box().left() < 640, "another turn, looked at anew"


def test_how_deep_it_has_thought_on_is_a_small_line_of_its_own_that_can_be_switched_off(qapp):
    deeper = snapshot(decision=searched(depth=3, thought_s=0.4), turn=turn())
    badge = build(deeper, SHOWN, OverlaySettings(), PLACE).badge
    assert badge.small == "depth 3, 445\u00a0ms" and not any("depth" in line for line in badge.lines)
    off = build(deeper, SHOWN, OverlaySettings(show_latency=False), PLACE).badge
    first = build(snapshot(decision=searched(), turn=turn()), SHOWN, OverlaySettings(), PLACE).badge
    assert off.small == first.small == "", "the first answer has no depth to tell of"
    assert off.lines == badge.lines
    assert paint.badge_rect(badge).height() > paint.badge_rect(off).height()
    looked_at = build(deeper, SHOWN, OverlaySettings(), PLACE, deeper.turn.lines[1]).badge
    assert looked_at.small == ""


def test_a_walk_is_drawn_as_a_path_from_the_fighter():
    scene = build(snapshot(decision=decision(WALK, WALK)), SHOWN, OverlaySettings(), PLACE)
    (step,) = scene.marks.steps
    assert step.walk and step.route == tuple(PLACE.centre(LATTICE, cell) for cell in (229, 243, 257, 271))
    assert scene.marks.notes == ()


def test_every_part_can_be_switched_off():
    plain = OverlaySettings(show_path=False, show_heat=False, show_confidence=False, show_latency=False)
    scene = build(snapshot(), SHOWN, plain, PLACE)
    assert (scene.marks.steps[0].route, scene.heat) == ((), ())
    assert scene.badge.lines == ("Cast Spark on Thorn Beast",)


def test_the_box_is_where_and_as_large_as_it_was_put(qapp):
    moved = OverlaySettings(badge_x=0.5, badge_y=0.25, badge_scale=2.0)
    badge = build(snapshot(), SHOWN, moved, PLACE).badge
    usual = build(snapshot(), SHOWN, OverlaySettings(), PLACE).badge
    assert badge.at == (640, 180)
    assert paint.badge_rect(badge).height() == pytest.approx(2 * paint.badge_rect(usual).height(), rel=0.05)


ENDING = decision(ScoredAction(EndTurn(), 0.9, ""), CAST)


@pytest.mark.parametrize("changes", [{"decision": ENDING}, {"view": view(lattice=Seen())}, {"state": None}])
def test_the_end_of_the_turn_and_what_has_no_place_on_the_board_have_only_words(changes):
    scene = build(snapshot(**changes), SHOWN, OverlaySettings(), PLACE)
    assert scene.marks.steps == () and scene.badge
    assert scene.source is None or "decision" in changes


def test_a_reason_is_a_small_badge_and_hidden_is_nothing():
    reason = build(
        snapshot(), OverlayLook("reason", 1.0, "Your AP cannot be read."), OverlaySettings(), PLACE
    )
    assert reason.badge.lines == ("Your AP cannot be read.",) and reason.badge.warning
    assert reason.marks.steps == ()
    assert build(snapshot(), OverlayLook("hidden"), OverlaySettings(), PLACE) == EMPTY
    assert build(snapshot(decision=None), SHOWN, OverlaySettings(), PLACE) == EMPTY


def _painted(scene: OverlayScene, **options) -> QImage:
    image = QImage(1280, 720, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    paint.paint(painter, scene, QColor("#35d0ff"), 1.0, **options)
    painter.end()
    return image


def _covered(image: QImage) -> np.ndarray:
    """Tells of each pixel, by row and column, whether anything is painted there."""
    return np.frombuffer(image.constBits(), np.uint8).reshape(720, 1280, 4)[..., 3] > 0


def _within(region: QRegion) -> np.ndarray:
    """Tells of each pixel, by row and column, whether it lies in a region."""
    found = np.zeros((720, 1280), bool)
    for rect in region:
        found[max(0, rect.top()) : rect.bottom() + 1, max(0, rect.left()) : rect.right() + 1] = True
    return found


SLOTS = (("spark", Rect(500, 640, 48, 48)),)
TURNS = [None, turn()]


@pytest.mark.parametrize("looked_at", [False, True])
@pytest.mark.parametrize("lines", TURNS)
@pytest.mark.parametrize("best", [CAST, WALK, ScoredAction(EndTurn(), 0.5, "")])
def test_nothing_is_painted_outside_the_bounds_and_the_mask_which_leaves_no_black_bars(
    qapp, best, lines, looked_at
):
    given = snapshot(decision=decision(best, best), turn=lines, slots=SLOTS)
    scene = replace(build(given, SHOWN, OverlaySettings(), PLACE), looked_at=looked_at)
    bounds, mask = paint.bounds(scene), _within(paint.covered(scene))
    blended, solid = _covered(_painted(scene)), _covered(_painted(scene, solid=True))
    rows, columns = blended.nonzero()
    assert bounds.left() <= columns.min() and columns.max() <= bounds.right()
    assert bounds.top() <= rows.min() and rows.max() <= bounds.bottom()
    near = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    assert not (solid & ~near).any()
    assert mask.any() and (looked_at or (mask & ~solid).sum() < 0.04 * mask.sum())


def test_the_badge_stays_within_a_small_window(qapp):
    small = OverlayGeometry(0, 0, 352, 200, 2.0)
    scene = build(snapshot(), SHOWN, OverlaySettings(), small)
    lines = ("Walk a very long way indeed, and then some more of it", "62%")
    assert paint.badge_rect(replace(scene.badge, lines=lines)).right() < 352


class Stacked:
    """A window system in which some windows lie over the game."""

    def __init__(self, covers=(), above=()):
        self.covers, self.above, self.asked = covers, above, 0
        self.stands = "over"

    def state(self, handle, ignore_pids=frozenset(), *, covers=True):
        assert os.getpid() in ignore_pids
        self.asked += 1
        return WindowState(WINDOW.rect, 1.0, self.covers)

    def standing(self, handle, other):
        assert other == WINDOW.handle
        return self.stands

    def list_windows(self):
        handles = (*self.above, WINDOW.handle)
        return tuple(WindowInfo(handle, "a window", "p", 1, WINDOW.rect) for handle in handles)


def covered_by(qtbot, monkeypatch, windows):
    monkeypatch.setattr(platform, "blends", lambda: True)
    made = Overlay(OverlaySettings(), Covers(windows))
    qtbot.addWidget(made)
    made.show_snapshot(snapshot(1))
    return made


@pytest.mark.parametrize(("stands", "call"), [("hidden", "show"), ("under", "raise_")])
def test_where_the_window_system_hid_it_or_the_game_came_to_the_front_it_comes_back(
    qtbot, monkeypatch, stands, call
):
    """It had asked to be shown, and took that for being shown."""
    windows, called = Stacked(), []
    overlay, real = covered_by(qtbot, monkeypatch, windows), getattr(Overlay, call)
    monkeypatch.setattr(overlay, call, lambda: (called.append(True), real(overlay)))
    windows.stands = stands
    qtbot.waitUntil(lambda: bool(called), timeout=5000)
    assert overlay.isVisible()
    windows.stands = "over"
    overlay.clear()


@pytest.mark.slow
def test_a_compositor_that_goes_and_comes_back_is_noticed_while_it_is_shown(overlay, qtbot, monkeypatch):
    """Without one a whole window would be black over the game."""
    monkeypatch.setattr(platform, "CHECK_S", 0.1)
    overlay.show_snapshot(snapshot(1))
    assert overlay.mask().isEmpty()
    monkeypatch.setattr(platform, "blends", lambda: False)
    qtbot.waitUntil(lambda: not overlay.mask().isEmpty(), timeout=5000)
    monkeypatch.setattr(platform, "blends", lambda: True)
    overlay.show_snapshot(snapshot(2))
    qtbot.waitUntil(lambda: overlay.mask().isEmpty(), timeout=5000)


def test_it_leaves_out_what_other_windows_cover(qtbot, monkeypatch):
    windows = Stacked((Rect(200, 160, 300, 100),))
    made = covered_by(qtbot, monkeypatch, windows)
    assert not made.mask().contains(QPoint(150, 150)) and made.mask().contains(QPoint(600, 600))
    made.refresh()
    assert windows.asked == 1
    made.clear()


@pytest.mark.parametrize("above", [True, False])
def test_it_leaves_out_the_app_s_own_windows_that_lie_over_the_game(qtbot, monkeypatch, above):
    own = QWidget()
    qtbot.addWidget(own)
    own.setGeometry(300, 260, 200, 200)
    own.show()
    made = covered_by(qtbot, monkeypatch, Stacked(above=(int(own.winId()),) if above else ()))
    assert made.mask().contains(QPoint(600, 600)) is above
    assert not made.mask().contains(QPoint(250, 250))
    made.clear()


def test_what_covers_the_game_wholly_hides_it_wholly(qtbot, monkeypatch):
    made = covered_by(qtbot, monkeypatch, Stacked((WINDOW.rect,)))
    assert not made.mask().isEmpty() and not made.mask().intersects(made.rect())
    made.clear()


def test_an_empty_scene_paints_nothing(qapp):
    assert paint.bounds(EMPTY).isEmpty() and paint.covered(EMPTY).isEmpty()
    assert _painted(EMPTY).pixelColor(10, 10).alpha() == 0


class _User32:
    def __init__(self, answer):
        self.answer, self.asked = answer, None

    def SetWindowDisplayAffinity(self, handle, affinity):
        self.asked = (handle, affinity)
        return self.answer


def test_windows_is_asked_to_hide_it_and_its_answer_is_checked():
    good, bad = _User32(1), _User32(0)
    assert platform.hide_from_captures(5, good) == ""
    assert good.asked == (5, 0x11)
    assert "did not hide" in platform.hide_from_captures(5, bad)
    if sys.platform != "win32":
        assert platform.hide_from_captures(5) == ""


def test_elsewhere_than_on_x11_windows_are_blended(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    assert platform.blends()


def test_an_x_server_that_does_not_answer_changes_nothing(monkeypatch):
    monkeypatch.setenv("DISPLAY", ":4711")
    assert platform.blends()


@pytest.fixture
def mover(overlay, qtbot):
    overlay.show_snapshot(snapshot(1))
    made = BadgeMover(overlay, OverlaySettings())
    qtbot.addWidget(made)
    made.show()
    return made


def test_the_box_is_moved_and_resized_by_keys_and_put_back(mover, qtbot):
    told = []
    mover.moved.connect(lambda *values: told.append(values))
    qtbot.keyClick(mover, Qt.Key.Key_Right)
    qtbot.keyClick(mover, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert told[-1] == (
        pytest.approx(0.012 + 8 / 1280, abs=0.001),
        pytest.approx(0.115 + 40 / 720, abs=0.002),
        1,
    )
    qtbot.keyClick(mover, Qt.Key.Key_Plus)
    assert told[-1][2] == 1.1
    qtbot.keyClick(mover, Qt.Key.Key_Escape)
    assert told[-1] == (0.012, 0.115, 1.0) and not mover.isVisible()


def test_the_box_is_dragged_and_stays_within_the_game(mover, qtbot):
    told = []
    mover.moved.connect(lambda *values: told.append(values))
    qtbot.mousePress(mover, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    qtbot.mouseMove(mover, QPoint(-900, 60))
    qtbot.mouseRelease(mover, Qt.MouseButton.LeftButton)
    assert told[-1][0] == 0 and told[-1][1] > 0.115
    qtbot.mouseDClick(mover, Qt.MouseButton.LeftButton)
    assert not mover.isVisible()
