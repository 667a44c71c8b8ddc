"""The window's own words: message ids by key, said in the window's language."""

from functools import cache

from botapp.content.words import EFFECTS, ELEMENTS, STATES, STATS
from botapp.host.message import COUNT, counted, is_message, mark
from botapp.host.translation import Translator

WORDS = {
    "end_turn": mark("END TURN"),
    "ready": mark("READY"),
    "places": mark("{name} takes a place"),
    "wait": mark("PLEASE WAIT"),
    "autopilot": mark("AUTOPILOT"),
    "opponents": mark("OPPONENTS"),
    "take_back": mark("TAKE BACK"),
    "taken_back": mark("Last action taken back"),
    "copied": mark("Position copied"),
    "pasted": mark("Position pasted"),
    "easy": mark("EASY"),
    "normal": mark("NORMAL"),
    "hard": mark("HARD"),
    "random": mark("AT RANDOM"),
    "on": mark("ON"),
    "off": mark("OFF"),
    "victory": mark("VICTORY"),
    "defeat": mark("DEFEAT"),
    "draw": mark("DRAW"),
    "turns": counted(1, "{n} round", "{n} rounds", n=1),
    "next": mark("Space: next fight"),
    "goes_on": mark("Next fight soon"),
    "range": mark("Range {low} - {high}"),
    "range_one": mark("Range {low}"),
    "cost": mark("{n} AP"),
    "in_line": mark("in line"),
    "no_sight": mark("no sight needed"),
    "cooldown": mark("every {n} turns"),
    "per_turn": mark("{n} a turn"),
    "per_target": mark("{n} a target"),
    "crit": mark("{n}% critical"),
    "area": mark("area {n}"),
    "level": mark("Level {n}"),
    "hp": mark("{hp}/{max} HP"),
    "for_turns": counted(1, "{n} turn", "{n} turns", n=1),
    "waits": mark("waits for its trigger"),
    "later": counted(1, "in {n} turn", "in {n} turns", n=1),
    "turn_of": mark("Round {n}: {name}"),
    "casts": mark("{name}: {spell}"),
    "loses": mark("{name} {n} HP"),
    "falls": mark("{name} falls"),
    "fault": mark("{name} is confused and passes"),
    "spells": mark("SPELLS"),
    **{kind: line for kind, (_, line) in EFFECTS.items()},
    **ELEMENTS,
    **STATES,
    **{f"stat_{name}": text for name, text in STATS.items()},
}


@cache
def _translator(language: str) -> Translator:
    return Translator(language)


def say(language: str, key: str, **values: object) -> str:
    """Returns a text in a language.

    Raises:
        KeyError: the key is not known.
    """
    text = WORDS[key]
    if is_message(text):  # the number chooses the form
        values = {**text.values, **values, COUNT: values["n"] if "n" in values else values["high"]}
        text = text.template
    return _translator(language)(text, **values)
