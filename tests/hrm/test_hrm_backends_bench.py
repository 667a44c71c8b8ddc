"""The benchmark compares engines within one run, counts equal answers, and stores the fastest."""

import json
import math
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
import torch

from hrm.act import Stepper
from hrm.backends import BackendInfo, DeviceInfo, DevicePlan
from hrm.backends.__main__ import main
from hrm.backends.bench import benchmark, chart, gpu_bench, tuning, workloads
from hrm.backends.bench.benchmark import Result, Row, measure, text
from hrm.backends.bench.candidates import EngineCandidate, candidates
from hrm.backends.bench.gpu_bench import products_ms, products_of
from hrm.backends.bench.workloads import Workload
from hrm.backends.engines.torch_engine import TorchEngine
from hrm.backends.json_cache import TUNING, JsonCache
from hrm.config import Config
from hrm.model import HRM, Carry

WEIGHTS = Path(__file__).resolve().parents[2] / "resources" / "weights"
SMALL = Config(hidden_size=64, num_heads=2, mlp_inner=128, L_layers=1, H_layers=1, L_cycles=1, seq_len=6)


@pytest.fixture(autouse=True)
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def _workload(trained: bool = True) -> Workload:
    torch.manual_seed(0)
    model = HRM(SMALL)
    inputs = tuple((torch.randn(1, 6, 64), None) for _ in range(2))
    stepper = Stepper(model, model.read).eval()
    return Workload("small", stepper, inputs, lambda out, _: out[0].argmax(-1).flatten(), 2, trained)


def _way(engine: str = "torch", precision: str = "fp32", device: str = "cpu") -> EngineCandidate:
    return EngineCandidate(DevicePlan("bench", "cpu", device, precision, "", engine=engine, threads=1))  # type: ignore[arg-type]


PLAIN = DevicePlan("bench", "cpu", "cpu", "fp32", "", threads=2)


def _row(name: str, ms: float, agreement: float = 1.0, **changes: object) -> Row:
    device_plan = DevicePlan("bench", "cpu", "cpu", "int8", "", engine="onnx", threads=2)
    return Row(name, device_plan, times_ms=[ms, ms, 10 * ms], agreement=agreement, error=0.0, **changes)  # type: ignore[arg-type]


@pytest.mark.long
def test_every_engine_is_measured_in_turn_and_one_that_fails_costs_no_other(monkeypatch) -> None:
    monkeypatch.setattr("hrm.backends.kernels.int8.SMALLEST", 0)
    said: list[str] = []
    ways = [_way(), _way("onnx"), _way(precision="int8"), _way(device="cuda:9"), _way("onnx", "bf16")]
    result = measure(_workload(), ways, rounds=2, progress=said.append)
    plain, onnx, int8, missing, refused = result.rows
    assert [len(row.times_ms) for row in result.rows] == [6, 6, 6, 0, 0]
    assert plain.baseline
    assert (plain.agreement, onnx.agreement) == (1.0, 1.0)
    assert (plain.own_agreement, onnx.own_agreement) == (1.0, 1.0)
    assert onnx.error < 1e-4 < int8.error
    assert missing.trouble
    assert "bf16" in refused.trouble
    assert math.isclose(result.faster(plain), 1.0)
    assert math.isnan(result.faster(missing))
    assert any("round 2 of 2" in words for words in said)
    values = result.to_json()
    json.dumps(values)
    assert values["rows"][0]["p50_ms"] > 0
    assert values["rows"][3]["p50_ms"] is None
    printed = text([result])
    assert "baseline" in printed
    assert missing.trouble in printed


@pytest.mark.slow
def test_no_round_is_begun_once_the_time_is_up() -> None:
    result = measure(_workload(), [_way()], rounds=50, seconds=0)
    assert len(result.rows[0].times_ms) == benchmark.BURST


def test_the_best_is_the_fastest_whose_answers_agree() -> None:
    rows = (_row("plain", 10, baseline=True), _row("wrong", 1, 0.97), _row("right", 3, 0.995))
    assert Result("a model", True, rows).best().name == "right"
    assert Result("fresh weights", False, rows).best().name == "wrong"
    assert Result("a model", True, (rows[0], _row("slow", 20))).best().name == "plain"
    assert "fresh weights, whose answers mean nothing" in text([Result("fresh", False, rows)])


