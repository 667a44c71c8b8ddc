"""One ACT step in one launch (NVIDIA): persistent programs that synchronise after each part of a block.

`hrm.backends.kernels.fused` takes some 130 launches a step, each of a few microseconds of overhead. Here as
many programs as the card runs at once go through the whole step together: each takes its tiles of a part,
then waits at a barrier. Meanwhile the weights that come next are prefetched into the cache. The launch is
cooperative, so that all programs are resident or none; a program that waits for too long goes on, and the
states it writes are NaN.
"""

import math

import torch
import triton  # type: ignore[import-not-found,unused-ignore]
import triton.language as tl  # type: ignore[import-not-found,unused-ignore]
from torch import Tensor

from hrm.act import Stepper
from hrm.backends.kernels.blocks import add_tile, attend_tile, norm_and_inject_row, project_tile
from hrm.backends.kernels.fused import FusedStep, fits
from hrm.backends.kernels.tiles import layout_for
from hrm.layers import Block

_BARRIER_TRIES = tl.constexpr(1 << 16)  # How often a program polls the barrier before it gives up; some 50 ms

_LINE = tl.constexpr(64)  # Numbers in a line of the cache (128 bytes)

_FEWEST = tl.constexpr(128)
"""Programs among which the prefetch of weights is divided; with fewer, some weights are not prefetched."""

