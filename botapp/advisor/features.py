"""What a state's tokens say: the features of the registers, the fighters and the candidate actions.

All are relative to the actor and worked out by the rules; no id, class or spell name is among them, so that
unseen ones work. Columns are named once, in `GLOBAL`, `FIGHTER` and `CANDIDATE`; weights are bound to their
order. Next hop: `botapp.advisor.encoding` pads them to arrays.
"""

from collections.abc import Mapping

import numpy as np

from botapp.advisor.candidates import Candidate
from botapp.advisor.geometry import DISTANCE
from botapp.advisor.outlook import Outlook, exits
from botapp.advisor.threat import Floats
from botapp.fight.casting import max_range
from botapp.fight.rules import Outcome
from botapp.fight.state import Fighter

GLOBAL = (
    "hp", "hp_size", "shield", "ap", "mp", "turn", "enemies", "allies", "enemy_hp", "team_hp",
    "best_hit", "best_share", "kill", "danger", "danger_lethal", "retreat", "retreat_lethal", "worst",
    "strike", "turns_to_win", "turns_to_lose", "nearest", "cells", "spells_ready", "casts_done", "gripped",
    "assumed",
)  # fmt: skip
FIGHTER = (
    "self", "ally", "enemy", "hp", "hp_size", "shield", "level", "ap", "mp", "distance", "walk", "in_line",
    "sees", "worst", "danger", "danger_low", "reaches", "hit_here", "hit_best", "hit_share", "kill_here",
    "kill", "strike_share", "next", "order", "longest", "ready", "cooling", "lock", "resistance",
    "assumed_stats", "assumed_hp", "assumed_kind",
)  # fmt: skip
_PLACE = (
    "danger", "danger_worst", "lethal", "threats", "retreat", "retreat_lethal", "spotted", "near",
    "near_walk", "near_weakest", "adjacent", "hit", "hit_share", "hit_best", "kill", "exits", "grip",
    "hit_gain", "danger_gain", "walk_gain", "hope", "hope_gain", "way", "balance",
)  # fmt: skip
CANDIDATE = (
    "move", "cast", "end", "mp_left", "ap_left", "steps", *_PLACE,
    "cost", "range", "range_low", "in_line", "sight", "cooldown", "limited", "crit", "area",
    "damage", "share", "kills", "kill", "left", "target_hp", "target_danger", "target_worst", "hits",
    "per_ap", "efficiency", "own_damage", "own_kill", "self_heal", "self_missing", "ally_heal", "shield_gain",
    "ap_taken", "mp_taken", "follow", "follow_share", "follow_kill", "follow_far", "follow_far_kill", "plan",
    "idle_ap", "idle_mp", "wasted_hit",
)  # fmt: skip
_COLUMN = {name: index for index, name in enumerate(CANDIDATE)}
_HP = 300.0
_HIT = 100.0
_WALK = 20.0


def places(outlook: Outlook) -> Floats:
    """Returns the `_PLACE` columns of every cell the actor can stand on, (C, len(_PLACE))."""
    actor, enemies = outlook.actor, outlook.enemies
    hp = float(actor.hp)
    total = _reduced(outlook.danger.sum(axis=0), actor)
    near = DISTANCE[outlook.cells[:, None], [e.cell for e in enemies]].astype(float)
    health = np.array([e.hp + e.shield for e in enemies], float)
    share = np.minimum(outlook.hits / health, 1.0)
    apart = DISTANCE[outlook.cells[:, None], outlook.cells[None, :]]
    within = apart <= outlook.mp[:, None]
    retreat = np.where(within, total[None, :], np.inf).min(axis=1)
    weakest = np.nonzero(health == health.min())[0]
    best = float(outlook.hits.max()) if outlook.hits.size else 0.0
    hit = outlook.hits.max(axis=1)
    near_walk = outlook.walk.min(axis=1)
    hope, way = outlook.prospect.hope(outlook.cells)
    columns = {
        "danger": total / hp,
        "danger_worst": outlook.danger.max(axis=0) / hp,
        "lethal": total >= hp,
        "threats": (outlook.danger > 0).sum(axis=0) / 3,
        "retreat": retreat / hp,
        "retreat_lethal": retreat >= hp,
        "spotted": outlook.spotted.sum(axis=0) / 3,
        "near": near.min(axis=1) / _WALK,
        "near_walk": near_walk / _WALK,
        "near_weakest": outlook.walk[:, weakest].min(axis=1) / _WALK,
        "adjacent": (near == 1).sum(axis=1) / 2,
        "hit": hit / _HIT,
        "hit_share": share.max(axis=1),
        "hit_best": hit / best if best else np.zeros_like(hit),
        "kill": (outlook.hits >= health).any(axis=1),
        "exits": exits(outlook) / 4,
        "grip": 1 - outlook.grip,
        "hit_gain": (hit - hit[0]) / _HIT,
        "danger_gain": (total - total[0]) / hp,
        "walk_gain": (near_walk - near_walk[0]) / 6,
        "hope": hope / _HIT,
        "hope_gain": (hope - hope[0]) / _HIT,
        "way": way / 8,
        "balance": (0.35 * hope - 0.7 * np.minimum(total, 1.4 * hp)) / _HIT,
    }
    return np.stack([np.asarray(columns[name], float) for name in _PLACE], axis=1)


