"""Runs the demo as `botapp run --demo` does and writes down what a person would see, for an end-to-end test.

`python onlooker.py FOLDER`, on a virtual screen of its own: it looks at the app without a compositor
("plain"), starts one and looks again ("blended"), then lets the app play. In FOLDER it leaves the demo's
report, the arena's log, and `seen.json` with what was on the screen.
"""

import json
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from mss import MSS
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from botapp.demo import run
from botapp.demo.display import compositing, display
from botapp.demo.report import log_lines
from botapp.host.settings import Settings
from botapp.runtime.readings import to_json
from botapp.ui.app import App
from botapp.ui.overlay import platform
from vision.capture import open_capture

LOADING_S, PLAYING_S = 60.0, 80.0
ENOUGH_TIMER_S = 12
READINGS = 6
ACTIONS, TURN = 4, 2  # what is more of a fight is for `tests/journeys`


def until(done, seconds):
    """Lets the app run until something is so; tells whether it came to be."""
    for _ in range(int(seconds * 20)):
        if done():
            return True
        QTest.qWait(50)
    return False


def steady(app, since):
    """Tells whether the same advice has been up for a second, with time left in the turn."""
    latest = app.bridge.latest
    if latest is None or latest.advice != "fresh" or latest.view.timer_s.value is None:
        since.clear()
        return False
    kept = since.setdefault("advice", (latest.decided_seq, latest.captured_ns))
    if kept[0] != latest.decided_seq:
        since.clear()
        return False
    return latest.view.timer_s.value >= ENOUGH_TIMER_S and latest.captured_ns - kept[1] >= 1e9


def texts(app):
    """Returns the panels' texts, each with the time of the picture it was made of."""
    main_window = app.window
    main_window.status.refresh()
    decision = main_window.decision
    answers = decision.advised.answers
    state = next(panel for panel in main_window.panels if panel.key == "state")
    return {
        "decision": {
            "captured_ns": decision.last.captured_ns,
            "state": decision.state_chip.text(),
            "headline": decision.headline.text(),
            "chance": decision.advised.chance.figure.text(),
            "of_a_model": [
                part.isVisible() for part in (answers.caption, answers.reflex, answers.deliberate)
            ],
            "candidates": len(decision.last.decision.candidates),
            "bars": [[bar.text, bar.share] for bar in decision.advised.bars.bars],
            "target": app.bridge.latest.decision.target,
        },
        "state": {
            "captured_ns": state.last.captured_ns,
            "figures": {name: figure.text() for name, figure in state.figures.items()},
            "rows": state.table.texts(),
        },
        "status": {
            "capture": main_window.status.capture.text(),
            "reason": main_window.status.reason.text(),
            "device": main_window.device_line.whole_text(),
            "fps": main_window.status.fps.text(),
        },
    }


def painted(app):
    """Returns where the screen differs from the game's own picture: on the target's outline, elsewhere."""
    rect = app.bridge.latest.window.rect
    with open_capture(app.bridge.latest.window.handle) as capture, MSS() as grabber:
        own = capture.grab().pixels[:, :, :3]
        box = {"left": rect.x, "top": rect.y, "width": rect.width, "height": rect.height}
        shot = np.asarray(grabber.grab(box))[:, :, :3]
    differs = (own != shot).any(axis=2)
    corners = next((mark.cell for mark in app.overlay.scene.marks.steps if mark.first), ())
    sides = zip(corners, (*corners[1:], *corners[:1]), strict=True)
    outline = [
        bool(differs[round(y0 + (y1 - y0) * share), round(x0 + (x1 - x0) * share)])
        for (x0, y0), (x1, y1) in sides
        for share in (0.25, 0.5, 0.75)
    ]
    return {
        "centre": list(np.mean(corners, axis=0)) if corners else None,
        "outline": outline,
        "elsewhere": float(differs.mean()),
        "cut_to_its_shapes": not app.overlay.mask().isEmpty(),
    }


def collect(app):
    """Returns the next few readings and whether the overlay was there."""
    found = {}

    def enough():
        latest = app.bridge.latest
        found[latest.captured_ns] = {"view": to_json(latest.view), "overlay": app.overlay.isVisible()}
        return len(found) > READINGS

    until(enough, 10)
    return list(found.values())[1:]


def show_overlay(app, preset):
    """Switches the overlay on, as its action on the tool bar does, until it shows what is wanted."""
    for _ in range(3):
        shown = app.window.controls.preset
        if shown == preset:
            return
        app.window.controls.overlay.trigger()
        until(lambda: app.window.controls.preset != shown, 10)  # noqa: B023 - waited for at once


def look(app):
    """Waits for advice in a turn of the player's and returns what is on the screen then."""
    since = {}
    if not until(lambda: steady(app, since), LOADING_S):
        return None
    show_overlay(app, "off")
    hidden = collect(app)
    show_overlay(app, "full")
    until(app.overlay.isVisible, 10)
    shown = collect(app)
    return {
        "panels": texts(app),
        "painted": painted(app),
        "with_overlay": shown,
        "without_overlay": hidden,
    }


def watch(app, folder):
    """Looks at the app without and with a compositor, then lets it play."""
    app.window.docks["state"].raise_()
    seen = {"plain": look(app)}
    with compositing():
        seen["blended"] = look(app)
        app.window.controls.play.setChecked(True)
        until(lambda: played(folder), PLAYING_S)
    return seen


def played(folder):
    """Tells whether the player acted often enough and had another turn since.

    The end of a turn does not count: on a slow computer the turn that was looked at ends by the clock.
    """
    lines = log_lines(folder / "arena.jsonl")
    own = [line["action"]["type"] for line in lines if line["event"] == "action" and line["who"] == "player"]
    return (
        sum(kind != "end_turn" for kind in own) >= ACTIONS
        and lines[-1]["event"] == "shown"
        and lines[-1]["turn_number"] >= TURN
    )


def main(folder, options):
    """Runs the app in place of `botapp.ui.app.main`."""
    app = App(QApplication(sys.argv[:1]), replace(options, play_at_start=False, state_dir=folder))
    app.start()
    try:
        seen = watch(app, folder)
    finally:
        app.stop()
    (folder / "seen.json").write_text(json.dumps(seen), "utf-8")
    return 0


if __name__ == "__main__":
    place = Path(sys.argv[1])
    platform.CHECK_S = 0.0  # a compositor that came is noticed when the overlay next appears
    run.display = partial(display, compositor=False)
    given = run.DemoOptions(
        Settings(ui={"language": "en", "layout": "engineer"}),  # all panels are looked at
        report=place / "report.json",
        seed=1,
        speed=4.0,
        player_class="ember",
    )
    sys.exit(run.run(given, partial(main, place)))
