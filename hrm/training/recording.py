"""One ACT step, forwards and backwards, captured once in a CUDA graph and replayed.

Launching its thousand kernels one by one takes the CPU about as long as the card needs to run them; a replay
is one launch, so that a busy CPU does not slow it down. Captured tensors keep their addresses: batches and
progress are copied in, and gradients, progress and metrics are overwritten each time.
Used by `hrm.training.puzzles`.
"""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from hrm.model import Carry
from hrm.training.act import ActStep, ActTrainer, Batch, Progress

WARM_UPS = 3  # Runs before recording: the first one compiles, and libraries choose their kernels


class Recording:
    """A training step on tensors of fixed addresses.

    Args:
        trainer: takes the step; it must be in training mode.
        batch: a first batch, copied: later ones must have its shapes.
    """

    def __init__(self, trainer: ActTrainer, progress: Progress, batch: Batch) -> None:
        self.trainer = trainer
        self._batch = {key: rows.clone() for key, rows in batch.items()}
        self._progress = _copied(progress)
        self._run: Callable[[], object]
        self._record()
        self._copy_in(progress)

    def step(self, progress: Progress, batch: Batch) -> tuple[Tensor, Mapping[str, Tensor], Progress]:
        """Takes one step; afterwards the parameters' `grad` hold the gradients of the mean loss over rows.

        Args:
            progress: what the last call returned, or another progress, which is copied.

        Returns:
            The mean loss, the metrics and the progress, all overwritten by the next call.
        """
        for key, rows in batch.items():
            self._batch[key].copy_(rows, non_blocking=True)
        if progress is not self._progress:
            self._copy_in(progress)
        self._run()
        for parameter, gradient in self._gradients:
            parameter.grad = gradient
        if self._used is not None:
            self.trainer.model.puzzle_emb.used = self._used
        return self._loss, self._metrics, self._progress

    def _record(self) -> None:
        if not self._batch["inputs"].is_cuda:
            self._run = self._run_eagerly
            return
        with torch.cuda.device(self._batch["inputs"].device):
            beside = torch.cuda.Stream(self._batch["inputs"].device)
            beside.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(beside):
                for _ in range(WARM_UPS):
                    self._clear_gradients()
                    self._work()
            torch.cuda.current_stream().wait_stream(beside)
            self._clear_gradients()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, stream=beside):
                self._work()
        self._run = graph.replay
        self._note_gradients()

    def _work(self) -> None:
        taken: ActStep = self.trainer(self._progress, self._batch)
        loss = taken.loss / len(self._batch["inputs"])
        loss.backward()
        self._loss = loss.detach()
        self._metrics = taken.metrics
        self._copy_in(taken.progress)

    def _run_eagerly(self) -> None:
        self._clear_gradients()
        self._work()
        self._note_gradients()

    def _clear_gradients(self) -> None:
        """Drops all gradients, so that the next backward pass writes new ones instead of adding."""
        self.trainer.zero_grad(set_to_none=True)

    def _note_gradients(self) -> None:
        """Keeps references to the gradients, since an optimiser may set `grad` to None."""
        model = self.trainer.model
        self._gradients = [(weight, weight.grad) for weight in model.parameters() if weight.grad is not None]
        self._used = model.puzzle_emb.used if model.config.puzzle_emb_ndim else None

    @torch.no_grad()
    def _copy_in(self, progress: Progress) -> None:
        for place, value in zip(_parts(self._progress), _parts(progress), strict=True):
            place.copy_(value)


def _copied(progress: Progress) -> Progress:
    carry = Carry(*(rows.clone() for rows in progress.carry))
    data = {key: rows.clone() for key, rows in progress.data.items()}
    return Progress(carry, progress.steps.clone(), progress.halted.clone(), data)


def _parts(progress: Progress) -> list[Tensor]:
    data = (progress.data[key] for key in sorted(progress.data))
    return [*progress.carry, progress.steps, progress.halted, *data]
