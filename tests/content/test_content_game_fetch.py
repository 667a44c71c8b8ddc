"""The game's data are downloaded when the player says so, politely, and from nowhere else."""

import json
import os
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import madeup_game as made
import pytest
from loopback import LoopbackServer, send
from typer.testing import CliRunner

from botapp.commands.cli import app
from botapp.content.game.fetching import ADDRESS, Fetcher, FetchStopped, plan_lines
from botapp.content.game.reading import GameDataError
from botapp.content.knowledge.base import KnowledgeBase

ROOT = Path(__file__).parents[2]
LOCAL = {"botapp/arena/workers.py", "botapp/ui/instance.py"}
"""A player's own Ray cluster, where its address is given; and the app that runs already on this computer."""


class Server(LoopbackServer):
    """A database of ours on the loopback address; `faults` are worked off before it answers well."""

    def __init__(self):
        super().__init__()
        self.game = made.small()
        self.game["spell-states"] += [made.state(1000 + n, f"S{n}", f"E{n}") for n in range(120)]
        self.asked = []
        self.faults = []

    def answer(self, request):
        url = urlsplit(request.path)
        query = parse_qs(url.query)
        service, skip = url.path.strip("/"), int(query["$skip"][0])
        self.asked.append((service, skip))
        assert query["$limit"] == ["50"]
        assert request.headers["User-Agent"].startswith("botapp/")
        if self.faults:
            fault = self.faults.pop(0)
            if fault is not None:
                fault(request)
                return
        data = self.game.get(service, [])
        send(request, json.dumps(made.page(data[skip : skip + 50], skip, len(data))).encode())


@pytest.fixture
def server():
    made_server = Server()
    yield made_server
    made_server.close()


@pytest.fixture
def waits():
    return []


@pytest.fixture
def fetcher(server, tmp_path, waits):
    return Fetcher(tmp_path / "pages", server.address, sleep=waits.append)


def test_a_download_is_planned_then_fetched_and_read(server, fetcher, waits, tmp_path):
    plan = fetcher.plan()
    assert plan.address == server.address
    assert plan.records["spell-states"] == 122
    assert plan.pages == 2
    assert len(list(plan_lines(plan))) == 3
    folder = fetcher.fetch()
    assert len(server.asked) == 6 + 2
    assert len(set(server.asked)) == len(server.asked)
    assert all(wait <= 0.25 for wait in waits)
    assert sum(waits) > 0.25
    base = KnowledgeBase(tmp_path / "knowledge")
    report = base.import_game([folder])
    assert (report.classes, report.monsters, report.states) == (1, 2, 122)
    fetcher.clear()
    assert list(folder.iterdir()) == []


def test_pages_of_an_earlier_day_are_asked_for_again(server, tmp_path):
    first = Fetcher(tmp_path / "pages", server.address, sleep=lambda _: None)
    first.plan()
    first.fetch()
    for path in (tmp_path / "pages").glob("*.json"):
        os.utime(path, (path.stat().st_atime, path.stat().st_mtime - 100_000))
    assert Fetcher(tmp_path / "pages", server.address, sleep=lambda _: None).plan().pages == 2


def test_a_broken_download_goes_on_where_it_stopped(server, tmp_path):
    first = Fetcher(tmp_path / "pages", server.address, sleep=lambda _: None)
    first.plan()
    server.faults = [None, *[lambda request: send(request, b"", 500)] * 5]
    with pytest.raises(GameDataError, match="500"):
        first.fetch()
    server.asked.clear()
    again = Fetcher(tmp_path / "pages", server.address, sleep=lambda _: None)
    assert again.plan().pages == 1
    again.fetch()
    assert server.asked[6:] == [("spell-states", 100)]


def test_it_waits_as_long_as_the_server_wants(server, fetcher, waits):
    server.faults = [lambda request: send(request, b"", 429, Retry_After="7")]
    fetcher.plan()
    assert 7.0 in waits


