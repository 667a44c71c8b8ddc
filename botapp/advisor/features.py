"""What a state's tokens say: the features of the registers, the fighters and the candidate actions.

All are relations to the actor, worked out by the rules and by a glance at the turn; no id, cell, class or
spell name is among them, so that unseen ones work and a mirrored board gives the same tokens. Columns are
named once, in `GLOBAL`, `FIGHTER` and `CANDIDATE`; weights are bound to their order. Next hop:
`botapp.advisor.encoding` pads them to arrays.
"""

from botapp.advisor.candidates import Candidate
from botapp.advisor.changes import CHANGES, changes
from botapp.arena.forecast import Forecast
from botapp.arena.tactics import sides, use_of
from botapp.arena.turnsearch import Node, TurnSearch
from botapp.arena.worth import full_hp, life
from botapp.fight.actions import Cast, Move
from botapp.fight.board import distance
from botapp.fight.buffs import full_ap, full_mp
from botapp.fight.casting import max_range
from botapp.fight.rules import winner
from botapp.fight.spells import State
from botapp.fight.state import Fighter, FightState, MarkKind, Spell

_STATES = tuple(f"is_{state.value}" for state in State)
_MARKS = ("in_own_glyph", "in_enemy_glyph")
GLOBAL = (
    "hp", "hp_size", "shield", "ap", "mp", "turn", "enemies", "allies", "own_summons", "enemy_summons",
    "enemy_hp", "team_hp", "share", "best_share", "best_gain", "greedy_gap", "end_gap", "reply", "lethal",
    "hope", "promise", "options", "casts_open", "own_marks", "enemy_marks", "nearest", "casts_done",
    "spells_ready", "blessing", "kill", "assumed", "turns_to_win", "turns_to_lose", *_STATES, *_MARKS,
)  # fmt: skip
FIGHTER = (
    "self", "ally", "enemy", "summon", "hp", "hp_size", "shield", "level", "ap", "mp", "ap_lost", "mp_lost",
    "distance", "adjacent", "next", "order", "power", "worth", "strike", "strike_lethal", "struck", "fallen",
    "longest", "ready", "cooling", "lock", "flee", "resistance", "eroded", "blessing", "assumed_stats",
    "assumed_hp", "assumed_kind", *_STATES, *_MARKS,
)  # fmt: skip
_PURPOSES = ("hurts", "helps", "itself", "jumps", "calls", "traps", "moves", "wide")
_AIMED = ("at_enemy", "at_ally", "at_self", "at_summon", "aim_hp", "aim_size", "aim_threat", "aim_distance")
_PARTS = ("balance", "reply", "hope")
CANDIDATE = (
    "move", "cast", "end", "ap_spent", "mp_spent", "ap_left", "mp_left", "steps",
    "range", "range_low", "cooldown", "limited", "crit", *_PURPOSES, *_AIMED,
    "gain", "gap", "share_gap", "rank", "best", "leaf_gain", "leaf_gap", "promise", "greedy", "first",
    "depth", "opened", *_PARTS, *(f"end_{part}" for part in _PARTS), "won", "lost", *CHANGES,
    *(f"end_{change}" for change in CHANGES), "near", "near_gain", "end_near", "adjacent", "lethal",
    "end_lethal", *_MARKS,
)  # fmt: skip
_HIT = 0.4
"""Which share of a fighter's HP amounts of HP are counted in: a good hit."""
_WALK = 20.0
_SHARE = 0.1
_DEEPEST = 12


class Facts:
    """What the tokens of one state have in common.

    Args:
        search: a glance at the turn.
        options: the actions to weigh.

    Attributes:
        hp: what HP are counted in, the mean full HP of who fights, so that a fight at a high level looks like
            one at a low level.
        hit: what amounts of HP are counted in.
        near: how far the actor is from its nearest enemy, in cells.
    """

    def __init__(self, search: TurnSearch, options: tuple[Candidate, ...]) -> None:
        self.search, self.options = search, options
        self.state = search.root.state
        self.forecast: Forecast = search.forecast
        self.worth = search.forecast.worth
        self.actor = self.state.actor
        own, self.enemies = sides(self.state, self.actor.team)
        self.allies = [fighter for fighter in own if fighter.id != self.actor.id]
        self.values = [
            search.root.here if option.node is search.root else option.node.value for option in options
        ]
        self.best = max(self.values)
        self.here = search.root.here
        self.parts = search.root.parts
        lowest: dict[int, int] = {}
        for node in (node for option in options for node in (option.node, option.node.end or option.node)):
            for fighter in node.state.fighters:
                lowest[fighter.id] = min(lowest.get(fighter.id, fighter.hp), fighter.hp)
        self.lowest = lowest
        full = [full_hp(f) for f in self.state.fighters if f.summoner is None]
        self.hp = sum(full) / max(1, len(full))
        self.hit = _HIT * self.hp
        self.near = self.nearest(self.state)

    def nearest(self, state: FightState) -> int:
        """Returns how far the actor is from its nearest living enemy, in cells; 0 without any."""
        actor = state.fighter(self.actor.id)
        foes = (f for f in state.fighters if f.hp > 0 and f.team != self.actor.team)
        return min((distance(actor.cell, foe.cell) for foe in foes), default=0)


