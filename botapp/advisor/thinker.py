"""The network that thinks while the search goes on: tokens of what is known, HRM, heads.

Tokens stand in the order register, candidates, fighters; the register carries the Q-head. State tokens are
made once, and what came of a slice is added to the register and the candidates before each step. The answer
begins with the search's own standing and the looks with its schedule: a fresh network answers and looks as
the search alone would.
"""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from botapp.advisor import own_weights, weights_file
from botapp.advisor.calibration import Calibration
from botapp.advisor.evidence import EVIDENCE, PROGRESS
from botapp.advisor.facts import CANDIDATE, CONTEXT, FIGHTER
from botapp.advisor.own_weights import REMEDY
from botapp.host.message import say
from hrm.act import Stepper
from hrm.checkpoint import load_strictly
from hrm.config import Config, preset
from hrm.layers import Block, Linear, rms_norm, undrawn
from hrm.model import Core
from hrm.small_weights import widen
from hrm.tensor_file import CheckpointError, require_numbers

TRUST = 12.0
"""What a difference of one in the log odds of winning, by the search, is worth as a logit before training."""
_FEATURES = {
    "context": CONTEXT,
    "fighter": FIGHTER,
    "candidate": CANDIDATE,
    "evidence": EVIDENCE,
    "progress": PROGRESS,
}


def lite(**changes: Any) -> Config:
    """Returns the configuration of the small model that runs on a CPU."""
    return preset("advisor-lite", **{"H_cycles": 1, "gradient": "recursion", "L_layers": 1, **changes})


def full(**changes: Any) -> Config:
    """Returns the configuration of the large model for GPUs, about 25 M parameters.

    Its widths are those that the kernels of our own can run, see `hrm.backends.levels.fits_kernels`.
    """
    shape = {"hidden_size": 320, "num_heads": 5, "H_cycles": 1, "gradient": "recursion"}
    how = {"pos_encodings": "none", "halt_max_steps": 8}
    return preset("dual-process", **{**shape, **how, **changes})


