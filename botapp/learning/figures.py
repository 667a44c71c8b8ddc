"""The report on weights: figures as JSON, and pictures of them.

`python -m botapp.learning.figures --weights FILE --data DIR --out JSON --picture SVG` holds weights, with the
temperatures they carry, against the search on states they were not trained on. Next hop: the README.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from botapp.advisor.calibration import Calibration, at
from botapp.advisor.model import load_weights
from botapp.learning.fights import KINDS
from botapp.learning.grading import (
    REGRET_CAP,
    GradedAnswers,
    answer,
    auroc,
    calibration_error,
    ended,
    reliability,
)
from botapp.learning.samples import load
from hrm.reasoner import pick_device
from hrm.training.plot import Line, draw

THRESHOLDS = (0.5, 0.8, 0.9, 0.95)
THRESHOLD = 0.9
"""The app's own; see `botapp.advisor.advisor.Advisor`."""

_POINTS = 20


def report(answers: GradedAnswers, calibration: Calibration, kinds: Tensor) -> dict[str, Any]:
    """Returns all figures of some states as JSON takes them: by step, and with early exit.

    Args:
        answers: what the model says to M states.
        calibration: the temperatures to read it with.
        kinds: of the fights that the states are from, (M,) indices of `botapp.learning.fights.KINDS`.
    """
    regrets = answers.chosen_regrets()
    capped = regrets.clamp_max(REGRET_CAP)
    steps = answers.steps
    exits = {threshold: ended(answers, calibration, threshold) for threshold in THRESHOLDS}
    last = steps - 1
    shares, right = answers.best_shares(last, calibration)
    return {
        "states": len(answers),
        "epsilon": calibration.epsilon,
        "by_step": [_step(answers, calibration, step) for step in range(steps)],
        "early_exit": [
            {
                "threshold": threshold,
                "mean_steps": _mean(exit_ + 1),
                "regret": _mean(capped.gather(1, exit_[:, None])),
                "good": _mean(regrets.gather(1, exit_[:, None]) <= calibration.epsilon),
                "used": torch.bincount(exit_, minlength=steps).tolist(),
            }
            for threshold, exit_ in exits.items()
        ],
        "difficulty": _difficulty(answers, calibration, exits[THRESHOLD]),
        "by_kind": {
            name: {"states": int(of.sum()), "regret": _mean(capped[of, last]), "right": _mean(right[of])}
            for name, of in ((name, kinds == code) for code, name in enumerate(KINDS))
            if of.any()
        },
        "reliability": [
            {"share": round(b.share, 4), "confidence": round(b.confidence, 4), "right": round(b.right, 4)}
            for b in reliability(shares, right)
        ],
        "risk": {
            "by share": _risk(shares, capped[:, last], calibration.epsilon),
            "by halt": _risk(answers.halt[:, last], capped[:, last], calibration.epsilon),
        },
    }


def _step(answers: GradedAnswers, calibration: Calibration, step: int) -> dict[str, float]:
    regrets = answers.chosen_regrets()[:, step]
    good = regrets <= calibration.epsilon
    shares, right = answers.best_shares(step, calibration)
    halts = (answers.halt[:, step] / at(calibration.halt, step + 1)).sigmoid()
    values = calibration.expected(answers.values[:, step], step + 1)
    return {
        "step": step + 1,
        "regret": _mean(regrets.clamp_max(REGRET_CAP)),
        "right": _mean(right),
        "good": _mean(good),
        "confidence": _mean(shares),
        "ece": round(calibration_error(shares, right), 4),
        "halt_auroc": round(auroc(halts, good), 4),
        "halt_ece": round(calibration_error(halts, good.float()), 4),
        "halt_brier": _mean((halts - good.float()).square()),
        "value_mse": _mean((values - answers.outcomes).square()),
        "policy_temperature": round(at(calibration.policy, step + 1), 4),
        "halt_temperature": round(at(calibration.halt, step + 1), 4),
    }


