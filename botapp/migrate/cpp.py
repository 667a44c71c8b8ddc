"""What the translator of CUDA C++ leaves wrong without a word: kinds of lines, each with its remedy.

A guard of `__CUDA_ARCH__` makes kernels vanish on AMD, a lane mask of 32 bits halves a warp of 64, PTX is no
code there at all; none of these stops a translation. Comments are not read, a build file's are. Next hop:
`botapp.migrate.native` reads a project's sources, build files and images with these.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from botapp.host.message import say

Place = Literal["source", "build", "image"]


@dataclass(frozen=True, slots=True)
class NativeFinding:
    """A line that a person must change.

    Attributes:
        kind: a word for what it is.
        file, line: where.
        code: the line.
        remedy: what to do about it, as a message.
    """

    kind: str
    file: str
    line: int
    code: str
    remedy: str


@dataclass(frozen=True, slots=True)
class _Rule:
    kind: str
    pattern: re.Pattern[str]
    remedy: str


_RULES: dict[Place, tuple[_Rule, ...]] = {
    "source": (
        _Rule(
            say("architecture guard"),
            re.compile(r"\b__CUDA_ARCH__\b"),
            say(
                "AMD's compiler never defines it, so what it guards vanishes without a word: "
                "test for __HIP_DEVICE_COMPILE__ as well"
            ),
        ),
        _Rule(
            say("lane mask of 32 bits"),
            re.compile(
                r"__(?:shfl(?:_up|_down|_xor)?|ballot|any|all|match_any|match_all|reduce_\w+|sync)_sync\b|__syncwarp\b"
                r"|__activemask\b|(?i:mask)\b[^;]*\b0x[fF]{8}[uU]?\b|\b__(?:ballot|shfl(?:_up|_down|_xor)?)\b"
            ),
            say("a wavefront of CDNA has 64 lanes: use masks of 64 bits (unsigned long long, ~0ull)"),
        ),
        _Rule(
            say("fixed warp size"),
            re.compile(r"\b(?:WARP_?SIZE|C10_WARP_SIZE|kWarpSize)\b\s*(?:=\s*)?\(?\s*32\b", re.IGNORECASE),
            say("a wavefront has 64 lanes on CDNA and 32 on RDNA: ask warpSize"),
        ),
        _Rule(
            say("fp8"),
            re.compile(r"cuda_fp8\.h|\b__nv_fp8\w*|\b__NV_E[45]M[23]\b"),
            say("HIP's fp8 is in hip/hip_fp8.h, with another format on MI300 (fnuz): write it for both"),
        ),
        _Rule(
            say("inline PTX"),
            re.compile(r"\b(?:asm|__asm__|__asm)\b\s*(?:volatile|__volatile__)?\s*\("),
            say("PTX is NVIDIA's assembly: write the line in C++, or in AMD's assembly behind a guard"),
        ),
        _Rule(
            say("NVIDIA's tensor cores"),
            re.compile(
                r"[<\"]mma\.h[>\"]|\bnvcuda::|\bcutlass::|[<\"](?:cutlass|cute)/|\bcuda::(?:barrier|pipeline)\b"
            ),
            say("rocWMMA has what mma.h has; for CUTLASS and CuTe take hipBLASLt or Composable Kernel"),
        ),
    ),
    "build": (
        _Rule(
            say("architecture flags"),
            re.compile(r"-gencode\b|--generate-code\b|-arch=(?:sm|compute)_|\b(?:sm|compute)_\d{2,3}a?\b"),
            say("hipcc wants --offload-arch=gfx1101 and its like; a torch extension PYTORCH_ROCM_ARCH"),
        ),
        _Rule(
            say("architecture list"),
            re.compile(
                r"\b(?:TORCH_CUDA_ARCH_LIST|CMAKE_CUDA_ARCHITECTURES|CUDA_ARCHITECTURES|CUDA_ARCH_LIST)\b"
            ),
            say("name AMD's chips: PYTORCH_ROCM_ARCH, or CMAKE_HIP_ARCHITECTURES"),
        ),
        _Rule(
            say("CMake's CUDA language"),
            re.compile(
                r"\bLANGUAGES\b[^)]*\bCUDA\b|^\s*project\s*\([^)]*\bCUDA\b|\benable_language\s*\(\s*CUDA\b"
                r"|\bfind_package\s*\(\s*CUDA(?:Toolkit)?\b|\bCMAKE_CUDA_(?!ARCHITECTURES)\w+|\bcuda_add_\w+|\bCUDA::\w+",
                re.IGNORECASE,
            ),
            say("enable_language(HIP), find_package(hip), CMAKE_HIP_FLAGS and hip::host or hip::device"),
        ),
        _Rule(
            say("NVIDIA's compiler or libraries"),
            re.compile(
                r"\bnvcc\b|\bbindgen_cuda\b|\bcudarc\b|-l(?:cudart|cublas|cudnn|cufft|curand|cusparse)\b"
            ),
            say("hipcc compiles it; the libraries are amdhip64, hipblas, MIOpen, hipfft, hiprand, hipsparse"),
        ),
    ),
    "image": (
        _Rule(
            say("NVIDIA's image"),
            re.compile(
                r"^\s*FROM\s+\S*(?:nvidia/cuda|nvcr\.io/nvidia)|\bimage:\s*\S*(?:nvidia/cuda|nvcr\.io/nvidia)",
                re.I,
            ),
            say("begin with rocm/dev-ubuntu-24.04, or rocm/pytorch where torch is needed"),
        ),
        _Rule(
            say("NVIDIA's runtime"),
            re.compile(
                r"--gpus\b|--runtime[= ]nvidia|\b(?:runtime|driver):\s*nvidia|\bNVIDIA_VISIBLE_DEVICES\b"
            ),
            say("pass the devices in: --device /dev/kfd --device /dev/dri --group-add video"),
        ),
    ),
}
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|(\"(?:\\.|[^\"\\\n])*\")", re.DOTALL)


def findings(place: Place, file: str, text: str) -> Iterator[NativeFinding]:
    """Yields what a file has of these kinds, one for each line and kind.

    Args:
        place: what sort of file it is.
        file: its path within the project.
        text: its text.
    """
    lines = (without_comments(text) if place == "source" else text).splitlines()
    for number, line in enumerate(lines, 1):
        if place != "source" and line.lstrip().startswith("#"):
            continue
        for rule in _RULES[place]:
            if rule.pattern.search(line):
                yield NativeFinding(rule.kind, file, number, line.strip()[:100], rule.remedy)


def without_comments(text: str) -> str:
    """Returns C++ without its comments, its lines where they were."""
    return _COMMENT.sub(lambda match: match[1] or "\n" * match[0].count("\n"), text)


def leftovers(file: str, text: str) -> Iterator[NativeFinding]:
    """Yields what a translation left of CUDA's own names."""
    for number, line in enumerate(without_comments(text).splitlines(), 1):
        found = re.search(
            r"\b(?:cuda[A-Z]\w+|cu(?:blas|dnn|fft|rand|sparse|solver)[A-Z]\w*)\b|#include\s*[<\"]cuda", line
        )
        if found:
            remedy = say("the translator does not know {name}: find its counterpart in HIP", name=found[0])
            yield NativeFinding("not translated", file, number, line.strip()[:100], remedy)


def told(found: Iterable[NativeFinding]) -> list[str]:
    """Returns a line for each finding."""
    return [
        say(
            "{name}: {text}",
            name=f"{one.file}:{one.line}",
            text=say("{name}: {text}", name=one.kind, text=one.remedy),
        )
        for one in found
    ]
