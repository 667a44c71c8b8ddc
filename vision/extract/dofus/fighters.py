"""Turns the borders found on the board into fighters: at most one per cell, one of them the player.

Where borders distinguish teams only (2.x, Retro), or where more than one could be the player's, ambiguous
fighters become candidates.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from vision.extract import grid
from vision.extract.dofus.borders import FoundBorder
from vision.extract.dofus.outline import VOTES
from vision.view import FighterSeen, Lattice, Team

_SHARE = 0.52
_FRONT = 0.5
_MARKED = 0.5
_WELL_MARKED = 0.55
_PALE_VOTES, _BROKEN_LINE = 8.5, -1.9
"""Pale floor in the shape of the player's marks, without an edge, had 5 to 10 votes and no edge below -1.7;
marks break the player's border, so that an edge is below -2.1."""
_DARK_BODY, _DOUBTFUL = 56.0, 24.0
"""Below so many levels a body hardly shows (`discs`), and with fewer votes a border without one is doubtful:
none of 67 fighters with so dark bodies on 240 drawn screens was like a disc then, and two discs were."""
_ALIKE = 0.3
"""How much of the clearest edge the faintest has on a disc, as in `discs`."""
_THIN_SHARE, _THIN_VOTES, _THIN_LOWER, _IN_SIGHT, _STANDING = 0.25, 24.0, 2.5, 8.0, 40.0
"""The share, votes and lower edges of a thin oval of which all edges are seen, in small windows and on bright
floors: nine fighters of 112 drawn screens had these and no more, and bodies of 46 levels and more. Discs with
as many votes have upper edges in sight, of 8 and more; bare cells have bodies of 16 levels at most."""
_OUTSTANDING, _LEAST_VOTES, _SECOND_EDGE = 14.0, 12.5, 2.5
"""Of 801 ovals of fighters in 320 drawn screens all had 14 votes and two edges of 3.3 at least, figures have
6 to 11 votes and mostly one clear edge."""
_HALF_SHARE = 0.38
_CLEAR_SHARE = 0.7
_FAINT_SHARE = 0.12
_FAINT_EDGE = 3.5
_FAINT_UPPER = 1.2
_FAINT_EDGES = 9.0
_CORNER_SHARE, _CORNER_EDGE, _CORNER_VOTES = 0.28, 2.7, 8.0
_EDGES_SHARE, _EDGES_VOTES, _EDGE = 0.2, 9.0, 1.0
_FEW_SHARE, _ROUND_SHARE, _CLEAR_EDGE = 0.12, 0.35, 2.0
"""Four players and seven enemies of 1,500 drawn screens were found by these, and nothing that is none."""
_TOP_SHARE, _TOP_VOTES, _TOP_EDGE, _ANY_EDGE = 0.18, 6.5, 2.2, 2.7
_MADE_OUT, _ON_THE_WHOLE, _MADE_OUT_ON_KNOWN = (0.12, 2.0), (0.25, 7.5), 0.09
"""The share of a border and the contrast of two edges, or its votes, where it is new."""
_SINGLE_SHARE, _SINGLE_EDGE = 0.12, 4.0
"""In 300 drawn screens nothing where no enemy stood had such an edge and hid the floor."""
_LITTLE = 2.5, 2.3
"""Votes and an edge of a border nearly all hidden: 3.6 to 11 and 2.3 to 5 of ten in films."""
_TINTED_EDGE, _TINTED_VOTES = 3.0, 20.0
_THIRD, _HALF_UPPER, _HALF_VOTES = 0.33, 3.5, 10.0
"""In 1,100 drawn screens nothing looked so on the board where no fighter stood."""
_LEFT_SHARE = 0.25
_FEWEST_MARKS, _NEW_MARKS = 0.25, 0.18
"""The share of the player's marks that is seen where it may be its border at all, and where it is new."""
_BROKEN_EDGE = 6.0
"""Edges of the player's border reach 4.3 in 800 drawn screens, of an ally's in full view 10 to 90."""
_LEAST_EDGE = 0.5
"""In 800 drawn screens all true halves with few marks but one had an edge of 0.7, letters of 0.0 at most."""
_LEFT_EDGE = 4.5
"""Half a border seen has an edge of 5 at least; grass and the rims of cells reached 3.8."""
_UPPER_EDGE, _UPPER_VOTES = 3.3, 12.0
"""In 800 drawn screens scenery had two upper edges of 2.8 at most."""
_RIVAL = 0.3
"""What has so much less of an edge than the clearest half of a border does not make that one doubtful."""
_OWN_EDGE = 4.0
"""The border of a fighter beside has reached 3.1."""
_TRACE_VOTES, _TRACE_EDGE = 12.0, 3.0
"""Votes and an edge of what may be another fighter of the own side: 13 to 28 votes and an edge of 23 on the
three drawn screens on which an ally was taken for the player; enough to doubt, where no card tells."""
_SMEARED_SHARE = 0.08
_WEAK = 0.5
_UNSEEN = 0.8
"""The confidence in a player's cell that only the cells lit about it tell."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The fighters on the board by side.

    `candidates` are the fighters of the own side while the player among them is not known.
    """

    player: FighterSeen | None = None
    allies: tuple[FighterSeen, ...] = ()
    enemies: tuple[FighterSeen, ...] = ()
    candidates: tuple[FighterSeen, ...] = ()

    @property
    def known_own(self) -> tuple[FighterSeen, ...]:
        """The player, where it is known, and the allies."""
        return (() if self.player is None else (self.player,)) + self.allies

    @property
    def own(self) -> tuple[FighterSeen, ...]:
        """All of the own side, whether the player among them is known or not."""
        return self.known_own + self.candidates


