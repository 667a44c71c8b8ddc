"""The rules on flat arrays of whole numbers: compiled by numba, or interpreted from the same source.

A state is `s`, a book (the map and all spells of the fight) is `b`; `layout` says what stands where in them.
Next hop: `botapp.fight.rules` asks for `FightState`s, `botapp.search.core` searches on the arrays themselves.
"""
