"""Finds the graphics cards in a `Machine`, each known by its gfx name and its PCI address, never by a number.

Linux tells them in sysfs and in the topology of AMD's compute driver, Windows through DXGI.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from botapp.doctor.machine import Machine
from hrm.backends.architectures import amd_cards, shares_memory
from hrm.backends.memory.pdh import is_integrated

AMD, NVIDIA, INTEL = 0x1002, 0x10DE, 0x8086
_VENDORS = {AMD: "AMD", NVIDIA: "NVIDIA", INTEL: "Intel"}
_NODE = re.compile(r"/sys/class/kfd/kfd/topology/nodes/(\d+)/properties")
_CARD = re.compile(r"(/sys/class/drm/card(\d+)/device)/vendor")


@dataclass(frozen=True, slots=True)
class GraphicsCard:
    """A graphics card.

    Attributes:
        vendor: AMD, NVIDIA, Intel or a number.
        gfx: the chip as ROCm calls it, "" where unknown or not AMD's.
        pci: its address, "" on Windows.
        total, used: bytes of its own memory, for an integrated one of the computer's too; None where unknown.
        spilled: bytes of the computer's memory it uses.
    """

    vendor: str
    title: str
    gfx: str = ""
    pci: str = ""
    integrated: bool = False
    total: int | None = None
    used: int | None = None
    spilled: int | None = None
    power_w: float | None = None

    @property
    def name(self) -> str:
        """The card for a person: its title, its chip and where it sits."""
        details = ", ".join(part for part in (self.gfx, self.pci) if part)
        return f"{self.title} ({details})" if details else self.title


def cards(machine: Machine) -> tuple[GraphicsCard, ...]:
    """Returns the machine's cards, in the system's order."""
    return tuple(_windows(machine) if machine.system == "windows" else _linux(machine))


def amd(machine: Machine) -> tuple[GraphicsCard, ...]:
    """Returns AMD's cards that stand for themselves, or the integrated ones where there are no others."""
    ours = [card for card in cards(machine) if card.vendor == "AMD"]
    return tuple(card for card in ours if not card.integrated) or tuple(ours)


def gfx_name(target: int) -> str:
    """Returns the gfx name of the driver's `gfx_target_version`: 110001 is gfx1101, 90010 is gfx90a."""
    return f"gfx{target // 10000}{target // 100 % 100:x}{target % 100:x}"


def _linux(machine: Machine) -> Iterator[GraphicsCard]:
    nodes = dict(_topology(machine))
    marketing = _marketing_names(machine.outputs.get("rocminfo", ""))
    smi = _nvidia_smi(machine.outputs.get("nvidia-smi", ""))
    found = [match for path in machine.files if (match := _CARD.fullmatch(path))]
    for match in sorted(found, key=lambda match: int(match[2])):
        folder = match[1]
        vendor = _hex(machine.file(f"{folder}/vendor"))
        pci = _slot(machine.file(f"{folder}/uevent") or "")
        known = amd_cards().get(_hex(machine.file(f"{folder}/device")), {}) if vendor == AMD else {}
        gfx = nodes.get(pci) or known.get("gfx", "")
        own = smi.pop(pci.split(":", 1)[-1], {})
        device = machine.file(f"{folder}/device") or "?"
        unnamed = f"{_VENDORS.get(vendor, f'0x{vendor:04x}')} {device}"
        card = GraphicsCard(
            _VENDORS.get(vendor, f"0x{vendor:04x}"),
            own.get("title") or marketing.get(gfx) or known.get("title") or unnamed,
            gfx,
            pci,
            shares_memory(gfx) if gfx else vendor == INTEL,
            own.get("total", _integer(machine.file(f"{folder}/mem_info_vram_total"))),
            own.get("used", _integer(machine.file(f"{folder}/mem_info_vram_used"))),
            _integer(machine.file(f"{folder}/mem_info_gtt_used")),
            own.get("power_w", _power(machine, folder)),
        )
        yield _with_room(card, _integer(machine.file(f"{folder}/mem_info_gtt_total")))
    for bus, own in smi.items():  # a card for computing alone is in no list of screens
        yield GraphicsCard(
            "NVIDIA",
            own["title"],
            pci=f"0000:{bus}",
            total=own.get("total"),
            used=own.get("used"),
            power_w=own.get("power_w"),
        )


