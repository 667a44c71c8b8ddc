"""What `botapp look` says of a picture: all that vision read, as JSON or in a few lines."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from botapp.host.message import say
from botapp.host.translation import ENGLISH, Language, Translator
from botapp.tracking.clients import fit
from botapp.tracking.names import Names
from botapp.tracking.player_profile import PlayerProfile
from botapp.tracking.reasons import plainly
from botapp.tracking.sentences import sentences
from botapp.tracking.state_tracker import Tracked
from vision.frame import Rect
from vision.view import (
    CardSeen,
    CellKind,
    ChronicleLine,
    FighterSeen,
    FightView,
    Lattice,
    Phase,
    Seen,
    SpellSlot,
)

_NUMBERS = ("hp", "max_hp", "ap", "mp", "timer_s")
_MORE_NUMBERS = ("shield", "turn_number", "fighters_shown")


def view_json(tracked: Tracked, names: Names) -> dict[str, Any]:
    """Returns a reading as `botapp look --json` prints it; pixels are those of the picture.

    Cells are listed by kind, highlight and sign. What has a value and a confidence of its own has the value
    under its name and the confidence under `confidence`; fighters, cards and slots have a `confidence` of
    their own. Highlights and signs are as sure as the board's cells; the cards as sure as their number; a log
    is only told where every line is sure, and as sure as the phase.

    Args:
        tracked: the picture, read and with the player's names put in.
        names: those names; they tell what the slots of the spell bar hold.
    """
    view = tracked.view
    phase = view.phase.value or Phase.UNKNOWN
    cards = view.timeline or view.order
    answer: dict[str, Any] = {
        "phase": phase.value,
        "turn": view.turn.value,
        **{name: getattr(view, name).value for name in (*_NUMBERS, *_MORE_NUMBERS)},
        "hp_share": _share(view.hp_share),
        "played": view.played,
        "player": _fighter(tracked.named.player) if tracked.named.player is not None else None,
        "enemies": [_fighter(fighter) for fighter in tracked.named.enemies],
        "allies": [_fighter(fighter) for fighter in tracked.named.allies],
        "lattice": None if view.lattice.value is None else _lattice(view.lattice.value),
        "lattice_ambiguous": [_lattice(other) for other in view.lattice_ambiguous],
        "client_area": _box(view.client),
        "cells": {
            kind.name.lower(): np.flatnonzero(view.cells == kind).tolist()
            for kind in CellKind
            if kind is not CellKind.UNKNOWN
        },
        "highlights": _by_meaning(view.highlights),
        "signs": _by_meaning(view.signs),
        "timeline": [_card(card) for card in cards],
        "dead": [_box(card.box) for card in view.dead],
        "spells": [_slot(slot, names) for slot in view.spells],
        "log": None if view.log is None else [_line(line) for line in view.log],
        "confidence": _confidence(view),
        "elapsed_ms": round(view.elapsed_ms, 3),
    }
    if phase is Phase.UNKNOWN:
        answer["reason"] = view.reason or say("This cannot be read as a fight.")
    return answer


def _confidence(view: FightView) -> dict[str, float]:
    sure = {
        field.name: getattr(view, field.name).confidence
        for field in fields(view)
        if isinstance(getattr(view, field.name), Seen)
    }
    sure |= dict.fromkeys(("cells", "highlights", "signs"), view.cell_confidence)
    sure["player"] = view.player.confidence if view.player is not None else 0.0
    sure["timeline"] = view.fighters_shown.confidence if view.timeline or view.order else 0.0
    sure["log"] = view.phase.confidence if view.log is not None else 0.0
    return {name: round(value, 4) for name, value in sure.items()}


def view_text(
    tracked: Tracked, profile: PlayerProfile, language: Language = ENGLISH, *, asked: bool = False
) -> str:
    """Returns a reading in sentences in a language, and below them its figures in a few lines.

    `asked` tells whether the picture was tried as every client's.
    """
    view, tr = tracked.view, Translator(language)
    answer = view_json(tracked, profile.names)
    text = " ".join(map(tr, sentences(view, profile.client, asked=asked)))
    if asked and not fit(view):
        return text
    if view.phase.value not in (Phase.FIGHT, Phase.PLACEMENT):
        reason = tr(plainly(view.reason or answer.get("reason", "")))
        return "\n".join(filter(None, (text, reason)))
    lines = [
        text,
        f"{answer['phase']}, turn: {_shown(answer['turn'])}, timer: {_shown(answer['timer_s'])} s, "
        f"round: {_shown(answer['turn_number'])}",
        f"{_life(answer)}, AP {_shown(answer['ap'])}, "
        f"MP {_shown(answer['mp'])}, shield {_shown(answer['shield'])}",
    ]
    if answer["player"] is not None:
        lines.append(f"you: cell {_shown(answer['player']['cell'])}{_kind(answer['player'])}")
    for side, group in (("ally", answer["allies"]), ("enemy", answer["enemies"])):
        for fighter in group:
            fraction = fighter["hp_fraction"]
            life = "?" if fraction is None else f"{fraction:.0%}"
            lines.append(f"{side}: cell {_shown(fighter['cell'])}, HP {life}{_kind(fighter)}")
    for name in ("cells", "highlights", "signs"):
        counts = ", ".join(f"{len(cells)} {kind}" for kind, cells in answer[name].items() if cells)
        if counts:
            lines.append(f"{name}: {counts}")
    if answer["timeline"]:
        lines.append(f"timeline: {', '.join(map(_card_text, answer['timeline']))}")
    if answer["spells"]:
        lines.append(f"spells: {', '.join(map(_slot_text, answer['spells']))}")
    if answer["log"]:
        lines.append(f"log: {'; '.join(map(_line_text, answer['log']))}")
    lines.append(f"read in {answer['elapsed_ms']:.1f} ms")
    return "\n".join(lines)


def _shown(value: object) -> str:
    return "?" if value is None else str(value)


def _life(answer: Mapping[str, Any]) -> str:
    if answer["hp"] is None and answer["hp_share"] is not None:
        return f"HP {answer['hp_share']:.0%}"
    return f"HP {_shown(answer['hp'])}/{_shown(answer['max_hp'])}"


def _kind(fighter: Mapping[str, Any]) -> str:
    return f" ({fighter['kind']})" if fighter["kind"] else ""


def _card_text(card: Mapping[str, Any]) -> str:
    return f"{card['kind'] or card['team']}{' (at turn)' if card['current'] else ''}"


def _slot_text(slot: Mapping[str, Any]) -> str:
    usable = {True: "usable", False: "greyed", None: "?"}[slot["usable"]]
    cooling = f", {slot['cooldown']} turns" if slot["cooldown"] else ""
    return f"{slot['spell'] or slot['index'] + 1} {usable}{cooling}"


def _line_text(line: Mapping[str, Any]) -> str:
    if not line["spells"]:
        return "no cast"
    return f"{_shown(line['caster'])}: {' or '.join(line['spells'])} at {line['target'] or 'a free cell'}"


def _by_meaning(cells: Mapping[Any, frozenset[int]]) -> dict[str, list[int]]:
    return {str(meaning): sorted(marked) for meaning, marked in cells.items()}


def _box(box: Rect | None) -> list[int] | None:
    return None if box is None else [box.x, box.y, box.width, box.height]


def _lattice(lattice: Lattice) -> dict[str, Any]:
    return {
        "origin_px": [round(value, 3) for value in lattice.origin_px],
        "cell_w": round(lattice.cell_w, 4),
        "cell_h": round(lattice.cell_h, 4),
    }


def _share(seen: Seen[float]) -> float | None:
    return None if seen.value is None else round(seen.value, 4)


def _sure(place: float | None = None, **seen: Seen[Any]) -> dict[str, float]:
    """Returns confidences by name; `place` is that of where something stands."""
    sure = {} if place is None else {"place": round(place, 4)}
    return sure | {name: round(value.confidence, 4) for name, value in seen.items()}


def _fighter(fighter: FighterSeen) -> dict[str, Any]:
    return {
        "px": [round(value, 1) for value in fighter.px],
        "cell": fighter.cell,
        "hp_fraction": _share(fighter.hp_fraction),
        "shield": _share(fighter.shield),
        "kind": fighter.kind.value,
        "portrait": fighter.portrait,
        "name": fighter.name,
        "name_box": _box(fighter.name_box),
        "confidence": _sure(
            fighter.confidence, hp_fraction=fighter.hp_fraction, shield=fighter.shield, kind=fighter.kind
        ),
    }


def _card(card: CardSeen) -> dict[str, Any]:
    return {
        "team": card.team,
        "current": card.current,
        "kind": card.kind,
        "hp_fraction": _share(card.hp_fraction),
        "portrait": card.portrait,
        "box": _box(card.box),
        "confidence": _sure(hp_fraction=card.hp_fraction),
    }


def _slot(slot: SpellSlot, names: Names) -> dict[str, Any]:
    named = names.find("icons", slot.icon) if slot.icon else None
    return {
        "index": slot.index,
        "spell": named[0] if named is not None else None,
        "usable": slot.usable.value,
        "cooldown": slot.cooldown.value,
        "icon": slot.icon,
        "box": _box(slot.box),
        "confidence": _sure(
            usable=slot.usable, cooldown=slot.cooldown, spell=Seen(*named) if named is not None else Seen()
        ),
    }


def _line(line: ChronicleLine) -> dict[str, Any]:
    return {"caster": line.caster, "spells": sorted(line.spells), "target": line.target, "odd": line.odd}
