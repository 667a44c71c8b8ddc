"""The log that a client writes in words, as the tracker uses it: what was cast by whom, and who is who.

Lines are recognised by `vision.text` in a thread of its own. A cast that the log tells of becomes a line of
`FightView.log`, which beats what could be inferred from the picture. A monster that casts while its card is
marked gives that card's portrait its name; a name written over a fighter gives it to its looks.
"""

from collections import deque
from collections.abc import Callable

from botapp.tracking.chronicle import Chronicle
from botapp.tracking.learnt_names import NameLearner
from botapp.tracking.log_facts import FactReader, LogFact
from botapp.tracking.log_names import Names as KnownNames
from botapp.tracking.log_names import known_names
from botapp.tracking.log_words import FactKind, is_log_line
from botapp.tracking.names import Names
from botapp.tracking.picture_names import IconNamer, SummonNamer
from botapp.tracking.spellbook import Spellbook
from vision.frame import Frame, Rect
from vision.text import hud_words
from vision.text.engine import TextEngine, TextSeen
from vision.text.lines import LogLine
from vision.text.reader import SEARCH_EVERY_S, LogReader
from vision.view import FightView, Phase

_MOST_FACTS = 200  # As many as lines are shown, and more
_LEAST_NAME = 0.5  # Confidence of a written name's letters, which are looked up; tests pass with 0.2 and 0.8
_AROUND_NAME = 0.35  # Of a name's height, the room left around it when it is read. Set by hand
_LEVEL_TRIES, _LEVEL_EVERY_NS = 4, 2_000_000_000  # So that a level that is covered costs four looks in all


Words = Callable[[str, Rect, Frame], tuple[TextSeen, ...] | None]
"""Has the texts in a part of a picture read; None while they are yet to be read."""


class LevelOnHud:
    """The player's level as the HUD writes it below the spell bar, looked for a few times until it is read.

    Attributes:
        value: the level, None where it was not read.
    """

    def __init__(self) -> None:
        self.value: int | None = None
        self._tries = self._asked_ns = 0
        self._of = ""

    def forget(self) -> None:
        self.value, self._tries = None, 0

    def look(self, frame: Frame, view: FightView, own_name: str, words: Words) -> None:
        """Takes in a picture; the level of one character is not that of another."""
        if own_name and own_name != self._of:
            if self._of:
                self.forget()
            self._of = own_name
        area = hud_words.level_area(view)
        due = view.captured_ns - self._asked_ns >= _LEVEL_EVERY_NS or not self._tries
        if self.value is not None or area is None or not due or self._tries >= _LEVEL_TRIES:
            return
        texts = words(f"level {self._of} {self._tries} {frame.pixels.shape}", area, frame)
        if texts is not None:
            self.value = hud_words.level_in(texts)
            self._tries, self._asked_ns = self._tries + 1, view.captured_ns


