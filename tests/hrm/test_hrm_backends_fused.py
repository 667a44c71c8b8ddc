"""Our own kernels compute torch's step; run in Triton's interpreter where Triton is installed."""

import importlib.util
import os
from pathlib import Path

import pytest
from own_process import run_python

ROOT = Path(__file__).resolve().parents[2]
CODE = """
import sys
import torch
import triton.language as tl
from triton.runtime import interpreter

patch_language = interpreter._patch_lang


def patched(function):
    # NumPy 2.4 turns no array of one number into a number, which the interpreter of Triton 3.6 asks of it.
    scope = patch_language(function)
    tl.tensor.__index__ = lambda self: int(self.handle.data.item())
    return scope


interpreter._patch_lang = patched
torch.set_num_threads(1)
torch.manual_seed(0)
from hrm.act import Stepper
from hrm.backends.kernels.fused import FusedStep
from hrm.backends.kernels.selection import fuse
from hrm.backends.kernels.persistent import PersistentStep, can_persist
from hrm.config import Config
from hrm.model import HRM

config = Config(hidden_size=64, num_heads=2, mlp_inner=64, L_layers=2, H_layers=1, H_cycles=1, seq_len=20)
model = HRM(config)
wide = Stepper(model, model.read)
given = [torch.randn(2, 20, 64) for _ in range(3)]
mask = torch.arange(20)[None].expand(2, -1) < torch.tensor([[20], [7]])
with torch.inference_mode():
    expected = wide(*given, mask)
    assert fuse(wide) is None, "fp32 is not for these kernels"
    model.dtype = torch.float16
    model.L_level.half()
    model.H_level.half()
    assert not can_persist(wide), "there is no card"
    step = FusedStep(wide) if sys.argv[1] == "fused" else PersistentStep(wide, single=True)
    ours = step(*(value.half() for value in given), mask)
for got, right in zip(ours, expected):
    error = (got.float() - right).norm() / right.norm()
    assert error < 0.01, error
"""


@pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="Triton is not installed")
@pytest.mark.parametrize("kernels", ["fused", "one launch"])
def test_the_kernels_take_the_models_own_step(kernels: str) -> None:
    run_python("-c", CODE, kernels, cwd=ROOT, env={**os.environ, "TRITON_INTERPRET": "1"})
