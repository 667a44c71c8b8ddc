"""The high-level interface: `hrm.create_model` and its deliberations."""

from pathlib import Path

import numpy as np
import pytest
import torch

import hrm
from hrm.checkpoint import save_model

torch.set_num_threads(1)
SMALL = {"seq_len": 9, "vocab_size": 5}


def test_the_example_of_the_readme() -> None:
    model = hrm.create_model("advisor-lite", device="auto", max_reasoning_steps=3, seed=1)
    thought = model.think([1] * 81)
    assert thought.answer.shape == thought.reflex.shape == thought.confidence.shape == (81,)
    assert thought.steps == len(thought.trace) == 3 and thought.stop == "step-limit"
    assert 0 <= thought.trace[0].q_halt <= 1
    assert np.array_equal(thought.history[-1], thought.answer)
    assert np.array_equal(thought.history[0], thought.reflex)


def test_a_seed_repeats_weights_and_leaves_torch_alone() -> None:
    state = torch.get_rng_state()
    first, second = (hrm.create_model(seed=4, **SMALL) for _ in range(2))
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.equal(first.model.lm_head.weight, second.model.lm_head.weight)


def test_a_batch_answers_as_one_by_one() -> None:
    model = hrm.create_model(seed=2, max_reasoning_steps=2, **SMALL)
    tokens = np.random.default_rng(0).integers(0, 5, (3, 9))
    for row, thought in zip(tokens, model.think_batch(tokens), strict=True):
        alone = model.think(row)
        assert np.array_equal(alone.answer, thought.answer) and alone.stop == thought.stop


def test_a_budget_stops_after_the_first_step() -> None:
    thought = hrm.create_model(seed=2, **SMALL).think([0] * 9, budget_ms=0)
    assert thought.stop == "budget" and thought.steps == 1


def test_a_threshold_of_nought_halts_at_once() -> None:
    thought = hrm.create_model(seed=2, halt_threshold=0.0, **SMALL).think(torch.zeros(9, dtype=torch.long))
    assert thought.stop == "halted" and thought.steps == 1


@pytest.mark.slow
def test_a_checkpoint_can_be_named_instead(tmp_path: Path) -> None:
    made = hrm.create_model(seed=3, **SMALL)
    path = tmp_path / "mine.safetensors"
    save_model(path, made.model, made.config)
    loaded = hrm.create_model(path, max_reasoning_steps=8)
    assert np.array_equal(loaded.think([1] * 9).answer, made.think([1] * 9).answer)
    with pytest.raises(hrm.tensor_file.CheckpointError, match=r"gone\.safetensors"):
        hrm.create_model(tmp_path / "gone.safetensors")


def test_bad_input_is_refused_in_words() -> None:
    model = hrm.create_model(seed=1, **SMALL)
    with pytest.raises(ValueError, match="9 tokens"):
        model.think([1, 2, 3])
    with pytest.raises(ValueError, match="tokens are 0 to 4"):
        model.think([5] * 9)
    with pytest.raises(ValueError, match="use think_batch"):
        model.think([[1] * 9] * 2)
    with pytest.raises(ValueError, match="no preset 'nonsense'"):
        hrm.create_model("nonsense")
    with pytest.raises(ValueError, match="device 'cuda:63' cannot be used"):
        hrm.create_model(device="cuda:63")
    with pytest.raises(AttributeError, match="nothing"):
        hrm.nothing  # noqa: B018
