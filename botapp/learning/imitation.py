"""What training minimises: the distance from the search's judgement, after every ACT step.

The shares of the options are held against a soft maximum of the search's scores and by what they would cost,
the value against the fight's end, halt against "the answer at hand costs at most epsilon". Next hop:
`hrm.training.loop`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from botapp.advisor.model import AdvisorModel, Projection
from botapp.learning.grading import REGRET_CAP, answer
from botapp.learning.samples import Batch, Group, TrainingSamples
from hrm.layers import Block
from hrm.losses import binary_cross_entropy, halt_loss, soft_target_loss, value_loss
from hrm.training.loop import Task

_SMALLEST_SCALE = 0.05
_SHAPES = 64


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train; percent points are of winning, see `botapp/learning/LOG.md` for why these.

    Attributes:
        tokens: of a batch, padding included: large states come in smaller batches, which bounds the memory.
        temperature: percent points; the search's scores are divided by it for their soft maximum.
        epsilon: percent points; an answer that costs no more is good enough to halt at.
        steps: ACT steps graded on each batch.
        regret_weight, value_weight, halt_weight: shares in the loss.
        held_out: share of the fights kept for grading.
        watched: held-out states looked at while training goes on.
    """

    tokens: int = 98_304
    lr: float = 1e-3
    warmup: int = 200
    weight_decay: float = 0.1
    ema: float = 0.999
    temperature: float = 1.0
    epsilon: float = 1.0
    steps: int = 8
    regret_weight: float = 0.3
    value_weight: float = 0.5
    halt_weight: float = 0.5
    held_out: float = 0.08
    watched: int = 2048


class Imitation(Task):
    """Learns the search's scores and the fights' ends from batches drawn by the number of the step.

    Args:
        model: the model to train.
        samples: all states, on the model's device.
        rows: numbers of those to train on.
        watched: numbers of held-out ones to look at now and then.
        recipe: how to train.
        seed: what the batches are drawn from.
    """

    def __init__(
        self,
        model: AdvisorModel,
        samples: TrainingSamples,
        rows: Tensor,
        watched: Tensor,
        recipe: Recipe,
        seed: int,
    ) -> None:
        self.model, self.samples, self.recipe, self.seed = model, samples, recipe, seed
        self.groups = samples.groups(rows)
        self._weights = torch.tensor([float(len(group.rows)) for group in self.groups])
        self._watched = watched[: recipe.watched]

    def loss(self, step: int) -> tuple[Tensor, Mapping[str, Tensor]]:
        """Computes the mean loss over the ACT steps of one batch, its states all of one shape."""
        draw = torch.Generator().manual_seed(self.seed * 1_000_003 + step)
        group = self.groups[int(torch.multinomial(self._weights, 1, generator=draw))]
        return self.group_loss(group, draw)

    def group_loss(self, group: Group, draw: torch.Generator) -> tuple[Tensor, Mapping[str, Tensor]]:
        """Computes the loss of a batch drawn from one group."""
        count = max(1, self.recipe.tokens // group.tokens)
        index = torch.randint(len(group.rows), (count,), generator=draw).to(group.rows.device)
        return batch_loss(self.model, self.samples.batch(group, group.rows[index]), self.recipe)

    def evaluate(self) -> dict[str, float]:
        """Measures regret on held-out states, after the first step and the last one trained."""
        with torch.compiler.set_stance("force_eager"):
            answers = answer(self.model, self.samples, self._watched, self.recipe.steps)
        regrets = answers.chosen_regrets().clamp_max(REGRET_CAP).mean(0).tolist()
        return {"held_out_regret@1": regrets[0], f"held_out_regret@{len(regrets)}": regrets[-1]}


def batch_loss(model: AdvisorModel, batch: Batch, recipe: Recipe) -> tuple[Tensor, Mapping[str, Tensor]]:
    """Computes the loss of one batch, a mean over its rows and ACT steps, and what to report."""
    targets = (-batch.regrets / recipe.temperature).softmax(-1)
    costs = batch.regrets.clamp_max(REGRET_CAP) / recipe.temperature
    x, mask = model.embed(*batch.inputs)
    carry = model.core.start(len(batch), x.shape[1])
    total = torch.zeros((), device=x.device)
    said: list[Tensor] = []
    regret = good = total
    for _ in range(recipe.steps):
        carry, q = model.core(carry, x, mask)
        logits, value = model.readout(carry.z_H)
        options = model.choose(logits, batch.options.float())
        shares = options.masked_fill(~batch.option_mask, -torch.inf).softmax(-1)
        chosen = batch.regrets.gather(1, shares.argmax(-1, keepdim=True))[:, 0]
        fine = (chosen <= recipe.epsilon).float()
        total = total + soft_target_loss(options, targets, batch.option_mask)
        total = total + recipe.regret_weight * (shares * costs).sum()
        total = total + recipe.value_weight * value_loss(value, batch.outcomes)
        total = total + recipe.halt_weight * halt_loss(q[:, 0], fine)
        said.append(q)
        regret, good = chosen.clamp_max(REGRET_CAP).mean(), fine.mean()
        carry = carry.detach()
    total = total + 0.5 * recipe.halt_weight * _continue_loss(said)
    return total / (len(batch) * recipe.steps), {"regret": regret, "good": good}


def _continue_loss(said: list[Tensor]) -> Tensor:
    """Returns the loss of the continue head: what the next step thinks of stopping there or going further."""
    loss = torch.zeros((), device=said[0].device)
    for index, q in enumerate(said):
        ahead = said[min(index + 1, len(said) - 1)].detach()
        last = index + 2 >= len(said)
        target = (ahead[:, 0] if last else ahead.amax(-1)).sigmoid()
        loss = loss + binary_cross_entropy(q[:, 1], target)
    return loss


@torch.no_grad()
def fit_scales(model: AdvisorModel, samples: TrainingSamples, *, fresh: bool = True) -> None:
    """Sets what brings each feature to a common scale, from all tokens there are.

    Args:
        model: whose scales.
        samples: the tokens.
        fresh: False to leave the scales as they are that trained weights go with, but for features that came
            after them.
    """
    seen: list[tuple[Projection, Tensor]] = [
        (model.context, samples.context),
        (model.fighter, samples.fighters),
        (model.option, samples.options),
    ]
    for projection, tokens in seen:
        wide = tokens.float()
        new = (projection.gain == 0) | fresh
        projection.mean[new] = wide.mean(0)[new]
        projection.gain[new] = 1 / wide.std(0)[new].clamp_min(_SMALLEST_SCALE)


def compile_blocks(model: AdvisorModel) -> None:
    """Puts the core's blocks through torch.compile, once for each shape; what it cannot do runs eagerly."""
    torch._dynamo.config.recompile_limit = _SHAPES
    torch._dynamo.config.suppress_errors = True
    for module in model.core.modules():
        if isinstance(module, Block):
            module.compile(dynamic=False)
