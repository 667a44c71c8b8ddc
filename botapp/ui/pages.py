"""The app's other pages: settings, the person's game, the picker of windows, and those of the first start.

Each is open once at most.
"""

import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, QSize, Signal, Slot
from PySide6.QtWidgets import QWidget

from botapp.arena.options import LANGUAGES, SMALLEST, ArenaOptions, unplayable
from botapp.content.errors import FieldError
from botapp.content.knowledge.base import knowledge
from botapp.fight.state import FightState
from botapp.host.message import error_text
from botapp.host.settings import Settings
from botapp.host.translation import ENGLISH
from botapp.host.versions import versions
from botapp.review.course import OwnAction
from botapp.review.kept_fight import KeptFight, summed_up
from botapp.review.shelf import FightShelf
from botapp.runtime.messages import AskFrame, DeviceStatus, Relearn, Snapshot, WatchWindow
from botapp.runtime.turns import Threat, TurnLine
from botapp.tracking import boards
from botapp.tracking.spellbook import class_called
from botapp.ui import positions
from botapp.ui.arenas import Arenas, arena_and_app
from botapp.ui.bridge import Bridge
from botapp.ui.comparison import Comparison
from botapp.ui.explain import Explanation
from botapp.ui.game.page import GamePage
from botapp.ui.game.questions import Title
from botapp.ui.picking.looking import WindowLook, WindowOffer, fits, offers
from botapp.ui.picking.picker import WindowPicker
from botapp.ui.remedies import RemedyKind
from botapp.ui.review.page import ReviewPage
from botapp.ui.settings.device import BackendProbe
from botapp.ui.settings.editors import CHOICES
from botapp.ui.settings.page import SettingsPage
from botapp.ui.translation import counted, language, tr
from botapp.ui.welcome import Welcome
from botapp.ui.window import MainWindow
from vision import profiles
from vision.window import UnsupportedSession
from vision.window.titles import character_in, class_in


