"""Several processes training one model, as `torchrun` starts them.

The backend is NCCL where the cards are NVIDIA's, RCCL (which torch calls nccl) where they are AMD's, and Gloo
on CPUs, on Windows, or where the first will not start; the reason is recorded, to be printed.
"""

import gc
import importlib
import os
import sys
from dataclasses import dataclass
from datetime import timedelta

import torch
import torch.distributed as dist
from torch import Tensor

from hrm.reasoner import pick_device

_TIMEOUT = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class World:
    """The processes that train together, from the point of view of one of them.

    Attributes:
        rank, size: which it is, of how many.
        backend: "none", "nccl", "rccl" or "gloo".
    """

    device: torch.device
    rank: int = 0
    size: int = 1
    backend: str = "none"
    reason: str = "a single process"

    @property
    def is_leader(self) -> bool:
        return self.rank == 0

    def share(self, rows: int) -> slice:
        """The rows of a global batch that are this process's.

        Raises:
            ValueError: the batch cannot be divided evenly.
        """
        if rows % self.size:
            raise ValueError(
                f"a batch of {rows} cannot be divided among {self.size} processes; take a multiple"
            )
        each = rows // self.size
        return slice(self.rank * each, (self.rank + 1) * each)

    def gather(self, rows: Tensor) -> Tensor:
        """Puts the rows of all processes together, in the order of their ranks, on every one."""
        if self.size == 1:
            return rows
        sent = rows.to(torch.uint8) if rows.dtype == torch.bool else rows
        sent = (sent.cpu() if self.backend == "gloo" else sent).contiguous()
        parts = [torch.empty_like(sent) for _ in range(self.size)]
        dist.all_gather(parts, sent)
        return torch.cat(parts).to(device=rows.device, dtype=rows.dtype)

    def total(self, values: dict[str, float]) -> dict[str, float]:
        """Sums each value over all processes."""
        if self.size == 1:
            return values
        where = "cpu" if self.backend == "gloo" else self.device
        keys = sorted(values)
        sums = torch.tensor([values[key] for key in keys], dtype=torch.float64, device=where)
        dist.all_reduce(sums)
        return dict(zip(keys, sums.tolist(), strict=True))

    def wait_for_all(self) -> None:
        """Waits for all processes: one that exits early can crash Gloo's threads in another."""
        if dist.is_initialized():
            dist.barrier()

    def close(self) -> None:
        """Leaves the group, and has its threads end; a model that trained in it is to be out of use by then.

        A thread of Gloo that is about its last work while Python ends takes the process with it (SIGABRT).
        """
        if dist.is_initialized():
            gc.collect()  # a model that was wrapped for the group holds it, and itself
            dist.destroy_process_group()


def connect(device: str = "auto") -> World:
    """Joins the processes that `torchrun` started, or none where it did not.

    Raises:
        ValueError: the device cannot be used.
        RuntimeError: no backend starts.
    """
    if "RANK" not in os.environ or "WORLD_SIZE" not in os.environ:
        return World(pick_device(device))
    rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    where = pick_device(device)
    if where.type == "cuda" and where.index is None:
        where = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")) % torch.cuda.device_count())
    if where.type == "cuda":
        torch.cuda.set_device(where)
    backend, reason = choose_backend(where)
    if backend != "gloo":
        try:
            _start("nccl", where)
        except (RuntimeError, ValueError) as error:
            backend, reason = "gloo", f"{backend} would not start: {str(error).splitlines()[0]}"
            if dist.is_initialized():
                dist.destroy_process_group()
    if backend == "gloo":
        _start("gloo", torch.device("cpu"))
    return World(where, rank, size, backend, reason)


def choose_backend(
    device: torch.device, platform: str = sys.platform, hip: str | None = None
) -> tuple[str, str]:
    """Picks the backend that exchanges gradients between processes, with the reason.

    Args:
        platform: as `sys.platform` gives it.
        hip: the ROCm version torch was built for, where it was.
    """
    hip = hip or torch.version.hip
    if device.type != "cuda":
        return "gloo", f"the device is {device.type}"
    if platform == "win32":
        return "gloo", "Windows has neither NCCL nor RCCL"
    if not dist.is_nccl_available():
        return "gloo", "this torch was built without NCCL"
    return ("rccl", f"AMD cards, ROCm {hip}") if hip else ("nccl", f"NVIDIA cards, CUDA {torch.version.cuda}")


def _start(backend: str, device: torch.device) -> None:
    """Joins the group.

    Wrapping a model loads `torch._dynamo`; loaded while there is a group, it would keep that.
    """
    importlib.import_module("torch._dynamo")
    dist.init_process_group(backend, timeout=_TIMEOUT)
    dist.all_reduce(torch.zeros(1, device=device))