def _topology(machine: Machine) -> Iterator[tuple[str, str]]:
    for path, text in machine.files.items():
        if not _NODE.fullmatch(path):
            continue
        values = {
            name: int(value)
            for name, _, value in (line.partition(" ") for line in text.splitlines())
            if value.strip().isdigit()
        }
        target, place = values.get("gfx_target_version", 0), values.get("location_id", 0)
        if target:
            domain = values.get("domain", 0)
            pci = f"{domain:04x}:{place >> 8 & 0xFF:02x}:{place >> 3 & 0x1F:02x}.{place & 7}"
            yield pci, gfx_name(target)


def _marketing_names(rocminfo: str) -> dict[str, str]:
    found: dict[str, str] = {}
    gfx = ""
    for line in rocminfo.splitlines():
        key, _, value = (part.strip() for part in line.partition(":"))
        if key == "Name":
            gfx = value if value.startswith("gfx") else ""
        elif key == "Marketing Name" and gfx and value:
            found.setdefault(gfx, value)
    return found


def _nvidia_smi(output: str) -> dict[str, dict[str, Any]]:
    """Reads lines of `nvidia-smi --query-gpu=pci.bus_id,name,driver_version,memory.total,...`, by PCI bus."""
    found: dict[str, dict[str, Any]] = {}
    for line in output.splitlines():
        fields = [field.strip() for field in line.split(",")]
        if len(fields) != 6:
            continue
        values: dict[str, Any] = {"title": fields[1], "driver": fields[2]}
        for name, text, scale in (("total", fields[3], 1 << 20), ("used", fields[4], 1 << 20)):
            if text.isdigit():
                values[name] = int(text) * scale
        if re.fullmatch(r"\d+(\.\d+)?", fields[5]):
            values["power_w"] = float(fields[5])
        found[fields[0].lower().split(":", 1)[-1]] = values
    return found


def nvidia_driver(machine: Machine) -> str:
    """Returns the version of NVIDIA's driver, "" where there is none."""
    smi = _nvidia_smi(machine.outputs.get("nvidia-smi", ""))
    return next((str(values["driver"]) for values in smi.values()), "")


def _windows(machine: Machine) -> Iterator[GraphicsCard]:
    for adapter in machine.adapters:
        vendor = int(adapter.get("vendor", 0))
        if vendor not in _VENDORS:
            continue
        known = amd_cards().get(int(adapter.get("device", 0)), {}) if vendor == AMD else {}
        gfx = str(known.get("gfx", ""))
        card = GraphicsCard(
            _VENDORS[vendor],
            str(adapter.get("title") or known.get("title") or _VENDORS[vendor]),
            gfx,
            "",
            is_integrated(vendor, int(adapter.get("device", 0)), adapter.get("memory")),
            adapter.get("memory"),
            adapter.get("used"),
            adapter.get("shared"),
            adapter.get("power_w"),
        )
        yield _with_room(card, adapter.get("may_share"))


def _with_room(card: GraphicsCard, beyond: int | None) -> GraphicsCard:
    """Adds the computer's memory to a card that lives on it, as the app's memory panel counts it."""
    if not card.integrated or beyond is None or card.total is None:
        return card
    used = None if card.used is None or card.spilled is None else card.used + card.spilled
    return replace(card, total=card.total + beyond, used=used, spilled=None)


def _power(machine: Machine, folder: str) -> float | None:
    for name in ("power1_average", "power1_input"):
        for path in machine.files:
            if path.startswith(f"{folder}/hwmon/") and path.endswith(f"/{name}"):
                value = _integer(machine.file(path))
                if value is not None:
                    return value / 1e6
    return None


def _slot(uevent: str) -> str:
    found = re.search(r"^PCI_SLOT_NAME=(\S+)$", uevent, re.MULTILINE)
    return found[1].lower() if found else ""


def _hex(text: str | None) -> int:
    try:
        return int(text or "0", 16)
    except ValueError:
        return 0


def _integer(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdigit() else None
