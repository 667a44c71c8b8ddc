"""More thinking, measured: what the figures mean, and that the same seed gives the same ones."""

import json
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from botapp.advisor.calibration import Calibration
from botapp.advisor.model import AdvisorModel, lite, save_weights, tensors
from botapp.content.library import classes
from botapp.learning import thinking
from botapp.learning.thinking import (
    EPSILON,
    STEPS,
    Question,
    StepAnswers,
    figures,
    gather,
    judged,
    main,
    think,
)

CALIBRATION = Calibration(halt=(2.0, 0.5), epsilon=1.0)


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(3)
    return AdvisorModel(lite(hidden_size=32, num_heads=2)).eval()


@pytest.fixture(scope="module")
def labels():
    return gather("seen", 6, 90_000_000, 20, 1)


def answers():
    """Three states: the reflex is right; it is wrong and thinking helps; it is wrong for good."""
    regrets = np.zeros((3, STEPS))
    regrets[1, :3] = 6.0
    regrets[2] = 12.0
    halts = np.full((3, STEPS), 0.2)
    halts[0], halts[1, 3:] = 0.99, 0.92
    return StepAnswers(regrets, halts)


def test_thinking_ends_where_the_model_is_sure_and_at_the_last_step_at_the_latest():
    assert answers().steps(0.9).tolist() == [1, 4, STEPS]
    assert answers().steps(0.95).tolist() == [1, STEPS, STEPS]
    assert answers().at_exit(0.9).tolist() == [0.0, 0.0, 12.0]
    assert answers().at_exit(0.1).tolist() == [0.0, 6.0, 12.0]


def test_hard_states_are_those_whose_reflex_is_wrong():
    found = figures(answers())
    assert [row["regret"] for row in found["by_step"]] == [6.0] * 3 + [4.0] * (STEPS - 3)
    assert found["by_step"][0]["good"] == pytest.approx(1 / 3, abs=1e-4)
    assert found["hard"]["states"] == 2 and found["easy"]["states"] == 1
    assert found["hard"]["share"] == pytest.approx(2 / 3, abs=1e-4)
    assert (found["easy"]["mean_steps"], found["hard"]["mean_steps"]) == (1.0, 6.0)
    assert (found["hard"]["regret_of_reflex"], found["hard"]["regret_at_exit"]) == (9.0, 6.0)
    nothing_hard = StepAnswers(np.full((2, STEPS), EPSILON), np.zeros((2, STEPS)))
    assert figures(nothing_hard)["hard"] == {"share": 0.0, "states": 0}


@pytest.mark.slow
def test_a_seed_gives_the_same_states_on_any_number_of_processes(labels):
    again = gather("seen", 6, 90_000_000, 20, 2)
    assert len(again) == len(labels) == 6
    for one, other in zip(labels, again, strict=True):
        assert np.array_equal(one.encoded.options, other.encoded.options)
        assert np.array_equal(one.regrets, other.regrets)


def test_unseen_states_have_nobody_that_was_trained_on(monkeypatch):
    met = set()
    judge = thinking.evaluate_candidates
    monkeypatch.setattr(
        thinking,
        "evaluate_candidates",
        lambda state, *how: met.update(f.kind for f in state.fighters if f.player) or judge(state, *how),
    )
    for seed in range(2):
        judged(Question(seed, "unseen", 5))
    assert met
    assert all(classes()[kind].unseen for kind in met)


def test_a_batch_gives_what_each_state_gives_by_itself(model, labels):
    found = think(model, CALIBRATION, labels, "cpu", "fp32")
    assert found.regrets.shape == found.halts.shape == (6, STEPS)
    for row, one in enumerate(labels):
        given = tensors([one.encoded])
        x, mask = model.embed(*given)
        carry = model.core.start(1, x.shape[1])
        for step in range(STEPS):
            with torch.inference_mode():
                carry, q = model.core(carry, x, mask)
                logits = model.choose(model.readout(carry.z_H)[0], given[3])[0, : len(one.regrets)]
            assert found.regrets[row, step] == pytest.approx(one.regrets[int(logits.argmax())], abs=1e-6)
            sure = torch.sigmoid(q[0, 0] / CALIBRATION.halt[min(step, 1)])
            assert found.halts[row, step] == pytest.approx(float(sure), abs=1e-4)


@pytest.mark.slow
def test_the_command_writes_figures_and_a_picture_and_goes_on_where_it_was(model, tmp_path, capsys):
    weights, out = tmp_path / "small.safetensors", tmp_path / "new" / "thinking.json"
    save_weights(weights, model, CALIBRATION, {})
    asked = ["--weights", str(weights), "--states", "4", "--fights", "1", "--search-states", "5"]
    assert main([*asked, "--device", "cpu", "--out", str(out)]) == 0
    found = json.loads(out.read_text())
    assert json.loads(capsys.readouterr().out) == found
    assert set(found["regret"]) == {"seen", "unseen"}
    assert [(row["steps"], row["early_exit"]) for row in found["fights"]] == [
        *((step, False) for step in range(1, STEPS + 1)),
        (STEPS, True),
    ]
    drawn = ElementTree.parse(out.with_suffix(".svg")).getroot()
    assert sum(element.tag.endswith("polyline") for element in drawn.iter()) == 5
    kept = json.loads((out.parent / "thinking-3.json").read_text())
    assert "exit=off" in kept["a"] and "steps=3" in kept["a"]


def test_missing_weights_are_named(tmp_path, capsys):
    with pytest.raises(SystemExit) as end:
        main(["--weights", str(tmp_path / "gone.safetensors")])
    assert end.value.code == 1
    assert "gone.safetensors" in capsys.readouterr().err
