"""docs/own_task.md as a new user follows it: the code is typed in, trains a model, and the model answers."""

import re
from pathlib import Path

import pytest
import torch

PAGE = Path(__file__).resolve().parent.parent / "docs" / "own_task.md"
TRAINING, ASKING = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)


def test_the_page_shows_the_example():
    assert (PAGE.parents[1] / "examples" / "sort.py").read_text("utf-8").endswith(TRAINING)


def test_the_training_is_at_most_twenty_lines():
    assert len([line for line in TRAINING.splitlines() if line.strip()]) <= 20


@pytest.mark.long
def test_what_the_page_trains_sorts_most_rows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    threads = torch.get_num_threads()
    try:
        exec(compile(TRAINING, "training", "exec"), {})
        space: dict = {}
        exec(compile(ASKING, "asking", "exec"), space)
        rows = torch.randint(1, 11, (200, 6), generator=torch.Generator().manual_seed(9))
        answers = space["reasoner"].think_batch(rows)
    finally:
        torch.set_num_threads(threads)
    right = sum(list(one.answer) == sorted(row.tolist()) for one, row in zip(answers, rows, strict=True))
    assert right > 120
