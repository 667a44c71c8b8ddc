"""One picture instead of a window: what vision reads off it, and what the advisor makes of that.

Next hop: `botapp.commands` prints the answers of `botapp look` and `botapp advise`.
"""

import json
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from botapp.advisor.decision import Decision, Expectation, ScoredAction
from botapp.advisor.wording import cost, expectation
from botapp.content.state_json import action_to_json, state_from_json
from botapp.fight.state import FightState
from botapp.tracking.bestiary import arena_bestiary
from botapp.tracking.situation import build
from botapp.tracking.spellbook import preset, presets
from vision import profiles
from vision.extract import Reader
from vision.frame import Frame, Rect
from vision.view import FighterSeen, FightView, Phase

IMAGE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff"})
_NUMBERS = ("hp", "max_hp", "ap", "mp", "timer_s")


class Refused(Exception):
    """There is nothing to answer; the text says why and what to do."""


def image_frame(path: Path) -> Frame:
    """Opens a picture as if it had just been captured.

    Raises:
        Refused: the file is missing or no picture.
    """
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise Refused(f"{path} cannot be opened ({error.strerror}). Give the path of a picture.") from error
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if picture is None:
        raise Refused(f"{path} is not a picture that can be read. Give a PNG, JPEG, BMP or WebP file.")
    pixels = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA), np.uint8)
    height, width = pixels.shape[:2]
    return Frame(pixels, Rect(0, 0, width, height), time.monotonic_ns(), 0)


def read_image(path: Path, client: str) -> FightView:
    """Reads a picture of a client's window.

    Raises:
        Refused: the file is missing or no picture.
        vision.profiles.ProfileError: there is no such client.
    """
    return Reader(profiles.load(client)).read(image_frame(path))


def state_of(view: FightView, player_class: str) -> FightState:
    """Makes a state of a reading.

    Args:
        view: what was read.
        player_class: who the player is, "" for whom the picture shows.

    Raises:
        Refused: too little could be read, or the class is not known.
    """
    if view.phase.value in (None, Phase.UNKNOWN):
        raise Refused(view.reason or "The picture cannot be read as a fight.")
    seen = view.player.kind.value if view.player is not None else None
    wanted = player_class or seen
    if wanted not in presets():
        raise Refused(
            f"The class {wanted!r} is not known. Give --class with one of: {', '.join(presets())}"
            if wanted
            else f"The picture does not tell your class. Give --class with one of: {', '.join(presets())}"
        )
    situation = build(view, preset(wanted), arena_bestiary())
    if situation.state is None:
        raise Refused(situation.withheld)
    return situation.state


def read_state(path: Path) -> FightState:
    """Reads a fight's state from a JSON file.

    Raises:
        Refused: the file is missing, no JSON, or a field is wrong; the text names it.
    """
    try:
        return state_from_json(json.loads(path.read_text("utf-8")))
    except OSError as error:
        raise Refused(f"{path} cannot be opened ({error.strerror}). Give the path of a file.") from error
    except UnicodeDecodeError as error:
        raise Refused(f"{path} is neither a picture nor a JSON file.") from error
    except json.JSONDecodeError as error:
        raise Refused(f"{path} is not JSON (line {error.lineno}: {error.msg}).") from error
    except ValueError as error:
        raise Refused(f"{path}: {error}") from error


def view_json(view: FightView) -> dict[str, Any]:
    """Returns a reading as `botapp look --json` prints it; pixels are those of the picture."""
    phase = view.phase.value or Phase.UNKNOWN
    lattice = view.lattice.value
    names = ("phase", "turn", *_NUMBERS, "lattice")
    confidence = {name: round(getattr(view, name).confidence, 4) for name in names}
    confidence["cells"] = round(view.cell_confidence, 4)
    confidence["player"] = round(view.player.confidence, 4) if view.player is not None else 0.0
    answer: dict[str, Any] = {
        "phase": phase.value,
        "turn": view.turn.value,
        **{name: getattr(view, name).value for name in _NUMBERS},
        "player": _place(view.player) if view.player is not None else None,
        "enemies": [_fighter(fighter) for fighter in view.enemies],
        "allies": [_fighter(fighter) for fighter in view.allies],
        "lattice": None
        if lattice is None
        else {
            "origin_px": [round(value, 3) for value in lattice.origin_px],
            "cell_w": round(lattice.cell_w, 4),
            "cell_h": round(lattice.cell_h, 4),
        },
        "confidence": confidence,
        "elapsed_ms": round(view.elapsed_ms, 3),
    }
    if phase is Phase.UNKNOWN:
        answer["reason"] = view.reason or "This cannot be read as a fight."
    return answer


