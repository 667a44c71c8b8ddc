"""The State panel: own resources and everyone in the fight, each fact marked as seen or assumed."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QWidget

from botapp.fight.state import Fighter, FightState
from botapp.runtime.messages import Snapshot
from botapp.ui import theme, words
from botapp.ui.names import named
from botapp.ui.panels.base import Panel, panel
from botapp.ui.samples import History
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.labels import label
from botapp.ui.widgets.position_menu import Offer, PositionMenu
from botapp.ui.widgets.table import Cell, FigureTable
from vision.view import FightView, Seen

_RESOURCES = (
    ("hp", mark("HP"), "bad"),
    ("ap", mark("AP"), "info"),
    ("mp", mark("MP"), "good"),
    ("timer_s", mark("Timer"), "text"),
    ("turn_number", mark("Round"), "text"),
    ("spells", mark("Spells"), "text"),
)

_ROOMY = 260  # Height from which on there is room for more than the fighters, in logical pixels
_SIDES = {
    "own": ("★", mark("you"), "accent"),
    "ally": ("●", mark("ally"), "ally"),
    "enemy": ("◆", mark("enemy"), "enemy"),
}


@panel
class StatePanel(Panel):
    """Own resources, as the advice goes by them or as read off the screen, and a table of the fighters."""

    key = "state"
    title = mark("State")
    order = 70
    place = "below"
    layouts = ("reasoning", "engineer")
    sentences = (
        (
            mark("HP, AP, MP, shield"),
            mark("What each fighter has left now, as it was read or is known; assumed ones are marked."),
        ),
    )
    interval_ms = 250
    of_decision = True

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self.figures: dict[str, QLabel] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        for column, (key, title, shade) in enumerate(_RESOURCES):
            grid.addWidget(label(tr(title), "caption"), 0, column)
            figure = label("–")
            figure.setFont(theme.font(1.3, bold=True, mono=True))
            figure.setStyleSheet(f"color: {theme.colour(shade).name()};")
            self.figures[key] = figure
            grid.addWidget(figure, 1, column)
            grid.setColumnStretch(column, 1)
        self.table = FigureTable(
            tr(self.title),
            [tr("Fighter"), tr("HP"), tr("AP"), tr("MP"), tr("Cell")],
        )
        self.note = label(tr("No fighters are known."), "muted", wrap=True)
        legend = QHBoxLayout()
        legend.setSpacing(16)
        for sign, title, shade in _SIDES.values():
            entry = label(f"{sign} {tr(title)}")
            entry.setStyleSheet(f"color: {theme.colour(shade).name()};")
            legend.addWidget(entry)
        legend.addStretch()
        legend.addWidget(label("≈ " + tr("assumed, not seen"), "warn"))
        self._resources, self._legend = QWidget(), QWidget()
        for part, inside in ((self._resources, grid), (self._legend, legend)):
            inside.setContentsMargins(0, 0, 0, 0)
            part.setLayout(inside)
        self.box.addWidget(self._resources)
        self.box.addWidget(self.table, 1)
        self.box.addWidget(self.note)
        self.box.addWidget(self._legend)
        self._state: FightState | None = None
        self.menu = PositionMenu(self, {self: lambda _: None if self._state is None else Offer(self._state)})

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leaves the room to the fighters where there is little: the own one's figures are in its row too."""
        super().resizeEvent(event)
        roomy = self.height() >= _ROOMY
        self._resources.setVisible(roomy)
        self._legend.setVisible(roomy)

    def render_snapshot(self, snapshot: Snapshot) -> None:
        state = self._state = snapshot.state
        self._show_resources(snapshot, state.actor if snapshot.advice == "fresh" and state else None)
        if state is None:
            self.table.show_rows([])
            self.note.setText(tr("No fighters are known."))
        else:
            player = _player(snapshot.view, state)
            self.table.show_rows([_row(fighter, player) for fighter in state.fighters if fighter.alive])
            self.note.setText(" ".join(map(tr, snapshot.sheet)))
        self.note.setVisible(bool(self.note.text()))

    def _show_resources(self, snapshot: Snapshot, own: Fighter | None) -> None:
        view = snapshot.view
        for key, _, _ in _RESOURCES:
            self.figures[key].setText(_resource(key, view))
        if own is not None:
            for key in ("ap", "mp"):
                self.figures[key].setText(str(getattr(own, key)))
            self.figures["hp"].setText(f"{own.hp}/{own.max_hp}")
        sure = view.hp.confidence if view else 0.0
        self.figures["hp"].setToolTip(tr("Read with {share} confidence", share=words.percent(sure)))


def _resource(key: str, view: FightView | None) -> str:
    if view is None:
        return "–"
    if key == "spells":
        ready = [slot.usable.value for slot in view.spells]
        return f"{sum(map(bool, ready))}/{len(ready)}" if ready and None not in ready else "–"
    seen: Seen[int] = getattr(view, key)
    if seen.value is None:
        return "–"
    if key == "hp" and view.max_hp.value is not None:
        return f"{seen.value}/{view.max_hp.value}"
    return f"{seen.value}\u00a0s" if key == "timer_s" else str(seen.value)


def _player(view: FightView | None, state: FightState) -> Fighter:
    """Returns the person's own fighter: the one where the screen shows it, else the one whose turn it is."""
    cell = view.player.cell if view is not None and view.player is not None else None
    return next((f for f in state.fighters if f.alive and f.cell == cell), state.actor)


def _row(fighter: Fighter, player: Fighter) -> tuple[Cell, ...]:
    me = fighter.id == player.id
    ours = fighter.team == player.team
    sign, side, shade = _SIDES["own" if me else "ally" if ours else "enemy"]
    about = tr("{side}, level {level}", side=tr(side), level=fighter.level)
    return (
        Cell(f"{sign} {named(fighter.name)}", shade, bold=me, tip=about),
        _fact(fighter, ("hp", "max_hp"), f"{fighter.hp}/{fighter.max_hp}"),
        _fact(fighter, ("ap", "base_ap"), str(fighter.ap)),
        _fact(fighter, ("mp", "base_mp"), str(fighter.mp)),
        _fact(fighter, ("cell",), str(fighter.cell)),
    )


def _fact(fighter: Fighter, names: tuple[str, ...], text: str) -> Cell:
    if any(name in fighter.assumed for name in names):
        return Cell(f"≈{text}", "warn", italic=True, tip=tr("Assumed: the screen does not show it."))
    return Cell(text)
