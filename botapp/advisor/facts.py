"""What a deliberation reads once: the state, its fighters and the candidates before any rollout.

The columns are relations to the actor, worked out by the rules and by the search; no id, cell, class or
spell name is among them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from botapp.fight.actions import Cast, Move
from botapp.fight.board import distance
from botapp.fight.core.acts import spell_use
from botapp.fight.sheet import max_range
from botapp.fight.state import Fighter
from botapp.search.candidates import Candidate
from botapp.search.core.static import STEEPNESS
from botapp.search.room import IntArray
from botapp.search.tree import TurnSearch

Array = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.float64]

MOST_FIGHTERS = 16

_PURPOSES = ("hurts", "harms", "helps", "itself", "jumps", "calls", "traps", "moves", "wide")
TERMS = ("static", "threat", "outlook")

CONTEXT = (
    "hp", "hp_size", "shield", "ap", "mp", "turn", "enemies", "allies", "summons", "enemy_summons", "team_hp",
    "chance", "end_chance", "best_gain", "second_gap", *TERMS, "candidates", "left_out", "casts", "nodes",
    "marks", "nearest", "slice", "strike", "power",
)  # fmt: skip
FIGHTER = (
    "self", "ally", "enemy", "summon", "hp", "hp_size", "shield", "level", "ap", "mp", "distance", "adjacent",
    "next", "order", "power", "strike", "lethal", "longest", "cooling", "lock", "flee", "resistance",
    "eroded", "buffs", "assumed",
)  # fmt: skip
CANDIDATE = (
    "move", "cast", "end", "ap_spent", "mp_spent", "steps", "range", "cooldown", "limited", "crit",
    *_PURPOSES, "at_enemy", "at_ally", "at_self", "at_summon", "aim_hp", "aim_size", "aim_strike",
    "aim_distance", "gain", "gap", "chance_gap", "rank", "potential", "greedy", *TERMS,
)  # fmt: skip
CHANCE = 0.1  # What differences of the chance of winning are counted in
WALK = 20.0  # What distances in cells are counted in
_HIT = 0.4
_LARGEST = 6.0


@dataclass(frozen=True, slots=True)
class Facts:
    """What does not change while a decision is thought about, without a batch axis."""

    context: Array  # float32, (len(CONTEXT),)
    fighters: Array  # float32, (F, len(FIGHTER)), the actor first
    candidates: Array  # float32, (C, len(CANDIDATE)), ending the turn last


class FactReader:
    """Reads what does not change off a search whose turn is expanded and that has no rollouts yet.

    Attributes:
        prior: the candidates' values in HP before any rollout, (C,).
        hit: what differences of values are counted in, in HP.
        turns: how many turns from now each living fighter plays, by id.
    """

    def __init__(self, tree: TurnSearch, options: Sequence[Candidate]) -> None:
        self._tree, self._options = tree, options
        self.prior = tree.standings().value
        state = tree.root.state
        self._actor = state.actor
        full = [f.max_hp + f.eroded for f in state.fighters if f.summoner is None]
        self._hp = sum(full) / max(1, len(full))
        self.hit = _HIT * self._hp
        order = [number for number in state.order if state.fighter(number).hp > 0]
        place = order.index(self._actor.id) if self._actor.id in order else 0
        self.turns = {number: (n - place) % len(order) for n, number in enumerate(order)}
        self._strikes = tree.strikes(tree.root, self._actor.id)
        self._powers = tree.powers(tree.root)

    def read(self, left_out: int, slice_actions: float) -> Facts:
        """Reads the state, its fighters and the candidates.

        Args:
            left_out: how many candidates have no token.
            slice_actions: actions of the others in a slice, about.
        """
        context = self._context(left_out, slice_actions)
        return Facts(tame(context), tame(self._fighters()), tame(self._candidates()))

    def _context(self, left_out: int, slice_actions: float) -> Numbers:
        state, actor = self._tree.root.state, self._actor
        alive = [f for f in state.fighters if f.hp > 0]
        enemies = [f for f in alive if f.team != actor.team]
        own = [f for f in alive if f.team == actor.team]
        enemy_hp, team_hp = (sum(f.hp + f.shield for f in side) for side in (enemies, own))
        values = np.sort(self.prior)[::-1]
        near = min((distance(actor.cell, f.cell) for f in enemies), default=0)
        second = values[1] if len(values) > 1 else values[0]
        return np.array(
            [
                actor.hp / max(1, actor.max_hp),
                actor.hp / self._hp,
                actor.shield / self.hit,
                actor.ap / 10,
                actor.mp / 6,
                min(state.turn, 40) / 20,
                sum(f.summoner is None for f in enemies) / 4,
                sum(f.summoner is None for f in own) / 4,
                sum(f.summoner is not None for f in own) / 3,
                sum(f.summoner is not None for f in enemies) / 3,
                team_hp / max(1, team_hp + enemy_hp),
                self._tree.share(float(values[0])),
                self._tree.share(float(self.prior[-1])),
                (values[0] - self.prior[-1]) / self.hit,
                (values[0] - second) / self.hit,
                *(term / self.hit for term in self._tree.root.terms),
                len(self._options) / 20,
                left_out / 20,
                sum(option.spell is not None for option in self._options) / 10,
                np.log1p(self._tree.nodes) / 8,
                len(state.marks) / 3,
                near / WALK,
                np.log1p(max(0.0, slice_actions)) / 8,
                sum(self._strikes[f.id] for f in enemies) / max(1, actor.hp),
                self._powers[actor.id] / self.hit,
            ]
        )

    def _fighters(self) -> Numbers:
        actor, state = self._actor, self._tree.root.state
        alive = [f for f in state.fighters if f.hp > 0 and f.id != actor.id]
        alive.sort(key=lambda f: (f.summoner is not None, f.team == actor.team, self.turns.get(f.id, 99)))
        return np.array([self._fighter(fighter) for fighter in [actor, *alive][:MOST_FIGHTERS]])

    def _fighter(self, fighter: Fighter) -> list[float]:
        actor = self._actor
        enemy = fighter.team != actor.team
        strike = self._strikes[fighter.id] if enemy else 0.0
        apart = distance(actor.cell, fighter.cell)
        turns = self.turns.get(fighter.id, 0)
        return [
            float(fighter.id == actor.id),
            float(not enemy and fighter.id != actor.id),
            float(enemy),
            float(fighter.summoner is not None),
            fighter.hp / max(1, fighter.max_hp),
            fighter.hp / self._hp,
            fighter.shield / self.hit,
            fighter.level / max(1, actor.level) - 1,
            fighter.ap / 10,
            fighter.mp / 6,
            apart / WALK,
            float(apart == 1),
            float(turns == 1),
            turns / max(1, len(self.turns)),
            self._powers[fighter.id] / self.hit,
            strike / max(1, actor.hp),
            float(strike >= actor.hp + actor.shield),
            max((max_range(fighter, spell) for spell in fighter.spells), default=0) / 10,
            sum(left > 0 for _, left in fighter.cooldowns) / 6,
            fighter.stats.lock / 20,
            fighter.stats.flee / 20,
            sum(fighter.stats.resistance) / 250,
            fighter.eroded / max(1, fighter.max_hp + fighter.eroded),
            len(fighter.buffs) / 5,
            float(bool(fighter.assumed)),
        ]

    def _candidates(self) -> Numbers:
        tree, actor, prior = self._tree, self._actor, self.prior
        nodes = np.array([option.node.index for option in self._options])
        rows = np.zeros((len(nodes), len(CANDIDATE)))
        kinds = CANDIDATE.index("gain")
        rows[:, :kinds] = [self._kind(option) for option in self._options]
        place = next(n for n, f in enumerate(tree.root.state.fighters) if f.id == actor.id)
        left = tree.fighters(nodes, place + 1, ("ap", "mp"))[:, -1]
        rows[:, 3:5] = ((actor.ap, actor.mp) - left) / 6
        chance = chances(tree, prior)
        rows[:, kinds] = (prior - prior[-1]) / self.hit
        rows[:, kinds + 1] = (prior.max() - prior) / self.hit
        rows[:, kinds + 2] = (chance.max() - chance) / CHANCE
        rows[:, kinds + 3] = 1 / (1 + ranks(prior))
        rows[:, kinds + 4] = tree.potentials(nodes) / self.hit
        greedy = tree.default_action
        rows[:, kinds + 5] = [
            option.action == greedy if greedy is not None else option.node is tree.root
            for option in self._options
        ]
        rows[:, kinds + 6 :] = changed_terms(tree, nodes) / self.hit
        return rows

    def _kind(self, option: Candidate) -> list[float]:
        """Returns what an action is, and what it is aimed at: the columns before `gain`.

        Those for the AP and MP spent are left 0.
        """
        action, spell, own = option.action, option.spell, self._actor
        steps = len(action.path) / 6 if isinstance(action, Move) else 0
        facts = [isinstance(action, Move), spell is not None, option.node.index == 0, 0, 0, steps]
        if spell is None or not isinstance(action, Cast):
            return facts + [0] * (CANDIDATE.index("gain") - len(facts))
        use = spell_use(spell)
        limited = bool(spell.casts_per_turn or spell.casts_per_target)
        facts += [max_range(own, spell) / 10, spell.cooldown / 5, limited, spell.crit / 50]
        facts += [use >> bit & 1 for bit in range(len(_PURPOSES))]
        state = self._tree.root.state
        at = next((f for f in state.fighters if f.cell == action.target and f.hp > 0), None)
        if at is None:
            facts += [0] * 7
        else:
            enemy, strike = at.team != own.team, self._strikes[at.id] / max(1, own.hp)
            facts += [enemy, not enemy and at.id != own.id, at.id == own.id, at.summoner is not None]
            facts += [at.hp / max(1, at.max_hp), at.hp / self._hp, strike if enemy else 0]
        return [*facts, distance(own.cell, action.target) / 10]


def chances(tree: TurnSearch, values: Numbers) -> Numbers:
    """Returns the chances of winning, 0..1, that values in HP stand for."""
    won: Numbers = 1 / (1 + np.exp(-np.clip(STEEPNESS * values / tree.lead_unit, -30, 30)))
    return won


def changed_terms(tree: TurnSearch, nodes: IntArray) -> Numbers:
    """Returns by how much the evaluation's terms change from the root to some nodes, in HP, (nodes, 3)."""
    changes: Numbers = tree.terms(nodes) - np.array(tree.root.terms)
    return changes


def ranks(values: Numbers) -> Numbers:
    """Returns the place of each value, 0 for the highest; equals keep their order."""
    places = np.empty(len(values))
    places[np.argsort(-values, kind="stable")] = np.arange(len(values))
    return places


def tame(values: Numbers) -> Array:
    """Keeps features within what the model was made for, whatever the fight."""
    tamed: Array = np.clip(values, -_LARGEST, _LARGEST).astype(np.float32)
    tamed[np.isnan(tamed)] = 0
    return tamed
