"""The configuration of an HRM: a frozen record, and the presets.

Field names are those of the reference's configuration, so that a configuration saved by its training script
can be read unchanged.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal

Positions = Literal["rope", "learned", "none"]
Precision = Literal["float32", "bfloat16", "float16"]

_CHOICES: dict[str, tuple[str, ...]] = {
    "pos_encodings": ("rope", "learned", "none"),
    "mixer": ("attention", "mlp"),
    "gradient": ("last-step", "recursion"),
    "forward_dtype": ("float32", "bfloat16", "float16"),
}
_LIMITS: dict[str, tuple[int, int]] = {
    "H_cycles": (1, 256),
    "L_cycles": (1, 256),
    "H_layers": (1, 1024),
    "L_layers": (1, 1024),
    "hidden_size": (1, 1 << 16),
    "num_heads": (1, 1 << 12),
    "halt_max_steps": (1, 1 << 16),
    "seq_len": (1, 1 << 20),
    "vocab_size": (1, 1 << 24),
    "puzzle_emb_ndim": (0, 1 << 20),
    "num_puzzle_identifiers": (1, 1 << 24),
    "mlp_inner": (1, 1 << 20),
    "puzzle_emb_len": (0, 1 << 16),
}
"""Smallest and largest values; files come from anywhere, and nothing is allocated before this is checked."""

_LARGEST = {"expansion": 64.0, "rope_theta": 1e12, "rms_norm_eps": 1.0, "halt_exploration_prob": 1.0}
_LARGEST_TABLE = 1 << 24
"""Numbers in a table of rotary positions, which no checkpoint holds and which is made on loading."""


@dataclass(frozen=True, slots=True)
class Config:
    """The shape of a model and its schedule of updates.

    Attributes:
        hidden_size: width of a token's state.
        num_heads: attention heads; must divide `hidden_size`.
        expansion: MLP width as a factor of `hidden_size`, rounded as the reference does; see `mlp_width`.
        mlp_inner: MLP inner width given outright, None to derive it from `expansion`.
        H_layers, L_layers: blocks of the slow (System 2) and the fast (System 1) module.
        H_cycles, L_cycles: H updates a step, and L updates before each of them.
        shared: one network serves as both modules (`L_layers` blocks; `H_layers` is then ignored).
        carried: a step goes on from the states of the step before it; else each step begins anew, which with
            one cycle of each level is a plain transformer, for comparisons.
        mixer: what mixes positions: attention, or an MLP over a sequence of fixed length.
        gradient: what a training step backpropagates through: the last L and the last H update, or the whole
            of the last recursion (`L_cycles` L updates and the H update).
        pos_encodings: rotary, learned, or none (for callers whose tokens encode their position).
        vocab_size, seq_len: size of the vocabulary, and tokens in a sequence; used by `HRM`, not by a bare
            `Core`.
        puzzle_emb_ndim, num_puzzle_identifiers: width (0: none) and rows of the puzzle embedding.
        puzzle_emb_len: positions the puzzle vector fills, None for as many as it needs.
        halt_max_steps: ACT steps at most.
        halt_exploration_prob: the share of training rows that must run a randomly drawn minimum of steps.
        q_continue: whether the "continue" head is trained (the reference) or only "halt" (TRM).
        forward_dtype: dtype of activations; the weights may be wider.
    """

    hidden_size: int = 512
    num_heads: int = 8
    expansion: float = 4.0
    mlp_inner: int | None = None
    H_layers: int = 4
    L_layers: int = 4
    H_cycles: int = 2
    L_cycles: int = 2
    shared: bool = False
    carried: bool = True
    mixer: Literal["attention", "mlp"] = "attention"
    gradient: Literal["last-step", "recursion"] = "last-step"
    pos_encodings: Positions = "rope"
    rope_theta: float = 10000.0
    rms_norm_eps: float = 1e-5
    vocab_size: int = 11
    seq_len: int = 81
    puzzle_emb_ndim: int = 0
    num_puzzle_identifiers: int = 1
    puzzle_emb_len: int | None = None
    halt_max_steps: int = 16
    halt_exploration_prob: float = 0.1
    q_continue: bool = True
    forward_dtype: Precision = "float32"

    def __post_init__(self) -> None:
        for name, (least, most) in _LIMITS.items():
            _check_integer(name, getattr(self, name), least, most)
        for name, limit in _LARGEST.items():
            _check_number(name, getattr(self, name), limit)
        for name in ("shared", "carried", "q_continue"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} is {getattr(self, name)!r}; it must be true or false")
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise ValueError(f"{name} is {getattr(self, name)!r}; choose one of {', '.join(choices)}")
        if self.hidden_size % self.num_heads:
            raise ValueError(
                f"hidden_size {self.hidden_size} is not a multiple of num_heads {self.num_heads}"
            )
        if self.pos_encodings == "rope" and self.head_dim % 2:
            raise ValueError(
                f"rotary positions need an even head size, not {self.head_dim}; change num_heads"
            )
        if self.pos_encodings == "rope" and self.positions * self.head_dim > _LARGEST_TABLE:
            raise ValueError(
                f"{self.positions} positions of heads {self.head_dim} wide make too large a rotary table; "
                "lower seq_len"
            )

    @property
    def head_dim(self) -> int:
        return self.hidden_size // self.num_heads

    @property
    def mlp_width(self) -> int:
        return self.mlp_inner or swiglu_width(self.hidden_size, self.expansion)

    @property
    def puzzle_len(self) -> int:
        """Positions that the puzzle embedding takes in front of the tokens."""
        if self.puzzle_emb_len is not None:
            return self.puzzle_emb_len
        return math.ceil(self.puzzle_emb_ndim / self.hidden_size)

    @property
    def positions(self) -> int:
        """Length of the whole sequence: puzzle positions, then tokens."""
        return self.puzzle_len + self.seq_len

    @property
    def schedule(self) -> str:
        """The updates of one ACT step in order, a letter each: "LLHLLH" for two cycles of each."""
        return ("L" * self.L_cycles + "H") * self.H_cycles

    @property
    def backpropagated(self) -> int:
        """How many of the schedule's last updates a training step backpropagates through."""
        return 2 if self.gradient == "last-step" else self.L_cycles + 1

    def to_json(self) -> str:
        """Writes the configuration as one line of JSON, as checkpoints carry it."""
        return json.dumps(asdict(self))

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> "Config":
        """Reads a configuration, ours or the reference's; keys that describe no model are ignored.

        Raises:
            ValueError: it is not an object with names and values, or a value is out of bounds.
        """
        if not isinstance(values, Mapping):
            raise ValueError(f"a configuration is an object with names and values, not {values!r:.60}")
        known = {field.name for field in fields(cls)}
        return cls(**{key: value for key, value in values.items() if key in known})

    @classmethod
    def from_json(cls, text: str) -> "Config":
        """Reads the output of `to_json`; raises ValueError as `from_mapping` does."""
        try:
            return cls.from_mapping(json.loads(text))
        except RecursionError:
            raise ValueError("the configuration is nested too deeply") from None


