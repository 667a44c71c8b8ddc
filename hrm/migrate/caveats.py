"""What a migration does not change but a person must know: packages and lines bound to CUDA."""

import ast
import re

from hrm.message import say
from hrm.migrate.source import Note

_PACKAGES = {
    "bitsandbytes": say(
        "its ROCm build covers CDNA, RDNA 3 and newer; elsewhere use torch.optim.AdamW, bf16"
    ),
    "flash_attn": say("torch's own attention takes its place"),
    "xformers": say("its kernels are CUDA's; torch's own attention does the same"),
    "apex": say("torch has what it had: fused optimisers and torch.amp"),
    "tensorrt": say("there is no counterpart; torch.compile or MIGraphX"),
    "torch_tensorrt": say("there is no counterpart; torch.compile or MIGraphX"),
    "cupy": say("install cupy-rocm, or use torch"),
    "pynvml": say("it asks NVIDIA's driver; use torch.cuda.mem_get_info or sysfs"),
    "transformer_engine": say("AMD has a fork of its own; use torch in bf16"),
    "deepspeed": say("build it with ROCm's compiler (DS_BUILD_OPS); its fused operators differ by release"),
    "numba.cuda": say("numba has no ROCm; write the kernel in Triton"),
}
_REQUIREMENTS = (
    (re.compile(r"^\s*[\"']?flash[-_]attn", re.IGNORECASE), say("flash-attn builds for CUDA: take it out")),
    (re.compile(r"^\s*[\"']?bitsandbytes", re.IGNORECASE), _PACKAGES["bitsandbytes"]),
    (re.compile(r"^\s*[\"']?nvidia-", re.IGNORECASE), say("an NVIDIA library: take it out")),
    (
        re.compile(r"^\s*[\"']?torch\S*\+cu\d+", re.IGNORECASE),
        say("a torch for CUDA: name it without +cu..."),
    ),
    (re.compile(r"download\.pytorch\.org/whl/cu\d+", re.IGNORECASE), say("PyTorch's index for CUDA")),
    (
        re.compile(r"^\s*[\"']?(xformers|tensorrt|cupy-cuda\w*)", re.IGNORECASE),
        say("a package for CUDA: take it out"),
    ),
)


def in_code(text: str) -> list[Note]:
    """Returns what a Python file imports or calls that is bound to CUDA.

    Raises:
        SyntaxError: it is no Python that this version reads.
    """
    notes = []
    for node in ast.walk(ast.parse(text)):
        for name in _imported(node):
            package = next((p for p in _PACKAGES if name == p or name.startswith(f"{p}.")), None)
            if package is not None and package != "flash_attn":
                notes.append(
                    Note(
                        getattr(node, "lineno", 1),
                        say("{name}: {text}", name=package, text=_PACKAGES[package]),
                    )
                )
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "nvidia-smi" in node.value:
            notes.append(Note(node.lineno, say("nvidia-smi: on AMD's cards it is rocm-smi or amd-smi")))
    return sorted(notes, key=lambda note: note.line)


def in_requirements(text: str) -> list[Note]:
    """Returns the lines of a list of requirements that are bound to CUDA."""
    return [
        Note(number, say("{name}: {text}", name=line.strip(), text=words))
        for number, line in enumerate(text.splitlines(), 1)
        for pattern, words in _REQUIREMENTS
        if pattern.search(line)
    ]


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []
