"""The first measurement of a machine is kept, and later ones say what takes a quarter longer."""

from botapp.bench.baseline import FILE, baseline_text, compared
from hrm.backends.json_cache import JsonCache


def measured(decision: float = 20.0, search_ms: float = 12.0, *, decisions: int = 200, **changed):
    return {
        "decisions": decisions,
        "budget_ms": 50.0,
        "busy_processes": 0,
        "machine": "a processor",
        "device": {"device": "cpu", "precision": "fp32", "engine": "torch", "level": "balanced"},
        "decision_ms": {"p50": decision, "p95": 90.0},
        "stages_ms": {"search": {"p50": search_ms}, "decode": {"p50": 0.01}},
        "search": {"nodes": {"p50": 800.0}, "rollouts": {"p50": 1000.0}},
        "vision_ms": None,
        **changed,
    }


def test_what_became_slower_by_a_quarter_is_named_with_both_figures(tmp_path):
    assert compared(measured(), folder=tmp_path)["kept"]
    again = compared(measured(24.9, 15.1), folder=tmp_path)
    assert {"name": "search", "before_ms": 12.0, "now_ms": 15.1} in again["slower"]
    said = baseline_text(again)
    assert "12.00 ms then, 15.10 ms now" in said
    assert "--renew" in said
    assert "Nothing is slower" in baseline_text(compared(measured(21.0), folder=tmp_path))


def test_a_search_that_fills_its_time_is_slower_where_it_gets_less_far(tmp_path):
    compared(measured(), folder=tmp_path)
    less = compared(measured(search={"nodes": {"p50": 500.0}, "rollouts": {"p50": 600.0}}), folder=tmp_path)
    assert less["slower"] == [{"name": "1,000 rollouts of the search", "before_ms": 12.0, "now_ms": 20.0}]
    none = measured(search={"nodes": None, "rollouts": None})
    assert compared(none, folder=tmp_path)["slower"] == []


def test_a_renewed_measurement_is_what_later_ones_are_held_against(tmp_path):
    compared(measured(), folder=tmp_path)
    assert compared(measured(40.0), renew=True, folder=tmp_path)["kept"]
    assert compared(measured(41.0), folder=tmp_path)["slower"] == []


def test_each_way_of_deciding_has_figures_of_its_own(tmp_path):
    compared(measured(), folder=tmp_path)
    card = {"device": "cuda:0", "precision": "bf16", "engine": "torch", "level": "balanced"}
    assert compared(measured(90.0, device=card), folder=tmp_path)["kept"]
    assert compared(measured(90.0, busy_processes=3), folder=tmp_path)["kept"]
    assert len(JsonCache(tmp_path / FILE).read()) == 3


def test_a_handful_of_decisions_is_neither_kept_nor_compared(tmp_path):
    assert compared(measured(decisions=5), folder=tmp_path) is None
    assert "100 decisions" in baseline_text(None)
    assert not (tmp_path / FILE).exists()


def test_noise_of_tiny_figures_and_a_damaged_file_are_passed_over(tmp_path):
    (tmp_path / FILE).write_text("{ not json")
    assert compared(measured(), folder=tmp_path)["kept"]
    tiny = measured(stages_ms={"search": {"p50": 12.0}, "decode": {"p50": 0.05}})
    assert compared(tiny, folder=tmp_path)["slower"] == []
