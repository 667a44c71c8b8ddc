"""Puts the real hops together from the settings, and rebuilds only those that a change of settings touches.

This is where vision, the advisor and the model's device meet. Next hop: `botapp.runtime.loop` runs the hops.
"""

import logging
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2

from botapp.advisor.decision import Decision
from botapp.fight.state import FightState
from botapp.host import settings_file
from botapp.host.message import error_text, say
from botapp.host.settings import Settings
from botapp.runtime.advisor_host import AdvisorHost
from botapp.runtime.loop import Loop, Stages
from botapp.runtime.messages import FrameSeen, MemoryStatus, PlanAnnounced
from botapp.runtime.preview import PreviewWriter
from botapp.runtime.readings import Recorder
from botapp.runtime.start import Start
from botapp.runtime.telemetry import memory
from botapp.runtime.watch import WindowWatch
from botapp.tracking import names
from botapp.tracking.bestiary import arena_bestiary
from botapp.tracking.character import read_sheet
from botapp.tracking.names import Names
from botapp.tracking.recognition import recognise
from botapp.tracking.situation import Situation, build
from botapp.tracking.spellbook import Spellbook, preset, presets
from vision import calibration, profiles
from vision.calibration import BoardCalibrations
from vision.extract import Reader
from vision.frame import Frame
from vision.profiles import ProfileError
from vision.view import FightView

_log = logging.getLogger(__name__)
_NO_CLASS = say("Your class is not known. Choose it in the settings.")


class Pipeline:
    """The real workings of the worker.

    Attributes:
        loop: runs the hops.
    """

    def __init__(self, start: Start, announce: Callable[[PlanAnnounced], object] = lambda _: None) -> None:
        """Builds everything; a model that cannot be loaded is said so on every snapshot instead of raised.

        Args:
            start: what the worker is started with.
            announce: is told where the model runs, before it is loaded there.
        """
        self._settings = _settings(start.settings)
        self._preview = PreviewWriter(start.preview)
        self._recorder = Recorder(start.record) if start.record is not None else None
        self._watch = WindowWatch("", {start.app_pid, os.getpid()})
        self._reader: Reader | None = None
        self._book: Spellbook | None = None
        self._thinker = AdvisorHost(announce)
        self._last: tuple[Frame, FightView] | None = None
        self._names = self._recall()
        self.loop = Loop(
            Stages(
                look=self._watch.look,
                read=self._read,
                situate=self._situate,
                decide=self._decide,
                plan=self._plan,
                show=self._show,
                note=self._note,
                device=lambda: self._thinker.device,
                memory=self._memory,
            )
        )
        cv2.setNumThreads(1)
        self._build_capture()
        self._thinker.load(self._settings.engine, start.ladder)
        self._tune()

    @property
    def fps(self) -> float:
        """Pictures a second, at most."""
        return float(self._settings.engine.fps_limit)

    def apply(self, values: Mapping[str, object]) -> None:
        """Takes over settings, rebuilding what they change."""
        before, self._settings = self._settings, _settings(values)
        if before.capture != self._settings.capture:
            self._build_capture()
        if before.advisor != self._settings.advisor:
            self._book = None
            self.loop.forget()
        if _placing(before) != _placing(self._settings):
            self._thinker.load(self._settings.engine)
            self._tune()
        elif before.engine != self._settings.engine:
            self._tune()

    def watch(self, handle: int | None) -> None:
        """Watches another window."""
        self._watch.pick(handle)
        self._reader = None
        self.loop.forget()

    def frame(self) -> FrameSeen:
        """Returns the last picture and what was read off it, before the person's names were put in."""
        if self._last is None:
            return FrameSeen(None, None, say("No picture of a game has been taken yet."))
        frame, view = self._last
        return FrameSeen(frame.pixels[..., :3].copy(), view)

    def relearn(self) -> None:
        """Reads again what the person has named, and looks at the next picture as at a first one."""
        self._names = self._recall()
        self._reader = None
        self._book = None
        self.loop.forget()

    def close(self) -> None:
        """Lets go of the window, the picture's memory and the record."""
        self._watch.close()
        self._preview.close()
        if self._recorder is not None:
            self._recorder.close()

    @staticmethod
    def _recall() -> Names:
        """Reads the names that the person gave; what is wrong with their file goes to the log."""
        recalled = names.load()
        for message in recalled.messages:
            _log.warning(message)
        return recalled.names

    def _build_capture(self) -> None:
        capture = self._settings.capture
        profile = profiles.load(capture.target)
        self._watch.title = capture.title or profile.title
        self._watch.process = "" if capture.title else profile.process
        self._watch.pick(None)
        self._reader = None
        self._book = None
        self.loop.forget()

    def _tune(self) -> None:
        """Takes over what needs no loading: the limits of a decision."""
        self.loop.budget_ms = self._settings.engine.latency_budget_ms
        self.loop.forget()
        self._thinker.tune(self._settings.engine)

    def _read(self, frame: Frame) -> FightView:
        if self._reader is None:
            self._reader = Reader(profiles.load(self._settings.capture.target), _calibrations())
        view = self._reader.read(frame)
        self._last = frame, view
        return view

    def _situate(self, view: FightView, previous: Situation | None) -> Situation:
        try:
            book = self._spellbook(view)
        except ValueError as error:
            return Situation(None, error_text(error))
        if book is None:
            return Situation(None, view.reason or _NO_CLASS)
        return build(recognise(view, self._names, book), book, arena_bestiary(), previous)

    def _spellbook(self, view: FightView) -> Spellbook | None:
        """Returns the person's own sheet, else that of the class in the settings or on the screen."""
        if self._settings.advisor.spellbook:
            if self._book is None:
                self._book = read_sheet(Path(self._settings.advisor.spellbook))
            return self._book
        wanted = self._settings.advisor.player_class
        if not wanted and view.player is not None and view.player.kind.value in presets():
            wanted = view.player.kind.value or ""
        if wanted and wanted not in presets():
            known = ", ".join(presets())
            raise ValueError(
                say(
                    'No class is called "{name}". Choose one in the settings: {names}.',
                    name=wanted,
                    names=known,
                )
            )
        if wanted and (self._book is None or wanted != self._book.key):
            self._book = preset(wanted)
        return self._book

    def _decide(self, state: FightState) -> Decision:
        return self._thinker.decide(state)

    def _plan(self, state: FightState, decision: Decision) -> Decision:
        return self._thinker.plan(state, decision)

    def _show(self, frame: Frame) -> int:
        self._preview.write(frame.seq, frame.pixels)
        return frame.seq

    def _note(self, view: FightView) -> None:
        if self._recorder is not None:
            self._recorder.add(view)

    def _memory(self) -> MemoryStatus:
        return memory(self._thinker.device.device if self._thinker.device else "cpu")


def _calibrations() -> BoardCalibrations:
    """Reads where the person said that boards lie; a file that cannot be read goes to the log."""
    try:
        return calibration.load(settings_file.calibration_path())
    except ProfileError as error:
        _log.warning(error_text(error))
        return BoardCalibrations()


def _settings(values: Mapping[str, object]) -> Settings:
    groups: dict[str, Any] = dict(values)
    return Settings(**groups)


def _placing(settings: Settings) -> tuple[object, ...]:
    """Returns the settings that the model has to be loaded anew for."""
    wish = settings.engine
    return wish.backend, wish.device, wish.precision, wish.level, wish.memory_cap_mb, wish.cpu_threads
