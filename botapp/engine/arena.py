"""The practice arena as a child process: starts its window, sends it actions, hears whether it took them.

Nothing but "accepted" or "refused" ever comes back; what the arena knows stays there. `Forwarder` plays one
decision after the other into it. Next hop: `botapp.demo` and `botapp.pixels` use both.
"""

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Condition, Thread
from typing import IO

from botapp.advisor.decision import Decision
from botapp.fight.actions import Action, EndTurn
from botapp.fight.codec import action_to_json

_END_S = 5.0
_RETRY_S = 0.08
_PATIENCE_S = 1.5
_BUSY = "busy"
_TOO_LATE = ("not your turn", "autopilot is off")


@dataclass(frozen=True, slots=True)
class Answer:
    """What the arena said to an action: taken, or refused and why."""

    accepted: bool
    reason: str = ""


GONE = Answer(False, "the arena is gone")


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
        command = [sys.executable, "-m", "botapp", "arena", "--link"] if program is None else list(program)
        self._process = subprocess.Popen(
            [*command, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self._answers: dict[int, Answer] = {}
        self._changed = Condition()
        self._last_id = 0
        assert self._process.stdout is not None
        self._reader = Thread(
            target=self._listen, args=(self._process.stdout,), name="arena-answers", daemon=True
        )
        self._reader.start()

    @property
    def pid(self) -> int:
        """The window's process."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Tells whether the window is still there."""
        return self._process.poll() is None

    def ask(self, action: Action, wait_s: float = 5.0) -> Answer:
        """Sends an action and waits for the answer."""
        return self._ask({"action": action_to_json(action)}, wait_s)

    def set_autopilot(self, on: bool, wait_s: float = 5.0) -> Answer:
        """Has the arena take actions from here, or no longer."""
        return self._ask({"autopilot": on}, wait_s)

    def wait(self, timeout_s: float) -> bool:
        """Waits for the window to close by itself; tells whether it did."""
        try:
            self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def stop(self) -> None:
        """Closes the window and waits until it is gone."""
        if self.running:
            self._process.terminate()
            if not self.wait(_END_S):
                self._process.kill()
                self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue

    def _ask(self, request: dict[str, object], wait_s: float) -> Answer:
        assert self._process.stdin is not None
        with self._changed:
            self._last_id += 1
            number = self._last_id
            try:
                self._process.stdin.write(json.dumps({"id": number, **request}) + "\n")
                self._process.stdin.flush()
            except (OSError, ValueError):
                return GONE
            self._changed.wait_for(lambda: number in self._answers or not self._reader.is_alive(), wait_s)
            return self._answers.pop(number, GONE)

    def _listen(self, stream: IO[str]) -> None:
        for line in stream:
            try:
                said = json.loads(line)
                answer = Answer(bool(said["accepted"]), str(said.get("reason", "")))
                number = int(said["id"])
            except (ValueError, KeyError, TypeError):
                continue
            with self._changed:
                self._answers[number] = answer
                self._changed.notify_all()
        with self._changed:
            self._changed.notify_all()


class Forwarder:
    """Plays decisions into the arena, the newest first, on a thread of its own.

    A busy arena is asked again for a moment; an action that the rules refuse is followed by the decision's
    next choice, and at last by the end of the turn. When it is no longer the player's turn, nothing is.

    Attributes:
        decided: how many decisions of each type were played.
        refused: how often the rules refused, by reason.
    """

    def __init__(self, arena: ArenaProcess) -> None:
        self.decided: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self._arena = arena
        self._decision: Decision | None = None
        self._changed = Condition()
        self._ended = False
        self._thread = Thread(target=self._run, name="arena-forwarder", daemon=True)
        self._thread.start()

    def play(self, decision: Decision) -> None:
        """Plays this decision next; one that was still waiting is dropped."""
        with self._changed:
            self._decision = decision
            self._changed.notify()

    def stop(self) -> None:
        """Ends the playing."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._decision is not None or self._ended)
                decision, self._decision = self._decision, None
            if self._ended or decision is None:
                return
            if self._try(decision):
                self.decided[decision.action_type] += 1

    def _try(self, decision: Decision) -> bool:
        """Plays the first choice that the arena takes; tells whether it was the best one."""
        choices: list[Action] = [choice.action for choice in decision.choices]
        if EndTurn() not in choices:
            choices.append(EndTurn())
        for index, action in enumerate(choices):
            answer = self._insist(action)
            if answer is None or answer == GONE:
                return False
            if answer.accepted:
                return index == 0
            self.refused[answer.reason] += 1
        return False

    def _insist(self, action: Action) -> Answer | None:
        """Asks until the arena says yes or no; None once the action is out of date."""
        deadline = time.monotonic() + _PATIENCE_S
        while True:
            answer = self._arena.ask(action)
            if answer.reason in _TOO_LATE:
                return None
            if answer.reason != _BUSY:
                return answer
            with self._changed:
                newer = self._changed.wait_for(lambda: self._decision is not None or self._ended, _RETRY_S)
            if newer or time.monotonic() > deadline:
                return None
