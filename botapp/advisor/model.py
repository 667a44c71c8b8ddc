"""Hop 5: the advisor's network: a projection for each type of token, the HRM core, and heads.

Tokens stand in the order registers, options, fighters; the first register carries the value and the Q-head.
The weights' file holds the configuration, the features' names and the temperatures that make confidences
honest. Next hop: `botapp.advisor.advisor` makes a `Decision` of the logits.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from botapp.advisor import weights_file
from botapp.advisor.calibration import Calibration
from botapp.advisor.features import CANDIDATE, FIGHTER, GLOBAL, current_names
from botapp.advisor.tokens import REGISTERS, Encoded
from botapp.host.message import say
from hrm.act import Stepper
from hrm.checkpoint import CheckpointError, load_strictly
from hrm.config import Config, preset
from hrm.layers import Block, Linear, rms_norm, undrawn
from hrm.model import Core

DEFAULT_WEIGHTS = Path(str(files("resources").joinpath("weights", "advisor-lite.safetensors")))
GPU_WEIGHTS = DEFAULT_WEIGHTS.with_name("advisor-full-1.safetensors")
REMEDY = say("install botapp again to bring the model back")
_TRUST = -5.0
"""What ten percent points of winning, by the search, take off an option's logit before any training."""
_PRIOR, _FORMER_PRIOR = "policy_prior.weight", "instinct.weight"
"""The key of the policy prior's weight, now and in weights of versions before 0.2."""
_FEATURES = {"context": GLOBAL, "fighter": FIGHTER, "option": CANDIDATE}


def lite(**changes: Any) -> Config:
    """Returns the configuration of the small model that runs on a CPU."""
    return preset("advisor-lite", **{"H_cycles": 1, "gradient": "recursion", **changes})


def full(**changes: Any) -> Config:
    """Returns the configuration of the large model for GPUs, about 27 M parameters."""
    shape = {"H_cycles": 1, "gradient": "recursion", "pos_encodings": "none", "halt_max_steps": 8}
    return preset("dual-process", **{**shape, **changes})


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
        """Projects (..., features) to (..., width)."""
        projected: Tensor = self.linear((features - self.mean) * self.gain)
        return projected


class Heads(nn.Module):
    """Reads the answers off the slow state; a module, so that an engine takes its weights to the device."""

    def __init__(self, model: "AdvisorModel") -> None:
        super().__init__()
        self.policy_hidden, self.policy = model.policy_hidden, model.policy
        self.value_hidden, self.value = model.value_hidden, model.value

    def forward(self, z_H: Tensor) -> tuple[Tensor, Tensor]:
        """Reads a logit for each token (B, S) and the value (B,), -1..1, off z_H (B, S, hidden)."""
        state = z_H.float()
        logits = self.policy(nn.functional.silu(self.policy_hidden(state))).squeeze(-1)
        value = self.value(nn.functional.silu(self.value_hidden(state[:, 0]))).squeeze(-1).tanh()
        return logits, value


class AdvisorModel(nn.Module):
    """Tokens in; after each ACT step a logit for each option, a value, and the Q-head's halt and continue."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        hidden = config.hidden_size
        self.context = Projection(len(GLOBAL), REGISTERS * hidden)
        self.fighter = Projection(len(FIGHTER), hidden)
        self.option = Projection(len(CANDIDATE), hidden)
        self.policy_prior = nn.Linear(len(CANDIDATE), 1, bias=False)
        nn.init.zeros_(self.policy_prior.weight)
        with torch.no_grad():
            self.policy_prior.weight[0, CANDIDATE.index("backed_up_share_gap")] = _TRUST
        self.core = Core(config)
        assert self.core.q_head.bias is not None
        nn.init.zeros_(self.core.q_head.bias)  # most answers are good enough to halt at
        soften(self.core)
        self.policy_hidden = Linear(hidden, hidden, bias=True)
        self.policy = Linear(hidden, 1, bias=True)
        self.value_hidden = Linear(hidden, hidden, bias=True)
        self.value = Linear(hidden, 1, bias=True)

    def embed(
        self, context: Tensor, fighters: Tensor, fighter_mask: Tensor, options: Tensor, option_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Projects features to tokens.

        Args:
            context: (B, len(GLOBAL)).
            fighters: (B, F, len(FIGHTER)).
            fighter_mask: (B, F) bool.
            options: (B, N, len(CANDIDATE)).
            option_mask: (B, N) bool.

        Returns:
            Tokens (B, REGISTERS + N + F, hidden) and their mask, True for real ones.
        """
        registers = self.context(context).view(len(context), REGISTERS, self.config.hidden_size)
        tokens = torch.cat((registers, self.option(options), self.fighter(fighters)), dim=1)
        always = torch.ones(len(context), REGISTERS, dtype=torch.bool, device=context.device)
        mask = torch.cat((always, option_mask, fighter_mask), dim=1)
        return rms_norm(tokens, self.config.rms_norm_eps), mask

    def choose(self, logits: Tensor, options: Tensor) -> Tensor:
        """Returns a logit for each option (B, N): what the core says of its token, and what its features say.

        The core begins with what the search found of the turn (`backed_up_share_gap`) and has to learn only
        where that is wrong.

        Args:
            logits: what `readout` gave, (B, S).
            options: their features, (B, N, len(CANDIDATE)), as `embed` took them.
        """
        told: Tensor = self.policy_prior(options).squeeze(-1)
        return logits[:, REGISTERS : REGISTERS + options.shape[1]] + told

    def readout(self, z_H: Tensor) -> tuple[Tensor, Tensor]:
        """Reads a logit for each token (B, S) and the value (B,), -1..1, off the slow state."""
        read: tuple[Tensor, Tensor] = Heads(self)(z_H)
        return read

    def stepper(self) -> Stepper:
        """Returns one ACT step, readout and all, as an engine takes it."""
        return Stepper(self.core, Heads(self))


