"""Busy processes keep the cores busy, and end surely."""

import subprocess
import sys
import time

import psutil
import pytest

from botapp.bench.decisions import busy_cores


def test_they_compute_while_the_block_lasts_and_are_gone_after_it():
    with busy_cores() as count:
        mine = [one for one in psutil.Process().children() if "threading.Thread" in " ".join(one.cmdline())]
        assert len(mine) == count >= 2
        until = time.monotonic() + 30
        while min(sum(one.cpu_times()[:2]) for one in mine) < 0.05 and time.monotonic() < until:
            time.sleep(0.05)
        assert min(sum(one.cpu_times()[:2]) for one in mine) >= 0.05
    assert not any(one.is_running() for one in mine)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_they_end_with_the_process_that_began_them():
    code = "from botapp.bench.decisions import busy_cores\nwith busy_cores():\n    input()"
    driver = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE)
    try:
        until = time.monotonic() + 30
        while len(busy := psutil.Process(driver.pid).children()) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        assert len(busy) >= 2
    finally:
        driver.kill()
        driver.communicate()
    _, alive = psutil.wait_procs(busy, timeout=30)
    assert alive == []
