"""Bad pictures, states, files and weights: what is read from disk is used, or refused in one clear line."""

import json
import os
import tomllib
from pathlib import Path
from random import Random

import cv2

from tests.attack.damage import spoilt, toml, twisted
from tests.attack.tally import Tally

_KINDS = (".png", ".jpg", ".bmp", ".webp", ".tiff")


def pictures(tally: Tally, dice: Random, count: int, folder: Path) -> None:
    from botapp.tracking.image_file import ImageError, image_frame
    from botapp.tracking.player_profile import PlayerProfile
    from botapp.tracking.state_tracker import StateTracker
    from vision.synthetic.screen import draw

    cv2.setNumThreads(1)
    folder.mkdir(parents=True)
    drawn = cv2.resize(draw(41, "dofus-unity")[0], (640, 360), interpolation=cv2.INTER_AREA)
    whole = {kind: cv2.imencode(kind, drawn)[1].tobytes() for kind in _KINDS}
    tracker = StateTracker(PlayerProfile(client="dofus-unity", player_class="ember"))
    path = folder / "picture.png"
    for number in range(count):
        kind = dice.choice(_KINDS)
        path.write_bytes(spoilt(whole[kind], dice))
        with tally.trying(f"picture {number} ({kind})", ImageError):
            frame = image_frame(path)
            if number % 8 == 0:
                tracker.update(frame)


def states(tally: Tally, dice: Random, count: int, folder: Path) -> None:
    """Reads twisted states and sheets; those that are taken are played on."""
    from botapp.arena.scenarios import adventure, duel, team
    from botapp.commands.advice import read_state
    from botapp.commands.player import Refused
    from botapp.content.state_json import state_to_json
    from botapp.fight.rules import legal_actions
    from botapp.tracking.spellbook import SheetError, read_sheet

    folder.mkdir(parents=True)
    whole = [state_to_json(make(seed)) for make in (duel, adventure, team) for seed in range(3)]
    path = folder / "state.json"
    for number in range(count):
        values = dice.choice(whole)
        sheet = number % 4 == 0
        if sheet:
            values = {k: v for k, v in values["fighters"][0].items() if k not in ("id", "team", "cell")}
        text = json.dumps(twisted(values, dice))
        path.write_bytes(spoilt(text.encode(), dice) if number % 5 == 0 else text.encode())
        with tally.trying(f"state {number}", Refused, SheetError):
            if sheet:
                read_sheet(path)
            else:
                legal_actions(read_state(path))


def files(tally: Tally, dice: Random, count: int, folder: Path) -> None:
    """Loads damaged files of a person's; nothing is raised or lost, and the next load is quiet."""
    from botapp.content.knowledge.base import KnowledgeBase
    from botapp.host import settings_file
    from botapp.host.settings import Settings
    from botapp.tracking import boards
    from botapp.tracking import names as names_file
    from botapp.ui.layout import Keeper

    folder.mkdir(parents=True)
    settings = {
        "engine": {"step_limit": 3, "fps_limit": 20},
        "ui": {"theme": "light"},
        "overlay": {"opacity": 0.5},
    }
    board = {"client": "dofus-2", "ui": "", "size": [1280, 720], "origin": [10.0, 20.0], "cell": [40.0, 20.0]}
    pictures = {"version": 1, "portraits": {"7f" * 96: "boar"}, "icons": {"01" * 96: "spark"}}
    gulp = {"name": "Gulp", "ap": 4, "range": [1, 2], "effects": [{"kind": "damage", "low": 10, "high": 14}]}
    readers = {
        "settings.toml": (toml(settings), lambda path: settings_file.load(path).messages),
        "names.toml": (toml(pictures), lambda path: names_file.load(path).messages),
        "calibration.toml": (toml({"layout-1": board}), lambda path: boards.load(path).messages),
        "layout.json": (
            json.dumps({"geometry": "AAAA", "docks": "BBBB"}),
            lambda path: _layout(Keeper, path),
        ),
    }
    for number in range(count):
        room = folder / str(number)
        room.mkdir()
        if number % 5 == 4:
            path = room / "spell-gulp.toml"
            table = {"format": 2, "spells": {"gulp": twisted(gulp, dice)}}
            path.write_bytes(_written(path, toml(table), dice))
            kept = path.read_bytes()
            with tally.trying(f"knowledge {number}"):
                base = KnowledgeBase(room)
                assert all("\n" not in problem for problem in base.problems)
                assert path.read_bytes() == kept
            continue
        name = dice.choice(list(readers))
        text, read = readers[name]
        path = room / name
        path.write_bytes(_written(path, text, dice))
        kept = path.read_bytes()
        with tally.trying(f"{name} {number}"):
            told = read(path)
            assert kept in [file.read_bytes() for file in room.iterdir()], "it is lost"
            assert all("\n" not in line and len(line) < 1200 for line in told), "an unclear line"
            again = read(path)
            assert not again or path.read_bytes() == kept, "it is told again"
            if name == "settings.toml":
                settings_file.save(Settings().changed("engine.step_limit", 5), path)
                assert settings_file.load(path).settings.engine.step_limit == 5, "it is not kept"
        for file in room.iterdir():
            file.unlink()


