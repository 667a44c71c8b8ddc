"""What the translator of CUDA C++ leaves wrong without a word: kinds of lines, each with its remedy.

A guard of `__CUDA_ARCH__` makes kernels vanish on AMD or compiles those for old chips, a lane mask of 32
bits halves a warp of 64, PTX is no code there at all; none of these stops a translation. Comments are not
read.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from hrm.message import say
from hrm.migrate.guards import AMDS, guard, shared

Place = Literal["source", "build", "image"]


@dataclass(frozen=True, slots=True)
class NativeFinding:
    """A line that a person must change.

    Attributes:
        file, line: where.
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
            say("version guard"),
            re.compile(
                rf"^(?!.*\b{AMDS}\b)\s*#\s*(?:el)?if\b.*\b(?:CUDA_VERSION|CUDART_VERSION|TORCH_HIP_VERSION|__CUDACC_VER_\w+)\b"
            ),
            say(
                "AMD's compiler does not define it, so it counts as 0: "
                "test for HIP_VERSION as well where the code is for AMD too"
            ),
        ),
        _Rule(
            say("lane mask of 32 bits"),
            re.compile(
                r"^(?!.*(?:[0-9a-fA-F][uU][lL][lL]\b|\b0[xX][fF]{16}\b|\buint64_t\b|\bunsigned long long\b))"
                r".*(?:__(?:shfl(?:_up|_down|_xor)?|ballot|any|all|match_any|match_all|reduce_\w+)_sync\b"
                r"|__syncwarp\s*\(\s*[^)\s]|__activemask\b|(?i:mask)\b[^;]*\b0x[fF]{8}[uU]?\b|\b__ballot\b)"
            ),
            say("a wavefront of CDNA has 64 lanes: use masks of 64 bits (unsigned long long, ~0ull)"),
        ),
        _Rule(
            say("fixed warp size"),
            re.compile(
                r"\b(?:WARP_?SIZE|C10_WARP_SIZE|kWarpSize)\b\s*(?:=\s*)?\(?\s*32\b"
                r"|\bthreadIdx\.x\s*(?:&\s*(?:31|0x1f)|[%/]\s*32|>>\s*5)\b",
                re.IGNORECASE,
            ),
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
            say("arithmetic on the bytes of a word"),
            re.compile(r"\b__dp[24]a\w*|\b__v(?:abs|add|avg|cmp|max|min|neg|sad|set|sub)\w*[24]\b"),
            say("HIP has none of these: write it out in C++, or take __builtin_amdgcn_sdot4 and its like"),
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
_GUARDS: dict[str, tuple[str, str]] = {
    "vanishes": (
        say("architecture guard"),
        say(
            "AMD's compiler never defines it, so what it guards vanishes without a word: "
            "test for __HIP_DEVICE_COMPILE__ as well"
        ),
    ),
    "taken": (
        say("guard for old chips"),
        say(
            "AMD's compiler never defines it and it counts as 0, so what was meant for the host or for old "
            "chips is compiled for the card: keep AMD out with && !defined(__HIP_DEVICE_COMPILE__)"
        ),
    ),
}
_NOT_HIP = re.compile(
    r"\b(?:cuda[A-Z]\w+|cu[A-Z][a-z]\w+|cu(?:blas|dnn|fft|rand|sparse|solver)[A-Z]\w*|CU[a-z]\w+"
    r"|CUDART_(?!VERSION)\w+|(?:nvml|nvtx|nvrtc|npp|optix)[A-Z]\w+)\b"
    r"|#\s*include\s*[<\"]\S*?\b(?:cuda|cutlass|cute|nv|npp|optix|math_constants|device_launch)[^>\"]*"
)
"""Names of NVIDIA's libraries, and headers that HIP does not have."""
_OWN = re.compile(r"#\s*define\s+(\w+)|\b(\w+)\s*\([^;{}()]*\)\s*\{")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|(\"(?:\\.|[^\"\\\n])*\")", re.DOTALL)


def findings(place: Place, file: str, text: str) -> Iterator[NativeFinding]:
    """Yields what a file has of these kinds, one for each line and kind."""
    lines = shared(without_comments(text).splitlines()) if place == "source" else text.splitlines()
    for number, line in enumerate(lines, 1):
        if place != "source" and line.lstrip().startswith("#"):
            continue
        for kind, remedy in _of_line(place, line):
            yield NativeFinding(kind, file, number, line.strip()[:100], remedy)


def _of_line(place: Place, line: str) -> Iterator[tuple[str, str]]:
    what = guard(line) if place == "source" else None
    if what in _GUARDS:
        yield _GUARDS[what]
    yield from ((rule.kind, rule.remedy) for rule in _RULES[place] if rule.pattern.search(line))


def without_comments(text: str) -> str:
    """Returns C++ without its comments, its lines where they were."""
    return _COMMENT.sub(lambda match: match[1] or "\n" * match[0].count("\n"), text)


def defined(text: str) -> set[str]:
    return {macro or function for macro, function in _OWN.findall(without_comments(text))}


def leftovers(file: str, text: str, own: Collection[str] = ()) -> Iterator[NativeFinding]:
    """Yields what a translation left of CUDA's own names, those aside that the project defines itself."""
    for number, line in enumerate(shared(without_comments(text).splitlines()), 1):
        name = next((call for call in _NOT_HIP.findall(line) if call not in own), None)
        if name is not None:
            remedy = say("the translator does not know {name}: find its counterpart in HIP", name=name)
            yield NativeFinding("not translated", file, number, line.strip()[:100], remedy)


def finding_lines(leftover: Iterable[NativeFinding]) -> list[str]:
    return [
        say(
            "{name}: {text}",
            name=f"{finding.file}:{finding.line}",
            text=say("{name}: {text}", name=finding.kind, text=finding.remedy),
        )
        for finding in leftover
    ]
