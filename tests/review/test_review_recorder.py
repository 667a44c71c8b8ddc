"""A fight is kept as it goes on: what is on the disk is whole after each own action."""

import errno
import time
from dataclasses import replace

import pytest
from kept_fights import decided, fight
from small_disk import fill, small_disk  # noqa: F401

from botapp.host.settings import Settings
from botapp.review.course import Course
from botapp.review.form import read_fight, read_summary
from botapp.review.recorder import FightRecorder
from botapp.review.shelf import FightShelf, claim, pictures_of
from botapp.runtime.kept_pictures import waiting_dir
from botapp.runtime.messages import Snapshot
from vision.view import FightView, Phase, Seen


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    return FightShelf()


class Watching:
    """An app that watches a fight: the course and the recorder are given the same snapshots."""

    def __init__(self, shelf, **options):
        self.course, self.told = Course(), []
        settings = Settings(review={"keep": True, **options}, ui={"language": "en"})
        self.recorder = FightRecorder(settings, self.course, shelf, self.told.append)

    def see(self, **fields):
        given = {"capture": "watching", "advice": "fresh", **fields}
        snapshot = Snapshot(seq=1, captured_ns=time.monotonic_ns(), sent_ns=0, **given)
        self.course.add(snapshot)
        self.recorder.offer(snapshot)

    def see_fight(self, number=1, actions=3, chance=None):
        for moment in fight().moments[:actions]:
            decision = decided(moment)
            if chance is not None:
                decision = replace(decision, value=2 * chance - 1)
            self.see(state=moment.state, decision=decision, fight=number)

    def see_the_end(self, number=2):
        view = FightView(phase=Seen(Phase.NOT_FIGHT, 1.0))
        self.see(capture="no-fight", advice="none", view=view, fight=number)


def test_each_own_action_is_on_the_disk_before_the_next(shelf):
    app = Watching(shelf)
    sizes = []
    for moment in fight().moments:
        app.see(state=moment.state, decision=decided(moment), fight=1)
        app.recorder.writer.submit(lambda: None).result()
        sizes.append([len(read_fight(path).moments) for path in shelf.paths()])
    app.recorder.close()
    assert sizes == [[], [2], [3]]


def test_what_is_kept_is_what_was_advised_and_done(shelf):
    app = Watching(shelf)
    app.see_fight()
    app.see_the_end()
    app.recorder.close()
    (path,) = shelf.paths()
    kept, wanted = read_fight(path), fight()
    assert [moment.state for moment in kept.moments] == [moment.state for moment in wanted.moments]
    assert [moment.advised for moment in kept.moments] == [moment.advised for moment in wanted.moments]
    assert kept.moments[1].done.action == wanted.moments[1].done.action
    assert kept.summary.opponents == wanted.summary.opponents
    assert (kept.summary.own, kept.summary.actions) == ("ember", 3)


@pytest.mark.parametrize(("chance", "result"), [(0.9, "won"), (0.1, "lost")])
def test_the_end_says_who_won(shelf, chance, result):
    app = Watching(shelf)
    app.see_fight(chance=chance)
    app.see_the_end()
    app.recorder.close()
    assert [entry.summary.result for entry in shelf.entries()] == [result]


def test_an_end_that_was_not_seen_is_none(shelf):
    app = Watching(shelf)
    app.see_fight(number=1)
    app.see_fight(number=2)
    app.recorder.close()
    assert [entry.summary.result for entry in shelf.entries()] == ["unfinished", "unfinished"]


def test_who_stands_alone_has_won_whatever_was_thought(shelf):
    app = Watching(shelf)
    app.see_fight(chance=0.1)
    last = fight().moments[-1].state
    dead = tuple(f.changed(hp=0) if f.team else f for f in last.fighters)
    app.see(state=last.changed(fighters=dead), advice="not-my-turn", fight=1)
    app.see_the_end()
    app.recorder.close()
    assert [entry.summary.result for entry in shelf.entries()] == ["won"]


def test_nothing_is_kept_that_is_not_to_be(shelf):
    app = Watching(shelf, keep=False)
    app.see_fight()
    app.recorder.close()
    assert not shelf.paths() and not shelf.folder.exists()


def test_a_single_action_is_not_worth_keeping(shelf):
    app = Watching(shelf)
    app.see_fight(actions=1)
    app.recorder.close()
    assert not shelf.paths()


