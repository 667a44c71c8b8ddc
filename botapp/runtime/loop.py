"""Takes one frame through every stage: look, read, situate, decide; each turn of the loop makes a `Snapshot`.

The stages come in as functions, so that tests can run the loop without a window or a model. A stage that
raises costs that frame only: the log has the trace, the snapshot the reason.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from botapp.advisor.decision import Decision, ScoredAction, Withheld
from botapp.fight.actions import Action
from botapp.fight.state import FightState
from botapp.host.message import error_text, mark, say
from botapp.runtime.messages import DeviceStatus, MemoryStatus, Snapshot
from botapp.runtime.turns import Threat, TurnOutlook
from botapp.runtime.watch import Sight
from botapp.runtime.whole_turns import outlook
from botapp.tracking.situation import Situation
from vision.frame import Frame, Rect
from vision.view import FightView, Phase

_log = logging.getLogger(__name__)
_MEMORY_EVERY_S = 1.0
_REPEAT_LOG_S = 30.0
_SLOW_BUDGET_MS = 150.0
_DECIDING = ("decision", "plan", "threat")  # The stages that search and think

_FAILURES: Mapping[str, str] = {
    "capture": mark("The window cannot be captured: {problem} See the log for details."),
    "vision": mark("The picture cannot be read: {problem} See the log for details."),
    "situation": mark("The state of the fight cannot be worked out: {problem} See the log for details."),
    "decision": mark("The advice failed: {problem} See the log for details."),
    "plan": mark("The rest of the turn cannot be predicted: {problem}"),
    "threat": mark("What the enemy threatens cannot be worked out: {problem}"),
    "memory": mark("The memory in use cannot be measured: {problem}"),
}
"""What is shown when a stage raised; failures of planning and of memory reporting are only logged."""


_LAST_S = 2.0  # With less of the turn's time left than this nothing is thought on any more
_FILLED, _LEAST_SLICE_S = 0.85, 0.02
"""How much of the time between two pictures thinking on may fill, and what it takes at least."""


class NoAdvisor(Exception):
    """Nothing can advise; the text names what is missing and the remedy."""


class _StageError(Exception):
    """A stage failed; the text is the reason for a person."""


@dataclass(frozen=True, slots=True)
class Stages:
    """The stages that a frame goes through, each as a function."""

    look: Callable[[], Sight]
    read: Callable[[Frame], FightView]
    # Makes a state of what was read and of what is known from the frames before
    situate: Callable[[FightView], Situation]
    # Thinks about a state, and about what was planned before for the rest of its turn; raises `NoAdvisor`
    # when there is nothing to think with, `Withheld` for a state that no advice is given for
    decide: Callable[[FightState, Sequence[Action]], Decision]
    # Takes what is called with a model's first answer while it thinks on; None turns it off
    hear: Callable[[Callable[[ScoredAction], object] | None], object] = lambda _: None
    # Looks ahead to the rest of the turn; asked while a decision's state is on screen again
    plan: Callable[[FightState, Decision], Decision] = lambda _, decision: decision
    # Thinks on about a state that is decided, until a time of `time.perf_counter`; returns a deeper decision
    # where there is one, None else
    think_on: Callable[[FightState, Decision, float], Decision | None] = lambda _, __, ___: None
    # Looks into the turn of an enemy; is given what is known of the fight and the id of the person's fighter
    threat: Callable[[FightState, int], Threat | None] = lambda _, __: None
    # Looks into the turn of the enemy that comes after an own turn; is given what is known of the fight and
    # the turn's actions
    reply: Callable[[FightState, Sequence[Action]], Threat | None] = lambda _, __: None
    # Says whose screen the last picture shows in place of the watched client's
    clients: Callable[[], tuple[str, ...]] = tuple
    # Says where the last reading has the spells on the bar, by key
    slots: Callable[[], tuple[tuple[str, Rect], ...]] = tuple
    # Tells whether the person has confirmed where the board of a reading is, or need not
    board_confirmed: Callable[[FightView], bool] = lambda _: True
    # Puts the picture where the Vision panel finds it; returns the number it can be found by
    show: Callable[[Frame], int] = lambda _: -1
    note: Callable[[FightView], None] = lambda _: None  # Is given every reading
    # Is given the picture of each new decision; returns the file name under which it is kept, "" for none
    keep: Callable[[Frame], str] = lambda _: ""
    device: Callable[[], DeviceStatus | None] = lambda: None  # Where the advisor runs
    memory: Callable[[], MemoryStatus | None] = lambda: None


class Loop:
    """Runs the stages, one frame at a time, and keeps the last decision.

    Attributes:
        dropped: pictures that were not taken because the one before took too long; the worker counts them.
        budget_ms: the time a decision may take; a long one is announced before it begins.
        think_on_s: how long is thought on about a state after that, at most, in seconds; 0 for not at all.
        period_s: the time from one picture to the next, most of which thinking on may fill.
    """

    def __init__(self, stages: Stages) -> None:
        self.stages = stages
        self.dropped = 0
        self.budget_ms = 50.0
        self.think_on_s = 0.0
        self.period_s = 0.1
        self._begun = 0.0
        self._thought_s = 0.0
        self._frames = 0
        self._decisions = 0
        self._decided: tuple[FightState, Decision | Withheld, int] | None = None
        self._turn: TurnOutlook | None = None
        self._reply: tuple[FightState, tuple[Action, ...], Threat | None] | None = None
        self._frame: Frame | None = None
        self._picture = ""
        self._planned = False
        self._to_think_on: Snapshot | None = None
        self._fight = self._taken_back = 0
        self._costs_ms: dict[str, float] = {}
        self._deciding_s = 0.0
        self._memory: MemoryStatus | None = None
        self._memory_at = 0.0
        self._logged: dict[str, float] = {}

    def forget(self) -> None:
        """Drops the last decision: another window, other settings."""
        self._decided = None

    def paused(self) -> Snapshot:
        """Returns what to show while nothing is watched."""
        return self._snapshot(Sight("paused", say("Paused.")))

    def step(self, announce: Callable[[Snapshot], object] = lambda _: None) -> Snapshot:
        """Takes one frame through every stage.

        Args:
            announce: is given the snapshot without its decision when thinking may take long.
        """
        self._costs_ms, self._to_think_on = {}, None
        self._begun = time.perf_counter()
        sight = Sight("unsupported")
        snapshot: Snapshot | None = None
        try:
            with self._stage("capture"):
                sight = self.stages.look()
            if sight.frame is None:
                return self._snapshot(sight)
            frame = replace(sight.frame, seq=self._frames)
            self._frames += 1
            self._frame = frame
            sight = replace(sight, frame=frame)
            snapshot = self._snapshot(sight)
            with self._stage("vision"):
                view = self.stages.read(frame)
                self.stages.note(view)
                clients = self.stages.clients()
                snapshot = replace(snapshot, view=view, clients=clients, preview_seq=self.stages.show(frame))
            return self._understand(snapshot, view, announce)
        except _StageError as error:
            snapshot = snapshot or self._snapshot(sight)
            return self._sent(snapshot, advice="withheld", reason=error_text(error))

    def _understand(
        self, snapshot: Snapshot, view: FightView, announce: Callable[[Snapshot], object]
    ) -> Snapshot:
        with self._stage("situation"):
            situation = self.stages.situate(view)
        self._fight, self._taken_back = situation.memory.fight, situation.memory.taken_back
        confirmed = self.stages.board_confirmed(view)
        snapshot = replace(
            snapshot,
            fight=self._fight,
            taken_back=self._taken_back,
            level=situation.level,
            board_confirmed=confirmed,
            sheet=situation.sheet,
            shown_class=situation.shown_class,
        )
        if situation.settling:
            return self._sent(snapshot, state=situation.picture, advice="settling")
        phase = view.phase.value
        if phase in (None, Phase.UNKNOWN, Phase.NOT_FIGHT) and snapshot.capture == "watching":
            none = phase is Phase.NOT_FIGHT
            return self._sent(snapshot, capture="no-fight" if none else "unread", reason=situation.withheld)
        state = situation.state
        snapshot = replace(snapshot, state=state if state is not None else situation.picture)
        if state is None:
            if situation.not_my_turn:
                threat = self._threatened(situation.picture, view)
                return self._sent(snapshot, advice="not-my-turn", threat=threat)
            return self._sent(snapshot, advice="withheld", reason=snapshot.reason or situation.withheld)
        return self._think(snapshot, state, announce)

    def _threatened(self, picture: FightState | None, view: FightView) -> Threat | None:
        """Returns what the enemy at turn may do; None where too little is known, or looking failed."""
        own = view.own_cell
        me = next((f for f in picture.fighters if f.alive and f.cell == own), None) if picture else None
        if picture is None or me is None:
            return None
        try:
            with self._stage("threat"):
                return self.stages.threat(picture, me.id)
        except _StageError:
            return None
        finally:
            del self._costs_ms["threat"]

    def _think(
        self, snapshot: Snapshot, state: FightState, announce: Callable[[Snapshot], object]
    ) -> Snapshot:
        """Adds the decision for a state; for the same state as before it is the same decision.

        The rest of the turn is looked for when the state is seen a second time: the decision itself is out by
        then, and there is nothing else to think about.
        """
        if self._decided is None or self._decided[0] != state:
            if self.budget_ms >= _SLOW_BUDGET_MS:
                announce(self._sent(snapshot, advice="thinking"))
            self.stages.hear(lambda reflex: announce(self._sent(snapshot, advice="thinking", reflex=reflex)))
            try:
                with self._stage("decision"):
                    answer = self._answer(state)
            except NoAdvisor as error:
                return self._sent(snapshot, advice="none", reason=error_text(error))
            finally:
                self.stages.hear(None)
                del self._costs_ms["decision"]
            self._decided, self._planned, self._thought_s = (state, answer, snapshot.seq), False, 0.0
            if isinstance(answer, Decision):
                self._costs_ms |= dict(answer.timings_ms)
                self._decisions += 1
                self._turn = self._whole_turns(state, answer)
                self._picture = self.stages.keep(self._frame) if self._frame is not None else ""
        elif not self._planned:
            self._decided = self._look_ahead(*self._decided)
        else:
            self._to_think_on = snapshot
        state, answer, seq = self._decided
        if isinstance(answer, Withheld):
            return self._sent(snapshot, advice="withheld", reason=error_text(answer))
        slots = self.stages.slots()
        return self._sent(
            snapshot,
            advice="fresh",
            decision=answer,
            decided_seq=seq,
            turn=self._turn,
            threat=self._expected_reply(state, answer),
            slots=slots,
            picture=self._picture,
        )

    def _answer(self, state: FightState) -> Decision | Withheld:
        try:
            return self.stages.decide(state, self._rest_of_turn(state))
        except Withheld as refusal:
            return refusal

    def _rest_of_turn(self, state: FightState) -> tuple[Action, ...]:
        """Returns what the decision before had in mind for the rest of the turn that a state belongs to."""
        if self._decided is None:
            return ()
        before, answer, _ = self._decided
        if not isinstance(answer, Decision) or before.placing or state.placing:
            return ()
        if (before.turn, before.actor.id) != (state.turn, state.actor.id):
            return ()
        return answer.best.line[1:]

    def _whole_turns(
        self, state: FightState, decision: Decision, before: TurnOutlook | None = None
    ) -> TurnOutlook | None:
        """Returns the best whole turns; where that fails the decision stands without them.

        `before` are those of a less deep decision about the state.
        """
        if state.placing:
            return None
        try:
            with self._stage("plan"):
                return outlook(state, decision, before)
        except _StageError:
            return None
        finally:
            del self._costs_ms["plan"]

    def _look_ahead(
        self, state: FightState, answer: Decision | Withheld, seq: int
    ) -> tuple[FightState, Decision | Withheld, int]:
        """Adds the rest of the turn to a decision, once; where that fails the decision stays as it is."""
        self._planned = True
        if isinstance(answer, Decision):
            try:
                with self._stage("plan"):
                    answer = self.stages.plan(state, answer)
            except (_StageError, NoAdvisor):
                return state, answer, seq
            finally:
                del self._costs_ms["plan"]
        return state, answer, seq

    def think_on(self) -> None:
        """Spends what is left until the next picture on a deeper decision, as settings and turn allow.

        To be called once the last snapshot is out, which it would only delay; what it finds goes out with the
        next one of the same state.
        """
        snapshot, self._to_think_on = self._to_think_on, None
        if snapshot is None or self._decided is None:
            return
        state, answer, seq = self._decided
        left_s = snapshot.view.timer_s.value if snapshot.view is not None else None
        if isinstance(answer, Withheld) or state.placing or self.budget_ms <= 0:
            return
        self._look_for_reply(state, answer)
        if self._thought_s >= self.think_on_s > 0 and answer.going_on:
            self._decided = state, replace(answer, stop="think-limit"), seq
        if self._thought_s >= self.think_on_s or (left_s is not None and left_s < _LAST_S):
            return
        begun = time.perf_counter()
        until = max(self._begun + _FILLED * self.period_s, begun + _LEAST_SLICE_S)
        try:
            with self._stage("plan"):
                found = self.stages.think_on(state, answer, until)
        except (_StageError, NoAdvisor, Withheld):
            self._thought_s = self.think_on_s
            return
        finally:
            del self._costs_ms["plan"]
            self._thought_s += time.perf_counter() - begun
        if found is not None:
            self._decided = state, replace(found, plan=answer.plan if _same_turn(found, answer) else ()), seq
            self._turn = self._whole_turns(state, found, self._turn)

    def _look_for_reply(self, state: FightState, answer: Decision) -> None:
        """Looks into what the next enemy may do after the turn as advised, once for each such turn."""
        actions = self._advised_actions(answer)
        if self._reply is not None and self._reply[0] is state and self._reply[1] == actions:
            return
        threat = None
        try:
            with self._stage("threat"):
                threat = self.stages.reply(state, actions)
        except _StageError:
            pass
        finally:
            del self._costs_ms["threat"]
        self._reply = state, actions, threat

    def _expected_reply(self, state: FightState, answer: Decision) -> Threat | None:
        """Returns what was found of the reply to the turn as advised now, None where it is not known yet."""
        if self._reply is None or self._reply[0] is not state:
            return None
        return self._reply[2] if self._reply[1] == self._advised_actions(answer) else None

    def _advised_actions(self, answer: Decision) -> tuple[Action, ...]:
        lines = self._turn.lines if self._turn is not None else ()
        return (
            tuple(step.action for step in lines[0].steps) if lines else answer.best.line or (answer.action,)
        )

    def _snapshot(self, sight: Sight) -> Snapshot:
        """Returns a snapshot of what was seen, without anything that was made of it."""
        now = time.monotonic_ns()
        return Snapshot(
            seq=sight.frame.seq if sight.frame else self._frames,
            captured_ns=sight.frame.captured_ns if sight.frame else now,
            sent_ns=now,
            capture=sight.capture,
            advice="none",
            reason=sight.reason,
            window=sight.window,
            fight=self._fight,
            taken_back=self._taken_back,
            stages_ms=tuple(self._costs_ms.items()),
            device=self.stages.device(),
            memory=self._measured(),
            frames=self._frames,
            dropped=self.dropped,
            decisions=self._decisions,
            deciding_s=self._deciding_s,
        )

    def _sent(self, snapshot: Snapshot, **changes: object) -> Snapshot:
        counters = {"decisions": self._decisions, "deciding_s": self._deciding_s}
        stages = tuple(self._costs_ms.items())
        sent = {**counters, "stages_ms": stages, **changes, "sent_ns": time.monotonic_ns()}
        return replace(snapshot, **sent)  # type: ignore[arg-type]

    def _measured(self) -> MemoryStatus | None:
        if time.monotonic() >= self._memory_at:
            self._memory_at = time.monotonic() + _MEMORY_EVERY_S
            try:
                with self._stage("memory"):
                    self._memory = self.stages.memory()
            except _StageError:
                self._memory = None
            del self._costs_ms["memory"]
        return self._memory

    @contextmanager
    def _stage(self, stage: str) -> Iterator[None]:
        """Times a stage; whatever it raises is logged and becomes a `_StageError`."""
        start, worked = time.perf_counter(), time.process_time()
        try:
            yield
        except NoAdvisor:
            raise
        except Exception as error:
            text = say(_FAILURES[stage], problem=f"{type(error).__name__}: {error_text(error)}.")
            now = time.monotonic()
            self._logged = {told: until for told, until in self._logged.items() if until > now}
            if text not in self._logged:
                self._logged[text] = now + _REPEAT_LOG_S
                _log.exception(text)
            raise _StageError(text) from error
        finally:
            self._costs_ms[stage] = (time.perf_counter() - start) * 1e3
            if stage in _DECIDING:
                self._deciding_s += time.process_time() - worked


def _same_turn(one: Decision, other: Decision) -> bool:
    return one.best.line == other.best.line
