"""Runs the app: one worker, one main window, one overlay, and the settings that all of them follow.

`main` is what `botapp run` calls. A change of language or theme builds the window anew; everything else is
handed on as it is.
"""

import gc
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QMessageBox

from botapp.host import display_libraries, settings_file
from botapp.host.message import Message, unwritten
from botapp.host.settings import SAFE_MODE, Settings
from botapp.review.kept_fight import KeptFight
from botapp.review.recorder import FightRecorder
from botapp.runtime.app_options import AppOptions
from botapp.runtime.autopilot import Autopilot
from botapp.runtime.messages import ApplySettings, Pause, Snapshot, WatchWindow
from botapp.runtime.process import WorkerProcess
from botapp.ui import names, theme, translation
from botapp.ui.bridge import Bridge
from botapp.ui.compact.host import CompactHost
from botapp.ui.controls import OVERLAY_NAMES
from botapp.ui.crash import CrashDialog
from botapp.ui.desktop import Desktop
from botapp.ui.following import Watching
from botapp.ui.grading import at_the_end
from botapp.ui.hotkeys.keys import HotkeyHost
from botapp.ui.instance import Instance
from botapp.ui.layout import DockLayout, Keeper
from botapp.ui.notices import Notices
from botapp.ui.overlay.badge import BadgeMover
from botapp.ui.overlay.geometry import place
from botapp.ui.overlay.window import Overlay, screens
from botapp.ui.pages import Pages
from botapp.ui.playing import PlayedByTitle
from botapp.ui.preparation import FirstProbe, Preparation, read_ahead
from botapp.ui.resetting import reset
from botapp.ui.session import Collector, display_problem, faults, interrupts, native_faults, use_x11
from botapp.ui.shots import Shots, TurnFilm
from botapp.ui.timers import timer
from botapp.ui.translation import tr
from botapp.ui.welcome import greeted, put_off, wanted, watched
from botapp.ui.window import MainWindow

TICK_MS = 1000
FILM = "turn.webp"  # The animated picture of a turn, beside the other pictures of a run


def main(options: AppOptions) -> int:
    """Runs the app until the person quits or `options.seconds` are over; returns the exit code."""
    problem = display_problem(os.environ, sys.platform)
    if problem:
        print(problem, file=sys.stderr)
        return 2
    use_x11(os.environ)
    display_libraries.check()
    qt = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(qt, QApplication)
    problem = display_libraries.too_few_colours(qt.primaryScreen().depth())
    if problem:
        print(problem, file=sys.stderr)
        return 2
    qt.setApplicationName("botapp")
    qt.setQuitOnLastWindowClosed(False)
    instance = Instance(settings_file.config_dir())  # one app for these settings, the demo's too
    if not is_first(instance):
        return 0 if options.play is None else 1
    app = App(qt, options)
    instance.called.connect(app.desktop.bring_up)
    with interrupts(app.quit), faults(app.notices.app_fault):
        try:
            app.start()
            read_ahead(app.settings)
            gc.freeze()  # what is built stays; looking through it for garbage holds up the window
            with native_faults():
                return qt.exec()
        finally:
            app.stop()
            instance.release()


def is_first(instance: Instance) -> bool:
    """Tells whether this app may start: it is the only one, or the person has ended one that hangs."""
    claim = instance.claim()
    if claim == "hanging":
        ask = QMessageBox(
            QMessageBox.Icon.Question,
            "botapp",
            tr("botapp is running already and does not answer. End it and start anew?"),
        )
        end = ask.addButton(tr("End it and start"), QMessageBox.ButtonRole.AcceptRole)
        ask.addButton(tr("Leave it"), QMessageBox.ButtonRole.RejectRole)
        print("botapp is running already and does not answer.", file=sys.stderr)
        ask.exec()
        if ask.clickedButton() is not end:
            return False
        if not instance.end_other():
            print("botapp: the other one cannot be ended. End it in the task manager.", file=sys.stderr)
            return False
        claim = instance.claim()
    if claim != "first":
        print("botapp is running already: its window was brought to the front.", file=sys.stderr)
    return claim == "first"


