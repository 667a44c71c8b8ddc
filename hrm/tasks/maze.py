"""Mazes of 30x30 as a token task: mark the shortest path.

Tokens: 1 wall, 2 free, 3 start, 4 goal, 5 a cell of the path (labels only), as in the reference's maze data.
"""

from collections import deque
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hrm.tasks.puzzles import Grid, GridTask, PuzzleFileError, Puzzles, read_lines

SIDE = 30
FACES = " # SGo"
WALL, FREE, START, GOAL, PATH = 1, 2, 3, 4, 5
WALL_SHARE = 0.36
SHORTEST = 110


def distances(free: NDArray[np.bool_], origin: int) -> NDArray[np.int64]:
    """Counts the steps from a cell to every other, -1 where there is no path; cells: row * side + column."""
    return _spread(_neighbours(free), origin)


def shortest_path(free: NDArray[np.bool_], start: int, goal: int) -> list[int]:
    """Finds one shortest path, both ends included; deterministic, and empty where there is none."""
    neighbours = _neighbours(free)
    left = _spread(neighbours, goal)
    if left[start] < 0:
        return []
    path = [start]
    while path[-1] != goal:
        path.append(min(cell for cell in neighbours[path[-1]] if left[cell] == left[path[-1]] - 1))
    return path


def farthest_pair(free: NDArray[np.bool_], longer_than: int = 0) -> tuple[int, int] | None:
    """Finds two open cells that are the most steps apart, None where none are more than `longer_than`.

    From a cell in the middle of a long path, cells are tried from the outermost inwards: two cells within
    r steps of the middle are at most 2r apart, so the search ends once that is no more than the best found.
    """
    neighbours = _neighbours(free)
    best, pair = longer_than, None
    unvisited = set(np.flatnonzero(free.reshape(-1)).tolist())
    while unvisited:
        reach = _spread(neighbours, min(unvisited))
        part = np.flatnonzero(reach >= 0)
        unvisited -= set(part.tolist())
        if len(part) <= best:
            continue
        end = int(reach.argmax())
        back = _spread(neighbours, end)
        other = _spread(neighbours, int(back.argmax()))
        halfway = [cell for cell in part.tolist() if back[cell] + other[cell] == back.max()]
        middle = min(halfway, key=lambda cell: abs(int(back[cell] - other[cell])))
        depth = _spread(neighbours, middle)
        for cell in sorted(part.tolist(), key=lambda cell: -int(depth[cell])):
            if 2 * depth[cell] <= best:
                break
            away = _spread(neighbours, cell)
            if away.max() > best:
                best, pair = int(away.max()), (cell, int(away.argmax()))
    return pair


def generate(rng: np.random.Generator, side: int = SIDE, longer_than: int = SHORTEST) -> tuple[Grid, Grid]:
    """Draws random mazes until one's farthest pair of cells lies more than `longer_than` steps apart.

    Returns:
        Puzzle and solution as tokens, (side * side,) each.
    """
    while True:
        free = rng.random((side, side)) >= WALL_SHARE
        pair = farthest_pair(free, longer_than)
        if pair is not None:
            puzzle = np.where(free.reshape(-1), FREE, WALL).astype(np.int32)
            puzzle[pair[0]], puzzle[pair[1]] = START, GOAL
            solution = puzzle.copy()
            solution[shortest_path(free, *pair)[1:-1]] = PATH
            return puzzle, solution


def generate_many(count: int, seed: int, side: int = SIDE, longer_than: int = SHORTEST) -> Puzzles:
    """Draws `count` mazes, always the same ones from a seed."""
    pairs = [generate(np.random.default_rng([seed, index]), side, longer_than) for index in range(count)]
    return Puzzles(np.stack([puzzle for puzzle, _ in pairs]), np.stack([solution for _, solution in pairs]))


