"""Finds the graphics cards in a `Machine`, each known by its gfx name and its PCI address, never by a number.

Linux tells them in sysfs and in the topology of AMD's compute driver, Windows through DXGI.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from botapp.doctor.machine import Machine
from hrm.backends.architectures import amd_cards, shares_memory
from hrm.backends.memory.pdh import is_integrated

AMD, NVIDIA, INTEL = 0x1002, 0x10DE, 0x8086
_VENDORS = {AMD: "AMD", NVIDIA: "NVIDIA", INTEL: "Intel"}
_NODE = re.compile(r"/sys/class/kfd/kfd/topology/nodes/(\d+)/properties")
_CARD = re.compile(r"(/sys/class/drm/card(\d+)/device)/vendor")


@dataclass(frozen=True, slots=True)
class GraphicsCard:
    """A graphics card; memory in bytes, None where it is unknown."""

    vendor: str  # AMD, NVIDIA, Intel or a number
    title: str
    gfx: str = ""  # The chip as ROCm calls it, "" where unknown or not AMD's
    pci: str = ""  # Its address, "" on Windows
    integrated: bool = False  # Part of the processor
    total: int | None = None  # Its own memory; of an integrated one the computer's too
    used: int | None = None
    spilled: int | None = None  # What it uses of the computer's memory
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


def has_nvidia(machine: Machine) -> bool:
    return any(card.vendor == "NVIDIA" for card in cards(machine))


def gfx_name(target: int) -> str:
    """Returns the gfx name of the driver's `gfx_target_version`: 110001 is gfx1101, 90010 is gfx90a."""
    return f"gfx{target // 10000}{target // 100 % 100:x}{target % 100:x}"


def _linux(machine: Machine) -> Iterator[GraphicsCard]:
    nodes = dict(_topology(machine))
    marketing = _marketing_names(machine.outputs.get("rocminfo", ""))
    smi = {card.pci: card for card, _ in _nvidia_smi(machine)}
    matches = [match for path in machine.files if (match := _CARD.fullmatch(path))]
    for match in sorted(matches, key=lambda match: int(match[2])):
        folder = match[1]
        slot = re.search(r"^PCI_SLOT_NAME=(\S+)$", machine.file(f"{folder}/uevent") or "", re.MULTILINE)
        pci = slot[1].lower() if slot else ""
        if pci in smi:  # NVIDIA's driver has no figures in sysfs
            yield smi.pop(pci)
            continue
        vendor, device = (_hex(machine.file(f"{folder}/{name}")) for name in ("vendor", "device"))
        maker = _VENDORS.get(vendor, f"0x{vendor:04x}")
        known = amd_cards().get(device, {}) if vendor == AMD else {}
        gfx = nodes.get(pci) or known.get("gfx", "")
        unnamed = f"{maker} {machine.file(f'{folder}/device') or '?'}"
        memory = {
            name: _integer(machine.file(f"{folder}/mem_info_{name}"))
            for name in ("vram_total", "vram_used", "gtt_used", "gtt_total")
        }
        card = GraphicsCard(
            maker,
            marketing.get(gfx) or known.get("title") or unnamed,
            gfx,
            pci,
            integrated=shares_memory(gfx) if gfx else vendor == INTEL,
            total=memory["vram_total"],
            used=memory["vram_used"],
            spilled=memory["gtt_used"],
            power_w=_power(machine, folder),
        )
        yield _with_room(card, memory["gtt_total"])
    yield from smi.values()  # a card for computing alone is in no list of screens


def _topology(machine: Machine) -> Iterator[tuple[str, str]]:
    """Yields the PCI address and the gfx name of each card that AMD's compute driver has."""
    for path, text in machine.files.items():
        if _NODE.fullmatch(path):
            values = {name: int(value) for name, value in re.findall(r"^(\w+) (\d+)$", text, re.MULTILINE)}
            target, place = values.get("gfx_target_version", 0), values.get("location_id", 0)
            if target:  # a processor has none
                bus = f"{place >> 8 & 0xFF:02x}:{place >> 3 & 0x1F:02x}.{place & 7}"
                yield f"{values.get('domain', 0):04x}:{bus}", gfx_name(target)


def _marketing_names(rocminfo: str) -> dict[str, str]:
    names: dict[str, str] = {}
    gfx = ""
    for line in rocminfo.splitlines():
        key, _, value = (part.strip() for part in line.partition(":"))
        if key == "Name":
            gfx = value if value.startswith("gfx") else ""
        elif key == "Marketing Name" and gfx and value:
            names.setdefault(gfx, value)
    return names


def _nvidia_smi(machine: Machine) -> Iterator[tuple[GraphicsCard, str]]:
    """Yields cards and their driver, of `nvidia-smi --query-gpu=pci.bus_id,name,driver_version,memory...`."""
    for line in machine.outputs.get("nvidia-smi", "").splitlines():
        fields = [field.strip() for field in line.split(",")]
        if len(fields) == 6:
            bus, title, driver, *figures = fields
            total, used = (int(text) << 20 if text.isdigit() else None for text in figures[:2])
            power = float(figures[2]) if re.fullmatch(r"\d+(\.\d+)?", figures[2]) else None
            pci = bus.lower()[-len("0000:01:00.0") :]  # its domain has eight digits there, four in sysfs
            yield GraphicsCard("NVIDIA", title, pci=pci, total=total, used=used, power_w=power), driver


def nvidia_driver(machine: Machine) -> str:
    """Returns the version of NVIDIA's driver, "" where there is none."""
    return next((driver for _, driver in _nvidia_smi(machine)), "")


def _windows(machine: Machine) -> Iterator[GraphicsCard]:
    for adapter in machine.adapters:
        vendor, device = int(adapter.get("vendor", 0)), int(adapter.get("device", 0))
        if vendor not in _VENDORS:
            continue
        known = amd_cards().get(device, {}) if vendor == AMD else {}
        card = GraphicsCard(
            _VENDORS[vendor],
            str(adapter.get("title") or known.get("title") or _VENDORS[vendor]),
            str(known.get("gfx", "")),
            integrated=is_integrated(vendor, device, adapter.get("memory")),
            total=adapter.get("memory"),
            used=adapter.get("used"),
            spilled=adapter.get("shared"),
        )
        yield _with_room(card, adapter.get("may_share"))


def _with_room(card: GraphicsCard, beyond: int | None) -> GraphicsCard:
    """Adds the computer's memory to a card that lives on it, as the app's memory panel counts it."""
    if not card.integrated or beyond is None or card.total is None:
        return card
    used = None if card.used is None or card.spilled is None else card.used + card.spilled
    return replace(card, total=card.total + beyond, used=used, spilled=None)


def _power(machine: Machine, folder: str) -> float | None:
    paths = [path for path in machine.files if path.startswith(f"{folder}/hwmon/")]
    named = (path for name in ("average", "input") for path in paths if path.endswith(f"/power1_{name}"))
    watts = (microwatts / 1e6 for path in named if (microwatts := _integer(machine.file(path))) is not None)
    return next(watts, None)


def _hex(text: str | None) -> int:
    try:
        return int(text or "0", 16)
    except ValueError:
        return 0


def _integer(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdigit() else None
