"""Made-up snapshots of a small fight, and a worker that sends what a test gives it."""

import time
from collections import deque
from dataclasses import fields, replace

import numpy as np
from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QImage

from botapp.advisor.decision import Decision, Effort, Expectation, ScoredAction, TraceStep
from botapp.advisor.sureness import sureness
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.spells import Effect, EffectKind, Element, Spell
from botapp.fight.state import Fighter, FightMap, FightState
from botapp.runtime.mailbox import Mailbox
from botapp.runtime.messages import DeviceStatus, MemoryStatus, Snapshot, WatchedWindow
from botapp.runtime.turns import TurnLine, TurnOutlook, TurnStep
from botapp.ui.picking.looking import WindowOffer
from vision import profiles
from vision.frame import Rect
from vision.view import CellKind, FighterSeen, FightView, Lattice, Phase, Seen, SpellSlot
from vision.window import WindowInfo
from vision.window.titles import game_of

WINDOW = WatchedWindow(77, "botapp arena", "python", Rect(100, 60, 1280, 720))
LATTICE = Lattice((104.0, 40.0), 74.0, 37.0)
SPARK = Spell("spark", "Spark", 4, 1, 6, (Effect(EffectKind.DAMAGE, 20, 26, Element.FIRE),), cooldown=0)
MEND = Spell("test_mend", "Knit", 3, 0, 4, (Effect(EffectKind.HEAL, 20, 30),), cooldown=2)
PLAYER, ENEMY, OTHER = 229, 272, 318


def fighter(fighter_id: int, name: str, team: int, cell: int, **changes) -> Fighter:
    made = Fighter(fighter_id, name, name.lower(), team, cell, 40, 312, 380, 7, 4, 7, 4, (SPARK, MEND))
    return replace(made, **changes)


def state(**changes) -> FightState:
    fighters = (
        fighter(0, "Ember Mage", 0, PLAYER),
        fighter(1, "Thorn Beast", 1, ENEMY, hp=151, max_hp=240, assumed=frozenset({"ap", "mp", "max_hp"})),
        fighter(2, "Bog Crawler", 1, OTHER, hp=205, max_hp=205, assumed=frozenset({"ap", "mp"})),
    )
    return replace(FightState(FightMap("test", bytes([3] * 560)), fighters, (0, 1, 2)), **changes)


CAST = ScoredAction(Cast("spark", ENEMY), 0.62, "Cast Spark on Thorn Beast", "Spark", 12, 0.68)
WALK = ScoredAction(Move((243, 257, 271)), 0.17, "Walk 3 cells", visits=9, value=0.61)
CHOICES = (
    CAST,
    WALK,
    ScoredAction(Cast("test_mend", PLAYER), 0.11, "Cast Knit on yourself", "Knit", 5, 0.55),
    ScoredAction(EndTurn(), 0.06, "End the turn", visits=4, value=0.5),
    ScoredAction(Cast("spark", OTHER), 0.04, "Cast Spark on Bog Crawler", "Spark", 2, 0.47),
)


def decision(best: ScoredAction = CAST, reflex: ScoredAction = WALK, steps: int = 5, **changes) -> Decision:
    trace = tuple(
        TraceStep(
            i + 1,
            q_halt=0.18 + 0.13 * i,
            looked=best if i == 3 else None,
            gain=0.2 - 0.07 * i,
            best=replace(reflex if i < 2 else best, confidence=0.3 + 0.08 * i),
            elapsed_ms=3.9 + 0.2 * i,
        )
        for i in range(steps)
    )
    made = Decision(
        choices=(best, *(c for c in CHOICES if c.action != best.action))[:5],
        reflex=reflex,
        value=2 * best.chance - 1,
        trace=trace,
        stop="halted",
        heat=((ENEMY, 0.62), (271, 0.17), (PLAYER, 0.11), (OTHER, 0.04)),
        assumed=("AP and MP of Thorn Beast", "AP and MP of Bog Crawler", "maximum HP of Thorn Beast"),
        effort=Effort((("search", 17.2), ("encode", 1.8), ("think", 20.4), ("decode", 0.6))),
    )
    made = changed(made, **{"first_steps": steps, **changes})
    return made if "sure" in changes else replace(made, sure=sureness(made, state()))


def searched(**changes) -> Decision:
    """A decision of the search alone: each choice with the chance of winning after it."""
    chances = (0.68, 0.67, 0.61, 0.66, 0.52)
    choices = tuple(
        replace(one, confidence=chance, value=chance, visits=12)
        for one, chance in sorted(zip(CHOICES, chances, strict=True), key=lambda pair: -pair[1])
    )
    made = decision(
        choices[0],
        choices[0],
        steps=0,
        choices=choices,
        value=2 * chances[0] - 1,
        stop="searched",
        adviser="search",
        nodes=1200,
        rollouts=60,
        timings_ms=(("search", 44.0), ("decode", 1.0)),
    )
    return changed(made, **changes)


def changed(made: Decision, **changes: object) -> Decision:
    """Returns a decision with other fields, be they those of its effort."""
    effort = {field.name: changes.pop(field.name) for field in fields(Effort) if field.name in changes}
    return replace(made, **{"effort": replace(made.effort, **effort), **changes})


