"""Fights from seeds to evaluate, and the recorder that wrote down what the evaluation said of them.

`PYTHONPATH=tests:tests/search/core python tests/search/core/evaluation_cases.py` writes `evaluation.json`
beside this file.
"""

import json
import random
from pathlib import Path

from desk import Desk
from wild import wild_fight

from botapp.arena import scenarios
from botapp.fight.actions import Cast
from botapp.fight.ranges import reachable
from botapp.fight.rules import apply, legal_actions, winner
from botapp.fight.spells import EffectKind
from botapp.search.core import requests as ask_for
from botapp.search.core.heuristic import OUTLOOK, THREAT
from botapp.search.tree import TurnSearch

RECORDED = Path(__file__).with_name("evaluation.json")
WILD, ARENA = 40, 24


def case(number):
    """A decision and a state that follows from it: of a wild fight, or of one between the arena's classes."""
    if number < WILD:
        states = played(wild_fight(number), number, 30)
        begun = next((n for n, state in enumerate(states) if n > number % 20 and strikes(state)), 0)
    else:
        states = played(scenarios.team(number, 1 + number % 4), number, 70)
        begun = number * 5 % 60
    begun = min(begun, len(states) - 1)
    return states[begun], states[min(begun + number % 4, len(states) - 1)]


def strikes(state):
    """Tells whether the actor may cast something that takes HP at an enemy."""
    hurting = {s.key for s in state.actor.spells if any(e.kind is EffectKind.DAMAGE for e in s.effects)}
    foes = {f.cell for f in state.fighters if f.hp > 0 and f.team != state.actor.team}
    casts = [action for action in legal_actions(state) if isinstance(action, Cast)]
    return any(cast.spell in hurting and cast.target in foes for cast in casts)


def played(state, seed, actions):
    """A fight's states before and after random actions, casts preferred so that things happen."""
    dice, states = random.Random(seed), [state]
    while len(states) <= actions and winner(states[-1]) is None:
        legal = legal_actions(states[-1])
        casts = [action for action in legal if isinstance(action, Cast)]
        action = dice.choice(casts if casts and dice.random() < 0.6 else legal)
        states.append(apply(states[-1], action, dice))
    return states if winner(states[-1]) is None or len(states) < 3 else states[:-1]


def evaluated(first, state, desk=None):
    """All that the evaluation says of a state, by names; the desk may have evaluated others before."""
    desk = Desk(first) if desk is None else desk
    desk.prepare(first)
    desk.load(state)
    count = len(state.fighters)
    found = {
        "score": desk.score(),
        "share": TurnSearch(first, 0).share(desk.score()),
        "terms": desk.terms(),
        "powers": desk.answers(ask_for.POWERS, count),
        "buffs": desk.answers(ask_for.BUFF_VALUES, count),
    }
    if winner(state) is None:
        own, foes = sides(first.actor.team, state)
        strikes = {one: desk.answers(ask_for.STRIKES, count, one) for one in own}
        found["potential"] = desk.answers(ask_for.POTENTIAL_OF, 1)[0]
        found["threat"] = desk.threat(sum(1 << foe for foe in foes[::2]))
        found["strikes"] = [strikes[one][foe] for foe in foes for one in own]
        if state.actor.team == first.actor.team:
            number = state.fighters.index(state.actor)
            found["outlook"] = desk.answers(ask_for.OUTLOOK_OF, 1, number)[0]
            found["values"] = [value_at(desk, state, cell) for cell in walked_to(state)]
    return found


def value_at(desk, state, cell):
    """How good it is to end the turn with the actor on another cell."""
    moved = state.actor.changed(cell=cell)
    desk.load(state.changed(fighters=tuple(moved if f is state.actor else f for f in state.fighters)))
    score, threat, outlook = desk.terms()
    return score - THREAT * threat + OUTLOOK * outlook


def sides(team, state):
    """The numbers of the living fighters of a team, and of the others."""
    living = [(n, fighter.team) for n, fighter in enumerate(state.fighters) if fighter.hp > 0]
    return [n for n, of in living if of == team], [n for n, of in living if of != team]


def walked_to(state):
    """Some cells that the actor may walk to, and its own."""
    return [*list(reachable(state, state.actor))[::9], state.actor.cell]


def rounded(value):
    """A number, or all numbers of a list, to 9 digits behind the point."""
    return [round(float(v), 9) for v in value] if isinstance(value, list) else round(float(value), 9)


if __name__ == "__main__":
    recorded = [
        {name: rounded(value) for name, value in evaluated(*case(number)).items()}
        for number in range(WILD + ARENA)
    ]
    RECORDED.write_text(json.dumps(recorded, separators=(",", ":")).replace("},{", "},\n{") + "\n")
