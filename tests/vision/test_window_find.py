"""Picking the window to watch: by part of a title, never one of the app's own."""

import ctypes
import os
import sys
from types import SimpleNamespace

import pytest

from vision import profiles
from vision.frame import Rect
from vision.window import WindowInfo, find, games, geometry, list_windows, session, system
from vision.window.desktop import forget
from vision.window.model import CLOSED, process_name
from vision.window.sessions import UnsupportedSession
from vision.window.win32 import Win32System, user32


def info(handle, title, process="game", pid=1000):
    return WindowInfo(handle, title, process, pid, Rect(0, 0, 800, 600))


class Fake:
    def __init__(self, *windows):
        self.windows = windows
        self.asked = None

    def list_windows(self):
        return self.windows

    def state(self, handle, ignore_pids=frozenset(), *, covers=True):
        self.asked = (handle, ignore_pids)
        return CLOSED


def test_a_title_is_found_by_part_in_any_case():
    windows = Fake(info(1, "Notes"), info(2, "Gaimo - Dofus 3.1.2"))
    assert find(title="dofus", windows=windows).handle == 2
    assert find(title="chess", windows=windows) is None


def test_the_exact_title_is_preferred():
    windows = Fake(info(1, "botapp arena - notes"), info(2, "Botapp Arena"))
    assert find(title="botapp arena", windows=windows).handle == 2


def test_the_apps_own_windows_are_never_picked():
    windows = Fake(
        info(1, "botapp"),
        info(2, "botapp: settings"),
        info(3, "Dofus overlay", pid=77),
        info(4, "botapp arena"),
    )
    assert [w.handle for w in list_windows(exclude_pids=[77], windows=windows)] == [4]
    assert find(title="botapp", windows=windows).handle == 4


def test_this_processs_windows_are_never_picked():
    assert list_windows(windows=Fake(info(1, "Dofus", pid=os.getpid()))) == ()


def test_process_and_handle_narrow_the_choice():
    windows = Fake(info(1, "Dofus", "browser"), info(2, "Dofus", "Dofus.exe"))
    assert find(title="dofus", process="dofus.EXE", windows=windows).handle == 2
    assert find(handle=1, windows=windows).handle == 1
    assert find(title="dofus", handle=3, windows=windows) is None


def test_asking_for_nothing_is_an_error():
    with pytest.raises(ValueError, match="which window"):
        find(windows=Fake())


def test_own_windows_do_not_cover_the_game():
    windows = Fake()
    geometry(5, [77], windows)
    assert windows.asked == (5, frozenset({77, os.getpid()}))


@pytest.mark.parametrize(
    ("environ", "platform", "kind", "usable"),
    [
        ({"DISPLAY": ":0"}, "linux", "x11", True),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, "linux", "xwayland", True),
        ({"XDG_SESSION_TYPE": "wayland"}, "linux", "wayland", False),
        ({}, "linux", "none", False),
        ({}, "win32", "windows", True),
    ],
)
def test_the_session_is_named_and_explained(environ, platform, kind, usable):
    found = session(environ, platform)
    assert (found.kind, found.usable) == (kind, usable)
    if kind in ("xwayland", "wayland", "none"):
        assert "botapp look" in found.message


def test_no_display_is_a_message_not_a_traceback(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UnsupportedSession, match="set DISPLAY"):
        system()


def test_a_dead_display_is_a_message(monkeypatch):
    monkeypatch.setenv("DISPLAY", ":987")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    forget()
    with pytest.raises(UnsupportedSession, match=":987"):
        system()


class FakeUser32:
    """Three windows, the topmost first: the app's overlay, a note over the game, the game."""

    def __init__(self):
        self.titles = {9: "botapp overlay", 7: "Notes", 5: "Dofus", 3: ""}
        self.pids = {9: 100, 7: 200, 5: 300, 3: 400}
        self.hidden = {3}
        self.gone = set()

    def windows(self):
        return [h for h in (9, 7, 5, 3) if h not in self.gone]

    def exists(self, handle):
        return handle in self.windows()

    def visible(self, handle):
        return handle not in self.hidden

    def title(self, handle):
        return self.titles[handle]

    def pid(self, handle):
        return self.pids[handle]

    def client(self, handle):
        return Rect(100, 100, 1000, 600)

    def frame(self, handle):
        return Rect(100, 100, 500, 600) if handle == 7 else Rect(0, 0, 1920, 1080)

    def screen(self):
        return Rect(0, 0, 1920, 1080)


def test_windows_of_a_windows_desktop():
    windows = Win32System(FakeUser32())
    assert find(title="dofus", windows=windows).handle == 5
    state = windows.state(5, frozenset({100}))
    assert (state.status, state.covered) == ("covered", 0.5)
    assert windows.state(5).covered == 1.0
    assert not windows.composited()


def test_minimised_and_closed_on_a_windows_desktop():
    api = FakeUser32()
    windows = Win32System(api)
    api.hidden.add(5)
    assert windows.state(5).status == "minimised"
    api.gone.add(5)
    assert windows.state(5).status == "closed"


