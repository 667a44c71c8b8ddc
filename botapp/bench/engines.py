"""`botapp bench engines`: every engine and precision on the models that come with the app, in one run.

The advisor's model thinks about states out of real fights, the sudoku model about hard puzzles, both with
their trained weights; a fresh model of the reference's size is there for its size. What is found best on
the CPU for the advisor is remembered for the next start.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from botapp.advisor.course import PRICE
from botapp.advisor.deliberating import SLICES
from botapp.advisor.embedding import Embedding
from botapp.advisor.evidence import Deliberated
from botapp.advisor.network import answer_of
from botapp.advisor.own_weights import DEFAULT_WEIGHTS
from botapp.advisor.search_stage import search_state
from botapp.advisor.thinker import load_thinker
from botapp.bench.decisions import states
from botapp.host.message import counted
from botapp.host.translation import Language, Translator
from hrm.act import Outputs
from hrm.backends.bench import benchmark, chart
from hrm.backends.bench.candidates import candidates
from hrm.backends.bench.tuning import remember
from hrm.backends.bench.workloads import Workload, reference, sudoku

MODELS = ("advisor-lite", "sudoku", "reference")
TOKENS = 64  # Of the model of the reference's size
STATE_TOKENS = 32
_SLICE_ACTIONS = 12
_SUDOKU = DEFAULT_WEIGHTS.with_name("sudoku.safetensors")


def advisor(count: int = 6, steps: int = 3) -> Workload:
    """Takes the advisor's model and states of one size out of fights between greedy players."""
    model, _ = load_thinker()
    embedding = Embedding(model)
    inputs, counts = [], []
    for state in states(50 * count):
        searched = search_state(state)
        if len(searched.candidates) < 2:
            continue
        matter = Deliberated(searched, SLICES, _SLICE_ACTIONS, PRICE)
        tokens, mask = embedding.tokens(matter.facts)
        x = embedding.with_evidence(tokens, matter.read())
        if x.shape[1] == STATE_TOKENS:
            inputs.append((x, mask))
            counts.append(len(matter.shown))
        if len(inputs) == count:
            break

    def read(outputs: Outputs, index: int) -> torch.Tensor:
        return answer_of(outputs, counts[index]).looks.argmax(-1)

    return Workload("advisor-lite", model.stepper(), tuple(inputs), read, steps, trained=True)


def measure(
    models: Sequence[str] = MODELS,
    rounds: int = 12,
    picture: Path | None = None,
    progress: Callable[[str], None] | None = None,
    language: Language = "en",
) -> tuple[dict[str, Any], str]:
    """Measures every engine on the models; returns the answer as values and in lines for a terminal.

    Args:
        models: which of `MODELS`.
        rounds: turns that each engine gets on each model.
        picture: where to draw the result, None for nowhere.
        language: of the lines around the tables, which are in English.

    Raises:
        ValueError: there is no such model.
    """
    tr = Translator(language)
    makers: dict[str, Callable[[], Workload]] = {
        "advisor-lite": advisor,
        "sudoku": lambda: sudoku(_SUDOKU),
        "reference": lambda: reference(TOKENS),
    }
    unknown = [name for name in models if name not in makers]
    if unknown:
        raise ValueError(f"there is no model {unknown[0]!r}; choose of {', '.join(makers)}")
    ways = candidates()
    results = []
    choice = None
    for name in models:
        workload = makers[name]()
        results.append(benchmark.measure(workload, ways, rounds, progress=progress))
        if name == "advisor-lite":
            choice = remember(workload.stepper.core.config, results[-1])
    words = benchmark.text(results)
    if choice is not None:
        words += "\n" + tr(
            counted(
                choice.threads or 1,
                "The app thinks on the CPU with {engine} in {precision}, on {threads} core.",
                "The app thinks on the CPU with {engine} in {precision}, on {threads} cores.",
                engine=choice.engine,
                precision=choice.precision,
                threads=choice.threads,
            )
        )
    if picture is not None:
        chart.draw(results, picture)
        words += "\n" + tr("Drawn in {file}.", file=picture)
    return {"results": [result.to_json() for result in results]}, words