def context(facts: Facts) -> list[float]:
    """Returns the `GLOBAL` columns."""
    state, actor, worth = facts.state, facts.actor, facts.worth
    _, reply, hope = facts.parts
    hp = float(actor.hp)
    enemy_hp = sum(e.hp + e.shield for e in facts.enemies)
    team_hp = hp + actor.shield + sum(a.hp + a.shield for a in facts.allies)
    strike = sum(facts.forecast.strike(e, actor) for e in facts.enemies)
    power = worth.power(actor)
    greedy = next(
        (v for v, o in zip(facts.values, facts.options, strict=True) if _greedy(facts, o)), facts.here
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
        "share": worth.share(facts.here),
        "best_share": worth.share(facts.best),
        "best_gain": (facts.best - facts.here) / facts.hit,
        "greedy_gap": (facts.best - greedy) / facts.hit,
        "end_gap": (worth.share(facts.best) - worth.share(facts.here)) / _SHARE,
        "reply": reply / hp,
        "lethal": float(strike >= hp + actor.shield),
        "hope": hope / facts.hit,
        "promise": facts.forecast.promise(state) / facts.hit,
        "options": len(facts.options) / 20,
        "casts_open": sum(o.spell is not None for o in facts.options) / 10,
        "own_marks": own_marks / 3,
        "enemy_marks": (len(state.marks) - own_marks) / 3,
        "nearest": facts.near / _WALK,
        "casts_done": len(actor.casts) / 4,
        "spells_ready": sum(s.ap <= actor.ap and s.key not in closed for s in actor.spells) / 6,
        "blessing": worth.blessing(actor) / facts.hit,
        "kill": float(any(facts.lowest.get(e.id, 1) <= 0 for e in facts.enemies)),
        "assumed": sum(bool(e.assumed) for e in facts.enemies) / len(facts.enemies),
        "turns_to_win": min(10.0, enemy_hp / max(1.0, power)) / 5,
        "turns_to_lose": min(10.0, hp / max(1.0, strike)) / 5,
        **_conditions(state, actor, actor.team),
    }
    return [float(values[name]) for name in GLOBAL]


def fighters(facts: Facts) -> list[list[float]]:
    """Returns the `FIGHTER` columns: the actor, then its enemies, then its allies."""
    return [_fighter(facts, fighter) for fighter in (facts.actor, *facts.enemies, *facts.allies)]


def _fighter(facts: Facts, fighter: Fighter) -> list[float]:
    actor, state, worth = facts.actor, facts.state, facts.worth
    order = [i for i in state.order if state.fighter(i).hp > 0]
    turns = (order.index(fighter.id) - order.index(actor.id)) % len(order) if fighter.id in order else 0
    cooling = sum(left > 0 for _, left in fighter.cooldowns)
    enemy = fighter.team != actor.team
    strike = facts.forecast.strike(fighter, actor) if enemy else 0.0
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
        "distance": apart / _WALK,
        "adjacent": float(apart == 1),
        "next": float(turns == 1),
        "order": turns / max(1, len(order)),
        "power": worth.power(fighter) / facts.hit,
        "worth": life(fighter.hp, full_hp(fighter)) / facts.hp,
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
        "eroded": fighter.eroded / max(1, full_hp(fighter)),
        "blessing": worth.blessing(fighter) / facts.hit,
        "assumed_stats": float(bool(fighter.assumed & {"stats", "spells"})),
        "assumed_hp": float(bool(fighter.assumed & {"hp", "max_hp"})),
        "assumed_kind": float("kind" in fighter.assumed),
        **_conditions(state, fighter, actor.team),
    }
    return [float(values[name]) for name in FIGHTER]


def _conditions(state: FightState, fighter: Fighter, team: int) -> dict[str, float]:
    """Returns the states a fighter is in and on whose glyphs it stands."""
    found = dict.fromkeys((*_STATES, *_MARKS), 0.0)
    for given in fighter.states:
        found[f"is_{given.value}"] = 1.0
    return found | _glyphs(state, fighter.cell, team)


def _glyphs(state: FightState, cell: int, team: int) -> dict[str, float]:
    found = dict.fromkeys(_MARKS, 0.0)
    for mark in state.marks:
        if mark.kind is MarkKind.GLYPH and cell in mark.cells:
            own = any(f.id == mark.owner and f.team == team for f in state.fighters)
            found["in_own_glyph" if own else "in_enemy_glyph"] = 1.0
    return found


