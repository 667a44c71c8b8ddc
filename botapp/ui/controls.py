"""The main window's actions, and the tool bar that has most of them."""

from typing import get_args

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from botapp.host.settings import HotkeySettings, Layout, Settings
from botapp.ui import theme
from botapp.ui.settings.editors import CHOICES
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.labels import name

WITH_HELP = 480
"""From this width on the tool bar has room for the explanation; below, its menu and F1 open it."""
OVERLAY_NAMES = {
    "full": mark("Overlay: full"),
    "minimal": mark("Overlay: minimal"),
    "off": mark("Overlay: off"),
}
"""What the overlay can show, in the order in which its key goes through them."""


class Controls(QObject):
    """What the person can ask the app for: on the tool bar, in menus, by keys.

    Signals:
        pause_asked: whether watching is to pause.
        overlay_switched: what the overlay shows from now on, a key of `OVERLAY_NAMES`.
        layout_chosen: one of the settings `ui.layout`, the one that is there too.

    Attributes:
        preset: what the overlay shows, a key of `OVERLAY_NAMES`.
        layouts: an action for each of the settings `ui.layout`.
    """

    pause_asked = Signal(bool)
    overlay_switched = Signal(str)
    layout_chosen = Signal(str)

    def __init__(self, window: QMainWindow, settings: Settings, *, can_play: bool) -> None:
        super().__init__(window)
        self.pause = self._action("", "F9", icon="play")
        self.pause.triggered.connect(lambda: self.pause_asked.emit(not self.pause.data()))
        self.pick = self._action("", icon="target", tip=tr("Pick the window to watch"))
        self.overlay = self._action(tr("Overlay"), "F8", icon="layers", checkable=True)
        self.overlay.setWhatsThis(tr("The overlay: the whole turn, the next action only, or nothing"))
        self.overlay.triggered.connect(self._switch_overlay)
        self.badge = self._action(tr("Move the advice box"), "Shift+F8")
        self.compact = self._action(tr("Small advice window"), "F6")
        self.play = self._action(
            tr("Play the advice"),
            icon="robot",
            tip=tr("Play the advice (practice arena only)"),
            checkable=True,
        )
        self.play.setVisible(can_play)
        self.game = self._action(
            tr("My game"),
            "F7",
            icon="book",
            tip=tr("Your spells, the fighters you know, the board's position (F7)"),
        )
        self.review = self._action(
            tr("Fights"),
            "F5",
            icon="history",
            tip=tr("Kept fights: look at them again, step by step (F5)"),
        )
        self.settings = self._action(tr("Settings"), "Ctrl+,", icon="settings")
        self.explain = self._action(
            tr("What the numbers mean"),
            "F1",
            icon="help",
            tip=tr("Explains every number on the screen in a sentence (F1)"),
        )
        self.copy = self._action(tr("Copy position"), "Ctrl+Shift+C")
        self.paste = self._action(tr("Paste position"), "Ctrl+Shift+V")
        self.quit = self._action(tr("Quit"), QKeySequence.StandardKey.Quit)
        group = QActionGroup(self)
        group.triggered.connect(lambda action: self.layout_chosen.emit(action.data()))
        self.layouts: dict[str, QAction] = {}
        for key in get_args(Layout):  # a panel has one of the names
            action = self._action(tr("Layout: {name}", name=tr(CHOICES[key])), checkable=True)
            action.setData(key)
            self.layouts[key] = group.addAction(action)
        window.addActions([self.badge, self.compact, self.copy, self.paste, self.quit])
        self.show_paused(False)
        self.apply(settings)

    def apply(self, settings: Settings) -> None:
        overlay = settings.overlay
        self.preset = overlay.preset if overlay.enabled else "off"
        _name(self.overlay, tr(OVERLAY_NAMES[self.preset]))
        self.overlay.setChecked(overlay.enabled)
        self._show_keys(settings.hotkeys)
        _name(self.pick, tr(CHOICES[settings.capture.target]))
        self.layouts[settings.ui.layout].setChecked(True)

    def show_paused(self, paused: bool) -> None:
        _name(self.pause, tr("Start") if paused else tr("Pause"))
        self.pause.setIcon(theme.icon("play" if paused else "pause", "accent_text"))
        self.pause.setData(paused)

    def _action(
        self,
        text: str,
        keys: str | QKeySequence.StandardKey = "",
        *,
        icon: str = "",
        tip: str = "",
        checkable: bool = False,
    ) -> QAction:
        action = QAction(theme.icon(icon), "", self) if icon else QAction(self)
        _name(action, text)
        action.setShortcut(QKeySequence(keys))
        action.setCheckable(checkable)
        if tip:
            action.setToolTip(tip)
        return action

    def _show_keys(self, hotkeys: HotkeySettings) -> None:
        overlay = tr("Draw the advice on top of the game: the whole turn, the next action only, nothing")
        for action, text, chosen in (
            (self.pause, tr("Start or pause watching"), hotkeys.pause),
            (self.overlay, overlay, hotkeys.overlay_next),
        ):
            native = QKeySequence.SequenceFormat.NativeText
            own, hotkey = action.shortcut().toString(native), QKeySequence(chosen).toString(native)
            keys = tr("{key} in botapp", key=own)
            if hotkey:
                keys = tr("{key} in botapp, {hotkey} everywhere", key=own, hotkey=hotkey)
            action.setToolTip(f"{text} ({keys})")

    def _switch_overlay(self) -> None:
        presets = list(OVERLAY_NAMES)
        self.overlay_switched.emit(presets[(presets.index(self.preset) + 1) % len(presets)])


class ToolBar(QToolBar):
    """The upper tool bar; where there is no room for its words it leaves them off."""

    def __init__(self, controls: Controls, panels: QMenu) -> None:
        super().__init__(tr("Tools"))
        self.setObjectName("toolbar")
        self.setMovable(False)
        self.setIconSize(QSize(17, 17))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.addAction(controls.pause)
        self.widgetForAction(controls.pause).setObjectName("primary")
        self.addAction(controls.pick)
        self.addSeparator()
        self.addActions([controls.overlay, controls.play])
        gap = QWidget()
        gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(gap)
        chooser = QToolButton()
        name(chooser, tr("Panels"))
        chooser.setIcon(theme.icon("panels"))
        chooser.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        chooser.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        chooser.setMenu(panels)
        self.addWidget(chooser)
        explain = QToolButton()
        explain.setDefaultAction(controls.explain)
        explain.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        name(explain, controls.explain.toolTip())
        self._explain = self.addWidget(explain)
        self.addActions([controls.review, controls.game, controls.settings])
        self.setProperty("tight", False)
        self._whole = self.sizeHint().width()
        for action in self.actions():
            button = self.widgetForAction(action)
            if isinstance(button, QToolButton):
                button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def fit(self, width: int) -> None:
        """Takes up a width, in logical pixels, with or without its words."""
        styles, wide = Qt.ToolButtonStyle, width >= self._whole
        if self.property("tight") is wide:
            self.setProperty("tight", not wide)
            for button in self.findChildren(QToolButton):
                button.style().unpolish(button)
                button.style().polish(button)
        self._explain.setVisible(width >= WITH_HELP)
        self.setToolButtonStyle(styles.ToolButtonTextBesideIcon if wide else styles.ToolButtonIconOnly)


def _name(action: QAction, text: str) -> None:
    """Names an action; on the tool bar a space keeps the name off the icon."""
    action.setText(text)
    action.setIconText(f" {text}")
