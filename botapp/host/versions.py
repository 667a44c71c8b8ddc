"""Which versions of the packages that matter are installed."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version

PACKAGES = (
    "botapp",
    "torch",
    "numpy",
    "numba",
    "PySide6-Essentials",
    "mss",
    "opencv-python-headless",
    "onnxruntime",
)


def versions() -> dict[str, str]:
    """Returns the versions of the packages that matter, "missing" for one that is not installed."""
    return {name: _version(name) for name in PACKAGES}


@cache
def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"
