"""Every place that names an action or a figure of one decision, read off the panels and compared."""

import re
from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtGui import QHideEvent
from ui_factories import LATTICE, snapshot, view

from botapp.advisor.decision import Decision
from botapp.advisor.sureness import WORDS
from botapp.commands.image_answers import decision_json, decision_text
from botapp.fight.state import FightState
from botapp.host.settings import OverlaySettings
from botapp.runtime.turns import TurnOutlook
from botapp.ui import translation, words
from botapp.ui.compact.window import advice
from botapp.ui.overlay.geometry import OverlayGeometry
from botapp.ui.overlay.scene import build
from botapp.ui.overlay.visibility import OverlayLook
from botapp.ui.panels.decision import DecisionPanel
from botapp.ui.panels.reasoning import ReasoningPanel
from botapp.ui.panels.turns import TurnsPanel
from botapp.ui.samples import History
from vision.view import Seen

PLACE = OverlayGeometry(100, 60, 1280, 720)
SHOWN = OverlayLook("advice", 1.0)
FULL = OverlaySettings(preset="full")


class Views:
    """The views of a decision in one language.

    Args:
        language: its code.
        add: takes widgets, to be closed at the test's end.
    """

    def __init__(self, language: str, add) -> None:
        self.language = language
        translation.use(language)
        self.decision, self.reasoning, self.turns = (
            kind(History()) for kind in (DecisionPanel, ReasoningPanel, TurnsPanel)
        )
        for panel in (self.decision, self.reasoning, self.turns):
            add(panel)
            panel.resize(640, 900)
        self.seq = 0

    def close(self) -> None:
        """Ends what would still come of the last advice."""
        self.decision.hideEvent(QHideEvent())

    def differences(self, decision: Decision, state: FightState, turn: TurnOutlook | None) -> Iterator[str]:
        """Yields what differs from place to place, in words."""
        translation.use(self.language)
        self.seq += 1
        seen = snapshot(
            self.seq,
            decision=decision,
            state=state,
            turn=turn,
            view=replace(view(), lattice=Seen(LATTICE, 0.99)),
        )
        for panel in (self.decision, self.reasoning, self.turns):
            panel.render_snapshot(seen)
        names = words.Names(decision, state)
        yield from self._of_the_advice(seen, decision, names)
        yield from self._of_the_first_answer(decision, names)
        yield from self._of_the_rows(decision)
        yield from self._of_the_turns(turn, names)
        yield from self._of_the_rollouts(decision)

    def _of_the_advice(self, seen, decision, names) -> Iterator[str]:
        panel, chance = self.decision, words.percent(decision.chance)
        small, badge = advice(seen, seen), build(seen, SHOWN, FULL, PLACE).badge.lines
        named = names(decision.best)
        actions = {
            "headline": panel.headline.text(),
            "final answer": panel.advised.answers.deliberate.text.text(),
            "first row": panel.advised.bars.bars[0].text.split(_or_others())[0],
            "overlay": re.sub(r" ×\d+$", "", badge[0]),
            "small window": re.sub(r" ×\d+$", "", small.headline),
        }
        figures = {
            "figure": panel.advised.chance.figure.text(),
            "final answer": panel.advised.answers.deliberate.share.text(),
            "first row": words.percent(panel.advised.bars.bars[0].share),
            "overlay": badge[1].split("  ·  ")[0],
            "small window": small.figures[0],
        }
        if decision.trace:
            _, action, _, figures["last step"] = self.reasoning.table.texts()[-1]
            if action != names.short(decision.best):
                yield f"last step: {action} for {named}"
        if self.turns.outlook.lines:
            figures["turns"] = self.turns.rows[0].chance.text()
        yield from (f"{place}: {text} for {named}" for place, text in actions.items() if text != named)
        told = {chance, words.to_win(decision.chance, seen.state)}
        yield from (f"{place}: {text} for {chance}" for place, text in figures.items() if text not in told)
        sure = words.sureness(decision, seen.state)[0]
        said = {
            "panel": panel.sure.text() if sure else "",
            "overlay": badge[1].split("  ·  ")[1] if "  ·  " in badge[1] else "",
            "small window": small.figures[1] if len(small.figures) > 1 else "",
        }
        yield from (f"{place}: {text!r} for {sure!r}" for place, text in said.items() if text != sure)
        if decision_json(decision)["sure"] != decision.sure:
            yield "advise says another sureness"
        if decision.sure and f"{WORDS[decision.sure]}. " not in decision_text(decision, seen.state):
            yield "advise says another sureness in words"

    def _of_the_first_answer(self, decision, names) -> Iterator[str]:
        tagged = [bar for bar in self.decision.advised.bars.bars if bar.tag]
        if len(decision.trace) < 2:
            yield from (f"a badge on {bar.text} without a first answer" for bar in tagged)
            return
        named, share = names(decision.reflex), self.decision.advised.answers.reflex.share.text()
        if len(tagged) != 1:
            yield f"{len(tagged)} rows are the first answer, {named}"
            return
        _, action, _, won = self.reasoning.table.texts()[0]
        places = {
            "badge": tagged[0].text.split(_or_others())[0],
            "box": self.decision.advised.answers.reflex.text.text(),
        }
        if action != names.short(decision.reflex):
            yield f"first answer, table: {action} for {named}"
        figures = {"badge": words.percent(tagged[0].share), "table": won}
        yield from (f"first answer, {at}: {text} for {named}" for at, text in places.items() if text != named)
        yield from (
            f"first answer, {at}: {text} for {share}" for at, text in figures.items() if text != share
        )
        steps, short = (
            self.reasoning.steps.text().splitlines()[0],
            self.reasoning.short.text().splitlines()[0],
        )
        yield from (f"{text!r} does not name {named}" for text in (steps, short) if f"{named}." not in text)
        verdict, worth = self.decision.advised.answers.verdict.text(), self.reasoning.worth.text()
        same = translation.tr("The first answer was the same.")
        if verdict != worth:
            yield f"{verdict!r} beside {worth!r}"
        if (same in verdict) != (named == names(decision.best)):
            yield f"{verdict!r} of {named} beside {names(decision.best)}"
        if same not in verdict:
            if not re.search(re.escape(named) + r"\s?: ", verdict):
                yield f"{verdict!r} does not name {named}"
            told = re.search(r"(\d+)\s+points? ", verdict.split(named, 1)[-1].split(".")[0] + " ")
            apart = _percent(self.decision.advised.answers.deliberate.share.text()), _percent(share)
            points = 0 if None in apart else abs(apart[0] - apart[1])
            if (int(told[1]) if told else 0) != points:
                yield f"{verdict!r} for {points} points"

    def _of_the_rows(self, decision) -> Iterator[str]:
        bars = self.decision.advised.bars.bars
        if len({bar.text for bar in bars}) < len(bars):
            yield f"two rows read alike: {[bar.text for bar in bars]}"
        known = {words.percent(one.chance) for one in decision.candidates} | {"–"}
        yield from (f"{bar.text}: {bar.share}" for bar in bars if words.percent(bar.share) not in known)
        second = self.decision.advised.alternative.text()
        if len(bars) > 1 and second:
            first, *facts = second.split("  ·  ")
            if first != bars[1].text.split(_or_others())[0]:
                yield f"second choice {first} beside the row {bars[1].text}"
            told = re.match(r"(\d+)\s+point", facts[0]) if facts else None
            shares = [_percent(words.percent(bar.share)) for bar in bars[:2]]
            if told and None not in shares and int(told[1]) != abs(shares[0] - shares[1]):
                yield f"{second!r} beside {shares}"

    def _of_the_turns(self, turn, names) -> Iterator[str]:
        best = self.turns.rows[0].chance.text()
        listed = {names.short(one.best): one.best for one in names.groups}
        for row, line in zip(self.turns.rows, turn.lines if turn else (), strict=False):
            called = re.sub(r"^\d+(–\d+)?\.\s", "", row.step_texts[0])
            if called in listed and listed[called].action != line.choice.action:
                called_as = listed[called].label
                yield f"turn {row.step_texts[0]}: called as another action of the list is, {called_as}"
        for row, _ in zip(self.turns.rows, turn.lines if turn else (), strict=False):
            told = re.match(r"(\d+)\s+point", row.cost.text())
            if told and int(told[1]) != abs(_percent(best) - _percent(row.chance.text())):
                yield f"turn {row.chance.text()}: {row.cost.text()} beside {best}"

    def _of_the_rollouts(self, decision) -> Iterator[str]:
        if not decision.trace:
            return
        lines = self.reasoning.steps.text().splitlines()
        counted = [re.search(r"(\d+)\s+(?:rollout|simulation|partie|essai)", line) for line in lines]
        found = sum(int(one[1]) for one in counted if one)
        if found != decision.effort.rollouts:
            yield f"{found} rollouts in the steps, {decision.effort.rollouts} in all: {lines}"


def _percent(text: str) -> int | None:
    """Returns a percentage as a whole number; None for a dash."""
    if text == "–":
        return None
    if text.startswith("<"):
        return 0
    return 100 if text.startswith(">") else int(re.match(r"\d+", text)[0])


def _or_others() -> str:
    """Returns where an action's words end and the number of other cells begins."""
    return ", ou " if translation.language() == "fr" else ", or "
