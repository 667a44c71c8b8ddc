"""What a translator of CUDA C++ passes over is named with file, line and remedy; nothing unread is done."""

import shutil
import subprocess
from pathlib import Path

import pytest

from botapp.doctor.machine import Machine
from botapp.migrate import checks, migrate, text
from botapp.migrate.native import native_code
from botapp.migrate.project import Project

KERNEL = """#include <cuda_runtime.h>
__global__ void twice(float* x) {
    // asm("not code"), __CUDA_ARCH__
    x[threadIdx.x] *= 2;
}
void go(float* x) { twice<<<1, 32>>>(x); cudaDeviceSynchronize(); }
"""
MADE_UP = {
    "architecture guard": ("half.cu", "#if __CUDA_ARCH__ >= 530\n__global__ void h() {}\n#endif\n", 1),
    "lane mask of 32 bits": (
        "sum.cuh",
        "__device__ int f(int v) {\n  return __shfl_xor_sync(0xffffffff, v, 1);\n}\n",
        2,
    ),
    "fixed warp size": ("warp.cuh", "#include <cuda.h>\n#define WARP_SIZE 32\n", 2),
    "fp8": ("eight.cu", "#include <cuda_fp8.h>\n", 1),
    "inline PTX": ("ptx.cu", '__device__ void w() {\n  asm volatile("bar.sync 0;");\n}\n', 2),
    "NVIDIA's tensor cores": ("mma.cu", "#include <mma.h>\nusing namespace nvcuda;\n", 1),
    "architecture flags": ("setup.py", 'flags = ["-gencode", "arch=compute_80,code=sm_80"]\n', 1),
    "architecture list": ("CMakeLists.txt", "# CUDA_ARCHITECTURES\nset(CMAKE_CUDA_ARCHITECTURES 80)\n", 2),
    "CMake's CUDA language": ("cmake/gpu.cmake", "project(x LANGUAGES CXX CUDA)\n", 1),
    "NVIDIA's compiler or libraries": ("Makefile", "all:\n\tnvcc a.cu\n", 2),
    "NVIDIA's image": ("docker/Dockerfile.gpu", "FROM nvidia/cuda:12.4.0-devel-ubuntu22.04\n", 1),
    "NVIDIA's runtime": ("compose.yaml", "services:\n  a:\n    runtime: nvidia\n", 3),
}


def project(folder: Path, **files: str) -> Project:
    for name, words in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(words, "utf-8")
    return Project(folder)


@pytest.mark.parametrize("kind", MADE_UP)
def test_each_is_found_where_it_stands_with_what_to_do(tmp_path: Path, kind: str) -> None:
    name, words, line = MADE_UP[kind]
    code = native_code(project(tmp_path, **{name: words}))
    found = [one for one in code.found if one.kind == kind]
    assert [(one.file, one.line) for one in found] == [(name, line)]
    assert any(f"{name}:{line}" in told and found[0].remedy in told for told in code.lines)


def test_comments_and_plain_code_are_no_findings(tmp_path: Path) -> None:
    code = native_code(
        project(tmp_path, **{"a.cu": KERNEL, "plain.cpp": "int asm_ = 0xffffffff; // cudaMalloc\n"})
    )
    assert (code.found, code.unjudged) == ([], [])
    assert set(code.made) == {"a.hip"}


def test_plain_cpp_that_calls_cuda_is_translated_too(tmp_path: Path) -> None:
    files = {
        "csrc/host.cpp": "#include <cuda_runtime.h>\nvoid f(void* x) { cudaFree(x); }\n",
        "csrc/twice.cu": '#include "twice.cuh"\n' + KERNEL,
        "csrc/twice.cuh": "__device__ float twice_of(float x);\n#include <cuda_runtime.h>\n",
    }
    there = project(tmp_path, **files)
    code = native_code(there)
    assert {"csrc/host_hip.cpp", "csrc/twice.hip"} <= set(code.made)
    assert "hipFree" in code.made["csrc/host_hip.cpp"]
    there.write("code_001", code.made)
    again = native_code(Project(tmp_path))
    assert set(again.made) == set(code.made)


def test_what_the_translator_does_not_know_is_named(tmp_path: Path) -> None:
    code = native_code(project(tmp_path, **{"a.cu": KERNEL + "void g() { cudaFromTheFuture(1); }\n"}))
    assert [(one.kind, one.file, one.line) for one in code.found] == [("not translated", "a.hip", 8)]
    assert "cudaFromTheFuture" in code.lines[0]


def test_what_nobody_can_judge_is_never_done(tmp_path: Path) -> None:
    there = project(
        tmp_path, **{"lib.rs": "let f = cudarc::nvrtc::compile_ptx(SRC);\n", "other.rs": "fn main() {}\n"}
    )
    (tmp_path / "kernels.ptx").write_bytes(b".version 8.0")
    (tmp_path / "latin.cu").write_bytes("// é\n".encode("latin-1"))
    code = native_code(there)
    assert [line.split(":")[0] for line in code.unjudged] == ["kernels.ptx", "latin.cu", "lib.rs"]
    assert checks.CHECKS["test_001"](there, Machine(), checks.run_command).status == "failed"


def test_a_mended_translation_is_judged_in_place_of_its_source(tmp_path: Path) -> None:
    guarded = KERNEL.replace("x[threadIdx.x] *= 2;", "#ifdef __CUDA_ARCH__\n    x[threadIdx.x] *= 2;\n#endif")
    there = project(tmp_path, **{"a.cu": guarded})
    made = native_code(there).made["a.hip"]
    assert "__CUDA_ARCH__" in made
    (tmp_path / "a.hip").write_text(made.replace("#ifdef __CUDA_ARCH__\n", "").replace("#endif\n", ""))
    mended = native_code(Project(tmp_path))
    assert mended.found == []
    assert "#ifdef" not in mended.made["a.hip"]


@pytest.mark.parametrize(("code", "status"), [(0, "done"), (1, "failed")])
def test_translations_are_compiled_where_hipcc_is(
    tmp_path: Path, monkeypatch, code: int, status: str
) -> None:
    there = project(tmp_path, **{"a.cu": KERNEL})
    asked = []

    def run(command, folder, limit_s):
        asked.append(command)
        return code, "a.hip:2: error: no such thing"

    assert checks.CHECKS["test_001"](there, Machine(), run).status == "skipped"
    monkeypatch.setattr(shutil, "which", lambda name: "/opt/rocm/bin/hipcc")
    found = checks.CHECKS["test_001"](there, Machine(), run)
    assert found.status == status
    assert asked[0][:4] == ["/opt/rocm/bin/hipcc", "-c", "-x", "hip"]
    assert (status == "done") != any("no such thing" in line for line in found.lines)


def test_a_dry_run_says_it_all_and_writes_nothing(tmp_path: Path) -> None:
    for name, words, _ in MADE_UP.values():
        project(tmp_path, **{name: words})
    before = subprocess.run(["ls", "-R", str(tmp_path)], capture_output=True, check=True).stdout
    said = text(migrate(tmp_path, Machine(), dry_run=True))
    for name, _, line in MADE_UP.values():
        assert f"{name}:{line}" in said
    assert subprocess.run(["ls", "-R", str(tmp_path)], capture_output=True, check=True).stdout == before
