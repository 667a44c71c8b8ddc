"""Training: data, loop, checkpoints, evaluation."""
