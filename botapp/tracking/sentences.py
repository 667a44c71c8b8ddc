"""A reading in sentences: whose screen it is, what was found of the fight, and what was not."""

from botapp.host.clients import CLIENTS
from botapp.host.message import Message, counted, listed, mark, say
from botapp.tracking.clients import fit
from vision import profiles
from vision.view import FightView, Phase

_TITLES = {
    Phase.FIGHT: mark("{client}: a fight."),
    Phase.PLACEMENT: mark("{client}: fighters choose their places."),
    Phase.NOT_FIGHT: mark("{client}: no fight."),
}


def sentences(view: FightView, client: str, *, asked: bool = False) -> list[str]:
    """Returns what was read, sentence by sentence.

    Args:
        client: whose screen it was read as.
        asked: whether the picture was tried as every client's.
    """
    if asked and not fit(view):
        tried = listed(say(CLIENTS.get(name, name)) for name in profiles.names())
        return [
            say(
                "No game is recognised in this picture: is all of its window in view? Tried: {clients}.",
                clients=tried,
            )
        ]
    called = say(CLIENTS.get(client, client))
    phase = view.phase.value
    lines = [say(_TITLES[phase] if phase in _TITLES else mark("Read as {client}."), client=called)]
    lines += _turn(view)
    if figures := _figures(view):
        lines.append(say("You have {figures}.", figures=listed(figures)))
    lines += _fighters(view)
    if phase in (Phase.FIGHT, Phase.PLACEMENT) or len(lines) > 1:
        lines += not_read(view)
    return list(lines)


def not_read(view: FightView) -> list[Message]:
    """Returns what of a fight was not read, in a sentence with what may be the cause; nothing for none."""
    missing = [say(name) for name, seen in _wanted(view) if not seen]
    if not missing:
        return []
    return [
        say("Not read: {things}.", things=listed(missing)),
        say("Something may lie over it, or the game shows it in a form that is not known yet."),
    ]


def _wanted(view: FightView) -> list[tuple[str, bool]]:
    fight = view.phase.value is not Phase.PLACEMENT
    mine = view.own_cell is not None
    theirs = any(enemy.cell is not None for enemy in view.enemies)
    shown = view.fighters_shown.value
    whole = shown is None or sum(fighter.cell is not None for fighter in view.fighters) >= shown
    return [
        (mark("whose turn it is"), bool(view.turn) or not fight),
        (mark("your HP"), bool(view.hp or view.hp_share)),
        (mark("your AP"), bool(view.ap) or not fight),
        (mark("your MP"), bool(view.mp) or not fight),
        (mark("where the board is"), bool(view.lattice)),
        (mark("your fighter on the board"), mine),
        (mark("an enemy on the board"), theirs),
        (mark("the timeline"), shown is not None),
        (mark("some of the fighters that the timeline shows"), whole or not (mine and theirs)),
    ]


def _turn(view: FightView) -> list[Message]:
    if view.turn.value is None:
        return []
    lines = say("It is your turn.") if view.turn.value == "mine" else say("Another fighter plays.")
    if view.timer_s.value is None:
        return [lines]
    return [lines, say("{seconds} s are left.", seconds=view.timer_s.value)]


def _figures(view: FightView) -> list[str]:
    figures: list[str] = []
    if view.hp.value is not None and view.max_hp.value is not None:
        figures.append(say("{hp} of {max_hp} HP", hp=view.hp.value, max_hp=view.max_hp.value))
    elif view.hp.value is not None:
        figures.append(say("{hp} HP", hp=view.hp.value))
    elif view.hp_share.value is not None:
        figures.append(say("{share} of your HP", share=f"{round(100 * view.hp_share.value)} %"))
    if view.ap.value is not None:
        figures.append(say("{ap} AP", ap=view.ap.value))
    if view.mp.value is not None:
        figures.append(say("{mp} MP", mp=view.mp.value))
    return figures


def _fighters(view: FightView) -> list[Message]:
    groups = []
    if view.own_cell is not None:
        groups.append(say("you"))
    if allies := sum(fighter.cell is not None for fighter in view.allies):
        groups.append(counted(allies, "{number} ally", "{number} allies", number=allies))
    if enemies := sum(fighter.cell is not None for fighter in view.enemies):
        groups.append(counted(enemies, "{number} enemy", "{number} enemies", number=enemies))
    return [say("On the board: {fighters}.", fighters=listed(groups))] if groups else []
