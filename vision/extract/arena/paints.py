"""Palettes of blended colours: highlights over the floor, rings over highlights."""

from collections.abc import Mapping

from vision.extract.arena.palette import ColourTable
from vision.profiles.arena import TEAMS, FightRules
from vision.profiles.fields import RGB
from vision.profiles.profile import Profile

_WARM_WHITE, _COLD_BLACK = (255, 246, 224), (20, 15, 34)


def mix(a: RGB, b: RGB, share: float) -> RGB:
    """Returns the colour `share` of the way from a to b."""
    red, green, blue = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return red, green, blue


def grounds(profile: Profile, fight: FightRules) -> dict[str, tuple[RGB, ...]]:
    """Returns the colours of the floor and of the floor under each highlight."""
    floor = profile.palette["floor"]
    paints = {"floor": floor}
    for name, paint in fight.highlights.items():
        paints[name] = tuple(mix(tone, paint.colour, paint.opacity) for tone in floor)
    return paints


def board(profile: Profile, fight: FightRules) -> ColourTable:
    """Returns the palette of the board: grounds, terrain, rings and the floor inside a ring.

    A ring's inside is named `own:floor`, `enemy:range` and so on, its band `own`, its line `own line`.
    """
    ground = grounds(profile, fight)
    colours = ground | {
        key: shades for key, shades in profile.palette.items() if key not in ("floor", "panel")
    }
    colours |= {name: (colour,) for name, colour in fight.signs.items()}
    for team in TEAMS:
        side = fight.rings.sides[team]
        colours[team] = (side.band,)
        colours[f"{team} line"] = (side.line,)
        for name, shades in ground.items():
            if name != "reachable":
                colours[f"{team}:{name}"] = tuple(mix(s, side.band, fight.rings.opacity) for s in shades)
    return ColourTable(colours, profile.tolerance)


def panel(profile: Profile) -> ColourTable:
    """Returns the palette of tooltips over the board, with a small tolerance."""
    return ColourTable({"panel": profile.palette["panel"]}, 8)


def portraits(profile: Profile, fight: FightRules) -> ColourTable:
    """Returns the palette of the fighters on their cards by kind: the body's colour, light and dark tone."""
    return _figures(profile, fight, {kind: _tones(colour) for kind, colour in fight.kinds.items()})


def bodies(profile: Profile, fight: FightRules) -> ColourTable:
    """Returns the palette of the fighters on the board by kind: a struck one flashes in paler tones."""
    share = fight.figure.struck
    return _figures(
        profile,
        fight,
        {
            kind: _tones(colour) + _tones(mix(colour, _WARM_WHITE, share))
            for kind, colour in fight.kinds.items()
        },
    )


def _tones(colour: RGB) -> tuple[RGB, ...]:
    return colour, mix(colour, _WARM_WHITE, 0.30), mix(colour, _COLD_BLACK, 0.32)


def _figures(profile: Profile, fight: FightRules, kinds: Mapping[str, tuple[RGB, ...]]) -> ColourTable:
    """Returns a palette of kinds; grounds and rings follow them, so that neither is taken for a body."""
    tones = dict(kinds)
    tones |= {f"on {name}": shades for name, shades in grounds(profile, fight).items()}
    tones |= {f"ring {team}": (fight.rings.sides[team].band,) for team in TEAMS}
    return ColourTable(tones, profile.tolerance)


def bars(full: RGB, empty: RGB) -> ColourTable:
    """Returns the palette of bars: `full`, `empty`, and `edge` for the blend where one meets the other."""
    blends = tuple(mix(empty, full, share / 30) for share in range(1, 30))
    return ColourTable({"full": (full,), "empty": (empty,), "edge": blends}, 10)
