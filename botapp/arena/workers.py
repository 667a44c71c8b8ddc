"""Many independent tasks on the cores of this machine, or on those of a Ray cluster.

Results come to the caller as they end, and the caller alone writes files. So a worker or a node that is
lost takes nothing with it: its tasks run again elsewhere, and each task has one result.
"""

import logging
import os
import pickle
import signal
import socket
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from botapp.host.children import end_with_parent, hold, spawning

Task = TypeVar("Task")
Result = TypeVar("Result")

_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_ATTEMPTS = 3
_RETRIES = 20
_GRACE_S = 5.0
_KNOCK_S = 10.0
_AHEAD = 2  # Tasks given to a cluster for each of its cores, so that no core waits for the next one


class SpreadError(RuntimeError):
    """The work cannot be done where it should be; the text says why and what to do."""


def spread(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    workers: int,
    address: str | None = None,
    seconds: float | None = None,
) -> Generator[tuple[Task, Result], None, None]:
    """Yields each task with its result, in the order in which they end.

    Closing the iterator ends the workers; so does the end of this process, however it comes.

    Args:
        work: a function of an importable module; it, the tasks and the results must pickle.
        workers: processes on this machine. 1 works in this process, where the deadline is looked at between
            two tasks.
        address: a Ray cluster, `HOST:PORT` of its head or, with `ray[client]`, `ray://HOST:PORT` of its
            client server; all its cores work then, whatever `workers` says.
        seconds: no result is waited for after so long; what is under way then is dropped.

    Raises:
        ValueError: there is no worker.
        SpreadError: Ray is missing or does not answer, or a task ended its worker again and again.
        Exception: what `work` raises.
    """
    if workers < 1:
        raise ValueError(f"at least 1 worker is needed, got {workers}")
    deadline = time.monotonic() + (inf if seconds is None else seconds)
    if address is not None:
        yield from _on_cluster(work, tasks, address, deadline)
    elif workers == 1:
        for task in tasks:
            if time.monotonic() >= deadline:
                return
            yield task, work(task)
    else:
        yield from _on_machine(work, tasks, min(workers, len(tasks)), deadline)


@dataclass(slots=True, eq=False)
class _Worker:
    """A process, this end of its pipe, and the number of the task it is at."""

    process: BaseProcess
    pipe: Connection
    number: int | None = None


def _on_machine(
    work: Callable[[Task], Result], tasks: Sequence[Task], workers: int, deadline: float
) -> Generator[tuple[Task, Result], None, None]:
    with TemporaryDirectory() as folder:
        written = Path(folder) / "work"  # what is too long for a pipe would make workers begin one by one
        written.write_bytes(pickle.dumps(work))
        crew = [_hired(written) for _ in range(workers)]
        try:
            yield from _directed(crew, written, tasks, deadline)
        finally:
            _dismiss(crew)


def _directed(
    crew: list[_Worker], written: Path, tasks: Sequence[Task], deadline: float
) -> Generator[tuple[Task, Any], None, None]:
    """Gives out tasks and collects results; who dies is replaced in `crew`, and its task given out again."""
    waiting = deque(range(len(tasks)))
    attempts = [0] * len(tasks)
    left = len(tasks)
    while left and time.monotonic() < deadline:
        for worker in crew:
            if worker.number is None and waiting:
                worker.number = waiting.popleft()
                with suppress(OSError):  # it is dead; its pipe says so below
                    worker.pipe.send(tasks[worker.number])
        busy = {worker.pipe: worker for worker in crew if worker.number is not None}
        patience = deadline - time.monotonic()
        ready = wait(list(busy), None if patience == inf else max(0.0, patience))
        for worker in (busy[cast(Connection, pipe)] for pipe in ready):
            number, worker.number = cast(int, worker.number), None
            try:
                ended, result = worker.pipe.recv()
            except (EOFError, OSError):
                attempts[number] += 1
                if attempts[number] == _ATTEMPTS:
                    raise SpreadError(
                        f"task {number} ended its worker {_ATTEMPTS} times (out of memory?): "
                        "use fewer workers"
                    ) from None
                waiting.appendleft(number)
                crew[crew.index(worker)] = _hired(written)
                _dismiss([worker])
                continue
            if not ended:
                raise result
            left -= 1
            yield tasks[number], result


