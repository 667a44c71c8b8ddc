"""The Decision panel: the advised action, its certainty and expected effects, and what was assumed."""

import time
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from botapp.advisor.decision import Decision, ScoredAction
from botapp.content.knowledge.base import knowledge
from botapp.fight.state import FightState
from botapp.host.settings import Settings
from botapp.runtime.messages import CaptureState, Snapshot
from botapp.ui import outcomes, swings, words
from botapp.ui.names import named
from botapp.ui.panels.advised import Advised
from botapp.ui.panels.base import Panel, panel
from botapp.ui.remedies import remedy
from botapp.ui.samples import History
from botapp.ui.timers import timer
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.boxes import column_of, row_of, settle
from botapp.ui.widgets.figures import WayOut
from botapp.ui.widgets.labels import Chip, Headline, button, label, scrolled
from botapp.ui.widgets.position_menu import Offer, PositionMenu

ROOMY = 430  # From this width on two figures stand side by side
STALE_MS = 2000
"""How old the picture behind advice may be while it counts as up to date: the overlay, which fades from 1.5 s
on by its setting, has gone by then too."""
_KEPT: dict[CaptureState, str] = {
    "no-fight": mark("The last advice of this fight is kept below."),
    "unread": mark("The last advice of this fight is kept below."),
    "paused": mark("The last advice before the pause is kept below."),
    "stopped": mark("The last advice before the engine stopped is kept below."),
}
"""What the last advice is where it is kept although nothing is watched."""
_LAST = mark("Your last advice is kept below.")
_KINDS = {"move": "good", "cast": "violet", "end_turn": "muted", "place": "info"}


