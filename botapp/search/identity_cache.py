"""What was worked out for an object, found again by the object's identity.

A search asks the same of the same fighters, spells and states thousands of times. To compare or hash them
field by field costs about as much as to work the answer out again; an `id` costs next to nothing, but is an
object's own only as long as the object lives. Next hop: the evaluations and rollouts of this package.
"""

from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class IdentityCache(dict[Key, Value]):
    """Values by keys that are made of ids, with the objects those ids belong to kept alive.

    A key is an id, or a tuple of ids and plain values. Values are looked up with the dict's own `get`, which
    is as fast as it can be, and are added with `keep` only:

        value = cache.get(id(fighter))
        if value is None:
            value = cache.keep(id(fighter), work_out(fighter), fighter)

    The objects must not change, and the value must depend on nothing but what the key is made of.
    """

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[object] = []

    def keep(self, key: Key, value: Value, *objects: object) -> Value:
        """Keeps a value, and the objects with it until the cache is cleared.

        Args:
            key: what it is found by.
            value: what was worked out.
            objects: all those whose ids are in the key.

        Returns:
            The value.
        """
        self._kept.extend(objects)
        self[key] = value
        return value

    def clear(self) -> None:
        """Forgets all values and lets go of the objects."""
        super().clear()
        self._kept.clear()
