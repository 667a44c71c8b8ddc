"""The clients that are drawn: a module each, found by its `CLIENT`."""

from importlib import import_module
from pkgutil import iter_modules

from vision.synthetic.clients.base import DrawnClient


def _found() -> dict[str, DrawnClient]:
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    clients = [module.CLIENT for module in modules if hasattr(module, "CLIENT")]
    # a new one comes behind the others, which are drawn from the same seeds as before
    return {client.name: client for client in sorted(clients, key=lambda client: -client.share)}


CLIENTS = _found()  # By the name of the profile, those that are drawn most first