def accepted(found: Iterable[FoundBorder], mixed: bool = True) -> list[FoundBorder]:
    """Returns the borders of which enough is visible, at most one per cell, ordered by cell.

    Args:
        found: the borders found.
        mixed: whether faint ones count beside clear ones; thin ovals look like the edges of blue cells, and
            figures that rise over the board like ovals of little contrast.
    """
    best: dict[int, FoundBorder] = {}
    borders = list(found)
    clear = not mixed and any(border.share >= _CLEAR_SHARE for border in borders)
    for border in borders:
        seen = _is_clear(border, mixed) or (not mixed and _is_thin(border))
        if not (seen or (not clear and (_is_faint(border) or _is_tinted(border)))):
            continue
        if not mixed and (border.votes < _LEAST_VOTES or sorted(border.clear)[-2] < _SECOND_EDGE):
            continue
        if border.cell not in best or best[border.cell].share < border.share:
            best[border.cell] = border
    return [best[cell] for cell in sorted(best)]


def partly_hidden(
    found: Iterable[FoundBorder], team: Team, missing: int, taken: Collection[int], marked: bool = True
) -> list[FoundBorder]:
    """Returns a side's borders of which a corner or little colour is left, none if more than are missing.

    Crates and other fighters hide the rest, or compression smears it; so little is only trusted where a
    fighter is known to be missing. Where there are no more such borders than that, any two clear edges do,
    but not for a side whose player has no marks: discs and glows look like its borders.

    Args:
        found: all borders found.
        team: the side.
        missing: how many of its fighters the timeline shows beyond those whose borders are accepted.
        taken: the cells of the borders that are accepted.
        marked: whether the client marks the player's fighter.
    """
    corners = [border for border in found if border.team == team and border.cell not in taken]
    clear = [
        border
        for border in corners
        if _is_corner(border) or _is_faint(border, _SMEARED_SHARE) or _is_all_round(border)
    ]
    if team == "enemy" or marked:
        wider = [
            border for border in corners if border in clear or _has_edges(border) or _shows_two_edges(border)
        ]
        clear = wider if len(wider) <= missing else clear
    return clear if len({border.cell for border in clear}) == len(clear) <= missing else []


