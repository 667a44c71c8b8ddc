"""Fighters as the rules know them, from what a screen shows, the spellbook and the bestiary.

What none of them tells is assumed, and named in `FighterBuilder.assumed`.
"""

from dataclasses import replace

from botapp.fight.core.damage import EROSION_PERCENT
from botapp.fight.spells import EffectKind, Spell
from botapp.fight.state import Fighter
from botapp.host.message import mark, say
from botapp.tracking.bestiary import Bestiary
from botapp.tracking.doubts import mp_by_reach
from botapp.tracking.identity import ENEMY_TEAM, OWN_TEAM, PLAYER_ID, Sighting
from botapp.tracking.levels import LevelFrom
from botapp.tracking.memory import Memory
from botapp.tracking.spellbook import Spellbook
from vision.view import FightView, Seen, SpellSlot, Team

_LEVEL: dict[LevelFrom, str] = {
    "screen": mark("your figures (the usual ones of level {level}, which the screen shows)"),
    "hp": mark("your level ({level}, guessed from your maximum HP) and its usual figures"),
    "none": mark("your level ({level}: the screen does not tell it) and its usual figures"),
}
NAMELESS: dict[Team, str] = {"ally": mark("Ally"), "enemy": mark("Enemy")}
"""What a fighter is called whose kind is not known."""


class FighterBuilder:
    """Makes the fighters of one view.

    Args:
        view: what was read; the player's cell and HP are among it.
        spellbook: the player's own sheet, slots in the order of the spell bar.
    """

    def __init__(
        self, view: FightView, spellbook: Spellbook, bestiary: Bestiary, memory: Memory, cells: bytes
    ) -> None:
        assert view.player is not None and view.player.cell is not None
        self.view, self.spellbook, self.bestiary, self.memory = view, spellbook, bestiary, memory
        self.cell, self.cells = view.player.cell, cells
        self.assumed: list[str] = []

    def player(self, memory: Memory) -> Fighter:
        """Returns the player's fighter, `memory` being that of this view."""
        view, book = self.view, self.spellbook
        assert view.hp.value is not None
        missing: set[str] = set()
        if book.guess is not None:
            missing |= {"stats", "spells"} if book.guess.source == "screen" else {"level", "stats", "spells"}
            self.assumed.append(say(_LEVEL[book.guess.source], level=book.guess.level))
        if book.example:
            missing.add("kind")
            self.assumed.append(say("your class ({name}, an example of the practice arena)", name=book.name))
        max_hp = view.max_hp.value or memory.own.max_hp
        if max_hp is None:
            max_hp = max(book.max_hp, view.hp.value)
            missing.add("max_hp")
            self.assumed.append(say("your maximum HP ({hp})", hp=max_hp))
        ap = view.ap.value
        if ap is None:
            ap = book.base_ap
            missing.add("ap")
        mp = view.mp.value
        if mp is None:
            mp = self.mp_by_reach() or 0
            missing.add("mp")
            self.assumed.append(say("your MP ({mp})", mp=mp))
        mine = view.turn.value != "other"
        if view.turn.value == "mine" and not view.spells:
            self.assumed.append(
                say("that all your spells can be cast now (name their icons under My game, Spell bar)")
            )
        slots = view.spells if mine else tuple(replace(slot, usable=Seen()) for slot in view.spells)
        cooldowns, casts = _spell_limits(slots, book, ap, memory)
        return Fighter(
            id=PLAYER_ID,
            name=book.name,
            kind=book.key,
            team=OWN_TEAM,
            cell=self.cell,
            level=book.level,
            hp=view.hp.value,
            max_hp=max(max_hp, view.hp.value),
            ap=ap,
            mp=mp,
            base_ap=max(book.base_ap, ap),
            base_mp=max(book.base_mp, mp),
            spells=book.spells,
            stats=book.stats,
            shield=_raised_shield(book, casts) if view.shield.value is None else view.shield.value,
            cooldowns=cooldowns,
            casts=casts if view.log is None or view.log_past is not None else (),
            assumed=frozenset(missing),
            player=True,
        )

    def not_own(self, seen: Sighting) -> Fighter:
        """Returns another fighter, which stands on a cell."""
        known = self.bestiary.find(seen.kind, self.spellbook.level)
        missing = set(known.assumed)
        label = known.name if seen.kind is not None else say("the fighter on cell {cell}", cell=seen.cell)
        if seen.kind is None:
            missing.add("kind")
        if known.assumed:
            self.assumed.append(say("level, HP and spells of {fighter}", fighter=label))
        fraction = seen.hp_fraction
        if fraction is None:
            fraction = 1.0
            missing.add("hp")
            self.assumed.append(say("HP of {fighter} (full)", fighter=label))
        elif seen.old_life:
            missing.add("hp")
            share = round(100 * fraction)
            self.assumed.append(say("HP of {fighter} ({share} %, as last told)", fighter=label, share=share))
        assert seen.cell is not None
        max_hp = _eroded(known.max_hp, fraction)
        passed = (self.view.turn_number.value or self.memory.own.number or 1) - 1
        return Fighter(
            id=seen.id,
            name=known.name if seen.kind is not None else NAMELESS[seen.team],
            kind=known.kind,
            team=OWN_TEAM if seen.team == "ally" else ENEMY_TEAM,
            cell=seen.cell,
            level=known.level,
            hp=max(1, min(max_hp, round(fraction * max_hp))),
            max_hp=max_hp,
            eroded=known.max_hp - max_hp,
            ap=known.ap,
            mp=known.mp,
            base_ap=known.ap,
            base_mp=known.mp,
            spells=known.spells,
            stats=known.stats,
            cooldowns=tuple(
                (spell.key, spell.initial_cooldown - passed)
                for spell in known.spells
                if spell.initial_cooldown > passed
            ),
            assumed=frozenset(missing),
        )

    def mp_by_reach(self) -> int | None:
        """Returns the MP that the lit cells tell, None where they tell none.

        What looked lit in the last turn of others as well is the floor.
        """
        most = self.spellbook.base_mp + 3
        return mp_by_reach(self.view, self.cells, self.cell, most, self.memory.ground.always_lit)


