"""A fake card whose matrix products fail, with `CpuFallbackStep` run on it, as a program that prints JSON.

torch lets Python play a device (PrivateUse1). It stays one for the rest of the process, hence the child.
"""

import json
from collections import Counter
from typing import Any

import torch
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

from hrm.backends.engines.cpu_fallback import CpuFallbackStep, operators_of_checks

KEY, CARD = "PrivateUse1", "privateuseone"
done_on_card: Counter[str] = Counter()


class OnCard(torch.Tensor):
    """A tensor of the card; `held` is what its memory holds."""

    @staticmethod
    def __new__(cls, held: torch.Tensor) -> "OnCard":
        made = torch._C._acc.create_empty_tensor(held.shape, held.dtype)
        made.__class__ = cls
        made.held = held
        return made

    def __init__(self, held: torch.Tensor) -> None:
        pass


def held(value: Any) -> Any:
    return value.held if isinstance(value, OnCard) else value


def kernel(name: str, compute: Any) -> None:
    def run(*args: Any, **kwargs: Any) -> OnCard:
        done_on_card[name] += 1
        return OnCard(compute(*map(held, args), **kwargs))

    library.impl(name, run, KEY)


def to_copy(x: Any, *, dtype: Any = None, device: Any = None, **_: Any) -> Any:
    copied = held(x).detach().clone()
    return copied if device is not None and torch.device(device).type == "cpu" else OnCard(copied)


def copy_in(target: Any, source: Any, non_blocking: bool = False) -> Any:
    held(target).copy_(held(source))
    return target


def fails(*_: Any, **__: Any) -> Any:
    raise RuntimeError("HIP error: invalid device function")


def out_of_memory(*_: Any, **__: Any) -> Any:
    raise torch.OutOfMemoryError("HIP out of memory")


_setup_privateuseone_for_python_backend()
library = torch.library.Library("aten", "IMPL")
library.impl("_to_copy", to_copy, KEY)
library.impl("copy_", copy_in, KEY)
library.impl("mm", fails, KEY)
library.impl("add_.Tensor", fails, KEY)
library.impl("sigmoid", out_of_memory, KEY)
kernel("add.Tensor", lambda a, b, alpha=1: a + alpha * b)
kernel("relu", torch.relu)


def to_card(x: torch.Tensor) -> OnCard:
    return OnCard(x.clone())


def main() -> None:
    a, b = torch.randn(3, 3), torch.randn(3, 3)

    def step(x: Any, y: Any) -> Any:
        return torch.relu(torch.mm(x, y) + y)

    with torch.no_grad():
        expected = torch.relu(a @ b + b)
        safe = CpuFallbackStep(step, CARD)
        found = {"right": [], "on_card": [], "fallbacks": []}
        for _ in range(3):
            answer = safe(to_card(a), to_card(b))
            found["right"].append(isinstance(answer, OnCard) and torch.equal(answer.held, expected))
            found["fallbacks"].append(safe.fallbacks["aten::mm"])
        found["bad"] = sorted(safe.failing)
        found["on_card"] = dict(done_on_card)
        changed = to_card(a)
        written = CpuFallbackStep(lambda x, y: x.add_(y), CARD)
        written(changed, to_card(b))
        found["written"] = torch.equal(changed.held, a + b)
        written.close()
        safe.close()
        try:
            step(to_card(a), to_card(b))
        except RuntimeError as error:
            found["after_close"] = str(error)
        known = CpuFallbackStep(step, CARD, operators_of_checks(["matmul"]))
        found["known"] = torch.equal(known(to_card(a), to_card(b)).held, expected)
        found["known_fallbacks"] = dict(known.fallbacks)
        try:
            CpuFallbackStep(torch.sigmoid, CARD)(to_card(a))
        except RuntimeError as error:
            found["memory"] = str(error)
        known.close()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
