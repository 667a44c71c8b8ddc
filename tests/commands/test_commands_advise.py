"""`botapp advise` over pictures, folders and frames: whose settings it goes by, and how it answers."""

import json
import random
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import pytest

from botapp.advisor.decision import Withheld
from botapp.advisor.device import place
from botapp.arena.scenarios import duel
from botapp.commands.answers import where_it_runs
from botapp.content.nameless import without_names
from botapp.content.position_line import from_text, to_line
from botapp.content.state_json import FighterForm, state_to_json
from botapp.fight.state import FightState
from botapp.host.settings import Settings
from botapp.host.settings_file import save
from botapp.tracking import boards
from botapp.tracking import names as names_file
from botapp.tracking.image_file import image_frame
from botapp.tracking.names import Names
from botapp.tracking.player_profile import PlayerProfile
from botapp.tracking.state_tracker import StateTracker
from vision.calibration import BoardCalibration, BoardCalibrations
from vision.synthetic import screen
from vision.view import FightView, Lattice

Run = Callable[..., tuple[int, str, str]]
CLIENT = "dofus-unity"
REFUSAL = "No advice in this test."


class Listener:
    """In the advisor's place: keeps the states that it is asked about, and advises nothing."""

    def __init__(self) -> None:
        self.states: list[FightState] = []
        self.settings: Settings | None = None

    def made(self, settings: Settings) -> "Listener":
        self.settings = settings
        return self

    def decide(self, state: FightState) -> None:
        self.states.append(state)
        raise Withheld(REFUSAL)


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Listener:
    found = Listener()
    monkeypatch.setattr("botapp.commands.advice.make_advisor", found.made)
    return found


@pytest.fixture(scope="session")
def unity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A drawing of a fight in the manner of the Unity client, in the player's turn, with one enemy."""
    path = tmp_path_factory.mktemp("unity") / "fight.png"
    cv2.imwrite(str(path), screen.draw(41, CLIENT)[0])
    return path


@cache
def view_of(unity: Path) -> FightView:
    return StateTracker(PlayerProfile(client=CLIENT)).read(image_frame(unity))


@pytest.fixture
def player(tmp_path: Path, unity: Path) -> Path:
    """The folder of a player who has a class, has named the enemy and accepted the board a cell aside."""
    view = view_of(unity)
    lattice = view.lattice.value
    assert lattice is not None
    assert view.client is not None
    x, y = lattice.origin_px
    moved = Lattice((x + lattice.cell_w, y), lattice.cell_w, lattice.cell_h)
    folder = tmp_path / "player"
    folder.mkdir()
    save(Settings(capture={"target": CLIENT}, advisor={"player_class": "ember"}), folder / "settings.toml")
    names_file.save(Names({view.enemies[0].portrait: "boar"}, {}), folder / "names.toml")
    accepted = BoardCalibration.accepted(CLIENT, view.client, moved)
    boards.save(BoardCalibrations((accepted,)), folder / "calibration.toml")
    return folder


@cache
def plain_state(unity: Path) -> FightState:
    state = StateTracker(PlayerProfile(CLIENT, "ember")).update(image_frame(unity)).state
    assert state is not None
    return state