def _eroded(max_hp: int, fraction: float) -> int:
    """Returns the maximum HP left to a fighter whose bar shows `fraction`, as if it had never been healed.

    Lost HP take a share of the maximum with them, so a bar shows more than what is left of the full HP.
    """
    share = EROSION_PERCENT / 100
    lost = max_hp * (1 - fraction) / (1 - share * fraction)
    return max_hp - int(share * lost)


def _raised_shield(book: Spellbook, casts: tuple[tuple[str, int], ...]) -> int:
    """Returns the shield the player gave itself this turn, in HP, where the screen does not show it."""
    cast = {key for key, _ in casts}
    return sum(
        round((effect.low + effect.high) / 2)
        for spell in book.spells
        if spell.key in cast and spell.max_range == 0
        for effect in spell.effects
        if effect.kind is EffectKind.SHIELD
    )


def _spell_limits(
    slots: tuple[SpellSlot, ...], book: Spellbook, ap: int, memory: Memory
) -> tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]:
    """Returns the player's cooldowns and casts of this turn, the spell bar having the last word."""
    by_slot = {slot.index: slot for slot in slots}
    cooldowns: list[tuple[str, int]] = []
    casts: list[tuple[str, int]] = []
    for index, spell in enumerate(book.spells):
        slot = by_slot.get(index, SpellSlot(index))
        left = slot.cooldown.value
        if left is None:
            left = 0 if slot.usable.value else memory.own.cooldown_left(spell.key)
        done = [(key, -1 if at is None else at) for key, at in memory.own.casts if key == spell.key]
        if slot.usable.value is True:
            left = 0
            if spell.casts_per_turn:
                done = done[-(spell.casts_per_turn - 1) :] if spell.casts_per_turn > 1 else []
        elif slot.usable.value is False and left == 0 and ap >= spell.ap and not _lacks_state(spell, memory):
            if spell.casts_per_turn:
                done += [(spell.key, -1)] * max(0, spell.casts_per_turn - len(done))
            else:
                left = 1
        if left > 0:
            cooldowns.append((spell.key, left))
        casts.extend(done)
    return tuple(cooldowns), tuple(casts)


def _lacks_state(spell: Spell, memory: Memory) -> bool:
    """Tells whether a spell may be grey for the player's states, as they are believed, not for its casts."""
    player = memory.player
    lacking = any(player is None or not player.has(state) for state in spell.required_states)
    forbidden = player is not None and any(player.has(state) for state in spell.forbidden_states)
    return lacking or forbidden or bool(spell.criterion)
