"""A project's C++ sources, build files and images: translated, judged line by line, compiled where hipcc is.

What cannot be judged here (another language with kernels in it, a file that is not UTF-8) is named, so that
no step says that it is done.
"""

import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from hrm.message import say
from hrm.migrate.cpp import (
    NativeFinding,
    Place,
    defined,
    finding_lines,
    findings,
    leftovers,
    without_comments,
)
from hrm.migrate.kernels import hipify
from hrm.migrate.project import Project

CUDA = (".cu", ".cuh")
CPP = (".cpp", ".cc", ".cxx", ".c", ".h", ".hpp", ".hh", ".inl")
HEADERS = (".cuh", ".h", ".hpp", ".hh", ".inl")
OTHER = (".rs", ".go", ".jl", ".f90", ".pyx", ".mojo")
"""Languages that may hold or start CUDA code, and that no rule here knows."""
BINARY = (".ptx", ".cubin", ".fatbin", ".cuf")

_USES_CUDA = re.compile(
    r"#\s*include\s*[<\"](?:\S*/)?(?:cuda|cub|thrust|mma|nccl|cublas|cudnn|cufft|curand|cusparse|cutlass|cute|nv|npp|optix|ATen/cuda|c10/cuda)"
    r"|\bcuda[A-Z]\w+|__global__|__device__|\bat::cuda\b|\bc10::cuda\b|__CUDA_ARCH__|__CUDACC__"
)
_OTHER_CUDA = re.compile(r"\bcuda\w*|\bnvrtc\b|\bnvcc\b|\.ptx\b|\bPTX\b", re.IGNORECASE)
_BUILD = re.compile(
    r"(?:^|/)(?:CMakeLists\.txt|Makefile[\w.]*|setup\.py|build\.rs|Cargo\.toml|meson\.build|BUILD)$"
    r"|\.(?:cmake|mk|bazel|sh)$"
)
_IMAGE = re.compile(
    r"(?:^|/)(?:Dockerfile|Containerfile)[\w.-]*$|\.dockerfile$|(?:^|/)(?:docker-)?compose[\w.-]*\.ya?ml$",
    re.I,
)
_LIMIT_S = 120.0

Compile = Callable[[Sequence[str], Path, float], tuple[int, str]]


@dataclass(slots=True)
class NativeCode:
    """What there is of C++ for a card."""

    # Text of the translated files by path, as it was changed since where they are written
    made: dict[str, str] = field(default_factory=dict)
    as_is: list[str] = field(default_factory=list)  # CUDA sources in which there was nothing to translate
    found: list[NativeFinding] = field(default_factory=list)  # Lines that a person must change
    # Files that nothing here can judge, each with the reason, as messages
    unjudged: list[str] = field(default_factory=list)

    @property
    def to_compile(self) -> list[str]:
        """The sources that AMD's compiler is to take; headers are compiled with what includes them."""
        return [name for name in (*self.made, *self.as_is) if PurePosixPath(name).suffix not in HEADERS]

    @property
    def lines(self) -> list[str]:
        """Findings and files that were not judged, a line each."""
        return [*finding_lines(self.found), *self.unjudged]


def native_code(project: Project) -> NativeCode:
    """Reads, judges and translates a project's C++; nothing is written."""
    code = NativeCode()
    sources: dict[str, str] = {}
    for name in project.every_file():
        suffix, place = PurePosixPath(name).suffix, _place(name)
        if suffix in BINARY:
            code.unjudged.append(say("{name}: not judged: it is compiled for NVIDIA's cards", name=name))
        elif place is None and suffix not in (*CUDA, *CPP, *OTHER):
            continue
        elif not project.readable(name):
            code.unjudged.append(say("{name}: not judged: it is not UTF-8 text", name=name))
        elif place is not None:
            code.found += findings(place, name, project.read(name))
        elif suffix in OTHER:
            if _OTHER_CUDA.search(project.read(name)):
                code.unjudged.append(
                    say(
                        "{name}: not judged: it has to do with CUDA, and no rule here knows {kind}",
                        name=name,
                        kind=suffix,
                    )
                )
        elif suffix in CUDA or _USES_CUDA.search(without_comments(project.read(name))):
            sources[name] = project.read(name)
    if sources:
        _judge(project, sources, code)
    return code


def compiled(code: NativeCode, project: Project, run: Compile, hipcc: str) -> list[str]:
    """Compiles the sources for a card, without linking; returns what failed, a line each.

    Args:
        code: what `native_code` found.
        project: where it is written.
        run: runs a command in a folder within so many seconds; returns its code and what it printed.
    """
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in code.to_compile:
            output = str(Path(folder) / "compiled.o")
            command = [hipcc, "-c", "-x", "hip", f"-I{project.root}", "-o", output, str(project.root / name)]
            status, said = run(command, project.root, _LIMIT_S)
            if status:
                first = next((line for line in said.splitlines() if "error" in line), said.strip()[:200])
                wrong.append(say("{name}: hipcc says: {text}", name=name, text=first))
    return wrong


def _judge(project: Project, sources: dict[str, str], code: NativeCode) -> None:
    """Translates sources and judges each, in its translation where that was written already."""
    translated = _translated(sources, code)
    outcomes = {new for new, _ in translated.values()}
    own = set().union(*(defined(text) for text in sources.values()))
    there = set(project.every_file())
    for name, text in sources.items():
        if name in outcomes:
            continue  # a translation of before
        new, result = translated.get(name, (name, text))
        if new != name:
            code.made[new] = result = project.read(new) if new in there else result
            code.found += leftovers(new, result, own)
        elif PurePosixPath(name).suffix in CUDA:
            code.as_is.append(name)
        written = new if new in there else name
        code.found += findings("source", written, project.read(written))


def _translated(sources: dict[str, str], code: NativeCode) -> dict[str, tuple[str, str]]:
    """Translates all together, so that they include each other; one by one where that fails."""
    try:
        return hipify(sources)
    except Exception:  # the translator raises exceptions of any class
        translated: dict[str, tuple[str, str]] = {}
        for name, text in sources.items():
            try:
                translated |= hipify({name: text})
            except Exception as error:
                words = say(
                    "{name}: not judged: the translator failed ({problem})", name=name, problem=str(error)
                )
                code.unjudged.append(words)
        return translated


def _place(name: str) -> Place | None:
    if _IMAGE.search(name):
        return "image"
    return "build" if _BUILD.search(name) else None
