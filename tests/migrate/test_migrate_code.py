"""CUDA-only code is rewritten into code that runs without CUDA too; what is not of that kind stays."""

import ast
import os
import socket
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from own_process import run_python
from torch.nn import functional

from hrm.migrate import attention, calls, caveats, collectives
from hrm.migrate.kernels import hipify
from hrm.migrate.source import SourceFile, dotted

HERE = Path(__file__).parent
TRAINING = (HERE / "cuda_project" / "train.py").read_text("utf-8")
ADAPTERS = (attention.adapt, calls.adapt, collectives.adapt)


def migrated(text: str) -> str:
    for adapt in ADAPTERS:
        text = adapt(text).text
    return text


def body(text: str) -> str:
    """What a rewriter made of one line after `import torch`, without the function it defines."""
    lines = calls.adapt(f"import torch\n{text}\n").text.splitlines()
    start = next((n for n, line in enumerate(lines) if line.startswith("def _device")), None)
    if start is None:
        return "\n".join(lines[1:])
    end = next(n for n, line in enumerate(lines) if n > start and "isinstance(name, int)" in line)
    return "\n".join(line for line in lines[end + 1 :] if line)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = y.cuda()", "x = y.to(_device())"),
        ("x = f(y).cuda(rank)", "x = f(y).to(_device(rank))"),
        ("x = y.cuda(non_blocking=True)", "x = y.to(_device(), non_blocking=True)"),
        ("x = y.cuda(device=r, non_blocking=True)", "x = y.to(_device(r), non_blocking=True)"),
        ("x = a.cuda().b.cuda()", "x = a.to(_device()).b.to(_device())"),
        ('x = y.to("cuda")', 'x = y.to(_device("cuda"))'),
        ('x = y.to("cuda:1", torch.half)', 'x = y.to(_device("cuda:1"), torch.half)'),
        ('x = y.to(f"cuda:{r}")', 'x = y.to(_device(f"cuda:{r}"))'),
        ('x = torch.zeros(3, device="cuda")', 'x = torch.zeros(3, device=_device("cuda"))'),
        ('d = torch.device("cuda")', 'd = _device("cuda")'),
        ('d = torch.device("cuda", rank)', "d = _device(rank)"),
        ('d = torch.device("cuda:0")', 'd = _device("cuda:0")'),
        ('device = "cuda"', 'device = str(_device("cuda"))'),
        ('self.device: str = "cuda:0"', 'self.device: str = str(_device("cuda:0"))'),
        ('def f(x, device="cuda"): pass', 'def f(x, device=str(_device("cuda"))): pass'),
        ('def f(*, device="cuda"): pass', 'def f(*, device=str(_device("cuda"))): pass'),
        (
            'p.add_argument("--device", default="cuda")',
            'p.add_argument("--device", default=str(_device("cuda")))',
        ),
        ('s = torch.load(f, map_location="cuda:0")', 's = torch.load(f, map_location=_device("cuda:0"))'),
        ("with torch.cuda.amp.autocast(): pass", "with torch.amp.autocast(_device().type): pass"),
        (
            "with torch.cuda.amp.autocast(True): pass",
            "with torch.amp.autocast(_device().type, enabled=True): pass",
        ),
        (
            "with torch.cuda.amp.autocast(dtype=torch.half): pass",
            "with torch.amp.autocast(_device().type, dtype=torch.half): pass",
        ),
        (
            "s = torch.cuda.amp.GradScaler(init_scale=2.0)",
            "s = torch.amp.GradScaler(_device().type, init_scale=2.0)",
        ),
        ('with torch.autocast("cuda"): pass', 'with torch.autocast(_device("cuda").type): pass'),
        (
            'with torch.autocast(device_type="cuda"): pass',
            'with torch.autocast(device_type=_device("cuda").type): pass',
        ),
        ("torch.cuda.set_device(r)", "if torch.cuda.is_available():\n    torch.cuda.set_device(r)"),
        ("a = 1; torch.cuda.synchronize()", "a = 1; torch.cuda.is_available() and torch.cuda.synchronize()"),
        ("m = DDP(m, device_ids=[r])", "m = DDP(m, device_ids=[r] if torch.cuda.is_available() else None)"),
    ],
)
def test_a_call_is_rewritten(before: str, after: str) -> None:
    assert body(before) == after


