"""The weights that come with the app."""

from importlib.resources import files
from pathlib import Path

from botapp.host.message import say

_FOLDER = Path(str(files("resources").joinpath("weights")))
DEFAULT_WEIGHTS = _FOLDER / "advisor-lite.safetensors"
FULL_WEIGHTS = _FOLDER / "advisor-full-1.safetensors"
REMEDY = say("install botapp again to bring the model back")
_CARDS = "cuda", "rocm"


def weights_for(backend: str) -> Path:
    """Returns the file of a backend's model: `full` on a card that PyTorch drives itself, else `lite`."""
    return FULL_WEIGHTS if backend in _CARDS and FULL_WEIGHTS.is_file() else DEFAULT_WEIGHTS
