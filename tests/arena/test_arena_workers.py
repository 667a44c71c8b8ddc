import os
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from pathlib import Path

import pytest

from botapp.arena.workers import SpreadError, spread


def square(number: int) -> int:
    return number * number


def refuse(number: int) -> int:
    raise KeyError(f"no {number}")


def threads(_: int) -> str:
    return os.environ["OMP_NUM_THREADS"]


def die_once(task: tuple[Path, int]) -> int:
    """Ends its process the first time it gets its task."""
    folder, number = task
    marker = folder / f"began-{number}"
    if number % 3 == 0 and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def wait_long(folder: Path) -> None:
    (folder / str(os.getpid())).touch()
    time.sleep(600)


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_each_task_has_one_result(workers):
    assert Counter(spread(square, range(20), workers)) == Counter((n, n * n) for n in range(20))


def test_no_tasks_no_results():
    assert list(spread(square, [], 2)) == []


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_what_the_work_raises_is_raised(workers):
    with pytest.raises(KeyError, match="no 3"):
        list(spread(refuse, [3], workers))


@pytest.mark.slow
def test_a_worker_has_one_thread_and_this_process_keeps_its_own(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    assert [answer for _, answer in spread(threads, [0, 1], 2)] == ["1", "1"]
    assert os.environ["OMP_NUM_THREADS"] == "7"


@pytest.mark.long
def test_tasks_of_dead_workers_run_again_and_none_twice(tmp_path):
    tasks = [(tmp_path, number) for number in range(7)]
    assert Counter(n for _, n in spread(die_once, tasks, 2)) == Counter(range(7))


@pytest.mark.long
def test_a_task_that_always_ends_its_worker_is_given_up_with_its_number():
    with pytest.raises(SpreadError, match=r"task [01] ended its worker 3 times"):
        list(spread(die, [0, 1], 2))


@pytest.mark.slow
def test_no_result_is_waited_for_past_the_deadline_and_nobody_is_left_working(tmp_path):
    assert list(spread(wait_long, [tmp_path, tmp_path], 2, seconds=3)) == []
    assert all(gone(int(path.name)) for path in tmp_path.iterdir())


@pytest.mark.slow
def test_results_that_keep_coming_do_not_outlast_the_deadline(monkeypatch):
    now, passed, found = time.monotonic, 0.0, 0
    monkeypatch.setattr(time, "monotonic", lambda: now() + passed)
    for _ in spread(square, range(10**6), 2, seconds=600):
        passed, found = 600.0, found + 1
    assert 0 < found < 10


def test_a_deadline_in_the_past_does_nothing_here():
    assert list(spread(square, [1], 1, seconds=0)) == []


def test_zero_workers_are_refused():
    with pytest.raises(ValueError, match="at least 1 worker"):
        list(spread(square, [1], 0))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_workers_end_with_the_process_that_made_them(tmp_path):
    script = tmp_path / "begin.py"
    script.write_text(
        textwrap.dedent(f"""
            import sys
            from pathlib import Path
            sys.path[:0] = [{str(Path(__file__).parent)!r}]
            from botapp.arena.workers import spread
            from test_arena_workers import wait_long
            if __name__ == "__main__":
                folder = Path(sys.argv[1])
                list(spread(wait_long, [folder, folder], 2))
        """)
    )
    folder = tmp_path / "workers"
    folder.mkdir()
    driver = subprocess.Popen([sys.executable, str(script), str(folder)])
    try:
        until = time.monotonic() + 60
        while len(list(folder.iterdir())) < 2 and time.monotonic() < until:
            time.sleep(0.1)
        workers = [int(path.name) for path in folder.iterdir()]
        assert len(workers) == 2
        driver.send_signal(signal.SIGTERM)
        driver.wait(20)
        while not all(map(gone, workers)) and time.monotonic() < until:
            time.sleep(0.1)
        assert all(map(gone, workers))
    finally:
        driver.kill()
        driver.wait()