def turn(*choices: ScoredAction) -> TurnOutlook:
    """The advised turn casts twice and walks away; the second best walks first."""
    hurt = Expectation(1, "Thorn Beast", True, damage=64.0)
    cast = TurnStep(CAST.action, PLAYER, "Spark", (hurt,))
    away = TurnStep(Move((215, 201)), PLAYER)
    near = TurnStep(WALK.action, PLAYER)
    given = choices or (CAST, WALK)
    return TurnOutlook(
        (
            TurnLine(given[0], (cast, cast, away), 0.68, ((1, 0.75),)),
            TurnLine(given[1], (near, replace(cast, origin=271)), 0.61),
            TurnLine(given[1], (near,), 0.4),
        ),
        (("spark", (ENEMY, OTHER, 243)), ("", (215, 216, 228))),
    )


SEARCHING = DeviceStatus("search", "cpu", "cpu", "", "No model advises: the search runs here.", "search")


def cells() -> np.ndarray:
    kinds = np.full(560, int(CellKind.OUTSIDE), np.uint8)
    kinds[6 * 14 : 34 * 14] = CellKind.WALKABLE
    kinds[[120, 134, 133, 260, 301, 302, 345, 400]] = CellKind.OBSTACLE
    kinds[[190, 191, 204]] = CellKind.HOLE
    kinds[[410, 411]] = CellKind.UNKNOWN
    return kinds


def view(**changes) -> FightView:
    def seen(cell, team, kind, hp):
        return FighterSeen(LATTICE.centre(cell), cell, team, Seen(hp, 0.98), Seen(kind, 0.97), 0.98)

    made = FightView(
        client=Rect(0, 0, 1280, 720),
        phase=Seen(Phase.FIGHT, 0.99),
        turn=Seen("mine", 0.99),
        lattice=Seen(LATTICE, 0.99),
        cells=cells(),
        cell_confidence=0.98,
        highlights={"reachable": frozenset({215, 216, 228, 230, 242, 243, 244, 257})},
        player=seen(PLAYER, "own", "ember_mage", 0.82),
        enemies=(seen(ENEMY, "enemy", "thorn_beast", 0.63), seen(OTHER, "enemy", "bog_crawler", 1.0)),
        hp=Seen(312, 0.99),
        max_hp=Seen(380, 0.99),
        ap=Seen(7, 0.99),
        mp=Seen(4, 0.99),
        timer_s=Seen(23, 0.97),
        turn_number=Seen(3, 0.98),
        spells=tuple(SpellSlot(i, Seen(i != 2, 0.9), Seen(2 if i == 2 else 0, 0.9)) for i in range(5)),
        elapsed_ms=6.4,
    )
    return replace(made, **changes)


def snapshot(seq: int = 1, *, age_ms: float = 0.0, **changes) -> Snapshot:
    now = time.monotonic_ns()
    made = Snapshot(
        seq=seq,
        captured_ns=now - int(age_ms * 1e6),
        sent_ns=now,
        capture="watching",
        advice="fresh",
        window=WINDOW,
        view=view(seq=seq),
        state=state(),
        decision=decision(),
        decided_seq=seq,
        preview_seq=seq,
        stages_ms=(
            ("capture", 1.7),
            ("vision", 6.4),
            ("situation", 0.9),
            ("search", 17.2),
            ("encode", 1.8),
            ("think", 20.4),
            ("decode", 0.6),
        ),
        device=DeviceStatus("auto auto auto", "cpu", "cpu", "fp32", "cpu is the fastest that works here"),
        memory=MemoryStatus(412 << 20),
        frames=seq,
        dropped=0,
        decisions=1,
    )
    return replace(made, **changes)


class FakeLook(QObject):
    """Stands in for `WindowLook`: finds what a test gives it."""

    found = Signal(object)
    pictured = Signal(object, QImage)
    hidden = Signal(object, str)
    failed = Signal(str)

    def __init__(self, *offers):
        super().__init__()
        self.offers, self.running = offers, False

    def start(self) -> None:
        self.running = True
        self.found.emit(self.offers)

    def close(self) -> None:
        self.running = False


def offer(handle: int, title: str, process: str = "game") -> WindowOffer:
    info = WindowInfo(handle, title, process, 1000, Rect(0, 0, 800, 600))
    game = game_of(info, profiles.titles())
    return WindowOffer(info, game.client, game.character, game.game_class) if game else WindowOffer(info)


class FakeArena:
    """Stands in for the process of a practice arena; it runs until it is ended."""

    def __init__(self) -> None:
        self.pid, self.code = 4_194_305, None  # no process has a number so high

    def poll(self):
        return self.code

    def terminate(self) -> None:
        self.code = 0

    def wait(self, timeout=None):
        return self.code


class FakeWorker:
    """Stands in for `WorkerProcess`: keeps what it was sent, and delivers what the test gives it."""

    def __init__(self, settings=None) -> None:
        self.settings = settings
        self.latest: Mailbox = Mailbox()
        self.events: deque = deque()
        self.wake = None
        self.preview_name = ""
        self.sent: list = []
        self.running = False

    def start(self) -> None:
        self.running = True

    def send(self, message) -> None:
        self.sent.append(message)

    def stop(self) -> None:
        self.running = False

    def deliver(self, *items) -> None:
        for item in items:
            if hasattr(item, "captured_ns"):
                self.latest.put(item)
            else:
                self.events.append(item)
        if self.wake:
            self.wake()


def settle():
    """Has Qt do what waits in its queue: layouts first, then what follows from them."""
    for _ in range(4):
        QCoreApplication.sendPostedEvents()
        QCoreApplication.processEvents()


def feed(qtbot, app, worker, *snapshots):
    """Has the worker send snapshots, and the app show each."""
    for one in snapshots:
        with qtbot.waitSignal(app.bridge.snapshot_ready):
            worker.deliver(one)
