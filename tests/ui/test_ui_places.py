"""The advice before the fight in a player's words, in both languages, and on the overlay."""

from dataclasses import replace

import pytest
from ui_factories import LATTICE, PLAYER, searched, snapshot, state

from botapp.advisor.decision import ScoredAction
from botapp.fight.actions import Place, Ready
from botapp.host.settings import OverlaySettings
from botapp.ui import translation
from botapp.ui.compact.window import advice
from botapp.ui.overlay.geometry import OverlayGeometry
from botapp.ui.overlay.scene import build
from botapp.ui.overlay.visibility import OverlayLook
from botapp.ui.panels.decision import DecisionPanel
from botapp.ui.samples import History

GEOMETRY = OverlayGeometry(100, 60, 1280, 720)
BEST, ALIKE, POOR = 271, 243, 215


def scored(action, chance):
    return ScoredAction(action, chance, "", value=chance, line=(action,))


def choosing(here=0.47, **changes):
    """A snapshot before the fight: two cells as good, the own one, and a poor one."""
    places = [scored(Place(BEST), 0.54), scored(Place(ALIKE), 0.535), scored(Place(POOR), 0.3)]
    places = tuple(sorted([*places, scored(Ready(), here)], key=lambda one: -one.confidence))
    made = searched(
        choices=places,
        candidates=places,
        reflex=places[0],
        value=2 * places[0].confidence - 1,
        heat=((BEST, 1.0), (ALIKE, 0.95), (PLAYER, 0.3)),
        expected=(),
    )
    return snapshot(state=state(placing=True), decision=made, turn=None, **changes)


def panel_of(qtbot, shown):
    panel = DecisionPanel(History())
    qtbot.addWidget(panel)
    panel.resize(520, 640)
    panel.show()
    panel.offer(shown)
    qtbot.wait(5)
    return panel


@pytest.mark.parametrize(
    ("language", "headline", "details", "group"),
    [
        (
            "en",
            "Place yourself 3 cells down right",
            "There: 54% to win  ·  Your place: 47% to win  ·  the others may still move",
            "Place yourself 3 cells down right, or 1 other cell",
        ),
        (
            "fr",
            "Se placer 3 cases en bas à droite",
            "Là-bas : 54 % de victoire  ·  Votre place : 47 % de victoire  ·  "
            "les autres peuvent encore bouger",
            "Se placer 3 cases en bas à droite, ou 1 autre case",
        ),
    ],
)
def test_the_panel_says_where_to_stand_and_what_each_place_is_worth(
    qtbot, language, headline, details, group
):
    translation.use(language)
    panel = panel_of(qtbot, choosing())
    plain = panel.details.text().replace("\u00a0", " ").replace("\u202f", " ")
    assert (panel.headline.text(), plain) == (headline, details)
    assert panel.advised.bars.bars[0].text == group
    assert advice(choosing(), choosing()).headline == headline


def test_a_good_place_is_one_to_stay_on(qtbot):
    panel = panel_of(qtbot, choosing(here=0.8))
    assert panel.headline.text() == "Stay where you are"
    assert panel.details.text() == "Your place: 80% to win  ·  the others may still move"


@pytest.mark.parametrize(("here", "best"), [(0.47, BEST), (0.8, PLAYER)])
def test_the_overlay_outlines_the_best_cell_and_tells_both_chances(here, best):
    scene = build(choosing(here), OverlayLook("advice", 1.0), OverlaySettings(), GEOMETRY)
    assert [step.cell for step in scene.marks.steps] == [GEOMETRY.diamond(LATTICE, best)]
    told = [note.parts[0][0] for note in scene.marks.notes]
    assert told == (["54%", "47%"] if best == BEST else ["80%"])
    alike = (GEOMETRY.diamond(LATTICE, ALIKE, 0.86),)
    assert scene.alike == (alike if best == BEST else ())


def test_without_advice_the_overlay_says_why():
    reason = "The fight has not begun. No advice on your place yet: Your HP cannot be read."
    shown = replace(choosing(), advice="withheld", reason=reason, decision=None)
    scene = build(shown, OverlayLook("reason", 1.0, reason), OverlaySettings(), GEOMETRY)
    assert scene.badge.lines == (reason,)
    assert not scene.marks.steps
