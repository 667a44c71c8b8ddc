"""A value is found by the object it was worked out for, and by no other for as long as it is kept."""

import weakref

from botapp.search.identity_cache import IdentityCache


class _Body:
    """Equal to every other one, as fighters and states may be."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Body)

    def __hash__(self) -> int:
        return 0


def test_an_object_that_is_merely_equal_has_a_value_of_its_own():
    cache: IdentityCache[int, str] = IdentityCache()
    one, other = _Body(), _Body()
    assert cache.keep(id(one), "one", one) == "one"
    assert cache.get(id(other)) is None
    cache.keep(id(other), "other", other)
    assert (cache.get(id(one)), cache.get(id(other))) == ("one", "other")


def test_no_later_object_is_given_the_value_of_an_earlier_one():
    cache: IdentityCache[tuple[int, int], int] = IdentityCache()
    for number in range(1000):
        body = _Body()
        assert cache.get((id(body), 3)) is None
        cache.keep((id(body), 3), number, body)


def test_every_object_of_a_key_lives_until_the_cache_is_cleared_or_gone():
    for end in (lambda caches: caches[0].clear(), lambda caches: caches.pop()):
        caches: list[IdentityCache[tuple[int, int], int]] = [IdentityCache()]
        one, other = _Body(), _Body()
        caches[0].keep((id(one), id(other)), 1, one, other)
        alive = [weakref.ref(one), weakref.ref(other)]
        del one, other
        assert all(ref() is not None for ref in alive)
        end(caches)
        assert not any(ref() is not None for ref in alive)


def test_a_cleared_cache_knows_nothing():
    cache: IdentityCache[int, int] = IdentityCache()
    body = _Body()
    cache.keep(id(body), 1, body)
    cache.clear()
    assert cache.get(id(body)) is None