def view_text(view: FightView) -> str:
    """Returns a reading in a few lines."""
    answer = view_json(view)
    if view.phase.value is not Phase.FIGHT:
        reason = answer.get("reason", view.reason)
        return f"{answer['phase']}: {reason}" if reason else str(answer["phase"])

    def shown(value: object) -> str:
        return "?" if value is None else str(value)

    lines = [
        f"{answer['phase']}, turn: {shown(answer['turn'])}, timer: {shown(answer['timer_s'])} s",
        f"HP {shown(answer['hp'])}/{shown(answer['max_hp'])}, AP {shown(answer['ap'])}, "
        f"MP {shown(answer['mp'])}",
    ]
    if answer["player"] is not None:
        lines.append(f"you: cell {shown(answer['player']['cell'])}")
    for side, group in (("ally", answer["allies"]), ("enemy", answer["enemies"])):
        for fighter in group:
            fraction = fighter["hp_fraction"]
            life = "?" if fraction is None else f"{fraction:.0%}"
            lines.append(f"{side}: cell {shown(fighter['cell'])}, HP {life}")
    lines.append(f"read in {answer['elapsed_ms']:.1f} ms")
    return "\n".join(lines)


def decision_json(decision: Decision) -> dict[str, Any]:
    """Returns a decision as `botapp advise --json` prints it."""
    return {
        "action_type": decision.action_type,
        "action": action_to_json(decision.action),
        "label": decision.best.label,
        "target": decision.target,
        "confidence": round(decision.confidence, 4),
        "value": round(decision.value, 4),
        "choices": [_choice(choice) for choice in decision.choices],
        "reflex": _choice(decision.reflex),
        "stop": decision.stop,
        "trace": [
            {
                "step": step.index,
                "q_halt": round(step.q_halt, 4),
                "q_continue": round(step.q_continue, 4),
                "best": step.best.label,
                "value": round(step.value, 4),
                "elapsed_ms": round(step.elapsed_ms, 3),
            }
            for step in decision.trace
        ],
        "expected": [_expectation(one) for one in decision.expected],
        "alternative": None
        if decision.alternative is None
        else {
            **_choice(decision.alternative.choice),
            "share_lost": round(decision.alternative.share_lost, 4),
            "damage_lost": round(decision.alternative.damage_lost, 2),
            "kills_lost": decision.alternative.kills_lost,
        },
        "plan": [
            {**_choice(step.choice), "expected": [_expectation(one) for one in step.expected]}
            for step in decision.plan
        ],
        "assumed": list(decision.assumed),
        "timings_ms": {name: round(cost, 3) for name, cost in decision.timings_ms},
    }


def decision_text(decision: Decision) -> str:
    """Returns a decision in a few lines."""
    lines = [f"{choice.confidence:6.1%}  {choice.label}" for choice in decision.choices]
    lines.append(f"reflex: {decision.reflex.label}; value {decision.value:+.2f}; {decision.stop} ")
    lines[-1] += f"after {len(decision.trace)} steps, {sum(c for _, c in decision.timings_ms):.1f} ms"
    if decision.expected:
        lines.append(f"expected: {'; '.join(map(expectation, decision.expected))}")
    if decision.alternative is not None:
        lines.append(f"instead: {decision.alternative.choice.label} ({cost(decision.alternative)})")
    if decision.plan:
        lines.append(f"then: {', then '.join(step.choice.label for step in decision.plan)}")
    if decision.assumed:
        lines.append(f"assumed: {', '.join(decision.assumed)}")
    return "\n".join(lines)


def _expectation(expected: Expectation) -> dict[str, Any]:
    amounts = {name: round(getattr(expected, name), 2) for name in ("damage", "heal", "shield", "ap", "mp")}
    return {"fighter": expected.fighter, "name": expected.name, **amounts, "kills": expected.kills}


def _choice(choice: ScoredAction) -> dict[str, Any]:
    return {
        "action": action_to_json(choice.action),
        "label": choice.label,
        "confidence": round(choice.confidence, 4),
    }


def _place(fighter: FighterSeen) -> dict[str, Any]:
    return {"px": [round(value, 1) for value in fighter.px], "cell": fighter.cell}


def _fighter(fighter: FighterSeen) -> dict[str, Any]:
    fraction = fighter.hp_fraction.value
    return {**_place(fighter), "hp_fraction": None if fraction is None else round(fraction, 4)}
