"""The model: two level modules updated in turn, and the token model around them.

`Core` takes an input that is already embedded; the advisor puts its own projection and heads around it. `HRM`
is a core with token embeddings in front and a language head behind, its parameters named as the reference
names them.
"""

import contextlib
import math
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from hrm.config import Config
from hrm.layers import Block, Embedding, Linear, rotary_table, truncated_normal_

Q_BIAS = -5.0


class Carry(NamedTuple):
    """What a model holds between two ACT steps, each (B, S, hidden)."""

    z_H: Tensor
    z_L: Tensor

    def detach(self) -> "Carry":
        """The same states, cut off from the graph that made them."""
        return Carry(self.z_H.detach(), self.z_L.detach())

    def rows(self, index: Tensor) -> "Carry":
        """The rows that `index` (ids or a bool mask) picks."""
        return Carry(self.z_H[index], self.z_L[index])


class Level(nn.Module):
    """One level module: adds what is injected to its state, then runs its blocks."""

    def __init__(self, config: Config, layers: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Block(config) for _ in range(layers))

    def forward(
        self, state: Tensor, injected: Tensor, rotary: tuple[Tensor, Tensor] | None, mask: Tensor | None
    ) -> Tensor:
        """Updates the state (B, S, hidden)."""
        state = state + injected
        for block in self.layers:
            state = block(state, rotary, mask)
        return state


class Core(nn.Module):
    """Two levels, their starting states and the Q-head; input (B, S, hidden) already embedded."""

    H_init: Tensor
    L_init: Tensor

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        self.dtype: torch.dtype = getattr(torch, config.forward_dtype)
        self.L_level = Level(config, config.L_layers)
        if not config.shared:
            self.H_level = Level(config, config.H_layers)
        self.q_head = Linear(config.hidden_size, 2, bias=True)
        nn.init.zeros_(self.q_head.weight)
        assert self.q_head.bias is not None
        nn.init.constant_(self.q_head.bias, Q_BIAS)
        for name in ("H_init", "L_init"):
            self.register_buffer(name, truncated_normal_(torch.empty(config.hidden_size), 1.0))
        self.build_tables()

    def build_tables(self) -> None:
        """Makes the rotary tables, which follow from the configuration and are in no checkpoint."""
        config = self.config
        if config.pos_encodings == "rope":
            cos, sin = rotary_table(config.positions, config.head_dim, config.rope_theta)
            self.register_buffer("rotary_cos", cos, persistent=False)
            self.register_buffer("rotary_sin", sin, persistent=False)

    @property
    def high(self) -> Level:
        """The slow module; the fast one itself where the two are shared."""
        return self.L_level if self.config.shared else self.H_level

    def start(self, batch: int, length: int) -> Carry:
        """Makes the initial carry, (batch, length, hidden) each."""
        shape = (batch, length, self.config.hidden_size)
        return Carry(self.H_init.to(self.dtype).expand(shape), self.L_init.to(self.dtype).expand(shape))

    def forward(self, carry: Carry, x: Tensor, mask: Tensor | None = None) -> tuple[Carry, Tensor]:
        """Runs one ACT step.

        Args:
            x: embedded input (B, S, hidden); from step to step of a deliberation it may change.
            mask: (B, S) bool, True for real positions; None where nothing is padding.

        Returns:
            The new carry, still attached to its graph, and q (B, 2) in fp32: the logits of halt and continue.
        """
        x = x.to(self.dtype)
        if not self.config.carried:
            carry = self.start(x.shape[0], x.shape[1])
        attend = None if mask is None else mask[:, None, None, :]
        updates, backpropagated = self.config.schedule, self.config.backpropagated
        unrecorded = torch.no_grad() if torch.is_grad_enabled() else contextlib.nullcontext()
        with unrecorded:
            z_H, z_L = self._run_updates(updates[:-backpropagated], carry.z_H, carry.z_L, x, attend)
        z_H, z_L = self._run_updates(updates[-backpropagated:], z_H, z_L, x, attend)
        return Carry(z_H, z_L), self.q(z_H)

    def q(self, z_H: Tensor) -> Tensor:
        """Reads the logits of halt and continue, (B, 2) in fp32, off the first position."""
        q: Tensor = self.q_head(z_H[:, 0].float())
        return q

    def _run_updates(
        self, updates: str, z_H: Tensor, z_L: Tensor, x: Tensor, attend: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        rotary = None
        if self.config.pos_encodings == "rope":
            rotary = (
                self.get_buffer("rotary_cos")[: x.shape[1]],
                self.get_buffer("rotary_sin")[: x.shape[1]],
            )
        for update in updates:
            if update == "L":
                z_L = self.L_level(z_L, z_H + x, rotary, attend)
            else:
                z_H = self.high(z_H, z_L, rotary, attend)
        return z_H, z_L


class PuzzleEmbedding(nn.Module):
    """A vector for each puzzle id, trained by sign descent on the rows used (`hrm.optimizers.SignSGD`).

    The table is a buffer: it can be far larger than the rest of the model, and no dense gradient of it is
    ever made.
    """

    weights: Tensor

    def __init__(self, rows: int, width: int) -> None:
        super().__init__()
        self.register_buffer("weights", torch.zeros(rows, width))
        self.used: tuple[Tensor, Tensor] | None = None

    def forward(self, ids: Tensor, dtype: torch.dtype) -> Tensor:
        """Looks ids (B,) up as (B, width); in training `used` holds the rows for their gradient."""
        rows = self.weights[ids.long()]
        if self.training and torch.is_grad_enabled():
            rows = rows.detach().requires_grad_()
            self.used = (ids, rows)
        return rows.to(dtype)


class HRM(Core):
    """The token model of the reference: tokens (B, seq_len) to logits (B, seq_len, vocabulary)."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.embed_tokens = Embedding(config.vocab_size, config.hidden_size)
        self.lm_head = Linear(config.hidden_size, config.vocab_size)
        if config.puzzle_emb_ndim:
            self.puzzle_emb = PuzzleEmbedding(config.num_puzzle_identifiers, config.puzzle_emb_ndim)
        if config.pos_encodings == "learned":
            self.embed_pos = Embedding(config.positions, config.hidden_size)

    def embed(self, tokens: Tensor, puzzle: Tensor | None = None) -> Tensor:
        """Embeds tokens (B, seq_len) and puzzle ids (B,; None for all 0) as (B, positions, hidden)."""
        config = self.config
        x: Tensor = self.embed_tokens(tokens, self.dtype)
        if config.puzzle_emb_ndim:
            if puzzle is None:
                puzzle = torch.zeros(len(tokens), dtype=torch.long, device=tokens.device)
            vector = self.puzzle_emb(puzzle, self.dtype)
            vector = functional.pad(vector, (0, config.puzzle_len * config.hidden_size - vector.shape[-1]))
            x = torch.cat((vector.view(len(tokens), config.puzzle_len, config.hidden_size), x), dim=1)
        if config.pos_encodings == "learned":
            x = 0.707106781 * (x + self.embed_pos.embedding_weight.to(self.dtype))
        return math.sqrt(config.hidden_size) * x

    def read(self, z_H: Tensor) -> Tensor:
        """Reads logits (B, seq_len, vocabulary) off the slow state."""
        logits: Tensor = self.lm_head(z_H)[:, self.config.puzzle_len :]
        return logits


def count_parameters(model: nn.Module) -> int:
    """Counts the trained numbers of a model (puzzle tables, being buffers, are not among them)."""
    return sum(parameter.numel() for parameter in model.parameters())