def only_ones(likely: list[FoundBorder], missing: int, taken: Collection[int]) -> list[FoundBorder]:
    """Returns the missing borders of a side where nothing else on the board even hints at one.

    Of each a good part has to be seen, with a clear edge or the player's marks: in small windows a block
    hides the other edges.

    Args:
        likely: all that may be the side's borders, however little is seen of them.
        missing: how many of its fighters are not found.
        taken: the cells of those that are.
    """
    left = [border for border in likely if border.cell not in taken]
    seen = all(
        border.share >= _LEFT_SHARE and (max(border.clear) >= _LEFT_EDGE or border.mark >= _MARKED)
        for border in left
    )
    return left if seen and len(left) == missing else []


def without_neighbours(border: FoundBorder, taken: Collection[int]) -> FoundBorder:
    """Returns a border without its faint edges towards other fighters of its side: they may be theirs.

    Args:
        border: it.
        taken: those fighters' cells.
    """
    upper_left, upper_right, lower_left, lower_right = grid.NEIGHBOURS[border.cell].tolist()
    around = (upper_right, lower_right, lower_left, upper_left)
    left = tuple(
        min(edge, 0.0) if cell in taken and edge < _OWN_EDGE else edge
        for cell, edge in zip(around, border.clear, strict=True)
    )
    if left == border.clear:
        return border
    lost = sum(min(edge, VOTES[1]) for edge in border.clear) - sum(min(edge, VOTES[1]) for edge in left)
    first, second, third, fourth = left
    return replace(border, clear=(first, second, third, fourth), votes=border.votes - lost)


def unless_marked_elsewhere(likely: list[FoundBorder], found: Iterable[FoundBorder]) -> list[FoundBorder]:
    """Returns what may be the player's border: nothing without its marks where another border shows them.

    Args:
        likely: what may be its border.
        found: all borders found.
    """
    marked = any(border.team == "own" and _shows_marks(border, _FEWEST_MARKS) for border in found)
    return [border for border in likely if not marked or _shows_marks(border, _FEWEST_MARKS)]


def half_hidden(
    found: Iterable[FoundBorder],
    marked: bool,
    taken: Collection[int] = (),
    new: Collection[int] = (),
) -> list[FoundBorder]:
    """Returns what may be the player's border with a crate or a body over half of it.

    The player is always on the board: where no border is its own for sure, one of these is, unless a window
    covers it. Things of the scenery look like half a border as well, if less clearly.

    Args:
        found: all borders found.
        marked: whether the client marks the player's fighter.
        taken: the cells of the borders that are accepted; with marks one may be the player's.
        new: cells where nothing like a border was while all fighters were seen; less is enough there.
    """
    halves = [border for border in found if border.team == "own" and border.share >= _LEFT_SHARE]
    if marked:
        broken = [border for border in halves if sorted(border.clear)[-2] <= _BROKEN_EDGE]
        return [
            border
            for border in broken
            if border.mark >= _MARKED
            or _shows_marks(border, _NEW_MARKS if border.cell in new else _FEWEST_MARKS)
        ]
    halves = [border for border in halves if border.cell not in taken]
    clearest = max((max(border.clear) for border in halves), default=0.0)
    return [
        border
        for border in halves
        if max(border.clear) >= max(_LEFT_EDGE, _RIVAL * clearest)
        or (_is_upper_half(border) and clearest * _RIVAL < _UPPER_EDGE)
    ]


def is_broken(border: FoundBorder) -> bool:
    """Returns whether some of the player's marks are seen and break the line; an ally's is whole."""
    return border.mark >= _FEWEST_MARKS and max(border.clear) <= _BROKEN_EDGE


def has_an_edge(border: FoundBorder) -> bool:
    """Returns whether any edge of a border is seen; letters of windows look like borders and have none."""
    return max(border.clear) >= _LEAST_EDGE


