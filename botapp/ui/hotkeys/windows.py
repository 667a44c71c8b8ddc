"""Hotkeys on Windows: RegisterHotKey, on a thread of its own that waits for them.

Windows gives a thread's hotkeys back when it ends, so none outlives the app. The calls themselves are the
`HotkeyApi` protocol, so that the logic can be tested anywhere.
"""

import ctypes
from collections.abc import Callable, Mapping
from threading import Event, Lock, Thread
from typing import Any, Protocol

from PySide6.QtCore import Qt

from botapp.ui.hotkeys.combo import KeyCombo, Refusal

_ALT, _CONTROL, _SHIFT, _WIN, _NO_REPEAT = 1, 2, 4, 8, 0x4000
_WM_HOTKEY, _WM_APP = 0x0312, 0x8000
_SHIFTED, _BY_ALTGR = 0x100, 0x600
ANSWER_S = 2.0
_Key = Qt.Key
_NAMED = {
    _Key.Key_Pause: 0x13,
    _Key.Key_Print: 0x2C,
    _Key.Key_ScrollLock: 0x91,
    _Key.Key_Insert: 0x2D,
    _Key.Key_Delete: 0x2E,
    _Key.Key_Home: 0x24,
    _Key.Key_End: 0x23,
    _Key.Key_PageUp: 0x21,
    _Key.Key_PageDown: 0x22,
    _Key.Key_Left: 0x25,
    _Key.Key_Up: 0x26,
    _Key.Key_Right: 0x27,
    _Key.Key_Down: 0x28,
    _Key.Key_Tab: 0x09,
    _Key.Key_Backspace: 0x08,
    _Key.Key_Return: 0x0D,
    _Key.Key_Enter: 0x0D,
    _Key.Key_Escape: 0x1B,
    _Key.Key_Space: 0x20,
    _Key.Key_MediaPlay: 0xB3,
    _Key.Key_MediaStop: 0xB2,
    _Key.Key_MediaNext: 0xB0,
    _Key.Key_MediaPrevious: 0xB1,
}
"""Virtual-key codes."""


class HotkeyApi(Protocol):
    """The calls to Windows that are needed. All but `wake` are made on one thread."""

    def begin(self) -> int:
        """Makes this thread's message queue; returns the thread's id."""
        ...

    def register(self, number: int, modifiers: int, key: int) -> bool:
        """Takes a combination; tells whether it was free."""
        ...

    def unregister(self, number: int) -> None: ...

    def wait(self) -> int:
        """Waits for a hotkey or a wake-up; returns the hotkey's number, -1 for a wake-up."""
        ...

    def wake(self, thread: int) -> None:
        """Ends the waiting of a thread."""
        ...

    def scan(self, letter: str) -> int:
        """Returns the virtual key of a letter, plus 0x100 where it needs Shift; 0 where it is on none."""
        ...


class WindowsKeys:
    """Takes hotkeys and waits for them until it is closed."""

    def __init__(self, pressed: Callable[[str], object], api: HotkeyApi | None = None) -> None:
        """Starts the thread; `pressed` is called on it with the name of each combination pressed."""
        self._pressed = pressed
        self._api = api if api is not None else _HotkeyCalls()
        self._lock = Lock()
        self._wanted: Mapping[str, KeyCombo] | None = {}
        self._refused: dict[str, Refusal] = {}
        self._names: dict[int, str] = {}
        self._ready, self._done = Event(), Event()
        self._thread = 0
        self._runner = Thread(target=self._run, name="hotkeys", daemon=True)
        self._runner.start()
        self._ready.wait(ANSWER_S)

    def grab(self, combos: Mapping[str, KeyCombo]) -> dict[str, Refusal]:
        """Takes these in place of those before; see `KeyGrabber`."""
        self._ask(dict(combos))
        return dict(self._refused)

    def close(self) -> None:
        if self._runner.is_alive():
            self._ask(None)
            self._runner.join(ANSWER_S)

    def _ask(self, wanted: Mapping[str, KeyCombo] | None) -> None:
        with self._lock:
            self._wanted = wanted
            self._done.clear()
        self._api.wake(self._thread)
        if not self._done.wait(ANSWER_S):
            raise OSError("Windows does not answer")

    def _run(self) -> None:
        self._thread = self._api.begin()
        self._ready.set()
        while True:
            number = self._api.wait()
            if number >= 0:
                if number in self._names:
                    self._pressed(self._names[number])
                continue
            with self._lock:
                wanted = self._wanted
            self._take(wanted or {})
            self._done.set()
            if wanted is None:
                return

    def _take(self, wanted: Mapping[str, KeyCombo]) -> None:
        for number in self._names:
            self._api.unregister(number)
        self._names, self._refused = {}, {}
        for number, (name, combo) in enumerate(wanted.items(), 1):
            key = _virtual(combo, self._api)
            if not key:
                self._refused[name] = "missing"
            elif self._api.register(number, _modifiers(combo) | _shift(key), key & 0xFF):
                self._names[number] = name
            else:
                self._refused[name] = "taken"


def _modifiers(combo: KeyCombo) -> int:
    pressed = ((combo.alt, _ALT), (combo.ctrl, _CONTROL), (combo.shift, _SHIFT), (combo.meta, _WIN))
    return _NO_REPEAT | sum(bit for is_held, bit in pressed if is_held)


def _shift(key: int) -> int:
    """Returns Shift where a symbol is only reached with it; Qt leaves it out of the combination then."""
    return _SHIFT if key & _SHIFTED else 0


def _virtual(combo: KeyCombo, api: HotkeyApi) -> int:
    """Returns a key's virtual-key code, plus 0x100 where it needs Shift; 0 where it has none."""
    key = combo.key.value
    if combo.key in _NAMED:
        return _NAMED[combo.key]
    if _Key.Key_F1.value <= key <= _Key.Key_F24.value:
        return 0x70 + key - _Key.Key_F1.value
    letter = chr(key) if key < 0x110000 else ""
    if combo.keypad and letter.isdigit():
        return 0x60 + int(letter)
    if "A" <= letter <= "Z":
        return ord(letter)
    return api.scan(letter.lower()) if letter else 0


class _HotkeyCalls:
    def __init__(self) -> None:
        loader: Any = getattr(ctypes, "windll", None)
        if loader is None:
            raise OSError("user32 exists on Windows only")
        self._user, self._kernel = loader.user32, loader.kernel32

    def begin(self) -> int:
        message = _message()
        self._user.PeekMessageW(ctypes.byref(message), None, 0, 0, 0)
        return int(self._kernel.GetCurrentThreadId())

    def register(self, number: int, modifiers: int, key: int) -> bool:
        return bool(self._user.RegisterHotKey(None, number, modifiers, key))

    def unregister(self, number: int) -> None:
        self._user.UnregisterHotKey(None, number)

    def wait(self) -> int:
        message = _message()
        while self._user.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
            if message.message == _WM_HOTKEY:
                return int(message.wParam)
            if message.message == _WM_APP:
                break
        return -1

    def wake(self, thread: int) -> None:
        self._user.PostThreadMessageW(thread, _WM_APP, 0, 0)

    def scan(self, letter: str) -> int:
        code = int(self._user.VkKeyScanW(ctypes.c_wchar(letter))) if len(letter) == 1 else -1
        return 0 if code & 0xFFFF == 0xFFFF or code & _BY_ALTGR else code & (0xFF | _SHIFTED)


def _message() -> Any:
    from ctypes import wintypes  # noqa: PLC0415

    return wintypes.MSG()
