"""What a translator of CUDA C++ passes over is named with file, line and remedy; nothing unread is done."""

import shutil
import subprocess
from pathlib import Path

import pytest

from hrm.migrate import checks, migrate, text
from hrm.migrate.computer import Computer
from hrm.migrate.cpp import findings
from hrm.migrate.native import native_code
from hrm.migrate.project import Project

KERNEL = """#include <cuda_runtime.h>
__global__ void twice(float* x) {
    // asm("not code"), __CUDA_ARCH__
    x[threadIdx.x] *= 2;
}
void go(float* x) { twice<<<1, 32>>>(x); cudaDeviceSynchronize(); }
"""
MADE_UP = {
    "architecture guard": ("half.cu", "#if __CUDA_ARCH__ >= 530\n__global__ void h() {}\n#endif\n", 1),
    "guard for old chips": ("old.cuh", "#include <cuda.h>\n#if __CUDA_ARCH__ < 700\n#endif\n", 2),
    "version guard": ("version.cu", "#include <cuda.h>\n\n#if CUDA_VERSION >= 11000\n#endif\n", 3),
    "arithmetic on the bytes of a word": (
        "dot.cu",
        "__device__ int f(int a) {\n  return __dp4a(a, a, 0); }\n",
        2,
    ),
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
    "NVIDIA's compiler, by cargo": ("Cargo.toml", '[build-dependencies]\nbindgen_cuda = "0.1"\n', 2),
    "NVIDIA's compiler, in a script": ("build.sh", "set -e\nnvcc -o a a.cu\n", 2),
    "NVIDIA's image": ("docker/Dockerfile.gpu", "FROM nvidia/cuda:12.4.0-devel-ubuntu22.04\n", 1),
    "NVIDIA's runtime": ("compose.yaml", "services:\n  a:\n    runtime: nvidia\n", 3),
}


def project(folder: Path, **files: str) -> Project:
    for name, words in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(words, "utf-8")
    return Project(folder)


@pytest.mark.slow
@pytest.mark.parametrize("kind", MADE_UP)
def test_each_is_found_where_it_stands_with_what_to_do(tmp_path: Path, kind: str) -> None:
    name, words, line = MADE_UP[kind]
    code = native_code(project(tmp_path, **{name: words}))
    wanted = "NVIDIA's compiler or libraries" if kind.startswith("NVIDIA's compiler") else kind
    found = [one for one in code.found if one.kind == wanted]
    assert [(one.file, one.line) for one in found] == [(name, line)]
    assert any(f"{name}:{line}" in told and found[0].remedy in told for told in code.lines)


@pytest.mark.slow
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


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        ("#if __CUDA_ARCH__ >= 530", ["architecture guard"]),
        ("#ifdef __CUDA_ARCH__", ["architecture guard"]),
        ("#if __CUDA_ARCH__ >= 530 && __CUDA_ARCH__ < 700", ["architecture guard"]),
        ("#elif __CUDA_ARCH__ < 600", ["guard for old chips"]),
        ("#ifndef __CUDA_ARCH__", ["guard for old chips"]),
        ("#if !defined(__CUDA_ARCH__)", ["guard for old chips"]),
        ("#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 530", []),
        ("#if __CUDA_ARCH__ >= 530 || defined(__HIP_DEVICE_COMPILE__)", []),
        ("#if __CUDA_ARCH__ < 700 && !defined(__HIP_DEVICE_COMPILE__)", []),
        ("#if CUDART_VERSION >= 11000 || defined(__HIPCC__)", []),
        ("v += __shfl_xor_sync(~0ull, v, 1);", []),
        ("v += __shfl_xor_sync((unsigned long long)mask, v, 1);", []),
        ("v += __shfl_xor_sync(mask, v, 1);", ["lane mask of 32 bits"]),
        ("const unsigned long long mask = 0xffffffffffffffff;", []),
        ("int lane = threadIdx.x & 31;", ["fixed warp size"]),
        ("int lane = threadIdx.x & 319;", []),
    ],
)
def test_what_the_remedy_asks_for_is_no_finding_any_more(line: str, kinds: list[str]) -> None:
    assert [found.kind for found in findings("source", "a.cu", line)] == kinds


