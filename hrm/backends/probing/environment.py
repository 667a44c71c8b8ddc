"""The system that a probe ran on: its cards by PCI, drivers, packages, and what torch was built for.

These two are checks of the probe as well.
"""

import importlib.util
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

_PCI = Path("/sys/bus/pci/devices")
_DISPLAY = "0x03"


def system(options: dict[str, Any]) -> dict[str, Any]:
    """Describes the system without loading torch: its cards by PCI, the device files, packages."""
    devices = Path(options.get("pci", _PCI))
    cards = []
    for device in sorted(devices.iterdir()) if devices.is_dir() else ():
        kind, vendor, card = (_read(device / name) for name in ("class", "vendor", "device"))
        if kind.startswith(_DISPLAY):
            driver = device / "driver"
            name = driver.resolve().name if driver.exists() else ""
            cards.append({"address": device.name, "vendor": vendor, "device": card, "driver": name})
    return {
        "platform": platform.platform(),
        "system": sys.platform,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "cards": cards,
        "kfd": os.access("/dev/kfd", os.R_OK | os.W_OK) if Path("/dev/kfd").exists() else None,
        "dxg": Path("/dev/dxg").exists(),
        "drivers": {
            name: _read(Path(f"/sys/module/{name}/version")) or _read(Path(f"/sys/module/{name}/srcversion"))
            for name in ("amdgpu", "nvidia")
        },
        "packages": {
            name: _version(name) for name in ("torch", "onnxruntime", "onnxruntime-directml", "triton")
        },
    }


def libraries(options: dict[str, Any]) -> dict[str, Any]:
    """Imports torch and ONNX Runtime, and returns what they were built for."""
    import torch  # noqa: PLC0415 (a broken library shows here)

    versions: dict[str, Any] = {
        "torch": torch.__version__,
        "hip": torch.version.hip,
        "cuda": torch.version.cuda,
        "cpu": torch.backends.cpu.get_cpu_capability(),
    }
    if importlib.util.find_spec("onnxruntime") is not None:
        import onnxruntime  # noqa: PLC0415

        versions["onnxruntime"] = onnxruntime.__version__
        versions["providers"] = onnxruntime.get_available_providers()
    return versions


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
