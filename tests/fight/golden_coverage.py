"""How often each thing of the rules and of the content is in fights."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from golden_traces import Engine, Step, Tape, floats_of

from botapp.content.library import classes, maps, monsters
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.spells import Affects, Effect, EffectKind, Element, Shape, State
from botapp.fight.state import Fighter, FightState, MarkKind

EVENTS = (
    "critical hit", "death", "death of a summon", "death of a summoner with summons", "trap sprung on foot",
    "trap sprung by a cast", "turn begun in a glyph", "impact of a push", "became invisible",
    "attack ended invisibility", "HP stolen", "AP stolen", "MP stolen", "AP removed", "MP removed",
    "shield absorbed", "held while leaving", "eroded", "buff given", "buff ended", "healed", "pushed",
    "pulled", "teleported", "summoned", "fight won", "everyone dead", "cut off", "placing",
    "actor killed itself",
)  # fmt: skip

CONDITIONS = (
    "over", "placing", "start-cell", "free-cell", "path", "walkable", "mp", "spell", "target", "ap",
    "cooldown", "casts-per-turn", "required-state", "forbidden-state", "pacified", "gravity", "summons",
    "range", "line", "taken-cell", "casts-per-target", "sight",
)  # fmt: skip

LEAST = 5
"""How often each thing must be seen in a recording."""


_KINDS, _SHAPES, _AFFECTS = 16, 8, 7
"""How many of the members, the first ones, the arena's own content has; the others have examples of their own
in tests/fight/core."""


class Coverage:
    """Counts fights with each class, monster and map, casts with each kind of effect, times of each event."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._kinds: set[str] = set()

    @property
    def table(self) -> dict[str, int]:
        """The counts by name, in order."""
        return dict(sorted(self._counts.items()))

    def missing(self) -> list[str]:
        """Returns what of today's rules and content was seen less than `LEAST` times."""
        wanted = [f"class {kind}" for kind in classes()] + [f"monster {kind}" for kind in monsters()]
        wanted += [f"map {key}" for key in maps()] + ["map by chance", "map of wild fights"]
        for name, members in (
            ("effect", islice(EffectKind, _KINDS)),
            ("shape", islice(Shape, _SHAPES)),
            ("element", Element),
            ("affects", islice(Affects, _AFFECTS)),
            ("state", State),
            ("mark", MarkKind),
        ):
            wanted += [f"{name} {member.value}" for member in members]
        wanted += [f"event {event}" for event in EVENTS]
        wanted += [f"refused {condition}" for condition in CONDITIONS]
        return [name for name in wanted if self._counts[name] < LEAST]

    def begin(self, first: FightState) -> None:
        key = first.map.key
        named = "by chance" if key.startswith("wild-") else "of wild fights" if key == "wild" else key
        self._counts[f"map {named}"] += 1
        self._counts["event placing"] += first.placing

    def end(self, last: FightState) -> None:
        """Counts who took part in a fight, and how it ended."""
        for kind in {one.kind for one in last.fighters} - {"test", "minion"}:
            self._counts[f"{'class' if kind in classes() else 'monster'} {kind}"] += 1
        teams = {one.team for one in last.fighters if one.alive and one.summoner is None}
        self._counts[f"event {('everyone dead', 'fight won', 'cut off')[len(teams)]}"] += 1

    def refused(self, conditions: Iterable[str]) -> None:
        self._counts.update(f"refused {condition}" for condition in conditions)

    def add(self, step: Step, engine: Engine) -> None:
        """Counts what happened in a step; the engine says what would have come of a push without impact."""
        before, action, after, _ = step
        seen: list[str] = []
        pairs = [(one, after.fighter(one.id)) for one in before.fighters]
        for old, new in pairs:
            seen += _happened(before, old, new)
        seen += ["summoned"] * (len(after.fighters) - len(before.fighters))
        marks = [mark for mark in after.marks if mark not in before.marks]
        if isinstance(action, Cast):
            self._counts.update(f"mark {mark.kind.value}" for mark in marks)
            seen += self._cast(step, pairs, engine)
        elif isinstance(action, Move):
            (walker,) = (new for old, new in pairs if old is before.actor)
            if walker.cell == action.target and before.actor.mp - walker.mp > len(action.path):
                seen.append("held while leaving")
        sprung = [
            mark
            for mark in before.marks
            if mark.kind is MarkKind.TRAP and mark not in after.marks and after.fighter(mark.owner).alive
        ]
        if sprung and not isinstance(action, EndTurn):
            seen.append("trap sprung by a cast" if isinstance(action, Cast) else "trap sprung on foot")
        if after.current != before.current and not before.placing:
            glyphs = [mark for mark in after.marks if mark.kind is MarkKind.GLYPH]
            seen += ["turn begun in a glyph"] * any(after.actor.cell in glyph.cells for glyph in glyphs)
            if not isinstance(action, EndTurn) and not after.fighter(before.actor.id).alive:
                seen.append("actor killed itself")
        self._counts.update(f"event {event}" for event in seen)
        for old, new in pairs:
            given = [buff for buff in new.buffs if buff not in old.buffs]
            self._counts.update(f"state {buff.state.value}" for buff in given if buff.state)

    def _cast(self, step: Step, pairs: list[tuple[Fighter, Fighter]], engine: Engine) -> list[str]:
        """Counts what the spell has in it and returns what became of it."""
        before, action, after, dice = step
        caster = before.actor
        spell = next(spell for spell in caster.spells if spell.key == action.spell)
        effects = [inner for effect in spell.effects for inner in (effect, *effect.payload)]
        self._counts.update(name for effect in effects for name in _names(effect))
        chance = spell.crit + caster.stats.crit if spell.crit else 0
        seen = ["critical hit"] * (chance > 0 and dice[0] * 100 < chance)
        kinds = {effect.kind for effect in effects}
        others = [(old, new) for old, new in pairs if old is not caster]
        for kind, points, verb in (
            (EffectKind.STEAL_AP, "ap", "AP stolen"),
            (EffectKind.REMOVE_AP, "ap", "AP removed"),
            (EffectKind.STEAL_MP, "mp", "MP stolen"),
            (EffectKind.REMOVE_MP, "mp", "MP removed"),
            (EffectKind.STEAL, "hp", "HP stolen"),
        ):
            lost = any(getattr(new, points) < getattr(old, points) and new.alive for old, new in others)
            seen += [verb] * (kind in kinds and lost)
        for kind, verb in ((EffectKind.PUSH, "pushed"), (EffectKind.PULL, "pulled")):
            seen += [verb] * (kind in kinds and any(new.cell != old.cell for old, new in others))
        moved = after.fighter(caster.id).cell == action.target != caster.cell
        seen += ["teleported"] * (EffectKind.TELEPORT in kinds and moved)
        if caster.has(State.INVISIBLE) and after.fighter(caster.id).alive:
            seen += ["attack ended invisibility"] * (not after.fighter(caster.id).has(State.INVISIBLE))
        if EffectKind.PUSH in kinds and _without_impact(step, engine) != [new.hp for _, new in pairs]:
            seen.append("impact of a push")
        return seen


