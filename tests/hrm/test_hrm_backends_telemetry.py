"""A card's memory is read from the best source there is; values that no source reports are unknown."""

import ctypes
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hrm.backends.memory import amd_smi, pdh, pdh_query
from hrm.backends.memory.amd_smi import AmdSmi
from hrm.backends.memory.pdh import Adapter, Counters, EngineLoad, luid_of_instance
from hrm.backends.memory.reading import CardAddress, Reading
from hrm.backends.memory.telemetry import AmdSysfs, Nvml, TorchMemorySource, read

HERE = CardAddress("0000:03:00.0")
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sysfs is Linux's")


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card at 0000:03:00.0 of which torch says 16 units in all, 6 free, 2 ours."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _: (6, 16))
    monkeypatch.setattr(torch.cuda, "memory_reserved", lambda _: 2)
    place = SimpleNamespace(pci_domain_id=0, pci_bus_id=3, pci_device_id=0)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: place)
    monkeypatch.setitem(sys.modules, "pynvml", None)
    monkeypatch.setattr(sys, "platform", "linux")


def _sysfs(tmp_path: Path, address: str, **values: str) -> Path:
    device = tmp_path / "pci" / address
    (device / "hwmon" / "hwmon4").mkdir(parents=True)
    for name, value in values.items():
        folder = device / "hwmon" / "hwmon4" if name.startswith("power") else device
        (folder / name).write_text(value)
    (tmp_path / "card1").mkdir()
    (tmp_path / "card1" / "device").symlink_to(device)
    (tmp_path / "card1-DP-1").mkdir()
    return tmp_path


@linux
def test_amds_driver_tells_memory_spill_and_power(tmp_path: Path) -> None:
    cards = _sysfs(
        tmp_path,
        "0000:03:00.0",
        mem_info_vram_total="17163091968\n",
        mem_info_vram_used="1210667008\n",
        mem_info_gtt_used="27684864\n",
        power1_average="31000000\n",
    )
    found = AmdSysfs(cards).read(HERE)
    assert found == Reading(17163091968, 1210667008, None, 27684864, 31.0, source="sysfs")
    assert found.free == 17163091968 - 1210667008
    assert found.filled == pytest.approx(0.0705, abs=1e-3)


@linux
def test_newer_cards_write_their_power_elsewhere(tmp_path: Path) -> None:
    cards = _sysfs(
        tmp_path, "0000:03:00.0", mem_info_vram_total="8", mem_info_vram_used="4", power1_input="9500000"
    )
    found = AmdSysfs(cards).read(HERE)
    assert found is not None
    assert (found.power_w, found.spilled) == (9.5, None)


@linux
def test_a_chip_in_the_processor_counts_the_computers_memory_as_its_own(tmp_path: Path) -> None:
    cards = _sysfs(
        tmp_path,
        "0000:03:00.0",
        mem_info_vram_total="512",
        mem_info_vram_used="100",
        mem_info_gtt_total="8000",
        mem_info_gtt_used="900",
    )
    found = AmdSysfs(cards).read(CardAddress(HERE.pci, shared=True))
    assert found == Reading(8512, 1000, source="sysfs")


@linux
@pytest.mark.parametrize(
    ("address", "values"),
    [
        ("0000:04:00.0", {"mem_info_vram_total": "16", "mem_info_vram_used": "9"}),
        ("0000:03:00.0", {}),
        ("0000:03:00.0", {"mem_info_vram_total": "16"}),
        ("0000:03:00.0", {"mem_info_vram_total": "16", "mem_info_vram_used": "none"}),
    ],
)
def test_another_card_or_another_driver_is_not_mistaken_for_ours(
    tmp_path: Path, address: str, values: dict[str, str]
) -> None:
    assert AmdSysfs(_sysfs(tmp_path, address, **values)).read(HERE) is None


def test_an_unknown_place_is_unknown_to_every_source(tmp_path: Path) -> None:
    nowhere = CardAddress()
    assert AmdSysfs(tmp_path).read(nowhere) is None
    assert Nvml().read(nowhere) is None
    assert Counters(object(), (), EngineLoad(object())).read(nowhere) is None


