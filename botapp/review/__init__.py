"""Fights that are kept, to be looked at again: recorded, stored, shown, run through today's advice."""