def _difficulty(
    answers: GradedAnswers, calibration: Calibration, taken: Tensor
) -> dict[str, dict[str, float]]:
    """Returns the steps taken in the third of states where luck helps most, the middle one and the last."""
    luck = answers.luck(calibration.epsilon)
    order = luck.argsort(descending=True, stable=True)
    regrets = answers.chosen_regrets().gather(1, taken[:, None])[:, 0].clamp_max(REGRET_CAP)
    thirds = zip(("easy", "middling", "hard"), order.tensor_split(3), strict=True)
    return {
        name: {
            "luck": _mean(luck[rows]),
            "mean_steps": _mean(taken[rows] + 1),
            "regret": _mean(regrets[rows]),
        }
        for name, rows in thirds
    }


def _risk(sureness: Tensor, regrets: Tensor, epsilon: float) -> list[dict[str, float]]:
    """Returns what the surest answers cost, and how many of them cost more than epsilon, by their share."""
    order = sureness.argsort(descending=True, stable=True)
    found = []
    for point in range(1, _POINTS + 1):
        surest = regrets[order[: max(1, len(order) * point // _POINTS)]]
        found.append(
            {"coverage": point / _POINTS, "regret": _mean(surest), "not_good": _mean(surest > epsilon)}
        )
    return found


def _mean(values: Tensor) -> float:
    return round(float(values.float().mean()), 4)


def picture(figures: dict[str, Any], path: Path) -> None:
    """Draws regret by step, risk against coverage and reliability, as an SVG."""
    by_step = figures["by_step"]
    early: Line = ("early exit", [(e["mean_steps"], e["regret"]) for e in figures["early_exit"]])
    bins = figures["reliability"]
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(
        [
            ("regret (percent points of winning) by step", [_line(by_step, "regret"), early]),
            ("share right and confidence by step", [_line(by_step, "right"), _line(by_step, "confidence")]),
            ("regret of the surest answers, by their share of all", _risks(figures, "regret")),
            ("how many of them cost more than epsilon", _risks(figures, "not_good")),
            (
                "how often right, by confidence",
                [
                    ("measured", [(b["confidence"], b["right"]) for b in bins]),
                    ("honest", [(0.0, 0.0), (1.0, 1.0)]),
                ],
            ),
        ],
        path,
    )


def _risks(figures: dict[str, Any], what: str) -> list[Line]:
    return [
        (name, [(point["coverage"], point[what]) for point in points])
        for name, points in figures["risk"].items()
    ]


def _line(rows: list[dict[str, float]], key: str) -> Line:
    return key, [(row["step"], row[key]) for row in rows]


def main(arguments: list[str] | None = None) -> int:
    """Grades weights from the command line and prints the figures by step as JSON."""
    parser = argparse.ArgumentParser(prog="python -m botapp.learning.figures", description=main.__doc__)
    parser.add_argument("--weights", type=Path, default=None, help="the app's own if left out")
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="folders of shards")
    parser.add_argument("--held-out", type=float, default=1.0, help="share of the fights to grade on")
    parser.add_argument("--steps", type=int, default=None, help="ACT steps at most; the model's if left out")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--out", type=Path, default=None, help="JSON file for the figures")
    parser.add_argument("--picture", type=Path, default=None, help="SVG file for the curves")
    options = parser.parse_args(arguments)
    device = pick_device(options.device)
    try:
        model, calibration = load_weights(options.weights)
        samples = load(options.data).to(device)
        rows = samples.held(options.held_out)
    except ValueError as error:
        parser.error(str(error))
    answers = answer(model.to(device), samples, rows, options.steps or model.config.halt_max_steps)
    figures = report(answers, calibration, samples.kinds.cpu()[answers.rows])
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(figures, indent=1), encoding="utf-8")
    if options.picture:
        picture(figures, options.picture)
    print(json.dumps(figures["by_step"]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
