"""Advice for pictures and states out of files."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from botapp.advisor.decision import Decision, Withheld
from botapp.advisor.turn_advisor import TurnAdvisor
from botapp.commands.answers import make_advisor, where_it_runs
from botapp.commands.player import Refused
from botapp.content.json_file import read_json
from botapp.content.position_line import from_text
from botapp.content.state_json import state_from_json
from botapp.fight.state import FightState
from botapp.host.message import say
from botapp.host.settings import Settings
from botapp.host.translation import Translator, resolve
from botapp.tracking.clients import client_on_picture, fit
from botapp.tracking.image_file import ImageError, image_frame, images_in, is_image
from botapp.tracking.player_profile import PlayerProfile
from botapp.tracking.sentences import sentences
from botapp.tracking.spellbook import presets
from botapp.tracking.state_tracker import NO_CLASS, StateTracker
from vision.frame import Frame

_MOST_READ = 1 << 20  # Letters of the standard input that a position is looked for in; its own bound is lower


@dataclass(frozen=True, slots=True)
class Advice:
    """The advice for one picture or state: a decision, or why there is none."""

    image: str  # Name of the picture's file, "" for a state
    decision: Decision | None  # None where the advice is withheld
    withheld: str = ""  # The reason in words, "" where there is a decision
    state: FightState | None = None  # What was decided on, None where the advice is withheld
    device: str = ""  # Where the advisor ran, "" where the advice is withheld
    client: str = ""  # Whose screen the picture was read as, "" for a state
    # What was read of a picture for which the advice is withheld, and what was not; sentences
    found: tuple[str, ...] = ()


def pictures(sources: Sequence[Path]) -> tuple[Path, ...]:
    """Returns the pictures that are meant: those given, and those in folders, sorted by name.

    Raises:
        Refused: something given is neither.
        ImageError: there is no picture in a folder.
    """
    paths: list[Path] = []
    for source in sources:
        if source.is_dir():
            paths += images_in(source)
        elif is_image(source):
            paths.append(source)
        else:
            raise Refused(
                say(
                    "{file} is no picture. Give pictures or folders, or one state as JSON alone.", file=source
                )
            )
    return tuple(paths)


def read_state(path: Path) -> FightState:
    """Reads a fight's state from a JSON file.

    Raises:
        Refused: the file is missing, no JSON, or a field is wrong; the text names it.
    """
    try:
        return state_from_json(read_json(path))
    except OSError as error:
        raise Refused(f"{path} cannot be opened ({error.strerror}). Give the path of a file.") from error
    except ValueError as error:
        raise Refused(f"{path}: {error}. Give a state as JSON, or pictures.") from error


def read_position(text: str) -> FightState:
    """Reads a position's line, "-" for the standard input.

    Raises:
        FieldError: it is none; the text says what is wrong.
    """
    return from_text(sys.stdin.read(_MOST_READ) if text == "-" else text)


class FileAdviser:
    """Advises on files; the advisor is made once the first state needs it.

    Args:
        settings: who advises, where and how long.
        asks_picture: whether pictures tell whose screen they show, where the profile's client is not found.
    """

    def __init__(self, settings: Settings, *, asks_picture: bool = False) -> None:
        self._settings = settings
        self._asks_picture = asks_picture
        self._advisor: TurnAdvisor | None = None
        self._warm = False
        self._device = ""

    def on_state(self, state: FightState, image: str = "") -> Advice:
        try:
            advisor = self._loaded(state)
            planned = advisor.plan(state, advisor.decide(state))
            return Advice(image, planned, state=state, device=self._device)
        except Withheld as error:
            return Advice(image, None, error.args[0])

    def _loaded(self, state: FightState) -> TurnAdvisor:
        if self._advisor is None:
            self._advisor = make_advisor(self._settings)
            self._device, why = where_it_runs(self._advisor, self._settings)
            if why:
                tr = Translator(resolve(self._settings.ui.language))
                print(f"botapp: {tr(why)}", file=sys.stderr)
        if not self._warm:
            self._advisor.decide(state)
            self._warm = True
        return self._advisor

    def on_image(self, path: Path, profile: PlayerProfile) -> Advice:
        """Returns the advice for a picture by itself.

        Raises:
            ImageError: the file is missing or no picture.
        """
        frame = image_frame(path)
        return self._on_frame(StateTracker(self._asked(frame, profile)), frame, path.name)

    def _asked(self, frame: Frame, profile: PlayerProfile) -> PlayerProfile:
        return client_on_picture(frame, profile) if self._asks_picture else profile

    def on_images(self, paths: Sequence[Path], profile: PlayerProfile) -> Iterator[Advice]:
        """Yields the advice for each picture by itself; a file that is none is withheld with the reason."""
        for path in paths:
            try:
                yield self.on_image(path, profile)
            except ImageError as error:
                yield Advice(path.name, None, error.args[0])

    def on_frames(self, paths: Sequence[Path], profile: PlayerProfile, interval_s: float) -> Iterator[Advice]:
        """Yields the advice for each of a fight's frames; what was known stays known.

        Args:
            paths: the frames, in the order in which they were taken.
            interval_s: the time between two frames, in seconds.
        """
        tracker, understood = StateTracker(profile), False
        for seq, path in enumerate(paths):
            try:
                frame = image_frame(path, round(seq * interval_s * 1e9), seq)
                asked = profile if understood else self._asked(frame, profile)
                if asked.client != tracker.profile.client:
                    tracker = StateTracker(asked)
                advice = self._on_frame(tracker, frame, path.name)
                understood |= advice.decision is not None
                yield advice
            except ImageError as error:
                yield Advice(path.name, None, error.args[0])

    def _on_frame(self, tracker: StateTracker, frame: Frame, name: str) -> Advice:
        update, client = tracker.update(frame), tracker.profile.client
        if update.state is not None:
            return replace(self.on_state(update.state, name), client=client)
        if update.withheld == NO_CLASS:
            reason: str = say(
                "The picture does not tell your class. Give --class with one of: {names}",
                names=", ".join(presets()),
            )
            return Advice(name, None, reason, client=client)
        asked = self._asks_picture
        lines = tuple(sentences(update.view, client, asked=asked))
        if asked and not fit(update.view):
            return Advice(name, None, lines[0])
        return Advice(name, None, update.withheld, client=client, found=lines)
