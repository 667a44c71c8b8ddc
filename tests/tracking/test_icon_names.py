"""Icons of the spell bar are named by tooltips and by own casts, and by nothing that is in doubt."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from botapp.fight.spells import Effect, EffectKind, Spell, Stats
from botapp.tracking import learnt_names
from botapp.tracking.learnt_names import Learnt, LearntNames
from botapp.tracking.log_names import NameIndex
from botapp.tracking.names import Names
from botapp.tracking.picture_names import IconNamer
from botapp.tracking.spellbook import Spellbook
from vision import profiles
from vision.extract import Reader
from vision.frame import Frame, Rect
from vision.signature import signature
from vision.synthetic import moving
from vision.text import hud_words
from vision.text.engine import TextEngine, TextSeen
from vision.text.reader import LogReader
from vision.view import FightView, Phase, Seen, SpellSlot

SECOND = 1_000_000_000


def _icon(seed: int) -> str:
    return signature(np.random.default_rng(seed).integers(0, 255, (40, 40, 3)).astype(np.uint8))


def _spell(key: str, name: str, cooldown: int = 0) -> Spell:
    return Spell(key, name, 3, 1, 6, (Effect(EffectKind.DAMAGE, 5, 6),), cooldown=cooldown)


BOOK = Spellbook(
    "fox", "Fox", 50, 300, 6, 3, Stats(),
    (_spell("bite", "Bite", 2), _spell("howl", "Howl", 2), _spell("leap", "Leap", 3), _spell("claw", "Claw")),
)  # fmt: skip
KNOWN = NameIndex([(spell.name, spell.key) for spell in BOOK.spells] + [("Foreign Bite", "other")])
ICONS = [_icon(n) for n in range(3)]


def _bar(at_s: float, *turns: int | None) -> FightView:
    """A picture with three icons; None for one that can be cast, else the turns that it shows."""
    slots = tuple(
        SpellSlot(n, Seen(turn is None, 1.0), Seen(turn or 0, 1.0), ICONS[n], Rect(40 * n, 400, 36, 36))
        for n, turn in enumerate(turns)
    )
    client = Rect(0, 0, 640, 480)
    return FightView(client, Seen(Phase.FIGHT, 1.0), spells=slots, captured_ns=int(at_s * SECOND))


def test_the_one_icon_that_shows_the_casts_turns_to_wait_is_named() -> None:
    namer = IconNamer()
    assert namer.by_casts(_bar(1, None, None, 1), Names()) == []
    namer.cast(["leap"], BOOK, 2 * SECOND)
    assert namer.by_casts(_bar(2, None, None, 1), Names()) == []
    found = namer.by_casts(_bar(2.4, None, 3, 1), Names())
    assert [(one.signature, one.key, one.name) for one in found] == [(ICONS[1], "leap", "Leap")]
    assert namer.by_casts(_bar(2.6, None, 3, 1), Names()) == []


@pytest.mark.parametrize(
    ("casts", "after", "names"),
    [
        (["leap"], (3, 3, 1), Names()),  # two icons show it
        (["leap"], (None, None, 3), Names()),  # it had turns to wait before
        (["bite", "howl"], (2, None, 1), Names()),  # two casts with as many turns to wait
        (["claw"], (None, None, 1), Names()),  # nothing to wait for
        (["leap"], (None, 3, 1), Names(icons={ICONS[1]: "howl"})),  # it has a name
    ],
)
def test_nothing_doubtful_names_an_icon(
    casts: list[str], after: tuple[int | None, ...], names: Names
) -> None:
    namer = IconNamer()
    namer.by_casts(_bar(1, None, None, 1), names)
    for key in casts:
        namer.cast([key], BOOK, 2 * SECOND)
    assert namer.by_casts(_bar(2.2, *after), names) == []


def _rest(
    namer: IconNamer,
    texts: list[str],
    pointer: tuple[int, int] | None,
    names: Names | None = None,
    until: int = 12,
) -> list[str]:
    """Lets the mouse rest for some pictures, five a second; returns the keys of what was named."""
    found = []
    frame = Frame(np.zeros((480, 640, 4), np.uint8), Rect(0, 0, 640, 480), 0, 0)
    seen = tuple(TextSeen(text, (0.9,) * len(text)) for text in texts)
    for step in range(until):
        view = _bar(step / 5, None, None, None)
        one = namer.by_tooltip(
            replace(frame, captured_ns=view.captured_ns), view, pointer, (names or Names(), KNOWN),
            lambda key, area: seen, BOOK,
        )  # fmt: skip
        found += [one.key] if one is not None else []
    return found


def test_a_tooltip_names_the_icon_that_the_mouse_rests_on() -> None:
    assert "howl" in _rest(IconNamer(), ["3 AP", "Howl", "some words of what it does"], (50, 410))


@pytest.mark.parametrize(
    ("texts", "pointer", "names"),
    [
        (["Howl"], (50, 300), None),  # on no icon
        (["Howl", "Bite"], (50, 410), None),  # two spells
        (["Foreign Bite"], (50, 410), None),  # another class's
        (["Howl"], (50, 410), Names(icons={ICONS[1]: "bite"})),  # named already
        (["Howl"], None, None),
    ],
)
def test_a_tooltip_in_doubt_names_nothing(
    texts: list[str], pointer: tuple[int, int] | None, names: Names | None
) -> None:
    assert _rest(IconNamer(), texts, pointer, names) == []


def test_a_mouse_that_passes_names_nothing() -> None:
    assert _rest(IconNamer(), ["Howl"], (50, 410), until=2) == []


def test_what_was_undone_is_kept_and_refused(tmp_path) -> None:
    one = Learnt("icons", ICONS[0], "bite", "Bite")
    path = tmp_path / "learnt.toml"
    learnt_names.save(LearntNames().with_learnt(one), path)
    kept = learnt_names.load(path).value
    assert kept.names.find("icons", ICONS[0])[0] == "bite"
    learnt_names.save(kept.without(one), path)
    undone = learnt_names.load(path).value
    assert undone.names == Names() and undone.refuses(ICONS[0], "bite")
    assert not undone.refuses(ICONS[0], "howl") and not undone.refuses(ICONS[1], "bite")


@pytest.mark.parametrize("text", ["[icons\n", "[icons]\nzz = 'bite'\n", "[other]\n", "[undone]\nab = 3\n"])
def test_a_damaged_file_costs_its_entries_alone_and_is_told(tmp_path, text: str) -> None:
    path = tmp_path / "learnt.toml"
    path.write_text(text, "utf-8")
    recalled = learnt_names.load(path)
    assert recalled.value == LearntNames() and recalled.messages


@pytest.fixture(scope="module")
def reader() -> Callable[[str, np.ndarray], tuple[TextSeen, ...]]:
    made: LogReader[object] = LogReader(lambda _: False, lambda _: None, TextEngine)

    def read(key: str, picture: np.ndarray) -> tuple[TextSeen, ...]:
        assert made.words(key, picture) is None
        made.step()
        found = made.words(key, picture)
        assert found is not None
        return found

    return read


@pytest.mark.long
@pytest.mark.parametrize(("seed", "level"), [(3, 135), (4, 51), (7, None)])  # the last has none on its HUD
def test_the_level_is_read_below_the_drawn_spell_bar(reader, seed: int, level: int | None) -> None:

    pixels = moving.moments("dofus-unity", 1, seed=seed, size=(1280, 720))[0].picture
    view = Reader(profiles.load("dofus-unity")).read(Frame(pixels, Rect(0, 0, 1280, 720), 0, 0))
    area = hud_words.level_area(view)
    assert area is not None
    read = reader(str(seed), pixels[area.y : area.bottom, area.x : area.right])
    assert hud_words.level_in(read) == level


@pytest.mark.parametrize(
    ("texts", "level"),
    [
        (["NIV. 24"], 24), (["XP", "Lvl 7"], 7), (["Niveau 215"], 200), (["Stufe 90", "NIV.90"], 90),
        (["24"], None), (["NIV. 24", "NIV. 25"], None), (["NIV. 0"], None), (["Niv. 3 Bouftou"], None),
        ([], None),
    ],
)  # fmt: skip
def test_a_level_is_what_one_text_alone_says(texts: list[str], level: int | None) -> None:
    assert hud_words.level_in(TextSeen(text, (0.95,) * len(text)) for text in texts) == level
