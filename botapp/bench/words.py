"""Measures the text reader on drawn logs: how many names and numbers are right, and what a line costs.

The logs are drawn in the style of the three clients, in five languages, with names made up here: at 0.75 to
twice the usual size, in several fonts, wrapped, with chat between, scrolled, some packed as JPEG.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import numpy.typing as npt
import typer

from botapp.tracking.log_facts import FactReader, LogFact
from botapp.tracking.log_names import NameIndex, Names
from botapp.tracking.log_phrases import LANGUAGES, LOG_STYLES, Language, LogStyle, Part, phrase
from botapp.tracking.log_words import FactKind, is_log_line
from vision.frame import Frame, bgra
from vision.synthetic.logs import DrawnLog, blurred, look
from vision.text.engine import TextEngine
from vision.text.reader import LogReader

_LABELS = "log-labels.json"  # What a folder of pictures calls the lines of their logs, labelled by eye

_BEINGS: Mapping[Language, tuple[str, str]] = {
    "fr": (
        "Loup Crapaud Épouvantail Sorcière Guêpe Bûcheron Golem "
        "Hérisson Chêne Lézard Corbeau Fantôme Rôdeur Fée "
        "Grêlon Moustique Sanglote Tisserand Ogre Belette",
        "Enragé|Fêlé|des Marais|d'Écorce|Boiteux|à Crête|"
        "du Grenier|Gelé|Noir|Malicieux|Ébouriffé|de l'Ombre|Côtelé",
    ),
    "en": (
        "Wolf Toad Scarecrow Witch Wasp Woodcutter Golem "
        "Hedgehog Lizard Raven Ghost Prowler Fairy Hailstone Weaver",
        "of the Marsh|Grumpy|Frozen|Black|in Bark|the Lame|with Wings|Cracked|Tangled|from Below|Moss-grown",
    ),
    "es": (
        "Lobo Sapo Espantapájaros Bruja Avispa Leñador Gólem Erizo Lagarto Cuervo Fantasma Araña Hada Ladrón",
        "Rabioso|del Pantano|Negro|Helado|de Corteza|Cojo|Pequeño|Añejo|de la Niebla|Bromista|Dañino",
    ),
    "pt": (
        "Lobo Sapo Espantalho Bruxa Vespa Lenhador Golem Ouriço Lagarto Corvo Fantasma Aranha Fada Ladrão",
        "Furioso|do Pântano|Negro|Gelado|de Casca|Manco|Maçante|do Sótão|Brincalhão|da Névoa|Sombrio",
    ),
    "de": (
        "Wolf Kröte Vogelscheuche Hexe Wespe Holzfäller Golem Igel Eidechse Rabe Gespenst Spinne Fee Räuber",
        "im Moor|Wütend|Gefroren|aus Rinde|Lahm|vom Dachboden|der Nebel|Weiß|Größer|Verstrubbelt|Übermütig",
    ),
}
_SPELLS: Mapping[Language, tuple[str, str]] = {
    "fr": (
        "Épine Flèche Griffe Étincelle Souffle Râle Pluie "
        "Lame Chaîne Bourrasque Piqûre Appel Vœu Tempête Éclat",
        "Glacée|Brûlante|de Rouille|du Soir|Perçante|d'Argile|Oubliée|à Rebours|Sèche|en Tourbillon|Tenace",
    ),
    "en": (
        "Thorn Arrow Claw Spark Breath Rattle Rain Blade Chain Gust Sting Call Wish Storm Shard",
        "of Ice|Burning|of Rust|of Dusk|Piercing|of Clay|Forgotten|in Reverse|Dry|Whirling|Stubborn",
    ),
    "es": (
        "Espina Flecha Garra Chispa Aliento Lluvia Hoja Cadena Ráfaga Picadura Llamada Deseo Tormenta Añico",
        "Helada|Ardiente|de Óxido|del Ocaso|Punzante|de Arcilla|Olvidada|al Revés|Seca|Tenaz",
    ),
    "pt": (
        "Espinho Flecha Garra Faísca Sopro Chuva Lâmina "
        "Corrente Rajada Picada Chamado Desejo Tempestade Estilhaço",
        "Gelado|Ardente|de Ferrugem|do Poente|Cortante|de Argila|Esquecido|às Avessas|Seco|Tenaz",
    ),
    "de": (
        "Dorn Pfeil Kralle Funke Atem Regen Klinge Kette Böe Stich Ruf Wunsch Sturm Scherbe",
        "aus Eis|Brennend|aus Rost|der Dämmerung|Stechend|aus Lehm|Vergessen|Rückwärts|Dürr|Zäh",
    ),
}
_EFFECTS: Mapping[Language, str] = {
    "fr": "Puissance", "en": "Power", "es": "Potencia", "pt": "Potência", "de": "Kraft"
}  # fmt: skip
_CHAT = (
    "(Guilde) Marlou : qui vient au donjon ce soir ?",
    "(Trade) Bentley : selling 3 rings, 12 500 each",
    "(Commerce) Yala : vends bottes neuves 240 kk",
    "de Torvald : merci, à plus tard !",
    "(Grupo) Nuria : listos, vamos ya",
    "Vous avez gagné 2 192 points d'expérience.",
)
Maker = Callable[[Language, LogStyle], tuple["WrittenLine", tuple[Part, ...]]]
_PLAYERS = ("Marlou", "Quebello", "Torv-Ald", "Yaëlle", "Brinka", "Xamio", "Sylvadur", "Noctilia")
_SCREEN = (1400, 900)
_WAIT_S = 0.36  # How long a line may wait for its next row


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """A line that was drawn: what it says, in which language and style."""

    kind: FactKind | None
    who: str = ""
    what: str = ""
    amount: int | None = None


@dataclass(slots=True)
class Tally:
    """What came of reading drawn logs.

    Attributes:
        lines: how many lines of a fight were drawn.
        sure: how many of them were said to be sure.
        names, names_right: names on lines said to be sure, and those that were right; `numbers` likewise.
        wrong: sure facts that are not those drawn, in words.
        twice: lines that were said more than once.
        line_ms: processor time of each look that had new lines, by line.
    """

    lines: int = 0
    sure: int = 0
    names: int = 0
    names_right: int = 0
    numbers: int = 0
    numbers_right: int = 0
    twice: int = 0
    wrong: list[str] = field(default_factory=list)
    line_ms: list[float] = field(default_factory=list)
    not_found: int = 0


def made_up_names() -> dict[Language, tuple[list[str], list[str]]]:
    def combined(words: str, endings: str) -> list[str]:
        return [f"{word} {other}" for word in words.split() for other in endings.split("|")]

    return {language: (combined(*_BEINGS[language]), combined(*_SPELLS[language])) for language in LANGUAGES}


def measure(logs: int, seed: int = 0, lines: int = 16, log_style: LogStyle | None = None) -> Tally:
    """Draws logs, reads them as the app does and compares.

    Args:
        logs: how many.
        lines: how many lines of a fight each has at least.
        log_style: of one client only; all in turn if left out.
    """
    engine, tally = TextEngine(), Tally()
    known = made_up_names()
    names = Names(
        NameIndex((name, name) for beings, _ in known.values() for name in beings),
        NameIndex((name, name) for _, spells in known.values() for name in spells),
    )
    for number in range(logs):
        dice = np.random.default_rng((seed, number))
        style = log_style or LOG_STYLES[number % len(LOG_STYLES)]
        _measure_one(engine, names, known, style, dice, lines, tally)
    return tally


def _measure_one(
    engine: TextEngine,
    names: Names,
    known: Mapping[Language, tuple[list[str], list[str]]],
    log_style: LogStyle,
    dice: np.random.Generator,
    lines: int,
    tally: Tally,
) -> None:
    language = LANGUAGES[int(dice.integers(len(LANGUAGES)))]
    scale = float(np.exp(dice.uniform(np.log(0.75), np.log(2.0))))
    style = look(log_style, scale, dice)
    width = round(style.cap * dice.uniform(34, 60))
    log = DrawnLog(style, width, round(style.cap * style.pitch * dice.uniform(4.5, 12)), dice)
    screen = _ground(dice, width, log.height)
    reader = _reader(names, engine)
    quality = int(dice.choice([0, 0, 0, 90, 80]))
    drawn: list[WrittenLine] = []
    read: list[LogFact] = []
    story = _story(dice, *known[language])
    while len(drawn) < lines:
        fresh = 0
        for _ in range(int(dice.integers(1, 4))):
            if dice.random() < 0.12:
                log.add([(str(dice.choice(_CHAT)), "chat")], "21:07")
            line, parts = next(story)(language, log_style)
            log.add([(part.text, part.role) for part in parts], "21:07")
            drawn.append(line)
            fresh += 1
        panel = log.picture()
        if quality:
            panel = blurred(panel, quality)
        frame = screen.copy()
        top, left = frame.shape[0] - panel.shape[0] - 12, 12
        frame[top : top + panel.shape[0], left : left + panel.shape[1], :3] = panel
        before = time.thread_time()
        _offer(reader, frame)
        known_panel = reader.panel is not None
        reader.step()
        if known_panel:
            tally.line_ms += [(time.thread_time() - before) * 1000 / fresh] * fresh
        read += reader.take()
    read += _last(reader, tally)
    _compare(drawn, read, tally, f"{log_style} {language} {style.face.name} x{scale:.2f} q{quality}")


def _reader(names: Names, engine: TextEngine) -> LogReader[LogFact]:
    return LogReader(is_log_line, FactReader(names).read, lambda: engine, (0.0, 0.0))


def _offer(reader: LogReader[LogFact], pixels: npt.NDArray[np.uint8]) -> None:
    frame = Frame.still(pixels, seq=time.monotonic_ns())
    reader.offer(frame, frame.rect)


def _last(reader: LogReader[LogFact], tally: Tally) -> list[LogFact]:
    """Returns what is left to be said once no further row can come; counts a log that was not found."""
    time.sleep(_WAIT_S)
    reader.step()
    tally.not_found += reader.panel is None
    return list(reader.take())


def _ground(dice: np.random.Generator, width: int, height: int) -> npt.NDArray[np.uint8]:
    """Returns a screen with nothing to read on it, BGRA."""
    size = (max(_SCREEN[1], height + 80), max(_SCREEN[0], width + 80))
    image = np.empty((*size, 4), np.uint8)
    image[:] = (*dice.integers(20, 200, 3).tolist(), 255)
    return image


def _story(dice: np.random.Generator, beings: list[str], spells: list[str]) -> Iterator[Maker]:
    enemies = [str(name) for name in dice.choice(beings, 3, replace=False)]
    players = [str(name) for name in dice.choice(_PLAYERS, 2, replace=False)]
    book = {
        name: [str(spell) for spell in dice.choice(spells, 4, replace=False)] for name in (*enemies, *players)
    }
    turn = int(dice.integers(1, 9))
    while True:
        turn += 1
        yield _line(FactKind.TURN, amount=turn)
        for caster in (*players, *enemies):
            for _ in range(int(dice.integers(1, 3))):
                yield _line(FactKind.CAST, caster, str(dice.choice(book[caster])))
                others = [name for name in (*enemies, *players) if name != caster]
                for hit in dice.choice(others, int(dice.integers(0, 3)), replace=False):
                    yield _consequence(dice, str(hit), enemies)


def _consequence(dice: np.random.Generator, hit: str, enemies: list[str]) -> Maker:
    what = dice.random()
    if what < 0.6:
        return _line(FactKind.HP, hit, amount=-int(np.exp(dice.uniform(0, np.log(2500)))))
    if what < 0.68:
        return _line(FactKind.HP, hit, amount=int(np.exp(dice.uniform(0, np.log(900)))))
    if what < 0.78:
        return _line(FactKind.AP, hit, amount=int(dice.integers(-4, 0)), turns=int(dice.integers(1, 4)))
    if what < 0.88:
        return _line(FactKind.MP, hit, amount=int(dice.integers(-4, 0)), turns=int(dice.integers(1, 4)))
    if what < 0.94 and hit in enemies:
        return _line(FactKind.DIES, hit)
    return _line(FactKind.EFFECT, hit, amount=int(dice.integers(5, 200)), turns=int(dice.integers(1, 6)))


def _line(
    kind: FactKind, who: str = "", what: str = "", amount: int | None = None, turns: int | None = None
) -> Maker:
    def make(language: Language, log_style: LogStyle) -> tuple[WrittenLine, tuple[Part, ...]]:
        label = _EFFECTS[language] if kind is FactKind.EFFECT else what
        parts = phrase(kind, who, label, amount or 0, turns, language=language, log_style=log_style)
        return WrittenLine(kind, who, what, amount), parts

    return make


def _compare(drawn: list[WrittenLine], read: list[LogFact], tally: Tally, where: str) -> None:
    tally.lines += len(drawn)
    place = 0
    for fact in read:
        if not fact.sure:
            continue
        tally.sure += 1
        at = next((n for n in range(place, len(drawn)) if _same(drawn[n], fact)), None)
        if at is None and any(_same(line, fact) for line in drawn[:place]):
            tally.twice += 1
            continue
        line = drawn[at] if at is not None else _meant(drawn[place : place + 6], fact)
        if line is None:
            tally.wrong.append(f"{where}: {fact.fact} was not drawn")
            continue
        names = [(line.who, (fact.fact.who, *fact.fighters))] if line.who else []
        names += [(line.what, (fact.fact.what, *fact.spells))] if line.what else []
        tally.names += len(names)
        tally.names_right += sum(name in others for name, others in names)
        if line.amount is not None:
            tally.numbers += 1
            tally.numbers_right += line.amount == fact.fact.amount
        if at is None:
            tally.wrong.append(f"{where}: {line} read as {fact.fact}")
        else:
            place = at + 1


def _meant(ahead: list[WrittenLine], fact: LogFact) -> WrittenLine | None:
    same = [line for line in ahead if line.kind is fact.kind]
    return max(
        same,
        key=lambda line: (line.who == fact.fact.who) + (line.amount == fact.fact.amount),
        default=None,
    )


def _same(line: WrittenLine, read: LogFact) -> bool:
    fact = read.fact
    same = line.kind is fact.kind and line.amount == fact.amount
    same &= line.who in (fact.who, *read.fighters)  # "Golem" and "Gólem" are one name to the reader
    return same and (not line.what or line.what in (fact.what, *read.spells))


def on_screens(folder: Path) -> Tally:
    """Reads the logs of a folder's pictures and compares them with its `log-labels.json`.

    The names known are those labelled as casters and as spells, hidden among the made-up ones.
    """
    labels = json.loads((folder / _LABELS).read_text("utf-8"))
    wanted = {
        file: [WrittenLine(FactKind(kind), who, what, amount) for kind, who, what, amount in lines]
        for file, lines in labels.items()
        if isinstance(lines, list)
    }
    every, known = [line for lines in wanted.values() for line in lines], made_up_names()
    casts = [line for line in every if line.kind is FactKind.CAST]
    fighters = {line.who for line in every if line.who} | {n for beings, _ in known.values() for n in beings}
    spells = {line.what for line in casts} | {n for _, given in known.values() for n in given}
    names = Names(NameIndex((n, n) for n in fighters), NameIndex((n, n) for n in spells))
    engine, tally = TextEngine(), Tally()
    for file, drawn in wanted.items():
        picture = cv2.imread(str(folder / file))
        if picture is None:
            continue
        reader = _reader(names, engine)
        _offer(reader, bgra(np.asarray(picture, np.uint8)))
        before = time.thread_time()
        reader.step()
        tally.line_ms += [(time.thread_time() - before) * 1000 / len(drawn)] * len(drawn)
        _compare(drawn, _last(reader, tally), tally, file)
    return tally


def report(tally: Tally) -> str:
    times = np.array(tally.line_ms or [0.0])
    parts = (
        f"{tally.sure} of {tally.lines} lines sure ({tally.sure / max(1, tally.lines):.1%})",
        f"names {tally.names_right} of {tally.names}, numbers {tally.numbers_right} of {tally.numbers}",
        f"{len(tally.wrong)} wrong, {tally.twice} said twice",
        f"logs not found: {tally.not_found}",
        f"a line took {np.median(times):.0f} ms (p95 {np.percentile(times, 95):.0f}) of a core",
    )
    return "; ".join(parts)


def main(
    logs: Annotated[int, typer.Option(help="of some 16 lines each")] = 20,
    seed: int = 0,
    client: Annotated[
        LogStyle | None, typer.Option(help="one client's style; all in turn if left out")
    ] = None,
    screens: Annotated[
        Path | None, typer.Option(help="pictures with log-labels.json, not drawn logs")
    ] = None,
) -> None:
    """Prints the figures and every wrong line."""
    if screens is not None and not (screens / _LABELS).is_file():
        raise typer.BadParameter(
            f"{screens} has no {_LABELS}: for each picture its lines as [kind, who, what, amount]."
        )
    result = measure(logs, seed, log_style=client) if screens is None else on_screens(screens)
    print(report(result))
    for line in result.wrong:
        print("  ", line)


if __name__ == "__main__":
    typer.run(main)
