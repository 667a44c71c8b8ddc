"""What the turns of a search leave behind: what tells apart moves after which a fight is won alike."""

import math
from collections.abc import Sequence

import numpy as np

from botapp.advisor.decision import Prospect
from botapp.fight.actions import Cast
from botapp.search.result import SearchResult
from botapp.search.simplest import Turn


def prospects(search: SearchResult, turns: Sequence[Turn]) -> list[Prospect]:
    """Returns what the turn that begins with each of a search's candidates leaves.

    Args:
        search: the search.
        turns: the candidates', in their order.
    """
    tree = search.tree
    state = tree.root.state
    own, fighters = state.actor, state.fighters
    actor = next(n for n, fighter in enumerate(fighters) if fighter.id == own.id)
    foes = [n for n, f in enumerate(fighters) if f.team != own.team and f.hp > 0 and f.summoner is None]
    powers = tree.powers(tree.root)
    power = sum(powers[f.id] for f in fighters if f.team == own.team and f.hp > 0)
    cooldowns = {spell.key: spell.cooldown for spell in own.spells}
    ends = np.array([turn.end for turn in turns])
    states = tree.fighters(ends, len(fighters), ("ap", "hp", "shield")).tolist()
    found = []
    for turn, left in zip(turns, states, strict=True):
        standing = [max(0, hp) + shield for _, hp, shield in (left[foe] for foe in foes)]
        kills = sum(left[foe][1] <= 0 for foe in foes)
        health = sum(standing) if kills < len(foes) else 0
        further = math.ceil(health / power) if power > 0 else None
        found.append(
            Prospect(
                lead=turn.value,
                kills=kills,
                turns=None if further is None and health else 1 + (further or 0),
                ap=left[actor][0],
                cooldown=sum(cooldowns.get(one.spell, 0) for one in turn.line if isinstance(one, Cast)),
            )
        )
    return found
