"""Which devices a model can run on here, and the engines that run one ACT step on them.

`available` lists the backends with their devices, `choose` turns a wish into a `DevicePlan` with its reason,
`open_engine` builds the engine that the plan names, and `Ladder` says where to go on after a fault. Names are
fetched on first use, so that the values alone do not import torch. Next hop:
`hrm.backends.engines.torch_engine` runs a step.
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
    from hrm.backends.probing.choosing import choose, known
    from hrm.backends.probing.proof import Proof, working

_HOMES = {
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
    "known": "probing.choosing",
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
    "choose",
    "fault_of_error",
    "fault_of_exit",
    "known",
    "open_engine",
    "working",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hrm.backends' has no attribute {name!r}")
    return getattr(import_module(f"hrm.backends.{_HOMES[name]}"), name)
