"""Makes the loop's stages from the settings, and rebuilds only those that a change of settings touches.

Vision, the advisor and the model's device come together here.
"""

import logging
import os
from collections.abc import Callable

import cv2
import psutil

from botapp.host.message import say
from botapp.host.settings import Settings
from botapp.runtime.advisor_host import AdvisorHost
from botapp.runtime.client_doubt import ClientDoubt
from botapp.runtime.kept_pictures import PictureKeeper
from botapp.runtime.loop import Loop
from botapp.runtime.messages import AskWhatIf, FrameSeen, MemoryStatus, PlanAnnounced, WordsRead
from botapp.runtime.preview import PreviewWriter
from botapp.runtime.readings import Recorder
from botapp.runtime.stages import Advising, Stages
from botapp.runtime.start import Start
from botapp.runtime.threats import Threats
from botapp.runtime.turns import WhatIf
from botapp.runtime.watch import Sight, Wanted, WindowWatch
from botapp.runtime.whole_turns import Inquiry
from botapp.search.preparing import load
from botapp.tracking import player_profile
from botapp.tracking.learnt_names import Learnt
from botapp.tracking.player_profile import PlayerProfile
from botapp.tracking.situation import Situation
from botapp.tracking.state_tracker import StateTracker
from botapp.tracking.text_log import TextLog
from hrm.backends.memory.telemetry import read
from vision import profiles, window
from vision.frame import Frame, Rect
from vision.view import FightView
from vision.window.titles import character_in, class_in

_log = logging.getLogger(__name__)


def memory(device: str) -> MemoryStatus:
    """Returns the memory of this process and, for one such as "cuda:0", of a device and what it does."""
    reading = read(device)
    rss = int(psutil.Process().memory_info().rss)
    does = (reading.power_w, reading.temperature_c, reading.busy, reading.clock_mhz)
    return MemoryStatus(rss, reading.total, reading.used, reading.ours, *does)


