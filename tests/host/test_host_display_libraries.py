"""A library that Qt wants and does not find is named with its package, before Qt ends it all."""

import ctypes
import subprocess
import sys

import pytest

from botapp.host import display_libraries
from botapp.host.display_libraries import PACKAGES, MissingLibraries, check, package_of, too_few_colours

X11 = {"DISPLAY": ":7"}


@pytest.fixture
def plugin(tmp_path):
    path = tmp_path / "libqxcb.so"
    path.touch()
    return path


def without(*missing):
    """Returns what loads libraries where some are missing."""

    def load(path):
        for name in missing:
            if path == name or path.endswith("libqxcb.so"):
                raise OSError(f"{name}: cannot open shared object file: No such file or directory")

    return load


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")
@pytest.mark.parametrize("library", PACKAGES)
def test_each_library_is_named_with_its_package(plugin, library):
    with pytest.raises(MissingLibraries) as found:
        check(without(library), X11, plugin)
    assert f"library {library} is missing" in str(found.value)
    assert f"apt-get install {PACKAGES[library]} (" in str(found.value)
    assert package_of(f"{library}: cannot open shared object file") == PACKAGES[library]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")
def test_all_that_are_missing_are_named_at_once(plugin):
    with pytest.raises(MissingLibraries, match="apt-get install libxcb-cursor0 libxcb-icccm4 "):
        check(without("libxcb-icccm.so.4", "libxcb-cursor.so.0"), X11, plugin)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")
def test_one_that_nobody_knows_is_named_without_a_package(plugin):
    with pytest.raises(MissingLibraries, match=r"library libnew\.so\.3 is missing"):
        check(without("libnew.so.3"), X11, plugin)


@pytest.mark.parametrize(
    "environ",
    [{}, {**X11, "QT_QPA_PLATFORM": "offscreen"}, {**X11, "WAYLAND_DISPLAY": "wayland-0"}],
)
def test_where_the_plugin_is_not_used_nothing_is_asked(plugin, environ):
    assert check(without("libxcb-cursor.so.0"), environ, plugin) is None


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")
def test_all_that_the_plugin_is_linked_with_is_known():
    """What Qt ships itself, and what every Linux has, needs no package."""
    plugin = display_libraries.plugin_file()
    done = subprocess.run(["ldd", str(plugin)], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("ldd does not read it here")
    system = [line.split()[0] for line in done.stdout.splitlines() if "=>" in line and "PySide6" not in line]
    direct = {name for name in system if name.startswith(("libxcb", "libxkb", "libX11", "libEGL", "libGL."))}
    indirect = {"libxcb-util.so.1", "libXau.so.6", "libXdmcp.so.6"}
    assert direct - indirect <= PACKAGES.keys()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")
def test_where_nothing_is_missing_it_is_looked_for_and_nothing_is_said():
    loaded = []

    def load(path):
        loaded.append(path)
        return ctypes.CDLL(path)

    assert check(load, X11 | {"QT_QPA_PLATFORM": "xcb"}) is None
    assert loaded, "the plugin was not tried"


def test_a_screen_on_which_qt_draws_nothing_is_named():
    assert "8 bits of colour" in too_few_colours(8)
    assert not any(map(too_few_colours, (15, 16, 24, 30, 32)))
