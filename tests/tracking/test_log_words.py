import pytest
from hypothesis import given
from hypothesis import strategies as st

from botapp.tracking.log_facts import FactReader
from botapp.tracking.log_names import NameIndex, Names, bare, edits, known_names
from botapp.tracking.log_phrases import LANGUAGES, LOG_STYLES, Language, LogStyle, phrase, written
from botapp.tracking.log_words import FactKind, fact_of, is_log_line
from vision.text.lines import LogLine

WITH_AMOUNT = (FactKind.HP, FactKind.AP, FactKind.MP, FactKind.RANGE)
NAMES = st.sampled_from(
    ["Rôdeur des Marais", "Vogelscheuche Lahm", "Torv-Ald", "Yaëlle", "d'Écorce", "Ñandú", "Corvo do Pântano"]
)


@given(
    st.sampled_from([*WITH_AMOUNT, FactKind.CAST, FactKind.DIES, FactKind.SUMMONS, FactKind.TURN]),
    NAMES,
    NAMES,
    st.integers(1, 99_999),
    st.booleans(),
    st.none() | st.integers(1, 9),
    st.sampled_from(LANGUAGES),
    st.sampled_from(LOG_STYLES),
)
def test_what_a_client_writes_is_understood(
    kind: FactKind,
    who: str,
    what: str,
    amount: int,
    loses: bool,
    turns: int | None,
    language: Language,
    log_style: LogStyle,
) -> None:
    amount = -amount if loses and kind is not FactKind.TURN else amount
    text = written(phrase(kind, who, what, amount, turns, language=language, log_style=log_style))
    fact = fact_of(text)
    assert fact is not None, text
    assert fact.kind is kind
    if kind is not FactKind.TURN:
        assert fact.who == who
        assert text[slice(*fact.who_at)] == who
    if kind in (FactKind.CAST, FactKind.SUMMONS):
        assert fact.what == what
    if kind in (*WITH_AMOUNT, FactKind.TURN):
        assert fact.amount == amount
    if kind in (FactKind.AP, FactKind.MP) and log_style == "unity":
        assert fact.turns == turns


@pytest.mark.parametrize(
    ("text", "kind", "who", "what", "amount", "turns"),
    [
        ("Nocturlabe:-487PV.", FactKind.HP, "Nocturlabe", "", -487, None),
        ("Quebek: 1% Dommages finaux (3 )", FactKind.EFFECT, "Quebek", "% Dommages finaux", 1, 3),
        ("Quebek: Confusion horaire: 90 degrés (1 )", FactKind.EFFECT, "Quebek", "Confusion horaire", 90, 1),
        ("Milimulou: -44PV(4 + 6 + 26 + 8.", FactKind.HP, "Milimulou", "", -44, None),
        ("Charles-Martelo lanceAppui.", FactKind.CAST, "Charles-Martelo", "Appui", None, None),
        ("Pailledor perd 5 PDV.", FactKind.HP, "Pailledor", "", -5, None),
        (" Piou Vert est mort!", FactKind.DIES, "Piou Vert", "", None, None),
        ("Gólem : O -1PM (2 )", FactKind.MP, "Gólem", "", -1, 2),
        ("Marlou : -4 PM (30 )", FactKind.MP, "Marlou", "", -4, None),
        ("Jalató: -1 234 PdV (fuego)", FactKind.HP, "Jalató", "", -1234, None),
    ],
)
def test_lines_as_they_were_recognised_on_real_screens(
    text: str, kind: FactKind, who: str, what: str, amount: int | None, turns: int | None
) -> None:
    fact = fact_of(text)
    assert fact is not None
    assert (fact.kind, fact.who, fact.what, fact.amount, fact.turns) == (kind, who, what, amount, turns)


def test_a_critical_cast_is_told_in_the_line_or_after_it() -> None:
    one = fact_of("Bob lance Parafuso. Coup critique !")
    assert one is not None and one.critical and one.what == "Parafuso"
    alone = fact_of("Coup critique !")
    assert alone is not None and alone.kind is FactKind.CRITICAL


@pytest.mark.parametrize(
    "text",
    [
        "Impossible de lancer ce sort : un obstacle gène votre vue !",
        "(Groupe) Yanisop : les salons",
        "Vous avez gagné 2 192 points d'expérience.",
        "Terminez votre tour avec le bouton [Fin de tour].",
        "(Commerce) Yfitops : Vends [Parchemin de Kolizétons] 240 kk u",
        "(Échec critique)",
        "Woodcutter : -2 ÓHP",
        "",
    ],
)
def test_chat_and_hints_are_no_facts(text: str) -> None:
    assert fact_of(text) is None


