"""A Python file that can be changed at the places its syntax tree names, everything else left as it stands.

Edits replace spans of bytes; formatting, comments and line ends outside them survive.
"""

import ast
from dataclasses import dataclass, field

DEVICE_FUNCTION = "_device"
_DEVICE_SOURCE = '''
def _device(name="cuda"):
    """The graphics card, which answers to "cuda" under ROCm too; the CPU where there is none."""
    if not torch.cuda.is_available():
        return torch.device("cpu")
    return torch.device(f"cuda:{name}" if isinstance(name, int) else name)
'''


@dataclass(frozen=True, slots=True)
class Note:
    """Something a person should look at: where, and what of it."""

    line: int
    text: str


@dataclass(slots=True)
class Rewritten:
    """A file's text after a rewriter, with what it noticed."""

    text: str
    notes: list[Note] = field(default_factory=list)


class SourceFile:
    """The text of a file, its tree, and the edits that were asked for."""

    def __init__(self, text: str) -> None:
        """Parses a text.

        Raises:
            SyntaxError: it is no Python that this version reads.
        """
        self.text = text
        self.tree = ast.parse(text)
        self.notes: list[Note] = []
        self._data = text.encode()
        self._lines = [0]
        for line in self._data.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._edits: list[tuple[int, int, str]] = []
        self._parents = {
            child: parent for parent in ast.walk(self.tree) for child in ast.iter_child_nodes(parent)
        }

    def note(self, node: ast.AST, text: str) -> None:
        self.notes.append(Note(getattr(node, "lineno", 1), text))

    def start(self, node: ast.expr | ast.stmt | ast.keyword) -> int:
        return self._lines[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt | ast.keyword) -> int:
        """Returns where a node ends, in bytes."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._lines[node.end_lineno - 1] + node.end_col_offset

    def parent(self, node: ast.AST) -> ast.AST | None:
        return self._parents.get(node)

    def replace(self, start: int, end: int, text: str) -> None:
        """Asks for a span to be replaced; an empty span is an insertion."""
        self._edits.append((start, end, text))

    def wrap(self, node: ast.expr, before: str, after: str) -> None:
        self.replace(self.start(node), self.start(node), before)
        self.replace(self.end(node), self.end(node), after)

    def stands_alone(self, statement: ast.stmt) -> bool:
        """Tells whether nothing but blanks comes before a statement on its line."""
        begin = self._lines[statement.lineno - 1]
        return not self._data[begin : self.start(statement)].strip()

    def define(self, code: str) -> None:
        """Asks for definitions after the first block of imports, torch being imported by then."""
        place, imported = self._after_imports()
        lead = "" if imported else "import torch\n"
        self.replace(place, place, f"{lead}\n\n{code.strip()}\n")

    def remove_line(self, statement: ast.stmt) -> None:
        """Asks for a statement that has its lines to itself to be taken out."""
        self.replace(self._lines[statement.lineno - 1], self._line_end(statement), "")

    def rewritten(self) -> Rewritten:
        """Returns the text with the edits made, the function `_device` defined where they need it."""
        needed = any(f"{DEVICE_FUNCTION}(" in text for _, _, text in self._edits)
        if needed and not any(
            isinstance(node, ast.FunctionDef) and node.name == DEVICE_FUNCTION for node in self.tree.body
        ):
            self.define(_DEVICE_SOURCE)
        data = self._data
        line_end = "\r\n" if b"\r\n" in data else "\n"
        ordered = sorted(enumerate(self._edits), key=lambda edit: (edit[1][0], edit[1][1], edit[0]))
        for _, (start, end, text) in reversed(ordered):
            data = data[:start] + text.replace("\n", line_end).encode() + data[end:]
        return Rewritten(data.decode(), sorted(self.notes, key=lambda note: note.line))

    def _after_imports(self) -> tuple[int, bool]:
        place, imported = 0, False
        for statement in self.tree.body:
            docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if not isinstance(statement, ast.Import | ast.ImportFrom) and not docstring:
                break
            place = self._line_end(statement)
            if isinstance(statement, ast.Import):
                imported |= any(alias.name == "torch" and not alias.asname for alias in statement.names)
        return place, imported

    def _line_end(self, statement: ast.stmt) -> int:
        assert statement.end_lineno is not None
        return self._lines[min(statement.end_lineno, len(self._lines) - 1)]


def dotted(node: ast.AST | None) -> str:
    """Returns a chain of names such as torch.cuda.amp, "" for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else ""
    return ""
