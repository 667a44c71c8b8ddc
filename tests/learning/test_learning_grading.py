"""The figures say what they claim: ties are shared, honest shares have no error, sure answers come first."""

import json
from dataclasses import replace

import pytest
import torch
from judged_cases import write_judged

from botapp.advisor.calibration import Calibration
from botapp.advisor.model import AdvisorModel, lite, save_weights
from botapp.learning import figures
from botapp.learning.grading import (
    REGRET_CAP,
    GradedAnswers,
    answer,
    auroc,
    calibrate,
    calibration_error,
    ended,
    reliability,
    value_slope,
)
from botapp.learning.samples import NEVER, load

torch.set_num_threads(1)
DEVOID = -torch.inf


def made(logits, regrets, halt):
    """Answers of one batch: logits (B, T, N), regrets (B, N), halt (B, T)."""
    count = len(regrets)
    return GradedAnswers(
        (torch.tensor(logits),),
        (torch.tensor(regrets),),
        torch.tensor(halt),
        torch.zeros(count, len(halt[0])),
        torch.zeros(count),
        torch.arange(count),
    )


@pytest.fixture
def answers():
    """Two steps: the first errs on the second state, the second is right on both; the third is a tie."""
    return made(
        [
            [[2.0, 0.0, DEVOID], [3.0, 0.0, DEVOID]],
            [[0.0, 1.0, 0.0], [2.0, 0.0, 0.0]],
            [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]],
        ],
        [[0.0, 5.0, NEVER], [0.0, 50.0, 9.0], [0.0, 0.0, 0.0]],
        [[3.0, 4.0], [-2.0, 3.0], [-4.0, -4.0]],
    )


def test_the_regret_is_that_of_the_likeliest_option(answers):
    assert answers.chosen_regrets().tolist() == [[0.0, 0.0], [50.0, 0.0], [0.0, 0.0]]


def test_of_equally_good_options_the_search_takes_any(answers):
    shares, right = answers.best_shares(0, Calibration())
    assert right.tolist() == pytest.approx([1.0, 0.0, 1 / 3])
    assert shares[0] == pytest.approx(float(torch.tensor(2.0).sigmoid()))


def test_near_ties_that_are_right_more_often_than_they_say_say_so_once_calibrated():
    torch.manual_seed(0)
    logits = torch.cat((torch.full((3000, 1, 1), 0.05), torch.zeros(3000, 1, 3)), -1)
    logits[:1500, :, 0] = 3.0
    right = torch.rand(3000) < torch.where(torch.arange(3000) < 1500, 0.9, 0.6)
    regrets = torch.full((3000, 4), 5.0)
    regrets[torch.arange(3000), torch.where(right, 0, 1)] = 0.0
    modest = made(logits.tolist(), regrets.tolist(), torch.zeros(3000, 1).tolist())
    calibration = calibrate(modest, 1.0)
    temperature_alone = replace(calibration, sureness=((1.0, 0.0),))
    assert calibration_error(*modest.best_shares(0, temperature_alone)) > 0.1
    assert calibration_error(*modest.best_shares(0, calibration)) < 0.03


def test_luck_counts_real_options_only(answers):
    assert answers.luck(1.0).tolist() == pytest.approx([0.5, 1 / 3, 1.0])


def test_a_thought_ends_where_halt_reaches_the_threshold_or_the_steps_do(answers):
    calibration = Calibration((1.0,), (1.0,), 1.0)
    assert ended(answers, calibration, 0.5).tolist() == [0, 1, 1]
    assert ended(answers, calibration, 0.97).tolist() == [1, 1, 1]
    assert ended(answers, Calibration((1.0,), (10.0,), 1.0), 0.6).tolist() == [1, 1, 1]


def test_the_report_has_every_figure_by_step_and_with_early_exit(answers):
    found = figures.report(answers, Calibration((1.0,), (1.0,), 1.0), torch.tensor([0, 2, 2]))
    first, second = found["by_step"]
    assert (first["regret"], second["regret"]) == (pytest.approx(REGRET_CAP / 3, abs=1e-4), 0.0)
    assert (first["good"], second["good"]) == (pytest.approx(2 / 3, abs=1e-4), 1.0)
    half, *_ = found["early_exit"]
    assert half["used"] == [1, 2] and half["mean_steps"] == pytest.approx(5 / 3, abs=1e-4)
    assert half["regret"] == 0.0
    assert found["difficulty"]["easy"]["luck"] == 1.0
    assert found["difficulty"]["hard"]["mean_steps"] == 2.0
    assert found["by_kind"]["duel"]["states"] == 1 and found["by_kind"]["team"]["states"] == 2
    assert "adventure" not in found["by_kind"]
    json.dumps(found)


