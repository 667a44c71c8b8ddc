"""The Threat panel says whom an enemy at turn can reach, what it takes and what is expected of it."""

from dataclasses import replace

from ui_factories import CAST, snapshot, state, turn, view

from botapp.advisor.decision import Expectation
from botapp.runtime.turns import Threat, TurnLine, TurnStep
from botapp.ui import translation
from botapp.ui.panels.decision import DecisionPanel
from botapp.ui.panels.threat import ThreatPanel
from botapp.ui.samples import History


def threatened(kills=((0, 0.25),), damage=45.0):
    fight = state()
    enemy = next(f for f in fight.fighters if f.team != fight.actor.team)
    me = fight.actor
    hit = Expectation(me.id, me.name, True, damage=damage)
    step = TurnStep(replace(CAST.action, target=me.cell), enemy.cell, "Bite", (hit,))
    line = TurnLine(replace(CAST, action=step.action, spell_name="Bite"), (step,), 0.3, kills)
    threat = Threat(enemy.id, enemy.name, (me.id,), line, (hit,) if damage else ())
    seen = view()
    own = replace(seen.player, cell=me.cell) if seen.player is not None else None
    return snapshot(
        advice="not-my-turn", decision=None, state=fight, view=replace(seen, player=own), threat=threat
    )


def test_a_threat_is_told_in_full(shown):
    panel = shown(ThreatPanel(History()), threatened())
    assert "plays" in panel.headline.text() and panel.reach.text() == "You"
    assert panel.harm.text() == "You: 45 damage, dies with 25%"
    assert panel.harm.property("role") == "bad" and panel.after.text() == "…"
    assert "Bite" in panel.reply.text()


def test_without_one_the_last_is_greyed_and_before_any_it_says_what_for(shown):
    panel = shown(ThreatPanel(History()), snapshot(1))
    assert "next enemy" in panel.headline.text() and not panel.reach.isVisible()
    panel = shown(ThreatPanel(History()), threatened(), snapshot(2))
    assert panel.reach.isVisible() and panel.reach.property("role") == "muted"


def test_in_the_own_turn_it_is_the_next_enemy_and_no_second_chance_of_winning_is_said(shown):
    seen = threatened()
    to_come = replace(seen.threat, at=seen.state)
    mine = snapshot(2, state=seen.state, threat=to_come)
    panel = shown(ThreatPanel(History()), mine)
    assert panel.headline.text() == f"After your turn: {seen.threat.name}"
    assert panel.reach.text() == "You" and panel.harm.isVisible() and panel.reply.isVisible()
    assert not panel.after.isVisible() and not panel.own.isVisible()
    panel = shown(ThreatPanel(History()), mine, seen)
    assert panel.after.isVisible() and panel.own.isVisible()


def test_the_own_turn_after_it_is_told_once_it_is_known(shown):
    seen = threatened()
    own = replace(seen.threat, own=turn().lines[0], then=state())
    panel = shown(ThreatPanel(History()), seen)
    assert panel.own.text() == "…"
    panel = shown(ThreatPanel(History()), replace(seen, threat=own))
    assert panel.own.text().startswith("1–2.\u00a0Spark → Thorn Beast") and panel.after.text() == "68%"
    panel = shown(ThreatPanel(History()), replace(seen, threat=replace(own, own=None)))
    assert (panel.own.text(), panel.after.text()) == ("–", "70%")


def test_the_decision_panel_is_not_silent_while_an_enemy_plays(shown):
    seen = threatened()
    own = replace(seen.threat, own=turn().lines[0], then=state())
    panel = shown(DecisionPanel(History()), replace(seen, threat=own))
    told = panel.details.text().split("\n")
    assert told[0].startswith("Expected of Thorn Beast: 1.\u00a0Bite") and told[1].startswith(
        "You: 45 damage"
    )
    assert told[2].startswith("Then you: 1–2.\u00a0Spark")


def test_in_french(shown):
    translation.use("fr")
    panel = shown(ThreatPanel(History()), threatened(kills=(), damage=0.0))
    assert panel.harm.text() == "Rien pour votre camp" and panel.harm.property("role") == "good"


def test_in_an_enemy_s_turn_it_is_itself_and_the_person_is_you(shown):
    seen = threatened()
    enemy = seen.state.fighter(seen.threat.fighter)
    hit = seen.threat.line.steps[0]
    guard = replace(hit, action=replace(hit.action, target=enemy.cell), spell="Bark", expected=())
    both = replace(seen.threat, line=replace(seen.threat.line, steps=(guard, hit)))
    panel = shown(ThreatPanel(History()), replace(seen, threat=both))
    assert panel.reply.text() == "1.\u00a0Bark → itself   2.\u00a0Bite → you"
    translation.use("fr")
    panel = shown(ThreatPanel(History()), replace(seen, threat=both))
    assert panel.reply.text() == "1.\u00a0Bark → lui-même   2.\u00a0Bite → vous"
