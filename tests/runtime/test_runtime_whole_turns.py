"""The best whole turns differ in what they do, and an action of one's own is looked into as closely."""

from dataclasses import replace

import pytest

from botapp.advisor.bare import BareAdvisor
from botapp.advisor.decision import ScoredAction
from botapp.advisor.wording import towards
from botapp.arena.scenarios import duel
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.core.compiler import INTERPRETED
from botapp.fight.rules import apply_expected, legal_actions
from botapp.runtime import whole_turns
from botapp.runtime.turns import WALK
from botapp.runtime.whole_turns import Inquiry, outlook, turn_line


@pytest.fixture(scope="module")
def decided():
    state = duel(seed=1)
    return state, BareAdvisor().decide(state)


def test_the_advised_turn_comes_first_and_goes_as_the_rules_say(decided):
    state, decision = decided
    line = outlook(state, decision).lines[0]
    assert line.choice == decision.best and line.chance == decision.best.value
    after = state
    for step in line.steps:
        assert step.origin == after.actor.cell
        after = apply_expected(after, step.action)
    assert all(not isinstance(step.action, EndTurn) for step in line.steps[1:])


def test_no_two_turns_do_the_same(decided):
    lines = outlook(*decided).lines
    assert 1 < len(lines) <= whole_turns.LINES

    def done(line):
        casts = sorted((s.action.spell, s.action.target) for s in line.steps if isinstance(s.action, Cast))
        walks = [s.action.target for s in line.steps if isinstance(s.action, Move)]
        return tuple(casts), walks[-1:]

    told = [done(line) for line in lines]
    assert all(told.count(one) == 1 for one in told)
    assert [line.chance for line in lines[1:]] == sorted((line.chance for line in lines[1:]), reverse=True)


def test_turns_that_read_alike_are_one_and_the_best_stands_for_it(decided):
    state, decision = decided
    walks = [one for one in legal_actions(state) if isinstance(one, Move)]
    by_words = {}
    for walk in walks:
        by_words.setdefault((len(walk.path), towards(state.actor.cell, walk.target)), []).append(walk)
    alike = next(found for found in by_words.values() if len(found) > 1)
    other = next(walk for walk in walks if walk not in alike)
    given = [*alike, other]
    choices = tuple(
        ScoredAction(one, 0.0, "", visits=1, value=0.9 - number / 100, line=(one,))
        for number, one in enumerate(given)
    )
    found = outlook(state, replace(decision, choices=choices, candidates=choices)).lines
    assert [line.choice.action for line in found] == [alike[0], other]


def test_a_turn_in_another_order_that_ends_on_the_same_cell_is_one_turn(decided):
    state, decision = decided
    walk = next(one for one in legal_actions(state) if isinstance(one, Move))
    enemy = next(one for one in state.fighters if one.team != state.actor.team)
    hit = Cast(state.actor.spells[0].key, enemy.cell)
    choices = tuple(
        ScoredAction(line[0], 0.0, "", visits=1, value=value, line=line)
        for line, value in (((hit, walk), 0.9), ((walk, hit), 0.9), ((EndTurn(),), 0.8))
    )
    read = [whole_turns.read_whole(state, one) for one in choices]
    assert (read[0].casts, read[0].end) == (read[1].casts, read[1].end) != (read[2].casts, read[2].end)
    found = whole_turns.different_turns(state, replace(decision, choices=choices, candidates=choices))
    assert found == [choices[0], choices[2]]


def test_turns_of_a_less_deep_decision_are_not_worked_out_again(decided, monkeypatch):
    state, decision = decided
    before = outlook(state, decision)
    worked_out = []
    real = turn_line
    monkeypatch.setattr(whole_turns, "turn_line", lambda *given: worked_out.append(given[1]) or real(*given))
    deeper = replace(decision, candidates=tuple(replace(c, visits=c.visits + 9) for c in decision.candidates))
    again = outlook(state, deeper, before)
    assert worked_out == [] and again.aims == before.aims
    assert [line.steps for line in again.lines] == [line.steps for line in before.lines]
    assert [line.choice.visits for line in again.lines[1:]] == [
        line.choice.visits + 9 for line in before.lines[1:]
    ]
    best = replace(decision.best, value=decision.best.chance + 0.01)
    outlook(state, replace(decision, choices=(best, *decision.choices[1:])), before)
    assert best in worked_out


def test_it_says_where_each_spell_can_be_cast(decided):
    state, decision = decided
    found = outlook(state, decision)
    legal = legal_actions(state)
    assert set(found.cells(WALK)) == {one.target for one in legal if isinstance(one, Move)}
    for spell in state.actor.spells:
        assert set(found.cells(spell.key)) == {
            one.target for one in legal if isinstance(one, Cast) and one.spell == spell.key
        }


def test_whom_a_turn_may_kill_is_told_with_how_likely(decided):
    state, _ = decided
    cast = next(
        one
        for one in legal_actions(state.changed(fighters=_near(state)))
        if isinstance(one, Cast) and one.target == _near(state)[1].cell
    )
    choice = ScoredAction(cast, 0.5, "", line=(cast, EndTurn()))
    weak = state.changed(fighters=_near(state, hp=1))
    assert turn_line(weak, choice).kills == ((weak.fighters[1].id, 1.0),)
    assert turn_line(state.changed(fighters=_near(state)), choice).kills == ()


def _near(state, hp=None):
    """Returns the fighters with the enemy in reach, where that is asked for nearly dead."""
    own, enemy, *rest = state.fighters
    if own.id != state.actor.id:
        own, enemy = enemy, own
    near = own.cell + 28 if own.cell + 28 < 560 else own.cell - 28
    return (own, replace(enemy, cell=near, hp=hp or enemy.hp), *rest)


@pytest.mark.slow
@pytest.mark.skipif(INTERPRETED, reason="a search takes too long")
def test_an_action_of_ones_own_is_worth_no_more_than_the_best_by_far(decided):
    state, decision = decided
    inquiry = Inquiry()
    best = inquiry.answer(1, state, decision.action, *_asked(decision.action))
    assert best.number == 1 and best.line is not None and abs(best.cost) < 0.05
    poor = next(one for one in reversed(decision.candidates) if one.action.target is not None)
    found = inquiry.answer(2, state, decision.action, *_asked(poor.action))
    assert found.line.choice.action == poor.action
    assert found.cost > -0.05 and found.line.steps[0].action == poor.action


def test_what_the_rules_forbid_has_no_line(decided):
    state, decision = decided
    assert Inquiry().answer(7, state, decision.action, "nosuch", 3).line is None
    assert Inquiry().answer(7, state, decision.action, WALK, state.actor.cell).line is None


def _asked(action):
    return (action.spell if isinstance(action, Cast) else WALK), action.target
