"""Turn search with rollouts: candidates, evaluation, play styles, budgets.

Knows the rules and nothing above them.
"""
