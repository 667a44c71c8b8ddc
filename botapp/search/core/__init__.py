"""The search on the arrays of `botapp.fight.core`: what states are worth, what may be done, and the tree."""
