"""The parts of a block as Triton code, a tile each: what a kernel, or one program of a large one, computes.

Norms have no weights and are not computed separately: a row's scale commutes with the matrix that follows.
The kernel that writes a sum writes the squares of its part of each row beside it; the one that reads the
sum adds these up. Reading the squares off the tile that is multiplied would do as well, but Triton 3.6 then
keeps one buffer too few for it, which the next load overwrites while the product still reads (seen on an
H200 with tiles of 64 rows).
"""

import triton  # type: ignore[import-not-found,unused-ignore]
import triton.language as tl  # type: ignore[import-not-found,unused-ignore]


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def row_scale(squares, row, real, normed, eps, K: tl.constexpr, PARTS: tl.constexpr):  # type: ignore[no-untyped-def]
    """What the norm multiplies these rows by, from the sums of their squares; 1 where `normed` is 0."""
    part = tl.arange(0, triton.next_power_of_2(PARTS))
    there = real[:, None] & (part < PARTS)[None, :]
    sums = tl.sum(tl.load(squares + row[:, None] * PARTS + part[None, :], mask=there, other=0.0), 1)
    return tl.where(normed == 0, 1.0, tl.rsqrt(sums / K + eps))


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def project_tile(  # type: ignore[no-untyped-def]
    x, squares, weight, out, block, side, rows, normed, eps,
    N: tl.constexpr, K: tl.constexpr, PARTS: tl.constexpr, GATE: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """out = norm(x) @ weight.T, gated where asked: block of rows `block`, of columns `side`."""
    row = block * BM + tl.arange(0, BM)
    column = side * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    real = row < rows
    scale = row_scale(squares, row, real, normed, eps, K, PARTS)
    total = tl.zeros((BM, BN), tl.float32)
    second = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        a = tl.load(x + row[:, None] * K + (start + depth)[None, :], mask=real[:, None], other=0.0)
        w = tl.load(weight + column[None, :] * K + (start + depth)[:, None])
        total = tl.dot(a, w, total)
        if GATE:
            v = tl.load(weight + (column + N)[None, :] * K + (start + depth)[:, None])
            second = tl.dot(a, v, second)
    total = total * scale[:, None]
    if GATE:
        total = total * tl.sigmoid(total) * (second * scale[:, None])
    place = out + row[:, None] * N + column[None, :]
    tl.store(place, total.to(out.dtype.element_ty), mask=real[:, None])


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def add_tile(  # type: ignore[no-untyped-def]
    x, squares, h, weight, out, squared, block, side, rows, normed, eps,
    N: tl.constexpr, K: tl.constexpr, PARTS: tl.constexpr, SPLIT: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """out = norm(x) + h @ weight.T, and the squares of what is written; SPLIT sums run side by side."""
    row = block * BM + tl.arange(0, BM)
    column = side * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    real = row < rows
    HALF: tl.constexpr = K // SPLIT
    place = row[:, None] * N + column[None, :]
    residual = tl.load(x + place, mask=real[:, None], other=0.0).to(tl.float32)
    residual = residual * row_scale(squares, row, real, normed, eps, N, PARTS)[:, None]
    total = tl.zeros((BM, BN), tl.float32)
    second = tl.zeros((BM, BN), tl.float32)
    for start in range(0, HALF, BK):
        a = tl.load(h + row[:, None] * K + (start + depth)[None, :], mask=real[:, None], other=0.0)
        w = tl.load(weight + column[None, :] * K + (start + depth)[:, None])
        total = tl.dot(a, w, total)
        if SPLIT == 2:
            far = HALF + start + depth
            b = tl.load(h + row[:, None] * K + far[None, :], mask=real[:, None], other=0.0)
            v = tl.load(weight + column[None, :] * K + far[:, None])
            second = tl.dot(b, v, second)
    written = (residual + (total + second)).to(out.dtype.element_ty)
    tl.store(out + place, written, mask=real[:, None])
    wide = written.to(tl.float32)
    tl.store(squared + row * (N // BN) + side, tl.sum(wide * wide, 1), mask=real)


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def attend_tile(  # type: ignore[no-untyped-def]
    qkv, out, cos, sin, mask, block, side, scale,
    length, HEADS: tl.constexpr, HALF: tl.constexpr, ROTARY: tl.constexpr, MASKED: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """Attention of block `block` of queries; `side` counts heads, row by row; heads are rotated by halves."""
    D: tl.constexpr = 2 * HALF
    WIDTH: tl.constexpr = HEADS * D
    head = side % HEADS
    first = (side // HEADS) * length
    query = block * BM + tl.arange(0, BM)
    half = tl.arange(0, HALF)
    whole = tl.arange(0, D)
    inside = query < length
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
    for start in range(0, length, BN):
        key = start + tl.arange(0, BN)
        there = key < length
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
        value = tl.load(values, mask=(key < length)[:, None], other=0.0)
        total = tl.dot(weights.to(value.dtype), value, total * fade[:, None])
        top = higher
    place = out + (first + query)[:, None] * WIDTH + head * D + whole[None, :]
    tl.store(place, (total / shares[:, None]).to(out.dtype.element_ty), mask=inside[:, None])


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def norm_and_inject_row(  # type: ignore[no-untyped-def]
    x, other, injected, z, out, row, inject, last, eps,
    WIDTH: tl.constexpr, BLOCK: tl.constexpr, NORM: tl.constexpr,
):  # fmt: skip
    """z = norm(x), for one row; out = z + other (+ injected), what the next update begins with."""
    column = tl.arange(0, BLOCK)
    real = column < WIDTH
    place = row * WIDTH + column
    state = tl.load(x + place, mask=real, other=0.0).to(tl.float32)
    if NORM:
        state = state * tl.rsqrt(tl.sum(state * state, 0) / WIDTH + eps)
        tl.store(z + place, state.to(z.dtype.element_ty), mask=real)
    going_on = real & (last == 0)
    state += tl.load(other + place, mask=going_on, other=0.0).to(tl.float32)
    state += tl.load(injected + place, mask=going_on & (inject != 0), other=0.0).to(tl.float32)
    tl.store(out + place, state.to(out.dtype.element_ty), mask=going_on)
