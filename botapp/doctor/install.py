"""Which build of torch a card wants, and the command that installs it; addresses and limits are data.

An extra of a package cannot choose an index, so the doctor prints the command, for the environment that it
runs in itself.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from botapp.doctor.machine import Machine, version
from hrm.interpreter import this_python


@cache
def wheels() -> dict[str, Any]:
    """Returns `resources/rocm/wheels.toml`."""
    return tomllib.loads((files("resources") / "rocm" / "wheels.toml").read_text("utf-8"))


def has_wheel(gfx: str) -> bool:
    return gfx in wheels()["amd"]["gfx"]


def is_untested(gfx: str) -> bool:
    """Tells whether AMD publishes a torch for a chip that it has not tried on one."""
    return gfx in wheels()["amd"]["untested"]


def torch_command(gfx: str) -> str:
    """Returns the command that installs torch for an AMD chip, "" where none is published."""
    if not has_wheel(gfx):
        return ""
    amd = wheels()["amd"]
    return _torch(amd["index"], f"torch[device-{gfx}]=={amd['torch']}")


def cpu_command() -> str:
    return _torch(wheels()["cpu"]["index"], f"torch=={wheels()['cpu']['torch']}")


def cuda_command() -> str:
    return _torch(wheels()["nvidia"]["index"], f"torch=={wheels()['nvidia']['torch']}")


def directml_command() -> str:
    """Returns the command that puts ONNX Runtime for Windows' graphics cards in place of the processor's."""
    return f"{pip()} uninstall -y onnxruntime && {pip()} install --force-reinstall onnxruntime-directml"


def pip() -> str:
    """Returns the pip of the Python that this runs in, as it is typed."""
    return f"{this_python()} -m pip"


def _torch(index: str, requirement: str) -> str:
    return f'{pip()} install --force-reinstall --index-url {index} "{requirement}"'


def python_fits(machine: Machine) -> bool:
    return any(version(machine.python)[:2] == version(known) for known in wheels()["amd"]["python"])


@dataclass(frozen=True, slots=True)
class Driver:
    """A release of AMD's out-of-tree driver, and the oldest and newest ROCm that AMD supports on it."""

    release: str
    oldest: str
    newest: str

    def fits(self, rocm: str) -> bool:
        """Tells whether AMD supports a ROCm on it; a ROCm newer than AMD's table is taken to be."""
        release, last = version(rocm)[:2], version(wheels()["driver"][-1]["newest"])
        if release > last and version(self.newest) == last:
            return True
        return version(self.oldest) <= release <= version(self.newest)


def driver(module: str) -> Driver | None:
    """Returns the release of AMD's driver that a module's version belongs to, None where unknown."""
    older = [entry for entry in wheels()["driver"] if version(module) >= version(entry["module"])]
    return Driver(*(str(older[-1][name]) for name in ("release", "oldest", "newest"))) if older else None


def first_driver(cuda: str) -> str:
    """Returns the first NVIDIA driver that a CUDA runs on, "" where unknown."""
    return str(wheels()["cuda"].get(cuda.split(".", maxsplit=1)[0], ""))
