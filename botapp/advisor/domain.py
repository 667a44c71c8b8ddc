"""Hop 6: when a state is too far from all that the model was trained on for any advice to stand by.

The rules tell the model of every mechanism there is, so no spell is foreign to it; but nothing was measured
of figures beyond the fights it was trained on. The limits and what they rest on are in
`botapp/advisor/LOG.md`. Next hop: `botapp.advisor.advisor` withholds its advice.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from botapp.advisor.model import AdvisorModel, Projection
from botapp.advisor.tokens import Encoded
from botapp.host.message import say

CONTEXT_LIMIT, FIGHTER_LIMIT, OPTION_LIMIT = 4.0, 4.0, 4.0
"""Deviations from training, root mean square in standard deviations, above which nothing is advised."""
SMALLEST_SCALE = 0.25
"""A feature is taken to vary by this at least: a rare state or glyph is news, but not far from training."""

TOO_FAR = say("This fight is too different from those the model was trained on.")

_LIMITS = (CONTEXT_LIMIT, FIGHTER_LIMIT, OPTION_LIMIT)


class TrainingDomain:
    """Tells when a state is too far from what a model was trained on, by the scales in its weights."""

    def __init__(self, model: AdvisorModel) -> None:
        self._scales = [_scale(part) for part in (model.context, model.fighter, model.option)]

    def refusal(self, encoded: Encoded) -> str:
        """Returns why nothing should be advised, as a sentence; "" where something may be."""
        too_far = any(far > limit for far, limit in zip(self.deviations(encoded), _LIMITS, strict=True))
        return TOO_FAR if too_far else ""

    def deviations(self, encoded: Encoded) -> tuple[float, ...]:
        """Returns how far the context, the farthest fighter and the farthest candidate are from training.

        Each is the root mean square over its features, in standard deviations of the training data or, for
        features that hardly varied there, in `SMALLEST_SCALE`.
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


def _scale(part: Projection) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Returns the mean and the inverse scale of each feature in training."""
    gain = part.gain.detach().clamp_max(1 / SMALLEST_SCALE)
    return part.mean.detach().cpu().float().numpy(), gain.cpu().float().numpy()
