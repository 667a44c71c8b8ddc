"""What the tokens of one state have in common: fighters, the search, the units of HP and distances.

Next hop: `botapp.advisor.features` and `botapp.advisor.candidate_features` say it in columns.
"""

from botapp.fight.actions import Cast, Move
from botapp.fight.board import distance
from botapp.fight.state import FightState, MarkKind
from botapp.search.candidates import Candidate
from botapp.search.core.requests import BUFF_VALUES, POWERS, STRIKES
from botapp.search.result import SearchResult
from botapp.search.tree import SearchNode

MARKS = ("in_own_glyph", "in_enemy_glyph")
WALK = 20.0
"""What distances are counted in, in cells."""

SHARE = 0.1
"""What differences of the share of winning are counted in."""

_HIT = 0.4
"""Which share of a fighter's HP amounts of HP are counted in: a good hit."""


class TokenContext:
    """What the tokens of one state have in common.

    Args:
        found: the finished search of the turn.

    Attributes:
        options: the first actions to choose from, the end of the turn last.
        values: their values in HP before any rollout.
        hp: what HP are counted in, the mean full HP of who fights, so that a fight at a high level looks like
            one at a low level.
        hit: what amounts of HP are counted in.
        best, here: of `values` the highest one, and that of ending the turn, the last option.
        backed_up: the values in HP, rollouts included.
        near: how far the actor is from its nearest enemy, in cells.
        strikes, powers: the damage of everybody's best turn at the actor, at somebody without resistances,
            in HP, by their ids.
    """

    def __init__(self, found: SearchResult) -> None:
        self.found, self.options, self.values = found, found.candidates, list(found.evaluations)
        search = self.search = found.tree
        self.state = search.root.state
        self.actor = self.state.actor
        alive = [fighter for fighter in self.state.fighters if fighter.hp > 0]
        self.enemies = [fighter for fighter in alive if fighter.team != self.actor.team]
        self.allies = [f for f in alive if f.team == self.actor.team and f.id != self.actor.id]
        self.strikes = search.about(STRIKES, search.root, self.actor.id)
        self.powers = search.about(POWERS, search.root)
        self.best = max(self.values)
        self.here = self.values[-1]
        self.backed_up = [found.value(option) for option in self.options]
        self.terms = search.root.terms
        lowest: dict[int, int] = {}
        for option in self.options:
            for node in (option.node, option.node.pv_end):
                for fighter in node.state.fighters:
                    lowest[fighter.id] = min(lowest.get(fighter.id, fighter.hp), fighter.hp)
        self.lowest = lowest
        full = [f.max_hp + f.eroded for f in self.state.fighters if f.summoner is None]
        self.hp = sum(full) / max(1, len(full))
        self.hit = _HIT * self.hp
        self.near = self.nearest(self.state)
        self._buff_values: dict[int, dict[int, float]] = {}

    def end(self, option: Candidate) -> SearchNode:
        """Returns where the best turn that begins with an action ends."""
        return self.found.end(option)

    def rollouts_from(self, option: Candidate) -> tuple[float, int]:
        """Returns the value by rollouts of the end of an action's best turn, in HP, and their number."""
        return self.end(option).rollouts

    def nearest(self, state: FightState) -> int:
        """Returns how far the actor is from its nearest living enemy, in cells; 0 without any."""
        actor = state.fighter(self.actor.id)
        foes = (f for f in state.fighters if f.hp > 0 and f.team != self.actor.team)
        return min((distance(actor.cell, foe.cell) for foe in foes), default=0)

    def greedy(self, option: Candidate) -> bool:
        """Tells whether the greedy player would take an action."""
        default_action = self.search.default_action
        if default_action is None or not isinstance(default_action, (Cast, Move)):
            return option.node is self.search.root
        return option.action == default_action

    def lethal(self, node: SearchNode) -> float:
        """Tells whether the enemies' next turns could kill the actor where it stands."""
        state = node.state
        actor = state.fighter(self.actor.id)
        if actor.hp <= 0:
            return 1.0
        strikes = self.search.about(STRIKES, node, actor.id)
        danger = sum(strikes[f.id] for f in state.fighters if f.hp > 0 and f.team != actor.team)
        return float(danger >= actor.hp + actor.shield)

    def buff_values(self, node: SearchNode) -> dict[int, float]:
        """Returns what each fighter's buffs are worth to its side in a node, in HP, by its id."""
        found = self._buff_values.get(node.index)
        if found is None:
            found = self._buff_values[node.index] = self.search.about(BUFF_VALUES, node)
        return found


def glyphs(state: FightState, cell: int, team: int) -> dict[str, float]:
    """Returns on whose glyphs a cell lies, seen from a team."""
    found = dict.fromkeys(MARKS, 0.0)
    for mark in state.marks:
        if mark.kind is MarkKind.GLYPH and cell in mark.cells:
            own = any(f.id == mark.owner and f.team == team for f in state.fighters)
            found["in_own_glyph" if own else "in_enemy_glyph"] = 1.0
    return found
