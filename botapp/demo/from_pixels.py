"""Fights played from pixels alone: the arena's window, the worker that watches it, and nothing in between.

The same worker as the app's reads the window and thinks; only the app's own windows are left out.
"""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botapp.arena.elo import strength
from botapp.arena.player_spec import PlayerSpec
from botapp.arena.players.advised import MODELS, weights_of
from botapp.demo.arena_process import ArenaProcess, Forwarder
from botapp.demo.display import display
from botapp.demo.report import fights as fight_results
from botapp.demo.report import log_lines
from botapp.host.rooms import temporary_folder
from botapp.host.settings import Settings
from botapp.runtime.autopilot import Autopilot
from botapp.runtime.process import WorkerProcess
from botapp.runtime.start import OtherAdviser

SCREEN = (1360, 840)
_LIMIT_S = 300.0
_POINTS = {"won": 1.0, "lost": 0.0}  # What a fight counts; any other end counts half

_WAIT_S = 0.2


class Stalled(Exception):
    """The worker or the arena is not there; the text says why."""


@dataclass(frozen=True, slots=True)
class PixelFight:
    """One fight: its seed, the side played, how it ended and after how many rounds."""

    seed: int
    side: int
    result: str
    turns: int


def tournament(
    settings: Settings,
    player: PlayerSpec,
    opponent: str,
    fights: int,
    seed: int = 1,
    speed: float = 8.0,
    progress: Callable[[PixelFight], None] | None = None,
) -> dict[str, Any]:
    """Plays duels from pixels; each seed is played twice, with the sides swapped.

    Args:
        settings: the worker's; the arena is watched whatever they say.
        player: the worker's adviser: a model, or `bare`.
        opponent: who plays the other side, "random" or "greedy".
        fights: how many.
        seed: of the first fight.
        progress: called with every fight when it is over.

    Returns:
        fights, a_win_rate, draws, mean_turns and each fight, as plain values.

    Raises:
        NoDisplay: there is no display and none can be made.
        Stalled: the worker cannot go on.
    """
    settings = settings.changed("capture.target", "arena").changed("capture.title", "")
    played: list[PixelFight] = []
    with display(*SCREEN), temporary_folder("pixels") as folder:
        worker = WorkerProcess(settings.changed("engine.fps_limit", 30), other=_adviser(player))
        worker.start()
        try:
            for index in range(fights):
                log = folder / f"{index}.jsonl"
                played.append(_fight(worker, opponent, seed + index // 2, index % 2, speed, log))
                if progress is not None:
                    progress(played[-1])
        finally:
            worker.stop()
    return results(played, str(player), opponent)


def _adviser(player: PlayerSpec) -> OtherAdviser:
    options = dict(player.options)
    if player.name in MODELS:
        options["weights"] = options.get("weights") or weights_of(player.name)
    return OtherAdviser(player.name in MODELS, options)


def results(played: list[PixelFight], player: str, opponent: str) -> dict[str, Any]:
    """Sums fights up under the keys of `botapp arena tournament --json`."""
    count = Counter(fight.result for fight in played)
    points: dict[int, list[float]] = {}
    for fight in played:
        points.setdefault(fight.seed, []).append(_POINTS.get(fight.result, 0.5))
    result = strength([sum(each) / len(each) for each in points.values()])
    return {
        "a": player,
        "b": opponent,
        "from_pixels": True,
        "fights": len(played),
        "a_wins": count["won"],
        "b_wins": count["lost"],
        "a_points": result.share,
        "a_points_interval": [result.low, result.high],
        "a_win_rate": round(count["won"] / len(played), 4),
        "draws": count["draw"],
        "unfinished": count["unfinished"],
        "mean_turns": round(sum(fight.turns for fight in played) / len(played), 2),
        "each": [
            {"seed": fight.seed, "side": fight.side, "result": fight.result, "turns": fight.turns}
            for fight in played
        ],
    }


def _fight(worker: WorkerProcess, opponent: str, seed: int, side: int, speed: float, log: Path) -> PixelFight:
    arguments = ["--scenario", "duel", "--seed", str(seed), "--side", str(side), "--opponent", opponent]
    arguments += ["--speed", str(speed), "--autopilot", "--fights", "1", "--log", str(log), "--force"]
    arena = ArenaProcess([*arguments, "--at", "20,40"])
    forwarder = Forwarder(arena)
    autopilot = Autopilot(forwarder.play, on=True)
    deadline = time.monotonic() + _LIMIT_S
    try:
        while arena.running and time.monotonic() < deadline:
            if not worker.running:
                texts = [getattr(event, "text", "") for event in worker.events]
                raise Stalled(f"The engine ended: {texts[-1] if texts else 'for an unknown reason'}")
            snapshot = worker.latest.take(_WAIT_S)
            if snapshot is None:
                continue
            if snapshot.advice == "none" and snapshot.capture == "watching":
                raise Stalled(snapshot.reason)
            autopilot.offer(snapshot)
            forwarder.confirm(snapshot)
    finally:
        forwarder.stop()
        arena.stop()
    ended = fight_results(log_lines(log))["each"]
    if not ended:
        raise Stalled("The arena showed nothing. Run `botapp arena` to see why.")
    return PixelFight(seed, side, ended[0]["result"], ended[0].get("turns", 0))