def _shows_marks(border: FoundBorder, fewest: float) -> bool:
    """Returns whether a part of the player's marks is seen, and an edge."""
    return border.mark >= fewest and has_an_edge(border)


def _is_upper_half(border: FoundBorder) -> bool:
    """Returns whether both upper edges of a border stand out, and the whole of it: a crate hides the rest."""
    upper = min(border.clear[0], border.clear[3])
    return upper >= _UPPER_EDGE and border.votes >= _UPPER_VOTES


def _is_corner(border: FoundBorder) -> bool:
    outstanding = border.votes >= _CORNER_VOTES and _best_corner(border) >= _CORNER_EDGE
    return border.share >= _CORNER_SHARE and outstanding


def _has_edges(border: FoundBorder) -> bool:
    """Returns whether two edges of a border stand out, wherever they lie, and the whole of it does."""
    second = sorted(border.clear)[-2]
    seen = border.share >= _EDGES_SHARE and second >= _EDGE
    few = border.team == "enemy" and border.share >= _FEW_SHARE and second >= _CLEAR_EDGE
    return border.votes >= _EDGES_VOTES and (seen or few)


def _is_all_round(border: FoundBorder) -> bool:
    """Returns whether all four edges of a border stand out and two of them well: nothing else looks so."""
    stands_out = min(border.clear) >= _EDGE and sorted(border.clear)[-2] >= _CLEAR_EDGE
    return stands_out and border.share >= _ROUND_SHARE and border.votes >= _EDGES_VOTES


def _shows_two_edges(border: FoundBorder) -> bool:
    """Returns whether two edges of an enemy's border stand out: a crate hides the others."""
    upper, second = min(border.clear[0], border.clear[3]), sorted(border.clear)[-2]
    stands_out = upper >= _TOP_EDGE or second >= _ANY_EDGE
    seen = border.share >= _TOP_SHARE and border.votes >= _TOP_VOTES
    return border.team == "enemy" and seen and stands_out


def shows_corner(border: FoundBorder, known: bool) -> bool:
    """Returns whether two edges of a border that meet at a side or below can be made out, if barely.

    Args:
        border: it.
        known: whether the ground is known by frames in which all fighters were seen.
    """
    share = _MADE_OUT_ON_KNOWN if known else _MADE_OUT[0]
    return border.share >= share and _best_corner(border) >= _MADE_OUT[1]


def stands_out(border: FoundBorder) -> bool:
    """Returns whether enough of a border is seen on the whole, though none of its edges is clear."""
    return border.share >= _ON_THE_WHOLE[0] and border.votes >= _ON_THE_WHOLE[1]


def is_half_clear(border: FoundBorder) -> bool:
    """Returns whether two edges that meet are clear, and a good part of the border is seen."""
    upper = min(border.clear[0], border.clear[3]) >= _HALF_UPPER and border.share >= _LEFT_SHARE
    side = _best_corner(border) >= _SINGLE_EDGE and border.share >= _THIRD
    return border.votes >= _HALF_VOTES and (upper or side)


def shows_clear_edge(border: FoundBorder) -> bool:
    """Returns whether a single edge of a border is clear; a block may hide the rest."""
    return border.share >= _SINGLE_SHARE and max(border.clear) >= _SINGLE_EDGE


def shows_little(border: FoundBorder) -> bool:
    """Returns whether so much of a border is seen as of one nearly all hidden, if nothing else can be it."""
    return border.votes >= _LITTLE[0] and border.share >= _SINGLE_SHARE and max(border.clear) >= _LITTLE[1]


def _best_corner(border: FoundBorder) -> float:
    """Returns the contrast of the clearest two edges that meet, the upper ones, behind the body, aside.

    The edge of a disc or a glow follows none of them for long.
    """
    upper_right, lower_right, lower_left, upper_left = border.clear
    return max(min(upper_right, lower_right), min(lower_left, upper_left), min(lower_right, lower_left))


