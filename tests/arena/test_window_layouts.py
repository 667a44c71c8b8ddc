"""The row of digits selects spells on the keyboards that players have: keys are pressed under Xvfb."""

import json
import os
import shutil

import pytest
from own_process import run_python

_SCRIPT = """
import json, os, subprocess, sys
from pathlib import Path
from botapp.demo.display import display
with display(1000, 700, compositor=False):
    os.environ["QT_QPA_PLATFORM"] = "xcb"
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication
    from Xlib import X
    from Xlib.display import Display
    from Xlib.ext import xtest
    from botapp.arena.options import ArenaOptions
    from botapp.arena.scenarios import adventure
    from botapp.arena.window.journal import Journal
    from botapp.arena.window.widget import ArenaWidget
    from botapp.arena.window.moment import usable

    app, server = QApplication([]), Display()
    seed = next(seed for seed in range(100) if adventure(seed, "ember").actor.id == 0)
    window = ArenaWidget(
        ArenaOptions(seed=seed, player_class="ember", size=(800, 500), speed=40.0, turn_seconds=600),
        Journal(Path(os.devnull)),
    )
    window.show()
    QTest.qWaitForWindowActive(window, 10_000)
    while not window.bout.free:
        QTest.qWait(20)
    state = window.bout.fight.state
    spells = [spell.key if usable(state, state.actor, spell) else None for spell in state.actor.spells]

    def press(code):
        for kind in (X.KeyPress, X.KeyRelease):
            xtest.fake_input(server, kind, code)
        server.sync()
        QTest.qWait(150)

    found = {}
    for layout in sys.argv[1:]:
        subprocess.run(["setxkbmap", layout], check=True)
        QTest.qWait(300)
        found[layout] = []
        for slot in range(len(spells)):
            window.bout.selected = None
            press(10 + slot)  # the key of 1 is the tenth, whatever stands on it
            found[layout].append(window.bout.selected)
    print(json.dumps([spells, found]))
    os._exit(0)
"""


@pytest.mark.long
@pytest.mark.skipif(not all(map(shutil.which, ("Xvfb", "openbox", "setxkbmap"))), reason="needs Xvfb")
def test_the_row_of_digits_selects_spells_on_every_keyboard():
    layouts = ["us", "fr", "be", "ch(fr)", "tr"]
    screen = {name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"}
    spells, found = json.loads(run_python("-c", _SCRIPT, *layouts, env=screen).splitlines()[-1])
    assert found == dict.fromkeys(layouts, spells)
