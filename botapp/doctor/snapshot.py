"""Looks at this computer and writes down what it sees as a `Machine`. Never raises over what it finds.

Files are read, device nodes are opened and closed again, commands run with a time limit, and torch is asked
in a child, for a driver's fault may end the process that imports it. `tried` adds what the probe's children
found on the cards.
"""

import errno
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from botapp.doctor.machine import (
    OPERATORS,
    InstalledTorch,
    Machine,
    ProvedPlacement,
    System,
    TorchDevice,
    Trial,
)

if TYPE_CHECKING:
    from hrm.backends.probing.report import ProbeCheck, ProbeReport

VARIABLES = (
    "HSA_OVERRIDE_GFX_VERSION", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES",
    "HSA_ENABLE_DXG_DETECTION", "HSA_ENABLE_SDMA", "PYTORCH_HIP_ALLOC_CONF", "PYTORCH_ALLOC_CONF",
    "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_TUNABLEOP_ENABLED", "TORCH_ROCM_AOTRITON_ENABLE_EXPERIMENTAL",
    "MIOPEN_FIND_MODE", "LD_LIBRARY_PATH", "LD_PRELOAD",
)  # fmt: skip
PACKAGES = (
    "torch", "torch-directml", "onnxruntime", "onnxruntime-directml", "onnxruntime-gpu", "onnxruntime-rocm",
    "onnxruntime-migraphx", "opencv-python", "opencv-python-headless", "nvidia-ml-py", "triton",
    "pytorch-triton-rocm", "numpy",
)  # fmt: skip
COMMANDS: Mapping[str, Sequence[str]] = {
    "rocminfo": ["rocminfo"],
    "nvidia-smi": [
        "nvidia-smi", "--format=csv,noheader,nounits",
        "--query-gpu=pci.bus_id,name,driver_version,memory.total,memory.used,power.draw",
    ],
    "dmesg": ["dmesg", "--notime"],
}  # fmt: skip
_PATTERNS = (
    "sys/class/drm/card[0-9]*/device/vendor", "sys/class/drm/card[0-9]*/device/device",
    "sys/class/drm/card[0-9]*/device/uevent", "sys/class/drm/card[0-9]*/device/mem_info_*",
    "sys/class/drm/card[0-9]*/device/hwmon/hwmon*/power1_*",
    "sys/class/kfd/kfd/topology/nodes/*/properties", "sys/module/amdgpu/version",
    "sys/module/amdgpu/parameters/noretry", "sys/module/amdgpu/parameters/vm_fragment_size", "proc/cmdline",
    "proc/version", "opt/rocm/.info/version", ".dockerenv", "run/.containerenv",
)  # fmt: skip
_NODES = ("dev/kfd", "dev/dxg", "dev/nvidiactl", "dev/dri/renderD*")
_LIMIT_S = 10.0
_TORCH_LIMIT_S = 60.0
_TAIL = 200_000
_DMESG = re.compile(r"amdgpu|kfd|nouveau|nvidia|NVRM|dxg", re.IGNORECASE)
ASK_TORCH = """
import json, torch
answer = {"chips": list(torch.cuda.get_arch_list()), "devices": []}
for index in range(torch.cuda.device_count()):
    found = torch.cuda.get_device_properties(index)
    chip = getattr(found, "gcnArchName", "") if torch.version.hip else f"sm_{found.major}{found.minor}"
    pci = None
    if hasattr(found, "pci_bus_id"):
        pci = f"{found.pci_domain_id:04x}:{found.pci_bus_id:02x}:{found.pci_device_id:02x}.0"
    answer["devices"].append([found.name, chip.split(":")[0], pci, found.total_memory])
print(json.dumps(answer))
"""

Run = Callable[[Sequence[str], float], str]


def look(
    root: Path = Path("/"),
    *,
    run: Run | None = None,
    environment: Mapping[str, str] = os.environ,
    platform_name: str = sys.platform,
) -> Machine:
    """Returns this computer as it is now.

    Args:
        root: where its files begin; another folder in tests.
        run: runs a command within so many seconds and returns what it printed.
        platform_name: as `sys.platform` says.
    """
    run = run or output
    files = read_files(root) if platform_name.startswith("linux") else {}
    system = system_of(platform_name, files)
    adapters = _adapters() if system == "windows" else ()
    devices = open_nodes(root) if platform_name.startswith("linux") else {}
    graphics = bool(adapters) or _has_card(files) or any(why != "ENOENT" for why in devices.values())
    return Machine(
        system=system,
        release=platform.release() if platform_name == sys.platform else "",
        python=platform.python_version(),
        files=files,
        devices=devices if graphics else {},
        outputs=_outputs(run, devices, root) if graphics else {},
        environment={name: environment[name] for name in VARIABLES if environment.get(name)},
        packages=_packages(),
        adapters=adapters,
        torch=installed_torch(run, ask=graphics),
    )


def system_of(platform_name: str, files: Mapping[str, str]) -> System:
    """Tells which kind of system it is; WSL's kernel has Microsoft's name in its version."""
    if platform_name == "win32":
        return "windows"
    if not platform_name.startswith("linux"):
        return "other"
    return "wsl" if "microsoft" in files.get("/proc/version", "").lower() else "linux"


def read_files(root: Path) -> dict[str, str]:
    """Reads the files that matter, by path from `root`."""
    contents: dict[str, str] = {}
    for name, path in _matching(root, _PATTERNS):
        with suppress(OSError):
            contents[name] = path.read_text("utf-8", "replace")
    return contents


