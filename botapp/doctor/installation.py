"""The app's own parts on this computer: backends, capture, weights, the compiled search, packages."""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from botapp.host.message import error_text, join, say
from hrm.interpreter import this_python

if TYPE_CHECKING:
    from hrm.backends.placement import Level


def backends(
    backend: str, device: str, precision: str, level: "Level"
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Returns every backend and the choice among them, for a wish, with what is done there for speed."""
    from botapp.advisor import own_weights  # noqa: PLC0415
    from botapp.advisor.device import stored_config, suited  # noqa: PLC0415
    from hrm.backends import backends_and_proof, choose, working  # noqa: PLC0415 - torch only where it is asked about
    from hrm.backends.levels import plan_of  # noqa: PLC0415

    found, proof = backends_and_proof()
    choice = suited(choose(backend, device, precision, found, proof, level), precision)
    plan = plan_of(choice, stored_config(own_weights.weights_for(choice.backend)))
    there = [asdict(info) for info in working(found, proof)]
    chosen = asdict(choice) | {"applied": list(plan.applied), "left_out": list(plan.left_out)}
    return there, chosen


def capture() -> dict[str, Any]:
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
        return answer | {"usable": False, "text": error_text(error)}
    size = f"{screen.width}x{screen.height}"
    text: str
    if found.kind == "windows":
        text = say("screen {size}", size=size)
    elif composited:
        text = say("screen {size}, with a compositor", size=size)
    else:
        text = say("screen {size}, without a compositor", size=size)
    text = join((text, found.message))
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
    from botapp.search.preparing import prepared  # noqa: PLC0415
    from botapp.search.readiness import advice  # noqa: PLC0415

    return {"folder": str(FOLDER or ""), "compiled": prepared(), "text": advice()}


def problems(found: dict[str, Any]) -> list[str]:
    """Returns what is wrong with the app's own parts, each in words with its remedy."""
    lines: list[str] = []
    if not found["weights"]["usable"]:
        lines.append(found["weights"]["text"])
    if found["search"]["text"]:
        lines.append(found["search"]["text"])
    if not found["capture"]["usable"]:
        lines.append(found["capture"]["text"])
    elif sys.platform.startswith("linux") and not found["capture"]["composited"]:
        lines.append(
            say(
                "There is no compositor: the overlay is drawn as bare shapes, without transparency. "
                "Start one, such as `picom --backend xrender`."
            )
        )
    lines += found["settings"]["messages"]
    lines += [
        say(
            "The package {name} is missing: run `{python} -m pip install {name}`.",
            name=name,
            python=this_python(),
        )
        for name, number in found["versions"].items()
        if number == "missing" and name not in ("onnxruntime", "numba")
    ]
    return lines
