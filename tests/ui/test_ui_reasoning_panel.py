"""The panel of the reasoning: every step of the model and why it stopped, or what the search found."""

from dataclasses import replace

import pytest
from ui_factories import CAST, WALK, decision, searched, snapshot

from botapp.advisor.decision import ScoredAction
from botapp.fight.actions import Move
from botapp.host.settings import Settings
from botapp.ui.panels.decision import DecisionPanel
from botapp.ui.panels.reasoning import ReasoningPanel
from botapp.ui.samples import History


def test_a_single_step_does_not_say_twice_why_it_stopped(shown):
    once = replace(snapshot().decision, trace=snapshot().decision.trace[:1])
    panel = shown(ReasoningPanel(History(), 0.6), snapshot(decision=once))
    assert "not worth its time" in panel.short.text() and "not worth its time" not in panel.steps.text()


def test_reasoning_shows_every_step_and_why_it_stopped(shown):
    panel = shown(ReasoningPanel(History(), 0.6), snapshot())
    assert panel.short.text().splitlines() == [
        "System 1, at once: Walk 3 cells down right.",
        "System 2, 4 steps: Cast Spark on Thorn Beast.",
        "Stopped: going on was not worth its time.",
    ]
    rows = panel.table.texts()
    assert [row[1] for row in rows] == ["Walk 3 cells down right"] * 2 + ["Spark → Thorn Beast"] * 3
    assert panel.curve.isVisible() and panel.curve.sure == pytest.approx((0.18, 0.31, 0.44, 0.57, 0.70))
    assert [row[2] for row in rows] == ["–", *["the best turns"] * 2, "Spark → Thorn Beast", "the best turns"]
    told = panel.steps.text().splitlines()
    assert told[0].startswith("1.  System 1, before anything was played out: Walk 3 cells down right.")
    assert "Now Cast Spark on Thorn Beast." in told[2] and "The answer stays." in told[1]
    assert told[-1].endswith("Stopped: going on was not worth its time.")
    assert panel.curve.threshold == 0.6
    panel.apply(Settings(engine={"halt_threshold": 0.8}))
    assert panel.curve.threshold == 0.8


def test_reasoning_says_what_the_first_answer_would_have_cost(shown):
    best, walk = replace(CAST, value=0.63), replace(WALK, value=0.6)
    valued = best, walk
    thought = decision(best, walk, choices=valued, candidates=valued)
    panel = shown(ReasoningPanel(History()), snapshot(decision=thought))
    assert "The first answer was Walk 3 cells down right: 3 points less." in panel.worth.text()
    same = decision(best, best, choices=valued, candidates=valued)
    panel.render_snapshot(snapshot(2, decision=same))
    assert panel.worth.text().startswith("The first answer was the same.")


def test_an_answer_that_overrules_the_search_says_so_with_the_figure_that_is_listed(shown):
    best, walk = replace(CAST, value=0.6), replace(WALK, value=0.63)
    overruled = decision(best, best, choices=(best, walk), candidates=(best, walk))
    panel = shown(ReasoningPanel(History()), snapshot(decision=overruled))
    assert panel.worth.text().endswith(
        "The search alone would have advised Walk 3 cells down right: 3 points more."
    )
    advice = shown(DecisionPanel(History()), snapshot(decision=overruled))
    assert advice.advised.chance.figure.text() == "60%"


def test_a_first_answer_of_another_cell_is_called_by_its_own_name_even_where_it_is_as_good(shown):
    walks = [ScoredAction(Move((cell,)), 0.25, "", value=value) for cell, value in ((243, 0.9), (215, 0.903))]
    alike = decision(walks[0], walks[1], choices=tuple(walks), candidates=tuple(walks))
    panel = shown(ReasoningPanel(History()), snapshot(decision=alike))
    assert panel.worth.text() == (
        "The first answer was Walk 1 cell up right: the same chance of winning. "
        "The search alone would have advised Walk 1 cell up right: the same chance of winning."
    )


def test_reasoning_keeps_the_last_trace_and_shows_a_single_step(shown):
    panel = shown(ReasoningPanel(History()), snapshot(1), snapshot(2, decision=None, advice="not-my-turn"))
    assert len(panel.table.texts()) == 5
    panel.render_snapshot(snapshot(3, decision=decision(WALK, WALK, steps=1, stop="only-choice")))
    assert (
        panel.short.text().startswith("System 1 alone: Walk 3 cells down right.")
        and len(panel.table.texts()) == 1
    )


def test_a_choice_without_any_thinking_has_an_empty_trace(shown):
    alone = decision(WALK, WALK, steps=0, stop="only-choice", rollouts=1)
    panel = shown(ReasoningPanel(History()), snapshot(1), snapshot(2, decision=alone))
    assert panel.short.text() == "Nothing else that can be done now changes anything."
    assert panel.table.texts() == []
    advice = shown(DecisionPanel(History()), snapshot(decision=alone))
    assert advice.advised.answers.verdict.text() == "Nothing else that can be done now changes anything."


def test_reasoning_of_the_search_alone_shows_what_it_found_and_no_steps(shown):
    panel = shown(ReasoningPanel(History()), snapshot(decision=searched()))
    assert panel.short.text().startswith("The search decided, without a model.")
    assert panel.stop.text() == "1,200 states searched, 60 rollouts"
    assert not panel.curve.isVisible() and not panel.table.isVisible()
    assert panel.found.texts()[:2] == [["Spark → Thorn Beast", "68%"], ["Walk 3 cells down right", "67%"]]
    panel.render_snapshot(snapshot(2))
    assert panel.curve.isVisible() and panel.table.isVisible() and not panel.found.isVisible()