class Projection(nn.Module):
    """Features of one type of token to `width` numbers, brought to a common scale first."""

    mean: Tensor
    gain: Tensor

    def __init__(self, features: int, width: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("gain", torch.ones(features))
        self.linear = Linear(features, width, bias=True)

    def forward(self, features: Tensor) -> Tensor:
        projected: Tensor = self.linear((features - self.mean) * self.gain)
        return projected


@torch.no_grad()
def soften(core: Core) -> None:
    """Makes each block of fresh weights change little, less in deep models, so that all of them together do.

    The norm after each sum halves what came in before: after the 24 blocks of `full` candidates would differ
    by 1 % of what they have in common, which bf16 cannot tell. GPT-2 scales its branches alike (A. Radford et
    al., 2019).
    """
    config = core.config
    passes = config.H_cycles * (config.L_cycles * config.L_layers + config.H_layers)
    for module in core.modules():
        if isinstance(module, Block):
            assert module.self_attn is not None
            for layer in (module.self_attn.o_proj, module.mlp.down_proj):
                layer.weight.mul_((2 * passes) ** -0.5)


class ThinkerHeads(nn.Module):
    """Reads an `Answer` for all tokens off the slow state."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.token_hidden = Linear(hidden, hidden, bias=True)
        self.token = Linear(hidden, 2, bias=True)
        self.whole_hidden = Linear(hidden, hidden, bias=True)
        self.whole = Linear(hidden, 1, bias=True)
        for layer in (self.token, self.whole):
            nn.init.zeros_(layer.weight)

    def forward(self, z_H: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Reads (correction, looks, trust) off z_H (B, S, hidden), the first two for every token."""
        state = z_H.float()
        token = self.token(nn.functional.silu(self.token_hidden(state)))
        whole = self.whole(nn.functional.silu(self.whole_hidden(state[:, 0])))
        return token[..., 0], token[..., 1], TRUST * whole[:, 0].exp()


class Thinker(nn.Module):
    """The network: `tokens` once for a state, `with_evidence` before each step, `answer` after it."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        hidden = config.hidden_size
        self.context = Projection(len(CONTEXT), hidden)
        self.fighter = Projection(len(FIGHTER), hidden)
        self.candidate = Projection(len(CANDIDATE), hidden)
        self.evidence = Projection(len(EVIDENCE), hidden)
        self.progress = Projection(len(PROGRESS), hidden)
        self.core = Core(config)
        assert self.core.q_head.bias is not None
        nn.init.zeros_(self.core.q_head.bias)
        soften(self.core)
        self.heads = ThinkerHeads(hidden)

    def tokens(self, context: Tensor, candidates: Tensor, fighters: Tensor) -> Tensor:
        """Projects what does not change.

        Args:
            context: (B, len(CONTEXT)).
            candidates: (B, C, len(CANDIDATE)).
            fighters: (B, F, len(FIGHTER)).

        Returns:
            Tokens (B, 1 + C + F, hidden).
        """
        parts = (self.context(context)[:, None], self.candidate(candidates), self.fighter(fighters))
        return torch.cat(parts, dim=1)

    def with_evidence(self, tokens: Tensor, evidence: Tensor, progress: Tensor) -> Tensor:
        """Adds what is known by now and brings the tokens to one length.

        Args:
            tokens: as `tokens` made them.
            evidence: (B, C, len(EVIDENCE)).
            progress: (B, len(PROGRESS)).
        """
        known = torch.cat((self.progress(progress)[:, None], self.evidence(evidence)), dim=1)
        rest = tokens[:, known.shape[1] :]
        return rms_norm(
            torch.cat((tokens[:, : known.shape[1]] + known, rest), dim=1), self.config.rms_norm_eps
        )

    def stepper(self) -> Stepper:
        """Returns one ACT step, heads and all, as an engine takes it."""
        return Stepper(self.core, self.heads)


def fresh(config: Config | None = None) -> Thinker:
    """Returns a network that has learnt nothing: it answers as the search alone.

    Args:
        config: its shape, None for `lite` in fp32.
    """
    return Thinker(config or lite(forward_dtype="float32"))


def save_thinker(
    path: Path,
    model: Thinker,
    calibration: Calibration,
    notes: dict[str, Any],
    form: weights_file.Form = "fp16",
    parts: int = 1,
) -> list[Path]:
    """Writes the weights with all it takes to use them; returns the files, see `botapp.advisor.weights_file`.

    Args:
        path: the file; several parts are numbered and lie beside it.
        model: whose weights.
        notes: how they came about.
        form: what the numbers are stored as; int8 has one scale for each output channel.
        parts: how many files.
    """
    metadata = {
        "config": model.config.to_json(),
        "features": json.dumps(_FEATURES),
        "calibration": json.dumps(asdict(calibration)),
        "notes": json.dumps(notes),
    }
    return weights_file.write(path, weights_file.pack(model.state_dict(), form), metadata, parts)


def load_thinker(path: Path | None = None) -> tuple[Thinker, Calibration]:
    """Loads the weights in fp32, and the temperatures that belong to them.

    Args:
        path: a file; of weights in parts any one of them, or their folder. None for the app's own.

    Raises:
        CheckpointError: the file is missing, damaged, or made for other features; the text names it and the
            remedy.
    """
    path = path or own_weights.DEFAULT_WEIGHTS
    stored, metadata = weights_file.read(path, REMEDY)
    try:
        config = Config.from_json(metadata["config"])
        features = {name: tuple(columns) for name, columns in json.loads(metadata["features"]).items()}
        calibration = Calibration.from_json(json.loads(metadata["calibration"]))
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise CheckpointError(
            say(
                "{file} holds no advisor's weights ({problem}); {remedy}",
                file=str(path),
                problem=repr(error)[:300],
                remedy=REMEDY,
            )
        ) from error
    for name, wanted in _FEATURES.items():
        if features.get(name) != wanted:
            raise CheckpointError(
                say(
                    "{file} was trained on other {name} features than this version's; {remedy}",
                    file=str(path),
                    name=name,
                    remedy=REMEDY,
                )
            )
    with undrawn():
        model = Thinker(replace(config, forward_dtype="float32"))
    tensors = widen(stored)
    require_numbers(tensors, str(path))
    load_strictly(model, tensors, str(path))
    return model.eval(), calibration
