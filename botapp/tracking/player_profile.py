"""What the player has told the app, as far as reading a fight depends on it."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from botapp.content.knowledge.shelf import PICTURES, knowledge_dir
from botapp.host.settings import Settings
from botapp.tracking import boards, learnt_names
from botapp.tracking import names as names_file
from botapp.tracking.game_pictures import known_pictures
from botapp.tracking.learnt_names import LearntNames
from botapp.tracking.names import Names
from vision.calibration import BoardCalibrations
from vision.frame import Rect

ARENA = "arena"
"""The client whose fighters are the app's own; the others show a game of which it knows what was brought."""


@dataclass(frozen=True, slots=True)
class PlayerProfile:
    """A player's game; the default is the practice arena, and nothing told."""

    client: str = ARENA  # Whose screen is read, a name of `vision.profiles`
    player_class: str = ""  # Key of the class played, "" for the one that the screen shows
    sheet: Path | None = None  # The player's own character sheet, which overrides any class; None for none
    names: Names = field(default_factory=Names)  # The monster of a portrait, the spell of an icon
    # Where the board lies, as the player accepted it
    calibrations: BoardCalibrations = field(default_factory=BoardCalibrations)
    # Names that the words on the screen have given to pictures
    learnt: LearntNames = field(default_factory=LearntNames)

    def board_confirmed(self, area: Rect | None) -> bool:
        """Tells whether the player has confirmed where the board is, or need not: the arena's is known.

        Args:
            area: the client area in the picture, None where it is not known and nothing is asked.
        """
        if self.client == ARENA or area is None:
            return True
        return self.calibrations.find(self.client, area) is not None


@dataclass(frozen=True, slots=True)
class LoadedProfile:
    """A profile that was read, and what the player should know about the reading, in words."""

    profile: PlayerProfile
    messages: tuple[str, ...] = ()


def load(settings: Settings) -> LoadedProfile:
    """Returns the profile that the settings and the files beside them make; never raises over a bad file."""
    recalled, accepted, learnt = names_file.load(), boards.load(), learnt_names.load()
    profile = PlayerProfile(
        client=settings.capture.target,
        player_class=settings.advisor.player_class,
        sheet=Path(settings.advisor.spellbook) if settings.advisor.spellbook else None,
        names=replace(recalled.value, pictures=known_pictures(knowledge_dir() / PICTURES)),
        calibrations=accepted.value,
        learnt=learnt.value,
    )
    return LoadedProfile(profile, (*recalled.messages, *accepted.messages, *learnt.messages))
