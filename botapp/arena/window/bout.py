"""The fights of one window: whose turn, the turn's timer, the opponents' turns, results, and the next fight.

No Qt here: the caller passes the time and learns when to call again. What comes in are actions, from the
mouse, the keyboard or the link; what goes out are `Moment`s to paint and events for the log.
"""

import logging
import math
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from botapp.arena.options import STRENGTHS, ArenaOptions
from botapp.arena.player_spec import make_player
from botapp.arena.scenarios import adventure, duel, encounter, outcome, team
from botapp.arena.window.aim import highlights
from botapp.arena.window.chronicle import Chronicle, fault_line
from botapp.arena.window.layout import LINES
from botapp.arena.window.moment import (
    NOTHING_POINTED,
    Buttons,
    Highlights,
    Line,
    Moment,
    Pointed,
    usable,
)
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


class OneFight:
    """A fight under way: its state and its dice, and the way back over the player's actions.

    Attributes:
        player: id of the person's fighter.
        opponent_dice: those that the other players throw to choose; `dice` are the rules' own.
        winner: None while it is on, else the winning team, -1 for a draw.
    """

    def __init__(self, options: ArenaOptions, seed: int) -> None:
        self.seed = seed
        self.state = first_state(options, seed).changed(placing=options.placement)
        self.player = (
            next(f.id for f in self.state.fighters if f.team == options.side)
            if options.position_at is None
            else self.state.actor.id
        )
        self.dice = random.Random(f"arena {seed}")
        self.opponent_dice = random.Random(f"opponent {seed}")
        self.winner: int | None = None
        self._past: list[tuple[FightState, tuple[Any, ...], tuple[Any, ...]]] = []

    @property
    def team(self) -> int:
        return self.state.fighter(self.player).team

    @property
    def has_past(self) -> bool:
        return bool(self._past)

    def play(self, action: Action) -> None:
        """Does an action of the fighter at turn.

        Raises:
            IllegalAction: the rules do not let it.
        """
        before = self.state
        past = before, self.dice.getstate(), self.opponent_dice.getstate()
        self.state = apply(before, action, self.dice)
        if before.actor.id == self.player and not before.placing:
            self._past.append(past)

    def take_back(self) -> None:
        """Goes back to before the player's last action: the state, and the dice that were still to fall."""
        self.state, dice, opponent_dice = self._past.pop()
        self.dice.setstate(dice)
        self.opponent_dice.setstate(opponent_dice)


