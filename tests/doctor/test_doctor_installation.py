"""The doctor on made-up computers: each thing that is missing has its line."""

from types import SimpleNamespace
from typing import Any

import pytest

from botapp.doctor import examination
from vision import window
from vision.frame import Rect
from vision.window import Session, UnsupportedSession


class FakeSystem:
    def __init__(self, composited: bool) -> None:
        self._composited = composited

    def screen(self) -> Rect:
        return Rect(0, 0, 1920, 1080)

    def composited(self) -> bool:
        return self._composited


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch) -> Any:
    def set_up(session: Session, system: Any) -> dict[str, Any]:
        monkeypatch.setattr(window, "session", lambda: session)
        monkeypatch.setattr(window, "system", system)
        return examination.capture()

    return set_up


def test_a_desktop_with_a_compositor_is_fine(on: Any) -> None:
    found = on(Session("x11"), lambda: FakeSystem(True))
    assert found["usable"]
    assert found["text"] == "screen 1920x1080, with a compositor"


def test_the_message_of_a_half_usable_session_is_kept(on: Any) -> None:
    found = on(Session("xwayland", "only XWayland games"), lambda: FakeSystem(False))
    assert found["text"] == "screen 1920x1080, without a compositor; only XWayland games"
    assert not found["composited"]


def test_windows_is_not_asked_for_a_compositor(on: Any) -> None:
    assert on(Session("windows"), lambda: FakeSystem(False))["text"] == "screen 1920x1080"


def test_a_display_that_does_not_answer_is_told(on: Any) -> None:
    def dead() -> None:
        raise UnsupportedSession("the display :9 does not answer")

    found = on(Session("x11"), dead)
    assert (found["usable"], found["text"]) == (False, "the display :9 does not answer")


def test_problems_have_a_remedy_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examination, "sys", SimpleNamespace(platform="linux"))
    found = {
        "weights": {"usable": True, "text": ""},
        "capture": {"usable": True, "composited": False, "text": ""},
        "search": {"text": "nothing can be kept in the folder: make it writable"},
        "settings": {"messages": ["settings.toml was bad"]},
        "versions": {"mss": "missing", "torch": "2.13.0", "onnxruntime": "missing"},
    }
    problems = examination.problems(found)
    assert any("picom" in problem for problem in problems)
    assert any("pip install mss" in problem for problem in problems)
    assert "settings.toml was bad" in problems
    assert any("make it writable" in problem for problem in problems)
    assert len(problems) == 4
