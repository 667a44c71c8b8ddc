"""The belief: a whole state carried from picture to picture, so that shields, buffs and cooldowns are known.

A picture shows cells, HP bars and the player's own figures, not what others have cast. Where a new picture
differs from the belief, the actions that the rules allow the fighter at turn are tried
(`botapp.tracking.inference`). The one whose outcome fits the picture best (`botapp.tracking.picture_fit`) is
taken to have happened, with all its effects. Changes that no action explains are copied from the picture
(`botapp.tracking.takeover`).
"""

from dataclasses import replace

from botapp.fight.state import FightState
from botapp.tracking.inference import at_turn, explained, explained_by_log, passed_on
from botapp.tracking.log_changes import with_log_changes
from botapp.tracking.picture import Picture
from botapp.tracking.picture_fit import PictureFit
from botapp.tracking.takeover import taken_over


def follow(believed: FightState | None, picture: Picture) -> FightState:
    """Returns the belief after a picture.

    Args:
        believed: the state believed before; None at a fight's beginning.
        picture: the picture; everybody on it stands still.
    """
    seen = picture.state
    if believed is None or seen.turn < believed.turn or not _same_fight(believed, seen):
        return seen
    return with_log_changes(_followed(believed, picture), believed, picture)


def _followed(believed: FightState, picture: Picture) -> FightState:
    fit = PictureFit(picture)
    if not picture.news.casts and at_turn(believed, picture) and fit.mismatch(believed) < 1:
        return taken_over(believed, picture, exact=True)
    after = explained_by_log(believed, fit) if picture.news.casts else explained(believed, fit)
    if after is not None:
        return taken_over(_renamed(after, picture), picture, exact=True, before=believed)
    return taken_over(_passed(believed, picture), picture)


def carried_over(believed: FightState, picture: Picture) -> FightState:
    """Returns the belief while a fighter walks or is hidden: the picture's figures, and no action inferred.

    Casts that the log tells of were made all the same. Where nothing was cast and the player's AP are as
    before, its casts stay those of the belief.
    """
    return with_log_changes(_carried(believed, picture), believed, picture)


def _carried(believed: FightState, picture: Picture) -> FightState:
    after = explained_by_log(believed, PictureFit(picture)) if picture.news.casts else None
    if after is not None:
        return taken_over(_renamed(after, picture), picture, exact=True, whole=False, before=believed)
    here = _passed(believed, picture)
    same = here is believed and picture.news.logged and not picture.news.casts
    same &= believed.fighter(picture.player).ap == picture.state.fighter(picture.player).ap
    return taken_over(here, picture, exact=same, whole=False)


def _passed(believed: FightState, picture: Picture) -> FightState:
    """Returns the state at the turn that a picture shows, if no fighter has acted; else what is believed."""
    return next((state for state in passed_on(believed, picture) if at_turn(state, picture)), believed)


def _same_fight(believed: FightState, seen: FightState) -> bool:
    """Tells whether the other side has a fighter of the same id and kind as before, or none in sight."""
    before = {(f.id, f.kind, f.team) for f in believed.fighters}
    others = [f for f in seen.fighters if f.team != seen.fighters[0].team]
    return not others or any((f.id, f.kind, f.team) in before for f in others)


def _renamed(state: FightState, picture: Picture) -> FightState:
    known = {fighter.id for fighter in picture.state.fighters}
    new = {
        fighter.id: shown.id
        for fighter in state.fighters
        if fighter.id not in known and fighter.alive
        for shown in picture.state.fighters
        if all(shown.id != fighter_before.id for fighter_before in state.fighters)
        and (shown.cell, shown.kind) == (fighter.cell, fighter.kind)
    }
    if not new:
        return state
    fighters = tuple(
        f.changed(
            id=new.get(f.id, f.id),
            summoner=None if f.summoner is None else new.get(f.summoner, f.summoner),
            buffs=tuple(replace(buff, caster=new.get(buff.caster, buff.caster)) for buff in f.buffs),
        )
        for f in state.fighters
    )
    marks = tuple(replace(mark, owner=new.get(mark.owner, mark.owner)) for mark in state.marks)
    order = tuple(new.get(number, number) for number in state.order)
    return state.changed(fighters=fighters, order=order, marks=marks)
