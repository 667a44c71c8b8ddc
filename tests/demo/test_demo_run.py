"""The demo: where the windows go, what the arena and the app are given, and what the report says of a run."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botapp.advisor.decision import Decision, ScoredAction
from botapp.arena.player_spec import parse
from botapp.arena.window.layout import MIN_HEIGHT, MIN_WIDTH
from botapp.demo import from_pixels, run
from botapp.demo.from_pixels import PixelFight, Stalled, results
from botapp.demo.run import DemoOptions, Diary, arrange
from botapp.fight.actions import EndTurn
from botapp.fight.core.cache import INTERPRETED_VARIABLE, MEANWHILE
from botapp.host.settings import Settings
from botapp.host.settings_file import config_dir
from botapp.runtime import first_start
from botapp.runtime.app_options import AppOptions
from botapp.runtime.messages import DeviceStatus, LogLine, Snapshot
from botapp.runtime.readings import Recorder
from vision.view import FightView, Phase, Seen

CPU = DeviceStatus("auto auto auto", "cpu", "cpu", "fp32", "because")
CHOICE = ScoredAction(EndTurn(), 1.0, "End the turn")
ADVICE = Decision((CHOICE,), CHOICE, 0.0, (), "halted")
SNAPSHOT = Snapshot(
    1,
    0,
    0,
    "watching",
    "fresh",
    decision=ADVICE,
    decided_seq=0,
    stages_ms=(("capture", 2.0), ("vision", 20.0)),
    device=CPU,
    frames=2,
    dropped=1,
    decisions=1,
)
LOG = [
    {"event": "shown", "t_ns": 0, "fight": 0, "seed": 3, "phase": "not-fight", "settled": True},
    {"event": "fight-end", "t_ns": 9, "fight": 0, "seed": 3, "winner": 0, "player_team": 0, "turns": 5},
]


class FakeArena:
    """Writes the log an arena would, and takes every action."""

    made: list["FakeArena"]
    exit_code: int | None = None

    def __init__(self, arguments: list[str]) -> None:
        self.arguments = arguments
        self.pid = os.getpid()
        self.running = True
        self.asked = 0
        self.lines = LOG
        FakeArena.made.append(self)
        if "--log" in arguments:
            path = Path(arguments[arguments.index("--log") + 1])
            path.write_text("".join(json.dumps(line) + "\n" for line in self.lines))

    def ask(self, action: object) -> object:
        from botapp.demo.arena_process import ArenaReply

        self.asked += 1
        self.running = False
        return ArenaReply(True)

    def stop(self) -> None:
        self.running = False


@contextmanager
def _no_display(*_: int) -> Iterator[None]:
    yield None


@pytest.fixture(autouse=True)
def _fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    FakeArena.made = []
    for module in (run, from_pixels):
        monkeypatch.setattr(module, "ArenaProcess", FakeArena)
        monkeypatch.setattr(module, "display", _no_display)
    monkeypatch.setattr(run, "_screen", lambda: (2400, 1200))


def _run_app(options: AppOptions) -> int:
    """An app that sees one decision, hands it to the arena, and ends."""
    assert options.worker is not None
    assert options.play is not None
    assert options.tick is not None
    assert options.finished is not None
    worker = options.worker(options.settings)
    recorder = Recorder(worker.next_start.record)
    recorder.add(FightView(phase=Seen(Phase.NOT_FIGHT, 1.0), captured_ns=500_000_000))
    recorder.close()
    options.play(ADVICE)
    worker.tap(SNAPSHOT)
    options.tick()
    while FakeArena.made[0].asked == 0:
        continue
    options.finished({"capture_to_overlay_ms": {"p95": 120.0}, "event_loop_delay_ms": None})
    worker.stop()
    return 0


def test_a_run_leaves_a_report_with_every_promised_figure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "out" / "report.json"
    options = DemoOptions(Settings(), seconds=5, report=path, seed=3, speed=2.0, player_class="ember")
    assert run.run(options, _run_app) == 0
    found = json.loads(path.read_text())
    assert found["frames_captured"] == 2
    assert found["frames_dropped"] == 1
    assert found["decisions"] == 1
    assert found["decisions_played"] == {"end_turn": 1}
    assert found["stages_ms"]["vision"] == {"count": 1, "p50": 20.0, "p95": 20.0, "p99": 20.0}
    assert found["capture_to_overlay_ms"] == {"p95": 120.0}
    assert set(found["memory_bytes"]["app"]) == {"start", "minute", "end", "peak", "growth", "samples"}
    assert found["vision"]["readings"] == 1
    assert found["vision"]["fields"]["right_share"] == 1.0
    assert found["vision_settled"] == found["vision"]
    assert found["fights"]["won"] == 1
    assert found["device"]["backend"] == "cpu"
    assert found["versions"]["numpy"]
    said = capsys.readouterr().out
    assert "capture to overlay p95 120 ms" in said
    assert "event loop delay p95 unknown" in said
    assert "1 won" in said


def test_the_arena_and_the_app_are_given_what_was_asked_for(tmp_path: Path) -> None:
    given_options: list[AppOptions] = []

    def app_main(options: AppOptions) -> int:
        given_options.append(options)
        return 7

    settings = Settings().changed("capture.target", "dofus-2").changed("capture.title", "x")
    options = DemoOptions(settings, ("hello",), seed=9, speed=4.0, screenshots=tmp_path)
    assert run.run(options, app_main) == 7
    arguments = " ".join(FakeArena.made[0].arguments)
    assert "--seed 9 --speed 4.0 --autopilot --size 1280x720 --at 24,48" in arguments
    assert "--log" not in arguments
    assert not FakeArena.made[0].running
    (app,) = given_options
    assert (app.settings.capture.target, app.settings.capture.title) == ("arena", "")
    assert app.messages == ("hello",)
    assert all(app.settings.value(key) != settings.value(key) for key in app.held[:2])
    assert app.play_at_start
    assert app.worker is not None
    worker = app.worker({})
    assert worker.next_start.record is None
    worker.stop()


def test_the_arena_speaks_the_apps_language_and_the_layout_is_not_the_persons() -> None:
    folders: list[Path] = []

    def app_main(options: AppOptions) -> int:
        assert options.state_dir is not None
        assert options.state_dir.is_dir()
        folders.append(options.state_dir)
        return 0

    for language in ("fr", "en"):
        assert run.run(DemoOptions(Settings(ui={"language": language})), app_main) == 0
        arguments = FakeArena.made[-1].arguments
        assert arguments[arguments.index("--language") + 1] == language
    assert config_dir() not in folders
    assert not any(folder.exists() for folder in folders)


def test_on_a_computer_that_nothing_is_compiled_for_the_arena_and_the_worker_do_not_compile_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One process compiles, at low priority and with its progress shown: see `botapp.ui.preparation`."""
    monkeypatch.setenv(INTERPRETED_VARIABLE, "")
    monkeypatch.delenv(INTERPRETED_VARIABLE)
    monkeypatch.setattr(first_start, "is_ready", lambda _: False)
    seen: list[str | None] = []

    class Arena(FakeArena):
        def __init__(self, arguments: list[str]) -> None:
            super().__init__(arguments)
            seen.append(os.environ.get(INTERPRETED_VARIABLE))

    def app_main(_: AppOptions) -> int:
        seen.append(os.environ.get(INTERPRETED_VARIABLE))
        return 0

    monkeypatch.setattr(run, "ArenaProcess", Arena)
    assert run.run(DemoOptions(Settings()), app_main) == 0
    assert seen == [MEANWHILE, MEANWHILE] and first_start.pending()


