"""Which build of torch a card wants, and the command that installs it; addresses and limits are data.

An extra of a package cannot choose an index, so the doctor prints the command. Next hop:
`botapp.doctor.faults`, and the migration planner (`botapp.migrate`).
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from botapp.doctor.machine import Machine, version


@cache
def wheels() -> dict[str, Any]:
    """Returns `resources/rocm/wheels.toml`."""
    return tomllib.loads((files("resources") / "rocm" / "wheels.toml").read_text("utf-8"))


def has_wheel(gfx: str) -> bool:
    """Tells whether AMD publishes a torch with code for a chip."""
    return gfx in wheels()["amd"]["gfx"]


def torch_command(gfx: str) -> str:
    """Returns the command that installs torch for an AMD chip, "" where nobody publishes one."""
    if not has_wheel(gfx):
        return ""
    return f'pip install --force-reinstall --index-url {wheels()["amd"]["index"]} "torch[device-{gfx}]"'


def cpu_command() -> str:
    """Returns the command that installs torch for the CPU."""
    return f"pip install --force-reinstall --index-url {wheels()['cpu']['index']} torch"


def cuda_command() -> str:
    """Returns the command that installs torch for NVIDIA's cards."""
    return f"pip install --force-reinstall --index-url {wheels()['nvidia']['index']} torch"


def python_fits(machine: Machine) -> bool:
    """Tells whether AMD publishes wheels for the machine's Python."""
    return any(version(machine.python)[:2] == version(known) for known in wheels()["amd"]["python"])


def driver_release(module: str) -> str:
    """Returns the ROCm that a version of AMD's out-of-tree driver was released with, "" where unknown."""
    found = ""
    for entry in wheels()["driver"]:
        if version(module) >= version(entry["module"]):
            found = str(entry["rocm"])
    return found


def first_kernel(gfx: str) -> str:
    """Returns the first Linux whose own driver knows a chip, "" where unknown."""
    return str(wheels()["kernel"].get(gfx[:6], ""))


def first_driver(cuda: str) -> str:
    """Returns the first NVIDIA driver that a CUDA runs on, "" where unknown."""
    return str(wheels()["cuda"].get(cuda.split(".", maxsplit=1)[0], ""))
