"""The benchmark as a picture, drawn as SVG: a bar for each engine, shorter is faster."""

from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from hrm.atomic import write_text
from hrm.backends.bench.benchmark import Result, Row

WIDTH, LEFT, BAR, GAP = 860, 290, 16, 6
_BASELINE, _OTHER, _BEST, _WHISKER = "#888888", "#4c9be8", "#5cb85c", "#555555"


def draw(results: Sequence[Result], picture: Path) -> None:
    """Draws p50 as a bar and p95 as a whisker for each engine, a panel for each workload, as an SVG."""
    parts, top = [], 0
    for result in results:
        rows = [row for row in result.rows if row.times_ms]
        parts.append(_panel(result, rows, top))
        top += 60 + len(rows) * (BAR + GAP)
    size = f'width="{WIDTH}" height="{top}" viewBox="0 0 {WIDTH} {top}"'
    write_text(
        picture,
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">\n'
        '<rect width="100%" height="100%" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n",
    )


def _panel(result: Result, rows: Sequence[Row], top: int) -> str:
    longest = max((row.share(0.95) for row in rows), default=1.0) or 1.0
    scale = (WIDTH - LEFT - 170) / longest
    title = f"{result.workload}: milliseconds a step (bar: half of the steps, line: 95 of 100)"
    parts = [f'<text x="10" y="{top + 24}" font-weight="bold">{escape(title)}</text>']
    best = result.best()
    for index, row in enumerate(rows):
        y = top + 40 + index * (BAR + GAP)
        middle = y + BAR / 2
        colour = _BASELINE if row.baseline else _BEST if row is best else _OTHER
        p50, p95 = row.share(0.5), row.share(0.95)
        end = LEFT + p95 * scale
        said = f"{p50:.3g} ms" if row.baseline else f"{p50:.3g} ms, {result.faster(row):.2f} x faster"
        parts += [
            f'<text x="{LEFT - 8}" y="{y + 12}" text-anchor="end">{escape(row.name)}</text>',
            f'<rect x="{LEFT}" y="{y}" width="{p50 * scale:.1f}" height="{BAR}" fill="{colour}"/>',
            f'<line x1="{LEFT + p50 * scale:.1f}" x2="{end:.1f}" y1="{middle}" y2="{middle}" '
            f'stroke="{_WHISKER}"/>',
            f'<text x="{end + 8:.1f}" y="{y + 12}">{said}</text>',
        ]
    return "\n".join(parts)
