"""What a probe found about this computer's cards: nothing known to fail is chosen again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from hrm.backends.architectures import Precision
from hrm.backends.placement import BackendInfo
from hrm.message import join, say

AGAIN = say("press Probe again in the settings once that is put right")


@dataclass(frozen=True, slots=True)
class Proof:
    """The findings about each card; a CPU needs none."""

    # By device, the fastest precision with correct results
    best: Mapping[str, Precision] = field(default_factory=dict)
    # By device and precision ("" where it is about the device itself), why that does not work
    failed: Mapping[tuple[str, str], str] = field(default_factory=dict)
    graphs: frozenset[str] = frozenset()  # AMD devices on which a step captured in a graph was correct
    # Devices and precisions in which flash attention was correct
    flash: frozenset[tuple[str, str]] = frozenset()

    def failure_of(self, device: str) -> str:
        """Returns why nothing works on a device, "" where something does or nothing is known."""
        if device in self.best:
            return ""
        return next((why for (failed, _), why in self.failed.items() if failed == device), "")


NO_PROOF = Proof()


def working(backends: Sequence[BackendInfo], proof: Proof) -> list[BackendInfo]:
    """Returns the backends without the devices on which nothing works; one left without a device says why."""
    judged = [_working(info, proof) for info in backends if info.name != "auto"]
    best = next((info for info in judged if info.usable), None)
    if best is None:
        return judged
    return [
        BackendInfo("auto", True, say("takes {name} here", name=best.name), best.devices),
        *judged,
    ]


def _working(info: BackendInfo, proof: Proof) -> BackendInfo:
    whys = [why for device in info.devices if (why := proof.failure_of(device.name))]
    left = tuple(device for device in info.devices if not proof.failure_of(device.name))
    if left or not whys:
        return replace(info, devices=left)
    reason = join((say("a probe found it unusable ({why})", why=whys[0]), AGAIN))
    return replace(info, usable=False, reason=reason, devices=())