def test_every_candidate_of_this_computer_is_listed_once_the_baseline_first() -> None:
    device = DeviceInfo("cuda:0", "a card", "sm_90")
    backends = [
        BackendInfo("auto", True, "", (device,)),
        BackendInfo("cuda", True, "", (device,)),
        BackendInfo("rocm", False, "no card", ()),
        BackendInfo("directml", True, "", (DeviceInfo("dml:0", "a card"),)),
        BackendInfo("cpu", True, "", (DeviceInfo("cpu", "CPU"),)),
    ]
    names = [way.name for way in candidates(backends, cores=2)]
    assert names[0] == "torch cpu fp32 2 threads"
    assert len(names) == len(set(names))
    for wanted in ("onnx cpu int8 1 threads", "torch cuda:0 bf16 balanced", "onnx dml:0 fp16"):
        assert wanted in names
    assert "torch cuda:0 bf16 aggressive no fused" in names
    assert candidates([])[0].device_plan.backend == "cpu"


def test_what_was_best_is_remembered_for_this_model_on_this_computer(tmp_path: Path) -> None:
    card_row = _row("card", 0.1)
    card_row.device_plan = DevicePlan("bench", "cuda", "cuda:0", "bf16", "")
    plain_row = _row("plain", 10, baseline=True)
    plain_row.device_plan = PLAIN
    result = Result("a model", True, (plain_row, _row("best", 2), card_row))
    kept = tuning.remember(SMALL, result, tmp_path)
    assert kept is not None
    plain = DevicePlan("auto", "cpu", "cpu", "fp32", "as ever")
    found = tuning.remembered(SMALL, plain, tmp_path)
    assert (found.engine, found.precision, found.threads) == ("onnx", "int8", 2)
    assert "5.0 times" in found.reason
    single = _row("plain, one thread", 3)
    single.device_plan = replace(PLAIN, threads=1)
    assert tuning.remember(SMALL, replace(result, rows=(*result.rows, single)), tmp_path) == kept
    assert "1.5 times" in tuning.remembered(SMALL, plain, tmp_path).reason
    assert tuning.remembered(Config(), plain, tmp_path) == plain
    on_card = DevicePlan("auto", "cuda", "cuda:0", "bf16", "")
    assert tuning.remembered(SMALL, on_card, tmp_path) == on_card


def test_several_threads_are_chosen_only_if_much_faster_than_one(tmp_path: Path) -> None:
    single = DevicePlan("bench", "cpu", "cpu", "fp32", "", engine="onnx", threads=1)
    plain, twice, once = _row("plain", 10, baseline=True), _row("twice", 2.0), _row("once", 2.4)
    plain.device_plan = PLAIN
    once.device_plan = single
    kept = tuning.remember(SMALL, Result("a model", True, (plain, twice, once)), tmp_path)
    assert kept is not None
    assert kept.threads == 1
    slow = _row("once", 3.0)
    slow.device_plan = single
    kept = tuning.remember(SMALL, Result("a model", True, (plain, twice, slow)), tmp_path)
    assert kept is not None
    assert kept.threads == 2


@pytest.mark.parametrize(
    "entry", [3, {"engine": "abacus"}, {"engine": "abacus", "precision": "fp32", "threads": 1, "faster": 2}]
)
def test_a_tuning_that_is_not_known_is_ignored(tmp_path: Path, entry: object) -> None:
    JsonCache.named(TUNING, tmp_path).write({tuning._key(SMALL): entry})
    plain = DevicePlan("auto", "cpu", "cpu", "fp32", "as ever")
    assert tuning.remembered(SMALL, plain, tmp_path) == plain


@pytest.mark.parametrize("content", ["{ not json", "[1]"])
def test_a_damaged_tuning_file_is_ignored(tmp_path: Path, content: str) -> None:
    (tmp_path / "tuning.json").write_text(content)
    plain = DevicePlan("auto", "cpu", "cpu", "fp32", "as ever")
    assert tuning.remembered(SMALL, plain, tmp_path) == plain


