"""Ways through the whole app in both languages: a newcomer's, one from the window, and seven of a player's.

Their pictures are for people:

    BOTAPP_JOURNEYS=FOLDER python -m pytest -m long tests/journeys

keeps those of all but the English newcomer's.
"""

import cv2
import pytest

from botapp.review.form import read_fight

MOST_CLICKS = 12
MOST_FROM_THE_WINDOW = 3
UNCONFIRMED = {"en": "Not confirmed: where the board is", "fr": "l'emplacement du plateau et votre niveau"}
SURE = {"en": "sure", "fr": "sûr"}
HEADS = {"en": "Cast Hammer blow on the enemy", "fr": "Lancer Coup de marteau sur l'ennemi à"}
FIRST = {
    "en": {
        "your-game": "Open the practice arena",
        "settings-class": "nor the window's title tells it",
        "withheld": "Bring the game's data",
        "review-opened": "Not as advised, the dearest first",
    },
    "fr": {
        "your-game": "Ouvrir l'arène",
        "settings-class": "Choisissez-la si ni l'écran",
        "withheld": "Importer les données du jeu",
        "review-opened": "Écarts avec le conseil, les plus coûteux d'abord",
    },
}
LATER = {"en": {"what-if-spell": "What if?"}, "fr": {"what-if-spell": "Et si"}}
SCREENS = [(language, *screen) for screen in ((1280, 720, 1), (3840, 2160, 2)) for language in ("en", "fr")]


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", pytest.param("fr", marks=pytest.mark.long)])
def test_the_first_advice_takes_twelve_clicks_at_most(walked, language):
    _, seen = walked("newcomer", language, 1920, 1080)
    assert not seen["trouble"], seen
    assert len(seen["clicks"]) <= MOST_CLICKS, seen["clicks"]
    assert seen["advice"].startswith(HEADS[language])
    assert len(seen["all_clicks"]) <= MOST_CLICKS, "with a character of one's own and the board confirmed"


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("begins", ["picked", "found"])
def test_from_the_window_to_the_first_advice_it_takes_three_clicks_at_most(walked, begins, language):
    _, seen = walked("picked", language, 1280, 720, only=[begins])
    assert not seen["trouble"], seen
    check(seen, {"unconfirmed": UNCONFIRMED[language]})
    assert SURE[language] not in seen["unconfirmed"], (
        "advice for an unconfirmed board or level is not called sure"
    )
    assert len(seen["clicks"]) <= MOST_FROM_THE_WINDOW, seen["clicks"]
    assert seen["advice"].startswith(HEADS[language])
    assert not any(UNCONFIRMED[language] in text for text in seen["first-advice"])
    if begins == "found":
        assert seen["costs"] and all(cost for _, cost in seen["costs"])


def check(seen, words):
    """Nothing is cut off, and each step says in its language what it is there for."""
    assert not {step: found for step, found in seen.items() if step.endswith("cut off") and found}
    for step, word in words.items():
        assert any(word in text for text in seen[step]), (step, word)


@pytest.mark.long
@pytest.mark.timeout(420)
@pytest.mark.parametrize(("language", "width", "height", "scale"), SCREENS)
def test_first_start_class_withheld_advice_overlay_and_review(walked, language, width, height, scale):
    _, seen = walked("first", language, width, height, scale)
    check(seen, FIRST[language])


@pytest.mark.long
@pytest.mark.timeout(420)
@pytest.mark.parametrize(("language", "width", "height", "scale"), SCREENS)
def test_what_if_and_export(walked, tmp_path, language, width, height, scale):
    folder, seen = walked("later", language, width, height, scale)
    check(seen, LATER[language])
    assert seen["board seen"] == [1.0]
    assert read_fight(folder / "mine.fight").moments
    assert cv2.imreadanimation(str(folder / "mine.webp"))[0]
    code, told, _ = seen["replay"]
    assert code == 0 and told
    left = {path.relative_to(tmp_path).parts[:2] for path in tmp_path.rglob("*") if path.is_file()}
    assert {part[1] for part in left if part[0].startswith("XDG")} <= {"botapp", "hrm"}
