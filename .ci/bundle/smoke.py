"""Tries a bundle as on a computer that has never seen botapp: `python .ci/bundle/smoke.py dist/botapp`.

In an empty folder, with an empty home and no Python on the path, the demo advises for 20 seconds; then the
search is compiled and found again, the model fights in child processes, and the doctor looks. Ends with 1 and
what was wrong.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SECONDS = 20
LIMIT_S = 600


class Trial:
    """One bundle in a folder and a home of its own."""

    def __init__(self, bundle: Path, room: Path) -> None:
        self.program = bundle.resolve() / ("botapp.exe" if sys.platform == "win32" else "botapp")
        self.room, self.home = room, room / "home"
        self.home.mkdir()
        self.wrong: list[str] = []

    def run(self, *arguments: str) -> str:
        """Runs the program; returns its output, and notes a bad end."""
        begun = time.monotonic()
        done = subprocess.run(
            [str(self.program), *arguments],
            cwd=self.room,
            env=self._environment(),
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=LIMIT_S,
        )
        took = time.monotonic() - begun
        print(f"{took:6.1f} s  botapp {' '.join(arguments)[:90]}", flush=True)
        self.expect(done.returncode == 0, f"{arguments} ended with {done.returncode}: {done.stderr[-2000:]}")
        for word in ("Traceback", "QProcess:"):
            self.expect(word not in done.stderr, f"{arguments} said: {done.stderr[-2000:]}")
        return done.stdout

    def expect(self, right: bool, why: str) -> None:
        if not right:
            self.wrong.append(why)

    def _environment(self) -> dict[str, str]:
        """Returns what a person's desktop would give, with an empty home and no trace of this Python."""
        strange = (
            "PYTHON",
            "VIRTUAL_ENV",
            "BOTAPP_",
            "HRM_",
            "XDG_CACHE",
            "XDG_CONFIG",
            "XDG_DATA",
            "XDG_STATE",
        )
        kept = {name: value for name, value in os.environ.items() if not name.startswith(strange)}
        home = str(self.home)
        if sys.platform == "win32":
            return kept | {"USERPROFILE": home, "APPDATA": home, "LOCALAPPDATA": home}
        return kept | {"HOME": home, "PATH": "/usr/bin:/bin"}


def try_out(trial: Trial) -> None:
    trial.expect(trial.run("--version").startswith("botapp "), "--version says no version")
    demo = ["run", "--demo", "--language", "fr", "--seconds", str(SECONDS)]
    trial.run(*demo, "--report", "out/report.json", "--screenshots", "out")
    report = trial.room / "out" / "report.json"
    told = json.loads(report.read_text("utf-8")) if report.is_file() else {}
    trial.expect(told.get("decisions", 0) > 0, f"the demo made no decisions: {told.get('advice_states')}")
    trial.expect(sum(told.get("decisions_played", {}).values()) > 0, "the arena played no advice")
    trial.expect(told.get("worker_restarts") == 0, "the worker had to be started again")
    trial.expect((trial.room / "out" / "screen-1.png").is_file(), "no picture of the run was taken")
    first = json.loads(trial.run("compile", "--json") or "{}")
    again = json.loads(trial.run("compile", "--json") or "{}")
    trial.expect(bool(first.get("ready") and again.get("before")), "the compiled search is not found again")
    left = [file for file in trial.home.rglob("*.nb[ci]") if "botapp" not in file.parts]
    trial.expect(not left, f"compiled code lies outside botapp's own folder: {left[:3]}")
    trial.expect("prête" in trial.run("compile", "--language", "fr"), "it does not speak French")
    fights = ("--a", "lite:steps=1", "--b", "random", "--fights", "2", "--workers", "2")
    trial.expect("2 fights" in trial.run("arena", "tournament", *fights), "the model cannot play")
    found = json.loads(trial.run("doctor", "--json") or "{}")
    trial.expect(found.get("weights", {}).get("usable") is True, f"the weights: {found.get('weights')}")
    missing = {name for name, version in found.get("versions", {}).items() if version == "missing"}
    if sys.platform == "win32":
        missing -= {"onnxruntime"}  # it is called onnxruntime-directml there
    trial.expect(not missing, f"without {sorted(missing)}")
    print(f"{told.get('decisions')} decisions, played {told.get('decisions_played')}")


def main(arguments: list[str]) -> int:
    """Tries the bundle that is named; returns 1 where something was wrong."""
    bundle = Path(arguments[0])
    size = sum(file.stat().st_size for file in bundle.rglob("*") if file.is_file() and not file.is_symlink())
    print(f"{bundle}: {size / 1e6:.0f} MB", flush=True)
    room = Path(tempfile.mkdtemp(prefix="botapp-bundle-"))
    try:
        trial = Trial(bundle, room)
        try_out(trial)
    finally:
        shutil.rmtree(room, ignore_errors=True)
    print("\n".join(trial.wrong) or "the bundle works", file=sys.stderr if trial.wrong else sys.stdout)
    return 1 if trial.wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
