"""Where the app runs its model: a small one keeps its answers on a card, unless asked otherwise."""

from dataclasses import replace

import pytest

from botapp.advisor import device, own_weights
from botapp.advisor.thinker import full
from botapp.arena.players.advised import model_advisor
from hrm.backends import DevicePlan

CARD = DevicePlan("auto auto auto", "rocm", "cuda:0", "bf16", "bf16 is proved here", hip_flash=True)


@pytest.mark.parametrize("half", ["bf16", "fp16"])
def test_a_small_model_runs_in_fp32_on_a_card_and_says_why(half):
    found = device.suited(replace(CARD, precision=half), "auto", own_weights.DEFAULT_WEIGHTS)
    assert (found.device, found.precision, found.hip_flash) == ("cuda:0", "fp32", False)
    assert str(found.reason).startswith(f"{CARD.reason}; fp32")


def test_half_precision_that_was_asked_for_is_kept():
    assert device.suited(CARD, "bf16") == CARD


def test_a_large_model_keeps_half_precision(monkeypatch):
    monkeypatch.setattr(device, "stored_config", lambda _: full())
    assert device.suited(CARD, "auto") == CARD


@pytest.mark.parametrize(
    ("precision", "there", "engine"),
    [
        ("fp32", True, "onnx"),
        ("fp32", False, "torch"),
        ("bf16", True, "torch"),
        ("int8", True, "torch"),
    ],
)
def test_the_processor_runs_the_quicker_engine_that_is_there(monkeypatch, precision, there, engine):
    monkeypatch.setattr(device, "find_spec", lambda name: object() if there else None)
    found = device.suited(DevicePlan("cpu auto auto", "cpu", "cpu", precision, "asked"), precision)
    assert (found.engine, found.precision) == (engine, precision)


def test_a_card_that_pytorch_drives_gets_the_large_model_as_long_as_it_is_there(monkeypatch, tmp_path):
    names = [own_weights.weights_for(backend).name for backend in ("cuda", "rocm", "directml", "cpu")]
    assert names == ["advisor-full-1.safetensors"] * 2 + ["advisor-lite.safetensors"] * 2
    assert device.suited(CARD, "auto").precision == "bf16"
    monkeypatch.setattr(own_weights, "FULL_WEIGHTS", tmp_path / "gone.safetensors")
    assert own_weights.weights_for("cuda") == own_weights.DEFAULT_WEIGHTS


def test_in_a_tournament_it_computes_as_in_the_app(monkeypatch):
    placed = []
    monkeypatch.setattr("hrm.backends.choose", lambda *_: CARD)
    monkeypatch.setattr("botapp.advisor.advisor.create_advisor", lambda **given: placed.append(given))
    lite = ("weights", own_weights.DEFAULT_WEIGHTS)
    for precision, options in (("auto", (lite,)), ("bf16", (lite,)), ("auto", ())):
        model_advisor.__wrapped__("auto", precision, options)
    assert [given["placement"].precision for given in placed] == ["fp32", "bf16", "bf16"]