class App(QObject):
    """Everything of one run, connected."""

    _not_kept = Signal(object)  # Why a fight is not kept; from the thread that writes it

    def __init__(self, qt: QApplication, options: AppOptions) -> None:
        super().__init__()
        self.options = options
        self.settings = self._kept = options.settings
        self.keeper = Keeper(options.state_dir or settings_file.config_dir())
        self.autopilot = Autopilot(options.play, on=options.play_at_start) if options.play else None
        self.bridge = Bridge(options.worker or WorkerProcess, self._for_worker())
        self.recorder = FightRecorder(
            self.settings, self.bridge.history.course, tell=self._tell_not_kept, ended=self._fight_ended
        )
        self.overlay = Overlay(self.settings.overlay)
        self.pages = Pages(self._window, lambda: self.settings, self.bridge, self)
        self.pages.under_way = self._fight_under_way
        self.notices = Notices(self._window, self.bridge, self)
        self.desktop = Desktop(self._window, self.keeper, self)
        self.compact = CompactHost(self.keeper, self, self._frame, self._game_place, self.desktop.make_room)
        self.hotkeys = HotkeyHost(self._hotkey_actions(), self._window, self.pages, self)
        self.played = PlayedByTitle(self._window, self)
        self.watching = Watching(
            self._window, lambda: self.settings, self.bridge, self.pages, self.take_settings, self
        )
        self.first_probe = FirstProbe(parent=self)
        self.preparation = Preparation(parent=self)
        self.collector = Collector(self)
        self.report: CrashDialog | None = None
        self.shots: Shots | None = None
        self.film: TurnFilm | None = None
        self.mover: BadgeMover | None = None
        self._qt = qt
        self._dress()
        self.window = self._build()
        self._tick = timer(self, self._ticked, TICK_MS)
        self._end = timer(self, self.quit, once=True)
        self.bridge.snapshot_ready.connect(self._show)
        self.bridge.faulted.connect(self.overlay.clear)
        self.bridge.faulted.connect(self.hotkeys.worker_fault)
        self._qt.styleHints().colorSchemeChanged.connect(self._follow_system)
        self.pages.changed.connect(self.apply)
        self.pages.restart_asked.connect(self.restart_worker)
        self.compact.app_asked.connect(self.desktop.bring_up)
        self.compact.pause_asked.connect(self.pause)
        self.notices.remedy_asked.connect(self.pages.open_remedy)
        self.played.chosen.connect(self._play_class)
        self.played.character_asked.connect(self.pages.open_start)
        self.overlay.painted.connect(self.bridge.note_painted)
        self.overlay.trouble.connect(self.notices.warn)
        self.first_probe.reported.connect(self.notices.warn)
        self.first_probe.found.connect(self.restart_worker)
        self.preparation.progressed.connect(self._show_preparation)
        self.preparation.ready.connect(self._prepared)
        self.preparation.failed.connect(self._not_prepared)

    def start(self) -> None:
        self.collector.start()
        self._not_kept.connect(self._fight_not_kept)
        self.pages.reset_asked.connect(self._reset)
        unclean = self.keeper.begin()
        stored = self.keeper.load()
        screen = self._qt.primaryScreen().name()
        first = stored is None and not unclean
        greets = first and wanted(
            self.options, settings_file.settings_path(), self._qt.platformName(), screen
        )
        notes = [tr(message) for message in self.options.messages]
        asked_away = self.settings.ui.start_minimised and watched(self.options)
        away = asked_away and not (unclean or greets or notes)  # what has to be said is seen
        self.desktop.show_tray()
        self.desktop.place(stored, unclean, self.options, away=away)
        if unclean:
            notes.append(
                tr(
                    "The app did not close properly last time, so the panels are back in their "
                    "original places."
                )
            )
        if notes:
            lines = "\n".join(notes)  # Babel would take the first text within `say` for a message
            self.window.notice.say(lines)
        if self.autopilot is not None:
            self.window.controls.play.setChecked(self.autopilot.on)
        self._tick.start()
        if unclean and watched(self.options):
            self._show_report()
        else:
            self.bridge.start()
        self.preparation.start()
        self.compact.start()
        self.hotkeys.start(self.settings.hotkeys)
        if self.options.seconds is not None:
            self._end.start(int(self.options.seconds * 1000))
        if self.options.screenshots is not None:
            times = self.options.screenshot_times or _spread(self.options.seconds)
            self.shots = Shots(self._window, self.options.screenshots, times)
            self.film = TurnFilm(self.options.screenshots / FILM)
        if greets:
            self.pages.greet()
            greeted(settings_file.settings_path())

    def stop(self) -> None:
        """Ends everything in order; also keeps the layout and gives the report's figures."""
        self._tick.stop()
        self._end.stop()
        self.collector.stop()
        for taker in (self.shots, self.film):
            if taker is not None:
                taker.close()
        if self.desktop.tray is not None:
            self.desktop.tray.hide()
        self.hotkeys.keys.release()
        self.compact.close()
        self.pages.probe.close()
        self.first_probe.close()
        self.preparation.close()
        self.keeper.save(self.window.packed())
        self.bridge.stop()
        if self.mover is not None:
            self.mover.close()
        self.overlay.clear()
        self.overlay.close()
        self.pages.close()
        self.pages.arenas.end()
        self.recorder.close()
        if self.report is not None:
            self.report.chosen.disconnect(self._go_on)
            self.report.close()
        self.window.close()
        self.window.deleteLater()
        self.overlay.deleteLater()
        if self.options.finished is not None:
            self.options.finished(self.bridge.figures())
        self.keeper.end()

    def _show_report(self) -> None:
        self.report = CrashDialog(self.window)
        self.report.chosen.connect(self._go_on)
        self.report.open()

    @Slot(bool)
    def _go_on(self, safely: bool) -> None:
        self.report = None
        if safely:
            for key, value in SAFE_MODE.items():
                settings_file.override(key, value)
                self.settings = self.settings.changed(key, value)
            self.bridge.use(self._for_worker())
            self.overlay.apply(self.settings.overlay)
            self.window.apply(self.settings)
            self.window.notice.say(tr("Safe mode: on the processor, without the overlay, for this run only."))
        self.bridge.start()

    @Slot()
    def quit(self) -> None:
        self._qt.quit()

    @Slot(bool)
    def pause(self, paused: bool) -> None:
        self.bridge.send(Pause(paused))
        self.window.controls.show_paused(paused)
        self.compact.show_paused(paused)

    @Slot(object)
    def apply(self, settings: Settings) -> None:
        """Takes over new settings: in the worker, the overlay and the window, and in the file."""
        before, self.settings = self.settings, settings
        names.watch(settings.capture.target)
        self.bridge.send(ApplySettings(self._for_worker()))
        if before.capture != settings.capture:
            self.bridge.send(WatchWindow(None))
        self.overlay.apply(settings.overlay)
        if before.hotkeys != settings.hotkeys:
            self.hotkeys.keys.apply(settings.hotkeys)
        self.recorder.apply(settings)
        put_off(self.options, settings_file.settings_path())
        try:
            settings_file.save(settings, since=self._kept)
            self._kept = settings
            self.window.notice.settle("settings")
        except OSError as error:
            text = tr("The settings could not be saved: {error}.", error=unwritten(error))
            self.notices.warn(text, "settings")
        if before.ui.language != settings.ui.language or not self._in_theme():
            QTimer.singleShot(0, self._rebuild)
        else:
            self.window.apply(settings)

    def _in_theme(self) -> bool:
        return theme.current() == theme.resolve(self.settings.ui.theme)

    @Slot()
    def _follow_system(self) -> None:
        if self._tick.isActive() and not self._in_theme():
            QTimer.singleShot(0, self._rebuild)

    @Slot()
    def restart_worker(self) -> None:
        self.overlay.clear()
        self.bridge.restart(self._for_worker())
        self.hotkeys.keys.resume()

    def _for_worker(self) -> Settings:
        """Returns the settings for the worker; without thinking on where the advice is played at once."""
        if self.autopilot is None or not self.autopilot.on:
            return self.settings
        return self.settings.changed("engine.think_on_s", 0)

    def _next_overlay(self) -> None:
        self.window.controls.overlay.trigger()

    def _hotkey_actions(self) -> dict[str, Callable[[], object]]:
        presets = {f"overlay_{preset}": partial(self._switch_overlay, preset) for preset in OVERLAY_NAMES}
        return {
            **presets,
            "overlay_next": self._next_overlay,
            "pause": lambda: self.pause(not self.bridge.paused),
            "compact": self.compact.toggle,
            "window": self.desktop.show_or_hide,
        }

    @Slot(str)
    def _switch_overlay(self, preset: str) -> None:
        settings = self.settings.changed("overlay.enabled", preset != "off")
        self.take_settings(settings if preset == "off" else settings.changed("overlay.preset", preset))

    @Slot()
    def _move_badge(self) -> None:
        if self.mover is not None:
            self.mover.close()
            self.mover.deleteLater()
        mover = BadgeMover(self.overlay, self.settings.overlay)
        mover.moved.connect(self._place_badge)
        self.mover = mover
        mover.show()
        mover.activateWindow()

    @Slot(float, float, float)
    def _place_badge(self, x: float, y: float, scale: float) -> None:
        settings = self.settings.changed("overlay.badge_x", x).changed("overlay.badge_y", y)
        self.take_settings(settings.changed("overlay.badge_scale", scale))

    @Slot(str)
    def _play_class(self, key: str) -> None:
        """Plays a class or a character from now on; a demo's is its own and not kept."""
        if self.options.held:
            self._kept = self._kept.changed("advisor.player_class", key)
        self.take_settings(self.settings.changed("advisor.player_class", key))

    @Slot()
    def _reset(self) -> None:
        reset(self.window, self.settings, self.keeper, self.pages, self._put, self.options.held)

    def _put(self, settings: Settings, layout: DockLayout | None) -> None:
        self.take_settings(settings)
        # behind the timer that builds the window anew where language or theme is another
        QTimer.singleShot(0, partial(self._lay_out, layout))

    def _lay_out(self, layout: DockLayout | None) -> None:
        if layout is not None:
            self.window.unpack(layout)
        else:
            self.window.arrangement.renew()

    def take_settings(self, settings: Settings) -> None:
        self.apply(settings)
        self.pages.show_settings(settings)

    @Slot(bool)
    def _switch_play(self, on: bool) -> None:
        if self.autopilot is not None:
            self.autopilot.on = on
            self.bridge.send(ApplySettings(self._for_worker()))
            if self.options.play_switched is not None:
                self.options.play_switched(on)

    @Slot(object)
    def _show(self, snapshot: Snapshot) -> None:
        """Shows a snapshot: first all that names its advice, painted in one go, then everything else."""
        snapshot = self.watching.by_settings(snapshot)
        self.overlay.show_snapshot(snapshot)  # first: the panels' words take five times as long
        self.window.show_answer(snapshot)
        self.compact.show_snapshot(snapshot)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.UpdateRequest.value)  # paints what has changed
        self.recorder.offer(snapshot, autoplayed=self.autopilot is not None and self.autopilot.on)
        if self.film is not None:
            self.film.offer(snapshot)
        if self.autopilot is not None and not any(taker.due for taker in (self.shots, self.film) if taker):
            self.autopilot.offer(snapshot)
        if not self.preparation.running:
            self.window.status.preparation.hide()
        if snapshot.advice == "fresh":
            self.window.notice.settle("fight-ended")
        self.window.show_rest(snapshot)
        self.pages.show_device(snapshot.device)
        if self.shots is not None:
            self.shots.offer(snapshot)
        self.notices.offer(snapshot, self.settings.capture.target)
        self.played.offer(snapshot, self.settings)
        self.watching.offer(snapshot)
        self.first_probe.offer(snapshot.device)

    @Slot(float, object)
    def _show_preparation(self, share: float, seconds_left: float | None) -> None:
        self.window.status.preparation.show_progress(share, seconds_left)
        if share == 0 and not self.window.notice.text.text():
            self.window.notice.say(tr(self.preparation.reason), "info", cause="preparation")

    @Slot()
    def _prepared(self) -> None:
        self.window.notice.settle("preparation")
        self.window.status.preparation.hide()
        if self.report is None:
            self.window.status.preparation.show_loading()
            self.restart_worker()

    def _fight_under_way(self) -> Path | None:
        """Returns the file of the fight that is watched, None without one, or where the game was closed."""
        latest = self.bridge.latest
        closed = latest is not None and latest.capture == "no-window"
        return None if closed else self.recorder.under_way

    def _fight_ended(self, fight: KeptFight) -> None:
        """Sums up a fight that is over; a notice says so unless the app played or something else is said."""
        self.window.course.show_end(fight)
        notice = self.window.notice
        if fight.summary.autoplayed or (notice.cause != "fight-ended" and notice.text.text()):
            return
        to_learn = bool(fight.summary.mistakes)
        words = tr("Learn from your mistakes") if to_learn else tr("Look at it")
        show = partial(self.pages.open_fight, fight, to_learn=to_learn)
        notice.say(at_the_end(fight), "info", action=(words, show), cause="fight-ended")

    def _tell_not_kept(self, why: Message) -> None:
        """Says in the terminal and in the window why a fight is not kept; from the thread that writes it.

        The last of a run's fights is written once the window has gone.
        """
        print(f"botapp: {tr(why)}", file=sys.stderr)
        self._not_kept.emit(why)

    @Slot(object)
    def _fight_not_kept(self, why: str) -> None:
        self.notices.warn(why, "kept-fights")

    @Slot(str)
    def _not_prepared(self, why: str) -> None:
        self.window.status.preparation.hide()
        self.notices.warn(why, "preparation")

    @Slot()
    def _ticked(self) -> None:
        self.desktop.mind_tray()
        if self.options.tick is not None and self.options.tick() is False:
            self.quit()

    def _dress(self) -> None:
        theme.apply(self._qt, theme.resolve(self.settings.ui.theme))
        translation.use(translation.resolve(self.settings.ui.language))
        names.watch(self.settings.capture.target)

    def _window(self) -> MainWindow:
        return self.window

    def _build(self) -> MainWindow:
        window = MainWindow(
            self.settings, self.bridge.history, self.bridge.picture, can_play=self.autopilot is not None
        )
        controls, pages = window.controls, self.pages
        controls.pause_asked.connect(self.pause)
        controls.overlay_switched.connect(self._switch_overlay)
        controls.pick.triggered.connect(pages.pick_window)
        controls.settings.triggered.connect(lambda: pages.open_settings("engine"))
        controls.game.triggered.connect(lambda: pages.open_game(None))
        controls.review.triggered.connect(pages.open_review)
        controls.explain.triggered.connect(pages.explain)
        controls.badge.triggered.connect(self._move_badge)
        controls.compact.triggered.connect(self.compact.toggle)
        controls.play.toggled.connect(self._switch_play)
        window.status.pick_asked.connect(pages.pick_window)
        window.notice.restart_asked.connect(self.restart_worker)
        window.decision.remedy_asked.connect(pages.open_remedy)
        window.course.opened.connect(pages.open_moment)
        window.course.lesson_asked.connect(pages.open_lesson)
        window.turns.compared.connect(pages.compare)
        window.turns.looked_at.connect(self.overlay.show_line)
        window.turns.asked.connect(self.bridge.send)
        self.bridge.looked_into.connect(window.turns.show_answer)
        window.layout_asked.connect(
            lambda layout: self.take_settings(self.settings.changed("ui.layout", layout))
        )
        window.position_asked.connect(pages.play_position)
        window.paste_asked.connect(pages.paste_position)
        window.closed.connect(self.quit)
        return window

    def _frame(self) -> QRect:
        return self.window.frameGeometry()

    def _game_place(self) -> QRect | None:
        """Returns where the game that is watched is, in logical pixels; None where it is not known."""
        latest = self.bridge.latest
        if latest is None or latest.window is None:
            return None
        rect = place(latest.window.rect, screens())
        return QRect(rect.x, rect.y, rect.width, rect.height)

    @Slot()
    def _rebuild(self) -> None:
        """Builds the window anew in another language or theme, in the same place, the page open as it was.

        One that was put away stays so, and one that was behind others does not take the keyboard.
        """
        old, lines = self.window, list(self.window.log.lines)
        there, minimised, active = old.isVisible(), old.isMinimized(), self._qt.activeWindow() is not None
        layout = old.packed()
        reopen = self.pages.close()
        self._dress()
        self.window = self._build()
        self.window.unpack(layout)
        self.window.controls.show_paused(self.bridge.paused)
        if self.autopilot is not None:
            self.window.controls.play.setChecked(self.autopilot.on)
        for line in lines:
            self.window.log.add(line)
        self.window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, not active)
        if minimised or not there:
            self.window.showMinimized()
        else:
            self.window.show()
        self.window.setVisible(there)
        self.window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, False)
        self.window.setFocus()  # else the first panel would have it, and a frame that says so
        old.closed.disconnect(self.quit)
        old.close()
        old.deleteLater()
        if self.bridge.latest is not None:
            self.window.show_snapshot(self.bridge.latest)
        if self.desktop.tray is not None:
            self.desktop.show_tray()
        self.overlay.update()
        self.compact.rebuild()
        reopen()


def _spread(seconds: float | None) -> tuple[float, ...]:
    span = seconds if seconds is not None else 10.0
    return tuple(span * share for share in (0.25, 0.5, 0.8))