def save(path: Path, mazes: Puzzles) -> None:
    """Writes mazes as a CSV of `puzzle,solution`, a character a cell."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{_faces(a)},{_faces(b)}" for a, b in zip(mazes.inputs, mazes.labels, strict=True)]
    path.write_text("\n".join(["puzzle,solution", *lines, ""]), encoding="utf-8")


def load(path: Path) -> Puzzles:
    """Reads what `save` wrote.

    Raises:
        PuzzleFileError: the file is missing, or a line of it is not a maze and its solution.
    """
    if not path.is_file():
        raise PuzzleFileError(f"there is no file {path}; `python -m hrm mazes {path}` draws some")
    pairs = []
    for number, line in enumerate(read_lines(path)[1:], start=2):
        parts = line.split(",")
        if len(parts) != 2 or any(len(part) != SIDE * SIDE or set(part) - set(FACES) for part in parts):
            raise PuzzleFileError(f"{path}, line {number}: expected two times {SIDE * SIDE} of '{FACES[1:]}'")
        pairs.append([_tokens(part) for part in parts])
    if not pairs:
        raise PuzzleFileError(f"{path} has no mazes in it")
    return Puzzles(np.stack([pair[0] for pair in pairs]), np.stack([pair[1] for pair in pairs]))


def parse(text: str) -> Grid:
    """Reads one maze as typed: "#" wall, "." or a space free, "S" start, "G" goal; line breaks do not count.

    Raises:
        ValueError: it has not 900 cells, or others than these.
    """
    cells = text.replace("\n", "").replace(".", " ")
    if len(cells) != SIDE * SIDE or set(cells) - set(FACES[1:5]):
        raise ValueError(f"a maze has {SIDE * SIDE} cells out of '# .SG'; this one has {len(cells)}")
    return _tokens(cells)


def augment(inputs: Grid, labels: Grid, rng: np.random.Generator) -> tuple[Grid, Grid]:
    """Turns and mirrors each maze (B, side * side) at random."""
    count, cells = inputs.shape
    side = int(cells**0.5)
    plain = np.arange(cells).reshape(side, side)
    turned = [np.rot90(face, turn).reshape(-1) for face in (plain, plain.T) for turn in range(4)]
    order = np.stack(turned)[rng.integers(8, size=count)]
    return np.take_along_axis(inputs, order, 1), np.take_along_axis(labels, order, 1)


def render(tokens: Grid, puzzle: Grid) -> str:
    """Draws a maze, the path as "o"."""
    faces = "".join(FACES[token] if 0 < token < len(FACES) else "?" for token in tokens)
    side = int(len(puzzle) ** 0.5)
    return "\n".join(faces[row * side : (row + 1) * side] for row in range(side))


def _spread(neighbours: list[list[int]], origin: int) -> NDArray[np.int64]:
    steps_to = [-1] * len(neighbours)
    steps_to[origin] = 0
    queue = deque([origin])
    while queue:
        cell = queue.popleft()
        for beside in neighbours[cell]:
            if steps_to[beside] < 0:
                steps_to[beside] = steps_to[cell] + 1
                queue.append(beside)
    return np.array(steps_to)


def _neighbours(free: NDArray[np.bool_]) -> list[list[int]]:
    side = len(free)
    padded = np.zeros((side + 2, side + 2), dtype=bool)
    padded[1:-1, 1:-1] = free
    neighbours: list[list[int]] = []
    for row in range(1, side + 1):
        for column in range(1, side + 1):
            cell = (row - 1) * side + column - 1
            steps = ((-1, 0, -side), (0, -1, -1), (0, 1, 1), (1, 0, side))
            open_cells = [cell + step for down, right, step in steps if padded[row + down, column + right]]
            neighbours.append(open_cells if padded[row, column] else [])
    return neighbours


def _faces(tokens: Grid) -> str:
    return "".join(FACES[token] for token in tokens)


def _tokens(cells: str) -> Grid:
    return np.array([FACES.index(cell, 1) for cell in cells], dtype=np.int32)


MAZE = GridTask(
    name="maze", vocab_size=6, seq_len=SIDE * SIDE, load=load, augment=augment, parse=parse, render=render
)
