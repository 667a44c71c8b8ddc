"""The search on the flat arrays of `botapp.fight.core`: evaluation, default policy, rollouts and the tree."""