def _reduced(danger: Floats, actor: Fighter) -> Floats:
    """Takes the actor's shield off a damage."""
    rest: Floats = np.maximum(danger - actor.shield, 0.0)
    return rest


def merits(outlook: Outlook, place: Floats) -> Floats:
    """Returns what tells the actor's cells apart, more being better: the ranking of moves goes by these."""
    get = {name: place[:, index] for index, name in enumerate(_PLACE)}
    return np.stack(
        [
            get["hit_share"] - 0.3 * get["retreat"],
            -get["danger"],
            get["hit"] + 0.05 * outlook.mp,
            -get["near_walk"],
            get["near_walk"] - get["danger"],
            -get["retreat"] + 0.2 * get["hit"],
            -get["near_weakest"],
            get["near"] - get["spotted"],
            outlook.mp / 6,
            get["exits"] - get["danger"],
            get["balance"],
            get["hope"] - 0.1 * get["way"],
        ],
        axis=1,
    )


def context(outlook: Outlook) -> list[float]:
    """Returns the `GLOBAL` columns."""
    actor, enemies, state = outlook.actor, outlook.enemies, outlook.state
    hp = float(actor.hp)
    danger = _reduced(outlook.danger.sum(axis=0), actor)
    health = np.array([e.hp + e.shield for e in enemies], float)
    enemy_hp = float(health.sum())
    team_hp = hp + actor.shield + sum(a.hp + a.shield for a in outlook.allies)
    strike, worst = float(outlook.strike.max()), float(outlook.worst.sum())
    ready = [s for s in actor.spells if s.ap <= actor.ap and s.key not in dict(actor.cooldowns)]
    values = {
        "hp": hp / max(1, actor.max_hp),
        "hp_size": hp / _HP,
        "shield": actor.shield / _HIT,
        "ap": actor.ap / 10,
        "mp": actor.mp / 6,
        "turn": min(state.turn, 40) / 20,
        "enemies": len(enemies) / 4,
        "allies": len(outlook.allies) / 4,
        "enemy_hp": enemy_hp / (2 * _HP),
        "team_hp": team_hp / (team_hp + enemy_hp),
        "best_hit": float(outlook.hits.max()) / _HIT,
        "best_share": float(np.minimum(outlook.hits / health, 1).max()),
        "kill": float((outlook.hits >= health).any()),
        "danger": danger[0] / hp,
        "danger_lethal": float(danger[0] >= hp),
        "retreat": danger.min() / hp,
        "retreat_lethal": float(danger.min() >= hp),
        "worst": worst / hp,
        "strike": strike / _HIT,
        "turns_to_win": min(10.0, enemy_hp / max(1.0, strike)) / 5,
        "turns_to_lose": min(10.0, hp / max(1.0, worst)) / 5,
        "nearest": float(outlook.walk[0].min()) / _WALK,
        "cells": len(outlook.cells) / 60,
        "spells_ready": len(ready) / 6,
        "casts_done": len(actor.casts) / 4,
        "gripped": 1 - float(outlook.grip[0]),
        "assumed": sum(bool(e.assumed) for e in enemies) / len(enemies),
    }
    return [float(values[name]) for name in GLOBAL]