@pytest.mark.parametrize(
    "line",
    [
        'd = "cuda" if torch.cuda.is_available() else "cpu"',
        'd = torch.device("cuda" if torch.cuda.is_available() else "cpu")',
        'if device == "cuda": pass',
        'print("cuda")',
        'name = "cuda"',
        'x = y.to("cpu")',
        "if torch.cuda.is_available():\n    torch.cuda.synchronize()",
        "m = DDP(m, device_ids=None)",
        "b = torch.backends.cuda.matmul.allow_tf32",
        "n = torch.cuda.device_count()",
    ],
)
def test_what_runs_anywhere_is_left_alone(line: str) -> None:
    text = f"import torch\n{line}\n"
    assert calls.adapt(text).text == text


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("x = torch.cuda.FloatTensor(3)", "exists on a card only"),
        ("print(torch.cuda.get_device_name(0))", "fails where there is no card"),
        ("x = torch.cuda.synchronize()", "fails where there is no card"),
        ("from torch.cuda.amp import custom_fwd", "import these names from torch.amp"),
        ("with torch.cuda.amp.autocast(True, torch.half): pass", "another order"),
    ],
)
def test_what_cannot_be_rewritten_is_noted_with_its_line(line: str, words: str) -> None:
    (note,) = calls.adapt(f"import torch\n\n{line}\n").notes
    assert words in note.text
    assert note.line == 3


def test_amp_imported_by_name_moves_with_its_calls() -> None:
    text = "from torch.cuda.amp import autocast as cast, GradScaler\nwith cast():\n    s = GradScaler()\n"
    found = calls.adapt(text).text
    assert "from torch.amp import autocast as cast, GradScaler" in found
    assert "with cast(_device().type):\n    s = GradScaler(_device().type)" in found
    assert "import torch\n" in found


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('dist.init_process_group("nccl")', "dist.init_process_group({})"),
        ('dist.init_process_group(backend="nccl", rank=0)', "dist.init_process_group(backend={}, rank=0)"),
        ('backend = "nccl"', "backend = {}"),
        ('backend: str = "nccl"', "backend: str = {}"),
        ('p.add_argument("--dist-backend", default="nccl")', 'p.add_argument("--dist-backend", default={})'),
    ],
)
def test_nccl_is_asked_for_where_it_is(before: str, after: str) -> None:
    choice = '("nccl" if torch.cuda.is_available() and torch.distributed.is_nccl_available() else "gloo")'
    assert collectives.adapt(before).text == after.format(choice)


@pytest.mark.parametrize("line", ['if backend == "nccl": pass', 'print("nccl")', 'x = "nccl"'])
def test_a_backend_that_is_not_chosen_is_left_alone(line: str) -> None:
    assert collectives.adapt(line).text == line


def test_variables_of_nccl_are_noted() -> None:
    assert "RCCL reads NCCL_DEBUG too" in collectives.adapt('e["NCCL_DEBUG"] = "INFO"\n').notes[0].text


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(
    st.integers(1, 2),
    st.integers(1, 7),
    st.integers(0, 5),
    st.sampled_from([1, 2]),
    st.booleans(),
    st.sampled_from([None, 0.5]),
)
def test_attention_in_its_place_computes_what_flash_attention_does(
    batch: int, length: int, more: int, groups: int, causal: bool, scale: float | None
) -> None:
    space: dict = {}
    exec(attention.adapt("import torch\nfrom flash_attn import flash_attn_func as flash\n").text, space)
    q = torch.randn(batch, length, 2 * groups, 4)
    k, v = (torch.randn(batch, length + more, 2, 4) for _ in range(2))
    found = space["flash"](q, k, v, softmax_scale=scale, causal=causal)
    wide_k, wide_v = (x.repeat_interleave(groups, dim=2) for x in (k, v))
    scores = torch.einsum("bihd,bjhd->bhij", q, wide_k) * (scale or 0.5)
    if causal:
        seen = torch.ones(length, length + more).tril(more).bool()
        scores = scores.masked_fill(~seen, float("-inf"))
    expected = torch.einsum("bhij,bjhd->bihd", functional.softmax(scores, -1), wide_v)
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)


def test_packed_forms_are_unpacked() -> None:
    space: dict = {}
    names = "flash_attn_func, flash_attn_qkvpacked_func, flash_attn_kvpacked_func"
    exec(attention.adapt(f"import torch\nfrom flash_attn import {names}\n").text, space)
    qkv = torch.randn(1, 5, 3, 2, 4)
    expected = space["flash_attn_func"](*qkv.unbind(2), causal=True)
    assert torch.equal(space["flash_attn_qkvpacked_func"](qkv, causal=True), expected)
    assert torch.equal(space["flash_attn_kvpacked_func"](qkv[:, :, 0], qkv[:, :, 1:], causal=True), expected)
    with pytest.raises(NotImplementedError, match="window_size"):
        space["flash_attn_func"](*qkv.unbind(2), window_size=(4, 4))
    assert space["flash_attn_func"](*qkv.unbind(2), window_size=(-1, -1)) is not None


