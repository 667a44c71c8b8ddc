"""A disk with little room, for what is written where there is none left."""

import ctypes
import subprocess
import sys

import pytest


@pytest.fixture
def small_disk(tmp_path):
    """Returns a function that makes a disk of so many KB; skips where mounting is not allowed."""
    mounted = []

    def make(kilobytes):
        folder = tmp_path / f"disk-{len(mounted)}"
        folder.mkdir()
        if sys.platform != "linux" or ctypes.CDLL(None).mount(
            b"tmpfs", str(folder).encode(), b"tmpfs", 0, f"size={kilobytes}k".encode()
        ):
            pytest.skip("a small disk can only be mounted on Linux, as root")
        mounted.append(folder)
        return folder

    yield make
    for folder in mounted:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder):
    """Leaves no room on a disk; returns the file that takes it."""
    taken = folder / "taken"
    with taken.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return taken