def _is_clear(border: FoundBorder, diamond: bool) -> bool:
    """Returns whether most of a border is visible, or a clear half; `diamond` is the borders' shape."""
    if border.share >= _SHARE and border.front >= _FRONT:
        return True
    pale = not has_an_edge(border) and (border.votes < _PALE_VOTES or min(border.clear) > _BROKEN_LINE)
    marked = border.front >= _FRONT and border.mark >= _WELL_MARKED and not pale
    outstanding = border.votes >= _OUTSTANDING and _best_corner(border) >= _CORNER_EDGE
    outstanding = outstanding and not _is_like_a_disc(border, diamond)
    return border.share >= _HALF_SHARE and (marked or outstanding)


def _is_like_a_disc(border: FoundBorder, diamond: bool) -> bool:
    """Returns whether what is half seen may be a disc: no body stands out, and none hides its upper edges.

    A diamond's upper edges are as clear as its lower ones then, an oval's edges all alike.
    """
    if border.body is None or border.body >= _DARK_BODY or border.votes >= _DOUBTFUL:
        return False
    upper, lower = max(border.clear[0], border.clear[3]), max(border.clear[1], border.clear[2])
    return upper >= lower if diamond else min(border.clear) >= _ALIKE * max(border.clear)


def _is_thin(border: FoundBorder) -> bool:
    """Returns whether all of an oval is seen, if thinly, and a body hides what is above its middle."""
    upper, lower = max(border.clear[0], border.clear[3]), min(border.clear[1], border.clear[2])
    seen = border.share >= _THIN_SHARE and border.votes >= _THIN_VOTES
    stands = border.body is not None and border.body >= _STANDING
    return seen and stands and lower >= _THIN_LOWER and upper < _IN_SIGHT


def _is_faint(border: FoundBorder, share: float = _FAINT_SHARE) -> bool:
    """Returns whether all edges of a border are visible, if faintly; `share` of its line is the least."""
    lower = min(border.clear[1], border.clear[2])
    votes = sum(min(4.0, max(-2.0, edge)) for edge in border.clear)
    upper = border.clear[0] + border.clear[3]
    return border.share >= share and lower >= _FAINT_EDGE and upper >= _FAINT_UPPER and votes >= _FAINT_EDGES


def _is_tinted(border: FoundBorder) -> bool:
    """Returns whether all four edges of a border are clear though a flash has changed its colour."""
    return min(border.clear) >= _TINTED_EDGE and border.votes >= _TINTED_VOTES


def counted(borders: list[FoundBorder], own: int, marked: bool = True) -> list[FoundBorder]:
    """Returns the borders without those of the own side that contradict the timeline.

    Where more are found than the timeline has cards, what is no player's is a disc, a glow or a mark on the
    ground as likely as an ally. The weakest of the surplus borders are left out where they are far weaker
    than the clearest, but never the one that is marked best, if the client marks the player. Where it does
    and still too many are left, only those with marks count.

    Args:
        borders: what `accepted` returned, and those that are partly hidden.
        own: how many of the player's side the timeline shows, 0 where it is not found.
        marked: whether the client marks the player's fighter.
    """
    mine = [border for border in borders if border.team == "own"]
    if not own or len(mine) <= own:
        return borders
    mine.sort(key=lambda border: border.votes)
    player = max(mine, key=lambda border: border.mark) if marked else None
    surplus = [border for border in mine[: len(mine) - own] if border is not player]
    weak = [border for border in surplus if border.votes < _WEAK * mine[-1].votes]
    kept = [border for border in borders if border not in weak]
    if not marked or len(mine) - len(weak) <= own:
        return kept
    return [border for border in kept if border.team != "own" or border.mark >= _MARKED]


