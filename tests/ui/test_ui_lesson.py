"""Learning from a fight's mistakes one by one, how it goes over the weeks, what is said at its end."""

import datetime as dt
from dataclasses import replace

import pytest
from kept_fights import fight
from PySide6.QtCore import Qt
from test_ui_keyboard import nameless
from ui_factories import feed, searched, snapshot, state

from botapp.fight.actions import EndTurn
from botapp.host.settings import Settings
from botapp.review.kept_fight import summed_up
from botapp.review.shelf import FightShelf
from botapp.runtime.messages import AskPossible, AskWhatIf
from botapp.runtime.turns import END, WALK, Possible, WhatIf
from botapp.runtime.whole_turns import Inquiry, aims_of
from botapp.ui.review.lesson import Lesson
from botapp.ui.review.page import ReviewPage
from vision.view import FightView, Phase, Seen


def faulty(costs=(0.12, 0.03)):
    """A fight in which the turn was ended early several times, at these costs."""
    departed = fight().moments[1]
    moments = [replace(departed, chance=0.6, cost=cost) for cost in costs]
    moments = [fight().moments[0], *moments]
    return replace(fight(), summary=summed_up(moments, 0, "0.2.0", "arena", "lost"), moments=tuple(moments))


@pytest.fixture
def lesson(qtbot):
    made = Lesson()
    qtbot.addWidget(made)
    made.questions = []
    made.asked.connect(made.questions.append)
    made.resize(1100, 640)
    made.show()
    made.show_fight(faulty())
    question = made.questions[-1]
    assert isinstance(question, AskPossible)
    made.show_possible(Possible(question.number, aims_of(question.state)))
    return made


def advised_cell(moment):
    action = moment.advised.action
    return (getattr(action, "spell", WALK), action.target)


def test_a_lesson_has_the_faults_in_the_order_in_which_they_were_made(lesson, qtbot):
    assert lesson.title.text() == f"Blunder 1 of 2, round {lesson.faults[0].turn}"
    assert "12 points given away" in lesson.was.text() and "End the turn" in lesson.was.text()
    assert lesson.board.line is None and not lesson.row.isVisible()
    assert nameless(lesson) == []
    qtbot.mouseClick(lesson.next, Qt.MouseButton.LeftButton)
    assert lesson.title.text().startswith("Inaccuracy 2 of 2") and not lesson.next.isEnabled()


def test_what_was_advised_is_found_on_the_board(lesson):
    spell, cell = advised_cell(lesson.faults[0])
    if spell != WALK:
        lesson.choice.buttons[spell].click()
        assert cell in lesson.board.aims
    lesson.board.picked.emit(cell)
    assert lesson.verdict.text() == "That is what was advised."
    assert lesson.score.text() == "Found by yourself: 1 of 2"


def test_the_fault_again_is_judged_as_before(lesson):
    lesson.choice.buttons[END].click()
    assert lesson.verdict.text().startswith("Blunder: 12 points given away")
    assert lesson.score.found == set()


def test_what_nobody_has_looked_at_is_asked_of_the_worker(lesson):
    known = {line.choice.action for line in lesson.faults[0].lines} | {lesson.faults[0].advised.action}
    cells = [cell for cell in lesson.choice.cells(WALK) if cell not in {one.target for one in known}]
    lesson.choice.buttons[WALK].click()
    lesson.board.picked.emit(cells[0])
    question = lesson.questions[-1]
    assert isinstance(question, AskWhatIf) and (question.spell, question.cell) == (WALK, cells[0])
    line = replace(lesson.faults[0].lines[0], chance=0.3)
    lesson.show_answer(WhatIf(question.number + 1, line, 0.5))
    assert lesson.verdict.text() == "Looking into it…"
    lesson.show_answer(WhatIf(question.number, line, 0.06))
    assert lesson.verdict.text() == "Mistake: 6 points given away. Try something else."
    assert lesson.row.chance.text() == "54%"
    lesson.show_answer(WhatIf(question.number, line, 0.004))
    assert lesson.verdict.text() == "That is about as good as what was advised." and lesson.score.found == {0}


def test_what_was_shown_does_not_count_as_found(lesson):
    lesson.show_me.click()
    assert lesson.board.line == lesson.faults[0].lines[0]
    lesson.board.picked.emit(advised_cell(lesson.faults[0])[1])
    assert lesson.score.text() == "Found by yourself: 0 of 2"


def test_a_moment_is_played_again(lesson, qtbot):
    with qtbot.waitSignal(lesson.practice_asked) as asked:
        qtbot.keyClick(lesson, Qt.Key.Key_P)
    assert asked.args[0] == lesson.faults[0].state


@pytest.mark.slow
def test_the_worker_looks_into_ending_the_turn_too():
    moment = fight().moments[0]
    found = Inquiry().answer(-3, moment.state, moment.advised.action, END, -1)
    assert found.number == -3 and isinstance(found.line.choice.action, EndTurn)


@pytest.mark.slow
def test_the_weeks_are_those_of_the_client_that_is_played(qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    page = ReviewPage(Settings, FightShelf())
    qtbot.addWidget(page)
    monday = dt.datetime(2026, 11, 23, 20, 0)
    summary = replace(faulty().summary, client="dofus-unity", accuracy=0.8, result="won")
    summaries = [
        replace(summary, begun=(monday - dt.timedelta(days=days)).timestamp()) for days in (0, 7, 14)
    ]
    arena = replace(summary, client="arena", autoplayed=True)
    page.show()
    page.progress.show_fights([*summaries, arena])
    page.stack.setCurrentIndex(3)
    rows = page.progress.table.texts()
    assert [row[1:5] for row in rows] == [["1", "1 / 1", "80%", "1"]] * 3
    assert page.progress.summary.text().startswith("Fights: 3")
    page.progress.client.setCurrentIndex(page.progress.client.findData(""))
    assert "played by the advice and left out: 1" in page.progress.summary.text()
    line = page.progress.plot.lines()["accuracy"]
    assert list(line.getData()[0]) == [0, 1, 2] and list(line.getData()[1]) == pytest.approx([80] * 3)


@pytest.mark.slow
def test_the_end_of_a_fight_is_summed_up_and_leads_to_its_lesson(start, qtbot):
    app, (worker,) = start()
    own, *others = state(turn=1).fighters
    walked = state(turn=1, fighters=(replace(own, cell=271, mp=1), *others))
    worse = searched(value=0.1)
    over = FightView(phase=Seen(Phase.NOT_FIGHT, 1.0))
    feed(
        qtbot,
        app,
        worker,
        snapshot(
            1, state=state(), decision=searched(choices=(searched().choices[0], *searched().choices[1:]))
        ),
        snapshot(2, state=walked, decision=worse),
        snapshot(3, advice="none", capture="no-fight", view=over, state=None),
    )
    told = app.window.notice.text.text()
    assert told == app.window.course.end.text() and "accuracy" in told
    app.window.notice.action.click()
    assert app.pages.review is not None and app.pages.review.viewer.fight is not None
