"""A display is found, made, or its absence explained."""

import os
import shutil

import pytest

from botapp.demo import display as module
from botapp.demo.display import NoDisplay, display, has_display, missing_packages

NEEDS_XVFB = pytest.mark.skipif(bool(missing_packages()), reason="Xvfb, openbox or picom is missing")


@pytest.fixture
def _headless(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")


def test_where_windows_can_be_opened() -> None:
    assert has_display({"DISPLAY": ":0"}, "linux")
    assert has_display({"WAYLAND_DISPLAY": "wayland-0"}, "linux")
    assert not has_display({}, "linux")
    assert has_display({}, "win32")


def test_a_display_that_is_there_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":1234")
    with display() as name:
        assert name is None
        assert os.environ["DISPLAY"] == ":1234"


@pytest.mark.usefixtures("_headless")
def test_missing_programs_are_named_with_the_line_that_installs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        shutil, "which", lambda program: None if program == "picom" else f"/usr/bin/{program}"
    )
    with pytest.raises(NoDisplay, match=r"sudo apt-get install --no-install-recommends picom$"), display():
        pass


@NEEDS_XVFB
@pytest.mark.slow
@pytest.mark.usefixtures("_headless")
def test_a_virtual_display_has_a_window_manager_and_a_compositor_and_goes_away() -> None:
    with display(800, 600) as name:
        assert name is not None
        assert os.environ["DISPLAY"] == name
        assert "XDG_RUNTIME_DIR" in os.environ
        assert module.root_has("_NET_SUPPORTING_WM_CHECK")
        assert module.owned("_NET_WM_CM_S0")
    assert "DISPLAY" not in os.environ
    assert "XDG_RUNTIME_DIR" not in os.environ


@pytest.mark.usefixtures("_headless")
def test_a_server_that_does_not_start_is_told_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    for program in ("Xvfb", "openbox", "picom"):
        fake = tmp_path / program
        fake.write_text("#!/bin/sh\nexit 1\n")
        fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoDisplay, match="Xvfb :99"), display():
        pass


@NEEDS_XVFB
@pytest.mark.slow
@pytest.mark.usefixtures("_headless")
def test_a_window_manager_that_does_not_start_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setattr(module, "READY_S", 1.0)
    fake = tmp_path / "openbox"
    fake.write_text("#!/bin/sh\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(NoDisplay, match="openbox does not start"), display(640, 480):
        pass
    assert "DISPLAY" not in os.environ
