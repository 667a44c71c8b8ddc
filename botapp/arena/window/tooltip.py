"""Tooltips, drawn into the picture: what a spell does, who stands on a cell."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from botapp.arena.window import lettering, tones
from botapp.arena.window.layout import ArenaLayout
from botapp.arena.window.looks import fighter_name, spell_name
from botapp.arena.window.moment import Moment, visible
from botapp.arena.window.words import say
from botapp.fight.sheet import max_range
from botapp.fight.spells import Effect, EffectKind, Shape, Spell, State, StateName, name_of_state
from botapp.fight.state import Fighter, FightState

_LASTING = frozenset((EffectKind.BUFF, EffectKind.STATE, EffectKind.GLYPH, EffectKind.TRAP))


def spell_lines(spell: Spell, fighter: Fighter, language: str) -> list[str]:
    """Returns a spell's description: name, cost and range, effects, limits."""
    far = max_range(fighter, spell)
    span = "range" if far != spell.min_range else "range_one"
    costs = [
        say(language, "cost", n=spell.ap),
        say(language, span, low=spell.min_range, high=far),
        *([say(language, "in_line")] if spell.in_line else []),
        *([] if spell.needs_sight else [say(language, "no_sight")]),
    ]
    limits = [
        say(language, key, n=value)
        for key, value in (
            ("cooldown", spell.cooldown),
            ("per_turn", spell.casts_per_turn),
            ("per_target", spell.casts_per_target),
            ("crit", spell.crit),
        )
        if value
    ]
    effects = [_effect_line(effect, language) for effect in spell.effects]
    lines = [spell_name(spell, language), " · ".join(costs), *effects]
    return [*lines, " · ".join(limits)] if limits else lines


def _effect_line(effect: Effect, language: str) -> str:
    line = say(
        language,
        effect.kind.value,
        low=effect.low,
        high=effect.high,
        element=say(language, effect.element.value),
        stat=say(language, f"stat_{effect.stat}") if effect.stat else "",
        state=_state_name(effect.state, language) if effect.state else "",
        name=effect.summon.name if effect.summon else "",
    )
    if effect.shape is not Shape.POINT:
        line += " · " + say(language, "area", n=effect.radius)
    if effect.kind in _LASTING and effect.turns > 1:
        line += " · " + say(language, "for_turns", n=effect.turns)
    if effect.trigger:
        line += " · " + say(language, "waits")
    if effect.delay:
        line += " · " + say(language, "later", n=effect.delay)
    if effect.payload:
        line += " : " + ", ".join(_effect_line(part, language) for part in effect.payload)
    return line


def fighter_lines(fighter: Fighter, language: str) -> list[str]:
    return [
        fighter_name(fighter, language),
        say(language, "level", n=fighter.level),
        say(language, "hp", hp=fighter.hp, max=fighter.max_hp),
        *(_state_name(state, language) for state in sorted(fighter.states, key=name_of_state)),
    ]


def _state_name(state: StateName, language: str) -> str:
    return say(language, state.value) if isinstance(state, State) else state.removeprefix("#")


def paint(painter: QPainter, places: ArenaLayout, state: FightState, moment: Moment) -> None:
    """Paints the tooltip of the spell or fighter under the mouse, if any."""
    me = state.fighter(moment.player)
    slot = moment.pointed.slot
    if slot is not None and slot < len(me.spells):
        box = places.slot(slot)
        lines = spell_lines(me.spells[slot], me, moment.language)
        _panel(painter, places, (box.centre[0], box.y - 0.012 * places.unit), lines)
        return
    under = next((f for f in visible(state, me) if f.cell == moment.pointed.cell), None)
    if under is not None and under.id not in moment.motion.moving and moment.winner is None:
        x, y = places.lattice.centre(under.cell)
        at = (x, y - 1.75 * places.lattice.cell_h)
        _panel(painter, places, at, fighter_lines(under, moment.language))


def _panel(painter: QPainter, places: ArenaLayout, foot: tuple[float, float], lines: list[str]) -> None:
    """Paints lines in a box whose lower edge's middle is at `foot`, kept inside the window."""
    s = places.unit
    title, text, step, edge = 0.0175 * s, 0.0135 * s, 0.026 * s, 0.014 * s
    widths = [lettering.width(lines[0], title, 0.18)]
    widths += [lettering.width(line, text, 0.14) for line in lines[1:]]
    w, h = max(widths) + 2 * edge, step * len(lines) + edge * 1.3
    x = max(4.0, min(foot[0] - w / 2, places.width - w - 4))
    y = max(4.0, foot[1] - h)
    painter.setPen(QPen(tones.faded("#5b648f", 0.95), max(1.0, 0.002 * s)))
    painter.setBrush(tones.faded(tones.INK, 0.94))
    painter.drawRoundedRect(QRectF(x, y, w, h), 0.008 * s, 0.008 * s)
    for row, line in enumerate(lines):
        at = (x + edge, y + edge * 0.65 + step * (row + 0.5))
        if row == 0:
            lettering.draw(painter, line, at, title, tones.GOLD, align=0, weight=0.18)
        else:
            lettering.draw(painter, line, at, text, "#e8ebff", align=0, weight=0.14)