def test_physical_pixels_are_asked_for_before_anything_else(monkeypatch):
    asked = []

    class Library:
        def __getattr__(self, name):
            return lambda *_: asked.append(name) or 1

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(user32=Library(), dwmapi=Library()), raising=False)
    monkeypatch.setattr(ctypes, "WINFUNCTYPE", ctypes.CFUNCTYPE, raising=False)
    user32().screen()
    assert asked[0] == "SetProcessDpiAwarenessContext"
    assert "GetSystemMetrics" in asked


def test_a_process_that_is_gone_has_no_name():
    assert process_name(os.getpid())
    assert process_name(0) == process_name(2**22 + 1) == ""


def test_user32_is_asked_for_on_windows_only():
    with pytest.raises(OSError, match="Windows only"):
        user32()


CLIENTS = profiles.titles()


@pytest.mark.parametrize(
    ("title", "told"),
    [
        ("Someone-Else - Zobal - 3.3.18.17 - Release", ("dofus-unity", "Someone-Else", "Zobal")),
        ("Ab - Crâ - 3.0.1 - Beta", ("dofus-unity", "Ab", "Crâ")),
        ("Dofus", ("dofus-unity", "", "")),
        ("Some-[One] - Dofus 2.66.1.6", ("dofus-2", "Some-[One]", "")),
        ("Dofus 2.x", ("dofus-2", "", "")),
        ("Someone - Dofus Retro v1.43.7", ("dofus-retro", "Someone", "")),
        ("Dofus Retro", ("dofus-retro", "", "")),
        ("botapp arena", ("arena", "", "")),
        ("botapp arena - notes", None),
        ("Dofus guide - Release - Browser", None),
        ("Notes - Dofus 3 plans - 2026 - Editor", None),
        ("", None),
    ],
)
def test_titles_as_the_clients_write_them(title, told):
    found = games(CLIENTS, windows=Fake(info(1, title)))
    assert [(game.client, game.character, game.game_class) for game in found] == ([told] if told else [])


def test_a_client_whose_title_lacks_the_games_name_is_found_without_being_typed():
    written = "Someone - Zobal - 3.3.18.17 - Release"
    windows = Fake(info(1, "Dofus guide - Browser", "browser"), info(2, written, "Dofus.exe"))
    unity = profiles.load("dofus-unity")
    assert find(title=unity.title, patterns=unity.titles, windows=windows).handle == 2
    assert find(title=unity.title, windows=windows).handle == 1


def test_of_several_clients_all_are_told_the_topmost_first():
    windows = Fake(
        info(4, "Ab - Iop - 3.3.18.17 - Release"),
        info(5, "Notes"),
        info(6, "Cd - Xélor - 3.3.18.17 - Release"),
    )
    found = games(CLIENTS, windows=windows)
    assert [(game.window.handle, game.character) for game in found] == [(4, "Ab"), (6, "Cd")]


def test_of_several_clients_the_chosen_characters_is_watched_and_else_the_topmost():
    windows = Fake(
        info(4, "Ab - Iop - 3.3.18.17 - Release"),
        info(5, "Dofus"),
        info(6, "Cd - Xélor - 3.3.18.17 - Release"),
    )
    unity = profiles.load("dofus-unity")
    wanted = {"title": unity.title, "patterns": unity.titles, "windows": windows}
    assert find(**wanted, character="Cd").handle == 6
    assert find(**wanted, character="Gone").handle == find(**wanted).handle == 4


def test_a_title_of_a_megabyte_is_no_games_and_costs_nothing():
    assert games(CLIENTS, windows=Fake(info(1, "a - b" * 200_000))) == ()


@pytest.mark.parametrize(
    "process", ["explorer.exe", "nautilus", "Dolphin", "firefox", "chrome.exe", "org.gnome.Nauti"]
)
def test_a_folder_or_a_page_called_like_the_game_is_no_game(process):
    """A folder "Dofus" came before the client, and a tab of a browser was watched as the game."""
    patterns = profiles.load("dofus-unity").titles
    folder, game = info(1, "Dofus", process), info(2, "Dofus 3.1 - the client", "unknown")
    assert find(title="dofus", only_games=True, windows=Fake(folder, game)).handle == 2
    assert find(title="dofus", patterns=patterns, only_games=True, windows=Fake(folder)) is None
    assert find(title="dofus", windows=Fake(folder)).handle == 1, "picked by hand it is watched"
    assert games({"a": ("Dofus",)}, windows=Fake(folder)) == ()


def test_whether_a_window_is_shown_and_over_another_is_told_by_windows_own_order():
    class Api:
        order, shown = [7, 3, 5], {7, 3, 5}

        def windows(self):
            return self.order

        def visible(self, handle):
            return handle in self.shown

    api = Api()
    assert Win32System(api).standing(7, 5) == "over"
    assert Win32System(api).standing(5, 7) == "under"
    api.shown = {7}
    assert Win32System(api).standing(3, 5) == "hidden"
