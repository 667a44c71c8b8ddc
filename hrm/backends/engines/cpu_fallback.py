"""Moves single operators from a card to the CPU where they fail on the card, and leaves the others there.

Operators that crashed a probe's check are known before anything runs, for a crash cannot be caught. One that
raises is found when it first does: the step is run again, operator by operator, and the CPU computes the one
that raises. Either way the operator then gets a kernel for the card that calls the CPU's. A graph cannot be
captured across such an operator. Before it: the torch engine calls its step through `Safe`;
`python -m hrm.backends.bench.measure safe` measures the cost.
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

CRASH_TESTS: Mapping[str, frozenset[str]] = {
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
"""The operators behind each crash test, as torch calls them."""

_KEYS = {"cuda": "CUDA", "privateuseone": "PrivateUse1", "xpu": "XPU"}


def known_bad(crashed: Iterable[str]) -> frozenset[str]:
    """Returns the operators to keep off a card on which these crash tests failed ("conv2d", ...)."""
    return frozenset().union(*(CRASH_TESTS.get(name, frozenset()) for name in crashed))


def crashed_here(device: str) -> frozenset[str]:
    """Returns the operators whose crash tests failed on a card when it was last probed; none if it never was.

    Args:
        device: as torch calls it.
    """
    try:
        checks = JsonCache.named(PROBE).read().get("checks", ())
        here = [check for check in checks if check["device"] == device and check["precision"] in ("", "fp32")]
        failed = [check["name"] for check in here if not check["ok"]]
    except (OSError, ValueError, KeyError, TypeError, ImportError):
        return frozenset()
    return known_bad(failed)


class Safe:
    """Calls a step of a model; what fails on the card is done by the CPU.

    The step must be a function of its arguments alone, for it is run again after a fault.

    Attributes:
        bad: operators that are kept off the card.
        fallbacks: by operator, how often the CPU stood in.
    """

    def __init__(self, step: Callable[..., Any], device: str, bad: Iterable[str] = ()) -> None:
        """Wraps a step.

        Args:
            step: what to call.
            device: the card, as torch calls it.
            bad: operators known to fail there, such as `known_bad` returns.
        """
        self._step = step
        self._kind = torch.device(device).type
        self._library: Library | None = None
        self.bad: frozenset[str] = frozenset()
        self.fallbacks: Counter[str] = Counter()
        self._keep_off(frozenset(bad))

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
            finder = Finder(self._kind, self.fallbacks)
            try:
                with finder:
                    found = self._step(*args, **kwargs)
            except RuntimeError:
                raise error from None
            names = ", ".join(sorted(finder.bad)) or "nothing, at the second try,"
            _log.warning("%s fails on %s (%s): the CPU does it", names, self._kind, error)
            self._keep_off(self.bad | finder.bad)
            return found

    def close(self) -> None:
        """Gives the card its own kernels back."""
        if self._library is not None:
            self._library._destroy()  # type: ignore[no-untyped-call]
            self._library = None
        self.bad = frozenset()

    def _keep_off(self, bad: frozenset[str]) -> None:
        key = _KEYS.get(self._kind)
        new = bad - self.bad
        self.bad = bad
        if key is None or not new:
            return
        if self._library is None:
            self._library = Library("aten", "IMPL")  # type: ignore[no-untyped-call]
        with warnings.catch_warnings():
            # torch warns of a kernel that replaces another one, as it is meant to here
            warnings.simplefilter("ignore")
            for overload in (overload for operator in sorted(new) for overload in _overloads(operator)):
                name = overload.name().removeprefix("aten::")
                self._library.impl(name, self._stand_in(overload), key)  # type: ignore[no-untyped-call]

    def _stand_in(self, operator: Any) -> Callable[..., Any]:
        def kernel(*args: Any, **kwargs: Any) -> Any:
            self.fallbacks[_name(operator)] += 1
            return on_host(operator, args, kwargs, self._kind)

        return kernel


class Finder(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Finds the operators that raise on a card, and has the CPU do them.

    Attributes:
        bad: those found.
    """

    def __init__(self, kind: str, fallbacks: Counter[str] | None = None) -> None:
        """Takes the type of the card's device and where to count."""
        super().__init__()  # type: ignore[no-untyped-call]
        self.bad: frozenset[str] = frozenset()
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
        if _name(func) not in self.bad:
            try:
                return func(*args, **kwargs)
            except RuntimeError as error:
                if isinstance(sort_error(error), OutOfMemoryError) or func.is_view:
                    raise
                if _card(args, kwargs, self._kind) is None:
                    raise
        found = on_host(func, args, kwargs, self._kind)
        self.bad |= {_name(func)}
        self._fallbacks[_name(func)] += 1
        return found


def on_host(operator: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], kind: str) -> Any:
    """Runs an operator on the CPU with what was on a card, and brings back what it made or changed.

    Args:
        operator: an overload of torch's.
        args, kwargs: what it was called with.
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
        found = operator(*here_args, **here_kwargs)
        for own in _written(operator, args, kwargs):
            if id(own) in copies:
                own.copy_(copies[id(own)][1])
        return tree_map(back, found)


def _written(operator: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Tensor]:
    """Returns the tensors among the arguments that the operator's schema says it writes to."""
    found: list[Tensor] = []
    for place, argument in enumerate(operator._schema.arguments):
        if argument.alias_info is not None and argument.alias_info.is_write:
            value = args[place] if place < len(args) else kwargs.get(argument.name)
            found += [leaf for leaf in tree_leaves(value) if isinstance(leaf, Tensor)]
    return found


def _card(args: tuple[Any, ...], kwargs: Mapping[str, Any], kind: str) -> torch.device | None:
    """Returns the device of the first tensor that is on a card."""
    for leaf in tree_leaves((args, dict(kwargs))):
        if isinstance(leaf, Tensor) and leaf.device.type == kind:
            return leaf.device
    return None


def _name(operator: Any) -> str:
    """Returns an operator's name without that of its overload, such as aten::mm."""
    name: str = operator._schema.name
    return name


def _overloads(operator: str) -> list[Any]:
    packet = getattr(torch.ops.aten, operator.removeprefix("aten::"), None)
    return [] if packet is None else [getattr(packet, name) for name in packet.overloads()]
