"""Takes one frame through every stage: look, read, situate, decide; each turn of the loop makes a `Snapshot`.

A stage that raises costs that frame only: the log has the trace, the snapshot the reason.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from botapp.advisor.decision import Decision, Withheld
from botapp.fight.actions import Action
from botapp.fight.state import FightState
from botapp.host.message import error_text, say
from botapp.runtime.messages import MemoryStatus, Snapshot
from botapp.runtime.stages import NoAdvisor, StageClock, StageError, Stages
from botapp.runtime.turns import Threat, TurnOutlook
from botapp.runtime.watch import Sight
from botapp.runtime.whole_turns import outlook
from vision.frame import Frame
from vision.view import FightView, Phase

_MEMORY_EVERY_S = 1.0
_SLOW_BUDGET_MS = 150.0
_LAST_S = 2.0  # With less of the turn's time left than this nothing is thought on any more
_FILLED, _LEAST_SLICE_S = 0.85, 0.02
"""How much of the time between two pictures thinking on may fill, and what it takes at least."""


@dataclass(slots=True)
class _Advice:
    """What was decided about a state, and what is found of it for as long as the state is on screen."""

    state: FightState
    answer: Decision | Withheld
    seq: int  # Of the frame that it was decided for
    turn: TurnOutlook | None = None
    picture: str = ""
    planned: bool = False
    thought_s: float = 0.0
    # What the next enemy may do after the turn that these actions are; None before it was looked into
    reply: tuple[tuple[Action, ...], Threat | None] | None = None

    def rest_of_turn(self, state: FightState) -> tuple[Action, ...]:
        """Returns what it had in mind for the rest of the turn that a state belongs to."""
        before, answer = self.state, self.answer
        if not isinstance(answer, Decision) or before.placing or state.placing:
            return ()
        if (before.turn, before.actor.id) != (state.turn, state.actor.id):
            return ()
        return answer.best.line[1:]

    def actions(self, answer: Decision) -> tuple[Action, ...]:
        """Returns the turn as it is advised."""
        lines = self.turn.lines if self.turn is not None else ()
        if lines:
            return tuple(step.action for step in lines[0].steps)
        return answer.best.line or (answer.action,)

    def expected_reply(self, answer: Decision) -> Threat | None:
        """Returns what was found of the reply to the turn as advised now, None where it is not known yet."""
        if self.reply is None or self.reply[0] != self.actions(answer):
            return None
        return self.reply[1]


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
        self._frames = 0
        self._decisions = 0
        self._advice: _Advice | None = None
        self._to_think_on: Snapshot | None = None
        self._fight = self._taken_back = 0
        self._clock = StageClock()
        self._memory: MemoryStatus | None = None
        self._memory_at = 0.0

    def forget(self) -> None:
        """Drops the last decision: another window, other settings."""
        self._advice = None

    def paused(self) -> Snapshot:
        return self._snapshot(Sight("paused", say("Paused.")))

    def step(self, announce: Callable[[Snapshot], object] = lambda _: None) -> Snapshot:
        """Takes one frame through every stage.

        Args:
            announce: is given the snapshot without its decision when thinking may take long.
        """
        self._clock.costs_ms, self._to_think_on = {}, None
        self._begun = time.perf_counter()
        sight = Sight("unsupported")
        snapshot: Snapshot | None = None
        try:
            with self._clock.stage("capture"):
                sight = self.stages.look()
            if sight.frame is None:
                return self._snapshot(sight)
            frame = replace(sight.frame, seq=self._frames)
            self._frames += 1
            sight = replace(sight, frame=frame)
            snapshot = self._snapshot(sight)
            with self._clock.stage("vision"):
                view = self.stages.read(frame)
                self.stages.note(view)
                clients = self.stages.clients()
                snapshot = replace(snapshot, view=view, clients=clients, preview_seq=self.stages.show(frame))
            return self._understand(snapshot, frame, view, announce)
        except StageError as error:
            snapshot = snapshot or self._snapshot(sight)
            return self._sent(snapshot, advice="withheld", reason=error_text(error))

    def _understand(
        self, snapshot: Snapshot, frame: Frame, view: FightView, announce: Callable[[Snapshot], object]
    ) -> Snapshot:
        with self._clock.stage("situation"):
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
        return self._think(snapshot, frame, state, announce)

    def _threatened(self, picture: FightState | None, view: FightView) -> Threat | None:
        """Returns what the enemy at turn may do; None where too little is known, or looking failed."""
        own = view.own_cell
        me = next((f for f in picture.fighters if f.alive and f.cell == own), None) if picture else None
        if picture is None or me is None:
            return None
        threat = self.stages.advising.threat
        return self._clock.result_of("threat", lambda: threat(picture, me.id))

    def _think(
        self, snapshot: Snapshot, frame: Frame, state: FightState, announce: Callable[[Snapshot], object]
    ) -> Snapshot:
        """Adds the decision for a state; for the same state as before it is the same decision.

        The rest of the turn is looked for when the state is seen a second time: the decision itself is out by
        then, and there is nothing else to think about.
        """
        advice = self._advice
        if advice is None or advice.state != state:
            if self.budget_ms >= _SLOW_BUDGET_MS:
                announce(self._sent(snapshot, advice="thinking"))
            hear = self.stages.advising.hear
            hear(lambda reflex: announce(self._sent(snapshot, advice="thinking", reflex=reflex)))
            try:
                with self._clock.stage("decision"):
                    answer = self._answer(state)
            except NoAdvisor as error:
                return self._sent(snapshot, advice="none", reason=error_text(error))
            finally:
                hear(None)
            advice = self._advice = _Advice(state, answer, snapshot.seq)
            if isinstance(answer, Decision):
                self._clock.costs_ms |= dict(answer.effort.timings_ms)
                self._decisions += 1
                advice.turn = self._whole_turns(state, answer)
                advice.picture = self.stages.keep(frame)
        elif not advice.planned:
            advice.planned = True
            if isinstance(advice.answer, Decision):
                with suppress(StageError, NoAdvisor), self._clock.stage("plan"):
                    advice.answer = self.stages.advising.plan(state, advice.answer)
        else:
            self._to_think_on = snapshot
        if isinstance(advice.answer, Withheld):
            return self._sent(snapshot, advice="withheld", reason=error_text(advice.answer))
        return self._sent(
            snapshot,
            advice="fresh",
            decision=advice.answer,
            decided_seq=advice.seq,
            turn=advice.turn,
            threat=advice.expected_reply(advice.answer),
            slots=self.stages.slots(),
            picture=advice.picture,
        )

    def _answer(self, state: FightState) -> Decision | Withheld:
        rest = () if self._advice is None else self._advice.rest_of_turn(state)
        try:
            return self.stages.advising.decide(state, rest)
        except Withheld as refusal:
            return refusal

    def _whole_turns(
        self, state: FightState, decision: Decision, before: TurnOutlook | None = None
    ) -> TurnOutlook | None:
        """Returns the best whole turns; where that fails the decision stands without them.

        `before` are those of a less deep decision about the state.
        """
        if state.placing:
            return None
        return self._clock.result_of("plan", lambda: outlook(state, decision, before))

    def think_on(self) -> None:
        """Spends what is left until the next picture on a deeper decision, as settings and turn allow.

        To be called once the last snapshot is out, which it would only delay; what it finds goes out with the
        next one of the same state.
        """
        snapshot, self._to_think_on = self._to_think_on, None
        advice = self._advice
        if snapshot is None or advice is None:
            return
        state, answer = advice.state, advice.answer
        left_s = snapshot.view.timer_s.value if snapshot.view is not None else None
        if isinstance(answer, Withheld) or state.placing or self.budget_ms <= 0:
            return
        self._look_for_reply(advice, answer)
        if advice.thought_s >= self.think_on_s > 0 and answer.going_on:
            advice.answer = replace(answer, stop="think-limit")
        if advice.thought_s >= self.think_on_s or (left_s is not None and left_s < _LAST_S):
            return
        begun = time.perf_counter()
        until = max(self._begun + _FILLED * self.period_s, begun + _LEAST_SLICE_S)
        try:
            with self._clock.stage("plan"):
                better = self.stages.advising.think_on(state, answer, until)
        except (StageError, NoAdvisor):
            advice.thought_s = self.think_on_s
            return
        finally:
            advice.thought_s += time.perf_counter() - begun
        if better is not None:
            same_turn = better.best.line == answer.best.line
            advice.answer = replace(better, plan=answer.plan if same_turn else ())
            advice.turn = self._whole_turns(state, better, advice.turn)

    def _look_for_reply(self, advice: _Advice, answer: Decision) -> None:
        """Looks into what the next enemy may do after the turn as advised, once for each such turn."""
        actions = advice.actions(answer)
        if advice.reply is None or advice.reply[0] != actions:
            reply = self.stages.advising.reply
            advice.reply = actions, self._clock.result_of("threat", lambda: reply(advice.state, actions))

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
            stages_ms=tuple(self._clock.costs_ms.items()),
            device=self.stages.advising.device(),
            memory=self._measured(),
            frames=self._frames,
            dropped=self.dropped,
            decisions=self._decisions,
            deciding_s=self._clock.deciding_s,
        )

    def _sent(self, snapshot: Snapshot, **changes: object) -> Snapshot:
        counters = {"decisions": self._decisions, "deciding_s": self._clock.deciding_s}
        stages = tuple(self._clock.costs_ms.items())
        sent = {**counters, "stages_ms": stages, **changes, "sent_ns": time.monotonic_ns()}
        return replace(snapshot, **sent)  # type: ignore[arg-type]

    def _measured(self) -> MemoryStatus | None:
        if time.monotonic() >= self._memory_at:
            self._memory_at = time.monotonic() + _MEMORY_EVERY_S
            self._memory = self._clock.result_of("memory", self.stages.memory)
        return self._memory