_DONE = tl.constexpr(32)  # Offset of the second counter, on a cache line of its own


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _barrier(counter, target, weight, COUNT: tl.constexpr, SINGLE: tl.constexpr):  # type: ignore[no-untyped-def]
    """Waits until all programs have arrived and their writes are visible; returns 1 if they did not.

    Meanwhile a program prefetches its share of COUNT weights into the second-level cache.
    """
    lost = 0
    if not SINGLE:
        tl.debug_barrier()
        tl.atomic_add(counter, 1, sem="release", scope="gpu")
        if COUNT > 0:
            share = tl.arange(0, triton.next_power_of_2(COUNT // _LINE // _FEWEST + 1))
            line = tl.program_id(0) + tl.num_programs(0) * share
            place = weight + tl.minimum(line, COUNT // _LINE - 1) * _LINE
            tl.inline_asm_elementwise(
                "prefetch.global.L2 [$1]; mov.u32 $0, 0;", "=r,l", [place], tl.int32, is_pure=False, pack=1
            )
        seen = tl.full((), 0, tl.int32)
        tries = tl.full((), 0, tl.int32)
        while (seen < target) & (tries < _BARRIER_TRIES):
            seen = tl.inline_asm_elementwise(
                "ld.acquire.gpu.global.b32 $0, [$1];", "=r,l", [counter], tl.int32, is_pure=False, pack=1
            )
            tries += 1
        lost = (seen < target).to(tl.int32)
    return lost


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _whole_step(  # type: ignore[no-untyped-def] # noqa: PLR0912, PLR0915 (a whole step)
    high_in, low_in, injected, z, total, mid, qkv, joined, gated, total_squares, mid_squares,
    qkv_weight, out_weight, gate_weight, down_weight, cos, sin, mask, counter, rows, length, scale, eps,
    UPDATES: tl.constexpr, CYCLE: tl.constexpr, L_LAYERS: tl.constexpr, H_LAYERS: tl.constexpr,
    H_BASE: tl.constexpr, HIDDEN: tl.constexpr, INNER: tl.constexpr, BLOCK: tl.constexpr,
    HEADS: tl.constexpr, HALF: tl.constexpr, ROTARY: tl.constexpr, MASKED: tl.constexpr,
    PM: tl.constexpr, PN: tl.constexpr, PK: tl.constexpr, AM: tl.constexpr, AN: tl.constexpr,
    OM: tl.constexpr, ON: tl.constexpr, OK: tl.constexpr, GM: tl.constexpr, GN: tl.constexpr,
    GK: tl.constexpr, DM: tl.constexpr, DN: tl.constexpr, DK: tl.constexpr, SPLIT: tl.constexpr,
    PREFETCH: tl.constexpr, SINGLE: tl.constexpr,
):  # fmt: skip
    program = tl.program_id(0)
    programs = tl.num_programs(0)
    size = rows * HIDDEN
    column = tl.arange(0, BLOCK)
    real = column < HIDDEN
    for row in range(program, rows, programs):
        place = row * HIDDEN + column
        tl.store(z + size + place, tl.load(high_in + place, mask=real), mask=real)
        tl.store(z + place, tl.load(low_in + place, mask=real), mask=real)
        norm_and_inject_row(low_in, high_in, injected, z, total, row, 1, 0, eps, HIDDEN, BLOCK, False)
    met = programs
    lost = _barrier(counter, met, qkv_weight, 0, SINGLE)
    for update in range(0, UPDATES):
        high = (update % CYCLE) // (CYCLE - 1)
        high_next = ((update + 1) % CYCLE) // (CYCLE - 1)
        layers = L_LAYERS + high * (H_LAYERS - L_LAYERS)
        for layer in range(0, layers):
            index = high * H_BASE + layer
            ending = (layer + 1) // layers
            index_next = (1 - ending) * (index + 1) + ending * high_next * H_BASE

            weight = qkv_weight + index * (3 * HIDDEN * HIDDEN)
            for tile in range(program, tl.cdiv(rows, PM) * (3 * HIDDEN // PN), programs):
                block, side = tile // (3 * HIDDEN // PN), tile % (3 * HIDDEN // PN)
                project_tile(
                    total, total_squares, weight, qkv, block, side, rows, layer, eps,
                    3 * HIDDEN, HIDDEN, HIDDEN // DN, False, PM, PN, PK,
                )  # fmt: skip
            met += programs
            following = out_weight + index * (HIDDEN * HIDDEN)
            lost |= _barrier(counter, met, following, PREFETCH * HIDDEN * HIDDEN, SINGLE)

            for tile in range(program, tl.cdiv(length, AM) * (rows // length * HEADS), programs):
                block, side = tile // (rows // length * HEADS), tile % (rows // length * HEADS)
                attend_tile(
                    qkv, joined, cos, sin, mask, block, side, scale, length,
                    HEADS, HALF, ROTARY, MASKED, AM, AN,
                )  # fmt: skip
            met += programs
            following = gate_weight + index * (2 * HIDDEN * INNER)
            lost |= _barrier(counter, met, following, PREFETCH * 2 * HIDDEN * INNER, SINGLE)

            weight = out_weight + index * (HIDDEN * HIDDEN)
            for tile in range(program, tl.cdiv(rows, OM) * (HIDDEN // ON), programs):
                add_tile(
                    total, total_squares, joined, weight, mid, mid_squares,
                    tile // (HIDDEN // ON), tile % (HIDDEN // ON), rows, layer, eps,
                    HIDDEN, HIDDEN, HIDDEN // DN, SPLIT, OM, ON, OK,
                )  # fmt: skip
            met += programs
            following = down_weight + index * (HIDDEN * INNER)
            lost |= _barrier(counter, met, following, PREFETCH * HIDDEN * INNER, SINGLE)

            weight = gate_weight + index * (2 * HIDDEN * INNER)
            for tile in range(program, tl.cdiv(rows, GM) * (INNER // GN), programs):
                project_tile(
                    mid, mid_squares, weight, gated, tile // (INNER // GN), tile % (INNER // GN),
                    rows, 1, eps, INNER, HIDDEN, HIDDEN // ON, True, GM, GN, GK,
                )  # fmt: skip
            met += programs
            following = qkv_weight + index_next * (3 * HIDDEN * HIDDEN)
            lost |= _barrier(counter, met, following, PREFETCH * 3 * HIDDEN * HIDDEN, SINGLE)

            weight = down_weight + index * (HIDDEN * INNER)
            for tile in range(program, tl.cdiv(rows, DM) * (HIDDEN // DN), programs):
                add_tile(
                    mid, mid_squares, gated, weight, total, total_squares,
                    tile // (HIDDEN // DN), tile % (HIDDEN // DN), rows, 1, eps,
                    HIDDEN, INNER, HIDDEN // ON, SPLIT, DM, DN, DK,
                )  # fmt: skip
            met += programs
            lost |= _barrier(counter, met, qkv_weight, 0, SINGLE)
        last = (update + 1) // UPDATES
        for row in range(program, rows, programs):
            norm_and_inject_row(
                total, z + (1 - high) * size, injected, z + high * size, total, row, 1 - high_next, last, eps,
                HIDDEN, BLOCK, True,
            )  # fmt: skip
        met += programs
        lost |= _barrier(counter, met, qkv_weight, 0, SINGLE)
    if not SINGLE:
        if lost != 0:
            for row in range(program, rows, programs):
                nothing = tl.full((BLOCK,), float("nan"), tl.float32).to(z.dtype.element_ty)
                tl.store(z + row * HIDDEN + column, nothing, mask=real)
                tl.store(z + size + row * HIDDEN + column, nothing, mask=real)
        left = tl.atomic_add(counter + _DONE, 1, sem="acq_rel", scope="gpu")
        if left == programs - 1:
            tl.store(counter, 0)
            tl.store(counter + _DONE, 0)


class PersistentStep(FusedStep):
    """One step of a model in one kernel; called as `FusedStep` is."""

    def __init__(self, stepper: Stepper, *, single: bool = False, programs: int = 0) -> None:
        """Prepares a model; its weights are moved into one tensor for each kind, indexed by layer.

        Args:
            stepper: `can_persist` must hold of it, or `single`.
            single: one program runs everything without a barrier, as in Triton's interpreter.
            programs: in a launch, 0 for one on each multiprocessor of the card.
        """
        super().__init__(stepper)
        self._single = single
        levels = [self._core.L_level]
        if self._core.high is not self._core.L_level:
            levels.append(self._core.high)
        blocks = [block for level in levels for block in level.layers]
        self._weights = {
            kind: _stacked([_parameter(block, kind) for block in blocks])
            for kind in ("qkv", "out", "gate", "down")
        }
        device = self._weights["qkv"].device
        self._counter = torch.zeros(64, dtype=torch.int32, device=device)
        self._programs = programs or 1
        if not single and not programs:
            self._programs = torch.cuda.get_device_properties(device).multi_processor_count

    def _states(self, z_H: Tensor, z_L: Tensor, x: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        core, config = self._core, self._core.config
        buffers = self._buffers_for(x)
        batch, length, hidden = x.shape
        layout = layout_for(batch * length, hidden, config.mlp_width)
        rotary = config.pos_encodings == "rope"
        cos, sin = (
            core.get_buffer(f"rotary_{name}") if rotary else buffers["qkv"] for name in ("cos", "sin")
        )
        shared = core.high is core.L_level
        weights = self._weights
        _whole_step[(self._programs * (1 if self._single else layout.each),)](
            z_H, z_L, x, buffers["z"], buffers["sum"], buffers["mid"], buffers["qkv"],
            buffers["joined"], buffers["gated"],
            buffers["sum_squares"], buffers["mid_squares"],
            weights["qkv"], weights["out"], weights["gate"], weights["down"], cos, sin,
            buffers["qkv"] if mask is None else mask.view(torch.uint8), self._counter,
            batch * length, length, 1 / math.sqrt(config.head_dim), config.rms_norm_eps,
            UPDATES=len(config.schedule), CYCLE=config.L_cycles + 1, L_LAYERS=len(core.L_level.layers),
            H_LAYERS=len(core.high.layers), H_BASE=0 if shared else len(core.L_level.layers),
            HIDDEN=hidden, INNER=config.mlp_width, BLOCK=triton.next_power_of_2(hidden),
            HEADS=config.num_heads, HALF=config.head_dim // 2, ROTARY=rotary, MASKED=mask is not None,
            PM=layout.project[0], PN=layout.project[1], PK=layout.project[2],
            AM=layout.attend[0], AN=layout.attend[1],
            OM=layout.out[0], ON=layout.out[1], OK=layout.out[2],
            GM=layout.gate[0], GN=layout.gate[1], GK=layout.gate[2],
            DM=layout.down[0], DN=layout.down[1], DK=layout.down[2],
            SPLIT=layout.split, PREFETCH=1, SINGLE=self._single,
            num_warps=layout.warps, num_stages=layout.stages,
            **({} if self._single else {"launch_cooperative_grid": True}),
        )  # fmt: skip
        return buffers["z_H"], buffers["z_L"]

    def _buffers_for(self, x: Tensor) -> dict[str, Tensor]:
        buffers = super()._buffers_for(x)
        if "z" not in buffers:
            buffers["z"] = x.new_empty(2, *x.shape)
            buffers["z_L"], buffers["z_H"] = buffers["z"]
        return buffers


def can_persist(stepper: Stepper) -> bool:
    """Whether the kernel can run a model here: `fits` holds, and the card is NVIDIA's."""
    device = next(stepper.core.parameters()).device
    return fits(stepper) and device.type == "cuda" and torch.version.hip is None


def _parameter(block: torch.nn.Module, kind: str) -> torch.nn.Parameter:
    assert isinstance(block, Block)
    attention = block.self_attn
    assert attention is not None
    layers = {
        "qkv": attention.qkv_proj,
        "out": attention.o_proj,
        "gate": block.mlp.gate_up_proj,
        "down": block.mlp.down_proj,
    }
    return layers[kind].weight


def _stacked(parameters: list[torch.nn.Parameter]) -> Tensor:
    """Moves parameters of one shape into one tensor, of which they become parts."""
    whole = torch.stack([parameter.detach() for parameter in parameters])
    for parameter, part in zip(parameters, whole, strict=True):
        parameter.data = part
    return whole