def lines(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.slow
def test_it_goes_by_the_players_client_class_names_and_accepted_board(
    run: Run, listener: Listener, unity: Path, player: Path
) -> None:
    code, _, _ = run("advise", unity, "--config", player, "--json")
    assert code == 0
    before = plain_state(unity)
    (state,) = listener.states
    assert state.actor.kind == "ember"
    assert state.actor.cell == before.actor.cell - 1
    assert [f.kind for f in state.fighters if f.team] == ["boar"]
    assert [f.kind for f in before.fighters if f.team] == ["unknown"]


@pytest.mark.slow
def test_the_players_own_folder_is_gone_by_unless_plain(
    run: Run, listener: Listener, unity: Path, player: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(player))
    run("advise", unity, "--json")
    run("advise", unity, "--json", "--plain", "--client", CLIENT, "--class", "ember")
    own, plain = listener.states
    assert own.actor.cell == plain.actor.cell - 1
    assert plain == plain_state(unity)
    assert listener.settings == Settings()
    code, out, _ = run("advise", unity, "--json", "--plain", "--client", CLIENT)
    assert code == 0
    assert json.loads(out)["withheld"]["id"] == (
        "The picture does not tell your class. Give --class with one of: {names}"
    )


@pytest.mark.slow
def test_a_class_given_goes_before_the_settings_class_and_sheet(
    run: Run, listener: Listener, unity: Path, player: Path
) -> None:
    sheet = player / "me.json"
    sheet.write_text(json.dumps(FighterForm.written(plain_state(unity).actor) | {"level": 77}))
    advisor = {"player_class": "ember", "spellbook": str(sheet)}
    save(Settings(capture={"target": CLIENT}, advisor=advisor), player / "settings.toml")
    run("advise", unity, "--config", player, "--json")
    run("advise", unity, "--config", player, "--class", "leech", "--json")
    by_sheet, by_class = listener.states
    assert (by_sheet.actor.kind, by_sheet.actor.level) == ("ember", 77)
    assert by_class.actor.kind == "leech"
    assert by_class.actor.level != 77


@pytest.mark.slow
def test_a_folder_that_is_not_there_and_options_that_exclude_each_other_are_named(
    run: Run, unity: Path, tmp_path: Path
) -> None:
    code, _, err = run("advise", unity, "--config", tmp_path / "nowhere")
    assert code == 1
    assert "nowhere" in err
    code, _, err = run("advise", unity, "--config", tmp_path, "--plain")
    assert code == 1
    assert "--plain" in err


@pytest.mark.slow
def test_a_folders_pictures_stand_alone_in_the_order_of_their_names(
    run: Run, drawn: tuple[Path, dict[str, Any]], unity: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for name in ("c.png", "a.png"):
        shutil.copy(drawn[0], folder / name)
    (folder / "b.png").write_bytes(b"not a picture")
    (folder / "notes.txt").write_text("no picture either")
    code, out, _ = run("advise", folder, "--json")
    assert code == 0
    first, broken, last = lines(out)
    assert [first["image"], broken["image"], last["image"]] == ["a.png", "b.png", "c.png"]
    for told in (first, last):
        assert told["action"]["type"] == told["action_type"]
        assert 0 < told["confidence"] <= 1
        assert 0 <= told["chance"] <= 1
        assert told["line"] == told["plan"]
        assert "withheld" not in told
    assert broken["withheld"]["id"].startswith("{file} is not a picture")
    assert "b.png" in broken["withheld"]["text"]
    assert "action" not in broken
    code, out, _ = run("advise", folder)
    assert code == 0
    assert [line for line in out.splitlines() if line.endswith(".png:")] == ["a.png:", "b.png:", "c.png:"]
    assert "withheld: " in out


@pytest.mark.slow
def test_several_pictures_are_answered_in_the_order_given(
    run: Run, listener: Listener, drawn: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    other = tmp_path / "again.png"
    shutil.copy(drawn[0], other)
    code, out, _ = run("advise", drawn[0], other, "--json")
    assert code == 0
    told = lines(out)
    assert [line["image"] for line in told] == [drawn[0].name, "again.png"]
    assert [line["withheld"] for line in told] == [{"id": REFUSAL, "text": REFUSAL}] * 2
    assert listener.states[0] == listener.states[1]


@pytest.mark.slow
def test_an_empty_folder_and_a_state_among_pictures_are_refused(
    run: Run, unity: Path, tmp_path: Path
) -> None:
    code, out, err = run("advise", tmp_path, "--json")
    assert (code, out) == (1, "")
    assert "There is no picture" in err
    state = tmp_path / "state.json"
    state.write_text("{}")
    for arguments in ((unity, state), (state, "--frames")):
        code, _, err = run("advise", *arguments)
        assert code == 1
        assert "state.json" in err


@pytest.mark.slow
def test_advice_that_is_withheld_is_an_answer_in_json_and_a_failure_in_words(
    run: Run, tmp_path: Path
) -> None:
    state = tmp_path / "state.json"
    fight = duel(1)
    over = tuple(one if one.team == fight.actor.team else one.changed(hp=0) for one in fight.fighters)
    state.write_text(json.dumps(state_to_json(fight.changed(fighters=over))))
    code, out, err = run("advise", state, "--json")
    assert (code, err) == (0, "")
    withheld = json.loads(out)["withheld"]
    assert set(withheld) == {"id", "text"}
    assert "the fight is over" in withheld["text"]
    code, out, err = run("advise", state)
    assert (code, out) == (1, "")
    assert "the fight is over" in err


@pytest.fixture(scope="session")
def film(tmp_path_factory: pytest.TempPathFactory, qapp: object) -> tuple[Path, list[Any]]:
    """A fight of the arena's window as a folder of pictures a tenth of a second apart, and as pixels."""
    from botapp.arena.options import ArenaOptions
    from botapp.arena.players.simple import GreedyPlayer
    from botapp.arena.window.film import Film

    folder = tmp_path_factory.mktemp("film")
    found = Film(ArenaOptions(seed=1, scenario="duel", autopilot=True, fights=1, size=(1280, 720)))
    dice, pixels = random.Random(0), []
    while len(pixels) < 40:
        pixels.append(found.picture())
        cv2.imwrite(str(folder / f"{len(pixels):03}.png"), pixels[-1][..., :3])
        if found.bout.free and len(pixels) % 4 == 0:
            found.bout.submit(GreedyPlayer().choose(found.bout.fight.state, dice), found.now)
        found.advance()
    return folder, pixels


@pytest.fixture
def app_states(film: tuple[Path, list[Any]]) -> Iterator[list[FightState | None]]:
    from botapp.bench.pixels import captured
    from botapp.runtime.pipeline import Pipeline
    from botapp.runtime.preview import create_preview
    from botapp.runtime.start import Start

    preview = create_preview()
    pipeline = Pipeline(Start(Settings(), preview.name, 1))
    stages = pipeline.loop.stages
    frames = [captured(pixels, number / 10) for number, pixels in enumerate(film[1])]
    yield [stages.situate(stages.read(frame)).state for frame in frames]
    pipeline.close()
    preview.close()
    preview.unlink()


@pytest.mark.long
def test_the_app_the_pixels_measure_and_advise_make_the_same_states_of_the_same_frames(
    run: Run, listener: Listener, film: tuple[Path, list[Any]], app_states: list[FightState | None]
) -> None:
    from botapp.bench.pixels import captured

    folder, pixels = film
    tracker = StateTracker()
    measured = [tracker.update(captured(one, number / 10)).state for number, one in enumerate(pixels)]
    code, out, _ = run("advise", folder, "--frames", "--interval", "0.1", "--json")
    assert code == 0
    told = lines(out)
    assert [line["image"] for line in told] == [f"{number:03}.png" for number in range(1, 41)]
    made = [state for state in measured if state is not None]
    assert len(made) >= 8
    assert app_states == measured
    assert listener.states == made
    assert [line["withheld"]["id"] == REFUSAL for line in told] == [state is not None for state in measured]
    assert any(state.actor.casts for state in made), "what was cast is known from the frames before"
    listener.states.clear()
    run("advise", *sorted(folder.iterdir())[::4], "--json")
    assert listener.states and not any(state.actor.casts for state in listener.states)


def test_a_device_or_a_huge_file_is_no_state(run: Run, tmp_path: Path) -> None:
    huge = tmp_path / "state.json"
    with huge.open("wb") as file:
        file.truncate(17_000_000)
    for path, words in ((huge, "4 MB"), (Path("/dev/zero"), "no regular file")):
        if path.exists():
            code, _, told = run("advise", path)
            assert code == 1 and str(path) in told and words in told


@pytest.mark.parametrize(
    ("adviser", "wish", "words"),
    [
        ("search", {"device": "cuda:7"}, "cuda:7 is for the model"),
        ("search", {"backend": "rocm"}, "rocm is for the model"),
        ("search", {"device": "cpu"}, ""),
        ("model", {"device": "cuda:7"}, "The model runs on cpu: "),
        ("model", {"device": "cpu", "backend": "cpu"}, ""),
    ],
)
def test_where_it_ran_is_said_where_that_is_not_as_wished(
    adviser: str, wish: dict[str, str], words: str
) -> None:
    settings = Settings(engine={"adviser": adviser, **wish})
    plan = place(settings.engine.backend, settings.engine.device, "auto")
    made = SimpleNamespace(placement=plan) if adviser == "model" else SimpleNamespace()
    device, why = where_it_runs(made, settings)
    assert device == "cpu"
    assert words in why if words else why == ""


def test_a_copied_position_is_advised_on_like_its_state(run: Run, listener: Listener) -> None:
    state = duel(seed=1)
    assert run("advise", "--position", f"  {to_line(state)}  ")[0] == 1
    assert listener.states[-1] == state
    for arguments, said in (
        (["--position", "nothing"], "no position"),
        ([], "--position"),
        (["state.json", "--position", to_line(state)], "one of the two"),
    ):
        code, _, err = run("advise", *arguments)
        assert code == 1
        assert said in err and len(err.splitlines()) == 1


@pytest.mark.slow
def test_advice_as_json_has_its_position_without_the_names_of_people(run: Run, tmp_path: Path) -> None:
    state = duel(seed=1)
    named = state.changed(fighters=tuple(f.changed(name=f"Zoe {f.id}") for f in state.fighters))
    code, out, _ = run("advise", "--position", to_line(named), "--json", "--plain")
    assert code == 0
    assert from_text(json.loads(out)["position"]) == without_names(named)
