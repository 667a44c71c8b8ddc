"""The Threat panel: the fighters that an enemy can reach, what that takes and the turn expected of it.

While an enemy plays that is the one at turn; in the person's own turn the next one, after the turn as
advised.
"""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from botapp.fight.state import FightState
from botapp.runtime.messages import Snapshot
from botapp.runtime.turns import Threat
from botapp.ui import outcomes, words
from botapp.ui.names import named
from botapp.ui.panels.base import Panel, panel
from botapp.ui.samples import History
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.boxes import column_of
from botapp.ui.widgets.labels import label, scrolled, set_role
from botapp.ui.widgets.position_menu import Offer, PositionMenu

WAITING = mark(
    "What the next enemy can reach, and what the search expects it to do, appears here in a fight."
)


_CAPTION = 158  # How wide the captions are, in logical pixels


@panel
class ThreatPanel(Panel):
    """What the enemy at turn may do, or the next one; without either what was said last stays, greyed."""

    key = "threat"
    title = mark("Threat")
    order = 50
    tab = 85  # behind Latency, which is in front of the place they share
    layouts = ("player", "reasoning", "engineer")
    sentences = (
        (
            mark("That would take"),
            mark(
                "What the turn expected of the enemy costs your side: damage, AP and MP, means over the dice."
            ),
        ),
        (
            mark("Your chance after it"),
            mark("How likely your side is to win once that turn has been played, as the search values it."),
        ),
    )
    of_decision = True
    interval_ms = 200

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self.headline = label(tr(WAITING), "muted", wrap=True)
        self.reach, self.harm, self.reply, self.after, self.own = (label("", wrap=True) for _ in range(5))
        self._captions = []
        rows = QGridLayout()
        rows.setHorizontalSpacing(14)
        rows.setVerticalSpacing(6)
        rows.setColumnStretch(1, 1)
        for row, (title, part) in enumerate(
            (
                (tr("Can reach"), self.reach),
                (tr("Expected of it"), self.reply),
                (tr("That would take"), self.harm),
                (tr("Your chance after it"), self.after),
                (tr("Then expected of your turn"), self.own),
            )
        ):
            caption = label(title, "caption", wrap=True)
            caption.setFixedWidth(_CAPTION)
            self._captions.append(caption)
            rows.addWidget(caption, row, 0, Qt.AlignmentFlag.AlignTop)
            rows.addWidget(part, row, 1, Qt.AlignmentFlag.AlignTop)
        inner = QWidget()
        column_of(self.headline, rows, None, into=inner, margins=(14, 12, 14, 12), spacing=8)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.addWidget(scrolled(inner, by_keys=True))
        self._state: FightState | None = None
        self.menu = PositionMenu(self, {self: lambda _: None if self._state is None else Offer(self._state)})
        self._show_parts(shown=False)

    def render_snapshot(self, snapshot: Snapshot) -> None:
        """Shows the threat of a snapshot; without one the last is greyed."""
        threat = snapshot.threat
        state = threat.at or snapshot.state if threat is not None else None
        if threat is None or state is None:
            for part in (self.headline, self.reach, self.harm, self.reply, self.after, self.own):
                set_role(part, "muted")
            return
        self._state = state
        own = outcomes.own_fighter(snapshot, threat)
        cell, you = (own.cell, own.id) if own is not None else (None, None)
        to_come = threat.at is not None
        who = named(threat.name)
        self.headline.setText(
            tr("After your turn: {who}", who=who) if to_come else tr("{who} plays", who=who)
        )
        set_role(self.headline, "accent")
        self.reach.setText(_reached(threat, state, cell))
        self.reply.setText(words.in_line(threat.line, state, you))
        self.harm.setText(outcomes.harm(threat, state, cell))
        self.after.setText(_chance(threat, state))
        deadly = any(share > 0 for _, share in threat.line.kills)
        set_role(self.harm, "bad" if deadly else "warn" if threat.harm else "good")
        self.own.setText(_own_turn(threat))
        for part in (self.reach, self.reply, self.after, self.own):
            set_role(part, "")
        self._show_parts(shown=True)
        for part in (*self._captions[-2:], self.after, self.own):
            part.setVisible(not to_come)  # the chance of winning is that of the advice, and the turn as well

    def _show_parts(self, *, shown: bool) -> None:
        for part in (*self._captions, self.reach, self.harm, self.reply, self.after, self.own):
            part.setVisible(shown)


def _own_turn(threat: Threat) -> str:
    if threat.own is None:
        return "…" if threat.then is None else "–"
    return words.in_line(threat.own, threat.then)


def _chance(threat: Threat, state: FightState) -> str:
    if threat.own is not None:
        return words.chance(threat.own.chance, state)
    return "…" if threat.then is None else words.chance(1 - threat.line.chance, state)


def _reached(threat: Threat, state: FightState, own: int | None) -> str:
    names = [outcomes.called(fighter, state, own) for fighter in threat.reached]
    return ", ".join(names) if names else tr("Nobody on your side this turn")