def test_nothing_is_returned_if_the_tuning_cannot_be_stored(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = Result("a model", True, (_row("plain", 10, baseline=True),))
    assert tuning.remember(SMALL, result, tmp_path / "file" / "below") is None


def test_the_picture_shows_every_engine_that_was_timed(tmp_path: Path) -> None:
    rows = (_row("plain & simple", 10, baseline=True), _row("quick", 2), Row("gone", _way().device_plan))
    picture = tmp_path / "deep" / "engines.svg"
    chart.draw([Result("a model", True, rows), Result("another", False, rows[:1])], picture)
    words = "".join(ElementTree.fromstring(picture.read_text("utf-8")).itertext())
    for wanted in ("plain & simple", "quick", "5.00 x faster", "another"):
        assert wanted in words
    assert "gone" not in words


@pytest.mark.long
def test_int8_that_changes_no_matrix_is_not_measured_as_int8() -> None:
    ways = [_way(), _way(precision="int8"), _way("onnx", "int8")]
    result = measure(_workload(), ways, rounds=1)
    for row in result.rows[1:]:
        assert "no matrix of this model" in row.trouble
        assert not row.times_ms
    assert result.best().name == ways[0].name


@pytest.mark.slow
def test_what_small_errors_come_to_over_steps_is_another_figure_than_a_step(monkeypatch) -> None:
    workload = replace(_workload(), steps=3)

    class Drifting(TorchEngine):
        """Right in every step, but for the states that it hands on."""

        def step(self, carry, x, mask=None):
            after, q, outputs = super().step(carry, x, mask)
            return Carry(torch.randn_like(after.z_H), torch.randn_like(after.z_L)), q, outputs

    def opened(stepper, device_plan):
        return Drifting(stepper, "cpu", "fp32", level="conservative")

    monkeypatch.setattr("hrm.backends.bench.benchmark.open_engine", opened)
    (row,) = measure(workload, [_way()], rounds=1).rows
    assert row.agreement == 1.0
    assert row.own_agreement < 0.9


@pytest.mark.long
def test_shipped_sudoku_weights_answer_alike_on_every_engine() -> None:
    workload = workloads.sudoku(WEIGHTS / "sudoku.safetensors", count=2, steps=1)
    result = measure(workload, [_way(), _way("onnx", "int8")], rounds=1)
    assert all(not row.trouble for row in result.rows)
    assert result.rows[1].agreement >= 0.96  # 162 cells of one step; `botapp bench engines` counts more


@pytest.mark.long
def test_a_fresh_model_has_the_length_asked_for() -> None:
    workload = workloads.reference(10, "advisor-lite")
    assert workload.inputs[0][0].shape[1] == 10
    assert workloads.reference(10).inputs[0][0].shape == (1, 10, 512)


@pytest.mark.long
def test_the_command_line_measures_and_draws(tmp_path: Path, capsys) -> None:
    picture = tmp_path / "engines.svg"
    options = ["--preset", "advisor-lite", "--tokens", "5", "--rounds", "1", "--only", "torch cpu fp32"]
    assert main(["bench", *options, "--plot", str(picture)]) == 0
    assert "advisor-lite, 5 tokens" in capsys.readouterr().out
    assert picture.exists()
    assert main(["bench", "--preset", "nonsense"]) == 2
    assert "nonsense" in capsys.readouterr().err


@pytest.mark.long
def test_the_gpu_benchmark_runs_dry_on_a_cpu(tmp_path: Path, capsys) -> None:
    out = tmp_path / "deep" / "dry.json"
    options = ["--dry", "--preset", "advisor-lite", "--tokens", "6", "--steps", "5", "--batches", "1", "3"]
    assert gpu_bench.main([*options, "--skip", "int8", "--out", str(out)]) == 0
    report = json.loads(out.read_text())
    assert [(row["batch"], row["variant"]) for row in report["steps"]] == [
        (batch, variant) for batch in (1, 3) for variant in ("products alone", "eager fp32")
    ]
    for row in report["steps"][1::2]:
        assert row["error"] < 1e-4
        assert row["p50_ms"] <= row["p99_ms"]
    assert "eager fp32" in capsys.readouterr().out


@pytest.mark.slow
def test_a_steps_matrix_products_are_all_found_and_timed() -> None:
    one, other = torch.nn.Linear(8, 16, bias=False), torch.nn.Linear(16, 4)
    x = torch.randn(5, 8)

    def step() -> torch.Tensor:
        with torch.no_grad():
            return other(one(x).relu()) + other(one(x))

    found = products_of(step, "cpu", torch.float32)
    assert [(tuple(a.shape), tuple(b.shape)) for a, b in found] == 2 * [((5, 8), (8, 16)), ((5, 16), (16, 4))]
    assert found[0][1] is found[2][1] and found[0][1] is not found[1][1]
    assert products_ms(found, "cpu", 3) > 0