def test_breaks_and_halves_are_asked_again(server, fetcher):
    def half(request):
        request.send_response(200)
        request.send_header("Content-Length", "5000")
        request.end_headers()
        request.wfile.write(b'{"total"')
        request.close_connection = True

    server.faults = [
        half,
        lambda request: request.connection.close(),
        lambda request: send(request, b"", 503),
    ]
    assert fetcher.plan().records["breeds"] == 1
    assert server.asked[:4] == [("breeds", 0)] * 4


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b"[]", b'{"total": "many", "data": []}', b'{"total": 9}', b'{"total": 1e9, "data": []}',
     b'{"total": 99999999, "data": []}', b"[" * 100_000],
)  # fmt: skip
def test_wrong_answers_are_told_and_nothing_is_kept(server, fetcher, tmp_path, body):
    server.faults = [lambda request: send(request, body)]
    with pytest.raises(GameDataError, match="breeds"):
        fetcher.plan()
    assert not (tmp_path / "pages").exists()


def test_nothing_is_asked_of_another_address(server, fetcher):
    other = Server()
    server.faults = [lambda request: send(request, b"", 302, Location=f"{other.address}/breeds?$skip=0")]
    with pytest.raises(GameDataError, match="302"):
        fetcher.plan()
    assert other.asked == []
    other.close()


def test_a_missing_service_and_a_missing_server_are_told(server, fetcher, tmp_path):
    server.faults = [lambda request: send(request, b"", 404)]
    with pytest.raises(GameDataError, match="404"):
        fetcher.plan()
    assert len(server.asked) == 1
    lost = Fetcher(tmp_path / "other", "http://127.0.0.1:9", sleep=lambda _: None)
    with pytest.raises(GameDataError, match=r"127\.0\.0\.1:9 does not answer"):
        lost.plan()


def test_data_that_change_meanwhile_are_told(server, fetcher):
    fetcher.plan()
    server.game["spell-states"].pop()
    with pytest.raises(GameDataError, match="changed"):
        fetcher.fetch()
    server.asked.clear()
    assert fetcher.plan().pages == 2


def test_the_player_can_stop_it(server, tmp_path):
    stopped = []
    fetcher = Fetcher(tmp_path / "pages", server.address, stopped=lambda: bool(stopped), sleep=lambda _: None)
    fetcher.plan()
    stopped.append(True)
    with pytest.raises(FetchStopped):
        fetcher.fetch()
    assert len(server.asked) == 6


@pytest.mark.slow
def test_the_command_asks_before_each_step_and_then_says_what_came(server, tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setattr("botapp.content.game.fetching.PAUSE_S", 0.0)
    call = ["knowledge", "fetch-game", "--from", server.address, "--language", "en"]
    said = CliRunner().invoke(app, call, input="n\n")
    assert (said.exit_code, server.asked) == (1, [])
    said = CliRunner().invoke(app, call, input="y\nn\n")
    assert "To come: 2 pages" in said.output
    assert (said.exit_code, len(server.asked)) == (1, 6)
    said = CliRunner().invoke(app, call, input="y\ny\n")
    assert said.exit_code == 0, said.output
    assert "Classes: 1 with 4 spells" in said.output
    assert list((tmp_path / "config" / "knowledge" / "fetched").iterdir()) == []


@pytest.mark.slow
def test_nothing_else_in_the_product_goes_online():
    """By reading all of it: what could open a connection is imported by one module alone."""
    network = re.compile(
        r"^\s*(?:from|import)\s+(?:urllib\.request|urllib3|http\.client|http\.server|socket\b|ssl\b|ftplib|smtplib|"
        r"requests|httpx|aiohttp|websockets?\b|xmlrpc|telnetlib|asyncio|PySide6\.QtNetwork|PySide6\.QtWeb)",
        re.MULTILINE,
    )
    found = {
        str(path.relative_to(ROOT))
        for package in ("botapp", "hrm", "vision")
        for path in (ROOT / package).rglob("*.py")
        if network.search(path.read_text("utf-8"))
    }
    assert found == {"botapp/host/online.py"} | LOCAL
    users = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "botapp").rglob("*.py")
        if re.search(r"\bFetcher\(", path.read_text("utf-8"))
    }
    assert users == {"botapp/commands/knowledge.py", "botapp/ui/game/bringing.py"}
    online = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "botapp").rglob("*.py")
        if re.search(r"host\.(?:online|newer) import", path.read_text("utf-8"))
    }
    newer = {"botapp/host/newer.py", "botapp/ui/settings/about.py"}
    assert online == {"botapp/content/game/fetching.py"} | newer
    assert ADDRESS.startswith("https://")
