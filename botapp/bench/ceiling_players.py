"""Players without a clock, or with more knowledge than there is, for `botapp.bench.ceilings`."""

import random
from collections.abc import Sequence

import numpy as np

from botapp.advisor.bare import SearchAdvisor, ranked
from botapp.advisor.search_stage import room
from botapp.arena.even import MONSTERS, QUICK
from botapp.arena.player_spec import policy_of
from botapp.arena.players.advised import AdvisorPlayer
from botapp.arena.players.search import alike
from botapp.fight.actions import Action, EndTurn, Ready
from botapp.fight.refusals import IllegalAction
from botapp.fight.rules import DRAW, apply_expected, observation, winner
from botapp.fight.state import FightState
from botapp.search.desk import FloatArray
from botapp.search.result import SearchResult, search_turn
from botapp.search.whole_fights import FightDice, WholeFight, code_of_action

_BATCH = 20  # Fights played out from each end before ends that lose are left out
_SURE = 2.0  # Standard errors by which another end has to win more than the search's own to be taken
_LOSING = 1.0
"""Standard errors by which an end that wins less is given up: it would have to gain three, which happens to
one in some hundreds."""
_PLAYED_OUT = 1_000_003
"""Makes seeds of the dice's state; `WholeFight` mixes them, so that they tell nothing of the dice to come."""
_STANDS = ("cell", "hp", "shield", "max_hp")
"""Who stands where with what: ends that differ in none of it count as one."""


class KeepingAdvisor(SearchAdvisor):
    """The app's search, which keeps what it found last.

    Attributes:
        dice: the state of the fight's dice where they are known, else None.
    """

    found: SearchResult | None = None
    dice: int | None = None

    def _search(self, state: FightState, begun: float, planned: Sequence[Action]) -> SearchResult:
        outset = self.outset(state) if planned else None
        found = search_turn(
            state, room(state), self.timed_options, self._searching_until(begun),
            planned=planned, outset=outset, dice=self.dice,
        )  # fmt: skip
        self._outset = (state.turn, state.actor.id), found.tree.outset
        self.found = found
        return found


class DicePlayer(AdvisorPlayer):
    """The app's search player in the same time, knowing how all dice will fall, its enemies' too.

    Args:
        ms: milliseconds for a whole turn.
    """

    def __init__(self, ms: float) -> None:
        self._knows = KeepingAdvisor(ms)
        super().__init__(self._knows, ms=ms)

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns the action advised; `rng` has to be `FightDice`."""
        assert isinstance(rng, FightDice), "dice that can be known are FightDice"
        self._knows.dice = rng.thrown
        return super().choose(state, rng)


class PlayoutsPlayer(AdvisorPlayer):
    """Plays the best ends of the app's search out, and takes another than its own where it surely wins more.

    A turn is thought about again as soon as the dice fall otherwise than expected.

    Args:
        ms: milliseconds of search for a whole turn; playing out has no limit.
        playouts: fights from each end.

    Attributes:
        about: "decisions" that had two ends or more, "changed" of them, "playouts".
    """

    def __init__(self, ms: float, playouts: int, ends: int, monsters: bool = False) -> None:
        self._search = KeepingAdvisor(ms)
        super().__init__(self._search, ms=ms)
        self._playouts, self._ends = playouts, ends
        self._own, self._others = policy_of(QUICK), policy_of(MONSTERS if monsters else QUICK)
        self._rest: list[tuple[FightState, Action]] = []
        self.about = {"decisions": 0.0, "changed": 0.0, "playouts": 0.0}

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns the first action of the turn that wins most."""
        if state.placing:
            return Ready()
        known = observation(state, state.actor.team)
        if not self._rest or not alike(self._rest[0][0], known):
            action = super().choose(state, rng)
            self._rest = _expected(known, self._line(known, action, rng))
        return self._rest.pop(0)[1]

    def _line(self, known: FightState, action: Action, rng: random.Random) -> tuple[Action, ...]:
        """Returns the turn to play: that of the search, or of an end that wins more."""
        lines = self._lines(action)
        if len(lines) < 2:
            return lines[0] if lines else (action,)
        self.about["decisions"] += 1
        codes = [_codes(known, line) for line in lines]
        own, others = self._own, self._others
        first = known.actor.team == 0
        fight = WholeFight(known, own if first else others, others if first else own)
        assert isinstance(rng, FightDice), "fights are played out with dice of the fight's own"
        seeds = [rng.thrown * _PLAYED_OUT + number for number in range(self._playouts)]
        best = self._most_won(fight, known.actor.team, codes, seeds)
        self.about["changed"] += best > 0
        return lines[best]

    def _lines(self, action: Action) -> list[tuple[Action, ...]]:
        """Returns the turns to the best ends, that of the search first, no two with the same end."""
        found = self._search.found
        if found is None:
            return []
        order = sorted(ranked(found), key=lambda one: one.action != action)
        nodes = np.array([found.end(one).index for one in order])
        tree = found.tree
        counts, marks = tree.fighter_counts(nodes), tree.mark_counts(nodes)
        stands = tree.fighters(nodes, int(counts.min()), _STANDS)
        seen, lines = set(), []
        for place, one in enumerate(order):
            key = (stands[place].tobytes(), int(counts[place]), int(marks[place]))
            if key not in seen:
                seen.add(key)
                lines.append(found.line(one))
            if len(lines) == self._ends:
                break
        return lines

    def _most_won(
        self, fight: WholeFight, team: int, codes: Sequence[Sequence[int]], seeds: Sequence[int]
    ) -> int:
        """Returns which of some turns surely wins more than the first one, 0 where none does."""
        won: list[list[float]] = [[] for _ in codes]
        running = list(range(1, len(codes)))
        for first in range(0, len(seeds), _BATCH):
            for place in (0, *running):
                for seed in seeds[first : first + _BATCH]:
                    winner_ = fight.play(seed, codes[place]).winner
                    won[place].append(0.5 if winner_ == DRAW else float(winner_ == team))
                    self.about["playouts"] += 1
            ahead = {place: _ahead(np.array(won[place]), np.array(won[0])) for place in running}
            running = [place for place in running if ahead[place] > -_LOSING]
            if not running:
                return 0
        best = max(running, key=lambda place: sum(won[place]))
        return best if ahead[best] > _SURE else 0


def _ahead(won: FloatArray, own: FloatArray) -> float:
    """Returns by how many standard errors fights are won more often than others with the same dice."""
    off = won - own
    error = off.std() / np.sqrt(len(off))
    return float(off.mean() / error) if error > 0 else 0.0


def _codes(state: FightState, line: Sequence[Action]) -> list[int]:
    codes = [code_of_action(state, action) for action in line]
    if not isinstance(line[-1], EndTurn):
        codes.append(code_of_action(state, EndTurn()))
    return codes


def _expected(state: FightState, line: Sequence[Action]) -> list[tuple[FightState, Action]]:
    found = []
    actor, turn = state.actor.id, state.turn
    for action in line:
        if winner(state) is not None or (state.actor.id, state.turn) != (actor, turn):
            break
        found.append((state, action))
        try:
            state = apply_expected(state, action)
        except IllegalAction:
            break
    return found