@pytest.fixture
def nvml(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module: Any = ModuleType("pynvml")
    module.NVMLError = type("NVMLError", (Exception,), {})
    module.nvmlInit = lambda: None
    module.nvmlDeviceGetHandleByPciBusId = lambda address: address
    module.nvmlDeviceGetMemoryInfo = lambda _: SimpleNamespace(total=100, used=60)
    module.nvmlDeviceGetPowerUsage = lambda _: 31500
    monkeypatch.setitem(sys.modules, "pynvml", module)
    return module


def test_nvml_tells_what_the_card_does(nvml: Any) -> None:
    nvml.nvmlDeviceGetTemperature = lambda _, sensor: {0: 54}[sensor]
    nvml.nvmlDeviceGetUtilizationRates = lambda _: SimpleNamespace(gpu=37, memory=5)
    nvml.nvmlDeviceGetClockInfo = lambda _, kind: {1: 1980}[kind]
    found = Nvml().read(HERE)
    assert found is not None
    assert (found.temperature_c, found.busy, found.clock_mhz) == (54.0, 0.37, 1980.0)


def test_another_source_fills_in_what_the_first_does_not_know(card: None) -> None:
    memory = SimpleNamespace(read=lambda _: Reading(16, 4, spilled=1, source="PDH"))
    does = SimpleNamespace(read=lambda _: Reading(99, 98, power_w=31.0, busy=0.5, source="NVML"))
    assert read("cuda:0", (memory, does)) == Reading(16, 4, 2, 1, 31.0, None, 0.5, None, "PDH")


@linux
def test_amds_driver_tells_what_the_card_does(tmp_path: Path) -> None:
    cards = _sysfs(
        tmp_path, "0000:03:00.0", mem_info_vram_total="8", mem_info_vram_used="4", gpu_busy_percent="37\n"
    )
    meters = tmp_path / "pci" / "0000:03:00.0" / "hwmon" / "hwmon4"
    (meters / "temp1_input").write_text("51000\n")
    (meters / "freq1_input").write_text("2124000000\n")
    found = AmdSysfs(cards).read(HERE)
    assert found is not None
    assert (found.temperature_c, found.busy, found.clock_mhz) == (51.0, 0.37, 2124.0)


@pytest.fixture
def smi(monkeypatch: pytest.MonkeyPatch) -> Any:
    """AMD's management library as its documentation has it: megabytes, percent, "N/A" for unknown."""
    module: Any = ModuleType("amdsmi")
    module.AmdSmiException = type("AmdSmiException", (Exception,), {})
    module.AmdSmiTemperatureType = SimpleNamespace(EDGE=0)
    module.AmdSmiTemperatureMetric = SimpleNamespace(CURRENT=0)
    module.AmdSmiClkType = SimpleNamespace(GFX=0)
    module.amdsmi_init = lambda: None
    module.amdsmi_get_processor_handle_from_bdf = {"0000:03:00.0": "card"}.__getitem__
    module.amdsmi_get_gpu_vram_usage = lambda _: {"vram_total": 16368, "vram_used": 1155}
    module.amdsmi_get_power_info = lambda _: {"current_socket_power": "N/A", "average_socket_power": 31}
    module.amdsmi_get_gpu_activity = lambda _: {"gfx_activity": 37, "umc_activity": 5}
    module.amdsmi_get_temp_metric = lambda *_: 51
    module.amdsmi_get_clock_info = lambda *_: {"clk": 2124, "max_clk": 2565}
    monkeypatch.setitem(sys.modules, "amdsmi", module)
    monkeypatch.setattr(amd_smi, "load_library", cache(amd_smi.load_library.__wrapped__))
    return module


def test_amds_library_tells_what_its_files_would(smi: Any) -> None:
    wanted = Reading(16368 << 20, 1155 << 20, None, None, 31.0, 51.0, 0.37, 2124.0, "amd-smi")
    assert AmdSmi().read(HERE) == wanted
    assert AmdSmi().read(CardAddress()) is None

    def refused(*_: Any) -> int:
        raise smi.AmdSmiException

    smi.amdsmi_get_temp_metric = smi.amdsmi_get_clock_info = refused
    assert AmdSmi().read(HERE) == replace(wanted, temperature_c=None, clock_mhz=None)
    smi.amdsmi_get_gpu_vram_usage = lambda _: {"vram_total": "N/A", "vram_used": "N/A"}
    assert AmdSmi().read(HERE) is None


@pytest.mark.parametrize("fails", ["amdsmi_init", "amdsmi_get_processor_handle_from_bdf"])
def test_amds_library_without_a_driver_or_this_card_is_no_source(smi: Any, fails: str) -> None:
    def refused(*_: Any) -> None:
        raise smi.AmdSmiException

    setattr(smi, fails, refused)
    assert AmdSmi().read(HERE) is None


def test_amds_library_is_asked_where_its_files_tell_nothing(
    smi: Any, card: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = read("cuda:0")
    assert (found.source, found.busy, found.ours) == ("amd-smi", 0.37, 2)
    monkeypatch.setitem(sys.modules, "amdsmi", None)
    monkeypatch.setattr(amd_smi, "load_library", cache(amd_smi.load_library.__wrapped__))
    assert read("cuda:0").source == "torch"


def test_nvml_tells_memory_and_power(nvml: Any) -> None:
    assert Nvml().read(HERE) == Reading(100, 60, None, None, 31.5, source="NVML")

    def unknown(_: Any) -> int:
        raise nvml.NVMLError

    nvml.nvmlDeviceGetPowerUsage = unknown
    assert Nvml().read(HERE) == Reading(100, 60, None, None, None, source="NVML")


def test_nvml_without_a_driver_is_no_source(nvml: Any) -> None:
    def missing() -> None:
        raise nvml.NVMLError

    nvml.nvmlInit = missing
    assert Nvml().read(HERE) is None


def test_torch_is_asked_when_nothing_better_is_there(card: None) -> None:
    assert read("cuda:0") == Reading(16, 10, 2, source="torch")


def test_a_better_source_comes_before_torch(card: None) -> None:
    class Better:
        def read(self, place: CardAddress) -> Reading:
            assert place == HERE
            return Reading(16000, 9000, source="better")

    assert read("cuda:0", [Better(), TorchMemorySource("cuda:0")]) == Reading(16000, 9000, 2, source="better")


def test_a_source_that_fails_is_passed_over(card: None) -> None:
    class Broken:
        def read(self, place: CardAddress) -> Reading:
            raise RuntimeError("the driver went away")

    assert read("cuda:0", [Broken(), TorchMemorySource("cuda:0")]).source == "torch"
    assert read("cuda:0", [Broken()]) == Reading(ours=2)


def test_a_cpu_and_a_device_out_of_reach_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    for device in ("cpu", "cuda:0"):
        found = read(device)
        assert found == Reading()
        assert found.free is None
        assert found.filled is None


def test_an_old_torch_without_pci_addresses_still_answers(
    card: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: SimpleNamespace())
    assert read("cuda:0") == Reading(16, 10, 2, source="torch")


def test_hips_figure_on_windows_is_not_used(card: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(torch.version, "hip", "7.2")
    assert TorchMemorySource("cuda:0").read(HERE) is None


@given(st.integers(0, 2**64 - 1), st.integers(0, 3))
def test_a_luid_is_read_off_an_instance_name(luid: int, phys: int) -> None:
    name = f"luid_0x{luid >> 32:08X}_0x{luid & 0xFFFFFFFF:08x}_phys_{phys}"
    assert luid_of_instance(name) == luid
    assert luid_of_instance(f"pid_4_{name}") is None


class FakePdh:
    """Windows' counter library, as far as it is asked: two adapters, one of them with two nodes.

    It gives a rate from the second look on: two programs on a card's 3D engine, one on its copy engine.
    """

    def __init__(self, **codes: int) -> None:
        self.codes = codes
        self.closed = 0
        self.kind = ""
        self.looks = 0
        self.load = [
            ("pid_4_luid_0x00000000_0x0000C5B7_phys_0_eng_0_engtype_3D", 1, 12.5),
            ("pid_900_luid_0x00000000_0x0000C5B7_phys_0_eng_0_engtype_3D", 0, 24.5),
            ("pid_900_luid_0x00000000_0x0000C5B7_phys_0_eng_1_engtype_High Priority Copy", 0, 30.0),
            ("pid_900_luid_0x00000000_0x0000C5B7_phys_0_eng_2_engtype_Copy", 0xC0000BC6, 90.0),
            ("pid_7_luid_0x00000000_0x00010000_phys_0_eng_0_engtype_3D", 0, 130.0),
        ]
        self.dedicated = [("luid_0x00000000_0x0000C5B7_phys_0", 0, 5 << 30), ("_Total", 0, 1)]
        self.shared = [
            ("luid_0x00000000_0x0000C5B7_phys_0", 0, 1 << 20),
            ("luid_0x00000000_0x0000C5B7_phys_1", 0, 2 << 20),
            ("luid_0x00000000_0x00010000_phys_0", 0xC0000BC6, 9),
        ]

    def PdhOpenQueryW(self, source: Any, user: Any, query: Any) -> int:
        return self.codes.get("open", 0)

    def PdhAddEnglishCounterW(self, query: Any, path: str, user: Any, counter: Any) -> int:
        kinds = {
            r"\GPU Adapter Memory(*)\Dedicated Usage": "dedicated",
            r"\GPU Adapter Memory(*)\Shared Usage": "shared",
            r"\GPU Engine(*)\Utilization Percentage": "load",
        }
        self.kind = kinds[path]
        return self.codes.get("add", 0)

    def PdhCollectQueryData(self, query: Any) -> int:
        self.looks += 1
        return self.codes.get("collect", 0)

    def PdhCloseQuery(self, query: Any) -> int:
        self.closed += 1
        return 0

    def PdhGetFormattedCounterArrayW(
        self, counter: Any, form: int, size: Any, count: Any, buffer: Any
    ) -> int:
        items = getattr(self, self.kind) if self.kind != "load" or self.looks > 1 else []
        assert form == (0x200 if self.kind == "load" else 0x400)
        array = (pdh_query.Item * len(items))()
        for item, (name, status, value) in zip(array, items, strict=True):
            item.name, item.value.status = name, status
            setattr(item.value, "real" if self.kind == "load" else "large", value)
        if buffer is None:
            size._obj.value = ctypes.sizeof(array)
            return self.codes.get("size", -0x7FFFF82E)  # PDH_MORE_DATA as a signed number
        self.kept = array  # the names are pointers into it
        ctypes.memmove(buffer, array, ctypes.sizeof(array))
        count._obj.value = len(items)
        return self.codes.get("read", 0)


LISTED = (
    Adapter("AMD Radeon RX 7800 XT", 0x1002, 0x747E, 0xC5B7, 16 << 30, False),
    Adapter("Microsoft Basic Render Driver", 0x1414, 0x8C, 0x10000, 0, True),
)


def counters_of(library: FakePdh, listed: tuple[Adapter, ...] = LISTED) -> Counters:
    return Counters(library, listed, EngineLoad(FakePdh(open=1)))


def test_windows_tells_how_busy_a_card_is_from_the_second_look_on() -> None:
    library, load = FakePdh(), EngineLoad(FakePdh())
    counters = Counters(library, LISTED, load)
    first, second = (counters.read(CardAddress(luid=0xC5B7)) for _ in range(2))
    assert first is not None
    assert second is not None
    assert (first.busy, second.busy) == (None, pytest.approx(0.37))
    assert load.by_luid() == {0xC5B7: pytest.approx(0.37), 0x10000: 1.0}


@pytest.mark.parametrize("broken", ["open", "add", "collect", "size", "read"])
def test_a_load_that_windows_refuses_is_unknown(broken: str) -> None:
    load = EngineLoad(FakePdh(**{broken: 1}))
    assert [load.by_luid() for _ in range(3)] == [{}] * 3


def test_windows_counters_are_joined_by_luid() -> None:
    library = FakePdh()
    counters = counters_of(library)
    assert counters.read(CardAddress(luid=0xC5B7)) == Reading(
        16 << 30, 5 << 30, None, 3 << 20, None, source="PDH"
    )
    assert counters.read(CardAddress(luid=0x10000)) is None
    assert counters.read(CardAddress(luid=7)) is None
    assert library.closed == 4


@pytest.mark.parametrize("broken", ["open", "add", "collect", "size", "read"])
def test_counters_windows_refuses_are_unknown(broken: str) -> None:
    assert counters_of(FakePdh(**{broken: 1})).read(CardAddress(luid=0xC5B7)) is None


def test_outside_windows_its_libraries_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(ctypes, "WinDLL", raising=False)
    with pytest.raises(OSError, match="Windows"):
        Counters()
    assert pdh.adapters() == ()
    assert pdh.luid_of(0, hip=True) is None
    assert pdh.luid_of(0, hip=False) is None


def test_hip_and_cuda_tell_the_luid(monkeypatch: pytest.MonkeyPatch) -> None:
    luid = (0xC5B7).to_bytes(8, "little")

    def properties(buffer: Any, index: int) -> int:
        ctypes.memmove(ctypes.addressof(buffer) + 272, luid, 8)
        return index

    def cuda_luid(buffer: Any, mask: Any, device: Any) -> int:
        ctypes.memmove(buffer, luid, 8)
        return int(device.value)

    def device(found: Any, index: int) -> int:
        found._obj.value = index
        return 0

    cuda = SimpleNamespace(cuInit=lambda _: 0, cuDeviceGet=device, cuDeviceGetLuid=cuda_luid)
    libraries = {"amdhip64_6": SimpleNamespace(hipGetDevicePropertiesR0600=properties), "nvcuda": cuda}

    def load(name: str) -> Any:
        if name not in libraries:
            raise OSError(name)
        return libraries[name]

    monkeypatch.setattr(pdh, "load_library", load)
    for hip in (True, False):
        assert pdh.luid_of(0, hip=hip) == 0xC5B7
        assert pdh.luid_of(1, hip=hip) is None


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows with its counters, the adapters listed and one torch device."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(pdh, "load_library", lambda name: FakePdh())
    monkeypatch.setattr(pdh, "system_load", cache(EngineLoad))
    monkeypatch.setattr(pdh, "adapters", lambda: LISTED)
    monkeypatch.setattr(pdh, "luid_of", lambda index, hip: 0xC5B7)


@pytest.mark.usefixtures("card", "windows")
def test_on_windows_the_counters_are_asked_first() -> None:
    assert read("cuda:0") == Reading(16 << 30, 5 << 30, 2, 3 << 20, None, source="PDH")


@pytest.mark.usefixtures("card", "windows")
def test_a_second_look_through_the_systems_own_counters_tells_the_load() -> None:
    assert [read("cuda:0").busy for _ in range(2)] == [None, pytest.approx(0.37)]
    assert read("dml:0").busy == pytest.approx(0.37)


@pytest.mark.usefixtures("windows")
def test_directmls_card_is_the_adapter_with_its_number() -> None:
    assert read("dml:0") == Reading(16 << 30, 5 << 30, None, 3 << 20, None, source="PDH")
    assert read(f"dml:{len(LISTED)}") == Reading()


def test_an_adapter_in_the_processor_counts_the_computers_memory_as_its_own() -> None:
    inside = Adapter("Radeon 780M", 0x1002, 1, 0xC5B7, 512 << 20, False, 16 << 30)
    found = counters_of(FakePdh(), (inside,)).read(CardAddress(luid=0xC5B7))
    assert found == Reading((16 << 30) + (512 << 20), (5 << 30) + (3 << 20), source="PDH")


class FakeDxgi:
    """A factory as COM lays it out: a pointer to a table of functions. It lists one adapter."""

    def __init__(self, refuses: bool = False) -> None:
        self.released: list[int] = []
        self.refuses = refuses
        kinds = pdh.SIGNATURES
        release = kinds[pdh.RELEASE](lambda this: self.released.append(this) or 0)
        self.functions = {
            pdh.RELEASE: release,
            pdh.ENUM_ADAPTERS1: kinds[pdh.ENUM_ADAPTERS1](self.enumerate),
            pdh.GET_DESC1: kinds[pdh.GET_DESC1](self.describe),
        }
        table = (ctypes.c_void_p * 16)()
        for index, function in self.functions.items():
            table[index] = ctypes.cast(function, ctypes.c_void_p).value
        self.table = table
        self.thing = ctypes.pointer(ctypes.cast(table, ctypes.c_void_p))

    def CreateDXGIFactory1(self, interface: bytes, factory: Any) -> int:
        assert len(interface) == 16
        if not self.refuses:
            factory._obj.value = ctypes.cast(self.thing, ctypes.c_void_p).value
        return int(self.refuses)

    def enumerate(self, this: int, index: int, adapter: int) -> int:
        if index:
            return 0x887A0002  # DXGI_ERROR_NOT_FOUND
        ctypes.c_void_p.from_address(adapter).value = ctypes.cast(self.thing, ctypes.c_void_p).value
        return 0

    def describe(self, this: int, description: int) -> int:
        found = pdh.Description.from_address(description)
        found.title, found.vendor, found.device = "AMD Radeon RX 7800 XT", 0x1002, 0x747E
        found.luid.low, found.dedicated = 0xC5B7, 16 << 30
        return 0


def test_dxgi_lists_the_adapters_with_their_luids(monkeypatch: pytest.MonkeyPatch) -> None:
    library = FakeDxgi()
    monkeypatch.setattr(pdh, "load_library", lambda name: library)
    assert pdh.adapters() == LISTED[:1]
    assert len(library.released) == 2
    monkeypatch.setattr(pdh, "load_library", lambda name: FakeDxgi(refuses=True))
    assert pdh.adapters() == ()
