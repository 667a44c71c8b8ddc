"""Keeps exported steps in the cache folder: tracing one loads torch's compiler, three seconds and 120 MB.

A file's name is a digest of all that its content follows from: the weights, the shapes, the code of the
model and of the export, and torch's version. Its first bytes are a digest of the rest.
"""

import hashlib
import logging
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

import torch
from torch import Tensor, nn

from hrm.atomic import write_whole
from hrm.backends.json_cache import cache_folder
from hrm.backends.onnx.export import export
from hrm.config import Config

_log = logging.getLogger(__name__)

LARGEST = 16 << 20  # Bytes of an exported step that is kept; a larger one is traced each time
MOST = 12  # Files that are kept, those used last
_DIGEST = 16
_OURS = "hrm.backends.onnx."
_PLAIN = (bool, int, float, str, Config)


def stored_export(
    step: nn.Module, examples: Sequence[Tensor | None], *, int8: bool = False, int4: int = 0
) -> bytes:
    """Returns what `hrm.backends.onnx.export.export` does, from the cache folder where it is there.

    Raises:
        KernelCompilationError: see there.
    """
    path = cache_folder() / "onnx" / f"{_key(step, examples, int8, int4)}.onnx"
    model = _read(path)
    if model is None:
        model = export(step, examples, int8=int8, int4=int4)
        if len(model) <= LARGEST:
            _write(path, model)
    return model


def _read(path: Path) -> bytes | None:
    """Returns a file's content without its digest; None where it is missing or damaged."""
    try:
        stored = path.read_bytes()
        if stored[:_DIGEST] == _digest(stored[_DIGEST:]):
            path.touch()
            return stored[_DIGEST:]
        _log.warning("%s is damaged and made anew", path)
    except OSError:
        pass
    return None


def _write(path: Path, content: bytes) -> None:
    """Stores a file and removes the oldest; where the folder cannot be written to nothing is kept."""
    try:
        write_whole(path, lambda temporary: temporary.write_bytes(_digest(content) + content))
        files = sorted(path.parent.glob("*.onnx"), key=lambda file: file.stat().st_mtime)
        for old in files[:-MOST]:
            old.unlink(missing_ok=True)
    except OSError as error:
        _log.warning("%s cannot be kept: %s", path, error)


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST).digest()


def _key(step: nn.Module, examples: Sequence[Tensor | None], int8: bool, int4: int) -> str:
    digest = hashlib.blake2b(digest_size=_DIGEST)
    shapes = [None if example is None else (tuple(example.shape), str(example.dtype)) for example in examples]
    digest.update(repr((torch.__version__, sys.version, shapes, int8, int4)).encode())
    sources = {name for name in sys.modules if name.startswith(_OURS)}
    for name, part in step.named_modules():
        plain = {key: value for key, value in vars(part).items() if isinstance(value, _PLAIN)}
        digest.update(repr((name, type(part).__qualname__, plain)).encode())
        _add(digest, type(part).forward.__code__)
        sources.add(type(part).__module__)
    for source in sorted(sources):
        code = None if source.startswith("torch.") else _code_of(source)
        if code is not None:
            _add(digest, code)
    for name, tensor in (*step.named_parameters(), *step.named_buffers()):
        digest.update(repr((name, tensor.dtype, tuple(tensor.shape))).encode())
        digest.update(tensor.detach().contiguous().cpu().reshape(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


@cache
def _code_of(module: str) -> CodeType | None:
    """Returns a module's code, tables and constants too, also of a program without sources; None for none."""
    spec = sys.modules[module].__spec__
    loader: Any = None if spec is None else spec.loader
    code: CodeType | None = loader.get_code(module) if hasattr(loader, "get_code") else None
    return code


def _add(digest: "hashlib.blake2b", code: CodeType) -> None:
    digest.update(code.co_code + repr(code.co_names).encode())
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            _add(digest, constant)
        else:
            digest.update(
                repr(sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant).encode()
            )
