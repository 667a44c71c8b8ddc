"""Spells' icons and monsters' portraits come from a server of ours, stay here, and are known at any size."""

import json
from itertools import product
from urllib.parse import parse_qs, urlsplit

import cv2
import madeup_game as made
import numpy as np
import pytest
from loopback import LoopbackServer, send
from PySide6.QtWidgets import QMessageBox
from typer.testing import CliRunner

from botapp.commands.cli import app
from botapp.content.game.fetching import FetchStopped, Site
from botapp.content.game.pictures import Wanted, fetch_pictures, picture_path, plan_line, wanted_of
from botapp.content.game.reading import GameDataError
from botapp.content.knowledge.base import KnowledgeBase
from botapp.tracking.game_pictures import INDEX, index_pictures, known_pictures
from botapp.tracking.names import Names
from botapp.tracking.picture_names import recognise
from botapp.tracking.spellbook import Spellbook
from botapp.ui.game.bringing import GameDataCard
from vision.signature import signature
from vision.view import FighterSeen, FightView, SpellSlot

GFX = {3001: 51, 3002: 52}


def drawn(seed, size=128):
    """Returns a picture of ours: patches and strokes of a few colours."""
    dice = np.random.default_rng(seed)
    picture = np.full((size, size, 3), dice.integers(20, 90, 3), np.uint8)
    for _ in range(9):
        colour = tuple(int(one) for one in dice.integers(30, 255, 3))
        at = tuple(int(one) for one in dice.integers(0, size, 2))
        kind = dice.integers(3)
        if kind == 0:
            cv2.circle(picture, at, int(dice.integers(size // 10, size // 3)), colour, -1)
        elif kind == 1:
            other = tuple(int(one) for one in dice.integers(0, size, 2))
            cv2.line(picture, at, other, colour, int(dice.integers(size // 16, size // 6)))
        else:
            other = tuple(int(one) for one in dice.integers(0, size, 2))
            cv2.rectangle(picture, at, other, colour, -1)
    return picture


def png(picture):
    return cv2.imencode(".png", picture)[1].tobytes()


class Server(LoopbackServer):
    """Serves made-up pictures where the public database has its own; `faults` are worked off first."""

    def __init__(self):
        super().__init__()
        self.asked, self.faults, self.gone = [], [], {"/img/spells/sort_1004.png"}

    def answer(self, request):
        self.asked.append(request.path)
        code = self.faults.pop(0) if self.faults else 404 if request.path in self.gone else 200
        body = self.body(urlsplit(request.path)) if code == 200 else b""
        send(request, body, code)

    def body(self, url):
        if not url.path.startswith("/img/"):
            data = game().get(url.path.strip("/"), [])
            skip = int(parse_qs(url.query)["$skip"][0])
            return json.dumps(made.page(data[skip : skip + 50], skip, len(data))).encode()
        return png(drawn(int(url.path.rpartition("/")[2].removeprefix("sort_").removesuffix(".png"))))


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr("botapp.content.game.fetching.PAUSE_S", 0.0)
    made_server = Server()
    yield made_server
    made_server.close()


def game():
    found = made.small()
    for monster in found["monsters"]:
        monster["gfxId"] = GFX[monster["id"]]
    return found


@pytest.fixture
def base(tmp_path):
    found = KnowledgeBase(tmp_path / "knowledge")
    found.import_game([made.write(tmp_path / "game", game())])
    return found


def site(server, **more):
    return Site(server.address, sleep=lambda _: None, **more)


@pytest.fixture
def brought(server, base):
    wanted = wanted_of(base.game.store)
    report = fetch_pictures(site(server), wanted, base.pictures_folder)
    return report, index_pictures(base.pictures_folder, base.game.store)


def test_the_pictures_of_the_classes_spells_and_of_the_monsters_come_once(server, base, brought):
    report, pictures = brought
    assert (report.came, report.absent, pictures) == (5, 1, 5)
    assert sorted(server.asked) == sorted(
        [f"/img/spells/sort_{n}.png" for n in (1001, 1002, 1003, 1004)]
        + [f"/img/monsters/{n}.png" for n in (51, 52)]
    )
    assert picture_path(base.pictures_folder, Wanted("monster", 51)).is_file()
    server.asked.clear()
    fetch_pictures(site(server), wanted_of(base.game.store), base.pictures_folder)
    assert server.asked == ["/img/spells/sort_1004.png"]
    assert "1, one after the other" in plan_line(wanted_of(base.game.store), base.pictures_folder)


def test_a_download_that_breaks_or_is_stopped_keeps_what_has_come(server, base):
    wanted = wanted_of(base.game.store)
    server.faults = [200, *[500] * 5]
    with pytest.raises(GameDataError, match="what has come is kept"):
        fetch_pictures(site(server), wanted, base.pictures_folder)
    assert len(list(base.pictures_folder.rglob("*.png"))) == 1
    with pytest.raises(FetchStopped):
        fetch_pictures(site(server, stopped=lambda: True), wanted, base.pictures_folder)
    assert fetch_pictures(site(server), wanted, base.pictures_folder).came == 4


def shown(seed, size, light=1.0, wait=0):
    """Returns an icon's inner part as a bar of some size shows it: scaled, darkened, with a number on it."""
    picture = cv2.resize(drawn(seed), (size, size), interpolation=cv2.INTER_AREA)
    picture = np.clip(picture * light, 0, 255).astype(np.uint8)
    if wait:
        cv2.putText(
            picture, str(wait), (size // 3, 2 * size // 3), cv2.FONT_HERSHEY_SIMPLEX, size / 80,
            (235, 235, 235), max(1, size // 24),
        )  # fmt: skip
    low, high = round(0.25 * size), round(0.8 * size)
    return signature(np.ascontiguousarray(picture[low:high, low:high]))


@pytest.mark.slow
def test_an_icon_is_known_at_any_size_bright_or_dark(base, brought):
    pictures = known_pictures(base.pictures_folder)
    for asked in product((1001, 1002, 1003), (24, 32, 40, 48, 56, 64, 96), (1.0, 0.55, 0.4)):
        found = pictures.find("icons", shown(*asked))
        assert found is not None and found[0] == f"game-{asked[0]}", asked


def test_an_icon_under_a_cooldown_is_known_or_not_but_never_another(tmp_path, base, brought):
    pictures = known_pictures(base.pictures_folder)
    found = [
        (f"game-{spell}", pictures.find("icons", shown(spell, size, 0.45, wait)))
        for spell in (1001, 1002, 1003) for size in (36, 48, 64) for wait in (1, 3)
    ]  # fmt: skip
    assert all(one is None or one[0] == key for key, one in found)
    assert sum(one is not None for _, one in found) >= 12


@pytest.mark.slow
def test_what_none_of_the_pictures_shows_is_not_known(base, brought):
    pictures = known_pictures(base.pictures_folder)
    for seed in range(200, 400):
        assert pictures.find("icons", shown(seed, 48)) is None
        assert pictures.find("portraits", signature(drawn(seed, 60))) is None
    assert pictures.find("icons", "") is None


def test_slots_and_portraits_get_their_names_and_the_players_own_come_first(base, brought):
    names = Names(pictures=known_pictures(base.pictures_folder))
    template = base.fighter("locksmith", 200)
    spells = template.spells
    book = Spellbook("mine", "Mine", 200, 1000, 7, 3, template.stats, spells)
    slots = tuple(SpellSlot(place, icon=shown(seed, 48)) for place, seed in enumerate((1003, 1001, 300)))
    portrait = signature(cv2.resize(drawn(51), (52, 52), interpolation=cv2.INTER_AREA))
    view = FightView(seq=1, spells=slots, enemies=(FighterSeen((0.0, 0.0), 300, "enemy", portrait=portrait),))
    seen = recognise(view, names, book)
    keys = [book.spells[slot.index].key.rpartition("-")[0] for slot in seen.spells]
    assert keys == ["game-1003", "game-1001"]
    assert names.find("icons", slots[0].icon)[0] == "game-1003"
    assert recognise(view, names, None).enemies[0].kind.value == "monster-3001"
    own = names.with_name("portraits", portrait, "boar")
    assert recognise(view, own, None).enemies[0].kind.value == "boar"


def test_a_damaged_index_or_picture_costs_itself_alone(base, brought):
    folder = base.pictures_folder
    picture_path(folder, Wanted("spell", 1001)).write_bytes(b"\x89PNG\r\n\x1a\n and no more")
    assert index_pictures(folder, base.game.store) == 4
    assert known_pictures(folder).find("icons", shown(1001, 48)) is None
    assert known_pictures(folder).find("icons", shown(1002, 48)) is not None
    for damage in (b"", b"[]", b'{"version": 1}', b'{"version": 1, "icons": [["a", "zz"]], "portraits": []}'):
        (folder / INDEX).write_bytes(damage)
        assert known_pictures(folder).find("icons", shown(1002, 48)) is None


def test_the_command_brings_them_with_the_data(server, tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path / "config"))
    asked = ["knowledge", "fetch-game", "--yes", "--pictures", "--from", server.address]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 0, done.output
    assert "Pictures: 5 came, 1 are not there; 5 spells and monsters can be recognised." in done.output
    folder = tmp_path / "config" / "knowledge" / "pictures"
    assert known_pictures(folder).find("icons", shown(1001, 48))[0] == "game-1001"


def test_the_button_brings_them_with_the_data(qtbot, server, tmp_path, monkeypatch):
    told = []

    def answer(_parent, _title, text, *_):
        told.append(text)
        return QMessageBox.StandardButton.Yes

    monkeypatch.setattr(QMessageBox, "question", answer)
    card = GameDataCard(KnowledgeBase(tmp_path / "knowledge"), server.address)
    qtbot.addWidget(card)
    card.with_pictures.setChecked(True)
    with qtbot.waitSignal(card.bringer.ended, timeout=60_000):
        card.download.click()
    assert "kept on this computer only" in told[0]
    assert card.report.text().startswith("Pictures: 5 came, 1 are not there")
    assert known_pictures(card.base.pictures_folder).find("icons", shown(1002, 40))[0] == "game-1002"
