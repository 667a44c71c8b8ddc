"""The state of a fight as values: fighters, the map, what lies on it and whose turn it is.

Everything here is immutable and hashable; `botapp.fight.rules` makes new states out of old ones.
`hidden` facts of an enemy are filled by `botapp.tracking.situation` from a bestiary and named in `assumed`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Any, TypeVar

from botapp.fight.spells import (
    Buff,
    Effect,
    Spell,
    StateName,
    Stats,
)

Made = TypeVar("Made")

_NO_STATS = Stats()
_NEW, _SET = object.__new__, object.__setattr__


class CellFlag(IntEnum):
    """What a map says of one of its cells; a cell with no flag is an obstacle."""

    NONE = 0
    WALKABLE = 1
    SIGHT = 2
    FLOOR = 3  # Walkable and lets sight through; SIGHT alone is a hole


@dataclass(frozen=True)
class Fighter:
    """A fighter on the board. `team` 0 is the challengers (red cells), 1 the defenders (blue cells).

    `cooldowns` holds (spell key, turns left) for the spells that cannot be cast yet, `casts` what was cast
    this turn as (spell key, target fighter id or -1). `assumed` names the facts that were not seen.

    Attributes:
        stats: what counts now: the amounts of all `buffs` are in it.
        base_ap, base_mp: what a turn begins with, buffs left out.
        summoner: id of who called it, None for those who came by themselves.
        player: whether a player's limits hold for it (resistances).
    """

    id: int
    name: str
    kind: str
    team: int
    cell: int
    level: int
    hp: int
    max_hp: int
    ap: int
    mp: int
    base_ap: int
    base_mp: int
    spells: tuple[Spell, ...]
    stats: Stats = _NO_STATS
    shield: int = 0
    eroded: int = 0
    cooldowns: tuple[tuple[str, int], ...] = ()
    casts: tuple[tuple[str, int], ...] = ()
    assumed: frozenset[str] = field(default_factory=frozenset)
    buffs: tuple[Buff, ...] = ()
    summoner: int | None = None
    player: bool = False

    @property
    def alive(self) -> bool:
        return self.hp > 0

    @property
    def states(self) -> frozenset[StateName]:
        return frozenset(buff.state for buff in self.buffs if buff.state is not None and not buff.delay)

    def has(self, state: StateName) -> bool:
        for buff in self.buffs:  # noqa: SIM110 - asked all the time: a generator would cost twice as much
            if buff.state == state and not buff.delay:
                return True
        return False

    def changed(self, **changes: Any) -> "Fighter":
        """Returns the fighter with some fields changed; what `dataclasses.replace` does, much faster."""
        other = _NEW(Fighter)
        _SET(other, "__dict__", self.__dict__ | changes)
        return other


@dataclass(frozen=True, slots=True)
class FightMap:
    """560 cell flags (`CellFlag` values as bytes) and the start cells of both teams."""

    key: str
    cells: bytes
    red_starts: tuple[int, ...] = ()
    blue_starts: tuple[int, ...] = ()


class MarkKind(Enum):
    """What lies on the ground: a glyph acts on who begins a turn in it, a trap on who steps in."""

    GLYPH = "glyph"
    TRAP = "trap"


@dataclass(frozen=True, slots=True)
class Mark:
    """A glyph or a trap. Enemies of its owner do not see a trap."""

    kind: MarkKind
    owner: int
    cell: int
    cells: tuple[int, ...]  # All cells it covers, in ascending order
    turns: int  # The owner's turns left, 0 has no end
    payload: tuple[Effect, ...]  # What it does; see `Effect.payload`
    name: str = ""


@dataclass(frozen=True)
class FightState:
    """A fight at one moment. `order` lists fighter ids by turn, `current` indexes into it.

    `turn` counts rounds from 1. Dead fighters stay in `fighters` with 0 HP and are skipped.
    """

    map: FightMap
    fighters: tuple[Fighter, ...]
    order: tuple[int, ...]
    current: int = 0
    turn: int = 1
    marks: tuple[Mark, ...] = ()  # Glyphs and traps on the ground, the oldest first
    # Whether the fighters are still choosing their places; `current` is the one who chooses
    placing: bool = False
    # What the rules have worked out about this state, see `once`; no part of its value
    memo: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def fighter(self, fighter_id: int) -> Fighter:
        """Returns the fighter with this id.

        Raises:
            KeyError: no fighter has it.
        """
        fighters = self.fighters
        if 0 <= fighter_id < len(fighters) and fighters[fighter_id].id == fighter_id:
            return fighters[fighter_id]
        for fighter in fighters:
            if fighter.id == fighter_id:
                return fighter
        raise KeyError(f"no fighter {fighter_id} in this fight")

    @property
    def actor(self) -> Fighter:
        return self.fighter(self.order[self.current])

    def once(self, what: str, work_out: "Callable[[FightState], Made]") -> Made:
        """Returns what follows from the state, worked out the first time that it is asked for.

        Threads may ask about one state at the same time: each may work it out, and all get the first answer.
        """
        memo = self.memo
        made: Made = memo[what] if what in memo else memo.setdefault(what, work_out(self))
        return made

    def changed(self, **changes: Any) -> "FightState":
        """Returns the state with some fields changed; what `dataclasses.replace` does, much faster."""
        other = _NEW(FightState)
        changes["memo"] = {}
        _SET(other, "__dict__", self.__dict__ | changes)
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Leaves the memo behind when the state is copied or sent to another process."""
        return {**self.__dict__, "memo": {}}
