"""What `botapp bench` measured here before, kept for each machine and way of deciding, and what is slower.

Middles are compared, not tails, which other programs make. A search fills its time however slow it is, so
what a thousand of its rollouts take is a figure of its own.
"""

import os
import platform
from datetime import date
from pathlib import Path
from typing import Any

from botapp.host.translation import Language, Translator
from hrm.backends.json_cache import JsonCache

FILE = "bench.json"
SLOWER = 1.25  # How many times the earlier figure one is said to be slower from

ENOUGH = 100  # Decisions from which a measurement is worth keeping

LEAST_MS = 0.2  # Figures below it are the clock's noise

_ROLLOUTS = "1,000 rollouts of the search"


def compared(
    measured: dict[str, Any], *, renew: bool = False, folder: Path | None = None
) -> dict[str, Any] | None:
    """Compares a measurement with the one kept for this machine; the first one is kept.

    Args:
        measured: what `botapp.bench.decisions.measure` returned, and "vision_ms".
        renew: keep this one in place of the earlier.
        folder: of the file; None for the system's.

    Returns:
        When the kept one was measured ("since"), whether this one is kept from now on ("kept"), and figures
        that take a quarter longer ("slower": name, before and now in ms). None for too few decisions.
    """
    if measured["decisions"] < ENOUGH:
        return None
    cache = JsonCache.named(FILE, folder)
    baselines = cache.read_or_set_aside()
    key, figures = _key(measured), _figures(measured)
    before = baselines.get(key)
    if before is None or renew:
        today = {"since": date.today().isoformat(), "figures_ms": figures}
        saved = cache.write({**baselines, key: today})
        return {"since": today["since"], "kept": saved, "slower": []}
    slower = [
        {"name": name, "before_ms": earlier, "now_ms": figures[name]}
        for name, earlier in before["figures_ms"].items()
        if name in figures and figures[name] > SLOWER * max(earlier, LEAST_MS)
    ]
    return {"since": before["since"], "kept": False, "slower": slower}


def baseline_text(comparison: dict[str, Any] | None, language: Language = "en") -> str:
    tr = Translator(language)
    if comparison is None:
        return tr("Compared with earlier runs from {number} decisions on.", number=ENOUGH)
    if comparison["kept"]:
        return tr("Kept as this machine's figures; later runs are compared with them.")
    if not comparison["slower"]:
        return tr("Nothing is slower by a quarter than on {date}.", date=comparison["since"])
    lines = [tr("Slower by a quarter or more than on {date}:", date=comparison["since"])]
    lines += [
        tr("  {name}: {before:.2f} ms then, {now:.2f} ms now", name=name, before=before, now=now)
        for name, before, now in (entry.values() for entry in comparison["slower"])
    ]
    lines.append(
        tr(
            "Other programs slow it too: measure again without them. If it is as it should be: {command}",
            command="botapp bench --renew",
        )
    )
    return "\n".join(lines)


def _figures(measured: dict[str, Any]) -> dict[str, float]:
    named = {
        "decision": measured["decision_ms"],
        **measured["stages_ms"],
        "vision": measured.get("vision_ms"),
    }
    figures = {name: values["p50"] for name, values in named.items() if values}
    rollouts = measured["search"]["rollouts"]["p50"] if measured["search"]["rollouts"] else 0
    if rollouts:
        figures[_ROLLOUTS] = 1000 * figures["search"] / rollouts
    return figures


def _key(measured: dict[str, Any]) -> str:
    device = measured["device"]
    parts = (
        platform.node(),
        measured["machine"],
        os.cpu_count(),
        *(device[name] for name in ("device", "precision", "engine", "level")),
        measured["budget_ms"],
        "busy" if measured["busy_processes"] else "idle",
    )
    return " | ".join(str(part) for part in parts)
