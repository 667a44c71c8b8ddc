"""A migration goes as far as it gets, shows before it writes, goes on where it stopped, can be taken back."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from botapp.commands import cli
from botapp.commands.computer import for_migration
from botapp.doctor.machine import InstalledTorch, Machine, TorchDevice, Trial
from hrm.migrate import STEPS, MigrationError, text, to_json, undo
from hrm.migrate import migrate as carry_out
from hrm.migrate.checks import run_command
from hrm.migrate.project import FOLDER, Project
from hrm.migrate.run import StepOutcome
from hrm.migrate.steps import index

HERE = Path(__file__).parent
NOWHERE = Machine()
_FILES = {
    "/sys/class/drm/card0/device/vendor": "0x1002\n",
    "/sys/class/drm/card0/device/device": "0x747e\n",
    "/sys/class/drm/card0/device/uevent": "PCI_SLOT_NAME=0000:03:00.0\n",
}
CARD = Machine(
    release="6.14.0",
    files=_FILES,
    devices={"/dev/kfd": "", "/dev/dri/renderD128": ""},
    torch=InstalledTorch(
        "2.13.0+rocm10.0.0",
        "10.0.0",
        "",
        ("gfx1101",),
        (TorchDevice("RX 7800 XT", "gfx1101", "0000:03:00.0"),),
    ),
    trials=tuple(Trial(name, "cuda:0", True) for name in ("matmul", "attention", "conv2d")),
)


def migrate(project: Path, machine: Machine, **options: Any) -> list[StepOutcome]:
    """A migration on a machine as the doctor sees it."""
    return carry_out(project, for_migration(machine), **options)


def git(folder: Path, *arguments: str) -> None:
    command = ["git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments]
    subprocess.run(command, check=True, capture_output=True)


@pytest.fixture(scope="module")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("committed") / "project"
    copytree(HERE / "cuda_project", folder, ignore=lambda *_: ["__pycache__"])
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "as it was")
    return folder


@pytest.fixture
def project(committed: Path, tmp_path: Path) -> Path:
    """A git tree with the CUDA-only project, committed."""
    return Path(copytree(committed, tmp_path / "project"))


def statuses(outcomes: list[StepOutcome]) -> dict[str, str]:
    return {outcome.step.name: outcome.status for outcome in outcomes}


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {".git", FOLDER} & set(path.relative_to(folder).parts)
    }


def passing(command: Sequence[str], folder: Path, limit_s: float) -> tuple[int, str]:
    return 0, "1 passed\n"


def test_the_plan_is_nine_phases_with_their_times() -> None:
    minutes: dict[str, int] = {}
    for step in STEPS:
        minutes[step.phase] = minutes.get(step.phase, 0) + step.minutes
    assert list(minutes.values()) == [5, 40, 20, 30, 25, 25, 50, 25, 15]
    assert [step.name for step in STEPS] == [
        "backup_001", "rocm_001", "rocm_002", "pytorch_001", "flash_001", "flash_002", "code_001", "code_002",
        "opt_001", "opt_002", "test_001", "test_002", "integration_001", "deploy_001",
    ]  # fmt: skip
    assert [step.name for step in STEPS if step.restart] == ["rocm_002"]


@pytest.mark.slow
def test_a_dry_run_tells_everything_and_writes_nothing(project: Path) -> None:
    before = contents(project)
    outcomes = migrate(project, NOWHERE, dry_run=True)
    assert set(statuses(outcomes).values()) == {"planned"}
    assert contents(project) == before
    assert not (project / FOLDER).exists()
    by_name = {outcome.step.name: outcome for outcome in outcomes}
    assert "+def flash_attn_func(" in by_name["flash_002"].diff
    assert "+    model = Model().to(_device(rank))" in by_name["code_001"].diff
    assert "+++ b/scale.hip" in by_name["code_001"].diff
    assert "gloo" in by_name["code_002"].diff
    assert "+++ b/rocm.env" in by_name["opt_001"].diff
    assert any("bitsandbytes" in line for line in by_name["code_001"].lines)
    assert any("+cu121" in line for line in by_name["pytorch_001"].lines)


@pytest.mark.slow
def test_a_diff_of_a_dry_run_is_one_that_git_applies(project: Path) -> None:
    outcomes = migrate(project, NOWHERE, dry_run=True)
    for outcome in outcomes:
        if outcome.diff:
            done = subprocess.run(
                ["git", "-C", str(project), "apply", "-"],
                check=False,
                input=outcome.diff,
                text=True,
                capture_output=True,
            )
            assert done.returncode == 0, done.stderr
    applied = contents(project)
    git(project, "checkout", "-q", ".")
    git(project, "clean", "-q", "-f")
    migrate(project, CARD)
    migrate(project, CARD, run=passing)
    written = contents(project)
    assert applied["train.py"] == written["train.py"]
    assert applied["scale.hip"] == written["scale.hip"]


def test_without_a_card_it_waits_for_one(project: Path) -> None:
    found = statuses(migrate(project, NOWHERE))
    assert found["backup_001"] == "done"
    assert found["rocm_001"] == "waiting"
    assert set(list(found.values())[2:]) == {"pending"}
    assert (project / FOLDER / "backup.tar.gz").is_file()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("machine", "step", "words"),
    [
        (replace(CARD, devices={"/dev/kfd": "ENOENT"}), "rocm_001", "modprobe amdgpu"),
        (replace(CARD, devices={"/dev/kfd": "EACCES"}), "rocm_002", "usermod"),
        (replace(CARD, torch=InstalledTorch("2.13.0+cpu")), "pytorch_001", "torch[device-gfx1101]"),
        (replace(CARD, torch=None), "pytorch_001", "torch[device-gfx1101]"),
    ],
)
def test_a_step_by_hand_waits_until_the_doctor_sees_it_done(
    project: Path, machine: Machine, step: str, words: str
) -> None:
    outcomes = migrate(project, machine)
    assert statuses(outcomes)[step] == "waiting"
    assert words in " ".join(outcomes[index(step)].commands)
    assert statuses(migrate(project, CARD))[step] == "done"


@pytest.mark.slow
def test_code_is_shown_first_and_applied_by_the_same_call_again(project: Path) -> None:
    before = contents(project)
    shown = migrate(project, CARD)
    assert statuses(shown)["flash_002"] == "shown"
    assert statuses(shown)["code_001"] == "pending"
    assert contents(project) == before
    for part in ("flash_attn", "_device(rank)", "gloo", "MIOPEN_FIND_MODE", "hipLaunchKernelGGL"):
        assert part in shown[index("flash_002")].diff
    done = migrate(project, CARD, run=passing)
    assert set(statuses(done).values()) == {"done", "skipped"}
    after = contents(project)
    assert set(after) - set(before) == {"rocm.env", "scale.hip", "MIGRATION.md"}
    assert b"_device(rank)" in after["train.py"]
    assert b"code_001" in after["MIGRATION.md"]
    assert to_json(done)["finished"]
    assert statuses(migrate(project, CARD)) == statuses(done)
    assert contents(project) == after


@pytest.mark.slow
def test_a_file_changed_since_it_was_shown_is_shown_again(project: Path) -> None:
    migrate(project, CARD)
    (project / "train.py").write_text("import torch\nx = torch.ones(1).cuda()\n")
    git(project, "commit", "-q", "-a", "-m", "another script")
    again = migrate(project, CARD)
    assert statuses(again)["code_001"] == "shown"
    assert "torch.ones(1).to(_device())" in again[index("code_001")].diff


@pytest.mark.slow
@pytest.mark.parametrize("name", ["train.py", "requirements.txt", "new.py"])
def test_a_tree_with_changes_of_its_own_is_never_written_to(project: Path, name: str) -> None:
    migrate(project, CARD)
    path = project / name
    text_there = path.read_text() if path.exists() else ""
    path.write_text(text_there + "\n# mine\n")
    before = contents(project)
    with pytest.raises(MigrationError, match="commit or stash"):
        migrate(project, CARD)
    assert contents(project) == before


@pytest.mark.slow
def test_everything_is_taken_back(project: Path) -> None:
    before = contents(project)
    migrate(project, CARD)
    migrate(project, CARD, run=passing)
    restored, refused = undo(project)
    assert contents(project) == before
    assert set(restored) == {"train.py", "rocm.env", "scale.hip", "MIGRATION.md"}
    assert refused == []
    assert statuses(migrate(project, CARD))["flash_002"] == "shown"


@pytest.mark.slow
def test_what_somebody_changed_since_is_not_taken_back(project: Path) -> None:
    migrate(project, CARD)
    migrate(project, CARD, run=passing)
    (project / "train.py").write_text("# rewritten by hand\n")
    restored, refused = undo(project)
    assert (project / "train.py").read_text() == "# rewritten by hand\n"
    assert set(refused) == {"train.py"}
    assert "rocm.env" in restored
    assert not (project / "rocm.env").exists()


def test_undo_without_a_migration_says_so(project: Path) -> None:
    with pytest.raises(MigrationError, match="nothing was migrated"):
        undo(project)


def test_it_starts_where_it_is_told_to(project: Path) -> None:
    found = statuses(migrate(project, NOWHERE, start_from="code_001"))
    assert set(list(found.values())[: index("code_001")]) == {"skipped"}
    assert found["code_001"] == "shown"
    with pytest.raises(MigrationError, match="backup_001"):
        migrate(project, NOWHERE, start_from="code_009")


def test_a_folder_without_git_is_backed_up_and_migrated(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    (folder / ".venv").mkdir(parents=True)
    (folder / ".venv" / "big.py").write_text("x.cuda()\n")
    (folder / "a.py").write_text("import torch\nx = torch.ones(1).cuda()\n")
    (folder / "broken.py").write_text("def (\n")
    (folder / "latin.py").write_bytes(b"# \xe9\n")
    (folder / "link.py").symlink_to(folder / "a.py")
    shown = migrate(folder, NOWHERE, start_from="flash_001")
    assert any("broken.py: cannot be read" in line for line in shown[index("flash_002")].lines)
    assert any("latin.py: not UTF-8" in line for line in shown[index("flash_002")].lines)
    found = migrate(folder, NOWHERE)
    assert statuses(found)["code_001"] == "done"
    assert "_device()" in (folder / "a.py").read_text()
    assert (folder / ".venv" / "big.py").read_text() == "x.cuda()\n"
    assert statuses(found)["test_001"] == "failed"
    (folder / "broken.py").unlink()
    found = migrate(folder, NOWHERE)
    assert statuses(found)["test_001"] == "done"
    assert statuses(found)["test_002"] == "skipped"


@pytest.mark.slow
def test_the_projects_own_tests_are_run(project: Path) -> None:
    (project / "test_train.py").write_text("def test_it():\n    assert True\n")
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "tests")
    asked: list[Sequence[str]] = []

    def failing(command: Sequence[str], folder: Path, limit_s: float) -> tuple[int, str]:
        asked.append(command)
        assert folder == project.resolve()
        return 1, "1 failed\n"

    migrate(project, CARD)
    found = migrate(project, CARD, run=failing)
    assert statuses(found)["integration_001"] == "failed"
    assert asked[0][1:] == ["-m", "pytest", "-q"]
    assert statuses(migrate(project, CARD, run=passing))["deploy_001"] == "done"


@pytest.mark.slow
def test_an_operator_that_fails_on_the_card_stops_it(project: Path) -> None:
    machine = replace(CARD, trials=(Trial("conv2d", "cuda:0", False, "SIGSEGV (11)"),))
    migrate(project, machine)
    found = migrate(project, machine)
    assert found[index("test_002")].lines == ["conv2d on cuda:0: SIGSEGV (11)"]
    assert statuses(found)["test_002"] == "failed"


@pytest.mark.slow
def test_advice_is_by_the_cards_family(project: Path) -> None:
    migrate(project, CARD)
    found = migrate(project, CARD, run=passing)
    assert "RDNA 3" in found[index("opt_002")].lines[0]
    unknown = replace(CARD, files={**_FILES, "/sys/class/drm/card0/device/device": "0xffff\n"})
    advice = migrate(project, unknown, dry_run=True, start_from="opt_002")[index("opt_002")].lines
    assert "nothing is known" in advice[0]


def test_the_bought_card_is_put_first_in_the_variables(project: Path) -> None:
    devices = (TorchDevice("Graphics", "gfx1036"), TorchDevice("RX 7800 XT", "gfx1101", "0000:03:00.0"))
    assert CARD.torch is not None
    machine = replace(CARD, torch=replace(CARD.torch, devices=devices))
    diff = migrate(project, machine, dry_run=True)[index("opt_001")].diff
    assert "+HIP_VISIBLE_DEVICES=1" in diff


@pytest.mark.slow
def test_a_folder_below_the_top_of_the_tree_is_a_project_too(project: Path) -> None:
    inner = project / "inner"
    inner.mkdir()
    (inner / "b.py").write_text("import torch\nx = torch.ones(1).cuda()\n")
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "more")
    migrate(inner, NOWHERE, start_from="code_001")
    found = migrate(inner, NOWHERE)
    assert statuses(found)["code_001"] == "done"
    assert "to(_device())" in (inner / "b.py").read_text()
    assert ".cuda(" in (project / "train.py").read_text()


def test_damage_and_absence_are_said(tmp_path: Path) -> None:
    with pytest.raises(MigrationError, match="is no folder"):
        Project(tmp_path / "gone")
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "state.json").write_text("{")
    with pytest.raises(MigrationError, match="damaged"):
        Project(tmp_path)


@pytest.mark.slow
def test_commands_that_fail_are_failures(tmp_path: Path) -> None:
    assert run_command([sys.executable, "-c", "print(3)"], tmp_path, 60) == (0, "3\n")
    assert run_command([str(tmp_path / "gone")], tmp_path, 60)[0] == 1
    assert "longer than" in run_command([sys.executable, "-c", "while True: pass"], tmp_path, 0.2)[1]


def test_the_plan_in_words_has_every_step_and_its_state(project: Path) -> None:
    words = text(migrate(project, NOWHERE))
    for step in STEPS:
        assert step.name in words
    for part in ("9 phases", "3 h 55 min and a restart", "ROCm (40 min and a restart)", "[>] rocm_001"):
        assert part in words


@pytest.mark.slow
def test_the_command_line_shows_applies_and_takes_back(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botapp.doctor.snapshot.look", lambda: NOWHERE)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = cli.main(["migrate", str(project), *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    code, out, _ = run("--dry-run", "--json")
    answer: dict[str, Any] = json.loads(out)
    assert (code, answer["minutes"], len(answer["steps"]), answer["finished"]) == (0, 235, 14, False)
    assert answer["steps"][0]["status"] == "planned"
    assert run("--start-from", "code_001")[0] == 0
    code, out, _ = run()
    assert "[x] code_001" in out
    code, out, _ = run("--undo")
    assert (code, "restored train.py" in out) == (0, True)
    code, _, err = run("--start-from", "nowhere")
    assert code == 1
    assert "the steps are" in err
