"""The game's rules, pure: values in, values out, no Qt, no torch."""

from botapp.fight.own_folder import choose

choose()