def _names(effect: Effect) -> list[str]:
    return [
        f"effect {effect.kind.value}",
        f"shape {effect.shape.value}",
        f"element {effect.element.value}",
        f"affects {effect.affects.value}",
    ]


def _happened(before: FightState, old: Fighter, new: Fighter) -> list[str]:
    """Returns what happened to one fighter in a step."""
    seen = []
    if old.alive and not new.alive:
        seen.append("death" if old.summoner is None else "death of a summon")
        if any(one.alive and one.summoner == old.id for one in before.fighters):
            seen.append("death of a summoner with summons")
    seen += ["shield absorbed"] * (new.alive and 0 < new.shield < old.shield)
    seen += ["eroded"] * (new.eroded > old.eroded)
    seen += ["healed"] * (new.hp > old.hp)
    seen += ["buff given"] * any(buff.stat and buff not in old.buffs for buff in new.buffs[len(old.buffs) :])
    seen += ["buff ended"] * (len(new.buffs) < len(old.buffs))
    seen += ["became invisible"] * (new.has(State.INVISIBLE) and not old.has(State.INVISIBLE))
    return seen


def _without_impact(step: Step, engine: Engine) -> list[int]:
    """Returns the HP of those who were there, had no collision hurt anybody."""
    fighters = tuple(
        replace(one, stats=replace(one.stats, push_resistance=10**6)) for one in step.before.fighters
    )
    dice = Tape((*step.dice, *floats_of(0, 1000)))
    after = engine.apply(replace(step.before, fighters=fighters), step.action, dice)
    return [after.fighter(one.id).hp for one in step.before.fighters]
