"""The rewriting steps: the new text of each file that a step changes, and notes."""

from collections.abc import Callable
from dataclasses import dataclass, field

from hrm.message import say
from hrm.migrate import attention, calls, caveats, collectives
from hrm.migrate.computer import Computer
from hrm.migrate.native import native_code
from hrm.migrate.project import Project
from hrm.migrate.source import Rewritten

ENVIRONMENT = "rocm.env"
Adapter = Callable[[str], Rewritten]


@dataclass(slots=True)
class Changes:
    """New texts by file, and lines a person should read."""

    texts: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def changes_of(step: str, project: Project, computer: Computer) -> Changes:
    if step == "flash_002":
        return adapted(project, attention.adapt)
    if step == "code_001":
        changes = adapted(project, calls.adapt)
        _kernels(project, changes)
        _caveats(project, changes)
        return changes
    if step == "code_002":
        return adapted(project, collectives.adapt)
    return _environment(project, computer)


def adapted(project: Project, adapt: Adapter) -> Changes:
    """Rewrites every Python file of a project; one that cannot be read is noted and left."""
    changes = Changes()
    for name in project.files(".py"):
        if not project.readable(name):
            changes.notes.append(say("{name}: not UTF-8, left as it is", name=name))
            continue
        text = project.read(name)
        try:
            result = adapt(text)
        except (SyntaxError, ValueError) as error:
            changes.notes.append(
                say("{name}: cannot be read as Python ({error}), left as it is", name=name, error=error)
            )
            continue
        if result.text != text:
            changes.texts[name] = result.text
        changes.notes += [
            say("{name}: {text}", name=f"{name}:{note.line}", text=note.text) for note in result.notes
        ]
    return changes


def _kernels(project: Project, changes: Changes) -> None:
    code = native_code(project)
    there = set(project.every_file())
    changes.texts |= {name: text for name, text in code.made.items() if name not in there}
    changes.notes += [
        say("{name}: translated; build it with hipcc, or let torch's extensions do so", name=name)
        for name in code.made
    ]
    changes.notes += code.lines
    if code.lines:
        changes.notes.append(
            say(
                "{number} places in C++, build files and images are left for you: test_001 fails until then",
                number=len(code.lines),
            )
        )


def _caveats(project: Project, changes: Changes) -> None:
    for name in project.files(".py"):
        try:
            notes = caveats.in_code(project.read(name))
        except (SyntaxError, ValueError):
            continue
        changes.notes += [say("{name}: {text}", name=f"{name}:{note.line}", text=note.text) for note in notes]


def requirements(project: Project) -> list[str]:
    """Returns the lines of the project's requirements that are bound to CUDA."""
    names = [
        name
        for name in project.files(".txt", ".toml", ".yml", ".yaml", ".cfg")
        if "requirement" in name
        or name.rsplit("/", 1)[-1] in ("pyproject.toml", "environment.yml", "setup.cfg")
    ]
    return [
        say("{name}: {text}", name=f"{name}:{note.line}", text=note.text)
        for name in names
        for note in caveats.in_requirements(project.read(name))
    ]


def _environment(project: Project, computer: Computer) -> Changes:
    """Makes the file of variables: few, each with its reason."""
    lines = [
        "# Variables for ROCm; load them with: set -a; . ./rocm.env; set +a",
        "# MIOpen tries every algorithm at the first call of a shape unless told to take a good one.",
        "MIOPEN_FIND_MODE=FAST",
    ]
    behind = next((fault for fault in computer.faults if fault.name == "integrated-first"), None)
    if behind is not None:
        lines += ["# The processor's own graphics come first here.", behind.fix[1].removeprefix("export ")]
    card = next(iter(computer.cards), None)
    if card is not None:
        lines.insert(1, f"# Made on a machine with {card.title} ({card.gfx}).")
    text = "\n".join(lines) + "\n"
    exists = (project.root / ENVIRONMENT).is_file() or ENVIRONMENT in project.files(".env")
    if exists and project.read(ENVIRONMENT) == text:
        return Changes()
    return Changes({ENVIRONMENT: text})
