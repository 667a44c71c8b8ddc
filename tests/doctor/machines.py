"""Computers of our own making: field names and forms of values as public reports show them, values ours."""

from collections.abc import Mapping
from dataclasses import replace

from botapp.doctor.faults import diagnose
from botapp.doctor.machine import InstalledTorch, Machine, ProvedPlacement, TorchDevice, Trial

GIB = 1 << 30
ROCM_CHIPS = ("gfx1030", "gfx1100", "gfx1101", "gfx1102", "gfx1200", "gfx1201")


def card(
    number: int,
    vendor: str,
    device: str,
    pci: str,
    total: int = 0,
    used: int = 0,
    gtt: int = 24 << 20,
    power: str = "",
) -> dict[str, str]:
    folder = f"/sys/class/drm/card{number}/device"
    driver = {"0x1002": "amdgpu", "0x10de": "nvidia"}.get(vendor, "i915")
    found = {
        f"{folder}/vendor": f"{vendor}\n",
        f"{folder}/device": f"{device}\n",
        f"{folder}/uevent": f"DRIVER={driver}\nPCI_CLASS=30000\nPCI_SLOT_NAME={pci}\n",
    }
    if total:
        found |= {
            f"{folder}/mem_info_vram_total": f"{total}\n",
            f"{folder}/mem_info_vram_used": f"{used}\n",
            f"{folder}/mem_info_gtt_used": f"{gtt}\n",
        }
    if power:
        found[f"{folder}/hwmon/hwmon3/power1_average"] = f"{power}\n"
    return found


def node(number: int, target: int, device: int, location: int) -> dict[str, str]:
    """A node of the compute driver's topology; a target of 0 is the processor."""
    lines = (
        f"cpu_cores_count {16 if target == 0 else 0}",
        f"simd_count {0 if target == 0 else 120}",
        f"gfx_target_version {target}",
        f"vendor_id {0 if target == 0 else 4098}",
        f"device_id {device}",
        f"location_id {location}",
        "domain 0",
        f"drm_render_minor {0 if target == 0 else 127 + number}",
    )
    return {f"/sys/class/kfd/kfd/topology/nodes/{number}/properties": "\n".join(lines) + "\n"}


def parameters(noretry: str = "-1", fragment: str = "-1", line: str = "") -> dict[str, str]:
    return {
        "/sys/module/amdgpu/parameters/noretry": f"{noretry}\n",
        "/sys/module/amdgpu/parameters/vm_fragment_size": f"{fragment}\n",
        "/proc/cmdline": f"BOOT_IMAGE=/boot/vmlinuz root=/dev/sda2 ro {line}\n",
        "/proc/version": "Linux version 6.14.0 (builder@farm) (gcc 14.2.0) #1 SMP\n",
    }


OPEN = {"/dev/kfd": "", "/dev/dri/renderD128": ""}
RX7800XT = card(1, "0x1002", "0x747e", "0000:03:00.0", 16 * GIB - (16 << 20), 1 * GIB, power="31000000")
RX7800XT_NODES = node(0, 0, 0, 0) | node(1, 110001, 0x747E, 0x300)


def rocm_torch(*devices: TorchDevice, hip: str = "7.2.26015", error: str = "") -> InstalledTorch:
    return InstalledTorch(f"2.13.0+rocm{hip[:3]}", hip, "", ROCM_CHIPS, devices, error)


def fine(device: str = "cuda:0") -> tuple[Trial, ...]:
    return tuple(Trial(name, device, True) for name in ("matmul", "attention", "conv2d"))


CPU_TORCH = InstalledTorch("2.13.0+cpu")
AMD_DEVICE = TorchDevice("AMD Radeon RX 7800 XT", "gfx1101", "0000:03:00.0", 16 * GIB)

