"""The puzzles a token model is trained on."""

from hrm.tasks.maze import MAZE
from hrm.tasks.puzzles import GridTask, PuzzleFileError, Puzzles
from hrm.tasks.sudoku import SUDOKU

TASKS: dict[str, GridTask] = {task.name: task for task in (SUDOKU, MAZE)}

__all__ = ["MAZE", "SUDOKU", "TASKS", "GridTask", "PuzzleFileError", "Puzzles"]
