"""`botapp migrate`: brings a project that was written for CUDA to a card of AMD's, step by step.

`steps` is the plan; `calls`, `collectives`, `attention` and `kernels` rewrite code; `run` carries the plan
out, remembers how far it got and can take it back.
"""

from hrm.migrate.project import MigrationError
from hrm.migrate.report import text, to_json, undone
from hrm.migrate.run import StepOutcome, migrate, undo
from hrm.migrate.steps import STEPS

__all__ = ["STEPS", "MigrationError", "StepOutcome", "migrate", "text", "to_json", "undo", "undone"]
