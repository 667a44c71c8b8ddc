"""What a content file writes down, as the app keeps it: how a spell looks, a class or a monster, a map."""

from dataclasses import dataclass

from botapp.content.maps import MapRecipe, build_map
from botapp.fight.spells import Spell, Stats, Summon
from botapp.fight.state import Fighter, FightMap

SHAPES = (
    "knight", "hood", "robe", "mask", "crown", "scarf", "dial", "cowl", "block", "beast", "horns", "wing",
    "flame", "blob", "totem", "spider", "ram", "crab", "bird", "goggles", "skull", "ooze", "mole", "moth",
    "sprout", "bloom", "grub", "turret",
)  # fmt: skip
"""The bodies that the arena's window can draw."""

GLYPHS = (
    "sword", "wave", "chain", "shield", "heart", "arrow", "bolt", "arc", "snare", "dagger", "spark",
    "burst", "cross", "comet", "drop", "star", "swamp", "fang", "fist", "rock", "flame", "eye", "gust",
    "hook", "blink", "rune", "leaf", "sprout", "hourglass", "veil", "anchor", "rise", "gear", "web",
    "feather", "jaws",
)  # fmt: skip
"""The spell icons that the arena's window can draw."""

PLAY_STYLES = ("melee", "ranged", "healer", "summoner", "pusher", "coward")  # How monsters fight


@dataclass(frozen=True, slots=True)
class SpellLook:
    """What a spell looks like: `glyph` is one of `GLYPHS`, `colour` is "#RRGGBB"."""

    name: str
    name_fr: str
    glyph: str
    colour: str


@dataclass(frozen=True, slots=True)
class FighterTemplate:
    """A class or a monster as written down: its sheet and its looks."""

    kind: str  # The key by which spellbooks, bestiaries and profiles know it
    name: str
    name_fr: str
    colour: str  # The body's colour, "#RRGGBB"
    shape: str  # One of `SHAPES`
    level: int
    hp: int
    ap: int
    mp: int
    spells: tuple[Spell, ...]
    stats: Stats
    # A monster's share of a group's strength; 0 for a class and for who is only ever summoned
    points: int = 0
    play_style: str = ""  # How a monster fights, one of `PLAY_STYLES`; "" for a class
    unseen: bool = False  # Whether nothing is ever trained on it

    @property
    def summon(self) -> Summon:
        return Summon(self.kind, self.name, self.level, self.hp, self.ap, self.mp, self.spells, self.stats)

    def fighter(self, id: int, team: int, cell: int, name: str = "") -> Fighter:
        """Returns a fresh fighter of this kind: full HP, and the initial cooldowns of its spells."""
        return Fighter(
            id=id,
            name=name or self.name,
            kind=self.kind,
            team=team,
            cell=cell,
            level=self.level,
            hp=self.hp,
            max_hp=self.hp,
            ap=self.ap,
            mp=self.mp,
            base_ap=self.ap,
            base_mp=self.mp,
            spells=self.spells,
            stats=self.stats,
            cooldowns=tuple((s.key, s.initial_cooldown) for s in self.spells if s.initial_cooldown),
            player=not self.play_style,
        )


@dataclass(frozen=True, slots=True)
class MapTemplate:
    """A map as written down: its names, its look, and either a recipe or the board itself."""

    key: str
    name: str
    name_fr: str
    theme: str
    unseen: bool
    ground: MapRecipe | FightMap

    @property
    def board(self) -> FightMap:
        return build_map(self.ground) if isinstance(self.ground, MapRecipe) else self.ground
