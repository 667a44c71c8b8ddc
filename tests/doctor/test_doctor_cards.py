"""Cards are known by their chip and their address, and versions by their leading numbers."""

from dataclasses import replace

import pytest
from machines import Machine, geforce, healthy_7800xt, two_gpus_7900xtx

from botapp.doctor.cards import amd, cards, gfx_name
from botapp.doctor.machine import version


@pytest.mark.parametrize(
    ("target", "gfx"),
    [
        (100100, "gfx1010"),
        (110001, "gfx1101"),
        (90010, "gfx90a"),
        (90402, "gfx942"),
        (120001, "gfx1201"),
        (100306, "gfx1036"),
    ],
)
def test_the_drivers_number_is_a_gfx_name(target: int, gfx: str) -> None:
    assert gfx_name(target) == gfx


def test_cards_are_known_by_chip_and_address() -> None:
    (found,) = cards(healthy_7800xt)
    assert (found.title, found.gfx, found.pci, found.power_w) == (
        "AMD Radeon RX 7800 XT",
        "gfx1101",
        "0000:03:00.0",
        31.0,
    )
    integrated, bought = cards(two_gpus_7900xtx)
    assert (integrated.integrated, bought.integrated) == (True, False)
    assert [card.gfx for card in amd(two_gpus_7900xtx)] == ["gfx1100"]
    (nvidia,) = cards(geforce)
    assert (nvidia.title, nvidia.total, nvidia.power_w) == ("NVIDIA GeForce RTX 3060", 12 << 30, 14.28)


def test_a_card_for_computing_alone_is_found_by_its_own_tool() -> None:
    h200 = "00000000:01:00.0, NVIDIA H200, 580.159.04, 143771, 0, 76.02\n"
    (found,) = cards(Machine(outputs={"nvidia-smi": h200}))
    assert (found.name, found.power_w) == ("NVIDIA H200 (0000:01:00.0)", 76.02)


def test_a_card_nobody_heard_of_is_named_by_its_numbers() -> None:
    files = {
        "/sys/class/drm/card0/device/vendor": "0x1002\n",
        "/sys/class/drm/card0/device/device": "0xffff\n",
        "/sys/class/drm/card1/device/vendor": "garbage\n",
        "/sys/class/drm/card1/device/device": "0x1\n",
    }
    first, second = cards(Machine(files=files))
    assert (first.title, first.gfx, first.pci) == ("AMD 0xffff", "", "")
    assert second.vendor == "0x0000"
    microsoft = {"title": "Basic Render", "vendor": 0x1414}
    assert cards(Machine(system="windows", adapters=(microsoft,))) == ()


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("6.16.13-ubuntu", (6, 16, 13)),
        ("535.183.01", (535, 183, 1)),
        ("", ()),
        ("abc", ()),
        ("3.14rc1", (3, 14)),
    ],
)
def test_versions_are_their_leading_numbers(text: str, numbers: tuple[int, ...]) -> None:
    assert version(text) == numbers


@pytest.mark.parametrize(
    ("memory", "integrated"), [(4_293_918_720, False), (0, True), (512 << 20, True), (16 << 30, False)]
)
def test_a_card_nobody_heard_of_is_judged_by_its_own_memory(memory: int, integrated: bool) -> None:
    """What Windows says: what fits 32 bits, nothing, a little with much that is shared."""
    adapter = {"title": "AMD Radeon", "vendor": 0x1002, "device": 1, "memory": memory, "shared": 4 << 30}
    (found,) = cards(Machine(system="windows", adapters=(adapter,)))
    assert (found.integrated, found.total) == (integrated, memory)


def test_a_chips_memory_is_that_of_the_computer_it_may_use_too():
    adapter = CHIP | {"memory": 512 << 20, "used": 1 << 28, "shared": 2 << 30, "may_share": 32 << 30}
    (found,) = cards(Machine(system="windows", adapters=(adapter,)))
    assert (found.total, found.used) == ((32 << 30) + (512 << 20), (2 << 30) + (1 << 28))
    (card,) = cards(Machine(system="windows", adapters=(CARD | {"used": 1 << 30, "may_share": 32 << 30},)))
    assert (card.total, card.used) == (16 << 30, 1 << 30)
    folder = "/sys/class/drm/card0/device/mem_info_gtt"
    files = two_gpus_7900xtx.files | {f"{folder}_total": f"{16 << 30}\n", f"{folder}_used": f"{1 << 30}\n"}
    chip, _ = cards(replace(two_gpus_7900xtx, files=files))
    assert (chip.total, chip.used) == ((16 << 30) + (1 << 29), (1 << 30) + (1 << 27))


CHIP = {"title": "AMD Radeon 890M", "vendor": 0x1002, "device": 0x150E, "shared": 32 << 30}
CARD = {"title": "AMD Radeon RX 7800 XT", "vendor": 0x1002, "device": 0x747E, "memory": 16 << 30}


@pytest.mark.parametrize("own", [512 << 20, 4_293_918_720, 32 << 30])
@pytest.mark.parametrize("chip_first", [True, False])
def test_a_chip_beside_a_card_is_told_apart_in_both_orders_whatever_is_set_aside_for_it(own, chip_first):
    both = (CHIP | {"memory": own}, CARD)
    told = cards(Machine(system="windows", adapters=both if chip_first else both[::-1]))
    assert {one.title: one.integrated for one in told} == {CHIP["title"]: True, CARD["title"]: False}


def test_a_card_of_intels_is_told_from_its_chips():
    card = {"title": "Intel Arc", "vendor": 0x8086, "device": 1, "memory": 16 << 30}
    chip = {"title": "Intel UHD", "vendor": 0x8086, "device": 2, "memory": 128 << 20}
    told = cards(Machine(system="windows", adapters=(card, chip)))
    assert [one.integrated for one in told] == [False, True]