def _layout(keeper: type, path: Path) -> tuple[str, ...]:
    keeper(path.parent).load()
    return ()


def _written(path: Path, text: str, dice: Random) -> bytes:
    if dice.random() < 0.5:
        return spoilt(text.encode(), dice)
    values = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    twist = twisted(values, dice)
    made = json.dumps(twist) if path.suffix == ".json" else toml(twist)
    return made.encode("utf-8", "replace")


def weights(tally: Tally, dice: Random, count: int, folder: Path) -> None:
    """Loads damaged weights and checkpoints, of a model and of the advisor."""
    import torch

    from botapp.advisor.own_weights import DEFAULT_WEIGHTS
    from botapp.advisor.thinker import load_thinker
    from hrm import checkpoint
    from hrm.config import Config
    from hrm.model import HRM
    from hrm.tensor_file import CheckpointError

    torch.set_num_threads(1)
    folder.mkdir(parents=True)
    config = Config(
        hidden_size=16, num_heads=2, mlp_inner=16, H_layers=1, L_layers=1, H_cycles=1, L_cycles=1, seq_len=6
    )
    model = HRM(config)
    checkpoint.save_model(folder / "small.safetensors", model, config)
    torch.save(model.state_dict(), folder / "small.pt")
    advisor = DEFAULT_WEIGHTS.read_bytes()
    for number in range(count):
        of_advisor = number % 10 == 0
        source = folder / dice.choice(["small.safetensors", "small.pt"])
        path = folder / f"spoilt{'.safetensors' if of_advisor else source.suffix}"
        data = advisor if of_advisor else source.read_bytes()
        if path.suffix == ".safetensors" and dice.random() < 0.6:
            path.write_bytes(_other_header(data, dice))
        else:
            path.write_bytes(spoilt(data, dice))
        with tally.trying(f"weights {number}", CheckpointError):
            load_thinker(path) if of_advisor else checkpoint.load_model(path)


def _other_header(data: bytes, dice: Random) -> bytes:
    """Returns a safetensors file whose header was twisted, its length being right."""
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    notes = header.get("__metadata__", {})
    name = dice.choice(list(notes)) if notes and dice.random() < 0.6 else ""
    try:
        if name:
            notes[name] = json.dumps(twisted(json.loads(notes[name]), dice))
        else:
            header = twisted(header, dice)
    except ValueError:
        notes[name] = dice.choice(["", "{", "null", "[]", "1e999"])
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data[8 + length :]


def devices(tally: Tally, dice: Random, count: int, folder: Path) -> None:
    """Gives every reader what is no regular file: pipes that nobody writes to, devices, folders, circles."""
    from botapp.commands.advice import read_state
    from botapp.commands.player import Refused
    from botapp.host import settings_file
    from botapp.tracking.image_file import ImageError, image_frame
    from botapp.tracking.spellbook import SheetError, read_sheet
    from hrm import checkpoint
    from hrm.tensor_file import CheckpointError

    folder.mkdir(parents=True)
    (folder / "circle.png").symlink_to(folder / "circle.png")
    (folder / "folder.png").mkdir()
    os.mkfifo(folder / "pipe.png")
    odd = [
        folder / "circle.png",
        folder / "folder.png",
        folder / "pipe.png",
        Path("/dev/zero"),
        Path("/dev/null"),
    ]
    readers = (image_frame, read_state, read_sheet, checkpoint.load_model, settings_file.load)
    for path in odd:
        for read in readers:
            with tally.trying(
                f"{read.__name__} of {path.name}",
                Refused,
                SheetError,
                ImageError,
                CheckpointError,
            ):
                read(path)
