"""From frames to a state: the one place where reading, tracking, names, belief and memory come together.

The app's worker, `botapp look`, `botapp advise`, the pixels measure and the tests all take their states
from here.
"""

from dataclasses import dataclass, replace

from botapp.fight.state import FightState
from botapp.host.message import say
from botapp.tracking.bestiary import arena_bestiary
from botapp.tracking.cards import CardMatcher
from botapp.tracking.memory import Memory, TakingBack
from botapp.tracking.names import Names
from botapp.tracking.own_class import OwnClass
from botapp.tracking.picture_names import recognise, spells_on_bar
from botapp.tracking.player_profile import PlayerProfile
from botapp.tracking.settling import Settling
from botapp.tracking.sheet_fit import FITS, Fit, SheetFit
from botapp.tracking.situation import Situation, build, over
from botapp.tracking.spellbook import Spellbook
from botapp.tracking.text_log import TextLog
from vision import profiles, track
from vision.extract import Reader
from vision.frame import Frame
from vision.view import FightView

NO_CLASS = say("Your class is not known yet.")


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
        own: which class the player plays.
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
        self.own = OwnClass()
        self.explains = False
        self.last_read: tuple[Frame, FightView] | None = None
        self._reader: Reader | None = None
        self._track = track.NOTHING
        self._cards = CardMatcher()
        self._fit = SheetFit()
        self.situation: Situation | None = Situation(None, memory=Memory(fight=fight)) if fight else None
        self._settling = Settling()
        self._taking_back = TakingBack()

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
        return self.text.see(frame, followed, self.own.book, self.profile.names)

    def situate(self, view: FightView) -> Tracked:
        """Makes a state of a view that `read` returned; the second half of `update`."""
        text, own = self.text, self.own
        names = self.profile.names.over(self.profile.learnt.names if text is None else text.learner.names)
        level, who = (text.level.value, text.own_name) if text is not None else (None, "")
        before, shown, reason = own.book, own.shown, ""
        try:
            book = own.follow(view, names, self.profile, level, who)
        except ValueError as error:
            book, reason = None, error.args[0]
        if before is not None and own.shown and not shown and before.key != own.shown:
            self._begin_anew()
        elif before is not None and book is not None and book is not before and book.key == before.key:
            self._remember_in(book, before)
        if over(view):
            self._cards = CardMatcher()
            self._fit.next_fight()
            self._settling.next_fight()
            own.next_fight()
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
            fit = self._fit_of(view, book, names, level)
            situation = replace(
                self._settling.follow(named, built, self.situation),
                level=book.guess,
                sheet=fit.notes,
                shown_class=own.shown,
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
        self.own.read_again()
        self.forget()

    def relearn(self, profile: PlayerProfile) -> None:
        """Takes over a profile; the next frame is a first one, and the character sheet is read again."""
        self.apply(profile)
        self._reader = None

    def change_window(self) -> None:
        """Takes the next frame for the first one of another window; who plays is still known."""
        self._reader = self.last_read = None
        self.own.change_window()
        if self.text is not None:
            self.text.forget()
        self.forget()

    def forget(self) -> None:
        """Forgets the fight: who is who, what was cast, what was bridged."""
        self._track = track.NOTHING
        self._cards = CardMatcher()
        self._fit.next_fight()
        self.own.shown = ""
        self._settling = Settling()
        self._begin_anew()

    def _begin_anew(self) -> None:
        if self.situation is not None:
            self.situation = Situation(None, memory=self.situation.memory.next_fight())

    def _remember_in(self, book: Spellbook, before: Spellbook) -> None:
        """Keeps what is known of this fight's casts in the words of another sheet of the same class."""
        if self.situation is not None:
            memory = self.situation.memory.with_sheet(book, before)
            self.situation = replace(self.situation, memory=memory)

    def _fit_of(self, view: FightView, book: Spellbook, names: Names, level: int | None) -> Fit:
        """Returns how the sheet fits what the screen shows of the player; the arena's own class does."""
        if self.own.shown:
            return FITS
        fight = profiles.load(self.profile.client).fight
        slots = fight.spell_bar.slots if fight is not None else 0
        return self._fit.follow(view, book, level, spells_on_bar(view, names), slots)
