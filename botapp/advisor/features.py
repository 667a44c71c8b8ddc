"""What a state's tokens say: all their columns, and the features of the registers and the fighters.

All are relations to the actor, worked out by the rules and by the search; no id, cell, class or
spell name is among them, so that unseen ones work and a mirrored board gives the same tokens. Columns are
named once, in `GLOBAL`, `FIGHTER` and `CANDIDATE`; weights are bound to their order. Next hop:
`botapp.advisor.candidate_features` fills in those of the candidates, `botapp.advisor.tokens` pads all to
arrays.
"""

from collections.abc import Iterable

from botapp.advisor.changes import CHANGES
from botapp.advisor.token_context import MARKS, SHARE, WALK, TokenContext, glyphs
from botapp.fight.board import distance
from botapp.fight.sheet import full_ap, full_mp, max_range
from botapp.fight.spells import State
from botapp.fight.state import Fighter, FightState
from botapp.search.core.lives import life_of

_STATES = tuple(f"is_{state.value}" for state in State)
GLOBAL = (
    "hp", "hp_size", "shield", "ap", "mp", "turn", "enemies", "allies", "own_summons", "enemy_summons",
    "enemy_hp", "team_hp", "share", "best_share", "best_gain", "greedy_gap", "end_gap", "threat", "lethal",
    "outlook", "potential", "options", "casts_open", "own_marks", "enemy_marks", "nearest", "casts_done",
    "spells_ready", "rollouts", "buff_value", "kill", "assumed", "turns_to_win", "turns_to_lose", *_STATES,
    *MARKS,
)  # fmt: skip
FIGHTER = (
    "self", "ally", "enemy", "summon", "hp", "hp_size", "shield", "level", "ap", "mp", "ap_lost", "mp_lost",
    "distance", "adjacent", "next", "order", "power", "value", "strike", "strike_lethal", "struck", "fallen",
    "longest", "ready", "cooling", "lock", "flee", "resistance", "eroded", "buff_value", "assumed_stats",
    "assumed_hp", "assumed_kind", *_STATES, *MARKS,
)  # fmt: skip
PURPOSES = ("hurts", "helps", "itself", "jumps", "calls", "traps", "moves", "wide")
_AIMED = ("at_enemy", "at_ally", "at_self", "at_summon", "aim_hp", "aim_size", "aim_threat", "aim_distance")
TERMS = ("static", "threat", "outlook")
CANDIDATE = (
    "move", "cast", "end", "ap_spent", "mp_spent", "ap_left", "mp_left", "steps",
    "range", "range_low", "cooldown", "limited", "crit", *PURPOSES, *_AIMED,
    "gain", "gap", "share_gap", "rank", "best", "heuristic_gain", "heuristic_gap", "potential", "greedy",
    "first", "depth", "opened", "backed_up_gap", "backed_up_share_gap", "backed_up_rank", "visits",
    "rollout_gain",
    *TERMS, *(f"end_{part}" for part in TERMS), "won", "lost", *CHANGES,
    *(f"end_{change}" for change in CHANGES), "near", "near_gain", "end_near", "adjacent", "lethal",
    "end_lethal", *MARKS,
)  # fmt: skip

_FORMER = {
    "answer": "rollout_gain",
    "answered": "visits",
    "answers": "rollouts",
    "balance": "static",
    "end_balance": "end_static",
    "end_hope": "end_outlook",
    "end_reply": "end_threat",
    "hope": "outlook",
    "leaf_gain": "heuristic_gain",
    "leaf_gap": "heuristic_gap",
    "promise": "potential",
    "reply": "threat",
    "settled_gap": "backed_up_gap",
    "settled_rank": "backed_up_rank",
    "settled_share_gap": "backed_up_share_gap",
    "worth": "value",
}
"""Columns that weights and data of versions before 0.2 call otherwise."""


def current_names(names: Iterable[str]) -> tuple[str, ...]:
    """Returns columns by their present names; stored weights and data may have former ones."""
    return tuple(_FORMER.get(name, name.replace("blessing", "buff_value")) for name in names)


