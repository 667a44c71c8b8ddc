"""Runs single operators on the CPU where they fail on the card; all others stay on the card.

Operators that failed in a probe's check are taken from its report, since a crash cannot be caught. One that
raises is detected when it first does: the step is run again, operator by operator, and the CPU computes the
one that raises. In both cases the operator then gets a kernel for the card that calls the CPU's. A graph
cannot be captured across such an operator.
"""

import logging
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.library import Library
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes
from torch.utils._pytree import tree_leaves, tree_map

from hrm.backends.errors import OutOfMemoryError, sort_error
from hrm.backends.json_cache import PROBE, JsonCache

_log = logging.getLogger(__name__)

CHECKED_OPERATORS: Mapping[str, frozenset[str]] = {
    "conv2d": frozenset({"aten::convolution", "aten::_convolution", "aten::miopen_convolution"}),
    "matmul": frozenset({"aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm"}),
    "attention": frozenset(
        {
            "aten::_scaled_dot_product_flash_attention",
            "aten::_scaled_dot_product_efficient_attention",
            "aten::_scaled_dot_product_attention_math",
        }
    ),
}
"""The operators that each of the probe's checks exercises, as torch calls them."""

_KEYS = {"cuda": "CUDA", "privateuseone": "PrivateUse1", "xpu": "XPU"}


def operators_of_checks(crashed: Iterable[str]) -> frozenset[str]:
    """Returns the operators not to run on a card on which these checks failed ("conv2d", ...)."""
    return frozenset().union(*(CHECKED_OPERATORS.get(name, frozenset()) for name in crashed))


def failed_operators(device: str) -> frozenset[str]:
    """Returns the operators whose checks failed on a card when it was last probed; none if it never was."""
    try:
        checks = JsonCache.named(PROBE).read().get("checks", ())
        here = [check for check in checks if check["device"] == device and check["precision"] in ("", "fp32")]
        failed = [check["name"] for check in here if not check["ok"]]
    except (OSError, ValueError, KeyError, TypeError, ImportError):
        return frozenset()
    return operators_of_checks(failed)


class CpuFallbackStep:
    """Calls a step of a model; operators that fail on the card run on the CPU.

    The step must be a function of its arguments alone, for it is called again after an error.

    Attributes:
        failing: operators that are kept off the card.
        fallbacks: by operator, how often it ran on the CPU.
    """

    def __init__(self, step: Callable[..., Any], device: str, failing: Iterable[str] = ()) -> None:
        """Wraps a step.

        Args:
            failing: operators known to fail there, such as `operators_of_checks` returns.
        """
        self._step = step
        self._kind = torch.device(device).type
        self._library: Library | None = None
        self.failing: frozenset[str] = frozenset()
        self.fallbacks: Counter[str] = Counter()
        self._route_to_cpu(frozenset(failing))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the step.

        Raises:
            RuntimeError: it fails for another reason than one operator's, or the card is out of memory.
        """
        try:
            return self._step(*args, **kwargs)
        except RuntimeError as error:
            if isinstance(sort_error(error), OutOfMemoryError):
                raise
            finder = FailingOperatorFinder(self._kind, self.fallbacks)
            try:
                with finder:
                    result = self._step(*args, **kwargs)
            except RuntimeError:
                raise error from None
            names = ", ".join(sorted(finder.failing)) or "nothing, at the second try,"
            _log.warning("%s fails on %s (%s): it runs on the CPU", names, self._kind, error)
            self._route_to_cpu(self.failing | finder.failing)
            return result

    def close(self) -> None:
        if self._library is not None:
            self._library._destroy()
            self._library = None
        self.failing = frozenset()

    def _route_to_cpu(self, failing: frozenset[str]) -> None:
        key = _KEYS.get(self._kind)
        new = failing - self.failing
        self.failing = failing
        if key is None or not new:
            return
        if self._library is None:
            self._library = Library("aten", "IMPL")
        with warnings.catch_warnings():
            # torch warns of a kernel that replaces another one, as it is meant to here
            warnings.simplefilter("ignore")
            for overload in (overload for operator in sorted(new) for overload in _overloads(operator)):
                name = overload.name().removeprefix("aten::")
                self._library.impl(name, self._cpu_kernel(overload), key)

    def _cpu_kernel(self, operator: Any) -> Callable[..., Any]:
        def kernel(*args: Any, **kwargs: Any) -> Any:
            self.fallbacks[_name(operator)] += 1
            return run_on_cpu(operator, args, kwargs, self._kind)

        return kernel


class FailingOperatorFinder(TorchDispatchMode):
    """Finds the operators that raise on a card, and runs them on the CPU."""

    def __init__(self, kind: str, fallbacks: Counter[str] | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.failing: frozenset[str] = frozenset()
        self._kind = kind
        self._fallbacks = Counter() if fallbacks is None else fallbacks

    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        kwargs = dict(kwargs or {})
        if _name(func) not in self.failing:
            try:
                return func(*args, **kwargs)
            except RuntimeError as error:
                if isinstance(sort_error(error), OutOfMemoryError) or func.is_view:
                    raise
                if _card(args, kwargs, self._kind) is None:
                    raise
        result = run_on_cpu(func, args, kwargs, self._kind)
        self.failing |= {_name(func)}
        self._fallbacks[_name(func)] += 1
        return result


def run_on_cpu(operator: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], kind: str) -> Any:
    """Runs an operator on the CPU with what was on a card, and copies its results and in-place changes back.

    Args:
        kind: the type of the card's device, such as "cuda".
    """
    card = _card(args, kwargs, kind)
    copies: dict[int, tuple[Tensor, Tensor]] = {}

    def to_host(value: Any) -> Any:
        if isinstance(value, Tensor) and value.device.type == kind:
            if id(value) not in copies:
                copies[id(value)] = (value, value.to("cpu"))
            return copies[id(value)][1]
        return torch.device("cpu") if isinstance(value, torch.device) else value

    def back(value: Any) -> Any:
        if not isinstance(value, Tensor):
            return value
        for own, copied in copies.values():
            if value is copied:
                return own
        return value if card is None else value.to(card)

    with _disable_current_modes(), torch.no_grad():
        here_args, here_kwargs = tree_map(to_host, args), tree_map(to_host, dict(kwargs))
        result = operator(*here_args, **here_kwargs)
        for own in _written(operator, args, kwargs):
            if id(own) in copies:
                own.copy_(copies[id(own)][1])
        return tree_map(back, result)


def _written(operator: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Tensor]:
    """Returns the tensors among the arguments that the operator's schema says it writes to."""
    tensors: list[Tensor] = []
    for place, argument in enumerate(operator._schema.arguments):
        if argument.alias_info is not None and argument.alias_info.is_write:
            value = args[place] if place < len(args) else kwargs.get(argument.name)
            tensors += [leaf for leaf in tree_leaves(value) if isinstance(leaf, Tensor)]
    return tensors


def _card(args: tuple[Any, ...], kwargs: Mapping[str, Any], kind: str) -> torch.device | None:
    for leaf in tree_leaves((args, dict(kwargs))):
        if isinstance(leaf, Tensor) and leaf.device.type == kind:
            return leaf.device
    return None


def _name(operator: Any) -> str:
    """Returns an operator's name without that of its overload, such as aten::mm."""
    return str(operator._schema.name)


def _overloads(operator: str) -> list[Any]:
    packet = getattr(torch.ops.aten, operator.removeprefix("aten::"), None)
    return [] if packet is None else [getattr(packet, name) for name in packet.overloads()]
