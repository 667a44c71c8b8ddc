"""What the turns of a search leave behind: what tells apart moves after which a fight is won alike."""

import math
from collections.abc import Sequence

import numpy as np

from botapp.advisor.decision import Prospect
from botapp.fight.actions import Action, Cast
from botapp.search.candidates import Candidate
from botapp.search.result import SearchResult

_FIELDS = "ap", "hp", "shield"
_AP, _HP, _SHIELD = range(len(_FIELDS))


class Prospects:
    """The prospects of a search's candidates.

    Args:
        search: the search; what it finds later is not in here.
    """

    def __init__(self, search: SearchResult) -> None:
        tree = search.tree
        self._search = search
        self._state = state = tree.root.state
        team, count = state.actor.team, len(state.fighters)
        self._actor = next(n for n, fighter in enumerate(state.fighters) if fighter.id == state.actor.id)
        self._foes = [
            n
            for n, fighter in enumerate(state.fighters)
            if fighter.team != team and fighter.hp > 0 and fighter.summoner is None
        ]
        powers = tree.powers(tree.root)
        self._power = sum(powers[f.id] for f in state.fighters if f.team == team and f.hp > 0)
        nodes = np.array([candidate.node.index for candidate in search.candidates])
        ends = np.where(nodes == 0, 0, tree.pv_ends(nodes))
        self._left = dict(zip(search.candidates, tree.fighters(ends, count, _FIELDS), strict=True))
        self._cooldowns = {spell.key: spell.cooldown for spell in state.actor.spells}

    def of(self, candidate: Candidate, line: Sequence[Action]) -> Prospect:
        """Returns what the best turn that begins with a candidate leaves.

        Args:
            candidate: one of the search's.
            line: its principal variation.
        """
        left = self._left[candidate]
        health = [max(0, int(left[foe, _HP])) + int(left[foe, _SHIELD]) for foe in self._foes]
        kills = sum(int(left[foe, _HP]) <= 0 for foe in self._foes)
        standing = sum(health) if kills < len(self._foes) else 0
        further = math.ceil(standing / self._power) if self._power > 0 else None
        return Prospect(
            lead=self._search.value(candidate),
            kills=kills,
            turns=None if further is None and standing else 1 + (further or 0),
            ap=int(left[self._actor, _AP]),
            cooldown=sum(self._cooldowns.get(one.spell, 0) for one in line if isinstance(one, Cast)),
        )