def test_a_folder_that_cannot_be_written_to_costs_nothing_but_the_record(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    app = Watching(FightShelf(tmp_path / "file" / "fights"))
    app.see_fight()
    app.recorder.close()
    assert len([record for record in caplog.records if "The fight is not kept" in record.getMessage()]) == 1


def test_where_nothing_may_be_written_the_folder_is_named(shelf, tmp_path, monkeypatch):
    def denied(path, data):
        raise PermissionError(errno.EACCES, "Permission denied", str(path.parent / "not-there" / path.name))

    monkeypatch.setattr("botapp.review.recorder.write_whole", denied)
    app = Watching(shelf)
    app.see_fight()
    app.recorder.close()
    folder = shelf.folder if shelf.folder.exists() else shelf.folder.parent
    assert app.told == [
        f"The fight is not kept: nothing can be written in the folder {folder} (Permission denied); make it "
        "writable."
    ]


def test_two_apps_that_keep_a_fight_of_the_same_second_keep_both(shelf, monkeypatch):
    apps = Watching(shelf), Watching(FightShelf(shelf.folder))
    for number, app in enumerate(apps):
        monkeypatch.setattr("botapp.review.shelf.os.getpid", lambda process=4711 + number: process)
        app.recorder._record.begun = 0.0
        app.see_fight(actions=2)
    for app in apps:
        app.recorder.close()
    assert [entry.problem for entry in shelf.entries()] == ["", ""]


def test_the_oldest_fights_make_room(shelf):
    for day in range(4):
        path = shelf.free_path(day * 86_400.0)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(bytes(1000))
    assert shelf.trim(2500) == 2
    assert [path.name[:8] for path in shelf.paths()] == ["19700104", "19700103"]
    assert shelf.trim(1) == 1 and len(shelf.paths()) == 1


def test_a_fight_that_is_deleted_while_it_goes_on_stays_deleted(shelf):
    app = Watching(shelf)
    app.see_fight(actions=2)
    app.recorder.writer.submit(shelf.clear).result()
    last = fight().moments[2]
    app.see(state=last.state, decision=decided(last), fight=1)
    app.recorder.close()
    assert shelf.paths() == []


def test_deleting_all_leaves_what_is_not_ours(shelf):
    app = Watching(shelf)
    app.see_fight()
    app.recorder.close()
    shelf.put_position(fight().moments[0].state)
    (shelf.folder / "notes.txt").write_text("mine")
    shelf.clear()
    assert [path.name for path in shelf.folder.iterdir()] == ["notes.txt"]


def test_a_file_that_is_damaged_is_listed_with_what_is_wrong(shelf):
    shelf.folder.mkdir()
    shelf.free_path(0).write_bytes(b"nonsense")
    (entry,) = shelf.entries()
    assert entry.summary is None and "it is damaged" in entry.problem


def test_a_picture_goes_with_its_fight(shelf):
    waiting_dir().mkdir(parents=True)
    (waiting_dir() / "1-2.png").write_bytes(b"picture")
    path = shelf.free_path(0)
    claim("1-2.png", path)
    claim("../../evil.png", path)
    path.write_bytes(b"")
    assert [picture.name for picture in pictures_of(path).iterdir()] == ["1-2.png"]
    shelf.remove(path)
    assert not pictures_of(path).exists() and not shelf.paths()


def test_pictures_of_no_fight_go_at_the_end(shelf):
    app = Watching(shelf)
    app.recorder.writer.submit(lambda: None).result()
    waiting_dir().mkdir(parents=True)
    (waiting_dir() / "1-2.png").write_bytes(b"picture")
    app.recorder.close()
    assert not waiting_dir().exists()


def test_the_summary_alone_is_read_quickly(shelf):
    app = Watching(shelf)
    app.see_fight()
    app.recorder.close()
    (path,) = shelf.paths()
    path.write_bytes(path.read_bytes()[:-20])
    assert read_summary(path).actions == 3


def test_on_a_full_disk_it_is_said_once_and_kept_as_soon_as_there_is_room(small_disk):  # noqa: F811
    """The first writing had failed, and the fight was taken for one that a person had deleted since."""
    disk = small_disk(256)
    taken, shelf = fill(disk), FightShelf(disk / "fights")
    app = Watching(shelf)
    app.see_fight()
    app.recorder.writer.submit(lambda: None).result()
    assert app.told == ["The fight is not kept: the disk is full; make room on it."]
    assert not [*disk.glob("fights/*")]
    taken.unlink()
    app.see_the_end()
    app.recorder.close()
    (path,) = shelf.paths()
    assert len(read_fight(path).moments) == 3 and len(app.told) == 1


def test_an_action_that_was_taken_back_is_not_kept_as_played_and_the_fight_says_so(shelf):
    app = Watching(shelf)
    moments = fight().moments
    app.see_fight()
    app.see(state=moments[1].state, decision=decided(moments[1]), fight=1, taken_back=2)
    app.recorder.writer.submit(lambda: None).result()
    (path,) = shelf.paths()
    kept = read_fight(path)
    assert [moment.state for moment in kept.moments] == [moments[0].state, moments[1].state]
    assert kept.moments[1].done is None
    assert kept.summary.taken_back == 2
    assert not kept.summary.measured
    app.see(state=moments[2].state, decision=decided(moments[2]), fight=1, taken_back=2)
    app.recorder.close()
    assert [moment.state for moment in read_fight(path).moments] == [moment.state for moment in moments]
    assert read_summary(path).taken_back == 2


def test_a_fight_of_which_all_was_taken_back_is_not_kept(shelf):
    app = Watching(shelf)
    moments = fight().moments
    app.see_fight(actions=2)
    app.see(state=moments[0].state, decision=decided(moments[0]), fight=1, taken_back=1)
    app.recorder.close()
    assert shelf.paths() == []


def test_the_next_fight_knows_nothing_of_what_was_taken_back(shelf):
    app = Watching(shelf)
    moments = fight().moments
    app.see_fight()
    app.see(state=moments[1].state, decision=decided(moments[1]), fight=1, taken_back=1)
    app.see_the_end()
    app.see_fight(number=2)
    app.recorder.close()
    assert [read_summary(path).taken_back for path in shelf.paths()].count(0) == 1
    assert [read_summary(path).taken_back for path in shelf.paths()].count(1) == 1
