"""The app: composition of vision, rules, advisor and model happens only in this package."""
