"""`python -m botapp.bench.architecture`: draws the packages and what they import of each other.

The drawing is a staircase: each package is a box that stands below all that import it, and each number is how
many imports lead from the box above it to the box on its right. `make architecture` writes it for
`docs/architecture.md`; a test says when a package or an arrow of it is out of date.
"""

import argparse
import ast
import sys
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from html import escape
from pathlib import Path

PARTS = {"botapp": "#2f6db3", "vision": "#b3692f", "hrm": "#3f8f5f"}
"""The top packages in the order of the drawing, each with the colour of its boxes."""

_ROOMS = 2  # Names of botapp's packages are this long: what a room has inside is its own matter

_COLUMN, _ROW, _BOX, _HEIGHT, _MARGIN, _TRUNK = 34, 30, 172, 22, 24, 12
_UPWARDS, _INK, _LINE = "#c0392b", "#1f2933", "#9aa5b1"
_LEGEND = (
    "Each box is a package. Follow its line down to a number,",
    "then right to the package it imports. The number counts",
    "the imports, one for each pair of files.",
)
_LEGEND_UPWARDS = "In red, back up: a package whose own files lie on several layers."


@dataclass(frozen=True, slots=True)
class PackageImports:
    """The packages of a source tree, and how many imports lead from one to another: (from, to) -> imports."""

    packages: tuple[str, ...]
    counts: Counter[tuple[str, str]]

    def summary(self) -> str:
        return f"{len(self.packages)} packages, {len(self.counts)} import edges between them"


def read(root: Path) -> PackageImports:
    """Reads off the files below a folder which packages import which.

    Files named `__main__` are left out: they only start programs.

    Args:
        root: the folder with `botapp`, `vision` and `hrm`.
    """
    files = {
        _name(path.relative_to(root)): path
        for part in PARTS
        for path in sorted((root / part).rglob("*.py"))
        if path.stem != "__main__"
    }
    folders = {name for name, path in files.items() if path.stem == "__init__"}
    owners = {name: _package(name, folders) for name in files}
    counts: Counter[tuple[str, str]] = Counter()
    for name, path in files.items():
        for other in _imported(path, files.keys()):
            if owners[other] != owners[name]:
                counts[owners[name], owners[other]] += 1
    return PackageImports(tuple(sorted(set(owners.values()))), counts)


def _name(path: Path) -> str:
    names = path.with_suffix("").parts
    return ".".join(names[:-1] if names[-1] == "__init__" else names)


def _package(module: str, folders: set[str]) -> str:
    names = module.split(".")
    if names[0] == "botapp":
        names = names[:_ROOMS]
    while ".".join(names) not in folders:
        names.pop()
    return ".".join(names)


def _imported(path: Path, modules: Set[str]) -> set[str]:
    imported: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            imported |= names if names <= modules else names | {node.module}
    return imported & modules


def layers(imports: PackageImports) -> list[list[str]]:
    """Returns the packages in layers, topmost first, so that imports lead downwards as far as they can."""
    place = {name: number for number, name in enumerate(_order(imports))}
    height: dict[str, int] = {}
    for name in sorted(place, key=place.__getitem__, reverse=True):
        below = [b for a, b in imports.counts if a == name and place[b] > place[name]]
        height[name] = 1 + max((height[other] for other in below), default=-1)
    keys = {name: (list(PARTS).index(_part(name)), -height[name]) for name in place}
    return [sorted(name for name in keys if keys[name] == key) for key in sorted(set(keys.values()))]


def _order(imports: PackageImports) -> Iterator[str]:
    """Yields the packages from above to below; of a circle first what the fewest packages import."""
    reached = _reached(imports)
    left = set(imports.packages)

    def importers(name: str) -> tuple[int, int, str]:
        pairs = [pair for pair in imports.counts if left.issuperset(pair)]
        own = sum(imports.counts[pair] for pair in pairs if pair[0] == name)
        return sum(target == name for _, target in pairs), -own, name

    while left:
        tops = [
            name
            for name in left
            if not any(name in reached[other] and other not in reached[name] for other in left)
        ]
        yield (top := min(tops, key=importers))
        left.remove(top)


def _reached(imports: PackageImports) -> dict[str, set[str]]:
    reached = {name: {b for a, b in imports.counts if a == name} for name in imports.packages}
    for middle in imports.packages:
        for targets in reached.values():
            if middle in targets:
                targets.update(reached[middle])
    return reached


def _part(name: str) -> str:
    return name.split(".", maxsplit=1)[0]


