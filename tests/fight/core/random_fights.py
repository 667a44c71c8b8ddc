"""Whole fights played at random on the compiled rules' own arrays, and what must hold after each action.

As a program it prints what comes of some fights and decisions, so that another process, such as one that
interprets the rules, can be compared with this one.
"""

import json
import sys

import layout as at
import numpy as np
from policy_states import KINDS, policy_state
from wild import wild_fight
from wild_effects import wild_duel

from botapp.arena.fixtures import begin
from botapp.content.play_styles import play_style_of
from botapp.content.state_json import state_to_json
from botapp.fight.core import requests as ask_for
from botapp.fight.core.capacity import bytes_of
from botapp.fight.core.compiler import decimals, whole_numbers
from botapp.fight.core.pack import pack
from botapp.fight.core.unpack import unpack
from botapp.search.options import SearchOptions
from botapp.search.result import search_turn

LARGEST_SEED = 2**31 - 2


def first_state(number):
    """The beginning of fight `number`: of every scenario, with content of all kinds, and wild ones."""
    kind = number % (len(KINDS) + 4)
    if kind >= len(KINDS):
        return wild_fight(number) if kind % 2 else wild_duel(number)
    scenario, sizes, unseen = KINDS[kind]
    return begin(scenario, number, sizes, unseen)


class RandomFight:
    """A fight that goes on at random by the compiled rules' own dice.

    Attributes:
        s: the state's array now.
        before: the same before the last actions.
        b: the book.
    """

    def __init__(self, state, seed):
        self.packed = pack(state)
        self.s, self.b = self.packed.s, self.packed.b
        self.before = whole_numbers(at.STATE)
        self._decimals = decimals(1)
        self.s[at.SEED] = 1 + seed % LARGEST_SEED
        self._ask(ask_for.REHASH)

    def play(self, actions=1):
        """Plays so many actions, fewer where the fight ends; returns how many."""
        self.s, self.before = self.before, self.s
        seed = int(self.before[at.SEED])
        return self._ask(ask_for.PLAY, actions, seed)

    @property
    def state(self):
        return unpack(self.packed, self.s)

    @property
    def words(self):
        """All words of the state that are in use, as bytes."""
        s = self.s
        return (
            bytes_of(s, 0, at.FIRST + int(s[at.FIGHTERS]) * at.FIGHTER),
            bytes_of(s, at.BUFF_LIST, int(s[at.BUFFS]) * at.BUFF),
            bytes_of(s, at.MARK_LIST, int(s[at.MARKS]) * at.MARK),
        )

    @property
    def hash(self):
        """The state's hash as it has been kept up to date."""
        return int(self.s[at.HASH_A]), int(self.s[at.HASH_B])

    @property
    def is_too_large(self):
        """Whether more has happened than there is room for: what the rules then leave is no state."""
        return bool(self.s[at.FAULT])

    def hold(self):
        """Sees to it that nothing is wrong with the state, nor with how it came about."""
        s = self.s
        fighters = _rows(s, at.FIRST, int(s[at.FIGHTERS]), at.FIGHTER)
        hp, ap, mp = fighters[:, at.HP], fighters[:, at.AP], fighters[:, at.MP]
        living = hp > 0
        assert (hp >= 0).all() and (hp <= fighters[:, at.MAX_HP]).all(), "HP out of bounds"
        assert (ap >= 0).all() and (mp >= 0).all(), "negative AP or MP"
        assert (fighters[:, at.SHIELD] >= 0).all() and (fighters[:, at.ERODED] >= 0).all()
        assert (fighters[:, at.COOLDOWNS : at.COOLDOWNS + at.MOST_SPELLS] >= 0).all()
        cells = fighters[living, at.CELL].tolist()
        assert len(set(cells)) == len(cells), "two on a cell"
        assert all(self.b[at.WALKABLE + cell // 28] >> cell % 28 & 1 for cell in cells), "on a wall"
        actor = int(s[at.ORDER + s[at.CURRENT]])
        over = len(set(fighters[living & (fighters[:, at.SUMMONER] < 0), at.TEAM].tolist())) < 2
        assert over or living[actor], "the turn of somebody dead"
        acted = int(self.before[at.ORDER + self.before[at.CURRENT]])
        assert self.before[at.FIRST + acted * at.FIGHTER + at.HP] > 0, "somebody dead has acted"
        if s[at.BUFFS]:
            buffs = _rows(s, at.BUFF_LIST, int(s[at.BUFFS]), at.BUFF)
            borne = buffs[living[buffs[:, at.BUFF_ON]]]
            assert living[borne[:, at.BUFF_BY]].all(), "a buff outlives who gave it"
            assert (buffs[:, at.BUFF_TURNS] >= 0).all()
        if s[at.MARKS]:
            assert living[_rows(s, at.MARK_LIST, int(s[at.MARKS]), at.MARK)[:, at.MARK_BY]].all()
        kept = self.hash
        self._ask(ask_for.REHASH)
        assert self.hash == kept, "the hash kept up to date is not that of the state"

    def _ask(self, what, x=0, y=0):
        return ask_for.ask(what, self.s, self.before, self.b, self._decimals, self.s, x, y, 0)


def _rows(s, first, count, length):
    return np.array(s[first : first + count * length]).reshape(count, length)


def told(fights, decisions, rounds):
    """What comes of random fights, after each round of 40 actions, and of searches, as plain values."""
    found = []
    for number in fights:
        fight = RandomFight(first_state(number), number)
        for _ in range(rounds):
            played = fight.play(40)
            found.append([number, played, int(fight.s[at.SEED]), int(fight.s[at.FAULT])])
            if fight.is_too_large:
                break
            found.append(state_to_json(fight.state))
    for number in decisions:
        result = search_turn(policy_state(number), 60, SearchOptions(48, 240), play_style=play_style_of)
        values = [[repr(c.action), result.value(c), result.visits(c)] for c in result.candidates]
        found.append([number, result.nodes, result.rollouts, values, list(result.evaluations)])
    return found


FIGHTS = range(len(KINDS) + 4)
DECISIONS = range(0, 18, 9)

if __name__ == "__main__":
    print(json.dumps(told(FIGHTS, DECISIONS, int(sys.argv[1]))))
