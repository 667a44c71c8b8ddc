"""One ACT step in our own Triton kernels, for NVIDIA and AMD cards: five launches a block, not nine.

At batch 1 a step is bound by kernel launches. A block is: project to qkv (norm fused in), attend (rotary
positions fused in), project and add, project and gate (norm fused in), project and add; each part is in
`hrm.backends.kernels.blocks`. Between two updates one kernel norms the state and adds what is injected
next.
"""

import math
from collections.abc import Callable

import torch
import triton  # type: ignore[import-not-found,unused-ignore]
import triton.language as tl  # type: ignore[import-not-found,unused-ignore]
from torch import Tensor

from hrm.act import Stepper
from hrm.backends.kernels.blocks import add_tile, attend_tile, norm_and_inject_row, project_tile
from hrm.backends.kernels.tiles import MANY, NARROWEST, Tile, tile_for
from hrm.backends.levels import fits_kernels
from hrm.layers import Block
from hrm.model import Core, Level


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _project(  # type: ignore[no-untyped-def]
    x, squares, weight, out, rows, eps,
    N: tl.constexpr, K: tl.constexpr, PARTS: tl.constexpr, NORMED: tl.constexpr, GATE: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    block, side = tl.program_id(0), tl.program_id(1)
    project_tile(x, squares, weight, out, block, side, rows, NORMED, eps, N, K, PARTS, GATE, BM, BN, BK)


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _add(  # type: ignore[no-untyped-def]
    x, squares, h, weight, out, squared, rows, eps,
    N: tl.constexpr, K: tl.constexpr, PARTS: tl.constexpr, NORMED: tl.constexpr, SPLIT: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    block, side = tl.program_id(0), tl.program_id(1)
    add_tile(
        x, squares, h, weight, out, squared, block, side, rows, NORMED, eps, N, K, PARTS, SPLIT, BM, BN, BK
    )


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _attend(  # type: ignore[no-untyped-def]
    qkv, out, cos, sin, mask, scale,
    LENGTH: tl.constexpr, HEADS: tl.constexpr, HALF: tl.constexpr, ROTARY: tl.constexpr, MASKED: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    block, side = tl.program_id(0), tl.program_id(1)
    attend_tile(qkv, out, cos, sin, mask, block, side, scale, LENGTH, HEADS, HALF, ROTARY, MASKED, BM, BN)


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _norm_and_inject(  # type: ignore[no-untyped-def]
    x, other, injected, z, out, eps,
    WIDTH: tl.constexpr, BLOCK: tl.constexpr, NORM: tl.constexpr, INJECT: tl.constexpr, LAST: tl.constexpr,
):  # fmt: skip
    norm_and_inject_row(x, other, injected, z, out, tl.program_id(0), INJECT, LAST, eps, WIDTH, BLOCK, NORM)


class FusedStep:
    """One step of a model in these kernels; called as `Stepper.forward` is. It owns its buffers."""

    def __init__(self, stepper: Stepper, *, tiles: Callable[..., Tile] = tile_for) -> None:
        """Prepares a model whose levels are in half precision, on a card.

        Args:
            stepper: `fits` must hold of it.
            tiles: gives the shape of a kernel's blocks.
        """
        self._stepper = stepper
        self._core: Core = stepper.core
        self._tiles = tiles
        self._buffers: dict[tuple[int, ...], dict[str, Tensor]] = {}

    def __call__(self, z_H: Tensor, z_L: Tensor, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, ...]:
        """Takes a step: (z_H, z_L, q, *outputs), outputs in fp32."""
        z_H, z_L = self._states(z_H.contiguous(), z_L.contiguous(), x.contiguous(), mask)
        outputs = self._stepper.readout(z_H)
        read = (outputs,) if isinstance(outputs, Tensor) else outputs
        return (z_H, z_L, self._core.q(z_H), *(output.float() for output in read))

    def _states(self, z_H: Tensor, z_L: Tensor, x: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        core, buffers = self._core, self._buffers_for(x)
        states = {"H": z_H, "L": z_L}
        updates = core.config.schedule
        self._launch_norm_and_inject(states["L"], states["H"], x, buffers, None, updates[0])
        for index, update in enumerate(updates):
            level = core.L_level if update == "L" else core.high
            last = index + 1 == len(updates)
            state = self._level(level, buffers, mask)
            after = "" if last else updates[index + 1]
            other = "H" if update == "L" else "L"
            states[update] = self._launch_norm_and_inject(
                state, states[other], x, buffers, buffers[f"z_{update}"], after
            )
        return states["H"], states["L"]

    def _buffers_for(self, x: Tensor) -> dict[str, Tensor]:
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
            buffers |= {
                f"{name}_squares": x.new_empty(rows, hidden // NARROWEST, dtype=torch.float32)
                for name in ("sum", "mid")
            }
            self._buffers[key] = buffers
        return self._buffers[key]

    def _level(self, level: Level, buffers: dict[str, Tensor], mask: Tensor | None) -> Tensor:
        """Runs a level's blocks on `buffers["sum"]`; the sum that comes out is not normed."""
        for index, block in enumerate(level.layers):
            assert isinstance(block, Block)
            self._block(block, buffers, mask, first=index == 0)
        return buffers["sum"]

    def _block(self, block: Block, buffers: dict[str, Tensor], mask: Tensor | None, first: bool) -> None:
        attention, mlp = block.self_attn, block.mlp
        assert attention is not None
        self._launch_project(buffers, "sum", attention.qkv_proj.weight, buffers["qkv"], normed=not first)
        self._launch_attend(buffers["qkv"], buffers["joined"], buffers["z_H"].shape, mask)
        self._launch_add(buffers, "sum", buffers["joined"], attention.o_proj.weight, "mid", normed=not first)
        self._launch_project(buffers, "mid", mlp.gate_up_proj.weight, buffers["gated"], gate=True)
        self._launch_add(buffers, "mid", buffers["gated"], mlp.down_proj.weight, "sum")

    def _launch_project(
        self,
        buffers: dict[str, Tensor],
        x: str,
        weight: Tensor,
        out: Tensor,
        *,
        normed: bool = True,
        gate: bool = False,
    ) -> None:
        rows, width = out.shape
        depth = buffers[x].shape[1]
        tile = self._tiles("gate" if gate else "project", rows, width, depth)
        grid = (triton.cdiv(rows, tile.rows), width // tile.columns)
        _project[grid](
            buffers[x], buffers[f"{x}_squares"], weight, out, rows, self._core.config.rms_norm_eps,
            N=width, K=depth, PARTS=self._parts(x, rows), NORMED=normed, GATE=gate,
            BM=tile.rows, BN=tile.columns, BK=tile.depth, num_warps=tile.warps, num_stages=tile.stages,
        )  # fmt: skip

    def _launch_add(
        self, buffers: dict[str, Tensor], x: str, h: Tensor, weight: Tensor, out: str, *, normed: bool = True
    ) -> None:
        rows, width = buffers[x].shape
        tile = self._tiles("add", rows, width, h.shape[1])
        grid = (triton.cdiv(rows, tile.rows), width // tile.columns)
        _add[grid](
            buffers[x], buffers[f"{x}_squares"], h, weight, buffers[out], buffers[f"{out}_squares"], rows,
            self._core.config.rms_norm_eps,
            N=width, K=h.shape[1], PARTS=self._parts(x, rows), NORMED=normed, SPLIT=tile.split,
            BM=tile.rows, BN=tile.columns, BK=tile.depth, num_warps=tile.warps, num_stages=tile.stages,
        )  # fmt: skip

    def _parts(self, x: str, rows: int) -> int:
        """Returns in how many parts the squares of a row were summed: as many as its writer had blocks."""
        config = self._core.config
        depth = config.hidden_size if x == "mid" else config.mlp_width
        return config.hidden_size // self._tiles("add", rows, config.hidden_size, depth).columns

    def _launch_attend(self, qkv: Tensor, out: Tensor, shape: torch.Size, mask: Tensor | None) -> None:
        config = self._core.config
        batch, length = shape[:2]
        rows = batch * length
        tile = self._tiles("attend", rows if rows > MANY else length, config.head_dim, config.head_dim)
        rotary = config.pos_encodings == "rope"
        cos, sin = (self._core.get_buffer(f"rotary_{name}") if rotary else qkv for name in ("cos", "sin"))
        grid = (triton.cdiv(length, tile.rows), batch * config.num_heads)
        _attend[grid](
            qkv, out, cos, sin, qkv if mask is None else mask.view(torch.uint8),
            1 / math.sqrt(config.head_dim), LENGTH=length, HEADS=config.num_heads, HALF=config.head_dim // 2,
            ROTARY=rotary, MASKED=mask is not None, BM=tile.rows, BN=tile.columns,
            num_warps=tile.warps, num_stages=tile.stages,
        )  # fmt: skip

    def _launch_norm_and_inject(
        self,
        x: Tensor,
        other: Tensor,
        injected: Tensor,
        buffers: dict[str, Tensor],
        z: Tensor | None,
        after: str,
    ) -> Tensor:
        """Norms a state into `z` (None: it is normed already); makes the sum that `after` begins with."""
        hidden = self._core.config.hidden_size
        _norm_and_inject[(buffers["sum"].shape[0],)](
            x, other, injected, x if z is None else z, buffers["sum"], self._core.config.rms_norm_eps,
            WIDTH=hidden, BLOCK=triton.next_power_of_2(hidden), NORM=z is not None, INJECT=after == "L",
            LAST=not after, num_warps=4,
        )  # fmt: skip
        return x if z is None else z


def fits(stepper: Stepper) -> bool:
    """Whether these kernels can run a model: half precision, and a configuration that they support."""
    return stepper.core.dtype in (torch.bfloat16, torch.float16) and fits_kernels(stepper.core.config)
