"""What the turns of a search leave behind: what tells apart moves after which a fight is won alike."""

import math
from collections.abc import Sequence

from botapp.advisor.decision import Prospect
from botapp.fight.actions import Action, Cast
from botapp.search.result import SearchResult


def prospects(search: SearchResult, lines: Sequence[Sequence[Action]]) -> list[Prospect]:
    """Returns what the best turn that begins with each of a search's candidates leaves.

    Args:
        search: the search.
        lines: the candidates' principal variations, in their order.
    """
    tree = search.tree
    state = tree.root.state
    own, fighters = state.actor, state.fighters
    actor = next(n for n, fighter in enumerate(fighters) if fighter.id == own.id)
    foes = [n for n, f in enumerate(fighters) if f.team != own.team and f.hp > 0 and f.summoner is None]
    powers = tree.powers(tree.root)
    power = sum(powers[f.id] for f in fighters if f.team == own.team and f.hp > 0)
    cooldowns = {spell.key: spell.cooldown for spell in own.spells}
    states = tree.fighters(search.ends(), len(fighters), ("ap", "hp", "shield")).tolist()
    found = []
    for lead, left, line in zip(search.values().tolist(), states, lines, strict=True):
        standing = [max(0, hp) + shield for _, hp, shield in (left[foe] for foe in foes)]
        kills = sum(left[foe][1] <= 0 for foe in foes)
        health = sum(standing) if kills < len(foes) else 0
        further = math.ceil(health / power) if power > 0 else None
        found.append(
            Prospect(
                lead=lead,
                kills=kills,
                turns=None if further is None and health else 1 + (further or 0),
                ap=left[actor][0],
                cooldown=sum(cooldowns.get(one.spell, 0) for one in line if isinstance(one, Cast)),
            )
        )
    return found
