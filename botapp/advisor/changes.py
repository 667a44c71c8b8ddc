"""What an action changes, fighter by fighter, summed by side: one list of facts for every kind of spell.

Both states come from the rules, so nothing here knows what a push or a glyph is; it only sees who lost what.
Next hop: `botapp.advisor.features` puts it in the candidates' tokens.
"""

from botapp.advisor.token_context import TokenContext
from botapp.fight.board import distance
from botapp.fight.sheet import full_ap, full_mp
from botapp.fight.state import Fighter
from botapp.search.tree import SearchNode

CHANGES = (
    "enemy_hp", "enemy_share", "kills", "enemy_shield", "enemy_ap", "enemy_mp", "enemy_buff_value",
    "enemy_moved", "enemy_eroded", "enemies_hit", "ally_hp", "ally_shield", "ally_buff_value", "ally_kills",
    "ally_moved", "self_hp", "self_missing", "self_shield", "self_buff_value", "self_moved", "self_ap",
    "self_mp", "own_summons", "summons_hp", "enemy_summons", "own_marks", "enemy_marks",
)  # fmt: skip
_WALK = 6.0


def changes(facts: TokenContext, node: SearchNode) -> dict[str, float]:
    """Returns the `CHANGES` from the state decided about to a node's, from its actor's side.

    Losses of enemies and gains of the own side are positive; AP and MP count in threes.
    """
    before, after, hit = facts.state, node.state, facts.hit
    found = dict.fromkeys(CHANGES, 0.0)
    actor = before.actor
    known = {fighter.id: fighter for fighter in before.fighters}
    for fighter in after.fighters:
        old = known.get(fighter.id)
        if old is fighter:
            continue
        if old is None or (old.hp <= 0 < fighter.hp):
            _called(found, fighter, actor, hit)
        elif old.hp > 0:
            _changed(found, old, fighter, actor, facts, node)
    if before.marks is not after.marks:
        own = {fighter.id for fighter in after.fighters if fighter.team == actor.team}
        for sign, marks in ((-1.0, before.marks), (1.0, after.marks)):
            for mark in marks:
                found["own_marks" if mark.owner in own else "enemy_marks"] += sign
    return found


def _called(found: dict[str, float], fighter: Fighter, actor: Fighter, hit: float) -> None:
    if fighter.team == actor.team:
        found["own_summons"] += 1
        found["summons_hp"] += fighter.hp / hit
    else:
        found["enemy_summons"] += 1


def _changed(
    found: dict[str, float], old: Fighter, new: Fighter, actor: Fighter, facts: TokenContext, node: SearchNode
) -> None:
    hit = facts.hit
    lost = old.hp - max(0, new.hp)
    buff_value = 0.0
    if old.buffs is not new.buffs and new.hp > 0:
        buff_value = (facts.buff_values(node)[new.id] - facts.buff_values(facts.search.root)[old.id]) / hit
    moved = distance(old.cell, new.cell) / _WALK if old.cell != new.cell else 0.0
    if new.team != actor.team:
        found["enemy_hp"] += lost / hit
        found["enemy_share"] = max(found["enemy_share"], lost / old.hp)
        found["kills"] += new.hp <= 0
        found["enemies_hit"] += lost > 0
        found["enemy_shield"] += (old.shield - new.shield) / hit
        found["enemy_ap"] += _fewer(full_ap(old), old.ap, full_ap(new), new.ap)
        found["enemy_mp"] += _fewer(full_mp(old), old.mp, full_mp(new), new.mp)
        found["enemy_buff_value"] += buff_value
        found["enemy_moved"] += moved
        found["enemy_eroded"] += (old.max_hp - new.max_hp) / hit
    elif new.id != actor.id:
        found["ally_hp"] -= lost / hit
        found["ally_kills"] += new.hp <= 0
        found["ally_shield"] += (new.shield - old.shield) / hit
        found["ally_buff_value"] += buff_value
        found["ally_moved"] += moved
    else:
        found["self_hp"] -= lost / hit
        found["self_missing"] -= lost / max(1, old.max_hp - old.hp) if lost < 0 else 0.0
        found["self_shield"] += (new.shield - old.shield) / hit
        found["self_buff_value"] += buff_value
        found["self_moved"] += moved
        found["self_ap"] += (full_ap(new) - full_ap(old)) / 3
        found["self_mp"] += (full_mp(new) - full_mp(old)) / 3


def _fewer(full: int, has: int, full_after: int, has_after: int) -> float:
    """Returns how many points fewer somebody has for its next turn, in threes."""
    return (min(full, has) - min(full_after, has_after)) / 3
