"""What hardware a model can run on here, and the engines that run one ACT step on it.

`available` says what there is and why not the rest, `choose` turns a wish into a `Choice` with the reason,
`open_engine` builds the engine it names, and `Ladder` says where to go on after a fault. Names are fetched on
first use, so that the values alone cost no torch. Next hop: `hrm.backends.engines.torch_engine` runs a step.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hrm.backends.engines.torch_engine import Engine, TorchEngine, open_engine
    from hrm.backends.fallback import Fault, Ladder, fault_of_error, fault_of_exit
    from hrm.backends.placement import BackendInfo, Choice, DeviceInfo
    from hrm.backends.probing.choosing import available, choose, known
    from hrm.backends.probing.proof import Proof, working

_HOMES = {
    "BackendInfo": "placement",
    "Choice": "placement",
    "DeviceInfo": "placement",
    "Engine": "engines.torch_engine",
    "Fault": "fallback",
    "Ladder": "fallback",
    "TorchEngine": "engines.torch_engine",
    "available": "probing.choosing",
    "choose": "probing.choosing",
    "fault_of_error": "fallback",
    "fault_of_exit": "fallback",
    "Proof": "probing.proof",
    "known": "probing.choosing",
    "open_engine": "engines.torch_engine",
    "working": "probing.proof",
}
__all__ = [
    "BackendInfo",
    "Choice",
    "DeviceInfo",
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
