"""The fights of one window: whose turn, the turn's timer, the opponents' turns, results, and the next fight.

No Qt here: the caller passes the time and learns when to call again. What comes in are actions, from the
mouse, the keyboard or the link; what goes out are `Moment`s to paint and events for the log.
"""

import logging
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from botapp.arena.options import STRENGTHS, ArenaOptions
from botapp.arena.player_spec import make_player
from botapp.arena.scenarios import adventure, duel, encounter, outcome, team
from botapp.arena.window import chronicle
from botapp.arena.window.aim import highlights
from botapp.arena.window.layout import LINES
from botapp.arena.window.moment import NOTHING_POINTED, Highlights, Line, Moment, Pointed, usable
from botapp.arena.window.stage import Stage
from botapp.arena.window.words import say
from botapp.content.library import classes
from botapp.content.state_json import action_to_json
from botapp.fight.actions import Action, EndTurn, Ready
from botapp.fight.rules import IllegalAction, apply
from botapp.fight.state import FightState

_log = logging.getLogger(__name__)

THINK_S = 0.55
_WORDS = 12  # Lines of the log in words that are painted, if they fit
RESULT_S = 2.6
FRAME_S = 1 / 30


@dataclass(frozen=True, slots=True)
class _Before:
    """What an own action is taken back to: the state before it, and the dice that were still to fall."""

    state: FightState
    dice: tuple[Any, ...]
    opponent_dice: tuple[Any, ...]


