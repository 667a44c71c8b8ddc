"""On a real X server the overlay lets clicks through, stays on top and takes no focus."""

import json
import shutil
from pathlib import Path

import pytest
from own_process import run_python

_SCRIPT = """
import json, os
from contextlib import nullcontext
from botapp.demo.display import compositing, display
os.environ.pop("DISPLAY", None)
os.environ.pop("WAYLAND_DISPLAY", None)
with display(1440, 900, compositor=False):
    os.environ["QT_QPA_PLATFORM"] = "xcb"
    import ui_factories
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication, QWidget
    from Xlib import X
    from Xlib.display import Display
    from botapp.host.settings import OverlaySettings
    from botapp.ui.overlay.window import Overlay
    from vision.window import connect
    app = QApplication([])
    game = QWidget()
    game.setWindowTitle("a game")
    game.setGeometry(100, 60, 1280, 720)
    game.show()
    QTest.qWaitForWindowExposed(game)
    game.activateWindow()
    game.raise_()
    found = {}
    for screen in (nullcontext(), compositing()):
        with screen:
            overlay = Overlay(OverlaySettings(stale_after_ms=20000))
            overlay.show_snapshot(ui_factories.snapshot(1))
            QTest.qWait(800)
            server = Display()
            window = server.create_resource_object("window", int(overlay.winId()))
            root = server.screen().root
            place = window.translate_coords(root, 0, 0)
            area = window.get_geometry()
            atom = server.intern_atom
            active = root.get_full_property(atom("_NET_ACTIVE_WINDOW"), X.AnyPropertyType)
            found["blended" if found else "plain"] = {
                "input": len(window.shape_get_rectangles(2).rectangles),
                "shape": sum(r.width * r.height for r in window.shape_get_rectangles(0).rectangles),
                "standing": connect().standing(int(overlay.winId()), int(game.winId())),
                "active": bool(active) and active.value[0] == int(overlay.winId()),
                "at": [-place.x, -place.y, area.width, area.height],
            }
            overlay.clear()
            server.close()
    print(json.dumps(found))
    game.close()
"""


@pytest.mark.slow
@pytest.mark.skipif(
    not all(map(shutil.which, ("Xvfb", "openbox", "picom"))), reason="needs Xvfb, openbox and picom"
)
def test_clicks_go_through_and_the_focus_stays_with_the_game():
    seen = json.loads(run_python("-c", _SCRIPT, cwd=Path(__file__).parent).strip().splitlines()[-1])
    for found in seen.values():
        assert found["input"] == 0
        assert found["standing"] == "over" and not found["active"]
        assert found["at"] == [100, 60, 1280, 720]
    whole = 1280 * 720
    assert seen["blended"]["shape"] == whole and 0 < seen["plain"]["shape"] < 0.15 * whole