def open_nodes(root: Path) -> dict[str, str]:
    """Opens the device nodes; returns "" or why not, by path. /dev/kfd is named even where it is missing."""
    return {"/dev/kfd": "ENOENT"} | {name: _opened(path) for name, path in _matching(root, _NODES)}


def _matching(root: Path, patterns: Iterable[str]) -> Iterator[tuple[str, Path]]:
    for pattern in patterns:
        for path in sorted(root.glob(pattern)):
            yield f"/{path.relative_to(root).as_posix()}", path


def output(command: Sequence[str], limit_s: float) -> str:
    """Runs a command; returns what it printed, "" where it is not there or took too long."""
    if shutil.which(command[0]) is None:
        return ""
    try:
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, errors="replace", timeout=limit_s
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return (done.stdout + done.stderr)[-_TAIL:]


def _opened(path: Path) -> str:
    try:
        os.close(os.open(path, os.O_RDWR))
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error.errno))
    return ""


def _has_card(files: Mapping[str, str]) -> bool:
    vendors = {text.strip() for path, text in files.items() if path.endswith("/device/vendor")}
    return bool(vendors & {"0x1002", "0x10de"})


def _outputs(run: Run, devices: Iterable[str], root: Path) -> dict[str, str]:
    outputs = {name: run(command, _LIMIT_S) for name, command in COMMANDS.items()}
    outputs["dmesg"] = "\n".join(
        line for line in outputs["dmesg"].splitlines()[-4000:] if _DMESG.search(line)
    )
    nodes = [str(root / path.lstrip("/")) for path in devices]
    outputs["ls"] = run(["ls", "-l", *filter(os.path.exists, nodes)], _LIMIT_S) if nodes else ""
    return {name: text for name, text in outputs.items() if text.strip()}


def _packages() -> dict[str, str]:
    versions = {}
    for name in PACKAGES:
        with suppress(PackageNotFoundError):
            versions[name] = version(name)
    return versions


def installed_torch(run: Run, *, ask: bool) -> InstalledTorch | None:
    """Reads what torch is built for off its own file, and asks a child about cards where there are any."""
    try:
        package = distribution("torch")
    except PackageNotFoundError:
        return None
    text = Path(str(package.locate_file("torch/version.py"))).read_text("utf-8", "replace")
    built = dict(re.findall(r"^(hip|cuda)\b[^=\n]*= '([^']*)'", text, re.MULTILINE))
    known = InstalledTorch(str(package.version), built.get("hip", ""), built.get("cuda", ""))
    if not ask or not (known.hip or known.cuda):
        return known
    return torch_said(known, run([sys.executable, "-c", ASK_TORCH], _TORCH_LIMIT_S))


def torch_said(known: InstalledTorch, said: str) -> InstalledTorch:
    """Adds what the child said; a child that died said why, as a rule."""
    lines = said.strip().splitlines()
    json_line = next((line for line in lines if line.startswith('{"chips"')), None)
    if json_line is None:
        return replace(known, error=said.strip() or "it gave no answer")
    answer = json.loads(json_line)
    devices = tuple(TorchDevice(*device) for device in answer["devices"])
    lines.remove(json_line)
    return replace(known, chips=tuple(answer["chips"]), devices=devices, error="\n".join(lines))


def _adapters() -> tuple[Mapping[str, Any], ...]:
    from hrm.backends.memory.pdh import Counters, adapters  # noqa: PLC0415 - Windows only

    try:
        counters = Counters()
    except OSError:
        return ()
    used, shared = counters.usage("Dedicated"), counters.usage("Shared")
    return tuple(
        {name: getattr(adapter, name) for name in ("title", "vendor", "device", "memory")}
        | {"used": used.get(adapter.luid), "shared": shared.get(adapter.luid), "may_share": adapter.shared}
        for adapter in adapters()
        if not adapter.software
    )


def tried(machine: Machine, probe: "Callable[[], ProbeReport] | None" = None) -> Machine:
    """Returns the machine with what the probe found on its cards; without cards, as it was.

    Args:
        probe: returns the report; None for `hrm.backends.probing.probe.probe_all`, which caches it.
    """
    reached = bool(machine.torch and machine.torch.devices)
    if not reached and not (machine.adapters and "onnxruntime-directml" in machine.packages):
        return machine
    if probe is None:
        from hrm.backends.probing.probe import probe_all  # noqa: PLC0415

        probe = probe_all
    trials: dict[tuple[str, str], Trial] = {}
    placements = []
    for check in probe().checks:
        if check.device in ("", "cpu"):
            continue
        trial = _trial(check)
        # several checks may try an operator on a device: the first that failed counts
        known = trials.get((trial.name, trial.device)) if trial else None
        if trial and (known is None or known.ok):
            trials[trial.name, trial.device] = trial
        placed = check.answer.get("operators_by_provider")
        if placed and check.engine == "onnx":
            placements.append(ProvedPlacement("DmlExecutionProvider", tuple(placed), dict(placed)))
    return replace(
        machine,
        trials=(*machine.trials, *trials.values()),
        placements=(*machine.placements, *placements),
    )


def _trial(check: "ProbeCheck") -> Trial | None:
    """Returns what a check found of an operator, or that a precision gave wrong numbers."""
    if not check.ok and "error_share" in check.answer:
        what, share = f"{check.precision or 'fp32'} in {check.name}", check.answer["error_share"]
        return Trial(what, check.device, False, check.reason, answered=True, error=share)
    if check.name in OPERATORS:
        return Trial(check.name, check.device, check.ok, check.reason, answered="what" in check.answer)
    return None
