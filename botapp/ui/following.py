"""Watches the client that is open: where the watched one's window is missing, or shows another's screen."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from botapp.host.clients import CLIENTS
from botapp.host.message import is_message, mark, say
from botapp.host.settings import Settings
from botapp.runtime.messages import Snapshot, WatchWindow
from botapp.runtime.watch import OTHER_CLIENT
from botapp.ui import words
from botapp.ui.bridge import Bridge
from botapp.ui.pages import Pages
from botapp.ui.translation import tr
from botapp.ui.window import MainWindow

_FOLLOWED = mark("{client} is open and is watched from now on.")
HOLD_S = 30.0
"""How long a client that the person has just started is waited for before another one is watched."""


class ClientFollower(QObject):
    """Tells which client to watch in place of the one in the settings.

    Signals:
        found: another client is open: its name.
        pictured: the window that is watched shows another client's screen: its name and the window's handle.
        asked: it may be either of several, or the person holds on to one client: their names, the handle.
    """

    found = Signal(str)
    pictured = Signal(str, object)
    asked = Signal(object, object)

    def __init__(self, parent: QObject | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._clock = clock
        self._held_until = 0.0
        self._offered: set[tuple[int, tuple[str, ...]]] = set()

    def wait(self) -> None:
        """Waits a while for the client in the settings, since the person has just started it."""
        self._held_until = self._clock() + HOLD_S

    def offer(self, snapshot: Snapshot, settings: Settings) -> None:
        """Takes in the newest snapshot; emits `found` where it says that another client is open."""
        if snapshot.capture == "watching":
            self._held_until = 0.0
        capture = settings.capture
        if snapshot.clients and snapshot.window is not None:
            self._tell(
                snapshot.clients, snapshot.window.handle, hold=not capture.follow or bool(capture.title)
            )
        if snapshot.capture != "no-window" or not capture.follow or capture.title:
            return
        reason = snapshot.reason
        if not is_message(reason) or reason.template != OTHER_CLIENT or self._clock() < self._held_until:
            return
        if reason.values["watched"] == capture.target:
            self.found.emit(str(reason.values["client"]))

    def _tell(self, clients: tuple[str, ...], handle: int, *, hold: bool) -> None:
        if (handle, clients) in self._offered:
            return
        self._offered.add((handle, clients))
        if len(clients) == 1 and not hold:
            self.pictured.emit(clients[0], handle)
        else:
            self.asked.emit(clients, handle)


class Watching(QObject):
    """Decides which window is watched: a client that is open, an arena that the person opens."""

    def __init__(
        self,
        window: Callable[[], MainWindow],
        settings: Callable[[], Settings],
        bridge: Bridge,
        pages: Pages,
        take: Callable[[Settings], object],
        parent: QObject,
    ) -> None:
        """Follows at once; `take` is called with settings in which another client is watched."""
        super().__init__(parent)
        self._window, self._settings, self._bridge, self._pages, self._take = (
            window, settings, bridge, pages, take,
        )  # fmt: skip
        self._follower = ClientFollower(self)
        self._follower.found.connect(self._follow)
        self._follower.pictured.connect(self._follow_picture)
        self._follower.asked.connect(self._ask_client)
        pages.arena_opened.connect(self._watch_arena)
        pages.arenas.shown.connect(self._arena_shown)
        pages.arenas.closed.connect(self._arena_closed)

    def offer(self, snapshot: Snapshot) -> None:
        self._follower.offer(snapshot, self._settings())

    def by_settings(self, snapshot: Snapshot) -> Snapshot:
        """Returns a snapshot whose reason goes by the settings of now: the worker may be busy loading and not
        know yet that another client is followed.
        """
        reason, target = snapshot.reason, self._settings().capture.target
        if is_message(reason) and reason.template == OTHER_CLIENT and reason.values["client"] == target:
            return replace(snapshot, reason=say(_FOLLOWED, client=target))
        return snapshot

    @Slot(str)
    def _follow(self, client: str) -> None:
        self._take(self._settings().changed("capture.target", client))
        self._bridge.show_again()
        self._window().notice.say(
            words.reason(say(_FOLLOWED, client=client)),
            "info",
            action=(tr("Pick another one"), self._pages.pick_window),
            cause="followed",
        )

    @Slot(str, object)
    def _follow_picture(self, client: str, handle: int) -> None:
        self._read_as(client, handle)
        self._window().notice.say(
            tr("The window shows {client}, and is read as that from now on.", client=tr(CLIENTS[client])),
            "info",
            action=(tr("Pick another one"), self._pages.pick_window),
            cause="followed",
        )

    @Slot(object, object)
    def _ask_client(self, clients: tuple[str, ...], handle: int) -> None:
        """Asks which client the window that is watched shows: its picture fits one other, or several."""
        ways = [(tr(CLIENTS[client]), partial(self._read_as, client, handle)) for client in clients[:2]]
        text = tr("The window does not look like {client}. Which is it?", client=self._client())
        self._window().notice.say(
            text, "warn", action=ways[0], other=ways[1] if len(ways) > 1 else None, cause="followed"
        )

    def _client(self) -> str:
        target = self._settings().capture.target
        return tr(CLIENTS.get(target, target))

    def _read_as(self, client: str, handle: int) -> None:
        self._take(self._settings().changed("capture.target", client))
        self._bridge.send(WatchWindow(handle))

    @Slot()
    def _watch_arena(self) -> None:
        """Watches the practice arena, which the person has just opened, or offers to: one window is read.

        What the person has set to be watched for good stays so unless they say otherwise.
        """
        capture = self._settings().capture
        if capture.follow and not capture.title:
            self._follower.wait()
            self._take(self._settings().changed("capture.target", "arena"))
        elif capture.target != "arena" or capture.title:
            text = tr("The arena opens, and {client} is watched as before.", client=self._client())
            action = tr("Watch the arena"), self._watch_opened
            self._window().notice.say(text, "info", action=action, cause="arena-unwatched")

    @Slot()
    def _watch_opened(self) -> None:
        self._take(self._settings().changed("capture.target", "arena").changed("capture.title", ""))
        if self._pages.arenas.handle is not None:
            self._arena_shown(self._pages.arenas.handle)

    @Slot(int)
    def _arena_shown(self, handle: int) -> None:
        """Watches the arena that the person has opened, though another arena's window may be open."""
        if self._settings().capture.target != "arena":
            return
        self._window().controls.play.setChecked(False)  # its advice would be played into the demo's own arena
        self._bridge.send(WatchWindow(handle))

    @Slot(int)
    def _arena_closed(self, handle: int) -> None:
        latest = self._bridge.latest
        watched = latest.window if latest is not None else None
        if watched is None or watched.handle == handle:
            self._bridge.send(WatchWindow(None))