def test_what_stands_behind_a_condition_on_amds_macros_is_left_to_who_wrote_it(tmp_path: Path) -> None:
    both = """#ifdef USE_ROCM
__device__ void wait() { asm volatile("s_nop 0"); }
#else
#if __CUDA_ARCH__ >= 700
__device__ void wait() { asm volatile("nanosleep.u32 0;"); }
#endif
#endif
#if !defined(__HIP__)
#include <cuda_fp8.h>
#endif
__device__ void other() { asm volatile("bar.sync 0;"); }
"""
    found = native_code(project(tmp_path, **{"both.cu": both})).found
    assert [(one.kind, one.file, one.line) for one in found] == [("inline PTX", "both.cu", 11)]


def test_a_projects_own_names_are_not_taken_for_cudas(tmp_path: Path) -> None:
    own = (
        "#define cudaCheckIt(x) (x)\n#define CUDART_OF_OURS 3\n"
        "void cudaTidyUp(int n) { cudaCheckIt(CUDART_OF_OURS); }\n"
    )
    there = project(tmp_path, **{"own.cuh": own, "a.cu": KERNEL + "void g() { cudaTidyUp(1); }\n"})
    assert native_code(there).found == []


@pytest.mark.parametrize(
    "line",
    [
        "float f = CUDART_INF_F;",
        "void m() { nvmlInit(); }",
        "CUtensorMap map;",
        "# include <cuda_pipeline.h>",
        "#include <cutlass/gemm.h>",
        "#include <math_constants.h>",
    ],
)
def test_names_of_nvidias_libraries_are_not_taken_for_translated(tmp_path: Path, line: str) -> None:
    found = native_code(project(tmp_path, **{"a.cu": f"{KERNEL}{line}\n"})).found
    assert ("not translated", "a.hip", 8) in [(one.kind, one.file, one.line) for one in found]


def test_a_source_without_anything_to_translate_is_compiled_all_the_same(tmp_path: Path, monkeypatch) -> None:
    there = project(tmp_path, **{"plain.cu": "int three() { return 3; }\n"})
    assert native_code(there).made == {}
    assert checks.CHECKS["test_001"](there, Computer(), checks.run_command).status == "skipped"
    monkeypatch.setattr(shutil, "which", lambda name: "/opt/rocm/bin/hipcc")
    asked = []

    def run(command, folder, limit_s):
        asked.append(command[-1])
        return 0, ""

    assert checks.CHECKS["test_001"](there, Computer(), run).status == "done"
    assert asked == [str(tmp_path / "plain.cu")]


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
    assert checks.CHECKS["test_001"](there, Computer(), checks.run_command).status == "failed"


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

    assert checks.CHECKS["test_001"](there, Computer(), run).status == "skipped"
    monkeypatch.setattr(shutil, "which", lambda name: "/opt/rocm/bin/hipcc")
    found = checks.CHECKS["test_001"](there, Computer(), run)
    assert found.status == status
    assert asked[0][:4] == ["/opt/rocm/bin/hipcc", "-c", "-x", "hip"]
    assert (status == "done") != any("no such thing" in line for line in found.lines)


def test_a_dry_run_says_it_all_and_writes_nothing(tmp_path: Path) -> None:
    for name, words, _ in MADE_UP.values():
        project(tmp_path, **{name: words})
    before = subprocess.run(["ls", "-R", str(tmp_path)], capture_output=True, check=True).stdout
    said = text(migrate(tmp_path, Computer(), dry_run=True))
    for name, _, line in MADE_UP.values():
        assert f"{name}:{line}" in said
    assert subprocess.run(["ls", "-R", str(tmp_path)], capture_output=True, check=True).stdout == before
