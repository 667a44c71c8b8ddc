"""One ACT step in kernels of our own (Triton), for NVIDIA and AMD cards: five launches a block, not nine.

At batch 1 a step is bound by launches. The norm after each sum has no weight, so it need not be computed
where it stands: a row's scale commutes with the matrix that follows, and whoever multiplies sees the whole
row. So sums are kept as they are, and a block is: project to qkv (norm taken on the way), attend (rotary
positions taken on the way), project and add, project and gate (norm taken on the way), project and add.
Between two updates one kernel norms the state and adds what is injected next. Next hop:
`hrm.backends.graphs` captures the step.
"""

import math
from collections.abc import Callable
from typing import Any

import torch
import triton  # type: ignore[import-not-found,unused-ignore]
import triton.language as tl  # type: ignore[import-not-found,unused-ignore]
from torch import Tensor

from hrm.act import Stepper
from hrm.backends.tiles import Tile, tile_for
from hrm.layers import Block
from hrm.model import Core, Level

_WIDTHS = 64
"""What the widths of a model must be multiples of."""


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _project(  # type: ignore[no-untyped-def]
    x, weight, out, scale, rows, eps,
    N: tl.constexpr, K: tl.constexpr, NORM: tl.constexpr, GATE: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PDL: tl.constexpr,
):  # fmt: skip
    """out = norm(x) @ weight.T, gated where asked; `scale` gets what each row's norm multiplies by."""
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    real = row < rows
    if PDL:
        tl.extra.cuda.gdc_launch_dependents()
        tl.extra.cuda.gdc_wait()
    total = tl.zeros((BM, BN), tl.float32)
    second = tl.zeros((BM, BN), tl.float32)
    squares = tl.zeros((BM,), tl.float32)
    for start in range(0, K, BK):
        a = tl.load(x + row[:, None] * K + (start + depth)[None, :], mask=real[:, None], other=0.0)
        w = tl.load(weight + column[None, :] * K + (start + depth)[:, None])
        total = tl.dot(a, w, total)
        if GATE:
            v = tl.load(weight + (column + N)[None, :] * K + (start + depth)[:, None])
            second = tl.dot(a, v, second)
        if NORM:
            wide = a.to(tl.float32)
            squares += tl.sum(wide * wide, 1)
    if NORM:
        norm = tl.rsqrt(squares / K + eps)
        total = total * norm[:, None]
        second = second * norm[:, None]
        if tl.program_id(1) == 0:
            tl.store(scale + row, norm, mask=real)
    if GATE:
        total = total * tl.sigmoid(total) * second
    place = out + row[:, None] * N + column[None, :]
    tl.store(place, total.to(out.dtype.element_ty), mask=real[:, None])


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _add(  # type: ignore[no-untyped-def]
    x, scale, h, weight, out, rows,
    N: tl.constexpr, K: tl.constexpr, NORM: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PDL: tl.constexpr,
):  # fmt: skip
    """out = norm(x) + h @ weight.T, where `scale` is what the norm of x multiplies each row by."""
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    real = row < rows
    if PDL:
        tl.extra.cuda.gdc_launch_dependents()
        tl.extra.cuda.gdc_wait()
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        a = tl.load(h + row[:, None] * K + (start + depth)[None, :], mask=real[:, None], other=0.0)
        w = tl.load(weight + column[None, :] * K + (start + depth)[:, None])
        total = tl.dot(a, w, total)
    place = row[:, None] * N + column[None, :]
    kept = tl.load(x + place, mask=real[:, None], other=0.0).to(tl.float32)
    if NORM:
        kept = kept * tl.load(scale + row, mask=real, other=0.0)[:, None]
    tl.store(out + place, (kept + total).to(out.dtype.element_ty), mask=real[:, None])


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _attend(  # type: ignore[no-untyped-def]
    qkv, out, cos, sin, mask, scale,
    LENGTH: tl.constexpr, HEADS: tl.constexpr, HALF: tl.constexpr, ROTARY: tl.constexpr, MASKED: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr, PDL: tl.constexpr,
):  # fmt: skip
    """Attention of one block of queries of one head of one row; heads are read in halves for the rotation."""
    D: tl.constexpr = 2 * HALF
    WIDTH: tl.constexpr = HEADS * D
    head = tl.program_id(1) % HEADS
    first = (tl.program_id(1) // HEADS) * LENGTH
    query = tl.program_id(0) * BM + tl.arange(0, BM)
    half = tl.arange(0, HALF)
    whole = tl.arange(0, D)
    inside = query < LENGTH
    if PDL:
        tl.extra.cuda.gdc_launch_dependents()
        tl.extra.cuda.gdc_wait()
    place = qkv + (first + query)[:, None] * (3 * WIDTH) + head * D + half[None, :]
    q1 = tl.load(place, mask=inside[:, None], other=0.0)
    q2 = tl.load(place + HALF, mask=inside[:, None], other=0.0)
    if ROTARY:
        c = tl.load(cos + query[:, None] * D + half[None, :], mask=inside[:, None], other=0.0)
        s = tl.load(sin + query[:, None] * D + half[None, :], mask=inside[:, None], other=0.0)
        turned = q1.to(tl.float32) * c - q2.to(tl.float32) * s
        q2 = (q2.to(tl.float32) * c + q1.to(tl.float32) * s).to(q1.dtype)
        q1 = turned.to(q2.dtype)
    top = tl.full((BM,), -1e30, tl.float32)
    shares = tl.zeros((BM,), tl.float32)
    total = tl.zeros((BM, D), tl.float32)
    for start in range(0, LENGTH, BN):
        key = start + tl.arange(0, BN)
        there = key < LENGTH
        keys = qkv + (first + key)[None, :] * (3 * WIDTH) + WIDTH + head * D + half[:, None]
        k1 = tl.load(keys, mask=there[None, :], other=0.0)
        k2 = tl.load(keys + HALF, mask=there[None, :], other=0.0)
        if ROTARY:
            cos_k = tl.load(cos + key[None, :] * D + half[:, None], mask=there[None, :], other=0.0)
            sin_k = tl.load(sin + key[None, :] * D + half[:, None], mask=there[None, :], other=0.0)
            rolled = k1.to(tl.float32) * cos_k - k2.to(tl.float32) * sin_k
            k2 = (k2.to(tl.float32) * cos_k + k1.to(tl.float32) * sin_k).to(k1.dtype)
            k1 = rolled.to(k2.dtype)
        scores = tl.dot(q1, k1)
        scores = tl.dot(q2, k2, scores) * scale
        if MASKED:
            there = there & (tl.load(mask + first + key, mask=there, other=0) != 0)
        scores = tl.where(there[None, :], scores, -1e30)
        higher = tl.maximum(top, tl.max(scores, 1))
        weights = tl.where(there[None, :], tl.exp(scores - higher[:, None]), 0.0)
        fade = tl.exp(top - higher)
        shares = shares * fade + tl.sum(weights, 1)
        values = qkv + (first + key)[:, None] * (3 * WIDTH) + 2 * WIDTH + head * D + whole[None, :]
        value = tl.load(values, mask=(key < LENGTH)[:, None], other=0.0)
        total = tl.dot(weights.to(value.dtype), value, total * fade[:, None])
        top = higher
    place = out + (first + query)[:, None] * WIDTH + head * D + whole[None, :]
    tl.store(place, (total / shares[:, None]).to(out.dtype.element_ty), mask=inside[:, None])


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _turn(  # type: ignore[no-untyped-def]
    x, other, injected, z, out, eps,
    WIDTH: tl.constexpr, BLOCK: tl.constexpr, NORM: tl.constexpr, INJECT: tl.constexpr, LAST: tl.constexpr,
    PDL: tl.constexpr,
):  # fmt: skip
    """z = norm(x), a row each; out = z + other (+ injected), what the next update begins with."""
    column = tl.arange(0, BLOCK)
    real = column < WIDTH
    place = tl.program_id(0) * WIDTH + column
    if PDL:
        tl.extra.cuda.gdc_launch_dependents()
        tl.extra.cuda.gdc_wait()
    state = tl.load(x + place, mask=real, other=0.0).to(tl.float32)
    if NORM:
        state = state * tl.rsqrt(tl.sum(state * state, 0) / WIDTH + eps)
        tl.store(z + place, state.to(z.dtype.element_ty), mask=real)
    if not LAST:
        state += tl.load(other + place, mask=real, other=0.0).to(tl.float32)
        if INJECT:
            state += tl.load(injected + place, mask=real, other=0.0).to(tl.float32)
        tl.store(out + place, state.to(out.dtype.element_ty), mask=real)


class FusedStep:
    """One step of a model in these kernels; called as `Stepper.forward` is. Its buffers are its own."""

    def __init__(
        self, stepper: Stepper, *, ahead: bool = False, tiles: Callable[..., Tile] = tile_for
    ) -> None:
        """Takes a model whose levels are in half precision, on a card.

        Args:
            stepper: `fits` must hold of it.
            ahead: begin each kernel before the one before it has ended (NVIDIA, from compute capability 9.0).
            tiles: gives the shape of a kernel's blocks.
        """
        self._stepper = stepper
        self._core: Core = stepper.core
        self._ahead = ahead
        self._tiles = tiles
        self._buffers: dict[tuple[int, ...], dict[str, Tensor]] = {}

    def __call__(self, z_H: Tensor, z_L: Tensor, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, ...]:
        """Takes a step: (z_H, z_L, q, *outputs), outputs in fp32."""
        core, own = self._core, self._own(x)
        states = {"H": z_H.contiguous(), "L": z_L.contiguous()}
        x = x.contiguous()
        updates = core.config.schedule
        self._turning(states["L"], states["H"], x, own, None, updates[0])
        for index, update in enumerate(updates):
            level = core.L_level if update == "L" else core.high
            last = index + 1 == len(updates)
            state = self._level(level, own, mask)
            after = "" if last else updates[index + 1]
            other = "H" if update == "L" else "L"
            states[update] = self._turning(state, states[other], x, own, own[f"z_{update}"], after)
        q = core.q(states["H"])
        outputs = self._stepper.readout(states["H"])
        read = (outputs,) if isinstance(outputs, Tensor) else outputs
        return (states["H"], states["L"], q, *(output.float() for output in read))

    def _own(self, x: Tensor) -> dict[str, Tensor]:
        """Returns the buffers for inputs of this shape."""
        key = tuple(x.shape)
        if key not in self._buffers:
            config = self._core.config
            rows, hidden = x.shape[0] * x.shape[1], config.hidden_size
            widths = {
                "sum": hidden,
                "mid": hidden,
                "joined": hidden,
                "qkv": 3 * hidden,
                "gated": config.mlp_width,
            }
            buffers = {name: x.new_empty(rows, width) for name, width in widths.items()}
            buffers |= {name: torch.empty_like(x) for name in ("z_H", "z_L")}
            buffers |= {f"scale{i}": x.new_empty(rows, dtype=torch.float32) for i in (1, 2)}
            self._buffers[key] = buffers
        return self._buffers[key]

    def _level(self, level: Level, own: dict[str, Tensor], mask: Tensor | None) -> Tensor:
        """Runs a level's blocks on `own["sum"]`; the sum that comes out is not normed."""
        for index, block in enumerate(level.layers):
            assert isinstance(block, Block)
            self._block(block, own, mask, first=index == 0)
        return own["sum"]

    def _block(self, block: Block, own: dict[str, Tensor], mask: Tensor | None, first: bool) -> None:
        attention, mlp = block.self_attn, block.mlp
        assert attention is not None
        self._projecting(own["sum"], attention.qkv_proj.weight, own["qkv"], own["scale1"], norm=not first)
        self._attending(own["qkv"], own["joined"], own["z_H"].shape, mask)
        self._adding(own["sum"], own["scale1"], own["joined"], attention.o_proj.weight, own["mid"], not first)
        gate = mlp.gate_up_proj.weight
        self._projecting(own["mid"], gate, own["gated"], own["scale2"], norm=True, gate=True)
        self._adding(own["mid"], own["scale2"], own["gated"], mlp.down_proj.weight, own["sum"], True)

    def _projecting(
        self, x: Tensor, weight: Tensor, out: Tensor, scale: Tensor, *, norm: bool, gate: bool = False
    ) -> None:
        rows, width = out.shape
        tile = self._tiles("gate" if gate else "project", rows, width, x.shape[1])
        grid = (triton.cdiv(rows, tile.rows), width // tile.columns)
        _project[grid](
            x, weight, out, scale, rows, self._core.config.rms_norm_eps,
            N=width, K=x.shape[1], NORM=norm, GATE=gate,
            BM=tile.rows, BN=tile.columns, BK=tile.depth, **self._launch(tile),
        )  # fmt: skip

    def _adding(self, x: Tensor, scale: Tensor, h: Tensor, weight: Tensor, out: Tensor, norm: bool) -> None:
        rows, width = out.shape
        tile = self._tiles("add", rows, width, h.shape[1])
        grid = (triton.cdiv(rows, tile.rows), width // tile.columns)
        _add[grid](
            x, scale, h, weight, out, rows, N=width, K=h.shape[1], NORM=norm,
            BM=tile.rows, BN=tile.columns, BK=tile.depth, **self._launch(tile),
        )  # fmt: skip

    def _attending(self, qkv: Tensor, out: Tensor, shape: torch.Size, mask: Tensor | None) -> None:
        config = self._core.config
        batch, length = shape[:2]
        tile = self._tiles("attend", length, config.head_dim, config.head_dim)
        rotary = config.pos_encodings == "rope"
        cos, sin = (self._core.get_buffer(f"rotary_{name}") if rotary else qkv for name in ("cos", "sin"))
        grid = (triton.cdiv(length, tile.rows), batch * config.num_heads)
        _attend[grid](
            qkv, out, cos, sin, qkv if mask is None else mask.view(torch.uint8),
            1 / math.sqrt(config.head_dim), LENGTH=length, HEADS=config.num_heads, HALF=config.head_dim // 2,
            ROTARY=rotary, MASKED=mask is not None, BM=tile.rows, BN=tile.columns, **self._launch(tile),
        )  # fmt: skip

    def _turning(
        self, x: Tensor, other: Tensor, injected: Tensor, own: dict[str, Tensor], z: Tensor | None, after: str
    ) -> Tensor:
        """Norms a state into `z` (None: it is normed already); makes the sum that `after` begins with."""
        hidden = self._core.config.hidden_size
        _turn[(own["sum"].shape[0],)](
            x, other, injected, x if z is None else z, own["sum"], self._core.config.rms_norm_eps,
            WIDTH=hidden, BLOCK=triton.next_power_of_2(hidden), NORM=z is not None, INJECT=after == "L",
            LAST=not after, **self._launch(Tile(1, 1, 1, 4, 1)),
        )  # fmt: skip
        return x if z is None else z

    def _launch(self, tile: Tile) -> dict[str, Any]:
        options = {"PDL": self._ahead, "num_warps": tile.warps, "num_stages": tile.stages}
        return options | ({"launch_pdl": True} if self._ahead else {})


def fits(stepper: Stepper) -> bool:
    """Whether these kernels can run a model: attention, half precision, and widths that the blocks divide."""
    config = stepper.core.config
    return (
        config.mixer == "attention"
        and stepper.core.dtype in (torch.bfloat16, torch.float16)
        and config.hidden_size % _WIDTHS == 0
        and config.mlp_width % _WIDTHS == 0
        and config.head_dim in (32, 64, 128)
    )


def fuse(stepper: Stepper) -> FusedStep | None:
    """Returns a model's step in these kernels, None where they cannot run it."""
    return FusedStep(stepper) if fits(stepper) else None
