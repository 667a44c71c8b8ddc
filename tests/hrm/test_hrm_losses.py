"""Losses, optimisers and averaged weights follow their formulas."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from hrm.ema import Ema
from hrm.losses import (
    IGNORED,
    act_loss,
    softmax_cross_entropy,
    stablemax_cross_entropy,
)
from hrm.model import PuzzleEmbedding
from hrm.optimizers import AdamATan2, SignSGD, make_optimizer, orthogonalised, warmed_lr

torch.set_num_threads(1)


def test_stablemax_follows_its_definition_and_passes_gradients() -> None:
    logits = torch.tensor([[2.0, -1.0, 0.0]], requires_grad=True)
    shares = torch.tensor([3.0, 0.5, 1.0])
    loss = stablemax_cross_entropy(logits, torch.tensor([1]))
    assert loss.dtype == torch.float64
    assert loss.item() == pytest.approx(-math.log(0.5 / shares.sum().item()))
    loss.sum().backward()
    assert logits.grad is not None and torch.isfinite(logits.grad).all()


@pytest.mark.parametrize("loss", [stablemax_cross_entropy, softmax_cross_entropy])
def test_ignored_positions_cost_nothing(loss) -> None:  # type: ignore[no-untyped-def]
    logits = torch.randn(2, 4, 5)
    labels = torch.tensor([[0, 1, IGNORED, 4], [IGNORED] * 4])
    costs = loss(logits, labels)
    assert costs.shape == (2, 4)
    assert costs[0, 2] == 0 and (costs[1] == 0).all() and (costs[0, [0, 1, 3]] > 0).all()


def test_act_loss_counts_only_rows_that_halted_and_have_labels() -> None:
    labels = torch.tensor([[1, 2], [1, 2], [1, IGNORED], [IGNORED, IGNORED]])
    logits = nn.functional.one_hot(torch.tensor([[1, 2], [1, 1], [1, 0], [0, 0]]), 3).float() * 5
    q = torch.tensor([[1.0, 0.0], [-1.0, 0.0], [1.0, 0.0], [1.0, 0.0]])
    loss, metrics = act_loss(
        logits,
        q,
        labels,
        halted=torch.tensor([True, True, False, True]),
        steps=torch.tensor([3, 5, 7, 9]),
        target_q_continue=torch.full((4,), 0.5),
    )
    counted = {key: float(metrics[key]) for key in ("count", "accuracy", "exact_accuracy", "steps")}
    assert counted == {"count": 2, "accuracy": 1.5, "exact_accuracy": 1, "steps": 8}
    assert float(metrics["q_halt_accuracy"]) == 2
    parts = metrics["lm_loss"] + 0.5 * (metrics["q_halt_loss"] + metrics["q_continue_loss"])
    assert float(loss) == pytest.approx(float(parts))


def test_without_a_target_the_continue_head_is_not_trained() -> None:
    q = torch.zeros(1, 2, requires_grad=True)
    loss, metrics = act_loss(
        torch.randn(1, 2, 3),
        q,
        torch.tensor([[0, 1]]),
        halted=torch.tensor([True]),
        steps=torch.tensor([1]),
        target_q_continue=None,
    )
    loss.backward()
    assert "q_continue_loss" not in metrics
    assert q.grad is not None and q.grad[0, 1] == 0 and q.grad[0, 0] != 0


def test_adam_atan2_takes_the_step_of_its_formula() -> None:
    weight = nn.Parameter(torch.tensor([2.0, -3.0]))
    optimizer = AdamATan2([weight], lr=0.1, betas=(0.9, 0.95), weight_decay=0.5)
    expected, mean, square = (
        weight.detach().clone().double(),
        torch.zeros(2).double(),
        torch.zeros(2).double(),
    )
    for t in range(1, 4):
        gradient = torch.tensor([1.0, -0.01]) * t
        weight.grad = gradient.clone()
        optimizer.step()
        mean = 0.9 * mean + 0.1 * gradient.double()
        square = 0.95 * square + 0.05 * gradient.double() ** 2
        expected = expected * (1 - 0.1 * 0.5)
        expected -= 0.1 / (1 - 0.9**t) * torch.atan2(mean, square.sqrt() / math.sqrt(1 - 0.95**t))
    assert torch.allclose(weight.detach().double(), expected, atol=1e-6)


@pytest.mark.slow
@given(st.floats(1e-6, 1e6))
def test_adam_atan2_does_not_care_about_the_scale_of_gradients(scale: float) -> None:
    weight = nn.Parameter(torch.zeros(1))
    weight.grad = torch.tensor([scale])
    AdamATan2([weight], lr=1.0, weight_decay=0.0).step()
    assert weight.item() == pytest.approx(-math.atan(0.1) / 0.1, rel=1e-3)


def test_sign_descent_moves_only_the_rows_used_and_sums_equal_ids() -> None:
    table = PuzzleEmbedding(4, 2).train()
    table.weights.fill_(1.0)
    rows = table(torch.tensor([1, 3, 1]), torch.float32)
    (rows * torch.tensor([[1.0, 1.0], [-1.0, 0.0], [-3.0, 1.0]])).sum().backward()
    SignSGD(table, lr=0.1, weight_decay=0.5).step()
    assert torch.allclose(table.weights[[0, 2]], torch.ones(2, 2))
    assert torch.allclose(table.weights[1], torch.tensor([0.95 + 0.1, 0.95 - 0.1]))
    assert torch.allclose(table.weights[3], torch.tensor([0.95 + 0.1, 0.95]))
    before = table.weights.clone()
    SignSGD(table, lr=0.1).step()
    assert torch.equal(before, table.weights)


def test_optimisers_by_name() -> None:
    parameters = [nn.Parameter(torch.zeros(1))]
    assert isinstance(make_optimizer("adamw", parameters, 1e-3, 0.1), torch.optim.AdamW)
    with pytest.raises(ValueError, match="no optimiser 'sgd'"):
        make_optimizer("sgd", parameters, 1e-3, 0.1)
    with pytest.raises(ValueError, match="must not be negative"):
        AdamATan2(parameters, lr=-1)


def test_the_learning_rate_warms_up_then_stays_or_falls() -> None:
    assert warmed_lr(0, 1.0, 10) == 0.1
    assert warmed_lr(500, 1.0, 10) == 1.0
    assert warmed_lr(10, 1.0, 10, 20, 0.1) == 1.0
    assert warmed_lr(20, 1.0, 10, 20, 0.1) == pytest.approx(0.1)


def test_the_average_follows_and_is_only_applied_within_the_context() -> None:
    model = nn.Linear(1, 1, bias=False)
    nn.init.constant_(model.weight, 0.0)
    ema = Ema(model, 0.5)
    nn.init.constant_(model.weight, 1.0)
    ema.update(model)
    share = 1 - min(0.5, 1 / 11)
    assert ema.average["weight"].item() == pytest.approx(share)
    with ema.applied(model):
        assert model.weight.item() == pytest.approx(share)
    assert model.weight.item() == 1.0
    other = Ema(model, 0.5)
    other.load_state_dict(ema.state_dict())
    assert other.updates == 1 and torch.equal(other.average["weight"], ema.average["weight"])
    with pytest.raises(ValueError, match="decay"):
        Ema(model, 1.0)


def test_orthogonalised_matrices_have_singular_values_near_one() -> None:
    torch.manual_seed(0)
    for shape in ((2, 40, 64), (1, 96, 32)):
        values = torch.linalg.svdvals(orthogonalised(torch.randn(shape)))
        assert 0.6 < float(values.min()) <= float(values.max()) < 1.3


def test_muon_turns_matrices_and_leaves_the_rest_to_adam_atan2() -> None:
    torch.manual_seed(0)
    matrix, table = nn.Parameter(torch.zeros(32, 64)), nn.Parameter(torch.zeros(4, 64))
    other = nn.Parameter(torch.zeros(4, 64))
    muon = make_optimizer("muon", [matrix, table], 1e-2, 0.1)
    adam = make_optimizer("adam-atan2", [other], 1e-2, 0.1)
    matrix.grad, table.grad = torch.randn(32, 64), torch.randn(4, 64)
    other.grad = table.grad.clone()
    muon.step()
    adam.step()
    assert torch.equal(table, other)
    spread = float(matrix.detach().square().mean().sqrt())
    assert spread == pytest.approx(1e-2 * 0.2, rel=0.2)