def fighters(outlook: Outlook) -> list[list[float]]:
    """Returns the `FIGHTER` columns: the actor, then its enemies, then its allies."""
    everyone = (outlook.actor, *outlook.enemies, *outlook.allies)
    return [_fighter(outlook, fighter) for fighter in everyone]


def _fighter(outlook: Outlook, fighter: Fighter) -> list[float]:
    actor, state = outlook.actor, outlook.state
    order = [i for i in state.order if state.fighter(i).hp > 0]
    turns = (order.index(fighter.id) - order.index(actor.id)) % len(order)
    cooling = {key for key, left in fighter.cooldowns if left > 0}
    values = dict.fromkeys(FIGHTER, 0.0)
    values |= {
        "self": float(fighter.id == actor.id),
        "ally": float(fighter.team == actor.team and fighter.id != actor.id),
        "enemy": float(fighter.team != actor.team),
        "hp": fighter.hp / max(1, fighter.max_hp),
        "hp_size": fighter.hp / _HP,
        "shield": fighter.shield / _HIT,
        "level": fighter.level / 100,
        "ap": fighter.ap / 10,
        "mp": fighter.mp / 6,
        "distance": float(DISTANCE[actor.cell, fighter.cell]) / _WALK,
        "next": float(turns == 1),
        "order": turns / len(order),
        "longest": max((max_range(fighter, s) for s in fighter.spells), default=0) / 10,
        "ready": (len(fighter.spells) - len(cooling)) / 6,
        "cooling": len(cooling) / 6,
        "lock": fighter.stats.lock / 20,
        "resistance": sum(fighter.stats.resistance) / 250,
        "assumed_stats": float(bool(fighter.assumed & {"stats", "spells"})),
        "assumed_hp": float(bool(fighter.assumed & {"hp", "max_hp"})),
        "assumed_kind": float("kind" in fighter.assumed),
    }
    if fighter.team != actor.team:
        index = outlook.enemies.index(fighter)
        danger, hits = outlook.danger[index], outlook.hits[:, index]
        hp, health = float(actor.hp), float(fighter.hp + fighter.shield)
        values |= {
            "walk": float(outlook.walk[0, index]) / _WALK,
            "in_line": float(DISTANCE[actor.cell, fighter.cell] == 1),
            "sees": float(outlook.spotted[index, 0]),
            "worst": outlook.worst[index] / hp,
            "danger": danger[0] / hp,
            "danger_low": danger.min() / hp,
            "reaches": float(danger[0] > 0),
            "hit_here": hits[0] / _HIT,
            "hit_best": hits.max() / _HIT,
            "hit_share": min(1.0, hits.max() / health),
            "kill_here": float(hits[0] >= health),
            "kill": float(hits.max() >= health),
            "strike_share": min(2.0, outlook.strike[index] / health),
        }
    return [float(values[name]) for name in FIGHTER]


def option(outlook: Outlook, place: Floats, candidate: Candidate) -> Floats:
    """Returns the `CANDIDATE` columns of one action."""
    values = np.zeros(len(CANDIDATE))
    first = _COLUMN[_PLACE[0]]
    values[first : first + len(_PLACE)] = place[candidate.row]
    row = candidate.row

    def put(name: str, value: float) -> None:
        values[_COLUMN[name]] = value

    mp, ap = int(outlook.mp[row]), int(outlook.ap[row])
    if candidate.spell is not None:
        put("cast", 1)
        ap -= candidate.spell.ap
        for name, value in _cast(outlook, candidate, candidate.outcomes or {}).items():
            put(name, value)
    elif row:
        put("move", 1)
        put("steps", len(outlook.ways[row].path) / 6)
    else:
        put("end", 1)
        put("idle_ap", ap / 10)
        put("idle_mp", mp / 6)
        put("wasted_hit", float(outlook.hits.max()) / _HIT)
        put("retreat", values[_COLUMN["danger"]])
        put("retreat_lethal", values[_COLUMN["lethal"]])
    put("mp_left", mp / 6)
    put("ap_left", ap / 10)
    return values


