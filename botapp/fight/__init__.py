"""The game's rules, pure: values in, values out, no Qt, no torch."""
