"""What the recurrent models are held against: as large, but answering at once.

Both are the same network with another configuration, trained and graded by the same code on the same states.
"""

from dataclasses import replace

from hrm.config import Config


def one_pass(config: Config) -> Config:
    """Returns the model that may take one ACT step only."""
    return replace(config, halt_max_steps=1)


def plain(config: Config) -> Config:
    """Returns a plain transformer of the same size: every block is passed once.

    With one cycle each the fast module's blocks read the tokens and the slow module's blocks read the result,
    from starting states that are constants: a stack without any recurrence.
    """
    return replace(config, H_cycles=1, L_cycles=1, halt_max_steps=1)
