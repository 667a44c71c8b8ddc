"""On a real X server the picker's pictures show what the windows show, and windows come and go."""

import json
import shutil
from pathlib import Path

import pytest
from own_process import run_python

_SCRIPT = """
import json, os, subprocess, sys, time
from botapp.demo.display import display
os.environ.pop("DISPLAY", None)
os.environ.pop("WAYLAND_DISPLAY", None)


def window(title, *box):
    command = [sys.executable, sys.argv[1], title, *map(str, box)]
    made = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return made, int(made.stdout.readline())


with display(1400, 900, compositor=(sys.argv[2] == "blended")):
    os.environ["QT_QPA_PLATFORM"] = "xcb"
    from PySide6.QtCore import QEventLoop, QTimer
    from PySide6.QtWidgets import QApplication
    from botapp.ui.picking.looking import WindowLook

    app = QApplication([])
    game, handle = window("Ab - Iop - 3.3.18.17 - Release", 40, 40, 800, 500)
    over, covering = window("Notes", 60, 60, 700, 480)
    little, small = window("Cd - Dofus 2.66.1.6", 900, 500, 300, 200)
    shown, pictures, hidden = [], {}, {}
    look = WindowLook()
    look.found.connect(lambda offers: shown.append([offer.heading for offer in offers]))
    look.pictured.connect(pictures.__setitem__)
    look.hidden.connect(hidden.__setitem__)

    def until(check):
        end = time.monotonic() + 20
        while not check() and time.monotonic() < end:
            loop = QEventLoop()
            QTimer.singleShot(50, loop.quit)
            loop.exec()
        return bool(check())

    look.start()
    found = {"seen": until(lambda: {handle, covering} <= set(pictures) and small in hidden)}
    found["order"] = shown[-1]
    found["why"] = hidden.get(small)

    def corners():
        image = pictures[handle]
        places = [(image.width() * x // 4, image.height() * y // 4) for y in (1, 3) for x in (1, 3)]
        return [image.pixelColor(*place).name() for place in places]

    found["whole"] = until(lambda: corners() == ["#c02020", "#20c020", "#2020c0", "#c0c020"])
    found["corners"] = corners()
    game.terminate()
    found["gone"] = until(lambda: "Ab" not in shown[-1])
    begun = time.monotonic()
    look.close()
    found["ended"] = look.isFinished() and time.monotonic() - begun < 5
    for other in (over, little):
        other.terminate()
    print(json.dumps(found))
"""


@pytest.mark.long
@pytest.mark.skipif(
    not all(map(shutil.which, ("Xvfb", "openbox", "picom"))), reason="needs Xvfb, openbox and picom"
)
@pytest.mark.parametrize("screen", ["blended", pytest.param("plain", marks=pytest.mark.long)])
def test_each_window_is_pictured_also_where_another_covers_it(screen):
    here = Path(__file__).parent
    said = run_python("-c", _SCRIPT, str(here.parent / "vision" / "xwindow.py"), screen, cwd=here)
    found = json.loads(said.strip().splitlines()[-1])
    assert found["seen"] and found["why"] == "Too small"
    assert found["order"][-1] == "Notes" and set(found["order"]) == {"Ab", "Cd", "Notes"}
    assert found["whole"], found["corners"]
    assert found["gone"] and found["ended"]
