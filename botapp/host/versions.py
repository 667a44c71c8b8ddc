"""Which versions of the packages that matter are installed."""

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
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "missing"
    return found
