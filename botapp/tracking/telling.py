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
    told = [say(_TITLES[phase] if phase in _TITLES else mark("Read as {client}."), client=called)]
    told += _turn(view)
    if figures := _figures(view):
        told.append(say("You have {figures}.", figures=listed(figures)))
    told += _fighters(view)
    if phase in (Phase.FIGHT, Phase.PLACEMENT) or len(told) > 1:
        told += not_read(view)
    return list(told)


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
    placed = [one for one in (*view.allies, *view.enemies) if one.cell is not None]
    mine = view.player is not None and view.player.cell is not None
    theirs = any(enemy.cell is not None for enemy in view.enemies)
    shown = view.fighters_shown.value
    whole = shown is None or len(placed) + mine >= shown
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
    told = say("It is your turn.") if view.turn.value == "mine" else say("Another fighter plays.")
    if view.timer_s.value is None:
        return [told]
    return [told, say("{seconds} s are left.", seconds=view.timer_s.value)]


def _figures(view: FightView) -> list[str]:
    found: list[str] = []
    if view.hp.value is not None and view.max_hp.value is not None:
        found.append(say("{hp} of {max_hp} HP", hp=view.hp.value, max_hp=view.max_hp.value))
    elif view.hp.value is not None:
        found.append(say("{hp} HP", hp=view.hp.value))
    elif view.hp_share.value is not None:
        found.append(say("{share} of your HP", share=f"{round(100 * view.hp_share.value)} %"))
    if view.ap.value is not None:
        found.append(say("{ap} AP", ap=view.ap.value))
    if view.mp.value is not None:
        found.append(say("{mp} MP", mp=view.mp.value))
    return found


def _fighters(view: FightView) -> list[Message]:
    sides = []
    if view.player is not None and view.player.cell is not None:
        sides.append(say("you"))
    if allies := sum(one.cell is not None for one in view.allies):
        sides.append(counted(allies, "{number} ally", "{number} allies", number=allies))
    if enemies := sum(one.cell is not None for one in view.enemies):
        sides.append(counted(enemies, "{number} enemy", "{number} enemies", number=enemies))
    return [say("On the board: {fighters}.", fighters=listed(sides))] if sides else []
