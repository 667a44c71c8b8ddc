"""A deliberation halts by the Q-head, the step limit or the budget, and batching changes no answer."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from hrm.act import Halting, Outputs, Stepper, deliberate, sigmoid, step
from hrm.config import Config
from hrm.model import Carry, Core

torch.set_num_threads(1)
CONFIG = Config(hidden_size=16, num_heads=2, mlp_inner=24, L_layers=1, H_layers=1, seq_len=5)


def scripted(says: list[list[tuple[float, float]]]):  # type: ignore[no-untyped-def]
    """A step whose q for row r at step t is says[t][r], and whose output is 10 * t + r."""

    def take(carry: Carry, x: Tensor, mask: Tensor | None) -> tuple[Carry, Tensor, Outputs]:
        rows = x[:, 0, 0].long().tolist()
        t = int(carry.z_H[0, 0, 0])
        q = torch.tensor([says[t][row] for row in rows])
        return Carry(carry.z_H + 1, carry.z_L), q, (torch.tensor([10.0 * (t + 1) + row for row in rows]),)

    return take


def begin(rows: int) -> tuple[Carry, Tensor]:
    return Carry(torch.zeros(rows, 1, 1), torch.zeros(rows, 1, 1)), torch.arange(float(rows))[:, None, None]


GO, STOP = (-1.0, 1.0), (1.0, -1.0)


def test_each_row_stops_on_its_own_and_keeps_its_last_answer() -> None:
    take = scripted([[GO, STOP, GO], [GO, GO, STOP], [GO, GO, GO]])
    outcome = deliberate(take, *begin(3), max_steps=3)
    assert outcome.steps == (3, 1, 2)
    assert outcome.stops == ("step-limit", "halted", "halted")
    assert outcome.answer[0].tolist() == [30, 11, 22]
    assert outcome.reflex[0].tolist() == [10, 11, 12]
    assert [len(trace) for trace in outcome.traces] == [3, 1, 2]
    assert outcome.stop == "step-limit" and outcome.trace[2].index == 3


def test_threshold_minimum_and_fixed_steps() -> None:
    take = scripted([[(1.0, 5.0)], [(3.0, 5.0)], [(9.0, 0.0)], [GO]])
    assert deliberate(take, *begin(1), max_steps=4, halting=Halting(0.9)).steps == (2,)
    assert deliberate(take, *begin(1), max_steps=4, halting=Halting(0.9, min_steps=3)).steps == (3,)
    assert deliberate(take, *begin(1), max_steps=4).steps == (3,)
    fixed = deliberate(take, *begin(1), max_steps=4, halting=Halting(early=False))
    assert fixed.steps == (4,) and fixed.stop == "step-limit"


def test_temperature_softens_what_the_head_says() -> None:
    take = scripted([[(2.0, 0.0)], [(4.0, 0.0)]])
    outcome = deliberate(take, *begin(1), max_steps=2, halting=Halting(0.85, temperatures=(2.0, 1.0)))
    assert outcome.steps == (2,)
    assert outcome.trace[0].q_halt_logit == 1.0
    assert outcome.trace[0].q_halt == pytest.approx(0.731, abs=1e-3)
    assert outcome.trace[0].q_continue == 0.5


def test_the_budget_is_kept_by_forecast() -> None:
    ticks = iter([0.0, 0.010, 0.020, 0.030, 0.040])
    take = scripted([[GO]] * 9)
    outcome = deliberate(take, *begin(1), max_steps=9, budget_ms=35, clock=lambda: next(ticks))
    assert outcome.steps == (3,) and outcome.stop == "budget"
    assert [round(entry.elapsed_ms) for entry in outcome.trace] == [10, 20, 30]


def test_the_first_step_is_always_taken_be_the_time_over() -> None:
    take = scripted([[GO]] * 4)
    assert deliberate(take, *begin(1), max_steps=4, budget_ms=0).steps == (1,)
    assert deliberate(take, *begin(1), max_steps=4, budget_ms=-10).stop == "budget"
    halted = deliberate(scripted([[STOP]]), *begin(1), max_steps=4, budget_ms=0)
    assert halted.stop == "halted"


def test_impossible_requests_are_refused() -> None:
    with pytest.raises(ValueError, match="max_steps is 0"):
        deliberate(scripted([[GO]]), *begin(1), max_steps=0)
    with pytest.raises(ValueError, match="one row at a time"):
        deliberate(scripted([[GO, GO]]), *begin(2), keep_history=True)


def test_history_holds_every_steps_answer() -> None:
    outcome = deliberate(scripted([[GO]] * 3), *begin(1), max_steps=3, keep_history=True)
    assert [float(outputs[0]) for outputs in outcome.history] == [10, 20, 30]


@pytest.mark.slow
@settings(deadline=None, max_examples=10)
@given(st.integers(0, 99), st.integers(2, 5), st.booleans())
def test_a_batch_gives_the_same_answers_as_its_rows_alone(seed: int, rows: int, masked: bool) -> None:
    torch.manual_seed(seed)
    core = Core(replace(CONFIG, pos_encodings="none")).eval()
    torch.nn.init.normal_(core.q_head.weight, std=2.0)
    torch.nn.init.zeros_(core.q_head.bias)
    stepper = Stepper(core, lambda z: (z.mean(1), z[:, 0])).eval()
    x = torch.randn(rows, 5, 16)
    mask = torch.arange(5).expand(rows, -1) < torch.randint(1, 6, (rows, 1)) if masked else None
    together = deliberate(stepper.step, core.start(rows, 5), x, mask, max_steps=6)
    for row in range(rows):
        one = slice(row, row + 1)
        alone = deliberate(
            stepper.step, core.start(1, 5), x[one], None if mask is None else mask[one], max_steps=6
        )
        assert alone.steps[0] == together.steps[row] and alone.stops[0] == together.stops[row]
        for mine, theirs in zip(alone.answer, together.answer, strict=True):
            assert torch.allclose(mine[0], theirs[row], atol=1e-4)


def test_a_step_is_cut_off_from_its_graph_and_goes_on_where_it_was() -> None:
    core = Core(CONFIG)
    x = torch.randn(2, 5, 16)
    carry, q = step(core, core.start(2, 5), x)
    assert q.requires_grad and not carry.z_H.requires_grad
    again, _ = step(core, carry, x)
    assert not torch.equal(carry.z_H, again.z_H)


@pytest.mark.long
def test_the_step_can_be_exported() -> None:
    core = Core(replace(CONFIG, pos_encodings="rope")).eval()
    stepper = Stepper(core, lambda z: z.sum(-1)).eval()
    x, mask = torch.randn(1, 5, 16), torch.tensor([[True] * 4 + [False]])
    carry = core.start(1, 5)
    with torch.no_grad():
        program = torch.export.export(stepper, (*carry, x, mask))
        exported = program.module()(*carry, x, mask)
        eager = stepper(*carry, x, mask)
    assert all(torch.allclose(a, b, atol=1e-6) for a, b in zip(exported, eager, strict=True))


@given(st.floats(-1e4, 1e4))
def test_sigmoid_neither_overflows_nor_leaves_its_range(logit: float) -> None:
    assert 0 <= sigmoid(logit) <= 1
    assert sigmoid(logit) == pytest.approx(float(torch.tensor(logit, dtype=torch.float64).sigmoid()))


def test_the_input_may_change_from_step_to_step() -> None:
    seen = []

    def take(carry: Carry, x: Tensor, mask: Tensor | None) -> tuple[Carry, Tensor, Outputs]:
        seen.append(x[:, 0, 0].tolist())
        q = torch.tensor([STOP if value == 1 else GO for value in seen[-1]])
        return carry, q, (x[:, 0, 0] * 2,)

    asked = []

    def renew(outputs: Outputs, live: Sequence[int]) -> Tensor:
        asked.append((outputs[0].tolist(), list(live)))
        return outputs[0][:, None, None] + 1

    outcome = deliberate(take, *begin(3), max_steps=3, renew=renew)
    assert seen == [[0, 1, 2], [1, 5], [11]]
    assert asked == [([0, 4], [0, 2]), ([10], [2])]
    assert outcome.answer[0].tolist() == [2, 2, 22]


def test_it_ends_where_no_new_input_can_come() -> None:
    def take(carry: Carry, x: Tensor, mask: Tensor | None) -> tuple[Carry, Tensor, Outputs]:
        return carry, torch.tensor([STOP if row == 0 else GO for row in x[:, 0, 0].tolist()]), (x[:, 0, 0],)

    outcome = deliberate(take, *begin(3), max_steps=3, renew=lambda outputs, live: None)
    assert outcome.stops == ("halted", "exhausted", "exhausted")
    assert outcome.steps == (1, 1, 1)
