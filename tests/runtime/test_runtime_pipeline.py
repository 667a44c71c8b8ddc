"""The real workings: what a change of settings rebuilds, whose spells are used, and life without a model."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from botapp.arena.scenarios import duel
from botapp.content.state_json import FighterForm
from botapp.host.settings import Settings, Value
from botapp.runtime.loop import NoAdvisor
from botapp.runtime.pipeline import Pipeline
from botapp.runtime.preview import PreviewReader, create_preview
from botapp.runtime.readings import readings
from botapp.runtime.start import Start
from botapp.tracking.spellbook import presets
from vision import profiles
from vision.frame import Frame, Rect
from vision.view import FighterSeen, FightView, Phase, Seen

FRAME = Frame(np.zeros((400, 640, 4), np.uint8), Rect(0, 0, 640, 400), 5, 7)


@pytest.fixture
def memory() -> Iterator[str]:
    made = create_preview()
    yield made.name
    made.close()
    made.unlink()


@pytest.fixture
def parts(memory: str, tmp_path: Path) -> Iterator[Pipeline]:
    made = Pipeline(Start(Settings(), memory, 1, tmp_path / "readings.jsonl"))
    yield made
    made.close()


def changed(**values: Value) -> Settings:
    settings = Settings()
    for key, value in values.items():
        settings = settings.changed(key.replace("__", "."), value)
    return settings


def player(kind: str | None) -> FightView:
    seen = FighterSeen((0, 0), 100, "own", kind=Seen(kind, 1.0))
    return FightView(phase=Seen(Phase.FIGHT, 1.0), player=seen)


def test_the_hops_work_together_on_a_picture_without_a_fight(
    parts: Pipeline, memory: str, tmp_path: Path
) -> None:
    hops = parts.loop.hops
    view = hops.read(FRAME)
    assert view.phase.value in (None, Phase.UNKNOWN, Phase.NOT_FIGHT)
    assert hops.situate(view, None).state is None
    hops.note(view)
    assert hops.show(FRAME) == 7
    shown = PreviewReader(memory).read()
    assert shown is not None
    assert shown[0] == 7
    assert [kept.captured_ns for kept in readings(tmp_path / "readings.jsonl")] == [5]
    assert hops.decide(duel(3)).choices
    device = hops.device()
    assert device is not None
    assert device.reason
    found = hops.memory()
    assert found is not None
    assert found.process_rss > 0


def test_limits_are_taken_over_without_loading_the_model_again(
    parts: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botapp.runtime.advisor_host.create_advisor", None)
    parts.apply(
        changed(
            engine__fps_limit=30,
            engine__step_limit=2,
            engine__latency_budget_ms=700,
            engine__halt_threshold=0.9,
        )
    )
    assert parts.fps == 30
    assert parts.loop.budget_ms == 700
    assert parts._thinker._advisor is not None
    assert len(parts.loop.hops.decide(duel(3)).trace) <= 2


def test_another_place_to_run_loads_the_model_again(parts: Pipeline) -> None:
    before = parts._thinker._advisor
    parts.apply(changed(engine__backend="cpu", engine__precision="fp32"))
    assert parts._thinker._advisor is not before
    device = parts.loop.hops.device()
    assert device is not None
    assert device.asked == "cpu auto fp32"


def test_weights_that_are_missing_leave_the_rest_at_work(
    parts: Pipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botapp.advisor.model.DEFAULT_WEIGHTS", tmp_path / "gone.safetensors")
    parts.apply(changed(engine__backend="cpu"))
    with pytest.raises(NoAdvisor, match=r"gone\.safetensors"):
        parts.loop.hops.decide(duel(3))
    assert parts.loop.hops.device() is None
    assert parts.loop.hops.read(FRAME) is not None
    monkeypatch.undo()
    parts.apply(changed(engine__backend="auto"))
    assert parts.loop.hops.decide(duel(3)).choices


def test_the_class_on_the_screen_is_played_until_the_settings_name_one(parts: Pipeline) -> None:
    first, second = presets()[:2]
    assert parts._spellbook(player(None)) is None
    assert "Choose it in the settings" in parts.loop.hops.situate(player(None), None).withheld
    for kind, expected in ((first, first), (None, first), ("a monster", first), (second, second)):
        book = parts._spellbook(player(kind))
        assert book is not None
        assert book.key == expected
    parts.apply(changed(advisor__player_class=first))
    book = parts._spellbook(player(second))
    assert book is not None
    assert book.key == first
    parts.loop.hops.situate(player(second), None)


def test_another_client_or_title_is_looked_for(parts: Pipeline) -> None:
    assert parts._watch.title == "botapp arena"
    parts.apply(changed(capture__target="dofus-unity"))
    client = profiles.load("dofus-unity")
    assert (parts._watch.title, parts._watch.process) == (client.title, client.process)
    parts.apply(changed(capture__target="dofus-unity", capture__title="my game"))
    assert (parts._watch.title, parts._watch.process) == ("my game", "")
    parts.watch(42)
    assert parts._watch.handle == 42


def test_without_a_record_nothing_is_kept(memory: str) -> None:
    made = Pipeline(Start(Settings(), memory, 1))
    made.loop.hops.note(FightView())
    made.close()


def test_an_own_sheet_goes_before_any_class_and_a_bad_one_withholds_the_advice(
    parts: Pipeline, tmp_path: Path
) -> None:
    path = tmp_path / "me.json"
    fighter = FighterForm.written(duel(3).fighters[0])
    path.write_text(json.dumps(fighter | {"level": 77}))
    parts.apply(changed(advisor__spellbook=str(path)))
    book = parts._spellbook(player(presets()[0]))
    assert book is not None
    assert book.level == 77
    parts.apply(changed(advisor__spellbook=str(tmp_path / "gone.json")))
    assert "gone.json" in parts.loop.hops.situate(player(presets()[0]), None).withheld


def test_a_class_that_does_not_exist_withholds_the_advice(parts: Pipeline) -> None:
    parts.apply(changed(advisor__player_class="plumber"))
    assert '"plumber"' in parts.loop.hops.situate(player(presets()[0]), None).withheld