class Bout:
    """A series of fights in time.

    Args:
        now: the time at the start, in seconds of the caller's monotonic clock.
        tell: gets the log's events (dicts with `event` and more).
    """

    def __init__(self, options: ArenaOptions, now: float, tell: Callable[[dict[str, Any]], None]) -> None:
        self.options = options
        self.autopilot = options.autopilot
        self.selected: str | None = None
        self.finished = False
        self._tell = tell
        self.opponents = "normal" if options.opponent == "greedy" else options.opponent
        self.opponent = make_player(STRENGTHS.get(self.opponents, self.opponents))
        self._adviser = make_player(options.adviser) if options.adviser else None
        self.fight = 0
        self._start(now)

    def _start(self, now: float) -> None:
        self.seed = self.options.seed + self.fight
        self.state = first_state(self.options, self.seed).changed(placing=self.options.placement)
        self.player = (
            next(f.id for f in self.state.fighters if f.team == self.options.side)
            if self.options.position_at is None
            else self.state.actor.id
        )
        self._dice = random.Random(f"arena {self.seed}")
        self._opponent_dice = random.Random(f"opponent {self.seed}")
        self._stage = Stage(self.state, self.options.speed)
        self._lines: list[Line] = []
        self._untold: list[Line] = []
        self._words: list[chronicle.Words] = []
        self._unwritten: list[chronicle.Words] = []
        self._past: list[_Before] = []
        self.winner: int | None = None
        self._result_at = 0.0
        self._begin_turn(now)

    def _begin_turn(self, now: float) -> None:
        self.selected = None
        self._deadline = now + self.options.turn_seconds
        self._think_at = now + THINK_S / self.options.speed
        self._write(chronicle.turn_line(self.state, self.options.language))
        self._words += chronicle.words_of_turn(self.state, self.options.language, now)

    @property
    def shown(self) -> FightState:
        """The state as painted; it lags behind `state` while an action is played out."""
        return self._stage.shown

    @property
    def team(self) -> int:
        return self.state.fighter(self.player).team

    @property
    def casts_written(self) -> list[tuple[str, str]]:
        """The casts that the log in words tells of: the caster's name and the spell's."""
        lines = [{part.role: part.text for part in line} for line in self._words]
        return [(line["name"], line["spell"]) for line in lines if "spell" in line]

    @property
    def free(self) -> bool:
        mine = self.state.actor.id == self.player and self._adviser is None
        return self.winner is None and not self._stage.busy and mine

    @property
    def goes_on(self) -> bool:
        return self.autopilot or self.options.fights is not None or self._adviser is not None

    @property
    def _plays_itself(self) -> bool:
        return self.state.actor.id != self.player or self._adviser is not None

    def _passing(self) -> Action:
        return Ready() if self.state.placing else EndTurn()

    def refusal(self) -> str:
        """Returns why an action of the person's fighter would not be taken now, "" when it would."""
        if self.winner is not None:
            return "the fight is over"
        if self.state.actor.id != self.player or self._adviser is not None:
            return "not your turn"
        return "busy" if self._stage.busy else ""

    def submit(self, action: Action, now: float) -> str:
        """Does an action of the person's fighter; returns why not, "" when it is accepted."""
        reason = self.refusal()
        if reason:
            return reason
        try:
            self._do(action, now)
        except IllegalAction as error:
            self._tell({"event": "refused", "action": action_to_json(action), "reason": str(error)})
            return str(error)
        return ""

    def submit_end(self, now: float) -> str:
        """Ends the person's turn, or says that the place is chosen; returns why not, "" when accepted."""
        return self.submit(self._passing(), now)

    def no_way_back(self) -> str:
        """Returns why the last own action cannot be taken back now, "" when it can.

        The app knows of it by a line of the chronicle, so that it keeps out of a log in words.
        """
        if self.winner is not None:
            return "the fight is over"
        if self.autopilot or self._adviser is not None:
            return "the advice plays"
        if self.options.log_words:
            return "not with the log in words"
        return "" if self._past else "nothing to take back"

    def take_back(self, now: float) -> str:
        """Takes back the last own action, what the others did since, and the dice of both; returns why not.

        The same action brings the same dice again: taking back is no second throw. The turn has all its time.
        """
        reason = self.no_way_back()
        if reason:
            return reason
        before = self._past.pop()
        self._dice.setstate(before.dice)
        self._opponent_dice.setstate(before.opponent_dice)
        self.state = before.state
        self._stage = Stage(self.state, self.options.speed)
        self._untold, self._unwritten = [], []
        self.selected = None
        self._deadline = now + self.options.turn_seconds
        self._tell({"event": "taken-back", "fighter": self.player})
        self._write(Line(say(self.options.language, "taken_back"), taken_back=True))
        return ""

    def copied(self) -> None:
        self._write(Line(say(self.options.language, "copied")))

    def begin_at(self, position: FightState, now: float) -> None:
        """Leaves this fight for one that begins at a position, played by its fighter at turn.

        Raises:
            ValueError: it cannot be played on from; the text, a message, says why.
        """
        self.options = replace(self.options, position_at=position, placement=False)
        self.fight += 1
        self._start(now)
        self._write(Line(say(self.options.language, "pasted")))

    def select(self, index: int) -> None:
        """Selects the spell in a slot, or none when it is selected already or cannot be cast now."""
        spells = self.state.fighter(self.player).spells
        if not self.free or self.state.placing or not 0 <= index < len(spells):
            return
        spell = spells[index]
        wanted = spell.key != self.selected and usable(self.state, self.state.actor, spell)
        self.selected = spell.key if wanted else None

    def change_opponents(self) -> None:
        """Lets the others play better, or badly again after the best; it holds from their next action on."""
        strengths = list(STRENGTHS)
        place = strengths.index(self.opponents) + 1 if self.opponents in STRENGTHS else 0
        self.opponents = strengths[place % len(strengths)]
        self.opponent = make_player(STRENGTHS[self.opponents])

    def next_fight(self, now: float) -> None:
        """Leaves the result screen: the next fight, or the end after the last one asked for."""
        if self.winner is None:
            return
        if self.options.fights is not None and self.fight + 1 >= self.options.fights:
            self.finished = True
            return
        self.fight += 1
        self._start(now)

    def advance(self, now: float) -> None:
        """Plays everything that is due at a time: motion, the opponents, the timer, the result's end."""
        self._stage.advance(now)
        self._tell_chronicle()
        if self.finished:
            return
        if self.winner is not None:
            if self.goes_on and now >= self._result_at + RESULT_S / self.options.speed:
                self.next_fight(now)
            return
        if self._stage.busy:
            return
        self.winner = outcome(self.state)
        if self.winner is not None:
            self._finish(now)
        elif now >= self._deadline:
            self._do(self._passing(), now)
        elif self._plays_itself and now >= self._think_at:
            self._think_at = now + THINK_S / self.options.speed
            self._let_opponent_play(now)

    def due(self, now: float) -> float | None:
        """Returns in how many seconds `advance` has something to do, None when it waits for the person."""
        if self._stage.moves:
            return FRAME_S
        if self.winner is not None:
            left = self._result_at + RESULT_S / self.options.speed - now
            return max(0.0, left) if self.goes_on else None
        left = self._deadline - now
        tick = left - math.floor(left) if left > 0 else 0.0
        if not self._plays_itself:
            return tick + 0.002
        return max(0.0, min(tick + 0.002, self._think_at - now))

    def moment(self, now: float, pointed: Pointed = NOTHING_POINTED) -> Moment:
        """Returns what to show at a time, with the mouse where it is."""
        shown = self.shown
        lit = Highlights()
        if self.free or shown.placing:
            me = shown.fighter(self.player)
            lit = highlights(shown, me, self.selected, pointed.cell)
        return Moment(
            player=self.player,
            seed=self.seed,
            mine=self.winner is None and shown.actor.id == self.player,
            selected=self.selected,
            hover_slot=pointed.slot,
            hover_cell=pointed.cell,
            hover_button=pointed.button,
            timer_s=max(0, math.ceil(self._deadline - now - 1e-6)) if self.winner is None else 0,
            turn_s=self.options.turn_seconds,
            autopilot=self.autopilot,
            language=self.options.language,
            highlights=lit,
            moving=self._stage.moving(now),
            struck=self._stage.struck,
            floaters=self._stage.floaters(now),
            flashes=self._stage.flashes,
            winner=self.winner,
            goes_on=self.goes_on,
            opponents=self.opponents,
            may_take_back=not self.no_way_back(),
            lines=() if self.options.log_words else tuple(self._lines[-LINES:]),
            words=tuple(self._words[-_WORDS:]) if self.options.log_words else None,
        )

    def _do(self, action: Action, now: float) -> None:
        before = self.state
        past = _Before(before, self._dice.getstate(), self._opponent_dice.getstate())
        after = apply(before, action, self._dice)
        if before.actor.id == self.player and not before.placing:
            self._past.append(past)
        who = "player" if before.actor.id == self.player else "other"
        self._tell(
            {"event": "action", "who": who, "fighter": before.actor.id, "action": action_to_json(action)}
        )
        self._untold = chronicle.action_lines(before, action, after, self.options.language)
        self._unwritten = chronicle.words_of(before, action, after, self.options.language, now)
        self.state = after
        self._stage.play(action, after, now)
        if isinstance(action, EndTurn | Ready):
            self._begin_turn(now)
        elif who == "player" and self.selected is not None:
            self.selected = None

    def _let_opponent_play(self, now: float) -> None:
        """Does what the opponent chooses; if it fails, or the rules refuse its choice, its turn ends."""
        actor = self.state.actor
        if self.state.placing:
            self._do(Ready(), now)
            return
        try:
            player = self._adviser if self._adviser is not None and actor.team == self.team else self.opponent
            self._do(player.choose(self.state, self._opponent_dice), now)
        except Exception as error:
            reason = str(error) or type(error).__name__
            _log.warning("%s (%s) could not play and passes: %s", actor.name, self.opponents, reason)
            self._tell({"event": "opponent-fault", "fighter": actor.id, "reason": reason})
            self._write(chronicle.fault_line(actor, self.options.language))
            self._do(EndTurn(), now)

    def _tell_chronicle(self) -> None:
        if self._stage.shown is self.state:
            self._write(*self._untold)
            self._words += self._unwritten
            self._untold, self._unwritten = [], []

    def _write(self, *lines: Line) -> None:
        self._lines += [replace(line, number=n) for n, line in enumerate(lines, start=len(self._lines))]

    def _finish(self, now: float) -> None:
        self._result_at = now
        self.selected = None
        self._tell(
            {
                "event": "fight-end",
                "fight": self.fight,
                "seed": self.seed,
                "winner": self.winner,
                "player_team": self.team,
                "turns": self.state.turn,
            }
        )


def first_state(options: ArenaOptions, seed: int) -> FightState:
    """Returns the fight that a seed starts with.

    Raises:
        KeyError: the class asked for does not exist; the text lists those there are.
    """
    if options.position_at is not None:
        return options.position_at
    if options.scenario == "duel":
        red, blue = (options.player_class if options.side == side else None for side in (0, 1))
        return duel(seed, red, blue)
    if options.scenario == "team":
        return team(seed)
    if options.player is not None:
        return encounter(seed, options.player, options.monsters, options.ground)
    kinds = sorted(classes())
    return adventure(seed, options.player_class or kinds[seed % len(kinds)])
