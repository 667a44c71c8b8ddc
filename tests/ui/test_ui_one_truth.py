"""Over whole fights each action and each figure of a decision is the same wherever it is shown."""

import random
from itertools import islice
from time import perf_counter

import pytest
from one_truth import Views

from botapp.advisor.thinking_on import ThinkingOn
from botapp.arena.players.simple import GreedyPlayer
from botapp.arena.scenarios import outcome
from botapp.bench.curve import KINDS, advisor_of
from botapp.fight.rules import apply, observation
from botapp.runtime.whole_turns import outlook


def decisions(kind, seed, advisor):
    """Yields each own decision of a fight played as advised, and the deeper ones that took its place."""
    rng, others, planned = random.Random(seed), GreedyPlayer(), ()
    state = KINDS[kind](seed)
    own = state.fighters[0].id
    while outcome(state) is None:
        if state.actor.id != own or state.placing:
            planned = ()
            state = apply(state, others.choose(state, rng), rng)
            continue
        known, heard = observation(state, state.actor.team), []
        advisor.on_reflex = heard.append
        shown = advisor.decide(known, planned)
        assert not heard or heard == [shown.reflex]
        turn = outlook(known, shown)
        yield known, shown, turn
        further = ThinkingOn(advisor.timed_options, advisor.baseline, advisor.judge)
        for _ in range(3):
            deeper = further.think(known, shown, perf_counter() + 0.06)
            if deeper is not None:
                assert deeper.reflex is shown.reflex
                assert [one.best.action for one in deeper.trace[: shown.effort.first_steps]] == [
                    one.best.action for one in shown.trace[: shown.effort.first_steps]
                ]
                shown, turn = deeper, outlook(known, deeper, turn)
                yield known, shown, turn
        planned = shown.best.line[1:]
        state = apply(state, shown.action, rng)


def compared(qtbot, kind, seeds, most=None):
    """Returns how many decisions were shown in both languages, and what differed.

    Args:
        qtbot: closes the panels.
        kind: of the fights.
        seeds: of the fights.
        most: decisions of each fight, None for all.
    """
    advisor = advisor_of("model", 0.0)
    views = [Views(language, qtbot.addWidget) for language in ("en", "fr")]
    count, found = 0, []
    for seed in seeds:
        for state, decision, turn in islice(decisions(kind, seed, advisor), most):
            count += 1
            for one in views:
                found += [
                    f"{kind} {seed}, {one.language}: {told}"
                    for told in one.differences(decision, state, turn)
                ]
    for one in views:
        one.close()
    advisor.close()
    return count, found


@pytest.mark.slow
@pytest.mark.parametrize("kind", [pytest.param("adventure", marks=pytest.mark.long), "duel"])
def test_one_truth_over_the_first_decisions_of_a_fight(qtbot, kind):
    count, found = compared(qtbot, kind, [501], most=6)
    assert count == 6 and not found, "\n".join(found[:20])


@pytest.mark.long
@pytest.mark.parametrize("kind", ["adventure", "duel"])
def test_one_truth_over_a_hundred_fights(qtbot, kind):
    count, found = compared(qtbot, kind, range(600, 650))
    assert count > 1000 and not found, "\n".join(found[:20])
