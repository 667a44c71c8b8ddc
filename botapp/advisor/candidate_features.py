"""What a candidate action's token says: what it is, what it changes, and what may come of it.

Next hop: `botapp.advisor.tokens`.
"""

from operator import itemgetter

from botapp.advisor.changes import CHANGES, changes
from botapp.advisor.features import CANDIDATE, PURPOSES, TERMS
from botapp.advisor.token_context import SHARE, WALK, TokenContext, glyphs
from botapp.fight.actions import Cast, Move
from botapp.fight.board import distance
from botapp.fight.core.acts import spell_use
from botapp.fight.core.layout import (
    USE_CALLS,
    USE_HELPS,
    USE_HURTS,
    USE_ITSELF,
    USE_JUMPS,
    USE_MOVES,
    USE_TRAPS,
    USE_WIDE,
)
from botapp.fight.rules import winner
from botapp.fight.sheet import max_range
from botapp.fight.state import Fighter, Spell
from botapp.search.candidates import Candidate
from botapp.search.tree import SearchNode

_COLUMNS = itemgetter(*CANDIDATE)
_NOTHING = dict.fromkeys(CANDIDATE, 0.0)
_AT_THE_END = tuple(f"end_{change}" for change in CHANGES)
_DEEPEST = 12
_PURPOSES = (USE_HURTS, USE_HELPS, USE_ITSELF, USE_JUMPS, USE_CALLS, USE_TRAPS, USE_MOVES, USE_WIDE)


def options(facts: TokenContext) -> list[tuple[float, ...]]:
    """Returns the `CANDIDATE` columns of every action to weigh."""
    ranks, backed_up_ranks = _ranks(facts.values), _ranks(facts.backed_up)
    best = max(facts.backed_up)
    heuristic_value = max(option.node.heuristic_value for option in facts.options)
    rows = []
    for index, option in enumerate(facts.options):
        node, end = option.node, facts.end(option)
        now = changes(facts, node)
        then = now if end is node else changes(facts, end)
        values = {
            **_NOTHING,
            **_kind(facts, option),
            **_outlook(facts, option, end, facts.values[index], ranks[index], heuristic_value),
            **_rollouts(facts, option, facts.backed_up[index], best, backed_up_ranks[index]),
            **_place(facts, node, end),
            **now,
            **dict(zip(_AT_THE_END, then.values(), strict=True)),
        }
        rows.append(_COLUMNS(values))
    return rows


def _ranks(values: list[float]) -> list[int]:
    """Returns the place of each value among all, 0 for the highest."""
    ranks = [0] * len(values)
    for rank, index in enumerate(sorted(range(len(values)), key=lambda i: -values[i])):
        ranks[index] = rank
    return ranks


def _kind(facts: TokenContext, option: Candidate) -> dict[str, float]:
    """Returns what the action is and costs, and what the spell is for."""
    actor, action, spell = facts.actor, option.action, option.spell
    after = option.node.state.fighter(actor.id)
    values = {
        "move": float(isinstance(action, Move)),
        "cast": float(spell is not None),
        "end": float(option.node is facts.search.root),
        "ap_spent": (actor.ap - after.ap) / 6,
        "mp_spent": (actor.mp - after.mp) / 6,
        "ap_left": after.ap / 10,
        "mp_left": after.mp / 6,
    }
    if isinstance(action, Move):
        values["steps"] = len(action.path) / 6
    if spell is not None and isinstance(action, Cast):
        values |= _spell(actor, spell) | _aim(facts, action.target)
    return values


def _spell(actor: Fighter, spell: Spell) -> dict[str, float]:
    use = spell_use(spell)
    purposes = {name: float(bool(use & bit)) for name, bit in zip(PURPOSES, _PURPOSES, strict=True)}
    return purposes | {
        "range": max_range(actor, spell) / 10,
        "range_low": spell.min_range / 5,
        "cooldown": spell.cooldown / 5,
        "limited": float(bool(spell.casts_per_turn or spell.casts_per_target)),
        "crit": spell.crit / 50,
    }


