"""The worker's pipeline: what a change of settings rebuilds, whose spells are used, life without a model."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from botapp.arena.scenarios import duel
from botapp.content.state_json import FighterForm
from botapp.fight.actions import EndTurn
from botapp.host.settings import Settings, Value
from botapp.runtime.messages import AskWhatIf, WatchedWindow
from botapp.runtime.pipeline import Pipeline
from botapp.runtime.preview import PreviewReader, create_preview
from botapp.runtime.readings import readings
from botapp.runtime.start import Start
from botapp.runtime.watch import Sight
from botapp.search import preparing
from botapp.tracking.spellbook import Spellbook, presets
from botapp.tracking.state_tracker import NO_CLASS
from vision import profiles
from vision.frame import Frame, Rect, bgra
from vision.synthetic import screen
from vision.view import FighterSeen, FightView, Phase, Seen, SpellSlot

BY_MODEL = Settings(engine={"adviser": "model"})
FRAME = Frame(np.zeros((400, 640, 4), np.uint8), Rect(0, 0, 640, 400), 5, 7)


@pytest.fixture
def memory() -> Iterator[str]:
    made = create_preview()
    yield made.name
    made.close()
    made.unlink()


@pytest.fixture
def pipeline(memory: str, tmp_path: Path) -> Iterator[Pipeline]:
    made = Pipeline(Start(BY_MODEL, memory, 1, tmp_path / "readings.jsonl"))
    yield made
    made.close()


def changed(**values: Value) -> Settings:
    settings = BY_MODEL
    for key, value in values.items():
        settings = settings.changed(key.replace("__", "."), value)
    return settings


def player(kind: str | None) -> FightView:
    seen = FighterSeen((0, 0), 100, "own", kind=Seen(kind, 1.0))
    return FightView(phase=Seen(Phase.FIGHT, 1.0), player=seen)


def spellbook(pipeline: Pipeline, kind: str | None) -> Spellbook | None:
    """The spells that a state is made with while this class is on the screen."""
    pipeline.tracker.situate(player(kind))
    return pipeline.tracker.own.book


def test_without_memory_for_the_picture_there_is_none_and_the_rest_goes_on() -> None:
    made = Pipeline(Start(Settings(), "", 1))
    try:
        assert made.loop.stages.show(FRAME) == -1
        assert made.loop.step().capture in ("searching", "unsupported")
    finally:
        made.close()


def test_the_compiled_code_is_loaded_before_the_first_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the first decision waits for it, or for all to be compiled, and the worker counts as hung."""
    loaded: list[object] = []
    monkeypatch.setattr(preparing.compiler, "load", loaded.append)
    Pipeline(Start(Settings(), "", 1)).close()
    assert loaded == [*preparing.ENTRIES]


@pytest.mark.slow
def test_the_stages_work_together_on_a_picture_without_a_fight(
    pipeline: Pipeline, memory: str, tmp_path: Path
) -> None:
    stages = pipeline.loop.stages
    view = stages.read(FRAME)
    assert view.phase.value in (None, Phase.UNKNOWN, Phase.NOT_FIGHT)
    assert stages.situate(view).state is None
    stages.note(view)
    reader = PreviewReader(memory)
    assert stages.show(FRAME) == -1 and reader.read() is None
    assert stages.show(FRAME) == 7
    shown = reader.read()
    assert shown is not None
    assert shown[0] == 7
    assert [kept.captured_ns for kept in readings(tmp_path / "readings.jsonl")] == [5]
    assert stages.advising.decide(duel(3)).choices
    device = stages.advising.device()
    assert device is not None
    assert device.reason
    found = stages.memory()
    assert found is not None
    assert found.process_rss > 0


