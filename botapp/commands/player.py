"""By whose settings a command reads pictures: the player's own, another folder's or none; and whose names."""

import os
from dataclasses import replace
from pathlib import Path

from botapp.commands.answers import load_settings, mention
from botapp.content.library import classes, monsters
from botapp.content.names import in_french
from botapp.fight.state import Fighter, FightState
from botapp.host.message import say
from botapp.host.settings import Settings
from botapp.host.translation import Translator, resolve
from botapp.tracking import player_profile
from botapp.tracking.fighters import NAMELESS
from botapp.tracking.player_profile import PlayerProfile
from botapp.tracking.spellbook import presets


class Refused(Exception):
    """There is nothing to answer; the text says why and what to do."""


def settings_of(config: Path | None, plain: bool) -> Settings:
    """Returns the settings to go by.

    Args:
        config: the folder of the player's files, for this process from now on; None for the usual one.

    Raises:
        Refused: there is no such folder, or it is given although nothing of it is wanted.
    """
    if config is not None and plain:
        raise Refused(say("--plain goes by no settings. Leave out --config or --plain."))
    if config is not None:
        if not config.is_dir():
            raise Refused(say("--config: there is no folder {file}.", file=config))
        os.environ["BOTAPP_CONFIG_DIR"] = str(config)
    if plain:
        return Settings()
    settings: Settings = load_settings()[0]
    return settings


def profile_of(settings: Settings, plain: bool, client: str | None, player_class: str = "") -> PlayerProfile:
    """Returns what is known of the player's game.

    Args:
        settings: as `settings_of` returned them.
        plain: whether to leave out names and accepted boards too.
        client: whose screen it is, None for the settings' own.
        player_class: overrides the class and the character sheet of the settings; "" for those.

    Raises:
        Refused: there is no such class.
    """
    if player_class and player_class not in presets():
        raise Refused(
            say(
                "The class '{name}' is not known. Give --class with one of: {names}",
                name=player_class,
                names=", ".join(presets()),
            )
        )
    if plain:
        profile = PlayerProfile()
    else:
        loaded = player_profile.load(settings)
        profile = loaded.profile
        mention(loaded.messages, resolve(settings.ui.language))
    if player_class:
        profile = replace(profile, player_class=player_class, sheet=None)
    return replace(profile, client=client or profile.client)


def with_names(state: FightState, tr: Translator) -> FightState:
    """Returns a state to be put into words: its fighters and their spells have the language's names."""
    if tr.language != "fr":
        return state
    return state.changed(fighters=tuple(_named(fighter, tr) for fighter in state.fighters))


def fighter_name(name: str, kind: str, tr: Translator) -> str:
    """Returns what a fighter of a kind is called in a language."""
    if name in NAMELESS.values():
        return tr(name)
    return in_french(name, arena=kind in classes() or kind in monsters()) if tr.language == "fr" else name


def _named(fighter: Fighter, tr: Translator) -> Fighter:
    spells = tuple(
        replace(spell, name=in_french(spell.name, spell.key, arena=True)) for spell in fighter.spells
    )
    return replace(fighter, name=fighter_name(fighter.name, fighter.kind, tr), spells=spells)
