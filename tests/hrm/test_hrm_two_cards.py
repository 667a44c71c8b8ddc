"""A chip within the processor beside a card: the card is taken in both orders, whatever memory they say."""

import itertools

import pytest

from hrm.backends.placement import BackendInfo, DeviceInfo
from hrm.backends.probing.choosing import choose

GIB = 1 << 30
ODD = (4_293_918_720, 0, None, 512 << 20, 16 * GIB)
"""What systems say of a card's memory: what fits 32 bits, nothing, not known, what it has of its own."""


def backends(*devices):
    cpu = BackendInfo("cpu", True, "", (DeviceInfo("cpu", "a processor"),))
    return [BackendInfo("rocm", True, "", devices), cpu]


def chip(index, memory=32 * GIB):
    return DeviceInfo(f"cuda:{index}", "Radeon 890M", "gfx1150", memory, shared=True)


def card(index, memory=16 * GIB):
    return DeviceInfo(f"cuda:{index}", "RX 7800 XT", "gfx1101", memory)


@pytest.mark.parametrize(("own", "shared"), [*itertools.product(ODD, (32 * GIB, *ODD))])
def test_the_card_is_taken_in_both_orders(own, shared):
    for there in (backends(chip(0, shared), card(1, own)), backends(card(0, own), chip(1, shared))):
        plan = choose(backends=there)
        assert plan.architecture == "gfx1101", (own, shared)


def test_the_chip_alone_is_taken_and_may_be_wished_for():
    assert choose(backends=backends(chip(0))).device == "cuda:0"
    assert choose(device="cuda:0", backends=backends(chip(0), card(1))).device == "cuda:0"


def test_of_several_cards_the_one_with_the_most_memory_is_taken():
    assert choose(backends=backends(card(0, 8 * GIB), card(1), chip(2))).device == "cuda:1"


def test_a_device_without_a_number_is_the_first_of_its_kind():
    plan = choose(device="cuda", backends=backends(chip(0), card(1)))
    assert (plan.device, plan.reason.count("no device")) == ("cuda:0", 0)
    assert "no device vulkan" in choose(device="vulkan", backends=backends(card(0))).reason