@pytest.mark.slow
def test_limits_are_taken_over_without_loading_the_model_again(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botapp.runtime.model_host.create_advisor", None)
    pipeline.apply(
        changed(
            engine__fps_limit=30,
            engine__step_limit=2,
            engine__latency_budget_ms=700,
            engine__halt_threshold=0.9,
        )
    )
    assert pipeline.fps == 30
    assert pipeline.loop.budget_ms == 700
    assert len(pipeline.loop.stages.advising.decide(duel(3)).trace) <= 2


def settled(pipeline: Pipeline) -> Pipeline:
    """The pipeline once its model is loaded, which begins after the first advice, or cannot be."""
    stages, until = pipeline.loop.stages, time.monotonic() + 120
    stages.advising.decide(duel(3))
    while (device := stages.advising.device()) and device.loading and time.monotonic() < until:
        time.sleep(0.02)
    return pipeline


@pytest.mark.slow
def test_another_place_to_run_loads_the_model_again(pipeline: Pipeline) -> None:
    pipeline.apply(changed(engine__backend="cpu", engine__precision="fp32"))
    device = settled(pipeline).loop.stages.advising.device()
    assert device is not None
    assert device.asked == "cpu auto fp32"


@pytest.mark.slow
def test_another_adviser_takes_over_at_once(pipeline: Pipeline) -> None:
    assert settled(pipeline).loop.stages.advising.decide(duel(3)).adviser == "model"
    pipeline.apply(changed(engine__adviser="search"))
    assert pipeline.loop.stages.advising.decide(duel(3)).adviser == "search"
    device = pipeline.loop.stages.advising.device()
    assert device is not None and not device.model
    pipeline.apply(changed(engine__adviser="model"))
    assert pipeline.loop.stages.advising.decide(duel(3)).adviser == "search"
    assert settled(pipeline).loop.stages.advising.decide(duel(3)).trace


@pytest.mark.slow
def test_weights_that_are_missing_leave_the_rest_at_work(
    pipeline: Pipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botapp.advisor.own_weights.DEFAULT_WEIGHTS", tmp_path / "gone.safetensors")
    pipeline.apply(changed(engine__backend="cpu"))
    device = settled(pipeline).loop.stages.advising.device()
    assert device is not None and not device.model and "gone.safetensors" in device.reason
    assert pipeline.loop.stages.advising.decide(duel(3)).adviser == "search"
    assert pipeline.loop.stages.read(FRAME) is not None
    monkeypatch.undo()
    pipeline.apply(changed(engine__backend="auto"))
    assert settled(pipeline).loop.stages.advising.decide(duel(3)).trace


def test_the_class_on_the_arenas_screen_is_played_whatever_the_settings_name(pipeline: Pipeline) -> None:
    first, second = presets()[:2]
    assert pipeline.loop.stages.situate(player(None)).withheld == NO_CLASS
    for kind, expected in ((first, first), (None, first), ("a monster", first), (second, second)):
        book = spellbook(pipeline, kind)
        assert book is not None
        assert book.key == expected
    pipeline.apply(changed(advisor__player_class=first))
    book = spellbook(pipeline, second)
    assert book is not None
    assert book.key == second


def test_it_knows_where_the_spells_are_on_the_bar(pipeline: Pipeline) -> None:
    kind = presets()[0]
    place = Rect(500, 640, 48, 48)
    view = replace(player(kind), spells=(SpellSlot(0), SpellSlot(1, box=place), SpellSlot(40, box=place)))
    pipeline.loop.stages.situate(view)
    book = pipeline.tracker.own.book
    assert book is not None
    assert pipeline.loop.stages.slots() == ((book.spells[1].key, place),)


def test_an_action_of_ones_own_is_looked_into(pipeline: Pipeline) -> None:
    state = duel(seed=1)
    found = pipeline.what_if(AskWhatIf(4, state, EndTurn(), "nosuch", 0))
    assert (found.number, found.line) == (4, None)


def test_a_title_that_names_nobody_for_a_while_does_not_lose_who_is_played(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows adds words to the title of a game that is slow to answer: the advice was gone meanwhile."""
    pipeline.apply(changed(capture__target="dofus-unity"))

    def played(title: str, handle: int = 1) -> tuple[str, str]:
        window = WatchedWindow(handle, title, "dofus", Rect(0, 0, 640, 400))
        monkeypatch.setattr(pipeline.watched, "look", lambda: Sight("watching", "", window))
        pipeline.loop.stages.look()
        return pipeline.tracker.own.game_class, pipeline.text.own_name

    brinka, molda = ("Serrurier", "Brinka"), ("Forgeron", "Molda")
    assert played("Brinka - Serrurier - 3.7.2.1 - Release") == brinka
    assert played("Brinka - Serrurier - 3.7.2.1 - Release (Ne répond pas)") == brinka
    assert played("Dofus") == brinka
    assert played("Molda - Forgeron - 3.7.2.1 - Release") == molda
    assert played("Dofus", handle=2) == ("", "")


def test_another_client_or_title_is_looked_for(pipeline: Pipeline) -> None:
    assert pipeline.watched.wanted.title == "botapp arena"
    pipeline.apply(changed(capture__target="dofus-unity"))
    client = profiles.load("dofus-unity")
    assert (pipeline.watched.wanted.title, pipeline.watched.wanted.process) == (client.title, client.process)
    pipeline.apply(changed(capture__target="dofus-unity", capture__title="my game"))
    assert (pipeline.watched.wanted.title, pipeline.watched.wanted.process) == ("my game", "")
    pipeline.watch(42)
    assert pipeline.watched.handle == 42


def test_without_a_record_nothing_is_written(
    memory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path / "settings"))
    monkeypatch.chdir(tmp_path)
    made = Pipeline(Start(Settings(), memory, 1))
    there = set(tmp_path.rglob("*"))
    made.loop.stages.note(FightView())
    made.close()
    assert set(tmp_path.rglob("*")) == there


def test_an_own_sheet_goes_before_any_class_and_a_bad_one_withholds_the_advice(
    pipeline: Pipeline, tmp_path: Path
) -> None:
    path = tmp_path / "me.json"
    fighter = FighterForm.written(duel(3).fighters[0])
    path.write_text(json.dumps(fighter | {"level": 77}))
    pipeline.apply(changed(advisor__spellbook=str(path)))
    book = spellbook(pipeline, fighter["kind"])
    assert book is not None
    assert book.level == 77
    other = next(key for key in presets() if key != fighter["kind"])
    pipeline.relearn()
    book = spellbook(pipeline, other)
    assert book is not None and book.key == other, "the arena's class is the one that it shows"
    pipeline.apply(changed(advisor__spellbook=str(tmp_path / "gone.json")))
    assert "gone.json" in pipeline.loop.stages.situate(player(presets()[0])).withheld


def test_a_class_that_does_not_exist_does_not_stop_the_arena_which_shows_its_own(pipeline: Pipeline) -> None:
    pipeline.apply(changed(advisor__player_class="plumber"))
    found = pipeline.loop.stages.situate(player(presets()[0]))
    assert found.shown_class == presets()[0] and '"plumber"' not in found.withheld


@pytest.mark.slow
def test_cells_are_explained_only_while_the_panel_asks_for_their_scores(
    pipeline: Pipeline, memory: str
) -> None:
    pipeline.apply(changed(capture__target="dofus-unity"))
    drawn, _ = screen.draw(93_200_000, "dofus-unity")
    panel, stages = PreviewReader(memory), pipeline.loop.stages
    panel.read()
    assert stages.read(Frame.still(bgra(drawn), 10**9)).scores is None
    panel.read(scored=True)
    scores = stages.read(Frame.still(bgra(drawn), 2 * 10**9, seq=1)).scores
    assert scores and any(score.decided for score in scores.values())
    panel.close()