def _check_integer(name: str, value: object, least: int, most: int) -> None:
    if value is None and name in ("mlp_inner", "puzzle_emb_len"):
        return
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{name} is {value!r:.60}; it must be a whole number")
    if not least <= value <= most:
        shown = value if abs(value) < 10**30 else "too large a number"
        raise ValueError(f"{name} is {shown}; it must be at least {least} and at most {most}")


def _check_number(name: str, value: object, limit: float) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= limit:
        raise ValueError(f"{name} is {value!r:.60}; it must be a number from 0 to {limit:g}")


def swiglu_width(hidden: int, expansion: float) -> int:
    """Returns the reference's inner width of a SwiGLU: two thirds of the expansion, rounded up to 256s."""
    return math.ceil(round(expansion * hidden * 2 / 3) / 256) * 256


_TRM = Config(
    L_layers=2,
    L_cycles=6,
    H_cycles=3,
    shared=True,
    gradient="recursion",
    q_continue=False,
    puzzle_emb_ndim=512,
)

PRESETS: dict[str, Config] = {
    "reference": Config(puzzle_emb_ndim=512),
    "dual-process": Config(hidden_size=336, num_heads=6, L_layers=6, H_layers=12, mlp_inner=1024),
    "trm": _TRM,
    "trm-mlp": replace(_TRM, mixer="mlp", pos_encodings="none", puzzle_emb_len=7),
    "advisor-lite": Config(
        hidden_size=128,
        num_heads=4,
        mlp_inner=256,
        L_layers=2,
        H_layers=2,
        pos_encodings="none",
        halt_max_steps=8,
    ),
}


def read_change(text: str) -> tuple[str, Any]:
    """Reads FIELD=VALUE, as a command has it, the value in JSON or plain words; returns both.

    Raises:
        ValueError: it has no "=".
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"{text!r} is not FIELD=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def preset(name: str, **changes: Any) -> Config:
    """Returns a preset with changes applied.

    Raises:
        ValueError: there is no such preset, or the changes are invalid.
    """
    if name not in PRESETS:
        raise ValueError(f"there is no preset {name!r}; choose one of {', '.join(PRESETS)}")
    unknown = set(changes) - {field.name for field in fields(Config)}
    if unknown:
        raise ValueError(f"a configuration has no field {min(unknown)!r}")
    return replace(PRESETS[name], **changes)
