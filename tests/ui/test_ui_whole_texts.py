"""No text of the window is cut on a small screen: each line is measured in the panel where it stands, in both
languages, with the longest words that a fight gives it.
"""

from dataclasses import replace

import pytest
from measuring import cut, cut_cells
from PySide6.QtGui import QFontMetrics
from ui_factories import CAST, feed, searched, settle, snapshot, state, turn

from botapp.fight.actions import Cast
from botapp.host.settings import Settings

SCREENS = ((1280, 692), (640, 332))
"""Inside of a window at 1280x720, and at 1280x720 at 200 %: logical pixels."""
_LONG = "Souffle de Givre Noir"
"""As long as the longest names of spells that players meet; those of monsters are below."""


def longest(seq=1):
    """A decision whose actions, targets and figures have long names, two of them as likely."""
    names = {1: "Capitaine des Sangliers 2", 2: "Grand Cerf Vénérable"}
    long = state()
    fighters = tuple(f.changed(name=names.get(f.id, f.name)) for f in long.fighters)
    spells = tuple(replace(spell, name=_LONG) for spell in fighters[0].spells)
    long = long.changed(fighters=(fighters[0].changed(spells=spells), *fighters[1:]))
    choices = tuple(
        replace(one, spell_name=_LONG if isinstance(one.action, Cast) else "") for one in searched().choices
    )
    choices = (replace(CAST, spell_name=_LONG, value=0.68), *choices[1:])
    made = searched(choices=choices)
    steps = tuple(
        replace(
            line,
            steps=tuple(replace(s, spell=_LONG if isinstance(s.action, Cast) else "") for s in line.steps),
        )
        for line in turn().lines
    )
    return snapshot(seq, state=long, decision=made, turn=replace(turn(), lines=steps))


@pytest.fixture
def shortened(monkeypatch):
    """Collects what painted widgets shorten: the bars, the overlay."""
    cut = set()
    plain = QFontMetrics.elidedText

    def elided(self, text, mode, width, *rest):
        shown = plain(self, text, mode, width, *rest)
        if shown != text:
            cut.add(text)
        return shown

    monkeypatch.setattr(QFontMetrics, "elidedText", elided)
    return cut


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "layout"),
    [
        ("en", "engineer"),  # with all panels
        *(("fr", layout) for layout in ("reasoning", "engineer")),  # the longer words
        pytest.param("fr", "player", marks=pytest.mark.long),
        *(pytest.param("en", layout, marks=pytest.mark.long) for layout in ("player", "reasoning")),
    ],
)
def test_each_text_of_each_panel_is_whole(start, qtbot, shortened, language, layout):
    app, (worker,) = start(settings=Settings(ui={"language": language, "layout": layout}))
    least = app.window.minimumSizeHint()
    assert least.width() <= 1024 and least.height() <= 700
    walked = longest(2)
    own, *others = walked.state.fighters
    walked = replace(
        walked, state=walked.state.changed(turn=2, fighters=(own.changed(cell=271, mp=1), *others))
    )
    for size, first in zip(SCREENS, (1, 3), strict=True):
        app.window.resize(*size)  # beyond the screen that there is without one
        app.window.arrangement.renew()
        feed(qtbot, app, worker, longest(first))
        feed(qtbot, app, worker, replace(walked, seq=first + 1))
        found = {}
        for panel in app.window.panels:
            dock = app.window.docks[panel.key]
            if dock.isHidden():
                continue
            dock.raise_()
            newest = (panel, first + 1)
            qtbot.waitUntil(lambda newest=newest: newest[0].last and newest[0].last.seq == newest[1])
            settle()
            for text in cut(app.window):
                found.setdefault(panel.key, set()).add(text)
            shortened.clear()
            dock.grab()
            found.setdefault(panel.key, set()).update(shortened)
            for text in cut_cells(app.window):
                found.setdefault(panel.key, set()).add(text)
        shortened.clear()
        app.overlay.grab()
        assert {panel: texts for panel, texts in found.items() if texts} == {}, size
        assert not shortened, "on the overlay"