def draw(imports: PackageImports) -> str:
    """Returns the drawing as the text of an SVG file; the same imports always give the same text."""
    rows = layers(imports)
    names = [name for layer in rows for name in layer]
    x = {name: _MARGIN + _COLUMN * number for number, name in enumerate(names)}
    y = {name: _MARGIN + _ROW * number + _HEIGHT // 2 for number, name in enumerate(names)}
    width = x[names[-1]] + _BOX + _MARGIN
    height = y[names[-1]] + _HEIGHT // 2 + _MARGIN
    shapes = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" font-family="DejaVu Sans, Verdana, sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    shapes += _bands(rows, width, y)
    down = {pair: count for pair, count in imports.counts.items() if y[pair[0]] < y[pair[1]]}
    up = {pair: count for pair, count in imports.counts.items() if pair not in down}
    shapes += _lines(down, {name: x[name] + _TRUNK for name in x}, x, y, _LINE)
    shapes += _lines(
        up, {name: x[name] + _BOX - _TRUNK for name in x}, {k: v + _BOX for k, v in x.items()}, y
    )
    shapes += [_box(name, x[name], y[name]) for name in names]
    shapes += _numbers(down, {name: x[name] + _TRUNK for name in x}, y)
    shapes += _numbers(up, {name: x[name] + _BOX - _TRUNK for name in x}, y, _UPWARDS)
    shapes += _legend(imports, width, bool(up))
    return "\n".join([*shapes, "</svg>", ""])


def _bands(rows: Sequence[Sequence[str]], width: int, y: dict[str, int]) -> Iterator[str]:
    for layer in rows[::2]:
        top = y[layer[0]] - _ROW // 2
        yield f'<rect y="{top}" width="{width}" height="{_ROW * len(layer)}" fill="#f4f6f8"/>'


def _lines(
    counts: dict[tuple[str, str], int],
    trunks: dict[str, int],
    ends: dict[str, int],
    y: dict[str, int],
    colour: str = _UPWARDS,
) -> Iterator[str]:
    for source in sorted({source for source, _ in counts}, key=y.__getitem__):
        last = max((y[b] for a, b in counts if a == source), key=lambda at: abs(at - y[source]))
        yield f'<path d="M{trunks[source]} {y[source]}V{last}" stroke="{colour}" fill="none"/>'
    for target in sorted({target for _, target in counts}, key=y.__getitem__):
        far = max((trunks[a] for a, b in counts if b == target), key=lambda at: abs(at - ends[target]))
        tip = 6 if far > ends[target] else -6
        yield (
            f'<path d="M{far} {y[target]}H{ends[target]}m{tip} -4l{-tip} 4l{tip} 4" stroke="{colour}"'
            ' fill="none"/>'
        )


def _numbers(
    counts: dict[tuple[str, str], int], trunks: dict[str, int], y: dict[str, int], colour: str = ""
) -> Iterator[str]:
    for (source, target), count in sorted(counts.items()):
        fill = colour or PARTS[_part(source)]
        yield (
            f'<circle cx="{trunks[source]}" cy="{y[target]}" r="9.5" fill="#ffffff" stroke="{fill}"/>'
            f'<text x="{trunks[source]}" y="{y[target] + 3.5}" font-size="10" text-anchor="middle"'
            f' fill="{fill}">{count}</text>'
        )


def _box(name: str, x: int, y: int) -> str:
    return (
        f'<rect x="{x}" y="{y - _HEIGHT // 2}" width="{_BOX}" height="{_HEIGHT}" rx="4"'
        f' fill="{PARTS[_part(name)]}"/>'
        f'<text x="{x + _BOX // 2}" y="{y + 4}" text-anchor="middle" fill="#ffffff">{escape(name)}</text>'
    )


def _legend(imports: PackageImports, width: int, upwards: bool) -> Iterator[str]:
    lines = [*_LEGEND, *([_LEGEND_UPWARDS] if upwards else [])]
    at = width - _MARGIN
    yield (
        f'<text x="{at}" y="44" font-size="16" font-weight="bold" text-anchor="end" fill="{_INK}">'
        f"{imports.summary()}</text>"
    )
    for number, line in enumerate(lines):
        yield f'<text x="{at}" y="{70 + 18 * number}" text-anchor="end" fill="{_INK}">{line}</text>'


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures and writes the drawing where one is asked for; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m botapp.bench.architecture", description=__doc__)
    parser.add_argument("svg", type=Path, nargs="?", help="file for the drawing")
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="folder of another checkout")
    options = parser.parse_args(arguments)
    imports = read(options.root)
    if options.svg is not None:
        options.svg.write_text(draw(imports), encoding="utf-8")
    print(imports.summary())
    return 0


if __name__ == "__main__":
    sys.exit(main())
