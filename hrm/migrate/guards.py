"""Which lines of a C++ source both makers' compilers read, and what guards of `__CUDA_ARCH__` do on AMD.

A source that was written for both says so with conditions on AMD's macros; what stands behind those is not
judged.
"""

import re
from collections.abc import Sequence
from typing import Literal

AMDS = r"(?:USE_ROCM|__HIP__|__HIPCC__|__HIP_DEVICE_COMPILE__|__HIP_PLATFORM_(?:AMD|HCC)__|__AMDGCN__)"
"""Macros that AMD's compiler or a build for it defines, as a regular expression."""

Guard = Literal["vanishes", "taken", "right"]

_DIRECTIVE = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b(.*)")
_AMD_ALONE = re.compile(
    rf"(?:[\s()!|&]|\bdefined\b|\b{AMDS}\b)*\b{AMDS}\b(?:[\s()!|&]|\bdefined\b|\b{AMDS}\b)*"
)
_OLDER = re.compile(r"\b__CUDA_ARCH__\s*<|\bifndef\s+__CUDA_ARCH__|!\s*defined\s*\(?\s*__CUDA_ARCH__")
_NEWER = re.compile(r"\b__CUDA_ARCH__\s*(?:>|==)")
_HOST_OR = re.compile(r"!\s*defined\s*\(?\s*__CUDA_ARCH__\s*\)?\s*\|\|")


def shared(lines: Sequence[str]) -> list[str]:
    """Returns a source's lines, those behind a condition on AMD's macros alone (both branches) emptied."""
    shared_lines: list[str] = []
    amd_branches: list[bool] = []
    for line in lines:
        match = _DIRECTIVE.match(line)
        word, condition = (match[1], match[2]) if match else ("", "")
        if word.startswith("if"):
            amd_branches.append(_AMD_ALONE.fullmatch(condition) is not None)
        elif word == "elif" and amd_branches:
            amd_branches[-1] = amd_branches[-1] or _AMD_ALONE.fullmatch(condition) is not None
        shared_lines.append("" if any(amd_branches) else line)
        if word == "endif" and amd_branches:
            amd_branches.pop()
    return shared_lines


def guard(line: str) -> Guard | None:
    """Tells what a line with `__CUDA_ARCH__` comes to where it is not defined, and so counts as 0.

    Returns:
        vanishes: what it guards is not compiled for AMD's cards; taken: it is, though it was meant for the
        host or for old chips; right: it names AMD's macros, or lets in what is not defined besides new
        chips; None: there is no `__CUDA_ARCH__`.
    """
    if "__CUDA_ARCH__" not in line:
        return None
    if re.search(rf"\b{AMDS}\b", line) or (_HOST_OR.search(line) and _NEWER.search(line)):
        return "right"
    return "taken" if _OLDER.search(line) and not _NEWER.search(line) else "vanishes"
