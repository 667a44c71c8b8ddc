"""What hardware a model can run on here, and the engines that run one ACT step on it.

`available` says what there is and why not the rest, `choose` turns a wish into a device and a precision with
the reason. Next hop: `hrm.backends.engines` runs a step there.
"""

from hrm.backends.engines import Engine, TorchEngine
from hrm.backends.probe import BackendInfo, Choice, DeviceInfo, available, choose

__all__ = ["BackendInfo", "Choice", "DeviceInfo", "Engine", "TorchEngine", "available", "choose"]
