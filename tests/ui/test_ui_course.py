"""The course of a fight: what was advised, what was done, and what doing otherwise cost."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel
from ui_factories import (
    CAST,
    ENEMY,
    PLAYER,
    WALK,
    searched,
    settle,
    snapshot,
    state,
)

from botapp.advisor.decision import ScoredAction
from botapp.fight.actions import Cast, EndTurn
from botapp.review.course import Course
from botapp.ui import words
from botapp.ui.panels.course import CoursePanel
from botapp.ui.samples import History
from vision.view import Phase, Seen


def after(turn=1, **changes):
    before = state(turn=turn)
    own, *others = before.fighters
    return before.changed(fighters=(replace(own, **changes), *others))


def advised(seq, given, **changes):
    return snapshot(seq, state=given, decision=searched(**changes))


def course_of(*snapshots):
    made = Course()
    for one in snapshots:
        made.add(one)
    return made


CAST_ONCE = after(ap=3, casts=(("spark", 1),))


def test_what_was_done_as_advised_costs_nothing():
    course = course_of(advised(1, state()), advised(2, CAST_ONCE))
    first = course.moments[0]
    assert first.done == first.advised and first.cost == 0 and not first.departed
    assert first.chance == pytest.approx(0.68)
    assert course.departures() == []


def test_following_an_answer_of_a_moment_ago_keeps_that_answer_whole():
    """Its chance and its turns stand beside it, not those of the answer that took its place meanwhile."""
    first = advised(1, state(), sure="sure")
    walk = searched(choices=(replace(WALK, value=0.81), *searched().choices), sure="close")
    deeper = snapshot(2, state=state(), decision=walk, turn=None)
    course = course_of(advised(0, after(turn=1, hp=300)), first, deeper, advised(3, CAST_ONCE))
    moment = course.moments[-2]
    assert moment.advised == moment.done == first.decision.best and not moment.departed
    assert (moment.chance, moment.sure) == (first.decision.chance, "sure")
    assert moment.chance == pytest.approx(moment.advised.chance), "one answer's action and figure"
    assert moment.lines == (first.turn.lines if first.turn is not None else ())
    gone = course_of(first, deeper, advised(3, after(cell=271, mp=1))).moments[0]
    assert gone.advised.action == WALK.action and gone.chance == walk.chance


@pytest.mark.parametrize(("confirmed", "kept"), [(True, "close"), (False, "")])
def test_how_sure_an_advice_was_is_kept_as_the_app_showed_it(confirmed, kept):
    seen = replace(advised(1, state(), sure="close"), board_confirmed=confirmed)
    assert course_of(seen).moments[0].sure == kept


def test_a_departure_costs_what_the_search_says_of_it():
    walked = after(cell=271, mp=1)
    course = course_of(advised(1, state()), advised(2, walked, value=2 * 0.6 - 1))
    (moment,) = course.departures()
    assert moment.done.action == WALK.action and moment.advised.action == CAST.action
    assert moment.cost == pytest.approx(0.68 - 0.67)


def test_a_departure_costs_no_more_than_the_curve_falls():
    walked = after(cell=271, mp=1)
    for chance in (0.68, 0.7, 0.96):
        (moment,) = course_of(advised(1, state()), advised(2, walked, value=2 * chance - 1)).departures()
        assert moment.cost == 0
    (moment,) = course_of(advised(1, state()), advised(2, walked, value=2 * 0.675 - 1)).departures()
    assert moment.cost == pytest.approx(0.005)


def test_a_spell_that_leaves_no_trace_is_not_taken_for_ending_the_turn():
    mend = next(one for one in searched().choices if one.action == Cast("test_mend", PLAYER))
    begun = advised(1, state(), choices=(mend, *searched().choices))
    over = snapshot(2, state=state(), advice="not-my-turn", decision=None)
    late = replace(over, captured_ns=begun.captured_ns + int(1e9))
    course = course_of(begun, late)
    assert course.moments[0].done is None and course.departures() == []
    at_once = replace(over, captured_ns=begun.captured_ns + int(0.3e9))
    assert isinstance(course_of(begun, at_once).moments[0].done.action, EndTurn), "no time for a cast"
    watched = replace(begun, captured_ns=late.captured_ns - int(0.2e9))
    assert isinstance(course_of(begun, watched, late).moments[0].done.action, EndTurn), (
        "all AP left till then"
    )
    cools = snapshot(2, state=after(cooldowns=(("test_mend", 2),)), advice="not-my-turn", decision=None)
    course = course_of(advised(1, state(), choices=(mend, *searched().choices)), cools)
    assert course.moments[0].done.action == mend.action and not course.moments[0].departed


def test_a_walk_under_way_is_no_shorter_walk():
    far = searched(choices=(replace(WALK, value=0.7), CAST), candidates=())
    start = snapshot(1, state=state(), decision=far)
    begun = start.captured_ns
    midway = [
        replace(advised(2, after(cell=257, mp=2)), captured_ns=begun + int(1e9)),
        replace(advised(3, after(cell=257, mp=2)), captured_ns=begun + int(2e9)),
    ]
    there = replace(advised(4, after(cell=271, mp=1)), captured_ns=begun + int(2.1e9))
    course = course_of(start, *midway, there)
    assert course.departures() == [] and len(course.moments) == 2
    stayed = replace(midway[0], captured_ns=begun + int(4e9))
    course = course_of(start, *midway, stayed)
    assert [moment.done.action.target for moment in course.departures()] == [257]


def test_ending_the_turn_early_is_seen_when_the_others_play():
    others = snapshot(2, state=state(), advice="not-my-turn", decision=None)
    (moment,) = course_of(advised(1, state()), others).departures()
    assert isinstance(moment.done.action, EndTurn)
    assert moment.cost == pytest.approx(0.68 - 0.66)


def test_what_the_search_did_not_look_at_costs_what_the_curve_falls():
    elsewhere = after(cell=PLAYER + 28, mp=2)
    course = course_of(advised(1, state()), advised(2, elsewhere, value=2 * 0.6 - 1))
    (moment,) = course.departures()
    assert moment.cost == pytest.approx(0.08) and moment.done.action.target == PLAYER + 28
    course = course_of(advised(1, state()), replace(snapshot(2, state=elsewhere), advice="not-my-turn"))
    assert course.moments[0].cost is None, "not known before the next own action"


def test_a_turn_ended_instead_of_a_cast_costs_what_the_rounds_after_it_do():
    """The search calls it nearly as good (2 points), and the chance falls by 48 until the next own turn."""
    over = snapshot(2, state=state(), advice="not-my-turn", decision=None)
    for chance, cost in ((0.2, 0.48), (0.67, 0.01), (0.9, 0.02), (0.99, 0.01), (1.0, 0.0)):
        course = course_of(advised(1, state()), over, advised(3, after(turn=2), value=2 * chance - 1))
        assert course.moments[0].cost == pytest.approx(cost), chance
    walk = searched(choices=(replace(WALK, value=0.7), *searched().choices))
    course = course_of(
        replace(advised(1, state()), decision=walk), over, advised(3, after(turn=2), value=2 * 0.2 - 1)
    )
    assert course.moments[0].cost <= 0.04, "a walk left out is judged by what was said of it"


def test_the_same_state_again_is_no_moment_of_its_own():
    course = course_of(advised(1, state()), advised(2, state()), advised(3, CAST_ONCE))
    assert len(course.moments) == 2


def test_another_fight_begins_anew():
    course = course_of(advised(1, state()), replace(advised(2, state()), fight=1))
    assert len(course.moments) == 1


def again(seq, given, **changes):
    """A snapshot of an engine that was started again: it counts its frames from the beginning."""
    return replace(advised(seq, given, **changes), frames=seq - 100)


def test_a_fight_goes_on_after_the_engine_was_started_again():
    course = course_of(advised(101, state(turn=3)), again(101, after(turn=3, ap=3, casts=(("spark", 1),))))
    assert len(course.moments) == 2 and course.moments[0].done.action == CAST.action
    course.add(again(102, after(turn=4)))
    assert len(course.moments) == 3


@pytest.mark.parametrize("other", ["earlier round", "other map", "end seen"])
def test_after_the_engine_was_started_again_another_fight_is_known_as_one(other):
    """It goes on counting where the one before was, so the number alone does not tell."""
    course = course_of(advised(101, state(turn=3)))
    given = state(turn=2 if other == "earlier round" else 3)
    if other == "other map":
        given = given.changed(
            map=replace(given.map, cells=bytes(reversed(given.map.cells[100:])) + bytes(100))
        )
    if other == "end seen":
        ended = replace(again(101, None), advice="none", decision=None, view=no_fight())
        course.add(ended)
    course.add(again(102, given))
    assert len(course.moments) == 1 and course.moments[0].state == given


def no_fight():
    return replace(snapshot(1).view, phase=Seen(Phase.NOT_FIGHT, 1.0))


def test_what_cannot_be_read_concludes_nothing():
    course = course_of(
        advised(1, state()), snapshot(2, state=None, advice="withheld", decision=None), advised(3, CAST_ONCE)
    )
    assert not course.moments[0].departed and course.moments[0].done is not None


@pytest.mark.slow
def test_the_panel_lists_departures_and_sums_them_up(qtbot):
    history = History()
    panel = CoursePanel(history)
    qtbot.addWidget(panel)
    panel.show()
    given = (advised(1, state()), advised(2, after(turn=2, cell=271, mp=1), value=2 * 0.66 - 1))
    for one in given:
        history.add(one, 0.0)
        panel.render_snapshot(one)
    assert panel.table.texts() == [["1", "Spark → Thorn Beast", "3 cells down right", "", "−1"]]
    assert panel.summary.text() == (
        "From 68% to 66% in 1 own action  ·  accuracy 100%  ·  1 not as advised  ·  "
        "1 point given away  ·  dice and the others' play: −1"
    )
    assert list(panel.plot.lines()["chance"].getData()[1]) == pytest.approx([68, 66])
    assert list(panel.plot.lines()["done otherwise"].getData()[0]) == [1]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(460, 200), (300, 240), (700, 600)])
def test_the_curve_and_its_legend_are_never_cut_off(qtbot, size):
    history = History()
    panel = CoursePanel(history)
    qtbot.addWidget(panel)
    panel.resize(*size)
    panel.show()
    for one in (advised(1, state()), advised(2, after(turn=2, cell=271, mp=1), value=2 * 0.66 - 1)):
        history.add(one, 0.0)
        panel.render_snapshot(one)
    settle()
    words_of = [part for part in panel.plot.findChildren(QLabel) if part.isVisible()]
    assert len(words_of) == 5
    for part in words_of:
        bottom = part.mapTo(panel.plot, part.rect().bottomLeft()).y()
        assert bottom <= panel.plot.area.y(), f"{part.text()} lies under the curve"
    assert panel.plot.area.height() >= 56 and panel.plot.area.geometry().bottom() <= panel.plot.height()


def test_a_cast_at_somebody_counts_where_it_stood(qtbot):
    other = ScoredAction(replace(CAST.action, target=ENEMY + 1), 0.9, "", "Spark")
    course = course_of(advised(1, state(), choices=(other, CAST), candidates=()), advised(2, CAST_ONCE))
    assert course.departures()[0].done == CAST


def test_what_is_only_known_better_is_no_action():
    better = after(casts=(("spark", 1),))
    course = course_of(advised(1, state()), advised(2, better))
    assert len(course.moments) == 1 and course.moments[0].state == better


def test_a_cast_of_before_that_is_recognised_late_is_not_taken_for_this_one():
    walked = after(cell=271, mp=1, casts=(("spark", 1),))
    course = course_of(advised(1, state()), advised(2, walked))
    assert course.departures()[0].done.action == WALK.action


def test_a_cast_at_the_ground_is_named_by_its_spell_alone():
    unknown = after(ap=4, casts=(("test_mend", -1),))
    course = course_of(advised(1, state(), choices=(CAST,), candidates=()), advised(2, unknown))
    (moment,) = course.departures()
    assert words.brief(moment.done, moment.state) == "Knit"


def test_an_end_of_the_turn_in_which_somebody_was_hurt_is_not_blamed():
    own, beast, crawler = state().fighters
    hurt = state().changed(fighters=(own, replace(beast, hp=beast.hp - 20), crawler))
    course = course_of(advised(1, state()), snapshot(2, state=hurt, advice="not-my-turn", decision=None))
    assert course.moments[0].done is None and course.departures() == []


def test_what_was_advised_before_the_search_thought_on_was_followed():
    """The first answer was played while a deeper one took its place: no departure, and no cost."""
    deeper = replace(
        advised(2, state()), decision=replace(advised(2, state()).decision, choices=(WALK, CAST))
    )
    course = course_of(advised(1, state()), deeper, advised(3, CAST_ONCE))
    assert [one.departed for one in course.moments[:1]] == [False]
    assert course.moments[0].advised.action == CAST.action and course.moments[0].points_lost == 0
    assert course.departures() == []


def test_a_fight_in_which_an_action_was_taken_back_has_no_accuracy_as_when_it_is_kept(qtbot):
    history = History()
    panel = CoursePanel(history)
    qtbot.addWidget(panel)
    for taken_back, shown in ((0, True), (1, False)):
        for one in (advised(1, state()), advised(2, CAST_ONCE)):
            history.course.add(replace(one, taken_back=taken_back))
        panel.render_snapshot(snapshot(3, taken_back=taken_back))
        assert ("accuracy" in panel.summary.text()) is shown
        assert ("1 action taken back" in panel.summary.text()) is not shown
