"""The steps of a migration that change no code: what a person does by hand, what is looked at, what is tried.

The doctor's detectors say whether a step by hand was done, and its fixes are the commands.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from hrm.backends.architectures import ARCHITECTURES
from hrm.children import tied
from hrm.interpreter import this_python
from hrm.message import say
from hrm.migrate import attention, calls, collectives
from hrm.migrate.computer import Computer
from hrm.migrate.native import compiled, native_code
from hrm.migrate.project import FOLDER, Project
from hrm.migrate.rewrites import ENVIRONMENT, adapted, requirements
from hrm.migrate.steps import STEPS

REPORT = "MIGRATION.md"
_TESTS_LIMIT_S = 1500.0
_SEES_CARD = f'{this_python()} -c "import torch; print(torch.version.hip, torch.cuda.is_available())"'
_FAULTS = {
    "rocm_001": ("versions", "wsl", "device-nodes"),
    "rocm_002": ("device-nodes", "override", "kernel-parameters", "environment"),
    "pytorch_001": ("wrong-torch", "no-code", "clashing-packages"),
}
_NO_CARD = say("There is no AMD card here. To prepare the code all the same: --start-from flash_001")
_NO_TESTS = say("the project has no tests that pytest would find")

Run = Callable[[Sequence[str], Path, float], tuple[int, str]]
"""Runs a command in a folder within so many seconds: its exit code and what it printed."""


@dataclass(slots=True)
class CheckResult:
    """How a check ended; see `hrm.migrate.run.StepOutcome`."""

    status: Literal["done", "waiting", "skipped", "failed"]
    lines: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)


Check = Callable[[Project, Computer, Run], CheckResult]
Preview = Callable[[Project, Computer], tuple[list[str], list[str]]]


def run_command(command: Sequence[str], folder: Path, limit_s: float) -> tuple[int, str]:
    """Runs a command in a folder; one that takes too long or cannot start has failed."""
    try:
        done = subprocess.run(
            tied(command) if shutil.which(command[0]) else command,
            check=False,
            capture_output=True,
            text=True,
            errors="replace",
            cwd=folder,
            timeout=limit_s,
        )
    except subprocess.TimeoutExpired:
        return 1, f"it took longer than {limit_s:g} s"
    except OSError as error:
        return 1, f"it cannot be run: {error}"
    return done.returncode, done.stdout + done.stderr


def _backup(project: Project, computer: Computer, run: Run) -> CheckResult:
    path = project.back_up()
    project.state["commit"] = project.commit()
    commit = project.state["commit"]
    where = say(
        "{number} files kept in {folder}", number=len(project.files()), folder=path.relative_to(project.root)
    )
    return CheckResult(
        "done", [where, say("commit {name}", name=commit) if commit else say("not a git tree")]
    )


def _by_hand(step: str) -> Check:
    def check(project: Project, computer: Computer, run: Run) -> CheckResult:
        if not computer.cards:
            return CheckResult("waiting", [_NO_CARD])
        lines, commands = _to_do(step, computer)
        if step == "pytorch_001":
            lines += requirements(project)
            if not computer.for_rocm:
                return CheckResult("waiting", lines or [say("torch for ROCm is not installed")], commands)
        if commands:
            return CheckResult("waiting", lines, commands)
        return CheckResult("done", lines or [say("the doctor finds nothing wrong")])

    return check


def _to_do(step: str, computer: Computer) -> tuple[list[str], list[str]]:
    faults = [f for f in computer.faults if f.name in _FAULTS[step]]
    if step == "rocm_001":
        faults = [f for f in faults if f.name != "device-nodes" or "/dev/kfd: ENOENT" in f.evidence]
    lines = [line for finding in faults for line in (finding.title, *finding.evidence)]
    commands = [line for finding in faults for line in finding.fix]
    if step == "pytorch_001" and not faults and computer.install and not computer.for_rocm:
        commands = [computer.install]
    return lines, commands


def _flash(project: Project, computer: Computer, run: Run) -> CheckResult:
    return CheckResult("done", _flash_lines(project))


def _flash_lines(project: Project) -> list[str]:
    users = []
    for name in project.files(".py"):
        try:
            if attention.uses_flash(project.read(name)):
                users.append(name)
        except (SyntaxError, ValueError):
            continue
    return [say("FlashAttention is used in {name}", name=name) for name in users] or [
        say("FlashAttention is not used")
    ]


def _advice(project: Project, computer: Computer, run: Run) -> CheckResult:
    return CheckResult("done", _advice_lines(computer))


def _advice_lines(computer: Computer) -> list[str]:
    lines: list[str] = []
    for card in computer.cards:
        known = next((a for a in ARCHITECTURES if card.gfx in a.chips), None)
        if known is None:
            lines.append(say("{card}: nothing is known of this chip; begin with fp32", card=card.name))
            continue
        way = say("flash attention where it proves right") if known.flash else say("plain attention")
        advice = say(
            "{card} ({family}): begin with {default} and the level {level}, {proved} once proved; "
            "{attention}. {why}.",
            card=card.name,
            family=known.family,
            default=known.default,
            proved=known.proved,
            attention=way,
            level=known.level,
            why=known.why,
        )
        lines.append(say("{advice} {note}.", advice=advice, note=known.note) if known.note else advice)
    return lines or [say("no AMD card here to advise on")]


def _compiles(project: Project, computer: Computer, run: Run) -> CheckResult:
    wrong: list[str] = []
    for adapt in (attention.adapt, calls.adapt, collectives.adapt):
        changes = adapted(project, adapt)
        wrong += [say("{name} still insists on CUDA", name=name) for name in changes.texts]
        wrong += [note for note in changes.notes if "cannot be read as Python" in note]
    code = native_code(project)
    wrong += code.lines
    hipcc = shutil.which("hipcc")
    if hipcc is not None and not wrong:
        wrong += compiled(code, project, run, hipcc)
    wrong = list(dict.fromkeys(wrong))
    if wrong:
        return CheckResult("failed", wrong)
    lines: list[str] = [say("{number} Python files compile", number=len(project.files(".py")))]
    sources = len(code.to_compile)
    if sources and hipcc is None:
        words = say("{number} sources for the card were not compiled: there is no hipcc here", number=sources)
        return CheckResult("skipped", [*lines, words])
    if sources:
        lines.append(say("hipcc compiles {number} sources for the card", number=sources))
    return CheckResult("done", lines)


def _to_compile(project: Project, computer: Computer) -> tuple[list[str], list[str]]:
    code = native_code(project)
    lines: list[str] = [say("{number} Python files would be compiled", number=len(project.files(".py")))]
    if code.to_compile:
        lines.append(
            say("{number} sources for the card would be compiled by hipcc", number=len(code.to_compile))
        )
    if code.lines:
        lines.append(
            say(
                "it fails until {number} places in C++, build files and images are seen to",
                number=len(code.lines),
            )
        )
    return lines, []


def _operators(project: Project, computer: Computer, run: Run) -> CheckResult:
    trials = computer.trials()
    if not trials:
        return CheckResult(
            "skipped", [say("no card that torch reaches; run `botapp doctor` where there is one")]
        )
    lines: list[str] = [
        say("{what} on {device}: {how}", what=t.name, device=t.device, how=say("fine") if t.ok else t.how)
        for t in trials
    ]
    return CheckResult("done" if all(trial.ok for trial in trials) else "failed", lines)


def _own_tests(project: Project, computer: Computer, run: Run) -> CheckResult:
    if not _has_tests(project):
        return CheckResult("skipped", [_NO_TESTS])
    code, printed = run(_test_command(project), project.root, _TESTS_LIMIT_S)
    tail = [line for line in printed.splitlines() if line.strip()][-5:]
    return CheckResult("done" if code == 0 else "failed", tail)


def _has_tests(project: Project) -> bool:
    names = [name.rsplit("/", 1)[-1] for name in project.files(".py")]
    return any(name.startswith("test_") or name.endswith("_test.py") for name in names)


def _test_command(project: Project) -> list[str]:
    folder = "Scripts" if os.name == "nt" else "bin"
    own = [
        project.root / name / folder / ("python.exe" if os.name == "nt" else "python")
        for name in (".venv", "venv")
    ]
    python = next((str(path) for path in own if path.is_file()), sys.executable)
    return [python, "-m", "pytest", "-q"]


def _written_down(project: Project, computer: Computer, run: Run) -> CheckResult:
    lines = ["# Migration to ROCm", "", "| step | what | how it ended |", "| --- | --- | --- |"]
    for step in STEPS[:-1]:
        lines.append(f"| {step.name} | {step.title} | {project.state['steps'].get(step.name, 'not done')} |")
    changed = sorted({name for writes in project.state["writes"].values() for name in writes})
    lines += ["", "## Files changed", *(f"- {name}" for name in changed)]
    remarks = [*requirements(project), *_advice_lines(computer)]
    lines += ["", "## To keep in mind", *(f"- {remark}" for remark in remarks)]
    lines += ["", "## To run it", f"set -a; . ./{ENVIRONMENT}; set +a, then the command you always used.", ""]
    lines += ["Take it back with `botapp migrate . --undo`.", ""]
    project.write("deploy_001", {REPORT: "\n".join(lines)})
    return CheckResult("done", [say("written to {file}", file=REPORT)])


CHECKS: Mapping[str, Check] = {
    "backup_001": _backup,
    "rocm_001": _by_hand("rocm_001"),
    "rocm_002": _by_hand("rocm_002"),
    "pytorch_001": _by_hand("pytorch_001"),
    "flash_001": _flash,
    "opt_002": _advice,
    "test_001": _compiles,
    "test_002": _operators,
    "integration_001": _own_tests,
    "deploy_001": _written_down,
}

PREVIEWS: Mapping[str, Preview] = {
    "backup_001": lambda project, computer: (
        [
            say(
                "{number} files would be kept in {file}",
                number=len(project.files()),
                file=f"{FOLDER}/backup.tar.gz",
            )
        ],
        [],
    ),
    "rocm_001": lambda project, computer: (
        _to_do("rocm_001", computer) if computer.cards else ([_NO_CARD], [])
    ),
    "rocm_002": lambda project, computer: (
        _to_do("rocm_002", computer) if computer.cards else ([_NO_CARD], [])
    ),
    "pytorch_001": lambda project, computer: (
        [*_to_do("pytorch_001", computer)[0], *requirements(project)],
        [*_to_do("pytorch_001", computer)[1], _SEES_CARD],
    ),
    "flash_001": lambda project, computer: (_flash_lines(project), []),
    "opt_002": lambda project, computer: (_advice_lines(computer), []),
    "test_001": _to_compile,
    "test_002": lambda project, computer: (
        [say("matmul, attention and conv2d would be tried on each card")],
        [f"{this_python()} -m hrm.backends.probing.checks matmul"],
    ),
    "integration_001": lambda project, computer: (
        [] if _has_tests(project) else [_NO_TESTS],
        [" ".join(_test_command(project))] if _has_tests(project) else [],
    ),
    "deploy_001": lambda project, computer: (
        [say("what was done would be written to {file}", file=REPORT)],
        [],
    ),
}