def _hired(written: Path) -> _Worker:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(written, theirs), daemon=True)
    with spawning(**_ONE_THREAD):
        process.start()
    hold(process.pid)
    theirs.close()
    return _Worker(process, ours)


def _dismiss(crew: Sequence[_Worker]) -> None:
    for worker in crew:
        worker.process.terminate()
        worker.pipe.close()
    for worker in crew:
        worker.process.join(_GRACE_S)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()


def _serve(written: Path, pipe: Connection) -> None:
    """Does tasks from a pipe until it is closed, or the process that made this one is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    work: Callable[[Any], Any] = pickle.loads(written.read_bytes())
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        try:
            answer = True, work(task)
        except Exception as error:
            error.add_note(f"in a worker:\n{traceback.format_exc()}")
            answer = False, error
        pipe.send(answer)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _on_cluster(
    work: Callable[[Task], Result], tasks: Sequence[Task], address: str, deadline: float
) -> Generator[tuple[Task, Result], None, None]:
    """Keeps a cluster's cores busy; Ray itself runs the tasks of a lost node again."""
    ray = _joined(address)

    def done(task: Task) -> Result:
        return work(task)

    remote = ray.remote(num_cpus=1, max_retries=_RETRIES)(done)
    waiting = deque(range(len(tasks)))
    under_way: dict[Any, int] = {}
    try:
        while waiting or under_way:
            room = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1))) - len(under_way)
            for _ in range(min(room, len(waiting))):
                number = waiting.popleft()
                under_way[remote.remote(tasks[number])] = number
            patience = deadline - time.monotonic()
            if patience <= 0:
                return
            ready, _ = ray.wait(list(under_way), timeout=None if patience == inf else patience)
            for reference in ready:
                number = under_way.pop(reference)
                yield tasks[number], _fetched(ray, reference, number)
    finally:
        for reference in under_way:
            with suppress(Exception):  # the cluster may be gone, and the answer does not need it any more
                ray.cancel(reference, force=True)
        ray.shutdown()


def _fetched(ray: Any, reference: Any, number: int) -> Any:
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError:  # what the work raised
        raise
    except ray.exceptions.RayError as error:
        raise SpreadError(f"the cluster lost task {number} again and again: {error}") from error


def _joined(address: str) -> Any:
    """Returns the module `ray`, connected; this version's code goes to all nodes with it."""
    try:
        import ray  # noqa: PLC0415 - an extra, needed here only
    except ImportError as error:
        raise SpreadError(f'a cluster needs Ray: {sys.executable} -m pip install "ray>=2.55"') from error
    root = Path(__file__).parents[2]
    environment = {
        "env_vars": _ONE_THREAD,
        "py_modules": [str(root / name) for name in ("botapp", "hrm", "resources")],
    }
    try:
        _knock(address)
        ray.init(address, runtime_env=environment, log_to_driver=False, logging_level=logging.ERROR)
    except (ImportError, RuntimeError, ValueError, OSError) as error:
        raise SpreadError(
            f"no Ray cluster answers at {address} ({error}); start one with "
            "`ray start --head`, and give HOST:PORT as it prints it"
        ) from error
    return ray


def _knock(address: str) -> None:
    """Raises an error at once where nothing listens: Ray itself would try for minutes."""
    place = urlsplit(address if "://" in address else f"ray://{address}")
    if place.hostname is None or place.port is None:
        raise ValueError("an address is HOST:PORT or ray://HOST:PORT")
    socket.create_connection((place.hostname, place.port), _KNOCK_S).close()
