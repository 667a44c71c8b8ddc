"""Hotkeys on X11: passive grabs (XGrabKey) on a connection of their own.

The server drops a connection's grabs when it ends, so none outlives the app, however that ends.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import chain, combinations
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier, Qt, Slot
from Xlib import XK, X, display, error

from botapp.ui.hotkeys.combo import KeyCombo, Refusal

_GONE = (error.ConnectionClosedError, error.DisplayError, OSError)
_Key = Qt.Key
_NAMED = {
    _Key.Key_Pause: "Pause",
    _Key.Key_Print: "Print",
    _Key.Key_ScrollLock: "Scroll_Lock",
    _Key.Key_Insert: "Insert",
    _Key.Key_Delete: "Delete",
    _Key.Key_Home: "Home",
    _Key.Key_End: "End",
    _Key.Key_PageUp: "Prior",
    _Key.Key_PageDown: "Next",
    _Key.Key_Left: "Left",
    _Key.Key_Right: "Right",
    _Key.Key_Up: "Up",
    _Key.Key_Down: "Down",
    _Key.Key_Tab: "Tab",
    _Key.Key_Backspace: "BackSpace",
    _Key.Key_Return: "Return",
    _Key.Key_Enter: "KP_Enter",
    _Key.Key_Escape: "Escape",
    _Key.Key_MediaPlay: "XF86_AudioPlay",
    _Key.Key_MediaStop: "XF86_AudioStop",
    _Key.Key_MediaNext: "XF86_AudioNext",
    _Key.Key_MediaPrevious: "XF86_AudioPrev",
}
_ALTGR_LEVEL = 4  # From this level on a symbol needs AltGr, which no combination has
_REPEAT_MS = 20  # A press so soon after a release of the same key is the keyboard repeating it


class X11Keys(QObject):
    """Grabs keys on the root window and hears them on the GUI's thread."""

    def __init__(self, pressed: Callable[[str], object], name: str | None = None) -> None:
        """Connects; `pressed` is called with the name of each combination pressed.

        Raises:
            OSError: the display does not answer.
        """
        super().__init__()
        XK.load_keysym_group("xf86")
        try:
            self._display = display.Display(name)
        except _GONE as problem:
            raise OSError(str(problem)) from problem
        self._root = self._display.screen().root
        self._pressed = pressed
        self._wanted: Mapping[str, KeyCombo] = {}
        self._held: dict[tuple[int, int], str] = {}
        self._released = (0, 0)
        self._closed = False
        self._notifier = QSocketNotifier(self._display.fileno(), QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._hear)

    def grab(self, combos: Mapping[str, KeyCombo]) -> dict[str, Refusal]:
        """Takes these in place of those before; see `KeyGrabber`."""
        try:
            self._let_go()
            self._wanted = dict(combos)
            self._modifiers = self._modifier_masks()
            refused: dict[str, Refusal] = {}
            for name, combo in combos.items():
                (codes, shifted), mask = self._codes(combo), self._mask(combo)
                if not codes or mask is None:
                    refused[name] = "missing"
                    continue
                mask |= X.ShiftMask if shifted else 0
                if not all(self._grab_one(code, mask) for code in codes):
                    refused[name] = "taken"
                    self._ungrab(codes, mask)
                else:
                    self._held |= {(code, mask): name for code in codes}
        except _GONE as problem:
            self._notifier.setEnabled(False)
            raise OSError(str(problem)) from problem
        self._hear()
        return refused

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._notifier.setEnabled(False)
        with suppress(*_GONE):
            self._display.close()

    @Slot()
    def _hear(self) -> None:
        changed = False
        try:
            while not self._closed and self._display.pending_events():
                event = self._display.next_event()
                if event.type == X.MappingNotify:
                    self._display.refresh_keyboard_mapping(event)
                    changed = True
                elif event.type == X.KeyRelease:
                    self._released = event.detail, event.time
                elif event.type == X.KeyPress:
                    self._press(event)
        except _GONE:
            self._notifier.setEnabled(False)
            return
        if changed and self._wanted:
            self.grab(self._wanted)

    def _press(self, event: Any) -> None:
        code, released = self._released
        if code == event.detail and 0 <= event.time - released <= _REPEAT_MS:
            return
        every = self._modifiers["ctrl"] | self._modifiers["alt"] | self._modifiers["shift"]
        name = self._held.get((event.detail, event.state & (every | self._modifiers["meta"])))
        if name is not None:
            self._pressed(name)

    def _grab_one(self, code: int, mask: int) -> bool:
        """Grabs a key for every state of the locks; returns False if another program has it."""
        refusal = error.CatchError(error.BadAccess)
        for locks in self._locks():
            self._root.grab_key(code, mask | locks, False, X.GrabModeAsync, X.GrabModeAsync, onerror=refusal)
        self._display.sync()
        return refusal.get_error() is None

    def _let_go(self) -> None:
        for code, mask in self._held:
            self._ungrab([code], mask)
        self._held = {}

    def _ungrab(self, codes: list[int], mask: int) -> None:
        for code in codes:
            for locks in self._locks():
                self._root.ungrab_key(code, mask | locks)
        self._display.sync()

    def _locks(self) -> Iterator[int]:
        bits = {X.LockMask, self._modifiers["num"], self._modifiers["scroll"]} - {0}
        for chosen in chain.from_iterable(combinations(sorted(bits), n) for n in range(len(bits) + 1)):
            yield sum(chosen)

    def _modifier_masks(self) -> dict[str, int]:
        masks = {"ctrl": X.ControlMask, "shift": X.ShiftMask, "alt": 0, "meta": 0, "num": 0, "scroll": 0}
        keys = {
            "alt": ("Alt_L", "Alt_R"),
            "meta": ("Super_L", "Super_R"),
            "num": ("Num_Lock",),
            "scroll": ("Scroll_Lock",),
        }
        mapping = self._display.get_modifier_mapping()
        for name, symbols in keys.items():
            codes = {self._display.keysym_to_keycode(XK.string_to_keysym(symbol)) for symbol in symbols} - {0}
            for bit, row in enumerate(mapping):
                if codes & set(row):
                    masks[name] |= 1 << bit
        return masks

    def _mask(self, combo: KeyCombo) -> int | None:
        mask = 0
        for name in ("ctrl", "alt", "shift", "meta"):
            if getattr(combo, name):
                if not self._modifiers[name]:
                    return None
                mask |= self._modifiers[name]
        return mask

    def _codes(self, combo: KeyCombo) -> tuple[list[int], bool]:
        """Returns the keys of the keyboard that a combination may mean, and whether they need Shift.

        Qt leaves Shift out of a symbol that is only reached with it.
        """
        pairs = sorted(self._display.keysym_to_keycodes(_symbol(combo)), key=lambda pair: pair[1])
        level = pairs[0][1] if pairs else 0
        if level >= _ALTGR_LEVEL:
            return [], False
        codes = list(dict.fromkeys(code for code, at in pairs if at == level))
        return codes, level % 2 == 1 and not combo.keypad


def _symbol(combo: KeyCombo) -> int:
    key = combo.key.value
    if combo.key in _NAMED:
        return int(XK.string_to_keysym(_NAMED[combo.key]))
    if _Key.Key_F1.value <= key <= _Key.Key_F35.value:
        return int(XK.XK_F1) + key - _Key.Key_F1.value
    letter = chr(key).lower() if key < 0x110000 else ""
    if combo.keypad and letter.isdigit():
        return int(XK.string_to_keysym(f"KP_{letter}"))
    return ord(letter) if len(letter) == 1 and ord(letter) < 0x100 else 0
