"""A project's files, read and written through one place that remembers what was, what is, and how far it got.

Everything the planner keeps lies in `.botapp-migrate` inside the project: the state, the backup, and the
original of every file it changed.
"""

import hashlib
import io
import json
import os
import re
import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from difflib import unified_diff
from functools import cached_property
from pathlib import Path
from typing import Any

from hrm.atomic import write_text, write_whole
from hrm.message import say

FOLDER = ".botapp-migrate"
_SKIPPED = {"node_modules", "__pycache__", "site-packages", "build", "dist", "venv", "env"}
_TEXT = {".py", ".cu", ".cuh", ".cpp", ".h", ".toml", ".txt", ".cfg", ".yml", ".yaml", ".sh", ".md", ".env"}


class MigrationError(ValueError):
    """A migration cannot go on; the message says why and what to do."""


class Project:
    """A folder with code.

    Attributes:
        state: what was done so far, as it is kept in the folder.
    """

    def __init__(self, root: Path) -> None:
        """Opens a project.

        Raises:
            MigrationError: there is no such folder, or its state cannot be read.
        """
        if not root.is_dir():
            raise MigrationError(say("{root} is no folder: give the folder of the project", root=root))
        self.root = root.resolve()
        self._planned: dict[str, str] = {}
        self.state: dict[str, Any] = {"steps": {}, "approved": {}, "writes": {}}
        path = self._folder / "state.json"
        if path.is_file():
            try:
                self.state |= json.loads(path.read_text("utf-8"))
            except ValueError as error:
                raise MigrationError(
                    say("{path} is damaged ({error}): move it away and start again", path=path, error=error)
                ) from error

    @property
    def _folder(self) -> Path:
        return self.root / FOLDER

    def save(self) -> None:
        """Writes the state, whole or not at all; git is made to ignore the folder."""
        self._folder.mkdir(exist_ok=True)
        (self._folder / ".gitignore").write_text("*\n", "utf-8")
        write_text(self._folder / "state.json", json.dumps(self.state, indent=2))

    def files(self, *suffixes: str) -> list[str]:
        """Returns the project's text files by path, sorted; with suffixes only those."""
        wanted = set(suffixes) or _TEXT
        return [name for name in self.every_file() if Path(name).suffix in wanted]

    def every_file(self) -> list[str]:
        """Returns every file of the project by path, sorted, whatever is in it; planned ones among them."""
        files = self._tracked() if self._is_git else list(self._walked())
        paths = {name: self.root / name for name in files}
        there = {name for name, path in paths.items() if path.is_file() and not path.is_symlink()}
        return sorted(there | self._planned.keys())

    def read(self, name: str) -> str:
        """Returns a file's text, line ends as they stand; of a planned change the text it would have."""
        if name in self._planned:
            return self._planned[name]
        return (self.root / name).read_bytes().decode("utf-8", "replace")

    def readable(self, name: str) -> bool:
        """Tells whether a file is UTF-8: no other is touched."""
        try:
            (self.root / name).read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            return name in self._planned
        return True

    def plan(self, changes: Mapping[str, str]) -> None:
        """Takes changes as made, for what is planned after them; nothing is written."""
        self._planned |= changes

    def forget_plans(self) -> None:
        self._planned.clear()

    def difference(self, changes: Mapping[str, str]) -> str:
        lines: list[str] = []
        for name in sorted(changes):
            exists = name in self._planned or (self.root / name).is_file()
            before = _lines(self.read(name)) if exists else []
            after = _lines(changes[name])
            origin = f"a/{name}" if exists else "/dev/null"
            for line in unified_diff(before, after, origin, f"b/{name}"):
                lines.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
        return "".join(lines)

    def write(self, step: str, changes: Mapping[str, str]) -> None:
        """Writes changes and keeps what was there before, so that `restore` can take the step back."""
        originals = self.state["writes"].setdefault(step, {})
        for name, text in changes.items():
            path = self.root / name
            before = path.read_bytes() if path.is_file() else None
            if before is not None:
                original = self._folder / "originals" / step / name
                original.parent.mkdir(parents=True, exist_ok=True)
                original.write_bytes(before)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
            originals[name] = {"existed": before is not None, "after": _digest(path)}
            self.save()

    def restore(self, step: str) -> tuple[list[str], list[str]]:
        """Takes a step's writes back; returns what was restored, and what was left as it had changed."""
        restored, refused = [], []
        for name, entry in self.state["writes"].get(step, {}).items():
            path = self.root / name
            if not path.is_file() or _digest(path) != entry["after"]:
                refused.append(name)
            elif entry["existed"]:
                path.write_bytes((self._folder / "originals" / step / name).read_bytes())
                restored.append(name)
            else:
                path.unlink()
                restored.append(name)
        self.state["writes"].pop(step, None)
        return restored, refused

    def back_up(self) -> Path:
        """Puts the project's text files into an archive, once; returns its path."""
        path = self._folder / "backup.tar.gz"
        self.save()
        if not path.exists():
            packed = io.BytesIO()
            with tarfile.open(fileobj=packed, mode="w:gz") as archive:
                for name in self.files():
                    archive.add(self.root / name, name)
            write_whole(path, lambda temporary: temporary.write_bytes(packed.getvalue()))
        return path

    @cached_property
    def _is_git(self) -> bool:
        return self._git("rev-parse", "--is-inside-work-tree").strip() == "true"

    def commit(self) -> str:
        """Returns the commit that is checked out, "" for none."""
        return self._git("rev-parse", "HEAD").strip()

    def dirty(self) -> list[str]:
        """Returns the files that git knows as changed and that the planner did not change itself."""
        ours = {
            name: entry["after"] for writes in self.state["writes"].values() for name, entry in writes.items()
        }
        changed = []
        for line in self._git("status", "--porcelain", "--untracked-files=all", "-z", "--", ".").split("\0"):
            name = self._relative(line[3:]) if line else ""
            if not name or name.split("/")[0] == FOLDER:
                continue
            path = self.root / name
            if name not in ours or not path.is_file() or _digest(path) != ours[name]:
                changed.append(name)
        return changed

    def _relative(self, name: str) -> str:
        prefix = self._git("rev-parse", "--show-prefix").strip()
        return name.removeprefix(prefix)

    def _tracked(self) -> list[str]:
        listed = self._git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
        return [name for name in listed if name and name.split("/")[0] != FOLDER]

    def _walked(self) -> Iterator[str]:
        for folder, names, files in os.walk(self.root):
            names[:] = [name for name in names if name not in _SKIPPED and not name.startswith(".")]
            for name in files:
                yield (Path(folder) / name).relative_to(self.root).as_posix()

    def _git(self, *arguments: str) -> str:
        try:
            done = subprocess.run(
                ["git", "-C", str(self.root), *arguments],
                check=False,
                capture_output=True,
                text=True,
                errors="surrogateescape",
            )
        except OSError:
            return ""
        return done.stdout if done.returncode == 0 else ""


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
