"""The fallback ladder as pure logic: after a fault of one device plan, the next plan to use.

Nothing here touches a device, a process or a clock; a `Ladder` is a value that can be pickled and compared.
The worker's watchdog makes a `Fault`, calls `Ladder.after`, and starts the next worker with
`Ladder.current`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hrm.backends.architectures import half_precision
from hrm.backends.faults import Fault, FaultKind
from hrm.backends.placement import BackendInfo, DevicePlan
from hrm.backends.probing.proof import working
from hrm.message import Message, mark, say

_CONSERVATIVE: dict[str, Any] = {"precision": "fp32", "attention": "math", "level": "conservative"}


@dataclass(frozen=True, slots=True)
class Ladder:
    """The current device plan, the plans that failed before, and those left to try."""

    asked: DevicePlan
    current: DevicePlan  # Where to run now; its `reason` says what failed before
    options: tuple[DevicePlan, ...]  # Every other device plan there is, best first; `after` takes from them
    history: tuple[tuple[DevicePlan, Fault], ...] = ()  # What failed, oldest first, each with its fault

    @classmethod
    def of(cls, device_plan: DevicePlan, backends: Sequence[BackendInfo] | None = None) -> "Ladder":
        """Makes the ladder below a device plan.

        Args:
            device_plan: where the model is to run.
            backends: what works on this computer; None for those of
                `hrm.backends.probing.choosing.backends_and_proof`.
        """
        if backends is None:
            from hrm.backends.probing.choosing import backends_and_proof  # noqa: PLC0415 (it loads torch)

            backends = working(*backends_and_proof())
        return cls(device_plan, device_plan, tuple(_options(device_plan, backends)))

    def after(self, fault: Fault) -> "Ladder | None":
        """Returns the ladder with the next thing to try as its `current`, or None where nothing is left."""
        history = (*self.history, (self.current, fault))
        tried = {_identity(device_plan) for device_plan, _ in history}
        for option in (*_cheaper(self.current, fault), replace(self.current, **_CONSERVATIVE), *self.options):
            if _identity(option) not in tried and not _would_fail(option, history):
                return replace(
                    self, current=replace(option, reason=_reason(history, option)), history=history
                )
        return None


def _options(device_plan: DevicePlan, backends: Sequence[BackendInfo]) -> Iterator[DevicePlan]:
    """Yields the other device plans: other GPUs, then ONNX Runtime and torch on the CPU."""
    usable = {info.name: info for info in backends if info.usable}
    for name in ("rocm", "cuda", "directml"):
        info = usable.get(name)
        for device in info.devices if info is not None else ():
            if (name, device.name) != (device_plan.backend, device_plan.device):
                yield replace(
                    device_plan,
                    backend=name,
                    device=device.name,
                    engine="onnx" if name == "directml" else "torch",
                    **_CONSERVATIVE,
                )
    for engine in ("onnx", "torch"):
        yield replace(device_plan, backend="cpu", device="cpu", engine=engine, **_CONSERVATIVE)


def _cheaper(device_plan: DevicePlan, fault: Fault) -> Iterator[DevicePlan]:
    """Yields what takes less memory on the same device: half the batch, then a lower precision."""
    if fault.kind != "out-of-memory":
        return
    batch = device_plan.batch
    while batch > 1:
        batch //= 2
        yield replace(device_plan, batch=batch)
    if device_plan.precision == "fp32":
        lower = "int8" if device_plan.backend == "cpu" else half_precision(device_plan.architecture)
        if device_plan.backend == "directml":
            lower = "fp16"
        yield replace(device_plan, precision=lower)


def _would_fail(option: DevicePlan, history: Sequence[tuple[DevicePlan, Fault]]) -> bool:
    """Whether an earlier failure implies that an option would fail too."""
    for failed, fault in history:
        same_device = (option.engine, option.backend, option.device) == (
            failed.engine,
            failed.backend,
            failed.device,
        )
        if fault.kind == "library" and (option.engine, option.backend) == (failed.engine, failed.backend):
            return True
        if fault.kind == "out-of-memory" and same_device and _bytes(option) >= _bytes(failed):
            return True
        if same_device and _is_conservative(failed) and fault.kind in ("crash", "hang", "error"):
            return True
        if same_device and fault.kind == "precision" and option.precision == failed.precision:
            return _is_conservative(failed) or not _is_conservative(option)
    return False


def _is_conservative(device_plan: DevicePlan) -> bool:
    return (device_plan.precision, device_plan.attention, device_plan.level) == (
        "fp32",
        "math",
        "conservative",
    )


def _bytes(device_plan: DevicePlan) -> tuple[int, int]:
    width = {"fp32": 4, "bf16": 2, "fp16": 2, "int8": 1}[device_plan.precision]
    return device_plan.batch * width, width


def _identity(device_plan: DevicePlan) -> tuple[object, ...]:
    """Returns the fields that distinguish two device plans, without the texts."""
    return (
        device_plan.engine,
        device_plan.backend,
        device_plan.device,
        device_plan.precision,
        device_plan.batch,
        device_plan.attention,
        device_plan.level,
    )


_BARE: dict[FaultKind, str] = {
    "crash": mark("{place} crashed"),
    "hang": mark("{place} hung"),
    "out-of-memory": mark("{place} ran out of memory"),
    "precision": mark("{place} gave wrong numbers"),
    "library": mark("{place} could not be loaded"),
    "error": mark("{place} failed"),
}
_DETAILED: dict[FaultKind, str] = {
    "crash": mark("{place} crashed ({detail})"),
    "hang": mark("{place} hung ({detail})"),
    "out-of-memory": mark("{place} ran out of memory ({detail})"),
    "precision": mark("{place} gave wrong numbers ({detail})"),
    "library": mark("{place} could not be loaded ({detail})"),
    "error": mark("{place} failed ({detail})"),
}


def _reason(history: Sequence[tuple[DevicePlan, Fault]], now: DevicePlan) -> Message:
    first, *rest = (_failed(device_plan, fault) for device_plan, fault in history)
    story = first
    for more in rest:
        story = say("{story}; then {more}", story=story, more=more)
    return say("{story}; now {place}", story=story, place=_named(now))


def _failed(device_plan: DevicePlan, fault: Fault) -> Message:
    place = _named(device_plan)
    if fault.detail:
        return Message(_DETAILED[fault.kind], {"place": place, "detail": fault.detail})
    return Message(_BARE[fault.kind], {"place": place})


def _named(device_plan: DevicePlan) -> Message:
    place = say("{device} in {precision}", device=device_plan.device, precision=device_plan.precision)
    if device_plan.engine == "onnx":
        place = say("ONNX Runtime on {place}", place=place)
    return (
        say("{place}, batch {count}", place=place, count=device_plan.batch)
        if device_plan.batch > 1
        else place
    )
