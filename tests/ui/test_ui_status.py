"""The status bar says a reason in full where there is room, else its first sentence."""

from ui_factories import snapshot

from botapp.ui.samples import History
from botapp.ui.status import StatusBar

REASON = "No game is open. DOFUS is found by itself once you start it; the practice arena can be tried now."


def test_a_reason_without_room_is_its_first_sentence(qtbot):
    bar = StatusBar(History())
    qtbot.addWidget(bar)
    bar.show()
    for width, said in ((700, "No game is open."), (2400, REASON)):
        bar.resize(width, 30)
        qtbot.waitUntil(lambda width=width: bar.reason.width() > width / 4)
        bar.show_snapshot(snapshot(1, capture="no-window", advice="none", decision=None, reason=REASON))
        bar.refresh()
        assert bar.reason.whole_text() == said
        assert not bar.reason.text().endswith("…")


def test_while_the_search_is_prepared_the_reason_has_the_room_of_the_figures(qtbot):
    bar = StatusBar(History())
    qtbot.addWidget(bar)
    bar.resize(800, 30)
    bar.show()
    assert bar.fps.isVisible()
    bar.preparation.show_progress(0.3, 90)
    bar.show_snapshot(snapshot(1, capture="no-window", advice="none", decision=None, reason=REASON))
    bar.refresh()
    assert not bar.fps.isVisible() and not bar.age.isVisible()
    qtbot.waitUntil(lambda: not bar.reason.text().endswith("…"))
    bar.preparation.hide()
    bar.refresh()
    assert bar.fps.isVisible()
