"""`botapp doctor`: what there is on this computer, what is wrong with it, and what to do about it.

`snapshot` looks, `faults` judges, `report` puts it in words.
"""

import os
import platform
from dataclasses import asdict, replace
from typing import Any

from botapp.doctor.cards import cards
from botapp.doctor.faults import diagnose
from botapp.doctor.faults.settings import parameters
from botapp.doctor.finding import Finding
from botapp.doctor.installation import backends, capture, problems, search, weights
from botapp.doctor.machine import Machine
from botapp.doctor.report import paste, text
from botapp.doctor.snapshot import look
from botapp.doctor.trials import tried
from botapp.host.logs import log_file
from botapp.host.settings_file import load, settings_path
from botapp.host.translation import Language, Translator
from botapp.host.versions import versions

__all__ = ["Finding", "Machine", "diagnose", "examine", "paste", "text"]


def examine(language: Language = "en") -> dict[str, Any]:
    """Looks at the card, backends, capture, weights, settings and versions; never raises over what it finds.

    Args:
        language: what is put into words is in; names, commands and what the keys are called stay as they are.

    Returns:
        Plain values. "findings" are the faults of the card and what belongs to it, the worst first, each as
        `Finding.to_json` gives it; "cards" are the graphics cards; "problems" are lines about the app's own
        parts.
    """
    loaded = load()
    wish = loaded.settings.engine
    there, device = backends(wish.backend, wish.device, wish.precision, wish.level)
    machine = tried(look())
    chosen = {"asked": wish.backend, **{name: device[name] for name in ("backend", "device", "reason")}}
    machine = replace(machine, chosen=chosen)
    found: dict[str, Any] = {
        "system": {
            "platform": platform.platform(),
            "python": platform.python_version(),
            "cores": os.cpu_count(),
        },
        "backends": there,
        "adviser": wish.adviser,
        "device": device,
        "capture": capture(),
        "weights": weights(),
        "search": search(),
        "settings": {
            "file": str(settings_path()),
            "exists": settings_path().exists(),
            "changed": loaded.settings.changes(),
            "messages": list(loaded.messages),
        },
        "log": str(log_file()),
        "versions": versions(),
        **of_card(machine),
    }
    found["problems"] = problems(found)
    spoken: dict[str, Any] = Translator(language).plain(found)
    return spoken


def of_card(machine: Machine) -> dict[str, Any]:
    """Returns what there is to say of a machine's cards, as plain values: see `examine`."""
    return {
        "cards": [asdict(card) | {"name": card.name} for card in cards(machine)],
        "findings": [finding.to_json() for finding in diagnose(machine)],
        "driver_parameters": parameters(machine),
        "environment": dict(machine.environment),
        "trials": [asdict(trial) for trial in machine.trials],
    }
