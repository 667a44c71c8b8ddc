"""The practice arena as a child process: starts its window, sends it actions, hears whether it took them.

Nothing but "accepted" or "refused" ever comes back; what the arena knows stays there. `Forwarder` plays one
decision after the other into it.
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Condition, Thread
from typing import IO

from botapp.advisor.decision import Decision
from botapp.content.state_json import action_to_json
from botapp.fight.actions import Action, EndTurn
from botapp.host.children import hold, tied
from botapp.runtime.messages import Snapshot
from hrm.backends.probing.child import child_environment

END_S = _ANSWER_S = 5.0
_BUSY = "busy"


@dataclass(frozen=True, slots=True)
class ArenaReply:
    """What the arena said to an action: taken, or refused and why."""

    accepted: bool
    reason: str = ""


GONE = ArenaReply(False, "the arena is gone")
_TOO_LATE = ("not your turn", "autopilot is off", GONE.reason)


class ArenaProcess:
    """An arena window in a process of its own. Safe to use from several threads."""

    def __init__(self, arguments: Sequence[str], program: Sequence[str] | None = None) -> None:
        """Starts it.

        Args:
            arguments: those of `botapp arena`, without `--link`.
            program: what is started in place of `python -m botapp arena --link`.

        Raises:
            OSError: it cannot be started.
        """
        own = [sys.executable, "-P", "-m", "botapp", "arena", "--link"]
        command = own if program is None else list(program)
        self._process = subprocess.Popen(
            tied([*command, *arguments]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=child_environment(),
        )
        hold(self._process.pid)
        self._answers: dict[int, ArenaReply] = {}
        self._changed = Condition()
        self._last_id = 0
        assert self._process.stdout is not None
        self._reader = Thread(
            target=self._listen, args=(self._process.stdout,), name="arena-answers", daemon=True
        )
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    @property
    def exit_code(self) -> int | None:
        """How the process ended: 0 when its window was closed, None while it runs."""
        return self._process.poll()

    def ask(self, action: Action, wait_s: float = _ANSWER_S) -> ArenaReply:
        return self._ask({"action": action_to_json(action)}, wait_s)

    def switch_autopilot(self, on: bool) -> ArenaReply:
        """Makes the arena take actions from here or not, and show which; waits for the answer."""
        return self._ask({"autopilot": on}, _ANSWER_S)

    def _ask(self, message: dict[str, object], wait_s: float) -> ArenaReply:
        assert self._process.stdin is not None
        with self._changed:
            self._last_id += 1
            number = self._last_id
            try:
                self._process.stdin.write(json.dumps({"id": number, **message}) + "\n")
                self._process.stdin.flush()
            except (OSError, ValueError):
                return GONE
            self._changed.wait_for(lambda: number in self._answers or not self._reader.is_alive(), wait_s)
            return self._answers.pop(number, GONE)

    def wait(self, timeout_s: float) -> bool:
        """Waits for the window to close by itself; tells whether it did."""
        try:
            self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def stop(self) -> None:
        if self.running:
            self._process.terminate()
            if not self.wait(END_S):
                self._process.kill()
                self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue

    def _listen(self, stream: IO[str]) -> None:
        for line in stream:
            try:
                said = json.loads(line)
                answer = ArenaReply(bool(said["accepted"]), str(said.get("reason", "")))
                number = int(said["id"])
            except (ValueError, KeyError, TypeError):
                continue
            with self._changed:
                self._answers[number] = answer
                self._changed.notify_all()
        with self._changed:
            self._changed.notify_all()


class Forwarder:
    """Plays decisions into the arena on a thread of its own, once a later frame has confirmed them.

    A decision may have been made in the middle of an animation, for a state that never was. So it is played
    only when a later frame still shows the state it was made for; while the arena is busy, each further
    frame that shows it is a new try. An action that the rules refuse is followed by the decision's next
    choice, and at last by the end of the turn. A turn without advice is ended at once.

    Attributes:
        decided: how many decisions of each type were played.
        refused: how often the rules refused, by reason.
        given_up: how many turns ended for want of advice.
    """

    def __init__(self, arena: ArenaProcess) -> None:
        self.decided: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.given_up = 0
        self._arena = arena
        self._wanted: Decision | None = None
        self._confirmed: Decision | None = None
        self._changed = Condition()
        self._passing = False
        self._switched: bool | None = None
        self._ended = False
        self._thread = Thread(target=self._run, name="arena-forwarder", daemon=True)
        self._thread.start()

    def play(self, decision: Decision | None) -> None:
        """Plays this decision as soon as it is confirmed; one that was still waiting is dropped.

        None ends the turn.
        """
        with self._changed:
            self._wanted = decision
            if decision is None:
                self._passing = True
                self._changed.notify()

    def switch(self, on: bool) -> None:
        with self._changed:
            self._switched = on
            self._changed.notify()

    def confirm(self, snapshot: Snapshot) -> None:
        """Takes in what a frame showed; called for every frame, on any thread."""
        with self._changed:
            if self._wanted is None or snapshot.seq <= snapshot.decided_seq:
                return
            if snapshot.advice == "fresh" and snapshot.decision == self._wanted:
                self._confirmed = self._wanted
                self._changed.notify()

    def stop(self) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(self._due)
                decision, self._confirmed = self._confirmed, None
                passing, self._passing = self._passing, False
                switched, self._switched = self._switched, None
            if self._ended:
                return
            if switched is not None:
                self._arena.switch_autopilot(switched)
            if passing:
                self.given_up += self._arena.ask(EndTurn()).accepted
            elif decision is not None and self._try(decision):
                with self._changed:
                    if self._wanted == decision:
                        self._wanted = None

    def _due(self) -> bool:
        asked = self._passing or self._ended or self._switched is not None
        return asked or self._confirmed is not None

    def _try(self, decision: Decision) -> bool:
        """Plays the first choice that the arena takes; tells whether the decision is done with."""
        choices: list[Action] = [choice.action for choice in decision.choices]
        if EndTurn() not in choices:
            choices.append(EndTurn())
        for index, action in enumerate(choices):
            answer = self._arena.ask(action)
            if answer.accepted and index == 0:
                self.decided[decision.action_type] += 1
            if answer.reason == _BUSY:
                return False
            if answer.accepted or answer.reason in _TOO_LATE:
                return True
            self.refused[answer.reason] += 1
        return True
