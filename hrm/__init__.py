"""The Hierarchical Reasoning Model as a library of its own, independent of games, Qt and windows.

`create_model` is the entry point; `hrm.model` and `hrm.act` are the parts. Names are imported on first use,
so that `import hrm` does not load torch.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hrm.act import Deliberation, Halting, Stepper, deliberate, step
    from hrm.config import PRESETS, Config, preset
    from hrm.model import HRM, Carry, Core
    from hrm.reasoner import Reasoner, TokenDeliberation, create_model

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # else ONNX Runtime 1.29 and later sends usage reports by itself

_MODULES = {
    "Carry": "model",
    "Config": "config",
    "Core": "model",
    "Deliberation": "act",
    "HRM": "model",
    "Halting": "act",
    "PRESETS": "config",
    "Reasoner": "reasoner",
    "Stepper": "act",
    "TokenDeliberation": "reasoner",
    "create_model": "reasoner",
    "deliberate": "act",
    "preset": "config",
    "step": "act",
}
__all__ = [
    "HRM",
    "PRESETS",
    "Carry",
    "Config",
    "Core",
    "Deliberation",
    "Halting",
    "Reasoner",
    "Stepper",
    "TokenDeliberation",
    "create_model",
    "deliberate",
    "preset",
    "step",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'hrm' has no attribute {name!r}")
    return getattr(import_module(f"hrm.{_MODULES[name]}"), name)
