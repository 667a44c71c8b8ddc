"""`botapp doctor`: what there is on this computer, what is missing, and what to do about it.

Next hop: `botapp.cli` prints the answer.
"""

import os
import platform
import sys
from dataclasses import asdict
from typing import Any

from botapp.logs import log_file
from botapp.report import versions
from botapp.store import load, settings_path


def examine() -> dict[str, Any]:
    """Looks at backends, capture, weights, settings and versions; never raises over what it finds."""
    loaded = load()
    wish = loaded.settings.engine
    backends, device = _backends(wish.backend, wish.device, wish.precision)
    found: dict[str, Any] = {
        "system": {
            "platform": platform.platform(),
            "python": platform.python_version(),
            "cores": os.cpu_count(),
        },
        "backends": backends,
        "device": device,
        "capture": _capture(),
        "weights": _weights(),
        "settings": {
            "file": str(settings_path()),
            "exists": settings_path().exists(),
            "changed": loaded.settings.changes(),
            "messages": list(loaded.messages),
        },
        "log": str(log_file()),
        "versions": versions(),
    }
    found["problems"] = _problems(found)
    return found


def text(found: dict[str, Any]) -> str:
    """Returns what was found in lines for a terminal."""
    lines = [f"{found['system']['platform']}, Python {found['system']['python']}", "", "Backends"]
    for info in found["backends"]:
        mark = "yes" if info["usable"] else "no "
        lines.append(f"  {info['name']:<9} {mark}  {info['reason']}")
        lines += [f"                 {device['name']}: {device['title']}" for device in info["devices"]]
    device = found["device"]
    lines += ["", f"In use: {device['device']} in {device['precision']} ({device['reason']})"]
    capture, weights, settings = found["capture"], found["weights"], found["settings"]
    lines.append(f"Capture: {capture['session']}, {capture['text']}")
    lines.append(f"Weights: {weights['file']} ({weights['text']})")
    exists = "" if settings["exists"] else " (not written yet: defaults)"
    lines += [f"Settings: {settings['file']}{exists}", f"Log: {found['log']}"]
    lines.append("Versions: " + ", ".join(f"{name} {number}" for name, number in found["versions"].items()))
    lines.append("")
    problems = found["problems"]
    return "\n".join(lines + ([f"! {problem}" for problem in problems] or ["No problems found."]))


def _backends(backend: str, device: str, precision: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    from hrm.backends import available, choose  # noqa: PLC0415 - torch is loaded only where it is asked about

    found = available()
    return [asdict(info) for info in found], asdict(choose(backend, device, precision, found))


def _capture() -> dict[str, Any]:
    from vision.window import UnsupportedSession, session, system  # noqa: PLC0415

    found = session()
    answer: dict[str, Any] = {"session": found.kind, "usable": found.usable, "text": found.message}
    if not found.usable:
        return answer
    try:
        windows = system()
        screen = windows.screen()
        composited = windows.composited()
    except UnsupportedSession as error:
        return answer | {"usable": False, "text": str(error)}
    text = f"screen {screen.width}x{screen.height}"
    if found.kind != "windows":
        text += ", with a compositor" if composited else ", without a compositor"
    if found.message:
        text += f"; {found.message}"
    return answer | {"text": text, "screen": [screen.width, screen.height], "composited": composited}


def _weights() -> dict[str, Any]:
    from botapp.advisor.model import DEFAULT_WEIGHTS, load_weights  # noqa: PLC0415
    from hrm.checkpoint import CheckpointError  # noqa: PLC0415

    try:
        model, _ = load_weights()
    except (CheckpointError, OSError) as error:
        return {"file": str(DEFAULT_WEIGHTS), "usable": False, "text": str(error)}
    count = sum(parameter.numel() for parameter in model.parameters())
    return {"file": str(DEFAULT_WEIGHTS), "usable": True, "text": f"{count:,} parameters"}


def _problems(found: dict[str, Any]) -> list[str]:
    problems = []
    if not found["weights"]["usable"]:
        problems.append(found["weights"]["text"])
    capture = found["capture"]
    if not capture["usable"]:
        problems.append(capture["text"])
    elif sys.platform.startswith("linux") and not capture["composited"]:
        problems.append(
            "There is no compositor: the overlay is drawn as bare shapes, without transparency. "
            "Start one, such as `picom --backend xrender`."
        )
    problems += found["settings"]["messages"]
    problems += [
        f"The package {name} is missing: run `pip install {name}`."
        for name, number in found["versions"].items()
        if number == "missing" and name != "onnxruntime"
    ]
    return problems
