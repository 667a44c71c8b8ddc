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
    found: dict[str, Any], *, renew: bool = False, folder: Path | None = None
) -> dict[str, Any] | None:
    """Compares a measurement with the one kept for this machine; the first one is kept.

    Args:
        found: what `botapp.bench.decisions.measure` returned, and "vision_ms".
        renew: keep this one in place of the earlier.
        folder: of the file; None for the system's.

    Returns:
        When the kept one was measured ("since"), whether this one is kept from now on ("kept"), and figures
        that take a quarter longer ("slower": name, before and now in ms). None for too few decisions.
    """
    if found["decisions"] < ENOUGH:
        return None
    cache = JsonCache.named(FILE, folder)
    baselines = cache.read_or_set_aside()
    key, figures = _key(found), _figures(found)
    before = baselines.get(key)
    if before is None or renew:
        today = {"since": date.today().isoformat(), "figures_ms": figures}
        kept = cache.write({**baselines, key: today})
        return {"since": today["since"], "kept": kept, "slower": []}
    slower = [
        {"name": name, "before_ms": earlier, "now_ms": figures[name]}
        for name, earlier in before["figures_ms"].items()
        if name in figures and figures[name] > SLOWER * max(earlier, LEAST_MS)
    ]
    return {"since": before["since"], "kept": False, "slower": slower}


def baseline_text(found: dict[str, Any] | None, language: Language = "en") -> str:
    tr = Translator(language)
    if found is None:
        return tr("Compared with earlier runs from {number} decisions on.", number=ENOUGH)
    if found["kept"]:
        return tr("Kept as this machine's figures; later runs are compared with them.")
    if not found["slower"]:
        return tr("Nothing is slower by a quarter than on {date}.", date=found["since"])
    lines = [tr("Slower by a quarter or more than on {date}:", date=found["since"])]
    lines += [
        tr("  {name}: {before:.2f} ms then, {now:.2f} ms now", name=name, before=before, now=now)
        for name, before, now in (entry.values() for entry in found["slower"])
    ]
    lines.append(
        tr(
            "Other programs slow it too: measure again without them. If it is as it should be: {command}",
            command="botapp bench --renew",
        )
    )
    return "\n".join(lines)


def _figures(found: dict[str, Any]) -> dict[str, float]:
    named = {"decision": found["decision_ms"], **found["stages_ms"], "vision": found.get("vision_ms")}
    figures = {name: values["p50"] for name, values in named.items() if values}
    rollouts = found["search"]["rollouts"]["p50"] if found["search"]["rollouts"] else 0
    if rollouts:
        figures[_ROLLOUTS] = 1000 * figures["search"] / rollouts
    return figures


def _key(found: dict[str, Any]) -> str:
    device = found["device"]
    parts = (
        platform.node(),
        found["machine"],
        os.cpu_count(),
        *(device[name] for name in ("device", "precision", "engine", "level")),
        found["budget_ms"],
        "busy" if found["busy_processes"] else "idle",
    )
    return " | ".join(str(part) for part in parts)
