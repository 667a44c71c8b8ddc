"""Whatever is said of where the model runs, and of what is done for speed there, is said in French too."""

from itertools import product

import pytest

from botapp.ui import translation
from botapp.ui.translation import tr
from hrm.backends import BackendInfo, DeviceInfo, choose
from hrm.backends.levels import LEVELS, plan, plan_onnx
from hrm.backends.probing.proof import Proof
from hrm.message import say

CHIPS = {"rocm": ("gfx1101", "gfx1030"), "cuda": ("sm_90", "sm_61"), "cpu": ("",), "directml": ("",)}
PLANS = [
    *(plan(level, backend, chip) for level, backend in product(LEVELS, CHIPS) for chip in CHIPS[backend]),
    *(plan_onnx(level, precision) for level, precision in product(LEVELS, ("fp32", "int8"))),
]
WORDS = sorted({words for found in PLANS for words in (*found.applied, *found.left_out)})
CARD = DeviceInfo("cuda:0", "RX 7800 XT", "gfx1101", 16 << 30)
CPU = BackendInfo("cpu", True, "always works", (DeviceInfo("cpu", "CPU"),))
ROCM = [BackendInfo("rocm", True, "torch reaches it", (CARD,)), CPU]
PROOFS = (
    Proof(),
    Proof({"cuda:0": "bf16"}, {("cuda:0", "fp16"): say("the result is off by {error}", error=0.4)}),
    Proof(failed={("cuda:0", ""): say("hung ({detail})", detail=say("no answer within {time} s", time=45))}),
)
ASKED = (
    ("auto", "auto", "auto"),
    ("rocm", "cuda:0", "fp16"),
    ("rocm", "auto", "int8"),
    ("cpu", "auto", "bf16"),
)
REASONS = sorted({choose(*asked, ROCM, proof).reason for asked, proof in product(ASKED, PROOFS)})


@pytest.fixture(autouse=True)
def french():
    translation.use("fr")
    yield
    translation.use("en")


def test_a_measure_has_french_words():
    assert [words for words in WORDS if tr(words) == words] == []


def test_no_part_of_a_reason_is_left_in_english():
    english = {"found", "using", "right", "asked", "cannot", "proved", "nothing", "again"}
    assert [spoken for spoken in map(tr, REASONS) if english & set(spoken.split())] == []