class Pipeline:
    """What the worker runs: the window's watch, the state tracker, the advisor, and the loop over them."""

    def __init__(
        self, start: Start, announce: Callable[[PlanAnnounced | Learnt], object] = lambda _: None
    ) -> None:
        """Builds everything; a model that cannot be loaded is said so on every snapshot instead of raised.

        Args:
            announce: called with the model's device before it is loaded there, and with what was learnt.
        """
        self._settings = start.settings
        self._preview = PreviewWriter(start.preview) if start.preview else None
        self._recorder = Recorder(start.record) if start.record is not None else None
        self.watched = WindowWatch(Wanted(), {start.app_pid, os.getpid()})
        self._advisor = AdvisorHost(announce, start.other, self._decide_again)
        self._inquiry = Inquiry()
        self._pictures = PictureKeeper(self._settings.review.pictures and self._settings.review.keep)
        self.text = TextLog(pointer=_pointer)
        self._tell = announce
        self.tracker = StateTracker(self._profile(), self.text, start.fight)
        self._doubt = ClientDoubt()
        self._clients: tuple[str, ...] = ()
        self._handle: int | None = None
        self._slots: tuple[tuple[str, Rect], ...] = ()
        threats = Threats()
        self.loop = Loop(
            Stages(
                look=self._look,
                read=self._read,
                clients=lambda: self._clients,
                situate=self._situate,
                advising=Advising(
                    self._advisor.decide,
                    self._advisor.hear,
                    self._advisor.plan,
                    self._advisor.think_on,
                    threats.of,
                    threats.after,
                    lambda: self._advisor.device,
                ),
                slots=lambda: self._slots,
                board_confirmed=lambda view: self.tracker.profile.board_confirmed(view.client),
                show=self._show,
                note=self._note,
                keep=self._pictures.keep,
                memory=lambda: memory(self._advisor.device.device if self._advisor.device else "cpu"),
            )
        )
        cv2.setNumThreads(1)
        load()
        self._watch_client()
        self._advisor.load(self._settings.engine, start.ladder, aside=True)
        self._tune()

    @property
    def fps(self) -> float:
        """Pictures a second, at most."""
        return float(self._settings.engine.fps_limit)

    def apply(self, settings: Settings) -> None:
        before, self._settings = self._settings, settings
        self._pictures.on = settings.review.pictures and settings.review.keep
        if before.capture != self._settings.capture:
            self._watch_client()
            self.relearn()
        elif before.advisor != self._settings.advisor:
            self.tracker.apply(self._profile())
            self.loop.forget()
        if _loaded_for(before) != _loaded_for(self._settings):
            self._advisor.load(self._settings.engine, aside=True)
            self._tune()
        elif before.engine != self._settings.engine:
            self._tune()

    def watch(self, handle: int | None) -> None:
        self.watched.pick(handle)
        self._doubt.begin()
        self.tracker.change_window()
        self.loop.forget()

    def frame(self) -> FrameSeen:
        """Returns the last picture and what was read off it, before the person's names were put in."""
        if self.tracker.last_read is None:
            return FrameSeen(None, None, say("No picture of a game has been taken yet."))
        frame, view = self.tracker.last_read
        words = WordsRead(self.text.reader.panel is not None, self.text.problem)
        return FrameSeen(frame.pixels[..., :3].copy(), view, words=words, guess=self.tracker.own.levels.guess)

    def what_if(self, question: AskWhatIf) -> WhatIf:
        """Returns the outcome of an action that the person asked about, by the search."""
        return self._inquiry.answer(
            question.number, question.state, question.best, question.spell, question.cell
        )

    def relearn(self) -> None:
        """Reads again what the person has told of the game, and takes the next picture for a first one."""
        self.tracker.relearn(self._profile())
        self._doubt.begin()
        self.loop.forget()

    def close(self) -> None:
        """Lets go of the window, the advisor, the picture's memory and the record."""
        self._advisor.close()
        self.watched.close()
        self.text.close()
        if self._preview is not None:
            self._preview.close()
        if self._recorder is not None:
            self._recorder.close()

    def _profile(self) -> PlayerProfile:
        """Returns what the person has told of the game; what is wrong with a file goes to the log."""
        loaded = player_profile.load(self._settings)
        for message in loaded.messages:
            _log.warning(message)
        return loaded.profile

    def _look(self) -> Sight:
        """Takes a picture of the window; the class that its title names overrides the one on the screen.

        A title that names none, as while the system calls the game hung, leaves the last one of that window.
        """
        sight = self.watched.look()
        if sight.window is not None:
            if sight.window.handle != self._handle:
                self._handle = sight.window.handle
                self._doubt.begin()
                self.tracker.own.game_class = self.text.own_name = ""
            patterns = profiles.load(self._settings.capture.target).titles
            named = class_in(sight.window.title, patterns), character_in(sight.window.title, patterns)
            if any(named):
                self.tracker.own.game_class, self.text.own_name = named
        return sight

    def _read(self, frame: Frame) -> FightView:
        """Reads a picture, and asks whose it is where the watched client's HUD is not found."""
        self.tracker.explains = self._preview is not None and self._preview.are_scores_wanted
        followed = self.tracker.read(frame)
        seen = self.tracker.last_read[1] if self.tracker.last_read is not None else followed
        self._clients = self._doubt.follow(frame, seen, self.tracker.profile)
        return followed

    def _situate(self, view: FightView) -> Situation:
        tracked, book = self.tracker.situate(view), self.tracker.own.book
        for learnt in self.text.learner.news():
            self._tell(learnt)
        spells = book.spells if book is not None else ()
        self._slots = tuple(
            (spells[slot.index].key, slot.box)
            for slot in tracked.named.spells
            if slot.box is not None and slot.index < len(spells)
        )
        return tracked.situation

    def _decide_again(self) -> None:
        self.loop.forget()

    def _watch_client(self) -> None:
        capture = self._settings.capture
        profile = profiles.load(capture.target)
        wanted = Wanted(capture.title, follow=capture.follow, others=profiles.titles())
        if not capture.title:
            wanted.title, wanted.process, wanted.patterns = profile.title, profile.process, profile.titles
            wanted.client, wanted.character = capture.target, capture.character
        self.watched.wanted = wanted
        self.watched.pick(None)

    def _tune(self) -> None:
        """Takes over what needs no loading: the limits of a decision."""
        self.loop.budget_ms = self._settings.engine.latency_budget_ms
        self.loop.think_on_s = self._settings.engine.think_on_s
        self.loop.period_s = 1 / self._settings.engine.fps_limit
        self.loop.forget()
        self._advisor.tune(self._settings.engine)

    def _show(self, frame: Frame) -> int:
        written = self._preview is not None and self._preview.write(frame.seq, frame.pixels)
        return frame.seq if written else -1

    def _note(self, view: FightView) -> None:
        if self._recorder is not None:
            self._recorder.add(view)


def _pointer() -> tuple[int, int] | None:
    """Returns where the mouse is, None where the desktop does not tell."""
    try:
        return window.pointer()
    except window.UnsupportedSession:
        return None


def _loaded_for(settings: Settings) -> tuple[object, ...]:
    """Returns the settings that the advisor has to be made anew for."""
    wish = settings.engine
    if wish.adviser == "search":
        return (wish.adviser,)
    place = wish.backend, wish.device, wish.precision, wish.level
    return wish.adviser, *place, wish.memory_cap_mb, wish.cpu_threads
