"""The fallback ladder as pure logic: given a fault where the model runs now, where it runs next.

Nothing here touches a device, a process or a clock; a `Ladder` is a value that can be pickled and compared.
Whoever watches the worker turns what it saw into a `Fault`, asks `Ladder.after`, and starts the next worker
with `Ladder.current`. Before it: `hrm.backends.probing.choosing` chose. Next hop: `hrm.backends.engines.torch_engine.open_engine`.
"""

import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from hrm.backends.architectures import half_precision
from hrm.backends.errors import (
    BackendError,
    NotAvailableError,
    OutOfMemoryError,
    PrecisionError,
    sort_error,
)
from hrm.backends.placement import BackendInfo, Choice
from hrm.backends.probing.proof import working

FaultKind = Literal["crash", "hang", "out-of-memory", "precision", "library", "error"]

_WORDS: dict[FaultKind, str] = {
    "crash": "crashed",
    "hang": "hung",
    "out-of-memory": "ran out of memory",
    "precision": "gave wrong numbers",
    "library": "could not be loaded",
    "error": "failed",
}
_SIGKILL = 9
_SAFE: dict[str, Any] = {"precision": "fp32", "attention": "math", "level": "conservative"}
_NT_STATUS = {
    0xC0000005: ("access violation", "crash"),
    0xC0000017: ("no memory", "out-of-memory"),
    0xC000001D: ("illegal instruction", "crash"),
    0xC0000094: ("division by zero", "crash"),
    0xC00000FD: ("stack overflow", "crash"),
    0xC0000135: ("a DLL was not found", "library"),
    0xC0000142: ("a DLL would not start", "library"),
    0xC0000374: ("heap corruption", "crash"),
    0xC0000409: ("stack buffer overrun", "crash"),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong where the model ran; `detail` is for the log, in words."""

    kind: FaultKind
    detail: str = ""

    def __str__(self) -> str:
        return f"{_WORDS[self.kind]} ({self.detail})" if self.detail else _WORDS[self.kind]


def describe_exit(returncode: int) -> str:
    """Says how a process ended: the signal's name and number, Windows' status, or the exit code."""
    if returncode < 0:
        try:
            return f"{signal.Signals(-returncode).name} ({-returncode})"
        except ValueError:
            return f"signal {-returncode}"
    if returncode >= 0xC0000000:
        return f"0x{returncode:08X}, {_NT_STATUS.get(returncode, ('an unknown status', ''))[0]}"
    return f"exit code {returncode}"


def fault_of_exit(returncode: int) -> Fault:
    """Tells what a dead process's exit code means; a SIGKILL is taken for the system's OOM killer."""
    detail = describe_exit(returncode)
    if returncode == -_SIGKILL:
        return Fault("out-of-memory", f"{detail}, as the system ends a process for want of memory")
    kind: FaultKind = "crash" if returncode < 0 or returncode >= 0xC0000000 else "error"
    if _NT_STATUS.get(returncode, ("", ""))[1] in ("library", "out-of-memory"):
        kind = "library" if _NT_STATUS[returncode][1] == "library" else "out-of-memory"
    return Fault(kind, detail)


def fault_of_error(error: BaseException) -> Fault:
    """Tells what an exception means; see `hrm.backends.errors.sort_error`."""
    sorted_error: BackendError = sort_error(error)
    kinds: tuple[tuple[type[BackendError], FaultKind], ...] = (
        (OutOfMemoryError, "out-of-memory"),
        (PrecisionError, "precision"),
        (NotAvailableError, "library"),
    )
    kind: FaultKind = next((kind for sort, kind in kinds if isinstance(sorted_error, sort)), "error")
    return Fault(kind, sorted_error.what)


@dataclass(frozen=True, slots=True)
class Ladder:
    """Where the model runs, what failed before, and what is left to try.

    Attributes:
        asked: the first rung: what was chosen before anything failed.
        current: where to run now; its `reason` tells the whole story.
        options: every other place there is, best first; `after` works out of them.
        history: what failed, oldest first, each with its fault.
    """

    asked: Choice
    current: Choice
    options: tuple[Choice, ...]
    history: tuple[tuple[Choice, Fault], ...] = ()

    @classmethod
    def of(cls, choice: Choice, backends: Sequence[BackendInfo] | None = None) -> "Ladder":
        """Makes the ladder below a choice.

        Args:
            choice: where the model is to run.
            backends: what there is and works on this computer; None asks `hrm.backends.probing.choosing.known`.
        """
        if backends is None:
            from hrm.backends.probing.choosing import known  # noqa: PLC0415 (it loads torch)

            backends = working(*known())
        return cls(choice, choice, tuple(_options(choice, backends)))

    def after(self, fault: Fault) -> "Ladder | None":
        """Returns the ladder with the next thing to try as its `current`, or None where nothing is left."""
        history = (*self.history, (self.current, fault))
        tried = {_place(choice) for choice, _ in history}
        for option in (*_cheaper(self.current, fault), replace(self.current, **_SAFE), *self.options):
            if _place(option) not in tried and not _hopeless(option, history):
                return replace(self, current=replace(option, reason=_story(history, option)), history=history)
        return None

    def restart(self) -> "Ladder":
        """Returns the ladder at its top again, nothing held against any place."""
        return replace(self, current=self.asked, history=())


def _options(choice: Choice, backends: Sequence[BackendInfo]) -> Iterator[Choice]:
    """Yields other places than a choice's: other GPUs, then ONNX Runtime and torch on the CPU."""
    usable = {info.name: info for info in backends if info.usable}
    for name in ("rocm", "cuda", "directml"):
        info = usable.get(name)
        for device in info.devices if info is not None else ():
            if (name, device.name) != (choice.backend, choice.device):
                yield replace(
                    choice,
                    backend=name,
                    device=device.name,
                    engine="onnx" if name == "directml" else "torch",
                    **_SAFE,
                )
    for engine in ("onnx", "torch"):
        yield replace(choice, backend="cpu", device="cpu", engine=engine, **_SAFE)


def _cheaper(choice: Choice, fault: Fault) -> Iterator[Choice]:
    """Yields what takes less memory on the same device: half the batch, then a lower precision."""
    if fault.kind != "out-of-memory":
        return
    batch = choice.batch
    while batch > 1:
        batch //= 2
        yield replace(choice, batch=batch)
    if choice.precision == "fp32":
        lower = "int8" if choice.backend == "cpu" else half_precision(choice.architecture)
        if choice.backend == "directml":
            lower = "fp16"
        yield replace(choice, precision=lower)


def _hopeless(option: Choice, history: Sequence[tuple[Choice, Fault]]) -> bool:
    """Whether what failed before says that an option would fail too."""
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
        if same_device and _is_safe(failed) and fault.kind in ("crash", "hang", "error"):
            return True
        if same_device and fault.kind == "precision" and option.precision == failed.precision:
            return _is_safe(failed) or not _is_safe(option)
    return False


def _is_safe(choice: Choice) -> bool:
    return (choice.precision, choice.attention, choice.level) == ("fp32", "math", "conservative")


def _bytes(choice: Choice) -> tuple[int, int]:
    """Orders choices by the memory that they take."""
    width = {"fp32": 4, "bf16": 2, "fp16": 2, "int8": 1}[choice.precision]
    return choice.batch * width, width


def _place(choice: Choice) -> tuple[object, ...]:
    """What tells two things to try apart: everything but the words."""
    return (
        choice.engine,
        choice.backend,
        choice.device,
        choice.precision,
        choice.batch,
        choice.attention,
        choice.level,
    )


def _story(history: Sequence[tuple[Choice, Fault]], now: Choice) -> str:
    told = [f"{_words(choice)} {fault}" for choice, fault in history]
    return f"{'; then '.join(told)}; now {_words(now)}"


def _words(choice: Choice) -> str:
    engine = "ONNX Runtime on " if choice.engine == "onnx" else ""
    batch = f", batch {choice.batch}" if choice.batch > 1 else ""
    return f"{engine}{choice.device} in {choice.precision}{batch}"
