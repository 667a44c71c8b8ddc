"""On a real X server hotkeys are heard while another program has the focus, and none outlives the app.

Keys are pressed by XTest, on the test's own virtual screen alone.
"""

import json
import shutil
from pathlib import Path

import pytest
from own_process import run_python

_SCRIPT = """
import json, os, subprocess, sys
from botapp.demo.display import display
os.environ.pop("DISPLAY", None)
os.environ.pop("WAYLAND_DISPLAY", None)
GAME = '''
from Xlib import X, display
d = display.Display(); s = d.screen()
w = s.root.create_window(50, 50, 400, 300, 0, s.root_depth, event_mask=X.KeyPressMask | X.ExposureMask)
w.set_wm_name("a game"); w.map(); d.sync()
while True:
    e = d.next_event()
    if e.type == X.Expose:
        w.set_input_focus(X.RevertToParent, X.CurrentTime); d.sync(); print("shown", flush=True)
    elif e.type == X.KeyPress:
        print(d.keycode_to_keysym(e.detail, 0), flush=True)
'''
HOLDER = '''
from PySide6.QtWidgets import QApplication
from botapp.ui.hotkeys.combo import parse
from botapp.ui.hotkeys.x11 import X11Keys
a = QApplication([])
k = X11Keys(print)
print(k.grab({"held": parse("Ctrl+F4")}), flush=True)
a.exec()
'''
with display(800, 600, compositor=False):
    os.environ["QT_QPA_PLATFORM"] = "xcb"
    from PySide6.QtCore import QEventLoop, QTimer
    from PySide6.QtWidgets import QApplication
    from Xlib import XK, X
    from Xlib.display import Display
    from Xlib.ext import xtest
    from botapp.ui.hotkeys.combo import parse
    from botapp.ui.hotkeys.x11 import X11Keys

    app = QApplication([])
    server = Display()
    found = {}

    def wait(ms):
        loop = QEventLoop()
        QTimer.singleShot(ms, loop.quit)
        loop.exec()

    def press(*names, times=1):
        codes = [server.keysym_to_keycode(XK.string_to_keysym(name)) for name in names]
        for code in codes:
            xtest.fake_input(server, X.KeyPress, code)
        for _ in range(times - 1):
            xtest.fake_input(server, X.KeyRelease, codes[-1])
            xtest.fake_input(server, X.KeyPress, codes[-1])
        for code in reversed(codes):
            xtest.fake_input(server, X.KeyRelease, code)
        server.sync()
        wait(300)

    game = subprocess.Popen([sys.executable, "-c", GAME], stdout=subprocess.PIPE, text=True)
    game.stdout.readline()
    holder = subprocess.Popen([sys.executable, "-c", HOLDER], stdout=subprocess.PIPE, text=True)
    found["holder"] = holder.stdout.readline().strip()
    heard = []
    keys = X11Keys(heard.append)
    wanted = {"pause": parse("Ctrl+Alt+P"), "full": parse("F8"), "other": parse("Ctrl+F4")}
    found["refused"] = keys.grab(wanted)
    press("F8")
    press("Control_L", "Alt_L", "p")
    press("p")
    press("Caps_Lock")
    press("Num_Lock")
    press("F8")
    press("Caps_Lock")
    press("Num_Lock")
    found["heard"] = list(heard)
    heard.clear()
    press("F8", times=4)
    found["repeated"] = list(heard)
    heard.clear()
    holder.kill()
    holder.wait()
    wait(300)
    found["after the other died"] = keys.grab({"other": parse("Ctrl+F4"), "and": parse("Ctrl+&")})
    press("F8")
    press("Control_L", "7")
    press("Control_L", "Shift_L", "7")
    press("Control_L", "F4")
    found["heard then"] = list(heard)
    heard.clear()
    keys.close()
    press("Control_L", "F4")
    found["heard closed"] = list(heard)
    game.terminate()
    names = {int(line) for line in game.stdout.read().split() if line.isdigit()}
    found["game heard"] = [n for n in ("p", "F8", "F4") if XK.string_to_keysym(n) in names]
    print(json.dumps(found))
"""


@pytest.mark.long
@pytest.mark.skipif(not all(map(shutil.which, ("Xvfb", "openbox"))), reason="needs Xvfb and openbox")
def test_keys_are_heard_while_the_game_has_the_focus_and_given_back():
    found = json.loads(run_python("-c", _SCRIPT, cwd=Path(__file__).parent).strip().splitlines()[-1])
    assert found["holder"] == "{}"
    assert found["refused"] == {"other": "taken"}
    assert found["heard"] == ["full", "pause", "full"], "also with Caps Lock and Num Lock on"
    assert len(found["repeated"]) == 1, "a key that is held down counts once"
    assert found["after the other died"] == {}, "the server gave back what a killed program had"
    assert found["heard then"] == ["and", "other"] and found["heard closed"] == []
    assert found["game heard"] == ["p", "F8", "F4"], "what is not taken, or given back, is the game's"
