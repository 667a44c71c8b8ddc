"""The search is prepared beside the app, which shows how far it has come, then starts the engine again."""

import json
import os

import pytest

from botapp.fight.core.cache import INTERPRETED_VARIABLE, MEANWHILE
from botapp.ui import preparation
from botapp.ui.preparation import Preparation

MINUTE = 60_000


@pytest.fixture
def pending(monkeypatch):
    monkeypatch.setenv(INTERPRETED_VARIABLE, MEANWHILE)


@pytest.fixture
def child(monkeypatch):
    """Has a process of these words take the place of the one that compiles."""

    def says(answer, *progress, code=0):
        lines = "".join(f"print({json.dumps(line)!r}, file=sys.stderr, flush=True);" for line in progress)
        words = f"import sys; {lines} print({json.dumps(answer)!r}); sys.exit({code})"
        monkeypatch.setattr(preparation, "COMMAND", ("-c", words))

    return says


@pytest.fixture
def preparing(qtbot):
    made = Preparation()
    yield made
    made.close()


def test_it_tells_how_far_it_has_come_and_the_worker_may_run_compiled_then(pending, child, preparing, qtbot):
    child({"ready": True}, {"share": 0.4, "seconds_left": 21})
    told = []
    preparing.progressed.connect(lambda share, left: told.append((share, left)))
    with qtbot.waitSignal(preparing.ready, timeout=MINUTE):
        preparing.start()
    assert told == [(0.0, None), (0.4, 21)]
    assert INTERPRETED_VARIABLE not in os.environ


def test_what_cannot_be_prepared_is_said_and_stays_interpreted(pending, child, preparing, qtbot):
    child({"ready": False, "why": "Nothing can be kept there."}, code=1)
    with qtbot.assertNotEmitted(preparing.ready), qtbot.waitSignal(preparing.failed, timeout=MINUTE) as why:
        preparing.start()
    assert why.args == ["Nothing can be kept there."]
    assert os.environ[INTERPRETED_VARIABLE] == MEANWHILE


def test_a_process_that_dies_is_said_with_the_command_that_tells_more(pending, preparing, qtbot, monkeypatch):
    monkeypatch.setattr(preparation, "COMMAND", ("-c", "import os; os.abort()"))
    with qtbot.waitSignal(preparing.failed, timeout=MINUTE) as why:
        preparing.start()
    assert "`botapp compile`" in why.args[0]


def test_lines_that_are_no_progress_are_passed_over(preparing, qtbot):
    with qtbot.assertNotEmitted(preparing.progressed):
        for line in ("a warning", "3", "{}", '{"share": "much", "seconds_left": 1}'):
            preparing._hear(line)


@pytest.mark.parametrize("value", ["", "1"])
def test_where_nothing_is_to_be_done_nothing_is_started(preparing, monkeypatch, value):
    monkeypatch.setenv(INTERPRETED_VARIABLE, value)
    preparing.start()
    assert not preparing.child.busy


@pytest.mark.slow
def test_the_app_shows_it_and_starts_the_engine_again_when_it_is_done(start):
    app, workers = start()
    bar, notice = app.window.status.preparation, app.window.notice
    assert bar.isHidden() and notice.isHidden()
    app.preparation.progressed.emit(0.0, None)
    assert "prepared for this computer" in notice.text.text()
    app.preparation.progressed.emit(0.41, 20)
    assert not bar.isHidden() and bar.text() == "Preparing the search: 41 %, 20 s"
    app.window.status.preparation.show_progress(0.03, 1916)
    assert bar.text() == "Preparing the search: 3 %, 32 min"
    assert len(workers) == 1
    app.preparation.ready.emit()
    assert bar.text() == "Prepared: the engine loads it" and notice.isHidden()
    assert len(workers) == 2


@pytest.mark.slow
def test_the_app_says_why_it_cannot_be_prepared_and_goes_on_but_not_over_another_notice(start):
    app, workers = start(messages=("The settings were bad.",))
    notice = app.window.notice
    app.preparation.progressed.emit(0.0, None)
    assert notice.text.text() == "The settings were bad."
    notice.put_away()
    app.preparation.progressed.emit(0.0, None)
    app.preparation.failed.emit("Nothing can be kept there.")
    assert notice.text.text() == "Nothing can be kept there."
    assert app.window.status.preparation.isHidden() and len(workers) == 1


@pytest.mark.slow
def test_code_that_was_damaged_is_said_to_be_made_again(pending, child, start, monkeypatch):
    child({"ready": True})
    monkeypatch.setattr(preparation.first_start, "damaged", lambda: True)
    app, _ = start()
    app.preparation.start()
    assert "is damaged: it is thrown away and made again" in app.window.notice.text.text()
    app.preparation.close()
