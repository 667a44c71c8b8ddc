"""Which devices a model can run on here, and the engines that run one ACT step on them.

`available` lists the backends with their devices, `choose` makes a `DevicePlan` with its reason,
`open_engine` builds the engine that the plan names, and `Ladder` names the next plan after a fault. Names
are imported on first use, so that the values alone do not import torch.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hrm.backends.engines.base import Engine
    from hrm.backends.engines.opening import open_engine
    from hrm.backends.engines.torch_engine import TorchEngine
    from hrm.backends.fallback import Ladder
    from hrm.backends.faults import Fault, fault_of_error, fault_of_exit
    from hrm.backends.placement import BackendInfo, DeviceInfo, DevicePlan
    from hrm.backends.probing.available import available
    from hrm.backends.probing.choosing import backends_and_proof, choose
    from hrm.backends.probing.proof import Proof, working

_MODULES = {
    "BackendInfo": "placement",
    "DevicePlan": "placement",
    "DeviceInfo": "placement",
    "Engine": "engines.base",
    "Fault": "faults",
    "Ladder": "fallback",
    "TorchEngine": "engines.torch_engine",
    "available": "probing.available",
    "choose": "probing.choosing",
    "fault_of_error": "faults",
    "fault_of_exit": "faults",
    "Proof": "probing.proof",
    "backends_and_proof": "probing.choosing",
    "open_engine": "engines.opening",
    "working": "probing.proof",
}
__all__ = [
    "BackendInfo",
    "DeviceInfo",
    "DevicePlan",
    "Engine",
    "Fault",
    "Ladder",
    "Proof",
    "TorchEngine",
    "available",
    "backends_and_proof",
    "choose",
    "fault_of_error",
    "fault_of_exit",
    "open_engine",
    "working",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'hrm.backends' has no attribute {name!r}")
    return getattr(import_module(f"hrm.backends.{_MODULES[name]}"), name)
