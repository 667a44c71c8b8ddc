"""Data that ships with the app: profiles, arena content, weights, translations."""
