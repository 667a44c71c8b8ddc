"""`botapp doctor`: the cards and the app's own parts here, what is wrong, what to do about it."""

import os
import platform
import sys
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from botapp.doctor.cards import cards
from botapp.doctor.faults import diagnose
from botapp.doctor.faults.access import parameters
from botapp.doctor.machine import Machine
from botapp.doctor.snapshot import look, tried
from botapp.host.logs import log_file
from botapp.host.message import error_text, join, mark, say
from botapp.host.settings_file import load, settings_path
from botapp.host.translation import Language, Translator
from botapp.host.versions import versions
from hrm.interpreter import this_python

if TYPE_CHECKING:
    from hrm.backends.placement import Level


def examine(language: Language = "en") -> dict[str, Any]:
    """Looks at the card, backends, capture, weights, settings and versions; never raises over what it finds.

    Args:
        language: of texts; names, commands and keys stay as they are.

    Returns:
        Plain values. "findings" are the faults of the card and what belongs to it, the worst first, each as
        `Finding.to_json` gives it; "cards" are the graphics cards; "problems" are lines about the app's own
        parts.
    """
    loaded = load()
    wish = loaded.settings.engine
    there, device = backends(wish.backend, wish.device, wish.precision, wish.level)
    chosen = {"asked": wish.backend, **{name: device[name] for name in ("backend", "device", "reason")}}
    report: dict[str, Any] = {
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
        **of_card(replace(tried(look()), chosen=chosen)),
    }
    report["problems"] = problems(report)
    spoken: dict[str, Any] = Translator(language).plain(report)
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


def backends(
    backend: str, device: str, precision: str, level: "Level"
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Returns every backend and the choice among them, for a wish, with what is done there for speed."""
    from botapp.advisor import own_weights  # noqa: PLC0415
    from botapp.advisor.device import stored_config, suited  # noqa: PLC0415
    from hrm.backends import backends_and_proof, choose, working  # noqa: PLC0415 - torch only where it is asked about
    from hrm.backends.levels import plan_of  # noqa: PLC0415

    answers, proof = backends_and_proof()
    choice = suited(choose(backend, device, precision, answers, proof, level), precision)
    plan = plan_of(choice, stored_config(own_weights.weights_for(choice.backend)))
    there = [asdict(info) for info in working(answers, proof)]
    chosen = asdict(choice) | {"applied": list(plan.applied), "left_out": list(plan.left_out)}
    return there, chosen


def capture() -> dict[str, Any]:
    from vision.window import UnsupportedSession, session, system  # noqa: PLC0415

    desktop = session()
    answer: dict[str, Any] = {"session": desktop.kind, "usable": desktop.usable, "text": desktop.message}
    if not desktop.usable:
        return answer
    try:
        windows = system()
        screen = windows.screen()
        composited = windows.composited()
    except UnsupportedSession as error:
        return answer | {"usable": False, "text": error_text(error)}
    words = mark("screen {size}, without a compositor")
    if composited:
        words = mark("screen {size}, with a compositor")
    if desktop.kind == "windows":
        words = mark("screen {size}")
    text = join((say(words, size=f"{screen.width}x{screen.height}"), desktop.message))
    return answer | {"text": text, "screen": [screen.width, screen.height], "composited": composited}


def weights() -> dict[str, Any]:
    from botapp.advisor import own_weights  # noqa: PLC0415
    from botapp.advisor.thinker import load_thinker  # noqa: PLC0415
    from hrm.tensor_file import CheckpointError  # noqa: PLC0415

    counts = []
    for file in (own_weights.DEFAULT_WEIGHTS, own_weights.FULL_WEIGHTS):
        try:
            model, _ = load_thinker(file)
        except (CheckpointError, OSError) as error:
            return {"file": str(file), "usable": False, "text": error_text(error)}
        counts.append(sum(parameter.numel() for parameter in model.parameters()))
    text = say("{count:,} parameters, on a graphics card {more:,}", count=counts[0], more=counts[1])
    return {"file": str(own_weights.DEFAULT_WEIGHTS), "usable": True, "text": text}


def search() -> dict[str, Any]:
    """Returns whether the search is compiled here, where that is kept, and what to do where it is not."""
    from botapp.fight.core.compiler import FOLDER  # noqa: PLC0415
    from botapp.search.preparing import advice, prepared  # noqa: PLC0415

    return {"folder": str(FOLDER or ""), "compiled": prepared(), "text": advice()}


def problems(report: dict[str, Any]) -> list[str]:
    """Returns what is wrong with the app's own parts, each in words with its remedy."""
    lines: list[str] = [report[part]["text"] for part in ("weights", "capture") if not report[part]["usable"]]
    lines += filter(None, [report["search"]["text"]])
    shown = report["capture"]
    if shown["usable"] and sys.platform.startswith("linux") and not shown["composited"]:
        words = mark(
            "There is no compositor: the overlay is drawn as bare shapes, without transparency. "
            "Start one, such as `picom --backend xrender`."
        )
        lines.append(say(words))
    lines += report["settings"]["messages"]
    words = mark("The package {name} is missing: run `{python} -m pip install {name}`.")
    missing = [name for name, number in report["versions"].items() if number == "missing"]
    optional = ("onnxruntime", "numba")
    lines += [say(words, name=name, python=this_python()) for name in missing if name not in optional]
    return lines