def test_the_log_is_known_with_its_times() -> None:
    assert is_log_line("[11:45] Tour : 2")
    assert is_log_line("[11:45] Rose grise lance Pétale.")
    assert not is_log_line("[21:19] (Commerce) Yfitops : Vends [Parchemin] 240 kk u")


def test_a_name_read_with_a_slip_is_found_unless_another_is_as_near() -> None:
    index = NameIndex([("Épouvantail de Blé", "scarecrow"), ("Loup Gris", "wolf"), ("Loup Gros", "fat-wolf")])
    found = index.find("Epouvanfail de Bl6")
    assert found is not None and found.keys == ("scarecrow",) and found.slips == 2
    assert index.find("Loup Gris").keys == ("wolf",)
    assert index.find("Loup Gr1s") is None
    assert index.find("Chat") is None


def test_one_name_of_several_things_gives_all_their_keys() -> None:
    assert NameIndex([("Sanglier", "a"), ("sanglier", "b")]).find("SANGLIER").keys == ("a", "b")


@given(st.text("abcde", max_size=8), st.text("abcde", max_size=8))
def test_edits_are_symmetric_and_bounded(one: str, other: str) -> None:
    count = edits(one, other, 99)
    assert count == edits(other, one, 99)
    assert abs(len(one) - len(other)) <= count <= max(len(one), len(other))
    assert (count == 0) == (one == other)


def test_a_name_is_bare_without_accents_blanks_and_signs() -> None:
    assert bare("Cœur d'Épée-Noire") == "coeurdepeenoire" or bare("Cœur d'Épée-Noire") == "courdepeenoire"


def test_the_arenas_own_names_are_known_in_both_languages() -> None:
    names = known_names()
    assert names.fighters.find("Sanglier").keys == ("boar",)
    assert names.fighters.find("Boar").keys == ("boar",)
    assert names.spells.find("Griffes fouisseuses") is not None


def _line(text: str, sure: float = 0.95) -> LogLine:
    return LogLine(text, (sure,) * len(text))


@pytest.fixture
def facts() -> FactReader:
    return FactReader(
        Names(NameIndex([("Loup Gris", "wolf")]), NameIndex([("Morsure", "bite"), ("Appel", "call")]))
    )


def test_a_cast_of_a_known_monster_is_sure(facts: FactReader) -> None:
    told = facts.read(_line("Loup Gr is lance Morsure."))
    assert told.sure and told.fighters == ("wolf",) and told.spells == ("bite",)
    assert told.fact.who == "Loup Gris"


def test_an_unknown_spell_or_a_doubtful_number_is_not_sure(facts: FactReader) -> None:
    assert not facts.read(_line("Loup Gris lance Zoup.")).sure
    assert facts.read(_line("Loup Gris : -48PV.")).sure
    assert not facts.read(_line("Loup Gris : -48PV.", 0.6)).sure


def test_a_player_is_known_once_it_has_cast_known_spells_twice(facts: FactReader) -> None:
    assert not facts.read(_line("Marlou : -48PV.")).sure
    assert not facts.read(_line("Marlou lance Appel.")).sure
    assert facts.read(_line("Marlou lance Appel.")).sure
    told = facts.read(_line("Marl0u : -48PV."))
    assert told.sure and told.fact.who == "Marlou" and told.fighters == ()


def test_a_players_name_read_wrong_once_is_put_right(facts: FactReader) -> None:
    facts.read(_line("Marlau lance Appel."))
    facts.read(_line("Marlou lance Appel."))
    told = facts.read(_line("Marlou lance Morsure."))
    assert told.sure and told.fact.who == "Marlou"
    assert facts.read(_line("Marlau : -3PV.")).fact.who == "Marlou"


def test_the_own_name_is_sure_at_once() -> None:
    facts = FactReader(Names(NameIndex([]), NameIndex([])), own_name="Marlou")
    assert facts.read(_line("Marlou : -48PV.")).sure


def test_what_somebody_says_in_chat_is_not_sure(facts: FactReader) -> None:
    told = facts.read(_line("Bentley : 3 pm"))
    assert told is None or not told.sure


@pytest.mark.parametrize(
    "text", ["Loup : -235 PdVaaa.", "Igel : i BP (1)", "Loup : o -12 oPV", "Loup : 3 PMo (2)"]
)
def test_a_unit_with_letters_too_many_is_no_effect_and_no_state(text: str) -> None:
    fact = fact_of(text)
    assert fact is None or fact.kind not in (FactKind.EFFECT, FactKind.STATE)
