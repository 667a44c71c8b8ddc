"""Curves as a picture, drawn without any library: those of a run, or any others in panels one below another.

The last hop of training.
"""

import contextlib
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

WIDTH, HEIGHT, PAD = 720, 240, 46
COLOURS = ("#4c9be8", "#e8a33d", "#5cb85c", "#d9534f", "#9b6be8", "#4bc0c0", "#c0a04b", "#888888")
_SHOWN = ("dev_exact@1", "dev_exact@2", "dev_exact@4", "dev_exact@8", "dev_exact@16", "dev_early_exact")

Line = tuple[str, Sequence[tuple[float, float]]]  # A curve: its name and its points


def draw_run(metrics: Path, picture: Path) -> None:
    """Draws a run's `metrics.jsonl` as an SVG: losses above, accuracies by steps allowed below."""
    rows = list(_rows(metrics))
    losses = _lines(rows, ("loss", "lm_loss", "q_halt_loss"))
    accuracies = _lines(rows, ("exact_accuracy", *_SHOWN))
    draw([("loss by step", losses), ("exact accuracy by step", accuracies)], picture)


def draw(panels: Sequence[tuple[str, Sequence[Line]]], picture: Path) -> None:
    """Draws panels, each a title with its curves, as an SVG; both axes begin at 0."""
    drawn = [_panel(title, lines, row * HEIGHT) for row, (title, lines) in enumerate(panels)]
    height = len(panels) * HEIGHT
    size = f'width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
    picture.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="11">\n'
        '<rect width="100%" height="100%" fill="#ffffff"/>\n' + "\n".join(drawn) + "\n</svg>\n",
        encoding="utf-8",
    )


def _rows(metrics: Path) -> Iterator[dict[str, float]]:
    """Yields the lines that are objects with a step; a run that was killed may have left half a line."""
    for line in metrics.read_text(encoding="utf-8", errors="replace").splitlines():
        with contextlib.suppress(ValueError, RecursionError):
            row = json.loads(line)
            if isinstance(row, dict) and isinstance(row.get("step"), int | float):
                yield {key: value for key, value in row.items() if isinstance(value, int | float)}


def _lines(rows: Sequence[dict[str, float]], keys: Sequence[str]) -> list[Line]:
    lines = [
        (key, [(row["step"], row[key]) for row in rows if math.isfinite(row.get(key, math.nan))])
        for key in keys
    ]
    return [(key, points) for key, points in lines if points]


def _panel(title: str, lines: Sequence[Line], top: int) -> str:
    points = [point for _, line in lines for point in line]
    right = max((x for x, _ in points), default=1) or 1
    high = max((y for _, y in points), default=1) or 1
    base = top + HEIGHT - PAD

    def place(x: float, y: float) -> str:
        return f"{PAD + x / right * (WIDTH - 3.5 * PAD):.1f},{base - y / high * (HEIGHT - 2 * PAD):.1f}"

    parts = [f'<text x="{PAD}" y="{top + 20}" font-weight="bold">{title}</text>']
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = base - share * (HEIGHT - 2 * PAD)
        parts.append(f'<line x1="{PAD}" x2="{WIDTH - 2.5 * PAD}" y1="{y}" y2="{y}" stroke="#dddddd"/>')
        parts.append(f'<text x="{PAD - 4}" y="{y + 4}" text-anchor="end">{share * high:.3g}</text>')
        x = PAD + share * (WIDTH - 3.5 * PAD)
        parts.append(f'<text x="{x}" y="{base + 16}" text-anchor="middle">{round(share * right, 2):g}</text>')
    for index, (key, line) in enumerate(lines):
        colour = COLOURS[index % len(COLOURS)]
        path = " ".join(place(x, y) for x, y in line)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        y = top + PAD + 14 * index
        parts.append(f'<text x="{WIDTH - 2.4 * PAD}" y="{y}" fill="{colour}">{key}</text>')
    return "\n".join(parts)
