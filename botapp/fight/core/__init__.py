"""The rules on records: compiled by numba, or interpreted from the same source.

A state is a `Fight`, the map and all spells of the fight are a `Book`: names for the words of two arrays, see
`fight` and `spellbook`. The chapters of the rules, each on the ones before: `cells`, `sight`, `state`,
`buffs`, `summons`, `zones`, `marks`, `damage`, `movement`, `triggers`, `push`, `effects`, `resolving`,
`casting`, `turns`, `actions`; `expected` and `watching` look ahead with them. `requests` is the
entry for Python; `content`, `acts`, `pack` and `unpack` make records of what the app knows, and back.
"""