def test_risk_grows_as_less_sure_answers_are_counted():
    logits = [[[float(sure), 0.0]] for sure in range(10)]
    regrets = [[float(10 - sure), 0.0] for sure in range(10)]
    answers = made(logits, regrets, [[float(sure)] for sure in range(10)])
    risk = figures.report(answers, Calibration((1.0,), (1.0,), 1.0), torch.zeros(10))["risk"]
    for points in risk.values():
        costs = [point["regret"] for point in points]
        assert costs == sorted(costs) and costs[0] < costs[-1]
        assert points[-1]["coverage"] == 1.0


def test_temperatures_make_boastful_shares_modest():
    torch.manual_seed(0)
    truth = torch.randn(4000, 1, 4)
    taken = torch.distributions.Categorical(logits=truth[:, 0]).sample()
    regrets = torch.full((4000, 4), 5.0).scatter(1, taken[:, None], 0.0)
    boasts = made((3 * truth).tolist(), regrets.tolist(), torch.zeros(4000, 1).tolist())
    calibration = calibrate(boasts, 1.0)
    assert calibration.policy[0] == pytest.approx(3.0, rel=0.1)
    assert calibration_error(*boasts.best_shares(0, Calibration())) > 0.1
    assert calibration_error(*boasts.best_shares(0, calibration)) < 0.03


def test_answers_can_be_parted_by_state(answers):
    kept = torch.tensor([True, False, True])
    part = answers.where(kept)
    assert len(part) == 2 and part.rows.tolist() == [0, 2]
    assert torch.equal(part.chosen_regrets(), answers.chosen_regrets()[kept])


def test_the_area_under_the_curve_counts_ties_half():
    scores = torch.tensor([0.1, 0.4, 0.4, 0.9])
    assert auroc(scores, torch.tensor([False, False, True, True])) == pytest.approx(0.875)
    assert auroc(scores, torch.tensor([True, True, True, True])) == 0.5
    assert auroc(scores, torch.tensor([True, True, False, False])) == pytest.approx(0.125)


def test_calibration_error_is_nought_for_honest_shares():
    shares = torch.tensor([0.75] * 4)
    assert calibration_error(shares, torch.tensor([1.0, 1.0, 1.0, 0.0])) == pytest.approx(0.0)
    assert calibration_error(shares, torch.zeros(4)) == pytest.approx(0.75)
    (bin_,) = reliability(shares, torch.zeros(4))
    assert (bin_.share, bin_.confidence, bin_.right) == (1.0, 0.75, 0.0)


def test_weights_are_graded_from_the_command_line_with_the_temperatures_they_carry(tmp_path, capsys):
    write_judged(tmp_path / "data", range(10), states=4, options=(2, 10))
    torch.manual_seed(0)
    model = AdvisorModel(lite(hidden_size=32, num_heads=2, mlp_inner=32, L_layers=1, H_layers=1))
    weights = tmp_path / "w.safetensors"
    save_weights(weights, model, Calibration((2.0,), (1.0,), 1.0), {})
    out, picture = tmp_path / "deep" / "m.json", tmp_path / "deep" / "m.svg"
    where = ["--weights", str(weights), "--data", str(tmp_path / "data"), "--device", "cpu"]
    assert figures.main([*where, "--steps", "2", "--out", str(out), "--picture", str(picture)]) == 0
    found = json.loads(out.read_text())
    assert found["states"] == 40 and len(found["by_step"]) == 2
    assert found["by_step"][0]["policy_temperature"] == 2.0
    assert picture.read_text().count("<polyline") == 10
    samples = load([tmp_path / "data"])
    loaded = answer(figures.load_weights(weights)[0], samples, samples.held(1.0), 1)
    regret = loaded.chosen_regrets().clamp_max(REGRET_CAP).mean()
    assert found["by_step"][0]["regret"] == pytest.approx(float(regret), abs=1e-4)
    with pytest.raises(SystemExit):
        figures.main([*where[:2], "--data", str(tmp_path / "nothing")])
    assert "has no shards" in capsys.readouterr().err


def test_values_are_made_as_sure_as_the_fights_ends_bear_out():
    sure = torch.tensor([0.99] * 10 + [-0.99] * 10)
    seven_in_ten = torch.tensor([1.0] * 7 + [-1.0] * 10 + [1.0] * 3)
    assert value_slope(sure, sure.sign()) > 1
    slope = value_slope(sure, seven_in_ten)
    assert 0.1 < slope < 0.5