@pytest.mark.parametrize(("exit_code", "goes_on"), [(None, True), (0, True), (3, False), (-11, False)])
def test_an_arena_that_fails_ends_the_demo_in_words(
    exit_code: int | None, goes_on: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    def app_main(options: AppOptions) -> int:
        assert options.tick is not None
        assert options.tick()
        FakeArena.made[0].exit_code = exit_code
        assert options.tick() is goes_on
        return 0

    assert run.run(DemoOptions(Settings()), app_main) == (0 if goes_on else 1)
    said = capsys.readouterr().err
    assert bool(said) is not goes_on
    assert goes_on or f"the practice arena ended with code {exit_code}" in said


@given(st.integers(1280, 4000), st.integers(720, 2200))
def test_both_windows_fit_on_the_screen_side_by_side(width: int, height: int) -> None:
    places = arrange(width, height)
    assert places.arena_at[0] + places.arena_size[0] <= places.app_at[0]
    for (x, y), (w, h), least in (
        (places.arena_at, places.arena_size, (MIN_WIDTH, MIN_HEIGHT)),
        (places.app_at, places.app_size, (540, 540)),
    ):
        assert w >= least[0]
        assert h >= least[1]
        assert x + w <= width
        assert y + h <= height


def test_memory_counts_from_the_moment_everything_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run.time, "monotonic", lambda: 2.0)
    diary = Diary(begun=0.0)
    diary.memory["app"] = [(1.0, 10), (6.0, 50), (8.0, 60), (9.0, 55)]
    found = diary.memory_report()["app"]
    assert (found["start"], found["end"], found["peak"]) == (10, 55, 60)
    assert (found["minute"], found["growth"]) == (None, None)
    diary.note(SNAPSHOT)
    assert diary.memory_report()["app"]["start"] == 60


