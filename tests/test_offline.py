"""Nothing goes online by itself, and nothing is written outside the folders that docs/security.md names.

Each command runs with an empty home under strace, which sees the system calls of every child process and of
every library, compiled ones too. `CI` is taken out of its environment: it switches some reports off.
"""

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import cv2
import pytest

from botapp.fight.core.cache import FOLDER_VARIABLE, base_folder
from vision.synthetic.screen import draw

ROOT = Path(__file__).parents[1]
HIDDEN = ("XDG_", "BOTAPP_", "HRM_", "ORT_", "RAY_", "PYTEST_")
LISTED = (
    ".config/botapp/",
    ".local/share/botapp/",
    ".local/state/botapp/log/",
    ".cache/botapp/",
    ".cache/hrm/",
)
"""The folders of docs/security.md on Linux, under a person's home."""
OPENBOX = (
    ".cache/openbox/openbox.log"  # by the window manager of the virtual display, where there is no other
)
PEER = re.compile(
    r'sa_family=AF_INET6?, sin6?_port=htons\((\d+)\).*?(?:inet_addr\("|inet_pton\(AF_INET6, ")([^"]+)"'
)
LIBRARY = "import onnxruntime; onnxruntime.get_available_providers()"

pytestmark = pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")


class Watched:
    """Runs Python under strace, with a home, temporary and working folder of its own, all empty."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("home", "tmp", "work"):
            (folder / name).mkdir()

    def run(self, *arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(HIDDEN)
            and name not in ("CI", "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
        }
        own = {"HOME": str(self.folder / "home"), "TMPDIR": str(self.folder / "tmp")}
        own |= {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", FOLDER_VARIABLE: str(base_folder())}
        calls = ["-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", str(self.folder / "calls"), "-A"]
        return subprocess.run(
            ["strace", "-f", "-q", "--seccomp-bpf", *calls, sys.executable, *arguments],
            env=kept | own | variables,
            cwd=self.folder / "work",
            capture_output=True,
            text=True,
            timeout=170,
            check=False,
        )

    def sent_away(self) -> list[str]:
        """Returns the calls that reach for another computer or ask for the address of a name."""
        found = []
        for line in (self.folder / "calls").read_text().splitlines():
            peer = PEER.search(line)
            if peer and (peer[1] == "53" or not (peer[2].startswith("127.") or peer[2] == "::1")):
                found.append(line)
        return found

    def unlisted(self) -> list[str]:
        """Returns the files that were left in a place that docs/security.md does not name."""
        files = [path.relative_to(self.folder) for path in self.folder.rglob("*") if path.is_file()]
        allowed = tuple(f"home/{listed}" for listed in (*LISTED, OPENBOX))
        return [str(path) for path in files if str(path) != "calls" and not str(path).startswith(allowed)]


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    return Watched(tmp_path)


@pytest.fixture(scope="module")
def picture(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("drawn") / "fight.png"
    cv2.imwrite(str(path), draw(3, "dofus-unity")[0])
    return path


def test_the_listed_folders_are_those_of_the_document() -> None:
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    assert [folder for folder in (*LISTED, OPENBOX) if f"~/{folder}" not in text] == []


@pytest.mark.slow
def test_the_watch_sees_a_connection_and_a_file(watched: Watched) -> None:
    watched.run(
        "-c", "import socket; s = socket.socket(2, 2); s.connect(('192.0.2.1', 9)); open('left', 'w')"
    )
    assert len(watched.sent_away()) == 1
    assert watched.unlisted() == ["work/left"]


@pytest.mark.slow
def test_the_watch_sees_what_onnx_runtime_writes_where_nothing_switches_it_off(watched: Watched) -> None:
    if tuple(map(int, version("onnxruntime").split(".")[:2])) < (1, 29) or sys.platform != "linux":
        pytest.skip("this build of ONNX Runtime reports nothing")
    watched.run("-c", LIBRARY)
    assert any(".onnxruntime" in left for left in watched.unlisted())


@pytest.mark.slow
@pytest.mark.parametrize("package", ["botapp", "hrm", "vision"])
def test_each_package_switches_the_reports_of_onnx_runtime_off(watched: Watched, package: str) -> None:
    code = f"import os, {package}; {LIBRARY}; print(os.environ['ORT_DISABLE_TELEMETRY'])"
    ran = watched.run("-c", code, ORT_DISABLE_TELEMETRY="0")
    assert ran.stdout.strip() == "1", ran.stderr
    assert (watched.sent_away(), watched.unlisted()) == ([], [])


@pytest.mark.slow
def test_a_child_process_inherits_the_switch(watched: Watched) -> None:
    code = f"import botapp, subprocess, sys; sys.exit(subprocess.call([sys.executable, '-c', {LIBRARY!r}]))"
    assert watched.run("-c", code).returncode == 0
    assert (watched.sent_away(), watched.unlisted()) == ([], [])


COMMANDS = {
    "look": ["-m", "botapp", "look", "PICTURE", "--json"],
    "advise": ["-m", "botapp", "advise", "PICTURE", "--client", "dofus-unity", "--class", "ranger", "--json"],
    "doctor": ["-m", "botapp", "doctor"],
    "bench": ["-m", "botapp", "bench", "--states", "3", "--decisions", "3"],
    "probe": ["-m", "hrm.backends", "probe"],
    "engine": ["-m", "hrm.backends", "bench", "--tokens", "16", "--rounds", "1"],
    "demo": ["-m", "botapp", "run", "--demo", "--seconds", "20"],
}


@pytest.mark.long
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_reaches_no_other_computer_and_writes_where_it_says(
    watched: Watched, picture: Path, name: str
) -> None:
    ran = watched.run(*(str(picture) if word == "PICTURE" else word for word in COMMANDS[name]))
    assert ran.returncode == 0, ran.stderr
    assert (watched.sent_away(), watched.unlisted()) == ([], [])


@pytest.mark.long
def test_a_second_start_reaches_no_other_computer(watched: Watched) -> None:
    for _ in range(2):
        assert watched.run("-m", "botapp", "run", "--demo", "--seconds", "10").returncode == 0
        assert (watched.sent_away(), watched.unlisted()) == ([], [])
