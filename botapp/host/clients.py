"""The game clients there are: each is a profile in `resources/profiles`, which says what players call it."""

import tomllib
from importlib.resources import files

from botapp.host.message import mark

_ARENA = mark("Practice arena")  # the label of `arena.toml`, the one that is put into other languages


def _labels() -> dict[str, str]:
    # vision.profiles checks these files whole, which takes pydantic and numpy: settings are read without
    tables = {}
    for file in (files("resources") / "profiles").iterdir():
        if file.name.endswith(".toml"):
            tables[file.name.removesuffix(".toml")] = tomllib.loads(file.read_text(encoding="utf-8"))
    ordered = sorted(tables, key=lambda name: (tables[name].get("order", 100), name))
    return {name: tables[name].get("label", name) for name in ordered}


CLIENTS = _labels()  # What players call each client, by its profile's name, in the order of the settings
SHORT = {name.removeprefix("dofus-"): name for name in CLIENTS}
"""The profiles by the names that commands have for them."""
