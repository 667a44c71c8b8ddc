"""Windows' own counters of a card's memory and load, found by the card's LUID. Not run on hardware.

Windows counts what each adapter holds in `GPU Adapter Memory`, one instance an adapter, named after its
LUID (`luid_0xHIGH_0xLOW_phys_N`), and how busy it is in `GPU Engine`, one instance for each program and
engine (`pid_N_luid_..._phys_N_eng_N_engtype_3D`). DXGI lists the adapters; HIP and CUDA report the LUIDs of
their devices.
"""

import contextlib
import ctypes
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from hrm.backends.architectures import amd_cards
from hrm.backends.memory.pdh_query import CounterQuery
from hrm.backends.memory.reading import CardAddress, Reading

_LUID = "luid_0x([0-9a-f]{8})_0x([0-9a-f]{8})"
_INSTANCE = re.compile(rf"{_LUID}_phys_\d+", re.IGNORECASE)
_ENGINE = re.compile(rf"pid_\d+_{_LUID}_(phys_\d+_eng_\d+)_.*", re.IGNORECASE)
_MEMORY = r"\GPU Adapter Memory(*)\{} Usage"
_LOAD = r"\GPU Engine(*)\Utilization Percentage"
_IID_FACTORY1 = "770aae78-f26f-4dba-a829-253c83d1b387"
ENUM_ADAPTERS1, GET_DESC1, RELEASE = 12, 10, 2
SIGNATURES = {
    RELEASE: ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p),
    GET_DESC1: ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p),
    ENUM_ADAPTERS1: ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p),
}
OWN_MEMORY = 1 << 30
"""Bytes below which an adapter counts as part of the processor; cards with less are older."""
_AMD, _INTEL = 0x1002, 0x8086
_HIP_LUID_OFFSET = 256 + 16
"""In hipDeviceProp_tR0600 the LUID comes after `char name[256]` and a UUID of 16 bytes."""


class _Luid(ctypes.Structure):
    _fields_ = (("low", ctypes.c_uint32), ("high", ctypes.c_int32))


class Description(ctypes.Structure):
    """DXGI_ADAPTER_DESC1."""

    _fields_ = (
        ("title", ctypes.c_wchar * 128),
        ("vendor", ctypes.c_uint32),
        ("device", ctypes.c_uint32),
        ("subsystem", ctypes.c_uint32),
        ("revision", ctypes.c_uint32),
        ("dedicated", ctypes.c_size_t),
        ("dedicated_system", ctypes.c_size_t),
        ("shared", ctypes.c_size_t),
        ("luid", _Luid),
        ("flags", ctypes.c_uint32),
    )


def is_integrated(vendor: int, device: int, memory: int | None) -> bool:
    """Tells whether an adapter is part of the processor.

    By its number where that is known: 32 GB may be set aside for a chip. Else by how little there is.
    """
    known = amd_cards().get(device) if vendor == _AMD else None
    if known is not None:
        return bool(known.get("integrated", False))
    return vendor == _INTEL if memory is None else memory < OWN_MEMORY


@dataclass(frozen=True, slots=True)
class Adapter:
    """A graphics adapter as DXGI lists it; DirectML's device number is its place in the list.

    Attributes:
        vendor, device: PCI ids.
        luid: Windows' id of it until the next start.
        memory: bytes of its own.
        shared: bytes of the computer's memory that it may use.
        software: whether it is no card but the "Basic Render Driver".
    """

    title: str
    vendor: int
    device: int
    luid: int
    memory: int
    software: bool
    shared: int = 0

    @property
    def integrated(self) -> bool:
        """Whether it is part of the processor and lives on the computer's memory."""
        return is_integrated(self.vendor, self.device, self.memory)

    @property
    def room(self) -> int:
        """Bytes that it can use: its own, and for one without any to speak of the computer's too."""
        return self.memory + self.shared if self.integrated else self.memory


class Counters:
    """Dedicated and shared memory by LUID."""

    def __init__(
        self,
        library: Any = None,
        listed: tuple[Adapter, ...] | None = None,
        load: "EngineLoad | None" = None,
    ) -> None:
        """Takes pdh.dll, DXGI's adapters and the load; None for the system's own.

        Raises:
            OSError: this is not Windows.
        """
        self._pdh = library if library is not None else load_library("pdh")
        self._listed = listed
        self._load = system_load() if load is None else load

    def read(self, address: CardAddress) -> Reading | None:
        """Reads the counters of the adapter with a LUID."""
        if address.luid is None:
            return None
        used = self.usage("Dedicated").get(address.luid)
        if used is None:
            return None
        listed = adapters() if self._listed is None else self._listed
        adapter = next((adapter for adapter in listed if adapter.luid == address.luid), None)
        spilled = self.usage("Shared").get(address.luid)
        total = None if adapter is None else adapter.room
        if adapter is not None and adapter.integrated:
            used, spilled = used + (spilled or 0), None
        busy = self._load.by_luid().get(address.luid)
        return Reading(total, used, spilled=spilled, busy=busy, source="PDH")

    def usage(self, kind: str) -> Mapping[int, int]:
        """Returns bytes by LUID; `kind` is "Dedicated" or "Shared". Empty where unknown."""
        try:
            query = CounterQuery(self._pdh, _MEMORY.format(kind))
        except OSError:
            return {}
        by_process: dict[int, int] = {}
        with contextlib.closing(query):
            for name, size in query.read("large"):
                luid = luid_of_instance(name)
                if luid is not None:
                    by_process[luid] = by_process.get(luid, 0) + int(size)
        return by_process


