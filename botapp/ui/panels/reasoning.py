"""The Reasoning panel: whether the model thinks on, step by step, how its answer changed, and why it stopped.

Where the search advises alone it shows what that found instead.
"""

from typing import TYPE_CHECKING

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from botapp.advisor.decision import Decision
from botapp.fight.state import FightState
from botapp.runtime.messages import Snapshot
from botapp.ui import outcomes, thinking_words, words
from botapp.ui.groups import grouped
from botapp.ui.panels.base import Panel
from botapp.ui.samples import History
from botapp.ui.translation import counted, mark, tr
from botapp.ui.widgets.boxes import column_of
from botapp.ui.widgets.labels import label, scrolled, set_role
from botapp.ui.widgets.plot import Plot
from botapp.ui.widgets.table import Cell, FigureTable

if TYPE_CHECKING:
    import pyqtgraph as pg

PLOT_HEIGHT = 300
LEAST_HEIGHT = 92
"""Room for how it ended and how the first answer differs; the rest is scrolled to."""
_FOUND = 8
"""Rows of what the search found."""
WITH_FIGURES = 330
"""From this height on the plot and the table of steps have room below the words."""


class ReasoningPanel(Panel):
    """How sure the Q-head is at each step that it can stop, the step's answer, and the reason for stopping.

    Attributes:
        found: of the search alone, a row for each of the best actions.
    """

    key = "reasoning"
    title = mark("Reasoning")
    of_decision = True

    def __init__(
        self,
        history: History,
        halt_threshold: float = 0.5,
        step_limit: int = 8,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(history, parent)
        self.stop = label(tr("No decision yet."), "muted", wrap=True)
        self.plot = Plot(tr("by step"), _dress)
        self.table = FigureTable(
            tr(self.title),
            ["#", tr("Answer"), tr("Looked at before"), tr("To win")],
            wide=1,
            text_columns=(0, 1, 2),
        )
        self.table.explain(
            {
                1: tr("What the model would have done after this step."),
                2: tr("Behind which action the fight was played on before this step."),
                3: tr("The chance of winning after that answer, by what was found in the end."),
            }
        )
        self.found = FigureTable(tr(self.title), [tr("Action"), tr("To win")], text_columns=(0,))
        self.found.explain({1: tr("The chance of winning after this action.")})
        self.plot.setToolTip(
            tr(
                "After each step the model says how sure it is that thinking longer does not pay "
                "(Q-halt). It stops when that exceeds the threshold."
            )
        )
        self._halt_threshold = halt_threshold
        self._step_limit = step_limit
        self._shown: Decision | None = None
        self.worth = label("", "muted", wrap=True)
        self.steps = label("", wrap=True)
        self.steps.hide()
        inner = QWidget()
        column_of(
            self.stop,
            self.worth,
            self.steps,
            (self.plot, 1),
            self.table,
            self.found,
            None,
            into=inner,
            margins=(14, 10, 14, 10),
            spacing=8,
        )
        self.setMinimumHeight(LEAST_HEIGHT)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.addWidget(scrolled(inner, by_keys=True))
        for part in (self.plot, self.table, self.found):
            part.hide()

    def set_limits(self, halt_threshold: float, step_limit: int) -> None:
        """Takes over the halt threshold (0..1) and the step limit that the plot shows."""
        self._halt_threshold, self._step_limit = halt_threshold, step_limit
        if self._shown is not None and not self.plot.isHidden():
            self._draw_limits(self._shown)

    def render_snapshot(self, snapshot: Snapshot) -> None:
        """Shows the newest decision's trace; without a new one the last stays."""
        decision = snapshot.decision
        if decision is None or decision == self._shown:
            return
        self._shown = decision
        steps = len(decision.trace)
        taken = [tr(counted(steps, "{steps} step", "{steps} steps", steps=steps))] if steps else []
        searched = [_searched(decision)] if decision.nodes else []
        parts = [*taken, thinking_words.stopped(decision), *searched]
        self.stop.setText("  ·  ".join(filter(None, parts)))
        set_role(self.stop, "")
        self.worth.setText(" ".join(thinking_words.comparison(decision, snapshot.state)))
        self.worth.setVisible(bool(decision.trace))
        self.steps.setText("\n".join(thinking_words.steps(decision, snapshot.state)))
        self.steps.setVisible(bool(decision.trace))
        self._show_parts(decision)
        if not self.plot.isHidden():
            self._plot(decision)
        self.table.show_rows(_rows(decision, snapshot.state))
        self.found.show_rows(_found(decision, snapshot.state))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leaves the words alone where there is no height for figures too."""
        super().resizeEvent(event)
        if self._shown is not None:
            before = self.plot.isHidden()
            self._show_parts(self._shown)
            if before and not self.plot.isHidden():
                self._plot(self._shown)

    def _show_parts(self, decision: Decision) -> None:
        """Shows a model's steps in words, several as figures too; or what the search found by itself."""
        model = decision.adviser == "model"
        figures = model and len(decision.trace) > 1 and self.height() >= WITH_FIGURES
        self.plot.setMaximumHeight(min(PLOT_HEIGHT, self.height() // 3))
        self.plot.setVisible(figures)
        self.table.setVisible(figures)
        self.found.setVisible(not model)

    def _plot(self, decision: Decision) -> None:
        across = [step.index for step in decision.trace]
        dot = {"symbol": "o", "symbolSize": 8, "symbolPen": None}
        line = self.plot.line(tr("halt"), "accent")
        line.setData(across, [step.q_halt for step in decision.trace], **dot)
        line.setSymbolBrush(line.opts["pen"].color())
        stop = self.plot.line(tr("stopped"), "good", width=1, dashed=True)
        stop.setData([across[-1]] * 2 if across else [], [0, 1] if across else [])
        self._draw_limits(decision)

    def _draw_limits(self, decision: Decision) -> None:
        """Draws the threshold over all the steps there could have been."""
        trace = decision.trace
        first = trace[0].index if trace else 1
        last = max(first + self._step_limit - 1, trace[-1].index if trace else 0, first + 1)
        line = self.plot.line(tr("threshold"), "muted", width=1, dashed=True)
        line.setData([first - 0.5, last + 0.5], [self._halt_threshold] * 2)
        self.plot.area.setXRange(first - 0.5, last + 0.5, padding=0)
        axis = self.plot.area.getAxis("bottom")
        axis.setTicks([[(index, str(index)) for index in range(first, last + 1)]])


def _dress(area: "pg.PlotWidget") -> None:
    area.setYRange(0, 1, padding=0.12)
    area.getAxis("left").setStyle(hideOverlappingLabels=False)
    area.getAxis("left").setTicks([[(share, words.number(share, 1)) for share in (0, 0.5, 1)]])


def _searched(decision: Decision) -> str:
    parts = (
        counted(
            decision.nodes, "{number:,} state searched", "{number:,} states searched", number=decision.nodes
        ),
        counted(decision.rollouts, "{number:,} rollout", "{number:,} rollouts", number=decision.rollouts),
    )
    return ", ".join(map(tr, parts))


def _found(decision: Decision, state: FightState | None) -> list[tuple[Cell, ...]]:
    """Returns a row for each of the best actions, those that are worth the same in one, as on Decision."""
    groups = grouped(decision, state)[:_FOUND]
    best = [group.best for group in groups]
    texts = words.told_apart([words.shortly(choice, state) for choice in best], best)
    rows: list[tuple[Cell, ...]] = []
    for group, text in zip(groups, texts, strict=True):
        advised = decision.best in group.choices
        other = [] if advised else outcomes.differences(decision.best, group.best)
        tip = "\n".join(filter(None, (words.headline_of(group.choices, state), "  ·  ".join(other))))
        rows.append(
            (
                Cell(text, "accent" if advised else "text", bold=advised, tip=tip),
                Cell(words.percent(outcomes.chance_beside(decision.best, group.best))),
            )
        )
    return rows


def _rows(decision: Decision, state: FightState | None) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    before = None
    for step in decision.trace:
        changed = before is not None and step.best.action != before
        before = step.best.action
        text, whole = words.brief(step.best, state), words.headline(step.best, state)
        looked = tr("the best turns") if rows else "–"
        if step.looked is not None:
            looked = words.brief(step.looked, state)
        rows.append(
            (
                Cell(str(step.index), "muted", tip=words.milliseconds(step.elapsed_ms)),
                Cell(text, "accent" if changed else "text", bold=changed, tip=whole),
                Cell(looked, "muted"),
                Cell(words.percent(step.chance)),
            )
        )
    return rows
