"""The commands of `botapp bench`: each registers itself by its name, in a module of this package."""

from collections.abc import Callable
from typing import TypeVar

from botapp.host.registry import Registry

Command = TypeVar("Command", bound=Callable[..., None])

BENCHES: Registry[Callable[..., None]] = Registry("botapp.commands.benches")


def bench(name: str) -> Callable[[Command], Command]:
    """Registers a function as `botapp bench NAME`; its parameters are the options, its docstring the help.

    Whatever is heavy is imported in the function: all modules here are loaded at each `botapp bench`.
    """

    def register(command: Command) -> Command:
        BENCHES.add(name, command)
        return command

    return register