def aligned(lattice: Lattice, borders: Iterable[FoundBorder]) -> Lattice:
    """Returns the lattice moved so that cells' centres lie in the middle of the borders."""
    shifts = []
    for border in borders:
        x, y = lattice.centre(border.cell)
        shifts.append((border.px[0] - x, border.px[1] - y))
    if not shifts:
        return lattice
    dx, dy = (sum(values) / len(shifts) for values in zip(*shifts, strict=True))
    origin = (lattice.origin_px[0] + dx, lattice.origin_px[1] + dy)
    return Lattice(origin, lattice.cell_w, lattice.cell_h)


def shows_another(found: Iterable[FoundBorder], borders: Collection[FoundBorder]) -> bool:
    """Returns whether there is a trace of one more fighter of the own side than was accepted."""
    taken = {border.cell for border in borders}
    return any(
        border.team == "own"
        and border.cell not in taken
        and border.share >= _LEFT_SHARE
        and border.votes >= _TRACE_VOTES
        and max(border.clear) >= _TRACE_EDGE
        for border in found
    )


def assign_sides(
    borders: Iterable[FoundBorder],
    lattice: Lattice,
    marked: bool,
    alone: bool = False,
    another: bool = False,
) -> Sides:
    """Returns the fighters that borders mark, by side.

    Args:
        borders: what `accepted` returned.
        lattice: where the board's cells lie.
        marked: whether the client marks the player's fighter; else the only one of the own side is it.
        alone: whether the timeline shows no other fighter of the own side.
        another: whether there may be one more of it, so that the only one found need not be the player.
    """
    visible = list(borders)
    own = [border for border in visible if border.team == "own"]
    enemies = tuple(_fighter(b, "enemy", lattice) for b in visible if b.team == "enemy")
    players = [border for border in own if border.mark >= _MARKED] if marked else own
    players = own if alone and not players else players
    if len(players) != 1 or (another and not marked):
        return Sides(None, (), enemies, tuple(_fighter(b, "own", lattice) for b in own))
    allies = tuple(_fighter(b, "ally", lattice) for b in own if b is not players[0])
    return Sides(_fighter(players[0], "own", lattice), allies, enemies)


def with_half_hidden(sides: Sides, hidden: FoundBorder, lattice: Lattice) -> Sides:
    """Returns the sides with the player on a border of `half_hidden`, the other candidates as allies."""
    return _with_player_at(sides, _fighter(hidden, "own", lattice))


def with_unseen(sides: Sides, cell: int, lattice: Lattice) -> Sides:
    """Returns the sides with the player out of sight on a cell, the candidates as allies."""
    return _with_player_at(sides, FighterSeen(lattice.centre(cell), cell, "own", confidence=_UNSEEN))


def _with_player_at(sides: Sides, player: FighterSeen) -> Sides:
    """Returns the sides with a player, the candidates on other cells as allies."""
    allies = tuple(replace(one, team="ally") for one in sides.candidates if one.cell != player.cell)
    return Sides(player, allies, sides.enemies)


def with_player(sides: Sides, cell: int | None) -> Sides:
    """Returns the sides with the candidate on a cell as the player, the others as allies."""
    player = next((one for one in sides.candidates if cell is not None and one.cell == cell), None)
    if player is None:
        return sides
    allies = tuple(replace(one, team="ally") for one in sides.candidates if one is not player)
    return Sides(player, allies, sides.enemies)


def without_player(sides: Sides) -> Sides:
    """Returns the sides with the player and all allies as candidates."""
    own = tuple(replace(one, team="own") for one in sides.known_own)
    return Sides(None, (), sides.enemies, own or sides.candidates)


def without_cells(sides: Sides) -> Sides:
    """Returns the sides without the ids of the cells that the fighters stand on."""
    return Sides(
        None if sides.player is None else replace(sides.player, cell=None),
        tuple(replace(one, cell=None) for one in sides.allies),
        tuple(replace(one, cell=None) for one in sides.enemies),
    )


def _fighter(border: FoundBorder, team: Team, lattice: Lattice) -> FighterSeen:
    confidence = min(0.99, 0.6 + 0.5 * border.share)
    return FighterSeen(lattice.centre(border.cell), border.cell, team, confidence=confidence)