class Bout:
    """A series of fights in time.

    Args:
        now: the time at the start, in seconds of the caller's monotonic clock.
        tell: gets the log's events (dicts with `event` and more).

    Attributes:
        number: counts the fights, from 0.
        fight: the present one.
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
        self.number = 0
        self._start(now)

    def _start(self, now: float) -> None:
        self.fight = OneFight(self.options, self.options.seed + self.number)
        self._stage = Stage(self.fight.state, self.options.speed)
        self.chronicle = Chronicle(self.options.language)
        self._begin_turn(now)

    def _begin_turn(self, now: float) -> None:
        self.selected = None
        self._deadline = now + self.options.turn_seconds  # Of the turn; after the fight, of its result
        self._think_at = now + THINK_S / self.options.speed
        self.chronicle.begin_turn(self.fight.state, now)

    @property
    def shown(self) -> FightState:
        """The state as painted; it lags behind `state` while an action is played out."""
        return self._stage.shown

    @property
    def free(self) -> bool:
        mine = self.fight.state.actor.id == self.fight.player and self._adviser is None
        return self.fight.winner is None and not self._stage.busy and mine

    @property
    def goes_on(self) -> bool:
        return self.autopilot or self.options.fights is not None or self._adviser is not None

    @property
    def _plays_itself(self) -> bool:
        return self.fight.state.actor.id != self.fight.player or self._adviser is not None

    def _passing(self) -> Action:
        return Ready() if self.fight.state.placing else EndTurn()

    def refusal(self) -> str:
        """Returns why an action of the person's fighter would not be taken now, "" when it would."""
        if self.fight.winner is not None:
            return "the fight is over"
        if self.fight.state.actor.id != self.fight.player or self._adviser is not None:
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
        if self.fight.winner is not None:
            return "the fight is over"
        if self.autopilot or self._adviser is not None:
            return "the advice plays"
        if self.options.log_words:
            return "not with the log in words"
        return "" if self.fight.has_past else "nothing to take back"

    def take_back(self, now: float) -> str:
        """Takes back the last own action, what the others did since, and the dice of both; returns why not.

        The same action brings the same dice again: taking back is no second throw. The turn has all its time.
        """
        reason = self.no_way_back()
        if reason:
            return reason
        self.fight.take_back()
        self._stage = Stage(self.fight.state, self.options.speed)
        self.chronicle.drop()
        self.selected = None
        self._deadline = now + self.options.turn_seconds
        self._tell({"event": "taken-back", "fighter": self.fight.player})
        self.chronicle.write(Line(say(self.options.language, "taken_back"), taken_back=True))
        return ""

    def copied(self) -> None:
        self.chronicle.write(Line(say(self.options.language, "copied")))

    def begin_at(self, position: FightState, now: float) -> None:
        """Leaves this fight for one that begins at a position, played by its fighter at turn.

        Raises:
            ValueError: it cannot be played on from; the text, a message, says why.
        """
        self.options = replace(self.options, position_at=position, placement=False)
        self.number += 1
        self._start(now)
        self.chronicle.write(Line(say(self.options.language, "pasted")))

    def select(self, index: int) -> None:
        """Selects the spell in a slot, or none when it is selected already or cannot be cast now."""
        spells = self.fight.state.fighter(self.fight.player).spells
        if not self.free or self.fight.state.placing or not 0 <= index < len(spells):
            return
        spell = spells[index]
        wanted = spell.key != self.selected and usable(self.fight.state, self.fight.state.actor, spell)
        self.selected = spell.key if wanted else None

    def change_opponents(self) -> None:
        """Lets the others play better, or badly again after the best; it holds from their next action on."""
        strengths = list(STRENGTHS)
        place = strengths.index(self.opponents) + 1 if self.opponents in STRENGTHS else 0
        self.opponents = strengths[place % len(strengths)]
        self.opponent = make_player(STRENGTHS[self.opponents])

    def next_fight(self, now: float) -> None:
        """Leaves the result screen: the next fight, or the end after the last one asked for."""
        if self.fight.winner is None:
            return
        if self.options.fights is not None and self.number + 1 >= self.options.fights:
            self.finished = True
            return
        self.number += 1
        self._start(now)

    def advance(self, now: float) -> None:
        """Plays everything that is due at a time: motion, the opponents, the timer, the result's end."""
        self._stage.advance(now)
        if self._stage.shown is self.fight.state:
            self.chronicle.tell()
        if self.finished:
            return
        if self.fight.winner is not None:
            if self.goes_on and now >= self._deadline:
                self.next_fight(now)
            return
        if self._stage.busy:
            return
        self.fight.winner = outcome(self.fight.state)
        if self.fight.winner is not None:
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
        left = self._deadline - now
        if self.fight.winner is not None:
            return max(0.0, left) if self.goes_on else None
        tick = left - math.floor(left) if left > 0 else 0.0
        if not self._plays_itself:
            return tick + 0.002
        return max(0.0, min(tick + 0.002, self._think_at - now))

    def moment(self, now: float, pointed: Pointed = NOTHING_POINTED) -> Moment:
        """Returns what to show at a time, with the mouse where it is."""
        shown = self.shown
        lit = Highlights()
        if self.free or shown.placing:
            me = shown.fighter(self.fight.player)
            lit = highlights(shown, me, self.selected, pointed.cell)
        return Moment(
            player=self.fight.player,
            seed=self.fight.seed,
            mine=self.fight.winner is None and shown.actor.id == self.fight.player,
            selected=self.selected,
            pointed=pointed,
            timer_s=max(0, math.ceil(self._deadline - now - 1e-6)) if self.fight.winner is None else 0,
            turn_s=self.options.turn_seconds,
            buttons=Buttons(self.autopilot, self.opponents, not self.no_way_back()),
            language=self.options.language,
            highlights=lit,
            motion=self._stage.motion(now),
            winner=self.fight.winner,
            goes_on=self.goes_on,
            lines=() if self.options.log_words else tuple(self.chronicle.lines[-LINES:]),
            words=tuple(self.chronicle.words[-_WORDS:]) if self.options.log_words else None,
        )

    def _do(self, action: Action, now: float) -> None:
        before = self.fight.state
        self.fight.play(action)
        after = self.fight.state
        who = "player" if before.actor.id == self.fight.player else "other"
        self._tell(
            {"event": "action", "who": who, "fighter": before.actor.id, "action": action_to_json(action)}
        )
        self.chronicle.hold(before, action, after, now)
        self._stage.play(action, after, now)
        if isinstance(action, EndTurn | Ready):
            self._begin_turn(now)
        elif who == "player":
            self.selected = None

    def _let_opponent_play(self, now: float) -> None:
        """Does what the opponent chooses; if it fails, or the rules refuse its choice, its turn ends."""
        actor = self.fight.state.actor
        if self.fight.state.placing:
            self._do(Ready(), now)
            return
        try:
            player = (
                self._adviser
                if self._adviser is not None and actor.team == self.fight.team
                else self.opponent
            )
            self._do(player.choose(self.fight.state, self.fight.opponent_dice), now)
        except Exception as error:
            reason = str(error) or type(error).__name__
            _log.warning("%s (%s) could not play and passes: %s", actor.name, self.opponents, reason)
            self._tell({"event": "opponent-fault", "fighter": actor.id, "reason": reason})
            self.chronicle.write(fault_line(actor, self.options.language))
            self._do(EndTurn(), now)

    def _finish(self, now: float) -> None:
        self._deadline = now + RESULT_S / self.options.speed
        self.selected = None
        self._tell(
            {
                "event": "fight-end",
                "fight": self.number,
                "seed": self.fight.seed,
                "winner": self.fight.winner,
                "player_team": self.fight.team,
                "turns": self.fight.state.turn,
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
