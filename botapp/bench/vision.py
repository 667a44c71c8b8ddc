"""`botapp bench vision`: what reading a fight that goes on costs: first frame, frames after, memory.

The frames are our own drawings of a client (or of the practice arena), each a little different from the one
before, as a window's are.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import cv2
import psutil

from botapp.host.children import tied
from botapp.host.clients import SHORT
from botapp.host.message import say
from botapp.host.statistics import percentiles
from botapp.host.translation import Language, Translator
from botapp.host.versions import versions
from botapp.tracking.image_file import image_frame
from vision import profiles
from vision.extract import Reader
from vision.frame import Frame
from vision.synthetic.moving import DrawnMoment, frames, moments

SIZE = (1920, 1080)
MOMENTS = 12
_SETTLED = 0.1
_MEBIBYTE = 1 << 20
_SHARES = ("p50", "p95", "p99")
_DRAWING = (
    "import sys; from botapp.arena.window.render import main\n"
    "for step in range(int(sys.argv[1])):\n"
    "    made = ['--seed', '3', '--size', sys.argv[3], '--actions', str(2 * step), '--turn', 'mine']\n"
    "    made += ['--spell', str(step % 3)] if step % 2 else []\n"
    "    main([*made, '--out', f'{sys.argv[2]}/{step:02}.png'])"
)


class DrawingError(Exception):
    """The frames to read cannot be drawn; the text says why."""


def measure_vision(client: str, count: int, size: tuple[int, int] | None = None) -> dict[str, Any]:
    """Reads a moving fight on one core; returns milliseconds a frame and how the memory went.

    Where other programs keep the cores busy, the time at work is less than the time by the clock.

    Args:
        client: a key of `botapp.host.clients.SHORT`.
        count: how many frames after the first.
        size: width and height of the frames, in pixels; `SIZE` unless given.

    Raises:
        DrawingError: the arena's window cannot be drawn here.
    """
    size = size or SIZE
    drawn = _arena(size) if client == "arena" else moments(SHORT[client], MOMENTS, size=size)
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        return {"client": SHORT[client], "size": list(size), **_timed(client, drawn, count)}
    finally:
        cv2.setNumThreads(threads)


def _timed(client: str, drawn: list[DrawnMoment], count: int) -> dict[str, Any]:
    reader = Reader(profiles.load(SHORT[client]))
    reader.read(_frame(drawn[-1].picture[::4, ::4].copy(), 0))
    process = psutil.Process()
    costs: list[float] = []
    work: list[float] = []
    players_found = right = settled = peak = 0
    for seq, (picture, moment) in enumerate(frames(drawn, count + 1)):
        frame = _frame(picture, seq)
        started, worked = time.perf_counter(), time.thread_time()
        view = reader.read(frame)
        costs.append((time.perf_counter() - started) * 1000)
        work.append((time.thread_time() - worked) * 1000)
        players_found += view.player is not None
        right += view.player is not None and view.player.cell == moment.own
        if seq == round(count * _SETTLED):
            settled = process.memory_info().rss
        peak = max(peak, process.memory_info().rss) if seq % 50 == 0 else peak
    end = int(process.memory_info().rss)
    return {
        "first_ms": round(costs[0], 2),
        "first_cpu_ms": round(work[0], 2),
        "frame_ms": percentiles(costs[1:]),
        "frame_cpu_ms": percentiles(work[1:]),
        "slowest_ms": round(max(costs[1:]), 2),
        "player_found": round(players_found / len(costs), 4),
        "player_right": round(right / len(costs), 4) if drawn[0].own is not None else None,
        "memory_mib": {
            "settled": round(settled / _MEBIBYTE, 1),
            "end": round(end / _MEBIBYTE, 1),
            "peak": round(max(peak, end) / _MEBIBYTE, 1),
            "growth": round((end - settled) / _MEBIBYTE, 1),
        },
        "versions": versions(),
    }


def vision_text(figures: dict[str, Any], language: Language = "en") -> str:
    tr = Translator(language)
    width, height = figures["size"]
    frame, work = ({share: figures[key][share] for share in _SHARES} for key in ("frame_ms", "frame_cpu_ms"))
    memory = {key: figures["memory_mib"][key] for key in ("settled", "end", "growth")}
    lines = (
        tr("{client}, {width}x{height}, one core", client=figures["client"], width=width, height=height),
        tr(
            "first frame {first:8.2f} ms, {work:.2f} ms of them at work",
            first=figures["first_ms"],
            work=figures["first_cpu_ms"],
        ),
        tr(
            "then        p50 {p50:7.2f}  p95 {p95:7.2f}  p99 {p99:7.2f} ms over {count} frames, "
            "slowest {slowest:.1f} ms",
            count=figures["frame_ms"]["count"],
            slowest=figures["slowest_ms"],
            **frame,
        ),
        tr("at work     p50 {p50:7.2f}  p95 {p95:7.2f}  p99 {p99:7.2f} ms", **work),
        tr("own fighter found in {share:.1%} of the frames", share=figures["player_found"]),
        tr(
            "memory      {settled:.1f} MB settled, {end:.1f} MB at the end ({growth:+.1f})",
            **memory,
        ),
    )
    return "\n".join(lines)


def _frame(picture: Any, seq: int) -> Frame:
    return Frame.still(picture, time.monotonic_ns(), seq=seq)


def _arena(size: tuple[int, int]) -> list[DrawnMoment]:
    return [DrawnMoment(frame.pixels) for frame in arena_frames(_DRAWING, MOMENTS, f"{size[0]}x{size[1]}")]


def arena_frames(code: str, count: int, *more: str) -> list[Frame]:
    """Returns pictures of the practice arena's window, drawn in a process of its own, which loads Qt.

    Args:
        code: what draws them; its arguments are `count`, the folder to write PNG files to, and `more`.
        count: how many.

    Raises:
        DrawingError: they cannot be drawn here.
    """
    with tempfile.TemporaryDirectory(prefix="botapp-bench-") as folder:
        drawn = subprocess.run(
            tied([sys.executable, "-c", code, str(count), folder, *more]),
            check=False,
            capture_output=True,
            text=True,
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        )
        if drawn.returncode != 0:
            last = (drawn.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise DrawingError(say("The arena's window cannot be drawn here: {problem}", problem=last))
        return [image_frame(path) for path in sorted(Path(folder).glob("*.png"))]
