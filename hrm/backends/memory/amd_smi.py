"""AMD's own management library, for where its driver's files in sysfs cannot be read (in some containers).

The package `amdsmi` comes with ROCm and is optional; written from its documentation, not run on hardware.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from hrm.backends.memory.reading import CardAddress, Reading

_MIB = 1 << 20


class AmdSmi:
    """The library's figures of a card; what it answers "N/A" to is unknown."""

    def read(self, address: CardAddress) -> Reading | None:
        library = load_library() if address.pci is not None else None
        if library is None:
            return None
        try:
            card = library.amdsmi_get_processor_handle_from_bdf(address.pci)
        except library.AmdSmiException:
            return None
        memory = _asked(library, lambda: library.amdsmi_get_gpu_vram_usage(card))
        total, used = _first(memory, "vram_total"), _first(memory, "vram_used")
        if total is None or used is None:
            return None
        sensor, now = library.AmdSmiTemperatureType.EDGE, library.AmdSmiTemperatureMetric.CURRENT
        power = _asked(library, lambda: library.amdsmi_get_power_info(card))
        busy = _first(_asked(library, lambda: library.amdsmi_get_gpu_activity(card)), "gfx_activity")
        heat = _asked(library, lambda: {"edge": library.amdsmi_get_temp_metric(card, sensor, now)})
        clock = _asked(library, lambda: library.amdsmi_get_clock_info(card, library.AmdSmiClkType.GFX))
        return Reading(
            int(total) * _MIB,
            int(used) * _MIB,
            power_w=_first(power, "socket_power", "current_socket_power", "average_socket_power"),
            temperature_c=_first(heat, "edge"),
            busy=None if busy is None else busy / 100,
            clock_mhz=_first(clock, "clk", "cur_clk"),
            source="amd-smi",
        )


@cache
def load_library() -> Any:
    """Returns the library, begun; None where it is not installed or finds no driver."""
    try:
        import amdsmi  # noqa: PLC0415 - optional
    except (ImportError, OSError, KeyError):  # without ROCm it fails in any of these ways
        return None
    try:
        amdsmi.amdsmi_init()
    except amdsmi.AmdSmiException:
        return None
    return amdsmi


def _asked(library: Any, question: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return question()
    except library.AmdSmiException:
        return {}


def _first(answer: dict[str, Any], *names: str) -> float | None:
    return next((float(answer[name]) for name in names if isinstance(answer.get(name), int | float)), None)
