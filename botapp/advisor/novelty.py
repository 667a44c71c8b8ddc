"""Hop 6: what a state has that the model was never trained on, and when that is too much for any advice.

The tokens speak of damage, heals, shields, AP and MP. Whatever else the rules know (glyphs, summons, states
and so on) is invisible to the model: such facts are named beside the advice, and its confidence is lowered by
`DOUBT`. A sheet that is mostly made of them, or figures beyond all that was ever measured, leave nothing to
stand by. The thresholds and what they rest on are in `botapp/advisor/LOG.md`. Next hop: the Decision panel.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from botapp.advisor.decision import Novelty, Subject
from botapp.advisor.encoding import Encoded
from botapp.advisor.model import AdvisorModel, Projection
from botapp.fight.spells import EffectKind, Spell
from botapp.fight.state import Fighter, FightState, MarkKind

KNOWN = frozenset(
    {
        EffectKind.DAMAGE,
        EffectKind.STEAL,
        EffectKind.HEAL,
        EffectKind.SHIELD,
        EffectKind.REMOVE_AP,
        EffectKind.REMOVE_MP,
        EffectKind.STEAL_AP,
        EffectKind.STEAL_MP,
    }
)
"""The kinds of effects that `botapp.advisor.features` tells the model about."""

DOUBT = 2.5
"""What logits are divided by, beside their temperature, where something is unknown."""
MOSTLY = 0.65
"""The share of own spells (0..1) the model knows nothing of, above which nothing is advised."""
CONTEXT_LIMIT, FIGHTER_LIMIT, OPTION_LIMIT = 6.0, 7.0, 15.0
"""Deviations from training, root mean square in standard deviations, above which nothing is advised."""

TOO_FOREIGN = "The model knows too few of your spells to advise you."
TOO_FAR = "This fight's figures are too far from all that the model was trained on."


def novelties(state: FightState) -> tuple[Novelty, ...]:
    """Returns what the fight has that the model does not know, from the actor's side; () for nothing."""
    actor = state.actor
    living = [f for f in state.fighters if f.hp > 0]
    others = [f for f in living if f.id != actor.id]
    own = {fighter.id for fighter in state.fighters if fighter.team == actor.team}
    marks = (m for m in state.marks if m.kind is MarkKind.GLYPH or m.owner in own)
    foreign = [s for s in actor.spells if _foreign(s)]
    found: dict[Subject, Iterable[str]] = {
        "own-spells": (s.name for s in foreign),
        "own-effects": (s.name for s in actor.spells if _partly_foreign(s) and s not in foreign),
        "spells": _named(f for f in others if any(map(_partly_foreign, f.spells))),
        "marks": (mark.name for mark in marks),
        "summons": _named(f for f in living if f.summoner is not None),
        "buffs": _named(f for f in living if f.buffs),
    }
    unique = {about: tuple(dict.fromkeys(names)) for about, names in found.items()}
    return tuple(Novelty(about, names) for about, names in unique.items() if names)


def _foreign(spell: Spell) -> bool:
    """Tells whether the model knows none of the spell's effects."""
    return not any(effect.kind in KNOWN for effect in spell.effects)


def _partly_foreign(spell: Spell) -> bool:
    return any(effect.kind not in KNOWN for effect in spell.effects)


def _named(fighters: Iterable[Fighter]) -> Iterable[str]:
    return (fighter.name for fighter in fighters)


class Guard:
    """Tells when a state is too far from what a model was trained on, by the scales in its weights."""

    def __init__(self, model: AdvisorModel) -> None:
        self._scales = [_scale(part) for part in (model.context, model.fighter, model.option)]

    def refusal(self, state: FightState, encoded: Encoded) -> str:
        """Returns why nothing should be advised, as a sentence; "" where something may be."""
        spells = state.actor.spells
        if sum(map(_foreign, spells)) > MOSTLY * len(spells):
            return TOO_FOREIGN
        if any(far > limit for far, limit in zip(self.deviations(encoded), _LIMITS, strict=True)):
            return TOO_FAR
        return ""

    def deviations(self, encoded: Encoded) -> tuple[float, ...]:
        """Returns how far the context, the farthest fighter and the farthest candidate are from training.

        Each is the root mean square over its features, in standard deviations of the training data.
        """
        rows = (
            encoded.context[None],
            encoded.fighters[encoded.fighter_mask],
            encoded.options[encoded.option_mask],
        )
        return tuple(
            float(np.sqrt(np.square((part - mean) * gain).mean(axis=1)).max())
            for part, (mean, gain) in zip(rows, self._scales, strict=True)
        )


_LIMITS = (CONTEXT_LIMIT, FIGHTER_LIMIT, OPTION_LIMIT)


def _scale(part: Projection) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Returns the mean and the inverse standard deviation of each feature in training."""
    return part.mean.detach().cpu().float().numpy(), part.gain.detach().cpu().float().numpy()
