"""What a network says of recorded deliberations, reading after reading, however sure it is."""

from dataclasses import dataclass

import torch
from torch import Tensor

from botapp.advisor.network import answer_of
from botapp.advisor.thinker import Thinker
from botapp.learning.deliberations import RecordBatch
from botapp.learning.recorded import READINGS
from hrm.model import Carry


@dataclass(frozen=True, slots=True)
class Said:
    """What a network says of a batch after R readings: each (B, R, ...)."""

    logits: Tensor
    looks: Tensor
    q: Tensor


def think(
    model: Thinker, batch: RecordBatch, correction: float, first: int = 0, autocast: bool = False
) -> Said:
    """Lets a network read a batch from reading `first` on, however sure it is; gradients stay in a step."""
    tokens = model.tokens(batch.context, batch.candidates, batch.fighters)
    carry = model.core.start(len(tokens), tokens.shape[1])
    carry = Carry(*(part.to(tokens.device) for part in carry))
    logits, looks, qs = [], [], []
    count = batch.candidates.shape[1]
    for reading in range(first, READINGS):
        x = model.with_evidence(tokens, batch.evidence[:, reading], batch.progress[:, reading])
        with torch.autocast(tokens.device.type, torch.bfloat16, enabled=autocast):
            after, q = model.core(carry, x, batch.mask)
        carry = after.detach()
        answer = answer_of(model.heads(after.z_H), count)
        odds = batch.odds[:, reading]
        logits.append(answer.logits(odds, correction).masked_fill(~batch.real, -1e4))
        looks.append(answer.looks)
        qs.append(q.float())
    return Said(*(torch.stack(part, dim=1) for part in (logits, looks, qs)))