healthy_7800xt = Machine(
    release="6.14.0-29-generic",
    files=RX7800XT | RX7800XT_NODES | parameters(),
    devices=OPEN,
    outputs={
        "rocminfo": "  Name:                    gfx1101\n  Marketing Name:          AMD Radeon RX 7800 XT\n"
    },
    packages={"torch": "2.13.0+rocm7.2", "onnxruntime": "1.31.1"},
    torch=rocm_torch(AMD_DEVICE),
    trials=fine(),
)
cpu_torch_7800xt = replace(healthy_7800xt, torch=CPU_TORCH, trials=(), packages={"torch": "2.13.0+cpu"})
no_group_7800xt = replace(
    healthy_7800xt,
    devices={"/dev/kfd": "EACCES", "/dev/dri/renderD128": "EACCES"},
    outputs={"ls": "crw-rw---- 1 root render 235, 0 Nov 21 08:00 /dev/kfd\n"},
    torch=rocm_torch(),
    trials=(),
)
container_7800xt = replace(
    healthy_7800xt,
    files=healthy_7800xt.files | {"/.dockerenv": ""},
    devices={"/dev/kfd": "ENOENT"},
    torch=rocm_torch(),
    trials=(),
)
_RX5700XT = card(0, "0x1002", "0x731f", "0000:28:00.0", 8 * GIB, GIB // 2) | node(1, 100100, 0x731F, 0x2800)
stock_5700xt = Machine(
    release="6.8.0-45-generic",
    files=_RX5700XT | parameters(),
    devices=OPEN,
    packages={"torch": "2.13.0+rocm7.2"},
    torch=rocm_torch(
        TorchDevice("AMD Radeon RX 5700 XT", "gfx1010", "0000:28:00.0", 8 * GIB),
        error="RuntimeError: HIP error: invalid device function\n",
    ),
)
overridden_5700xt = replace(
    stock_5700xt,
    files=_RX5700XT | parameters(noretry="0", line="amdgpu.noretry=0 quiet"),
    environment={"HSA_OVERRIDE_GFX_VERSION": "10.3.0"},
    outputs={
        "dmesg": "amdgpu 0000:28:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:24 vmid:8 pasid:32770)\n"
    },
    torch=rocm_torch(TorchDevice("AMD Radeon RX 5700 XT", "gfx1030", "0000:28:00.0", 8 * GIB)),
    trials=(
        Trial("matmul", "cuda:0", True),
        Trial("attention", "cuda:0", True),
        Trial("conv2d", "cuda:0", False, "SIGABRT (6)"),
    ),
)
two_gpus_7900xtx = Machine(
    release="6.14.0",
    files=card(0, "0x1002", "0x164e", "0000:0f:00.0", GIB // 2, GIB // 8)
    | card(1, "0x1002", "0x744c", "0000:03:00.0", 24 * GIB, 2 * GIB)
    | node(1, 100306, 0x164E, 0xF00)
    | node(2, 110000, 0x744C, 0x300)
    | parameters(),
    devices=OPEN | {"/dev/dri/renderD129": ""},
    packages={"torch": "2.13.0+rocm7.2"},
    torch=rocm_torch(
        TorchDevice("AMD Radeon Graphics", "gfx1036", "0000:0f:00.0", GIB // 2),
        TorchDevice("AMD Radeon RX 7900 XTX", "gfx1100", "0000:03:00.0", 24 * GIB),
        hip="7.2.0",
    ),
    environment={"HSA_OVERRIDE_GFX_VERSION": ""},
    trials=fine("cuda:1"),
)
two_gpus_7900xtx = replace(
    two_gpus_7900xtx, torch=replace(two_gpus_7900xtx.torch, chips=(*ROCM_CHIPS, "gfx1036"))
)
_ADAPTER: Mapping[str, object] = {
    "title": "AMD Radeon RX 7800 XT",
    "vendor": 0x1002,
    "device": 0x747E,
    "memory": 16 * GIB,
    "used": 3 * GIB,
    "shared": GIB // 4,
}
windows_override = Machine(
    system="windows",
    release="11",
    environment={"HSA_OVERRIDE_GFX_VERSION": "11.0.0"},
    adapters=(_ADAPTER,),
    packages={"torch": "2.13.0+rocm10.0.0", "onnxruntime-directml": "1.24.4"},
    torch=rocm_torch(TorchDevice("AMD Radeon RX 7800 XT", "gfx1101"), hip="10.0.0"),
    trials=fine(),
)
windows_two_onnx = replace(
    windows_override,
    environment={},
    packages={"torch": "2.13.0+cpu", "onnxruntime": "1.31.1", "onnxruntime-directml": "1.24.4"},
    torch=CPU_TORCH,
    trials=(),
    placements=(ProvedPlacement("DmlExecutionProvider", ("AzureExecutionProvider", "CPUExecutionProvider")),),
)
wsl_7800xt = Machine(
    system="wsl",
    release="6.6.87.2-microsoft-standard-WSL2",
    files={"/proc/version": "Linux version 6.6.87.2-microsoft-standard-WSL2 (root@builder) #1 SMP\n"},
    devices={"/dev/dxg": ""},
    outputs={"rocminfo": "WSL environment detected.\nhsa_init Failed, possibly no supported GPU devices\n"},
    packages={"torch": "2.12.0+rocm7.2"},
    torch=rocm_torch(hip="7.2.1"),
)
old_driver_9070 = Machine(
    release="6.8.0-60-generic",
    files=card(0, "0x1002", "0x7550", "0000:03:00.0", 16 * GIB, GIB)
    | node(1, 120001, 0x7550, 0x300)
    | parameters()
    | {"/sys/module/amdgpu/version": "6.7.0\n"},
    devices=OPEN,
    packages={"torch": "2.13.0+rocm7.2"},
    torch=rocm_torch(TorchDevice("AMD Radeon RX 9070 XT", "gfx1201", "0000:03:00.0", 16 * GIB)),
    trials=fine(),
)
full_6600 = Machine(
    release="6.14.0",
    files=card(0, "0x1002", "0x73ff", "0000:0b:00.0", 8 * GIB, 8 * GIB - (90 << 20), 3 * GIB, "98000000")
    | node(1, 100302, 0x73FF, 0xB00)
    | parameters(fragment="4"),
    devices=OPEN,
    environment={"HSA_OVERRIDE_GFX_VERSION": "10.3.0"},
    packages={"torch": "2.13.0+rocm7.2"},
    torch=rocm_torch(TorchDevice("AMD Radeon RX 6600", "gfx1030", "0000:0b:00.0", 8 * GIB)),
    trials=fine(),
)
nan_6800 = Machine(
    release="6.14.0",
    files=card(0, "0x1002", "0x73bf", "0000:0b:00.0", 16 * GIB, GIB)
    | node(1, 100300, 0x73BF, 0xB00)
    | parameters(),
    devices=OPEN,
    packages={"torch": "2.13.0+rocm7.2"},
    torch=rocm_torch(TorchDevice("AMD Radeon RX 6800", "gfx1030", "0000:0b:00.0", 16 * GIB)),
    trials=(*fine(), Trial("bf16", "cuda:0", False, "NaN"), Trial("fp16", "cuda:0", False, "", error=3.5)),
    environment={
        "PYTORCH_HIP_ALLOC_CONF": "expandable_segments:True",
        "PYTORCH_TUNABLEOP_ENABLED": "1",
        "TORCH_ROCM_AOTRITON_ENABLE_EXPERIMENTAL": "1",
    },
)
_SMI = "00000000:01:00.0, NVIDIA GeForce RTX 3060, {}, 12288, 412, 14.28\n"
geforce = Machine(
    release="6.14.0",
    files=card(0, "0x10de", "0x2504", "0000:01:00.0"),
    devices={"/dev/kfd": "ENOENT"},
    outputs={"nvidia-smi": _SMI.format("580.95.05")},
    packages={"torch": "2.13.0+cu130"},
    torch=InstalledTorch(
        "2.13.0+cu130", "", "13.0", ("sm_75", "sm_86"), (TorchDevice("NVIDIA GeForce RTX 3060", "sm_86"),)
    ),
    trials=fine(),
)
old_geforce = replace(geforce, outputs={"nvidia-smi": _SMI.format("535.183.01")}, trials=())
laptop = Machine(
    release="6.11.0",
    files=card(0, "0x8086", "0x46a6", "0000:00:02.0"),
    packages={"torch": "2.13.0+cpu", "onnxruntime": "1.31.1"},
    torch=CPU_TORCH,
)
new_python = Machine(release="6.11.0", python="3.16.0", packages={}, torch=None)

MACHINES: Mapping[str, tuple[Machine, frozenset[str]]] = {
    "an RX 7800 XT as it should be": (healthy_7800xt, frozenset()),
    "an RX 7800 XT with a torch for CPUs": (cpu_torch_7800xt, frozenset({"wrong-torch"})),
    "an RX 7800 XT whose user is in no group": (no_group_7800xt, frozenset({"device-nodes"})),
    "an RX 7800 XT in a container": (container_7800xt, frozenset({"device-nodes"})),
    "an RX 5700 XT": (stock_5700xt, frozenset({"no-code", "rdna1"})),
    "an RX 5700 XT told to be another": (
        overridden_5700xt,
        frozenset({"crash", "override", "kernel-parameters", "rdna1"}),
    ),
    "an RX 7900 XTX behind the processor's graphics": (two_gpus_7900xtx, frozenset({"integrated-first"})),
    "an override on Windows": (windows_override, frozenset({"override"})),
    "two ONNX Runtimes on Windows": (
        windows_two_onnx,
        frozenset({"clashing-packages", "silent-fallback", "wrong-torch"}),
    ),
    "WSL": (wsl_7800xt, frozenset({"wsl"})),
    "an RX 9070 XT with an old driver": (old_driver_9070, frozenset({"versions"})),
    "an RX 6600 whose memory is full": (full_6600, frozenset({"memory-full", "kernel-parameters"})),
    "an RX 6800 with wrong numbers": (nan_6800, frozenset({"precision", "environment"})),
    "a GeForce as it should be": (geforce, frozenset()),
    "a GeForce with an old driver": (old_geforce, frozenset({"versions"})),
    "a laptop without a card": (laptop, frozenset()),
    "a Python too new": (new_python, frozenset({"clashing-packages"})),
}
"""Each machine with the faults it has."""


def names(machine: Machine) -> set[str]:
    return {finding.fault for finding in diagnose(machine)}