class Pages(QObject):
    """Opens the pages over the main window and closes them.

    Signals:
        changed: the new `Settings`.
        restart_asked: the person wants the worker started anew.
        reset_asked: the person wants everything back to its defaults.
        arena_opened: the practice arena's window is on its way.
        recording: whether keys that are pressed are for a field of the settings.
    """

    changed = Signal(object)
    restart_asked = Signal()
    reset_asked = Signal()
    arena_opened = Signal()
    recording = Signal(bool)

    def __init__(
        self,
        window: Callable[[], MainWindow],
        settings: Callable[[], Settings],
        bridge: Bridge,
        parent: QObject,
    ) -> None:
        """Opens none yet. `under_way`, set from outside, returns the file of the fight that is watched."""
        super().__init__(parent)
        self.settings: SettingsPage | None = None
        self.game: GamePage | None = None
        self.welcome: Welcome | None = None
        self.picker: WindowPicker | None = None
        self.review: ReviewPage | None = None
        self.explanation: Explanation | None = None
        self.comparison: Comparison | None = None
        self.under_way: Callable[[], Path | None] = lambda: None
        self.key_problems: Mapping[str, str] = {}
        self.arenas = Arenas(self)
        self._undo: tuple[Callable[[], str], Callable[[], object] | None] | None = None
        self.probe = BackendProbe(parent=self)
        self._window = window
        self._values = settings
        self._bridge = bridge

    @Slot()
    def open_settings(self, group: str = "engine") -> None:
        if self.settings is None:
            page = SettingsPage(self._values(), self._window())
            page.changed.connect(self.changed)
            page.restart_asked.connect(self.restart_asked)
            page.reset_asked.connect(self.reset_asked)
            page.changed.connect(self._forget_undo)
            page.check_asked.connect(self.probe.ask)
            page.recording.connect(self.recording)
            page.pick_asked.connect(self.pick_window)
            page.show_key_problems(self.key_problems)
            page.finished.connect(partial(self._closed, "settings"))
            self.probe.answered.connect(page.show_backends)
            self.probe.failed.connect(page.show_probe_trouble)
            self.settings = page
            self.probe.ask()
        self.settings.show_group(group)
        if self._bridge.latest is not None:
            self.settings.show_device(self._bridge.latest.device)
        _to_front(self.settings)

    def open_game(self, title: Title | None = None) -> GamePage:
        """Opens the page of the person's game, or brings it to the front; `title` is by default that of the
        window which is watched."""
        if self.game is None:
            page = GamePage(self._values(), knowledge(), self._window(), title or self._title())
            page.changed.connect(self.changed)
            page.learnt.connect(self.relearn)
            page.start.answered.connect(self._answered)
            page.frame_asked.connect(self._ask_frame)
            page.pick_asked.connect(self.pick_window)
            page.finished.connect(partial(self._closed, "game"))
            self._bridge.framed.connect(page.show_frame)
            self.game = page
            self._ask_frame()
        _to_front(self.game)
        return self.game

    def open_character(self, key: str = "") -> None:
        page = self.open_game()
        page.tabs.setCurrentWidget(page.character)
        page.character.show_class(key)

    @Slot()
    def open_start(self) -> None:
        """Opens the questions before the first advice, or the board's place where no game was brought."""
        page = self.open_game()
        page.tabs.setCurrentWidget(page.start if knowledge().game is not None else page.board)

    @Slot()
    def _answered(self) -> None:
        page = self.game
        if page is None:
            return
        texts = [tr("The board and level {level} are confirmed.", level=page.start.who.level.value())]
        if left := len(page.start.unsure.doubts):
            more = counted(
                left,
                "{count} thing is not sure: see what it costs.",
                "{count} things are not sure: see what they cost.",
                count=left,
            )
            texts.append(tr(more))
        page.close()
        action = (tr("See the list"), self.open_start) if left else None
        text = " ".join(texts)
        self._window().notice.say(text, "info", action=action, cause="answered")

    def _title(self) -> Title:
        latest = self._bridge.latest
        title = latest.window.title if latest is not None and latest.window is not None else ""
        patterns = profiles.load(self._values().capture.target).titles
        return Title(character_in(title, patterns), class_in(title, patterns))

    @Slot()
    def open_review(self) -> ReviewPage:
        if self.review is None:
            page = ReviewPage(self._values, FightShelf(), self._window(), self.under_way)
            page.changed.connect(self._changed_on_review)
            page.practice_asked.connect(self.play_position)
            page.paste_asked.connect(self.paste_position)
            page.compared.connect(self.compare_turns)
            page.asked.connect(self._bridge.send)
            self._bridge.looked_into.connect(page.lesson.show_answer)
            self._bridge.possible.connect(page.lesson.show_possible)
            page.finished.connect(partial(self._closed, "review"))
            self.review = page
        _to_front(self.review)
        return self.review

    @Slot()
    def explain(self) -> None:
        """Opens the page that explains every number on the screen, those of the panels in sight first."""
        if self.explanation is None:
            window = self._window()
            shown = [panel.key for panel in window.panels if panel.in_sight]
            page = Explanation(shown, window)
            page.finished.connect(partial(self._closed, "explanation"))
            self.explanation = page
        _to_front(self.explanation)

    @Slot(object, object)
    def compare(self, snapshot: Snapshot, other: TurnLine) -> None:
        if snapshot.state is not None and snapshot.turn is not None and snapshot.turn.lines:
            self.compare_turns(snapshot.state, snapshot.turn.lines[0], other, snapshot.threat)

    @Slot(object, object, object)
    def compare_turns(
        self, state: FightState, best: TurnLine, other: TurnLine, threat: Threat | None = None
    ) -> None:
        """Puts another turn of a state beside the advised one; `threat` is what is expected after that."""
        if self.comparison is None:
            page = Comparison(self.review or self._window())
            page.menu.copied.connect(partial(self._say_of_position, level="info"))
            page.menu.arena_asked.connect(self.play_position)
            page.menu.paste_asked.connect(self.paste_position)
            page.asked.connect(self._bridge.send)
            self._bridge.replied.connect(page.show_reply)
            page.finished.connect(partial(self._closed, "comparison"))
            self.comparison = page
        self.comparison.compare(state, best, other, threat)
        _to_front(self.comparison)

    @Slot(object)
    def open_moment(self, moment: OwnAction) -> None:
        """Shows an own action of the fight that is watched on the page of kept fights."""
        fight = self._watched_fight()
        if fight is None or moment not in fight.moments:
            return
        at, watched = fight.moments.index(moment), self.under_way() is not None
        self.open_review().show_fight(fight, at, under_way=watched)

    def open_fight(self, fight: KeptFight, *, to_learn: bool = False) -> None:
        """Shows a fight on the page of kept fights, its faults one by one where it is `to_learn` from."""
        page = self.open_review()
        page.show_fight(fight)
        if to_learn:
            page.show_lesson()

    @Slot()
    def open_lesson(self) -> None:
        fight = self._watched_fight()
        if fight is not None:
            self.open_fight(fight, to_learn=True)

    def _watched_fight(self) -> KeptFight | None:
        """Returns the fight that is watched, as far as it has come; None before its first own action."""
        moments = tuple(self._bridge.history.course.moments)
        if not moments:
            return None
        target = self._values().capture.target
        return KeptFight(summed_up(moments, time.time(), versions()["botapp"], target), moments)

    @Slot(object)
    def _changed_on_review(self, settings: Settings) -> None:
        self.changed.emit(settings)
        self.show_settings(settings)

    @Slot(str)
    def open_remedy(self, kind: RemedyKind) -> None:
        if kind == "arena":
            self.open_arena()
        elif kind == "pick":
            self.pick_window()
        elif kind == "class":
            self.open_settings("advisor")
        elif kind == "character":
            self.open_character(class_called(self._title().game_class))
        elif kind == "start":
            self.open_start()
        else:
            page = self.open_game()
            page.tabs.setCurrentWidget(page.portraits if kind == "portraits" else page.board)

    @Slot()
    def paste_position(self) -> None:
        try:
            state = positions.pasted()
        except FieldError as error:
            self._say_of_position(tr(error_text(error)), "warn")
        else:
            self.play_position(state)

    @Slot(object)
    def play_position(self, state: FightState) -> None:
        """Opens the practice arena at a position, to be played on from there.

        An arena that was opened before makes room for it: two would both be called the arena.
        """
        if problem := unplayable(state):
            self._say_of_position(tr(problem), "warn")
            return
        try:
            file = FightShelf().put_position(state)
        except OSError as error:
            text = tr("The position could not be saved: {problem}.", problem=tr(error_text(error)))
            self._say_of_position(text, "bad")
            return
        self._say_of_position(tr("The practice arena opens at this position: play on from there."), "info")
        self.open_arena("--state", str(file))

    def _say_of_position(self, text: str, level: Literal["info", "warn", "bad"]) -> None:
        if self.review is not None and self.review.isVisible():
            self.review.tell(text, "good" if level == "info" else level)
        else:
            self._window().notice.say(text, level, cause="position")

    def open_arena(self, *arguments: str) -> None:
        """Opens the practice arena's window beside the app's, in a process of its own that ends with it."""
        spoken = language() if language() in LANGUAGES else ENGLISH
        window = self._window()
        pixels = window.devicePixelRatioF()  # of the screen, in which the arena's size and place are told
        wanted, least = QSize(*ArenaOptions().size), QSize(*SMALLEST) / pixels
        before = window.frameGeometry()
        arena, app = arena_and_app(before, window.screen().availableGeometry(), wanted, least)
        if app != before:
            window.showNormal()
            window.stand(app)
        inside = (arena.size() * pixels).expandedTo(QSize(*SMALLEST))
        place = arena.topLeft() * pixels
        try:
            self.arenas.open(
                [
                    *("--language", spoken),
                    *("--size", f"{inside.width()}x{inside.height()}"),
                    *("--at", f"{place.x()},{place.y()}"),
                    *arguments,
                ]
            )
        except OSError as error:
            text = tr("The practice arena cannot be started: {problem}.", problem=error_text(error))
            window.notice.say(text, cause="arena")
            return
        self.arena_opened.emit()

    def greet(self) -> None:
        """Opens the pages of the first start, the client chosen whose window is open."""
        offer, game = game_open(), ""
        if offer is not None:
            game = "  ·  ".join(filter(None, (offer.heading, offer.kind)))
            self.changed.emit(self._values().changed("capture.target", offer.client))
        self.open_welcome(game)

    def open_welcome(self, game: str = "", number: int = 0) -> None:
        """Opens the pages of the first start at one of them; `game` is the game's window that is open."""
        page = Welcome(self._values, self._window(), game)
        page.changed.connect(self.changed)
        page.pick_asked.connect(self.pick_window)
        page.arena_asked.connect(self.open_arena)
        page.restart_asked.connect(self.restart_asked)
        page.recording.connect(self.recording)
        page.keys.show_problems(self.key_problems)
        page.finished.connect(partial(self._closed, "welcome"))
        self.welcome = page
        page.show_page(number)
        if self._bridge.latest is not None:
            page.show_device(self._bridge.latest.device)
        page.show()

    @Slot()
    def pick_window(self) -> None:
        if self.picker is None:
            latest = self._bridge.latest
            watched = latest.window.handle if latest is not None and latest.window is not None else None
            parent = self.game or self.settings or self.welcome or self._window()
            self.picker = WindowPicker(look_for_windows(), self._values().capture.target, watched, parent)
            self.picker.picked.connect(self._picked)
            self.picker.finished.connect(self._forget_picker)
        self.picker.open()
        self.picker.raise_()

    def offer_undo(self, text: Callable[[], str], back: Callable[[], object] | None) -> None:
        """Says on the page of the settings what was reset, with a way back, where there is one.

        It is said again where the page is built anew in another language or theme, until a change.
        """
        self._undo = text, back
        self._show_undo()

    def say_trouble(self, text: str) -> None:
        if self.settings is not None:
            self.settings.trouble.setText(text)

    def _show_undo(self) -> None:
        if self.settings is not None and self._undo is not None:
            text, back = self._undo
            self.settings.undo.offer(text(), None if back is None else partial(self._go_back, back))

    def _go_back(self, back: Callable[[], object]) -> None:
        self._undo = None
        back()

    @Slot()
    def _forget_undo(self) -> None:
        self._undo = None

    def show_settings(self, settings: Settings) -> None:
        if self.settings is not None:
            self.settings.show_settings(settings)
        if self.game is None:
            return
        if self.game.settings.capture.target == settings.capture.target:
            self.game.show_settings(settings)
        else:
            self._reopen_game(self.game)

    def _reopen_game(self, page: GamePage) -> None:
        tab, who = page.tabs.currentIndex(), page.start.who
        entered = (who.classes.currentData() or "", who.level.value()) if who.entered else None
        page.close()
        again = self.open_game()
        again.tabs.setCurrentIndex(tab)
        if entered is not None:
            again.start.who.enter(*entered)

    @Slot(object)
    def show_key_problems(self, problems: Mapping[str, str]) -> None:
        self.key_problems = problems
        if self.settings is not None:
            self.settings.show_key_problems(problems)
        if self.welcome is not None:
            self.welcome.keys.show_problems(problems)

    def show_device(self, device: DeviceStatus | None) -> None:
        for page in (self.settings, self.welcome):
            if page is not None:
                page.show_device(device)

    def close(self) -> Callable[[], None]:
        """Closes the pages; returns what opens those of them again that were being worked on."""
        again: list[Callable[[], None]] = []
        if self.settings is not None:
            again += [partial(self.open_settings, self.settings.current_group()), self._show_undo]
        if self.welcome is not None:
            again.append(partial(self.open_welcome, self.welcome.found, self.welcome.pages.currentIndex()))
            self.welcome.changed.disconnect(self.changed)
        over = self.settings, self.game, self.welcome, self.review, self.explanation, self.comparison
        for page in (self.picker, *over):
            if page is not None:
                page.close()

        def reopen() -> None:
            for opens in again:
                opens()

        return reopen

    def _closed(
        self,
        page: Literal["settings", "game", "welcome", "review", "explanation", "comparison"],
        result: int,
    ) -> None:
        getattr(self, page).deleteLater()
        setattr(self, page, None)

    @Slot()
    def _ask_frame(self) -> None:
        self._bridge.send(AskFrame())

    @Slot()
    def relearn(self) -> None:
        self._bridge.send(Relearn())

    @Slot()
    def _forget_picker(self) -> None:
        self.picker = None

    @Slot(object)
    def _picked(self, offer: WindowOffer | None) -> None:
        """Watches a window, and keeps in the settings how to find it again."""
        settings = self._values()
        for cause in ("window", "rivals"):
            self._window().notice.settle(cause)
        if offer is None:
            values = {"capture.title": "", "capture.character": ""}
        elif offer.client:
            values = {
                "capture.target": offer.client,
                "capture.title": "",
                "capture.character": offer.character,
            }
        else:
            window, target = offer.window, settings.capture.target
            alike = fits(profiles.load(target), window.title, window.process)
            values = {"capture.title": "" if alike else window.title, "capture.character": ""}
            if not alike:
                self._hold_against_client(window.title, target)
        for key, value in values.items():
            settings = settings.changed(key, value)
        if settings != self._values():
            self.changed.emit(settings)
            self.show_settings(settings)
        self._bridge.send(WatchWindow(offer.window.handle if offer is not None else None))
        if offer is not None and offer.client not in ("", "arena") and knowledge().game is not None:
            self._begin_with(offer)

    def _begin_with(self, offer: WindowOffer) -> None:
        """Opens the questions before the first advice, where they were not answered for this game yet."""
        base, known = knowledge(), boards.load().value.layouts
        key = class_called(offer.game_class)
        own = bool(offer.game_class) and key in base.content.classes
        if own and any(layout.client == offer.client for layout in known):
            return
        if self.game is not None:
            self.game.close()
        self.open_game(Title(offer.character, offer.game_class))
        self.open_start()

    def _hold_against_client(self, title: str, target: str) -> None:
        self._window().notice.say(
            tr(
                'The window "{title}" does not look like {client}. If it is another game client, choose it.',
                title=title,
                client=tr(CHOICES[target]),
            ),
            action=(tr("Choose the client"), partial(self.open_settings, "capture")),
            cause="window",
        )


def _to_front(page: QWidget) -> None:
    page.show()
    page.raise_()


def look_for_windows() -> WindowLook:
    return WindowLook()


def game_open() -> WindowOffer | None:
    """Returns the topmost window of a game, None where none is open or windows cannot be listed."""
    try:
        return next((offer for offer in offers() if offer.client), None)
    except UnsupportedSession:
        return None