@torch.no_grad()
def soften(core: Core) -> None:
    """Makes each block of fresh weights change little, less in deep models, so that all of them together do.

    The norm after each sum halves what came in before: after the 24 blocks of `full` options would differ by
    1 % of what they have in common, which bf16 cannot tell. GPT-2 scales its branches alike (A. Radford et
    al., 2019).
    """
    config = core.config
    passes = config.H_cycles * (config.L_cycles * config.L_layers + config.H_layers)
    for module in core.modules():
        if isinstance(module, Block):
            assert module.self_attn is not None
            for layer in (module.self_attn.o_proj, module.mlp.down_proj):
                layer.weight.mul_((2 * passes) ** -0.5)


def tensors(encoded: Sequence[Encoded], device: str = "cpu") -> tuple[Tensor, ...]:
    """Batches encoded states of one shape, in the order of `AdvisorModel.embed`'s arguments."""
    names = ("context", "fighters", "fighter_mask", "options", "option_mask")
    stacked = []
    for name in names:
        rows = [torch.from_numpy(getattr(e, name)) for e in encoded]
        stacked.append(torch.stack(rows).to(device))
    return tuple(stacked)


def save_weights(
    path: Path,
    model: AdvisorModel,
    calibration: Calibration,
    notes: dict[str, Any],
    form: weights_file.Form = "fp16",
    parts: int = 1,
) -> list[Path]:
    """Writes the weights with all it takes to use them; returns the files, see `botapp.advisor.weights_file`.

    Args:
        path: the file; several parts are numbered and lie beside it.
        model: whose weights.
        calibration: the temperatures that belong to them.
        notes: how they came about.
        form: what the numbers are stored as; int8 has one scale for each output channel.
        parts: how many files.
    """
    metadata = {
        "config": model.config.to_json(),
        "features": json.dumps(_FEATURES),
        **_described(calibration, notes),
    }
    return weights_file.write(path, weights_file.pack(model.state_dict(), form), metadata, parts)


def recalibrate(path: Path, calibration: Calibration, notes: dict[str, Any]) -> None:
    """Gives stored weights other temperatures and notes; the numbers stay as they are."""
    weights_file.rewrite(path, _described(calibration, notes), REMEDY)


def read_notes(path: Path) -> dict[str, Any]:
    """Reads how stored weights came about."""
    notes: dict[str, Any] = json.loads(weights_file.read(path, REMEDY)[1]["notes"])
    return notes


def weights_for(backend: str) -> Path:
    """Returns the app's own weights for a backend: the large model's for "rocm", "cuda" and "directml"."""
    return DEFAULT_WEIGHTS if backend == "cpu" or not GPU_WEIGHTS.is_file() else GPU_WEIGHTS


def load_weights(path: Path | None = None) -> tuple[AdvisorModel, Calibration]:
    """Loads the weights in fp32, and the temperatures that belong to them.

    Args:
        path: a file; of weights in parts any one of them, or their folder. None for those of the app.

    Raises:
        CheckpointError: a file is missing, damaged, or made for other features; the text names it and the
            remedy.
    """
    path = path or DEFAULT_WEIGHTS
    stored, metadata = weights_file.read(path, REMEDY)
    try:
        config = Config.from_json(metadata["config"])
        features = _features_in(metadata["features"])
        calibration = Calibration.from_json(json.loads(metadata["calibration"]))
    except (KeyError, ValueError, TypeError) as error:
        raise CheckpointError(
            say(
                "{file} holds no advisor's weights ({problem}); {remedy}",
                file=str(path),
                problem=repr(error)[:300],
                remedy=REMEDY,
            )
        ) from error
    with undrawn():
        model = AdvisorModel(replace(config, forward_dtype="float32"))
    weights = weights_file.unpack(stored)
    if _FORMER_PRIOR in weights:
        weights[_PRIOR] = weights.pop(_FORMER_PRIOR)
    for name, wanted in _FEATURES.items():
        known = current_names(features.get(name, ()))
        if not known or not set(known) <= set(wanted):
            raise CheckpointError(
                say(
                    "{file} was trained on other {name} features than this version's; {remedy}",
                    file=str(path),
                    name=name,
                    remedy=REMEDY,
                )
            )
        if known != wanted:
            _ignoring(weights, name, [wanted.index(feature) for feature in known], len(wanted))
    load_strictly(model, weights, str(path))
    return model.eval(), calibration


def _features_in(text: str) -> dict[str, list[str]]:
    """Returns the names of a token's features by the token, as weights carry them.

    Raises:
        ValueError: the text is something else.
    """
    features = json.loads(text)
    if not isinstance(features, dict):
        raise ValueError("features are no object")
    for names in features.values():
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError("features are no lists of names")
    return features


def _ignoring(weights: dict[str, Tensor], name: str, known: list[int], count: int) -> None:
    """Makes weights for some of a token's features fit all of them: those that came later count for nothing.

    Args:
        weights: changed in place.
        name: of the token, a key of `_FEATURES`.
        known: where the features they were trained on stand by now.
        count: how many features there are.
    """
    keys = [f"{name}.mean", f"{name}.gain", f"{name}.linear.weight"]
    for key in [*keys, _PRIOR] if name == "option" else keys:
        narrow = weights[key]
        if narrow.shape[-1] == len(known):
            weights[key] = narrow.new_zeros(*narrow.shape[:-1], count)
            weights[key][..., known] = narrow


def _described(calibration: Calibration, notes: dict[str, Any]) -> dict[str, str]:
    return {"calibration": json.dumps(asdict(calibration)), "notes": json.dumps(notes)}