@panel
class DecisionPanel(Panel):
    """The advice in words, the chance of winning, the top five, first and final answer.

    The one figure in percent is the chance of winning after an action. How sure the choice is stands above in
    words; where the search advises alone there is only one answer.

    Signals:
        remedy_asked: the person wants to do something about there being no advice: a `RemedyKind`.
        tried_out: the `Action` that the person wants to see the turn of.
        explained: the `Action` that the person wants to see beside the advised one.
    """

    remedy_asked = Signal(str)
    tried_out = Signal(object)
    explained = Signal(object)

    key = "decision"
    title = mark("Decision")
    order = 10
    place = "left"
    layouts = ("player", "reasoning", "engineer")
    sentences = (
        (
            mark("Percentage beside an action"),
            mark("How likely your side is to win the fight after that action, played on as advised."),
        ),
        (
            mark("Points less"),
            mark("By how many hundredths a second choice is less likely to win than the advised action."),
        ),
        (
            mark("HP worse off, turns later"),
            mark(
                "Shown where two actions win equally often: how the turn that begins with this one ends "
                "beside the advised turn, in HP, kills, AP kept and turns until the win."
            ),
        ),
        (
            mark("Damage, AP, MP, HP healed"),
            mark("What the action is expected to do, the mean over the dice; a kill says how likely it is."),
        ),
        (
            mark("Sure, fairly sure, close choice"),
            mark(
                "How far the next best choice lies behind: sure by more than the error of such a difference, "
                "fairly sure by more than half of it, else close; the figures are in its tooltip. The chance "
                "of winning has no part in it: a choice can be sure in a fight that is nearly lost."
            ),
        ),
        (
            mark("Depth"),
            mark(
                "How often it has looked further since its first advice. It thinks on until you act, until "
                "every end of your turn that it tells apart was played on from, or as long as settings allow."
            ),
        ),
        (
            mark("Assumed, not seen"),
            mark("What the screen does not show and the advice takes from your game's data or the usual."),
        ),
    )
    of_decision = True

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self.state_chip = Chip(dot=True)
        self.kind_chip = Chip()
        self.headline = Headline()
        self.details = label(role="muted", wrap=True)
        self.sure = Chip()
        self.unconfirmed = label("", "warn", wrap=True)
        self.confirm = button(tr("Confirm"), lambda: self.remedy_asked.emit("start"))
        self.target = ""
        self.remedy = WayOut("primary")
        self.advised = Advised()
        for part in (self.remedy, self.advised):
            part.asked.connect(self.remedy_asked)
        self._kept: Snapshot | None = None
        self._drawn: tuple[object, ...] | None = None
        self._scroll = self._lay_out()
        self.menu = PositionMenu(
            self,
            {
                self: lambda _: self._offer_menu(0),
                self.advised.bars: lambda at: self._offer_menu(self.advised.bars.row_at(at)),
            },
        )
        self._stale = timer(self, self._outdate, once=True)
        self.headline.setText(tr("The engine is starting."))
        self.details.setText(tr("Advice appears here as soon as there is some."))
        self.state_chip.show_text(tr("Starting"), "info")
        self.kind_chip.hide()
        self.sure.hide()
        self.advised.hide()
        self._tell_unconfirmed("")

    def apply(self, settings: Settings) -> None:
        self.target = settings.capture.target

    def render_snapshot(self, snapshot: Snapshot) -> None:
        """Shows the decision, dimmed where it no longer holds, or why there is none.

        A picture that only confirms what is shown takes the age back, and nothing is drawn again.
        """
        fresh = snapshot.advice == "fresh" and snapshot.decision is not None
        shows = self._gist(snapshot)
        if shows != self._drawn:
            self._drawn = shows
            self._draw(snapshot, fresh=fresh)
        elif snapshot.decision is not None:
            self._kept = snapshot
        self._stale.stop()
        if fresh:
            self._await_picture(snapshot)

    def _gist(self, snapshot: Snapshot) -> tuple[object, ...]:
        player = snapshot.view.player if snapshot.view is not None else None
        return (
            player.cell if player is not None else None,
            *(self.target, _has_game(), *self.history.course.moments[-2:]),
            *(snapshot.capture, snapshot.advice, snapshot.reason, snapshot.fight),
            *(snapshot.decision, snapshot.reflex, snapshot.turn, snapshot.threat, snapshot.state),
            *(snapshot.level, snapshot.board_confirmed, snapshot.sheet),
        )

    def _await_picture(self, snapshot: Snapshot) -> None:
        left_ms = holds_ms(snapshot)
        if left_ms > 0:
            self._stale.start(left_ms)
        else:
            self._outdate()

    def _draw(self, snapshot: Snapshot, *, fresh: bool) -> None:
        reason = words.explain(snapshot.capture, snapshot.advice, words.reason(snapshot.reason))
        if snapshot.decision is not None:
            self._kept = snapshot
        if snapshot.reflex is not None and snapshot.advice == "thinking":
            self._show_reflex(snapshot, snapshot.reflex)
            return
        shown = self._kept
        self.remedy.offer(remedy(snapshot, self.target, _has_game()))
        if shown is None or shown.decision is None or not (fresh or stays(shown, snapshot)):
            self._show_nothing(snapshot, reason)
            return
        doubt = words.unconfirmed(snapshot)
        self._tell_unconfirmed(doubt)
        decision, state = shown.decision, shown.state
        self.state_chip.show_text(*standing_of(snapshot))
        self.kind_chip.show_text(words.kind(decision.action), _KINDS[decision.action_type])
        self.kind_chip.setVisible(fresh)
        if fresh or snapshot.advice == "settling":
            self.headline.setText(words.headline(decision.best, state))
            self.details.setText(_details(decision, state))
        else:
            self.headline.setText(reason)
            kept_text = tr(_KEPT.get(snapshot.capture, _LAST))
            self.details.setText("\n".join((*threatened(snapshot), kept_text)))
        text, shade, tip = words.sureness(decision, state)
        self.sure.show_text(text, shade)
        self.sure.setToolTip(tip)
        self.sure.setVisible(bool(text) and fresh and not doubt)
        self.advised.show_decision(shown, decision, swings.why(self.history.course.moments, decision, state))
        self.advised.unsure.setVisible(self.target != "arena" and _has_game())
        self._dim(not fresh)
        self.advised.show()

    @property
    def position(self) -> FightState | None:
        """The state that the advice shown is for, None where none is."""
        return self._kept.state if self._kept is not None and not self.advised.isHidden() else None

    def _offer_menu(self, row: int) -> Offer | None:
        """Offers what can be done with one of the best actions; while advice holds it can be tried out."""
        state, shown = self.position, self._kept
        if state is None or shown is None or shown.decision is None:
            return None
        if state.placing or not 0 <= row < len(self.advised.listed):
            return Offer(state)
        action, fresh = self.advised.listed[row].best.action, self._stale.isActive()
        other = fresh and action != shown.decision.action
        return Offer(
            state,
            (
                (tr("What if this?"), partial(self.tried_out.emit, action) if fresh else None),
                (tr("Why not this?"), partial(self.explained.emit, action) if other else None),
            ),
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts what stands side by side below each other where there is little room."""
        super().resizeEvent(event)
        self.advised.answers.stand(side_by_side=self.width() >= ROOMY)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._stale.stop()

    def _tell_unconfirmed(self, text: str) -> None:
        self.unconfirmed.setText(text)
        if not text and self.focusWidget() is self.confirm:
            self._scroll.setFocus()  # else the next button gets it, and is scrolled to
        for widget in (self.unconfirmed, self.confirm):
            widget.setVisible(bool(text))

    @Slot()
    def _outdate(self) -> None:
        self.state_chip.show_text(tr("Out of date"), "warn")
        self.details.setText(tr("No picture of the game has come since."))
        self.kind_chip.hide()
        self.sure.hide()
        self._dim(True)
        self._drawn = None
        settle()

    def _show_reflex(self, snapshot: Snapshot, reflex: ScoredAction) -> None:
        """Shows the model's first answer at once; what was said before is dimmed until it has thought on."""
        self.state_chip.show_text(*standing_of(snapshot))
        self.kind_chip.show_text(words.kind(reflex.action), "muted")
        self.kind_chip.show()
        self.sure.hide()
        self._tell_unconfirmed(words.unconfirmed(snapshot))
        self._dim(True)
        self.headline.setText(words.headline(reflex, snapshot.state))
        self.headline.setEnabled(True)
        self.details.setText(tr("First answer. Thinking on…"))

    def _show_nothing(self, snapshot: Snapshot, reason: str) -> None:
        self.state_chip.show_text(*standing_of(snapshot))
        self.kind_chip.hide()
        self.sure.hide()
        self.headline.setText(reason)
        self.headline.setEnabled(True)
        lines = threatened(snapshot) or [tr("Advice appears here as soon as there is some.")]
        self.details.setText("\n".join(lines))
        self._tell_unconfirmed("")
        self.advised.hide()

    def _dim(self, dimmed: bool) -> None:
        self.headline.setEnabled(not dimmed)
        self.sure.setEnabled(not dimmed)
        self.advised.dim(dimmed)

    def _lay_out(self) -> QScrollArea:
        chips = row_of(self.state_chip, self.kind_chip, self.sure, None, spacing=8)
        inner = QWidget()
        doubt = row_of((self.unconfirmed, 1), self.confirm)
        top = chips, self._headline(), doubt, (self.advised, 1)
        column_of(*top, None, into=inner, margins=(16, 14, 16, 14), spacing=6)
        self.box.setContentsMargins(0, 0, 0, 0)
        scroll = scrolled(inner, by_keys=True)
        self.box.addWidget(scroll)
        return scroll

    def _headline(self) -> QWidget:
        """Returns the headline and its details in a frame of one height, so that nothing jumps."""
        frame = QWidget()
        lines = self.headline.fontMetrics().lineSpacing(), self.details.fontMetrics().lineSpacing()
        frame.setMinimumHeight(lines[0] + lines[1] + 14)
        box = column_of(self.headline, self.details, into=frame, margins=(0, 4, 0, 0), spacing=4)
        box.addSpacing(8)
        box.addWidget(self.remedy, 0, Qt.AlignmentFlag.AlignLeft)
        box.addStretch()
        return frame


def stays(shown: Snapshot, snapshot: Snapshot) -> bool:
    """Tells whether the last advice is shown dimmed: others play or move, a pause, the end."""
    if snapshot.capture == "watching":
        waiting = snapshot.advice in ("not-my-turn", "thinking", "settling")
        return waiting and snapshot.fight == shown.fight
    return snapshot.capture in _KEPT


def holds_ms(snapshot: Snapshot) -> int:
    """Returns for how many milliseconds more advice counts as up to date if no other picture comes."""
    return STALE_MS - (time.monotonic_ns() - snapshot.captured_ns) // 1_000_000


def standing_of(snapshot: Snapshot) -> tuple[str, str]:
    """Returns the chip's word and shade: the advice's state, or why nothing is watched."""
    if snapshot.capture == "watching" and not (snapshot.advice == "none" and snapshot.reason):
        word, shade = words.ADVICE[snapshot.advice]
        return tr(word), shade
    return words.standing(snapshot)


def threatened(snapshot: Snapshot) -> list[str]:
    """Returns what is expected of the enemy at turn, and then of the own turn, in a line each."""
    threat, state = snapshot.threat, snapshot.state
    if threat is None or state is None:
        return []
    me = outcomes.own_fighter(snapshot, threat)
    own, you = (me.cell, me.id) if me is not None else (None, None)
    turn = words.in_line(threat.line, state, you)
    lines = [tr("Expected of {who}: {turn}", who=named(threat.name), turn=turn)]
    if threat.harm:
        lines.append(outcomes.harm(threat, state, own).replace("\n", "  ·  "))
    if threat.own is not None:
        lines.append(tr("Then you: {turn}", turn=words.in_line(threat.own, threat.then)))
    return lines


def _details(decision: Decision, state: FightState | None) -> str:
    if state is not None and state.placing:
        return words.places(decision, state)
    further = [words.depth(decision)] if decision.effort.depth > 1 else []
    return "  ·  ".join([words.details(decision.best, state), *further])


def _has_game() -> bool:
    return knowledge().game is not None