def _aim(facts: TokenContext, cell: int) -> dict[str, float]:
    """Returns who stands where the action is aimed."""
    actor = facts.actor
    values = {"aim_distance": distance(actor.cell, cell) / 10}
    fighter = next((f for f in facts.state.fighters if f.cell == cell and f.hp > 0), None)
    if fighter is None:
        return values
    enemy = fighter.team != actor.team
    threat = facts.strikes[fighter.id] / max(1, actor.hp) if enemy else 0.0
    return values | {
        "at_enemy": float(enemy),
        "at_ally": float(not enemy and fighter.id != actor.id),
        "at_self": float(fighter.id == actor.id),
        "at_summon": float(fighter.summoner is not None),
        "aim_hp": fighter.hp / max(1, fighter.max_hp),
        "aim_size": fighter.hp / facts.hp,
        "aim_threat": threat,
    }


def _outlook(
    facts: TokenContext, option: Candidate, end: SearchNode, value: float, rank: int, heuristic_value: float
) -> dict[str, float]:
    """Returns the evaluation right after the action, and at the end of the best turn behind it."""
    node, share = option.node, facts.search.share
    now, then = node.terms, end.terms
    won = winner(end.state)
    depth = 0
    while node is not facts.search.root and node.pv_step is not None and depth < _DEEPEST:
        depth, node = depth + 1, node.pv_step[1]
    values = {
        "gain": (value - facts.here) / facts.hit,
        "gap": (facts.best - value) / facts.hit,
        "share_gap": (share(facts.best) - share(value)) / SHARE,
        "rank": 1 / (1 + rank),
        "best": float(value >= facts.best),
        "heuristic_gain": (option.node.heuristic_value - facts.search.root.heuristic_value) / facts.hit,
        "heuristic_gap": (heuristic_value - option.node.heuristic_value) / facts.hit,
        "potential": option.node.potential / facts.hit,
        "greedy": float(facts.greedy(option)),
        "first": float(facts.search.root.pv_step is not None and facts.search.root.pv_step[1] is option.node),
        "depth": depth / 4,
        "opened": option.node.tried / 10 if option.node is not facts.search.root else 0.0,
        "won": float(won == facts.actor.team),
        "lost": float(won is not None and won != facts.actor.team),
    }
    for index, part in enumerate(TERMS):
        values[part] = (now[index] - facts.terms[index]) / facts.hit
        values[f"end_{part}"] = (then[index] - facts.terms[index]) / facts.hit
    return values


def _rollouts(
    facts: TokenContext, option: Candidate, backed_up: float, best: float, rank: int
) -> dict[str, float]:
    """Returns how rollouts changed an action's value."""
    end = facts.end(option)
    value, times = facts.rollouts_from(option)
    share = facts.search.share
    return {
        "backed_up_gap": (best - backed_up) / facts.hit,
        "backed_up_share_gap": (share(best) - share(backed_up)) / SHARE,
        "backed_up_rank": 1 / (1 + rank),
        "visits": times / 6,
        "rollout_gain": (value - end.heuristic_value) / facts.hit,
    }


def _place(facts: TokenContext, node: SearchNode, end: SearchNode) -> dict[str, float]:
    """Returns where the actor stands afterwards and at the end of the turn, and what may come to it there."""
    near, lethal = facts.nearest(node.state), facts.lethal(node)
    same = end is node
    actor = node.state.fighter(facts.actor.id)
    return {
        "near": near / WALK,
        "near_gain": (near - facts.near) / 6,
        "end_near": (near if same else facts.nearest(end.state)) / WALK,
        "adjacent": float(near == 1),
        "lethal": lethal,
        "end_lethal": lethal if same else facts.lethal(end),
        **glyphs(node.state, actor.cell, actor.team),
    }
