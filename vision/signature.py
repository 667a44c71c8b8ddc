"""Perceptual hashes (signatures) of icons, portraits and written names, as hexadecimal text.

Signatures are compared by cosine similarity, independent of size and of darkening; a picture and a written
name never match. The app stores the signatures of what the player has named.
"""

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
Vector = npt.NDArray[np.float32]

SAME = 0.86  # Two signatures at least this similar are of the same picture

_GRID = 8
_TINT = 4
_LENGTH = _GRID * _GRID + 2 * _TINT * _TINT
_STEP = 40.0
_TINT_SHARE = 0.4
_NAME_GRID = (8, 64)
_NAME_LENGTH = 1 + _NAME_GRID[0] * _NAME_GRID[1]
_ASPECT_STEP, _ASPECT_SLACK = 20.0, 0.12
_SOFT = 1.1
_FLAT = 3.0
_SMALLEST = 6
_XYZ = np.array(
    [(0.180423, 0.072169, 0.950227), (0.357580, 0.715160, 0.119193), (0.412453, 0.212671, 0.019334)],
    np.float32,
) / np.array((0.950456, 1.0, 1.088754), np.float32)
"""From linear blue, green and red to X, Y and Z, relative to the D65 white point."""


def signature(bgr: Picture) -> str:
    """Returns a picture's signature, "" where it is uniform or too small.

    Args:
        bgr: the picture, uint8, shape (height, width, 3).
    """
    if min(bgr.shape[:2]) < _SMALLEST:
        return ""
    floating = np.ascontiguousarray(bgr, np.float32) / 255
    small = cv2.resize(floating, (_GRID, _GRID), interpolation=cv2.INTER_AREA)
    lab = _lab(np.asarray(small, np.float32))
    light = lab[..., 0]
    if light.std() < _FLAT:
        return ""
    tint = np.asarray(cv2.resize(lab[..., 1:], (_TINT, _TINT), interpolation=cv2.INTER_AREA), np.float32)
    parts = np.concatenate([_unit(light - light.mean()), _unit(tint)])
    return np.clip(np.rint(parts * _STEP), -127, 127).astype(np.int8).tobytes().hex()


def name_signature(ink: Vector) -> str:
    """Returns the signature of a written line, "" where it is empty or too small.

    Args:
        ink: how bright each pixel is, cut to the line's ink, shape (height, width).
    """
    if min(ink.shape) < _SMALLEST or float(np.ptp(ink)) < 2 * _FLAT:
        return ""
    tall, wide = _NAME_GRID
    small = np.asarray(cv2.resize(ink, (wide, tall), interpolation=cv2.INTER_AREA), np.float32)
    small = np.asarray(cv2.GaussianBlur(small, (0, 0), sigmaX=_SOFT, sigmaY=_SOFT), np.float32)
    strokes = _unit(small - small.mean(axis=1, keepdims=True))
    aspect = np.float32(np.log(ink.shape[1] / ink.shape[0]) * _ASPECT_STEP)
    parts = np.append(aspect, strokes * _STEP)
    return np.clip(np.rint(parts), -127, 127).astype(np.int8).tobytes().hex()


@lru_cache(maxsize=1024)  # a fight compares the same few portraits in each picture
def likeness(first: str, second: str) -> float:
    """Returns the similarity of two signatures: 1 for equal ones, 0 or less for unrelated pictures.

    Raises:
        ValueError: one of them is no signature.
    """
    if not first or not second:
        return 0.0
    left, right = _vector(first), _vector(second)
    if left.size != right.size:
        return 0.0
    if left.size == _NAME_LENGTH:
        alike = max(0.0, _cosine(left[1:], right[1:]))
        return alike**2 if abs(left[0] - right[0]) <= _ASPECT_SLACK * _ASPECT_STEP else 0.0
    light = _cosine(left[: _GRID * _GRID], right[: _GRID * _GRID])
    tint = _cosine(left[_GRID * _GRID :], right[_GRID * _GRID :])
    return (1 - _TINT_SHARE) * light + _TINT_SHARE * tint


def _lab(bgr: Vector) -> Vector:
    """Returns colours (sRGB, 0..1, blue first) in CIE L*a*b*.

    OpenCV's conversion builds tables at its first call, which takes longer than reading a whole frame.
    """
    light = np.where(bgr <= 0.04045, bgr / 12.92, ((bgr + 0.055) / 1.055) ** 2.4)
    xyz = light @ _XYZ
    root = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz * ((29 / 6) ** 2 / 3) + 4 / 29)
    x, y, z = np.moveaxis(root, -1, 0)
    return np.asarray(np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1), np.float32)


def _unit(values: Vector) -> Vector:
    """Returns values flattened and scaled to a mean square of 1; nearly constant ones stay near 0."""
    flat = values.ravel()
    return np.asarray(flat / max(1.0, float(np.sqrt((flat**2).mean()))), np.float32)


def _vector(text: str) -> Vector:
    values = np.frombuffer(bytes.fromhex(text), np.int8)
    if values.size not in (_LENGTH, _NAME_LENGTH):
        raise ValueError(f"a signature has {_LENGTH} or {_NAME_LENGTH} numbers, this text has {values.size}")
    return values.astype(np.float32)


def _cosine(left: Vector, right: Vector) -> float:
    return float(left @ right / max(1e-6, float(np.linalg.norm(left) * np.linalg.norm(right))))