def context(facts: TokenContext) -> list[float]:
    """Returns the `GLOBAL` columns."""
    state, actor, share = facts.state, facts.actor, facts.search.share
    _, threat, outlook = facts.terms
    hp = float(actor.hp)
    enemy_hp = sum(e.hp + e.shield for e in facts.enemies)
    team_hp = hp + actor.shield + sum(a.hp + a.shield for a in facts.allies)
    strike = sum(facts.strikes[e.id] for e in facts.enemies)
    power = facts.powers[actor.id]
    greedy = next(
        (v for v, o in zip(facts.values, facts.options, strict=True) if facts.greedy(o)), facts.here
    )
    own = {fighter.id for fighter in state.fighters if fighter.team == actor.team}
    own_marks = sum(mark.owner in own for mark in state.marks)
    closed = {key for key, turns in actor.cooldowns if turns > 0}
    values = {
        "hp": hp / max(1, actor.max_hp),
        "hp_size": hp / facts.hp,
        "shield": actor.shield / facts.hit,
        "ap": actor.ap / 10,
        "mp": actor.mp / 6,
        "turn": min(state.turn, 40) / 20,
        "enemies": sum(e.summoner is None for e in facts.enemies) / 4,
        "allies": sum(a.summoner is None for a in facts.allies) / 4,
        "own_summons": sum(a.summoner is not None for a in facts.allies) / 3,
        "enemy_summons": sum(e.summoner is not None for e in facts.enemies) / 3,
        "enemy_hp": enemy_hp / (2 * facts.hp),
        "team_hp": team_hp / (team_hp + enemy_hp),
        "share": share(facts.here),
        "best_share": share(facts.best),
        "best_gain": (facts.best - facts.here) / facts.hit,
        "greedy_gap": (facts.best - greedy) / facts.hit,
        "end_gap": (share(facts.best) - share(facts.here)) / SHARE,
        "threat": threat / hp,
        "lethal": float(strike >= hp + actor.shield),
        "outlook": outlook / facts.hit,
        "potential": facts.search.potential(facts.search.root) / facts.hit,
        "options": len(facts.options) / 20,
        "casts_open": sum(o.spell is not None for o in facts.options) / 10,
        "own_marks": own_marks / 3,
        "enemy_marks": (len(state.marks) - own_marks) / 3,
        "nearest": facts.near / WALK,
        "casts_done": len(actor.casts) / 4,
        "spells_ready": sum(s.ap <= actor.ap and s.key not in closed for s in actor.spells) / 6,
        "rollouts": sum(facts.rollouts_from(option)[1] > 0 for option in facts.options) / 10,
        "buff_value": facts.buff_values(facts.search.root)[actor.id] / facts.hit,
        "kill": float(any(facts.lowest.get(e.id, 1) <= 0 for e in facts.enemies)),
        "assumed": sum(bool(e.assumed) for e in facts.enemies) / len(facts.enemies),
        "turns_to_win": min(10.0, enemy_hp / max(1.0, power)) / 5,
        "turns_to_lose": min(10.0, hp / max(1.0, strike)) / 5,
        **_conditions(state, actor, actor.team),
    }
    return [float(values[name]) for name in GLOBAL]


def fighters(facts: TokenContext) -> list[list[float]]:
    """Returns the `FIGHTER` columns: the actor, then its enemies, then its allies."""
    return [_fighter(facts, fighter) for fighter in (facts.actor, *facts.enemies, *facts.allies)]


def _fighter(facts: TokenContext, fighter: Fighter) -> list[float]:
    actor, state = facts.actor, facts.state
    order = [i for i in state.order if state.fighter(i).hp > 0]
    turns = (order.index(fighter.id) - order.index(actor.id)) % len(order) if fighter.id in order else 0
    cooling = sum(left > 0 for _, left in fighter.cooldowns)
    enemy = fighter.team != actor.team
    strike = facts.strikes[fighter.id] if enemy else 0.0
    left = max(0, facts.lowest.get(fighter.id, fighter.hp))
    apart = distance(actor.cell, fighter.cell)
    values = {
        "self": float(fighter.id == actor.id),
        "ally": float(not enemy and fighter.id != actor.id),
        "enemy": float(enemy),
        "summon": float(fighter.summoner is not None),
        "hp": fighter.hp / max(1, fighter.max_hp),
        "hp_size": fighter.hp / facts.hp,
        "shield": fighter.shield / facts.hit,
        "level": fighter.level / max(1, actor.level) - 1,
        "ap": fighter.ap / 10,
        "mp": fighter.mp / 6,
        "ap_lost": max(0, full_ap(fighter) - fighter.ap) / 3 if enemy else 0.0,
        "mp_lost": max(0, full_mp(fighter) - fighter.mp) / 3 if enemy else 0.0,
        "distance": apart / WALK,
        "adjacent": float(apart == 1),
        "next": float(turns == 1),
        "order": turns / max(1, len(order)),
        "power": facts.powers[fighter.id] / facts.hit,
        "value": life_of(fighter) / facts.hp,
        "strike": strike / max(1, actor.hp),
        "strike_lethal": float(strike >= actor.hp + actor.shield),
        "struck": (fighter.hp - left) / max(1, fighter.hp),
        "fallen": float(left <= 0),
        "longest": max((max_range(fighter, s) for s in fighter.spells), default=0) / 10,
        "ready": (len(fighter.spells) - cooling) / 6,
        "cooling": cooling / 6,
        "lock": fighter.stats.lock / 20,
        "flee": fighter.stats.flee / 20,
        "resistance": sum(fighter.stats.resistance) / 250,
        "eroded": fighter.eroded / max(1, (fighter.max_hp + fighter.eroded)),
        "buff_value": facts.buff_values(facts.search.root)[fighter.id] / facts.hit,
        "assumed_stats": float(bool(fighter.assumed & {"stats", "spells"})),
        "assumed_hp": float(bool(fighter.assumed & {"hp", "max_hp"})),
        "assumed_kind": float("kind" in fighter.assumed),
        **_conditions(state, fighter, actor.team),
    }
    return [float(values[name]) for name in FIGHTER]


def _conditions(state: FightState, fighter: Fighter, team: int) -> dict[str, float]:
    """Returns the states a fighter is in and on whose glyphs it stands."""
    found = dict.fromkeys((*_STATES, *MARKS), 0.0)
    for given in fighter.states:
        if isinstance(given, State):
            found[f"is_{given.value}"] = 1.0
    return found | glyphs(state, fighter.cell, team)
