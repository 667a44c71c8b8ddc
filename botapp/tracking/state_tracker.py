"""From frames to a state: the one place where reading, tracking, names, belief and memory come together.

The app's worker, `botapp look`, `botapp advise`, the pixels measure and the tests all take their states
from here.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from botapp.content.game.data import GameClass
from botapp.fight.board import distance
from botapp.fight.state import FightState
from botapp.host.message import say
from botapp.tracking.bestiary import arena_bestiary
from botapp.tracking.cards import CardMatcher
from botapp.tracking.levels import LevelFollower, LevelGuess
from botapp.tracking.memory import Memory, TakingBack
from botapp.tracking.names import Names
from botapp.tracking.picture_names import recognise, spells_on_bar
from botapp.tracking.player_profile import ARENA, PlayerProfile
from botapp.tracking.sheet_fit import FITS, Fit, SheetFit
from botapp.tracking.situation import Situation, build, over
from botapp.tracking.spellbook import (
    Spellbook,
    class_called,
    is_of_the_arena,
    of_the_game,
    preset,
    presets,
    read_sheet,
)
from botapp.tracking.text_log import TextLog
from vision import profiles, track
from vision.extract import Reader
from vision.frame import Frame
from vision.view import FightView

SETTLE_NS = 1_000_000_000
"""How long a fight that was read a moment ago may be unreadable before that is reported."""

STANDS_NS = 500_000_000
"""After this long on a cell that it has not paid MP for, the player counts as standing, not walking."""

STOOD_NS = 250_000_000
"""How long the player must be seen on a cell as its turn begins; a walking fighter stays less on each."""

_LONG_HIDDEN_NS = 1_000_000_000
"""After so long out of sight the player seen again may be walking by, also where it stood before."""

NO_CLASS = say("Your class is not known yet.")


@dataclass(frozen=True, slots=True)
class _Footing:
    """Where the player stood when its AP or MP last changed."""

    numbers: tuple[int, int]  # The AP and MP since then
    cell: int  # Where it stood then
    now: int  # Where it was seen last
    since_ns: int  # Since when it is there


@dataclass(frozen=True, slots=True)
class _LastSeen:
    """Where the player was seen last."""

    cell: int | None  # Its cell, None where it never was seen
    since_ns: int  # Since when it was seen there
    seen_ns: int  # When it was seen there last
    hidden: bool = False  # Whether it was not seen in the last view
    sudden: bool = False  # Whether it was not seen before it was seen there

    @property
    def stands(self) -> bool:
        """Whether it has been seen there for longer than a walking fighter would be."""
        return self.seen_ns - self.since_ns >= STOOD_NS


@dataclass(frozen=True, slots=True)
class Tracked:
    """What is known of a fight by one frame and those before it."""

    view: FightView  # The frame as read, gaps bridged by `vision.track`
    named: FightView  # The same with the player's names put in; a slot whose icon has no name is left out
    situation: Situation

    @property
    def state(self) -> FightState | None:
        """The state to decide on; None where `withheld` says why."""
        return self.situation.state

    @property
    def withheld(self) -> str:
        """Why there is no state, in words for a person; "" where there is one."""
        return self.situation.withheld

    @property
    def assumed(self) -> tuple[str, ...]:
        """Facts about the fight that were not seen, in words."""
        return self.situation.assumed


class StateTracker:
    """Follows one player's fights, frame by frame.

    Args:
        profile: what the player has told of the game; the practice arena and nothing told if left out.
        text: reads a log in words; none is read if left out.

    Attributes:
        profile: the profile in use; `apply` and `relearn` change it.
        game_class: the class's name in the title of the game's window, "" where it has none.
        last_read: the last frame and what was read off it, before anything was bridged or named.
        text: what reads a log in words, None where none is read.
        explains: whether views say how each cell was judged (`FightView.scores`).
    """

    def __init__(
        self, profile: PlayerProfile | None = None, text: TextLog | None = None, fight: int = 0
    ) -> None:
        self.profile = profile or PlayerProfile()
        self.text = text
        if text is not None:
            text.learner.use(self.profile.learnt)
        self.game_class = ""
        self.explains = False
        self.last_read: tuple[Frame, FightView] | None = None
        self._reader: Reader | None = None
        self._spellbook: Spellbook | None = None
        self._sheet: Spellbook | None = None
        self._track = track.NOTHING
        self._cards = CardMatcher()
        self._levels = LevelFollower()
        self._fit = SheetFit()
        self._shown_class = ""
        self._bar = self._bar_of_book = frozenset[int]()
        self.situation: Situation | None = Situation(None, memory=Memory(fight=fight)) if fight else None
        self._understood_ns: int | None = None
        self._footing: _Footing | None = None
        self._place: _LastSeen | None = None
        self._taking_back = TakingBack()

    @property
    def spellbook(self) -> Spellbook | None:
        """The spells that the last state was made with; None where the class was not known."""
        return self._spellbook

    @property
    def guess(self) -> LevelGuess:
        """The player's level by the screen, whether it is confirmed or not."""
        return self._levels.guess

    def update(self, frame: Frame) -> Tracked:
        """Takes in a frame; returns what is known of the fight by then.

        Frames come in the order in which they were taken, by `Frame.captured_ns`.

        Raises:
            vision.profiles.ProfileError: there is no such client.
        """
        return self.situate(self.read(frame))

    def read(self, frame: Frame) -> FightView:
        """Reads a frame and bridges what is covered for a moment; the first half of `update`.

        Raises:
            vision.profiles.ProfileError: there is no such client.
        """
        if self._reader is None:
            self._reader = Reader(profiles.load(self.profile.client), self.profile.calibrations)
        self._reader.explain(self.explains)
        view = self._reader.read(frame)
        self.last_read = frame, view
        self._track, followed = track.follow(self._track, view, frame.captured_ns)
        if self.text is None:
            return followed
        return self.text.see(frame, followed, self._spellbook, self.profile.names)

    def situate(self, view: FightView) -> Tracked:
        """Makes a state of a view that `read` returned; the second half of `update`."""
        learnt = self.profile.learnt.names if self.text is None else self.text.learner.names
        names = self.profile.names.over(learnt)
        try:
            book, reason = self._book_for(view, names), ""
        except ValueError as error:
            book, reason = None, error.args[0]
        if over(view):
            self._cards = CardMatcher()
            self._levels.next_fight()
            self._fit.next_fight()
            self._footing = None
            self._shown_class = ""
        matched = self._cards.follow(view, names)
        named = recognise(matched, names, book)
        if book is None:
            memory = Memory() if self.situation is None else self.situation.memory
            situation = Situation(None, reason or view.reason or NO_CLASS, memory=memory)
        else:
            if self.situation is not None:
                memory = self._taking_back.seen(self.situation.memory, named)
                self.situation = replace(self.situation, memory=memory)
            built = build(named, book, arena_bestiary(), self.situation)
            if built.state is not None:
                self._taking_back.note(built.memory)
            fit = self._fit_of(view, book, names)
            situation = replace(
                self._bridged(named, built), level=book.guess, sheet=fit.notes, shown_class=self._shown_class
            )
            if fit.misfit:
                situation = replace(situation, state=None, withheld=fit.misfit, settling=False)
        self.situation = situation
        return Tracked(view, named, situation)

    def apply(self, profile: PlayerProfile) -> None:
        """Takes over a changed profile, rebuilding what the change touches, and forgets the fight."""
        before, self.profile = self.profile, profile
        if self.text is not None:
            self.text.learner.use(profile.learnt)
        if (before.client, before.calibrations) != (profile.client, profile.calibrations):
            self._reader = None
        self._spellbook = self._sheet = None
        self.forget()

    def relearn(self, profile: PlayerProfile) -> None:
        """Takes over a profile; the next frame is a first one, and the character sheet is read again."""
        self.apply(profile)
        self._reader = None

    def change_window(self) -> None:
        """Takes the next frame for the first one of another window; who plays is still known."""
        self._reader = self.last_read = None
        self._levels.change_window()
        self._bar = frozenset()
        if self.text is not None:
            self.text.forget()
        self.forget()

    def forget(self) -> None:
        """Forgets the fight: who is who, what was cast, what was bridged."""
        self._track = track.NOTHING
        self._cards = CardMatcher()
        self._fit.next_fight()
        self._shown_class = ""
        self._understood_ns = None
        self._footing = None
        self._place = None
        self._begin_anew()

    def _bridged(self, view: FightView, situation: Situation) -> Situation:
        """Marks a situation as settling while a fight that was understood just now cannot be read.

        A walk, a spell's effect or a banner hides things for less than a second. A walk also shows the
        player on cells where it does not stay.
        """
        self._place = placed(self._place, view)
        if self._walking(view, situation):
            self._understood_ns = view.captured_ns
            return replace(situation, state=None, settling=True)
        if situation.state is not None or situation.not_my_turn:
            self._understood_ns = view.captured_ns
        elif over(view):
            self._understood_ns = None
        elif self._understood_ns is not None and view.captured_ns - self._understood_ns < SETTLE_NS:
            before = self.situation.picture if self.situation is not None else None
            return replace(situation, settling=True, picture=situation.picture or before)
        return situation

    def _walking(self, view: FightView, situation: Situation) -> bool:
        """Tells whether the player is on its way: in another place, with the AP and MP of the one before.

        What it had then may have been hidden when the walk began. One that stands, or has paid MP for all of
        the way, has arrived.
        """
        state, now = situation.state, view.captured_ns
        if state is None or state.placing:
            self._footing = None if situation.my_turn is False else self._footing
            return False
        own, before = state.actor, self._footing
        numbers = (own.ap, own.mp)
        if before is None or before.numbers != numbers or before.cell == own.cell:
            place = self._place
            arrives = before is None
            if before is not None and place is not None:
                paid = before.numbers[1] - own.mp
                far = distance(before.cell, own.cell) > paid
                arrives = (paid <= 0 or far) if place.sudden else (paid <= 0 and far)
            if arrives and place is not None and not place.stands:
                return True
            self._footing = _Footing(numbers, own.cell, own.cell, now)
            return False
        since = before.since_ns if before.now == own.cell else now
        walks = now - since < STANDS_NS or "player" in view.remembered
        self._footing = _Footing(numbers, before.cell if walks else own.cell, own.cell, since)
        return walks

    def _book_for(self, view: FightView, names: Names) -> Spellbook | None:
        """Returns the class that the arena shows, else the player's sheet or class, else that seen before.

        The arena's fighters are its own: a class chosen for the game does not play there. A class of the
        imported game is taken at the level that the screen tells, see `levels`.

        Raises:
            ValueError: the sheet cannot be used, or no class is called so; the text is for a person.
        """
        known = presets()
        shown = view.player.kind.value if view.player is not None else None
        if self.profile.client == ARENA and shown in known:
            if not self._shown_class and self._spellbook is not None and self._spellbook.key != shown:
                self._begin_anew()
            self._shown_class = shown or ""
        if self.profile.sheet is not None:
            sheet = self._sheet = self._sheet or read_sheet(self.profile.sheet)
            if self._shown_class in ("", sheet.key):
                self._spellbook = sheet
                return sheet
        wanted = self._shown_class or self.profile.player_class or class_called(self.game_class)
        if not wanted and shown in known:
            wanted = shown or ""
        if wanted and wanted not in known:
            raise ValueError(
                say(
                    'No class is called "{name}". Choose one in the settings: {names}.',
                    name=wanted,
                    names=", ".join(known),
                )
            )
        game_class = of_the_game(wanted) if wanted else None
        guess = self._guess(view)
        if game_class is not None:
            self.use_class(game_class, guess, spells_on_bar(view, names))
        elif wanted and (self._spellbook is None or wanted != self._spellbook.key):
            example = self.profile.client != ARENA and is_of_the_arena(wanted)
            self._spellbook = replace(preset(wanted), example=example)
        return self._spellbook

    def _begin_anew(self) -> None:
        if self.situation is not None:
            self.situation = Situation(None, memory=self.situation.memory.next_fight())

    def _fit_of(self, view: FightView, book: Spellbook, names: Names) -> Fit:
        """Returns how the sheet fits what the screen shows of the player; the arena's own class does."""
        if self._shown_class:
            return FITS
        fight = profiles.load(self.profile.client).fight
        slots = fight.spell_bar.slots if fight is not None else 0
        level = self.text.level.value if self.text is not None else None
        return self._fit.follow(view, book, level, spells_on_bar(view, names), slots)

    def _guess(self, view: FightView) -> LevelGuess:
        text = self.text
        return self._levels.follow(view, text.level.value if text else None, text.own_name if text else "")

    def use_class(self, game_class: GameClass, guess: LevelGuess, on_bar: Iterable[int | None]) -> None:
        """Takes over the spellbook of a class of the game; what it knows of this fight's casts stays.

        A spell that was on the bar counts until another of its pair is there.
        """
        before, now = self._spellbook, frozenset(number for number in on_bar if number is not None)
        of_class = frozenset(number for pair in game_class.pairs for number in pair)
        notes = frozenset(number for pair in game_class.pairs if now & set(pair) for number in pair)
        self._bar = (now | (self._bar - notes)) & of_class
        same = before is not None and (before.key, before.guess) == (game_class.key, guess)
        if same and self._bar == self._bar_of_book:
            return
        self._spellbook, self._bar_of_book = preset(game_class.key, guess, self._bar), self._bar
        if before is not None and before.key == game_class.key and self.situation is not None:
            memory = self.situation.memory.with_sheet(self._spellbook, before)
            self.situation = replace(self.situation, memory=memory)


def placed(before: _LastSeen | None, view: FightView) -> _LastSeen | None:
    """Returns where the player was last seen, after one more view; what is bridged was not seen.

    In the first view it stands for long. After long out of sight it may only come by where it stood.
    """
    now, own = view.captured_ns, view.own_cell
    if before is None:
        return _LastSeen(own, now - STOOD_NS, now)
    if own is None or "player" in view.remembered:
        return replace(before, hidden=True)
    if own == before.cell and now - before.seen_ns <= _LONG_HIDDEN_NS:
        return replace(before, seen_ns=now, hidden=False)
    return _LastSeen(own, now, now, sudden=before.hidden or before.cell is None)