class EngineLoad:
    """How busy each adapter is: a rate, so the query stays open and the first look tells nothing."""

    def __init__(self, library: Any = None) -> None:
        """Takes pdh.dll; None for the system's own.

        Raises:
            OSError: this is not Windows.
        """
        self._pdh = library if library is not None else load_library("pdh")
        self._query: CounterQuery | None = None

    def by_luid(self) -> Mapping[int, float]:
        """Returns the load of each adapter's busiest engine since the last look, 0..1, over all programs."""
        if self._query is None:
            with contextlib.suppress(OSError):
                self._query = CounterQuery(self._pdh, _LOAD)
                self._query.read("real")
            return {}
        engines: dict[tuple[int, str], float] = {}
        for name, percent in self._query.read("real"):
            match = _ENGINE.fullmatch(name)
            if match is not None:
                engine = (_luid(match), match[3])
                engines[engine] = engines.get(engine, 0.0) + percent
        busiest: dict[int, float] = {}
        for (luid, _), percent in engines.items():
            busiest[luid] = max(busiest.get(luid, 0.0), min(1.0, percent / 100))
        return busiest


@cache
def system_load() -> EngineLoad:
    """Returns the one query of this process.

    Raises:
        OSError: this is not Windows.
    """
    return EngineLoad()


def luid_of_instance(name: str) -> int | None:
    """Reads the LUID off a counter's instance name, such as luid_0x00000000_0x0000c5b7_phys_0."""
    match = _INSTANCE.fullmatch(name)
    return None if match is None else _luid(match)


def _luid(match: re.Match[str]) -> int:
    return int(match[1], 16) << 32 | int(match[2], 16)


def luid_of(index: int, *, hip: bool) -> int | None:
    """Returns the LUID of a device from HIP or CUDA; None where neither reports it."""
    try:
        return _hip_luid(index) if hip else _cuda_luid(index)
    except (OSError, AttributeError):
        return None


def adapters() -> tuple[Adapter, ...]:
    """Returns DXGI's adapters in its order; none where DXGI does not answer."""
    try:
        create = load_library("dxgi").CreateDXGIFactory1
    except (OSError, AttributeError):
        return ()
    factory = ctypes.c_void_p()
    interface = uuid.UUID(_IID_FACTORY1).bytes_le
    if create(interface, ctypes.byref(factory)) or not factory:
        return ()
    cards: list[Adapter] = []
    adapter = ctypes.c_void_p()
    try:
        while _method(factory, ENUM_ADAPTERS1)(factory, len(cards), ctypes.byref(adapter)) == 0:
            cards.append(_described(adapter))
    finally:
        _method(factory, RELEASE)(factory)
    return tuple(cards)


def _described(adapter: ctypes.c_void_p) -> Adapter:
    description = Description()
    _method(adapter, GET_DESC1)(adapter, ctypes.byref(description))
    _method(adapter, RELEASE)(adapter)
    luid = (description.luid.high & 0xFFFFFFFF) << 32 | description.luid.low
    return Adapter(
        description.title,
        description.vendor,
        description.device,
        luid,
        description.dedicated,
        bool(description.flags & 2),
        description.shared,
    )


def _method(thing: ctypes.c_void_p, index: int) -> Any:
    table = ctypes.cast(thing, ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p)))[0]
    return SIGNATURES[index](table[index] or 0)


def _hip_luid(index: int) -> int | None:
    library = _first_library("amdhip64_7", "amdhip64_6", "amdhip64")
    properties = ctypes.create_string_buffer(4096)
    if library.hipGetDevicePropertiesR0600(properties, index):
        return None
    return int.from_bytes(properties.raw[_HIP_LUID_OFFSET : _HIP_LUID_OFFSET + 8], "little") or None


def _cuda_luid(index: int) -> int | None:
    library = _first_library("nvcuda")
    luid, mask, device = ctypes.create_string_buffer(8), ctypes.c_uint32(), ctypes.c_int()
    if library.cuInit(0) or library.cuDeviceGet(ctypes.byref(device), index):
        return None
    if library.cuDeviceGetLuid(luid, ctypes.byref(mask), device):
        return None
    return int.from_bytes(luid.raw, "little") or None


def _first_library(*names: str) -> Any:
    for name in names:
        try:
            return load_library(name)
        except OSError:
            continue
    raise OSError(f"none of {', '.join(names)} can be loaded")


def load_library(name: str) -> Any:
    """Loads a library of Windows.

    Raises:
        OSError: it is not there, or this is another system.
    """
    loader = getattr(ctypes, "WinDLL", None)
    if loader is None:
        raise OSError(f"{name}.dll is Windows' own")
    return loader(name)
