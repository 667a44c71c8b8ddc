"""The fighters by side over frames: who of them is the player, and how many live."""

from vision.extract.dofus.fighters import Living, Sides, without_player
from vision.extract.dofus.model import DofusBoardSeen, HudSeen
from vision.extract.dofus.player_place import AmongOwn, PlayerAtRest, PlayerOutOfSight, by_reach
from vision.profiles.board import ScreenRules
from vision.profiles.hud import BarredRule
from vision.profiles.profile import Profile
from vision.view import Seen


class PlayerOverTime:
    """Follows the fights of one client; what tells the player is asked in the order of `player_place`.

    Attributes:
        has_timeline: whether the client has a timeline that is found without AP and MP.
    """

    def __init__(self, profile: Profile, rules: ScreenRules) -> None:
        self._marked = rules.border.marks_player
        timeline = profile.hud.timeline if profile.hud is not None else None
        self.has_timeline = timeline is not None and not isinstance(timeline, BarredRule)
        self._out_of_sight = PlayerOutOfSight()
        self.forget()

    def forget(self) -> None:
        """Forgets where the player stood and how many fighters its side had, as for another fight."""
        self._among, self._at_rest, self._living = AmongOwn(), PlayerAtRest(), Living()
        self._own_shown = 0

    def follow(self, board: DofusBoardSeen, hud: HudSeen, mine: bool, placing: bool = False) -> Sides:
        """Returns the fighters by side, with the player where this and earlier frames tell it."""
        sides = self._among.follow(self.identify(board, hud), self._own_shown, placing)
        if mine and len(hud.row.own) > len(sides.own):  # one of them is not seen on the board
            sides = self._out_of_sight.follow(sides, hud.mp.value, board)
        return self._at_rest.follow(sides, hud, board)

    def count(self, hud: HudSeen, board: DofusBoardSeen | None, sides: Sides) -> Seen[int]:
        """Returns how many fighters live, by the timeline and by what may lie over it."""
        if board is None or not board.numbered:
            return hud.row.count
        return self._living.count(hud.row.count, sides.others, board.empty, board.covered)

    def identify(self, board: DofusBoardSeen, hud: HudSeen) -> Sides:
        """Returns the fighters by side; the only one found of several allies need not be the player.

        The number of allies is unknown until a client's timeline is found; covered, it shows what it showed.
        """
        sides = board.sides
        if hud.row.living:
            self._own_shown = len(hud.row.own)
        cards = self._own_shown
        counted = bool(hud.row.living) or cards > 0 or not self.has_timeline
        if self._marked or sides.player is None or (counted and cards <= 1 + len(sides.allies)):
            return sides
        return by_reach(without_player(sides), board.cells)
