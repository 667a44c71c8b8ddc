"""The weights that come with the app. Next hop: `botapp.advisor.thinker` loads them."""

from importlib.resources import files
from pathlib import Path

from botapp.host.message import say

DEFAULT_WEIGHTS = Path(str(files("resources").joinpath("weights", "advisor-lite.safetensors")))
REMEDY = say("install botapp again to bring the model back")