def options(facts: Facts) -> list[list[float]]:
    """Returns the `CANDIDATE` columns of every action to weigh."""
    ranks = {
        index: rank
        for rank, index in enumerate(sorted(range(len(facts.values)), key=lambda i: -facts.values[i]))
    }
    leaf = max(option.node.leaf for option in facts.options)
    rows = []
    for index, option in enumerate(facts.options):
        node, end = option.node, _end(facts, option)
        now = changes(facts.state, node.state, facts.worth, facts.hit)
        then = now if end is node else changes(facts.state, end.state, facts.worth, facts.hit)
        values = dict.fromkeys(CANDIDATE, 0.0)
        values |= _kind(facts, option)
        values |= _outlook(facts, option, end, facts.values[index], ranks[index], leaf)
        values |= _place(facts, node, end)
        values |= now
        values |= {f"end_{name}": value for name, value in then.items()}
        rows.append([float(values[name]) for name in CANDIDATE])
    return rows


def _end(facts: Facts, option: Candidate) -> Node:
    """Returns where the best turn that begins with an action ends."""
    return option.node if option.node is facts.search.root else option.node.end or option.node


def _greedy(facts: Facts, option: Candidate) -> bool:
    """Tells whether the greedy player would take an action."""
    instinct = facts.search.instinct
    if instinct is None or not isinstance(instinct, (Cast, Move)):
        return option.node is facts.search.root
    return option.action == instinct


def _kind(facts: Facts, option: Candidate) -> dict[str, float]:
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
    use = use_of(spell)
    purposes = {name: float(bool(getattr(use, name))) for name in _PURPOSES}
    return purposes | {
        "range": max_range(actor, spell) / 10,
        "range_low": spell.min_range / 5,
        "cooldown": spell.cooldown / 5,
        "limited": float(bool(spell.casts_per_turn or spell.casts_per_target)),
        "crit": spell.crit / 50,
    }


def _aim(facts: Facts, cell: int) -> dict[str, float]:
    """Returns who stands where the action is aimed."""
    actor = facts.actor
    values = {"aim_distance": distance(actor.cell, cell) / 10}
    fighter = next((f for f in facts.state.fighters if f.cell == cell and f.hp > 0), None)
    if fighter is None:
        return values
    enemy = fighter.team != actor.team
    threat = facts.forecast.strike(fighter, actor) / max(1, actor.hp) if enemy else 0.0
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
    facts: Facts, option: Candidate, end: Node, value: float, rank: int, leaf: float
) -> dict[str, float]:
    """Returns what the action is worth at once, and at the end of the best turn found behind it."""
    node, worth = option.node, facts.worth
    now, then = node.parts, end.parts
    won = winner(end.state)
    depth = 0
    while node is not facts.search.root and node.then is not None and depth < _DEEPEST:
        depth, node = depth + 1, node.then[1]
    values = {
        "gain": (value - facts.here) / facts.hit,
        "gap": (facts.best - value) / facts.hit,
        "share_gap": (worth.share(facts.best) - worth.share(value)) / _SHARE,
        "rank": 1 / (1 + rank),
        "best": float(value >= facts.best),
        "leaf_gain": (option.node.leaf - facts.search.root.leaf) / facts.hit,
        "leaf_gap": (leaf - option.node.leaf) / facts.hit,
        "promise": option.node.promise / facts.hit,
        "greedy": float(_greedy(facts, option)),
        "first": float(facts.search.root.then is not None and facts.search.root.then[1] is option.node),
        "depth": depth / 4,
        "opened": len(option.node.children) / 10 if option.node is not facts.search.root else 0.0,
        "won": float(won == facts.actor.team),
        "lost": float(won is not None and won != facts.actor.team),
    }
    for index, part in enumerate(_PARTS):
        values[part] = (now[index] - facts.parts[index]) / facts.hit
        values[f"end_{part}"] = (then[index] - facts.parts[index]) / facts.hit
    return values


def _place(facts: Facts, node: Node, end: Node) -> dict[str, float]:
    """Returns where the actor stands afterwards and at the end of the turn, and what may come to it there."""
    near, lethal = facts.nearest(node.state), _lethal(facts, node.state)
    same = end is node
    actor = node.state.fighter(facts.actor.id)
    return {
        "near": near / _WALK,
        "near_gain": (near - facts.near) / 6,
        "end_near": (near if same else facts.nearest(end.state)) / _WALK,
        "adjacent": float(near == 1),
        "lethal": lethal,
        "end_lethal": lethal if same else _lethal(facts, end.state),
        **_glyphs(node.state, actor.cell, actor.team),
    }


def _lethal(facts: Facts, state: FightState) -> float:
    """Tells whether the enemies' next turns could kill the actor where it stands."""
    actor = state.fighter(facts.actor.id)
    if actor.hp <= 0:
        return 1.0
    foes = sides(state, actor.team)[1]
    return float(sum(facts.forecast.strike(foe, actor) for foe in foes) >= actor.hp + actor.shield)