class TextLog:
    """Reads the log of one window and remembers what it has told.

    Args:
        names: gives the names of the knowledge base, asked again where it may have changed.
        threaded: whether lines are recognised in a thread of its own; else while `see` is called, as
            measures and tests need it.
        pointer: where the mouse is on the virtual screen, None where that is not known.

    Attributes:
        learner: gives names to portraits, to names written over fighters and to icons.
        own_name: the player's character, "" where it is not known.
        level: the player's, as the HUD writes it.
        facts: the last facts.
    """

    def __init__(
        self,
        names: Callable[[], KnownNames] = known_names,
        engine: Callable[[], TextEngine] = TextEngine,
        *,
        threaded: bool = True,
        pointer: Callable[[], tuple[int, int] | None] = lambda: None,
    ) -> None:
        self.learner, self.level = NameLearner(), LevelOnHud()
        self.own_name = ""
        self.facts: deque[LogFact] = deque(maxlen=_MOST_FACTS)
        self._names, self._pointer, self._threaded = names, pointer, threaded
        self._fact_reader: FactReader | None = None
        self._known: KnownNames | None = None
        every = SEARCH_EVERY_S if threaded else (0.0, 0.0)
        self.reader: LogReader[LogFact] = LogReader(
            is_log_line, self._meaning, lambda: self._prepared(engine), every
        )
        self._chronicle = Chronicle()
        self._icons, self._summons = IconNamer(), SummonNamer()

    @property
    def problem(self) -> str:
        """Why no text can be read, words for a person; "" while it can."""
        return self.reader.problem

    def close(self) -> None:
        self.reader.close()

    def forget(self) -> None:
        """Takes the next picture for the first one of another window; what was learnt stays."""
        self.reader.forget()
        self._chronicle.forget()
        self._icons.forget()
        self._summons.forget()
        self.level.forget()

    def see(
        self, frame: Frame, view: FightView, book: Spellbook | None, given: Names | None = None
    ) -> FightView:
        """Takes in a picture; returns its view with what the log has told by now.

        Args:
            book: the player's spells, None where they are not known.
            given: the names that the player has given, which are not asked for.
        """
        if view.log or view.phase.value not in (Phase.FIGHT, Phase.PLACEMENT):
            return view
        height, width = frame.pixels.shape[:2]
        self.reader.offer(frame, view.client or Rect(0, 0, width, height))
        if self._threaded:
            self.reader.start()
        else:
            self.reader.step()
        self._ask_names(frame, view)
        self.level.look(frame, view, self.own_name, self._words)
        for logged in self.reader.take():
            self._take(logged, view, book)
        names = (given or Names()).over(self.learner.names)
        self._name_icons(frame, view, book, names)
        summoned = self._summons.follow(view, names)
        if summoned is not None:
            self.learner.learn("portraits", *summoned)
        if not self.reader.follows:
            return view
        return self._chronicle.on(view, behind=self._threaded and self.reader.is_behind(frame))

    def _prepared(self, engine: Callable[[], TextEngine]) -> TextEngine:
        """Looks up all names, seconds with the game's, and makes the engine: in the reader's thread."""
        self._known = self._names()
        return engine()

    def _meaning(self, line: LogLine) -> LogFact | None:
        """Returns the fact that a line tells; called by the reader's thread."""
        names = self._known = self._names()
        if self._fact_reader is None:
            self._fact_reader = FactReader(names)
        elif self._fact_reader.names is not names:
            self._fact_reader.names = names
        self._fact_reader.own_name = self.own_name
        return self._fact_reader.read(line)

    def _take(self, logged: LogFact, view: FightView, book: Spellbook | None) -> None:
        """Takes in a fact: a cast becomes a line of the log, and may tell whose the marked card is."""
        self.facts.append(logged)
        caster = self._caster(logged, view, book) if logged.kind is FactKind.CAST else None
        self._chronicle.take(logged, caster, self.own_name)
        if not logged.sure or logged.old:
            return
        if logged.kind is FactKind.SUMMONS and len(logged.spells) == 1:
            self._summons.called(logged.spells[0], logged.fact.what, logged.captured_ns)
        if logged.kind is FactKind.CAST:
            card = next((card for card in view.timeline if card.current), None)
            if card is not None and card.team != "own" and card.portrait and len(logged.fighters) == 1:
                self.learner.vote(card.portrait, logged.fighters[0], logged.fact.who)
            if book is not None and caster == book.key:
                self._icons.cast(logged.spells, book, logged.captured_ns)

    def _caster(self, logged: LogFact, view: FightView, book: Spellbook | None) -> str | None:
        """Returns the kind of who has cast a spell, None where the log's name does not tell."""
        if len(logged.fighters) == 1:
            return logged.fighters[0]
        own = {spell.key for spell in book.spells} if book is not None else set()
        if (
            book is not None
            and not logged.fighters
            and view.turn.value == "mine"
            and own & set(logged.spells)
        ):
            return book.key
        return None

    def _ask_names(self, frame: Frame, view: FightView) -> None:
        """Recognises the names over fighters, each picture of a name once."""
        if self._known is None:
            return
        for fighter in view.others:
            if not fighter.name or fighter.name_box is None or fighter.kind.value is not None:
                continue
            if self.learner.names.find("portraits", fighter.name) is not None:
                continue
            box = _around(fighter.name_box, frame)
            seen = self.reader.name(fighter.name, frame.pixels[box.y : box.bottom, box.x : box.right])
            if seen is None or seen.least() < _LEAST_NAME:
                continue
            named = self._known.fighters.find(seen.text)
            if named is not None and len(named.keys) == 1:
                self.learner.learn("portraits", fighter.name, named.keys[0], named.name)

    def _name_icons(self, frame: Frame, view: FightView, book: Spellbook | None, names: Names) -> None:
        """Names icons of the spell bar by own casts, and by the tooltip where the mouse rests."""
        named = self._icons.by_casts(view, names)
        if self._known is not None and book is not None and any(slot.icon for slot in view.spells):
            place = self._pointer()
            at = None if place is None else (place[0] - frame.rect.x, place[1] - frame.rect.y)
            known = names, self._known.spells
            tip = self._icons.by_tooltip(
                frame, view, at, known, lambda key, area: self._words(key, area, frame), book
            )
            named += [tip] if tip is not None else []
        for icon in named:
            self.learner.learn("icons", icon.signature, icon.key, icon.name)

    def _words(self, key: str, area: Rect, frame: Frame) -> tuple[TextSeen, ...] | None:
        """Returns the texts in a part of a picture, None while they are yet to be read."""
        return self.reader.words(key, frame.pixels[area.y : area.bottom, area.x : area.right])


def _around(box: Rect, frame: Frame) -> Rect:
    more = round(_AROUND_NAME * box.height)
    left, top = max(0, box.x - more), max(0, box.y - more)
    height, width = frame.pixels.shape[:2]
    return Rect(left, top, min(width, box.right + more) - left, min(height, box.bottom + more) - top)