def _cast(outlook: Outlook, candidate: Candidate, outcomes: Mapping[int, Outcome]) -> dict[str, float]:
    """Returns the columns that only a cast has, and those of its place that it changes."""
    actor, enemies, spell = outlook.actor, outlook.enemies, candidate.spell
    assert spell is not None
    nothing = Outcome()
    done = [outcomes.get(e.id, nothing) for e in enemies]
    health = [float(e.hp + e.shield) for e in enemies]
    dealt = [min(o.damage, h) for o, h in zip(done, health, strict=True)]
    killed = frozenset(i for i, (o, h) in enumerate(zip(done, health, strict=True)) if o.damage >= h)
    own = outcomes.get(actor.id, nothing)
    allied = [(a, outcomes[a.id]) for a in outlook.allies if a.id in outcomes]
    hp = float(actor.hp)
    shield = own.shield + actor.shield
    danger = outlook.danger.copy()
    danger[list(killed)] = 0.0
    stay = max(0.0, float(danger[:, 0].sum()) - shield)
    retreat = max(0.0, outlook.retreat(0, actor.mp, killed) - shield)
    total = sum(dealt)
    ap = actor.ap - spell.ap
    bonus = sum(0.4 * (enemies[i].max_hp + enemies[i].eroded) for i in killed)
    values = {
        "balance": (total + bonus + 0.9 * own.heal - 0.7 * min(retreat, 1.4 * hp)) / _HIT,
        "danger": stay / hp,
        "danger_worst": float(danger[:, 0].max()) / hp,
        "lethal": float(stay >= hp + own.heal),
        "retreat": retreat / hp,
        "retreat_lethal": float(retreat >= hp + own.heal),
        "cost": spell.ap / 6,
        "range": max_range(actor, spell) / 10,
        "range_low": spell.min_range / 5,
        "in_line": float(spell.in_line or spell.on_diagonal),
        "sight": float(spell.needs_sight),
        "cooldown": spell.cooldown / 5,
        "limited": float(bool(spell.casts_per_turn or spell.casts_per_target)),
        "crit": spell.crit / 50,
        "area": max((e.radius for e in spell.effects), default=0) / 3,
        "damage": total / _HIT,
        "kills": len(killed) / 2,
        "kill": float(bool(killed)),
        "hits": sum(d > 0 for d in dealt) / 3,
        "per_ap": total / max(1, spell.ap) / 30,
        "own_damage": sum(o.damage for _, o in allied) / _HIT,
        "own_kill": float(any(o.damage >= a.hp + a.shield for a, o in allied)),
        "self_heal": own.heal / _HIT,
        "self_missing": own.heal / max(1.0, float(actor.max_hp - actor.hp)),
        "ally_heal": sum(o.heal + o.shield for _, o in allied) / _HIT,
        "shield_gain": own.shield / _HIT,
        "ap_taken": sum(o.ap for o in done) / 3,
        "mp_taken": sum(o.mp for o in done) / 3,
    }
    best_rate = max(
        (assault.damage(actor.ap)[0, 0] / max(1, actor.ap) for assault in outlook.assaults), default=0.0
    )
    values["efficiency"] = min(2.0, total / max(1, spell.ap) / best_rate) if best_rate > 0 else 0.0
    if total <= 0:
        follow = float(max((a.follow_up([0], 0, spell, ap) for a in outlook.assaults), default=0.0))
        return values | {"follow": follow / _HIT}
    main = max(range(len(enemies)), key=lambda i: (dealt[i] / health[i], dealt[i]))
    rest = max(0.0, health[main] - done[main].damage)
    here = outlook.assaults[main].follow_up([0], 0, spell, ap)
    near = np.nonzero(DISTANCE[actor.cell, outlook.cells] <= actor.mp)[0]
    far = outlook.assaults[main].follow_up(list(near), 0, spell, ap)
    best = max(1.0, float(outlook.hits[:, main].max()))
    return values | {
        "share": dealt[main] / health[main],
        "left": rest / _HP,
        "target_hp": health[main] / _HP,
        "target_danger": float(outlook.danger[main, 0]) / hp,
        "target_worst": float(outlook.worst[main]) / hp,
        "follow": here / _HIT,
        "follow_share": min(1.0, here / rest) if rest else 1.0,
        "follow_kill": float(here >= rest),
        "follow_far": far / _HIT,
        "follow_far_kill": float(far >= rest),
        "plan": min(2.0, (done[main].damage + far) / best),
    }
