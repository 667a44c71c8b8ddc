"""The measuring commands print answers, peaks and times of a small model."""

import json

import pytest

from hrm.backends.bench.measure import main

SMALL = ["--hidden", "64", "--layers", "3", "--tokens", "8", "--device", "cpu", "--cap-mb", "1"]


@pytest.mark.parametrize("source", [[], ["--mapped"]])
def test_a_streamed_model_answers_as_the_plain_one(
    capsys: pytest.CaptureFixture[str], source: list[str]
) -> None:
    assert main(["stream", *SMALL, *source]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["equal"]
    assert found["within"]
    assert found["times_the_cap"] > 1
    assert found["layers_kept"] < found["layers"]


def test_a_cap_too_small_is_said_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stream", "--device", "cpu", "--cap-mb", "1", "--hidden", "256", "--layers", "2"]) == 2
    assert "raise the cap" in capsys.readouterr().err


def test_the_cost_of_the_cpu_fallback_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["safe", "--device", "cpu", "--preset", "advisor-lite", "--tokens", "8", "--rounds", "2"]) == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert found["plain"]["ratio"] == 1.0
    assert found["wrapped"]["ms"] > 0
    assert found["watched"]["ms"] > 0


def test_an_estimate_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["estimate", "--tokens", "128", "--precision", "bf16"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["total"] == found["weights"] + found["inputs"] + found["activations"]


def test_a_checkpoint_goes_from_each_device_to_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["checkpoint", "--preset", "advisor-lite"]) == 0
    assert json.loads(capsys.readouterr().out)["directions"]["cpu to cpu"] is True
