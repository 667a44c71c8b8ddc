"""The clients that are drawn: a module each, found by its `CLIENT`."""

import runpy
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from vision import profiles
from vision.synthetic.clients.base import DrawnClient


def _found() -> dict[str, DrawnClient]:
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    clients = [module.CLIENT for module in modules if hasattr(module, "CLIENT")]
    # a new one comes behind the others, which are drawn from the same seeds as before
    return {client.name: client for client in sorted(clients, key=lambda client: -client.share)}


def add(file: Path) -> str:
    """Adds a client that does not come with the app, until this process ends; returns its name.

    Args:
        file: its drawing, with a `CLIENT`; its profile lies beside it, NAME.toml.

    Raises:
        OSError: a file cannot be read.
        ValueError: the file is no drawing of a client, or its profile is wrong.
    """
    client = runpy.run_path(str(file)).get("CLIENT")
    if not isinstance(client, DrawnClient):
        raise ValueError(f"{file} has no CLIENT, as vision/synthetic/clients/dofus2.py has one")
    profiles.add(file.with_name(f"{client.name}.toml"))
    CLIENTS[client.name] = client
    return client.name


CLIENTS = _found()  # By the name of the profile, those that are drawn most first
