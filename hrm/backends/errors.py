"""The errors of running a model on a device: one hierarchy, each error with its remedy.

`sort_error` classifies an exception of any library by its type's name and its text alone, so that neither
torch nor ONNX Runtime need be importable.
"""

import re

from hrm.message import join, say


class InferenceError(RuntimeError):
    """A model cannot be run as asked; `str` says what happened and what to do about it.

    Attributes:
        message: both.
    """

    remedy: str = say("run `botapp doctor`, which says what is wrong and how to put it right")

    def __init__(self, what: str, remedy: str = "") -> None:
        self.what = what
        self.remedy = remedy or type(self).remedy
        self.message = join((what, self.remedy))
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message


class NotAvailableError(InferenceError):
    """The backend, its driver or one of its libraries is missing."""

    remedy = say(
        "install the driver and the build of torch for this card; `botapp doctor` prints the command"
    )


class DeviceError(InferenceError):
    """The device or its driver failed at runtime."""

    remedy = say(
        "close other programs that use the card, update its driver, or choose the CPU in the settings"
    )


class OutOfMemoryError(InferenceError):
    """The device, or the computer, has too little memory left."""

    remedy = say(
        "close other programs that use the card, or choose a lower precision or the CPU in the settings"
    )


class PrecisionError(InferenceError):
    """A precision gives NaN or wrong results on this device."""

    remedy = say("choose fp32 in the settings")


class KernelCompilationError(InferenceError):
    """A kernel or a graph could not be compiled or exported for the device."""

    remedy = say(
        "choose the level conservative, which compiles nothing, or clear the caches: `botapp caches --clear`"
    )


class ConfigurationError(InferenceError, ValueError):
    """A setting is invalid."""

    remedy = say("correct the setting")


_OUT_OF_MEMORY = re.compile(
    r"out of memory|can't allocate memory|cannot allocate memory|bad_alloc|not enough memory"
    r"|hipErrorOutOfMemory|CUBLAS_STATUS_ALLOC_FAILED|E_OUTOFMEMORY|8007000E|failed to allocate",
    re.IGNORECASE,
)
_NO_KERNEL = re.compile(
    r"no kernel image|invalid device function|hipErrorNoBinaryForGpu|no binary for gpu", re.IGNORECASE
)
_MISSING = re.compile(
    r"cannot open shared object|libamdhip64|libcuda|nvcuda\.dll|amdhip64\S*\.dll|DLL load failed"
    r"|no module named|driver on your system is too old|no nvidia driver|found no"
    r"|not compiled with|compiled without|not linked with|no hip gpus|no cuda gpus|is not available",
    re.IGNORECASE,
)
_PRECISION = re.compile(
    r"not implemented for '?(half|bfloat16|float16)|\bnan\b|non-finite|float64|does not support (bf16|fp16)",
    re.IGNORECASE,
)
_COMPILATION = re.compile(
    r"inductor|dynamo|triton|out of resource|ptxas|nvrtc|hiprtc|comgr|compilation (error|failed)"
    r"|backend compiler|MIOpen.*compil|not capturing|capture(d|ing)? (graph|stream)"
    r"|unsupported operator|opset",
    re.IGNORECASE,
)
_PATTERNS: tuple[tuple[re.Pattern[str], type[InferenceError], str], ...] = (
    (_OUT_OF_MEMORY, OutOfMemoryError, ""),
    (
        _NO_KERNEL,
        NotAvailableError,
        say(
            "the installed torch has no code for this card: "
            "install the build that has, as `botapp doctor` says"
        ),
    ),
    (_PRECISION, PrecisionError, ""),
    (_MISSING, NotAvailableError, ""),
    (_COMPILATION, KernelCompilationError, ""),
)


def sort_error(error: BaseException) -> InferenceError:
    """Returns the error of this hierarchy that `error` corresponds to, with the first line of its text."""
    if isinstance(error, InferenceError):
        return error
    words = str(error).strip() or type(error).__name__
    first = words.splitlines()[0]
    kind = type(error).__name__
    if isinstance(error, MemoryError) or kind == "OutOfMemoryError":
        return OutOfMemoryError(first)
    if isinstance(error, ImportError):
        return NotAvailableError(first)
    for pattern, sort, remedy in _PATTERNS:
        if pattern.search(f"{kind} {words}"):
            return sort(first, remedy)
    if isinstance(error, ValueError | TypeError):
        return ConfigurationError(first)
    return DeviceError(first)