def test_memory_tells_what_came_after_the_first_minute() -> None:
    diary = Diary()
    diary.memory["arena"] = [(float(second), 100 + min(second, 80)) for second in range(1, 121)]
    found = diary.memory_report()["arena"]
    assert (found["minute"], found["end"], found["growth"]) == (160, 180, 0.125)
    assert found["samples"][:3] == [[1.0, 101], [11.0, 111], [21.0, 121]]
    assert len(found["samples"]) == 12


def test_a_worker_that_is_started_again_goes_on_counting() -> None:
    diary = Diary()
    for frames, decisions in ((1, 0), (2, 1), (5, 3), (1, 0), (3, 2)):
        diary.note(replace(SNAPSHOT, frames=frames, dropped=1, decisions=decisions))
    assert (diary.counts["frames"], diary.counts["decisions"], diary.restarts) == (8, 5, 1)
    assert diary.counts["dropped"] == 2


def test_a_process_that_is_gone_weighs_nothing() -> None:
    diary = Diary()
    diary.weigh(app=os.getpid(), worker=None, arena=2**22 + 1)
    assert set(diary.memory) == {"app"}


class FakeWorker:
    """A worker with one thing to say."""

    def __init__(self, *_: Any) -> None:
        self.running = True
        self.events = [LogLine(0, "", "no card", 0.0)]
        self.snapshots = [replace(SNAPSHOT, seq=0), SNAPSHOT]
        self.latest = self
        self.stopped = False

    def take(self, _: float) -> Snapshot | None:
        return self.snapshots.pop(0) if self.snapshots else None

    def start(self) -> None: ...

    def stop(self) -> None:
        self.stopped = True


def test_a_tournament_from_pixels_swaps_sides_and_sums_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(from_pixels, "WorkerProcess", lambda *_, **__: AlwaysAdvising())
    told: list[PixelFight] = []
    found = from_pixels.tournament(Settings(), parse("hrm"), "random", 3, seed=3, progress=told.append)
    assert [(fight.seed, fight.side) for fight in told] == [(3, 0), (3, 1), (4, 0)]
    assert (found["fights"], found["a_win_rate"], found["draws"], found["mean_turns"]) == (3, 1.0, 0, 5.0)
    assert "--scenario duel --seed 4 --side 0 --opponent random" in " ".join(FakeArena.made[2].arguments)


class AlwaysAdvising(FakeWorker):
    def take(self, _: float) -> Snapshot | None:
        self.snapshots.append(replace(self.snapshots[-1], seq=self.snapshots[-1].seq + 1))
        return self.snapshots[-1]


def test_fights_without_a_winner_are_told_apart() -> None:
    played = [
        PixelFight(1, 0, "won", 4),
        PixelFight(1, 1, "lost", 6),
        PixelFight(2, 0, "draw", 50),
        PixelFight(2, 1, "unfinished", 0),
    ]
    found = results(played, "lite:steps=2", "greedy")
    assert (found["a_wins"], found["b_wins"], found["draws"], found["unfinished"]) == (1, 1, 1, 1)
    assert (found["a_win_rate"], found["mean_turns"], found["b"]) == (0.25, 15.0, "greedy")
    assert (found["a"], found["a_points"]) == ("lite:steps=2", 0.5)


def test_a_worker_that_is_gone_or_cannot_think_ends_the_tournament(monkeypatch: pytest.MonkeyPatch) -> None:
    gone, silent = FakeWorker(), FakeWorker()
    gone.running = False
    silent.snapshots = [replace(SNAPSHOT, advice="none", reason="the weights are missing")]
    for worker, words in ((gone, "no card"), (silent, "the weights are missing")):
        monkeypatch.setattr(from_pixels, "WorkerProcess", lambda *_, worker=worker, **__: worker)
        with pytest.raises(Stalled, match=words):
            from_pixels.tournament(Settings(), parse("hrm"), "random", 1)
        assert worker.stopped


def test_an_arena_that_shows_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(from_pixels, "log_lines", lambda _: [])
    monkeypatch.setattr(from_pixels, "WorkerProcess", lambda *_, **__: AlwaysAdvising())
    with pytest.raises(Stalled, match="botapp arena"):
        from_pixels.tournament(Settings(), parse("hrm"), "random", 1)