def test_an_import_that_may_fail_keeps_its_place() -> None:
    text = (
        "import torch\ntry:\n    from flash_attn import flash_attn_func\n    FLASH = True\n"
        "except ImportError:\n    FLASH = False\n"
    )
    space: dict = {}
    exec(attention.adapt(text).text, space)
    assert space["FLASH"] is True
    q = torch.randn(1, 3, 2, 4)
    assert space["flash_attn_func"](q, q, q).shape == q.shape


def test_what_torch_has_no_counterpart_of_is_left_and_noted() -> None:
    text = "from flash_attn import flash_attn_func, flash_attn_varlen_func as var\nimport flash_attn\n"
    found = attention.adapt(text)
    assert "from flash_attn import flash_attn_varlen_func as var" in found.text
    assert "def flash_attn_func(" in found.text
    assert [note.line for note in found.notes] == [1, 2]
    left = "from flash_attn.bert_padding import unpad_input\n"
    assert attention.adapt(left).text == left
    assert attention.uses_flash(left)
    assert not attention.uses_flash("import torch\n")


def test_a_migrated_script_is_migrated_for_good() -> None:
    once = migrated(TRAINING)
    assert once != TRAINING
    assert migrated(once) == once


@given(st.lists(st.sampled_from(TRAINING.splitlines()), max_size=12))
@settings(deadline=None)
def test_whatever_lines_a_file_has_the_result_can_be_read_and_stays(lines: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    try:
        ast.parse(text)
    except SyntaxError:
        return
    once = migrated(text)
    ast.parse(once)
    assert migrated(once) == once


def test_comments_line_ends_and_letters_outside_the_edits_survive() -> None:
    text = 'import torch\r\nx = "é→"; y = z.cuda()  # à côté\r\n'
    found = calls.adapt(text).text
    assert 'x = "é→"; y = z.to(_device())  # à côté\r\n' in found
    assert "\n" not in found.replace("\r\n", "")


def test_a_file_of_its_own_device_function_is_not_given_another() -> None:
    text = "import torch\ndef _device(name=None):\n    return name\nx = y.cuda()\n"
    assert calls.adapt(text).text.count("def _device") == 1


def test_nothing_of_cuda_alone_is_left_in_the_training_script() -> None:
    found = migrated(TRAINING)
    for gone in (".cuda(", 'backend="nccl")', "from flash_attn", "torch.cuda.amp", 'to("cuda")'):
        assert gone in TRAINING
        assert gone not in found


@pytest.mark.long
def test_the_training_script_runs_on_the_cpu_once_migrated(tmp_path: Path) -> None:
    found = migrated(TRAINING)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    script = tmp_path / "train.py"
    script.write_text(found, "utf-8")
    alone = {
        "RANK": "0",
        "LOCAL_RANK": "0",
        "WORLD_SIZE": "1",
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": port,
    }
    alone |= {"CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1"}
    arguments = [str(script), "--steps", "24", "--out", str(tmp_path / "model.pt")]
    said = run_python(*arguments, env=os.environ | alone)
    before, after = (float(part) for part in said.split("loss ")[1].split(" in ")[0].split(" -> "))
    assert after < before
    assert (tmp_path / "model.pt").is_file()


@pytest.mark.slow
def test_cuda_kernels_become_hip() -> None:
    source = (HERE / "cuda_project" / "scale.cu").read_text("utf-8")
    made = hipify({"kernels/scale.cu": source, "plain.cuh": "int one() { return 1; }\n"})
    assert set(made) == {"kernels/scale.cu"}
    name, text = made["kernels/scale.cu"]
    assert name == "kernels/scale.hip"
    for word in ("hip/hip_runtime.h", "hipLaunchKernelGGL", "hipStream_t", "hipDeviceSynchronize"):
        assert word in text
    assert "cuda" not in text.lower()


def test_what_is_bound_to_cuda_is_warned_about() -> None:
    text = (
        "import bitsandbytes as bnb\nfrom xformers.ops import a\n"
        'run("nvidia-smi -L")\nimport numba.cuda\nimport os\n'
    )
    notes = caveats.in_code(text)
    assert [(note.line, note.text.split(":")[0]) for note in notes] == [
        (1, "bitsandbytes"),
        (2, "xformers"),
        (3, "nvidia-smi"),
        (4, "numba.cuda"),
    ]
    listed = "torch==2.4.0+cu121\nflash_attn\nnvidia-nccl-cu12\nnumpy\n--index-url https://download.pytorch.org/whl/cu121\n"
    assert [note.line for note in caveats.in_requirements(listed)] == [1, 2, 3, 5]


def test_names_are_read_through_dots_and_nothing_else() -> None:
    assert dotted(ast.parse("a.b.c", mode="eval").body) == "a.b.c"
    assert dotted(ast.parse("f().c", mode="eval").body) == ""
    with pytest.raises(SyntaxError):
        SourceFile("def broken(")
