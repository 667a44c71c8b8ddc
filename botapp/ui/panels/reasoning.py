"""The Reasoning panel: whether the model thinks on, step by step, how its answer changed, and why it stopped.

Where the search advises alone it shows what that found instead.
"""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from botapp.advisor.decision import Decision
from botapp.fight.state import FightState
from botapp.runtime.messages import Snapshot
from botapp.ui import words
from botapp.ui.panels.base import Panel
from botapp.ui.samples import History
from botapp.ui.translation import counted, mark, tr
from botapp.ui.widgets.labels import label, set_role
from botapp.ui.widgets.plot import Plot
from botapp.ui.widgets.table import Cell, FigureTable

if TYPE_CHECKING:
    import pyqtgraph as pg

PLOT_HEIGHT = 300


class ReasoningPanel(Panel):
    """How sure the Q-head is at each step that it can stop, the step's answer, and the reason for stopping.

    Attributes:
        found: of the search alone, a row for each of the best actions.
    """

    key = "reasoning"
    title = mark("Reasoning")

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
        self.found = FigureTable(
            tr(self.title), [tr("Action"), tr("Played out"), tr("To win")], text_columns=(0,)
        )
        self.found.explain(
            {
                1: tr("How many times the fight was played on from the turn that begins with this action."),
                2: tr("The chance of winning after this action."),
            }
        )
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
        self.box.addWidget(self.stop)
        self.box.addWidget(self.worth)
        self.plot.setMaximumHeight(PLOT_HEIGHT)
        self.box.addWidget(self.plot, 1)
        self.box.addWidget(self.table)
        self.box.addWidget(self.found)
        self.box.addStretch()
        for part in (self.plot, self.table, self.found):
            part.hide()

    def set_limits(self, halt_threshold: float, step_limit: int) -> None:
        """Takes over the halt threshold (0..1) and the step limit that the plot shows."""
        self._halt_threshold, self._step_limit = halt_threshold, step_limit
        if self._shown is not None and self._shown.adviser == "model":
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
        self.stop.setText("  ·  ".join([*taken, tr(words.STOP[decision.stop]), *searched]))
        set_role(self.stop, "")
        self.worth.setText(" ".join(_worth(decision)))
        self.worth.setVisible(bool(self.worth.text()))
        by_model = decision.adviser == "model"
        self._show_parts(model=by_model)
        if by_model:
            self._plot(decision)
        self.table.show_rows(_rows(decision, snapshot.state))
        self.found.show_rows(_found(decision, snapshot.state))

    def _show_parts(self, *, model: bool) -> None:
        """Shows the steps of a model, or what the search found by itself."""
        self.plot.setVisible(model)
        self.table.setVisible(model)
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


def _worth(decision: Decision) -> list[str]:
    """Returns what going on was expected to bring, and what thinking has changed, in sentences."""
    if not decision.trace:
        return []
    gain = decision.trace[-1].gain
    points = words.number(abs(gain), 2)
    if gain < 0:
        text = counted(
            gain,
            "One more step was expected to bring {points} point less than its time is worth.",
            "One more step was expected to bring {points} points less than its time is worth.",
            points=points,
        )
    else:
        text = counted(
            gain,
            "One more step was expected to bring {points} point more than its time is worth.",
            "One more step was expected to bring {points} points more than its time is worth.",
            points=points,
        )
    told = [tr(text)]
    lost = _lost_by_the_first(decision)
    if lost is not None:
        points = words.number(100 * lost, 1)
        told.append(
            tr(
                counted(
                    100 * lost,
                    "The first answer would have cost {points} point.",
                    "The first answer would have cost {points} points.",
                    points=points,
                )
            )
        )
    return told


def _lost_by_the_first(decision: Decision) -> float | None:
    """Returns how much less chance of winning the first answer has; None where it is the last one too."""
    if not decision.changed_mind:
        return None
    first = next((one for one in decision.candidates if one.action == decision.reflex.action), None)
    return None if first is None else decision.best.chance - first.chance


def _searched(decision: Decision) -> str:
    return tr(
        "{nodes} states searched, {rollouts} rollouts", nodes=decision.nodes, rollouts=decision.rollouts
    )


def _found(decision: Decision, state: FightState | None) -> list[tuple[Cell, ...]]:
    texts = words.headlines(decision.choices, state)
    return [
        (
            Cell(
                text, "accent" if choice == decision.best else "text", bold=choice == decision.best, tip=text
            ),
            Cell(words.number(choice.visits)),
            Cell(words.percent(choice.chance)),
        )
        for choice, text in zip(decision.choices, texts, strict=True)
    ]


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
