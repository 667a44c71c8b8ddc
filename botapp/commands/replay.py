"""`botapp replay`: a kept fight run again, and where today's advice differs from what was said then."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from botapp.commands.answers import Force, Trouble, answer, place, spoken, written
from botapp.commands.options import Json
from botapp.host.message import counted
from botapp.host.translation import Translator

if TYPE_CHECKING:
    from botapp.fight.actions import Action
    from botapp.review.course import OwnAction
    from botapp.review.kept_fight import KeptFight, Summary
    from botapp.review.replaying import Replayed, Reread

_DEAR = 0.01  # A point of the chance of winning: less is not seen in whole percent


def replay(
    file: Annotated[Path, typer.Argument(help="A kept fight, as the app keeps or exports it.")],
    adviser: Annotated[
        Literal["search", "model"] | None, typer.Option(help="Who advises; the settings tell if left out.")
    ] = None,
    budget_ms: Annotated[
        int | None,
        typer.Option(
            help="Time for a decision, the settings' if left out; 0: no clock, the same answer each time.",
            min=0,
            max=60_000,
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="List what is as it was then, too.")] = False,
    without_names: Annotated[
        Path | None, typer.Option(help="Also write the fight to this file, without the names of people.")
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Runs a kept fight through today's advice, and says where it differs.

    Where pictures of the fight were kept, they are read again too. To report
    a fault, send the file that --without-names writes, or the app's export.
    """
    from botapp.content.errors import FieldError  # noqa: PLC0415
    from botapp.review.form import read_fight  # noqa: PLC0415

    if without_names is not None:
        without_names = place("--without-names", without_names, force=force, inputs=(file,))
    try:
        fight = read_fight(file)
    except OSError as error:
        raise Trouble(
            f"{file} cannot be opened ({error.strerror}). Give the path of a kept fight."
        ) from error
    except FieldError as error:
        raise Trouble(f"{file}: {error}. Give a fight that the app has kept.") from error
    if without_names is not None:
        _write(fight, without_names)
    replayed = list(_replayed(fight, adviser, budget_ms))
    pictures = _reread(fight, file)
    values = {
        "summary": _summary_json(fight.summary),
        "actions": [_json(item) for item in replayed],
        "pictures": [{"action": item.number, "differences": list(item.differences)} for item in pictures],
    }
    tr = Translator(spoken(None, as_json))
    answer(values, _text(fight, replayed, pictures, everything, tr), as_json)


def _replayed(fight: "KeptFight", adviser: str | None, budget_ms: int | None) -> "Sequence[Replayed]":
    from botapp.commands.answers import load_settings, make_advisor  # noqa: PLC0415
    from botapp.review.replaying import replay as run_again  # noqa: PLC0415

    settings = load_settings()[0]
    if adviser is not None:
        settings = settings.changed("engine.adviser", adviser)
    advisor = make_advisor(settings)
    if budget_ms is not None:
        advisor.budget_ms = float(budget_ms)
    if advisor.budget_ms:
        advisor.decide(fight.moments[0].state)  # the first decision is slow and would use its time up
    try:
        return list(run_again(fight, advisor))
    finally:
        advisor.close()


def _reread(fight: "KeptFight", file: Path) -> "Sequence[Reread]":
    from botapp.commands.player import profile_of, settings_of  # noqa: PLC0415
    from botapp.review.replaying import read_again  # noqa: PLC0415
    from botapp.review.shelf import pictures_of  # noqa: PLC0415
    from botapp.tracking.spellbook import presets  # noqa: PLC0415
    from vision import profiles  # noqa: PLC0415

    if not any(moment.picture for moment in fight.moments) or not pictures_of(file).is_dir():
        return ()
    client = fight.summary.client if fight.summary.client in profiles.names() else None
    player_class = fight.summary.own if fight.summary.own in presets() else ""
    profile = profile_of(settings_of(None, False), False, client, player_class)
    return list(read_again(fight, pictures_of(file), profile))


def _write(fight: "KeptFight", path: Path) -> None:
    from botapp.review.form import to_bytes  # noqa: PLC0415
    from botapp.review.kept_fight import nameless  # noqa: PLC0415

    written("--without-names", path, to_bytes(nameless(fight)))


def _text(
    fight: "KeptFight",
    moments: "Sequence[Replayed]",
    pictures: "Sequence[Reread]",
    everything: bool,
    tr: Translator,
) -> str:
    lines = [_head(fight.summary, fight.moments, tr)]
    lines += [moment_line(moment, tr) for moment in moments if everything or moment.differs]
    differing = [moment for moment in moments if moment.differs]
    lines.append(
        tr(
            "{same} of {all} as then, {other} otherwise, {dear} of these by a point or more",
            same=len(moments) - len(differing),
            all=len(moments),
            other=len(differing),
            dear=sum(1 for moment in differing if moment.gain is not None and moment.gain >= _DEAR),
        )
    )
    otherwise = [moment for moment in pictures if moment.differences]
    for moment in otherwise:
        facts = "; ".join(map(tr, moment.differences))
        lines.append(tr("picture of action {number}: {facts}", number=moment.number, facts=facts))
    if pictures:
        same = len(pictures) - len(otherwise)
        lines.append(tr("{same} of {all} pictures are read as then", same=same, all=len(pictures)))
    return "\n".join(lines)


def _head(summary: "Summary", moments: "Sequence[OwnAction]", tr: Translator) -> str:
    from botapp.commands.player import fighter_name  # noqa: PLC0415
    from botapp.review.account import RESULTS  # noqa: PLC0415

    kinds = {fighter.name: fighter.kind for moment in moments for fighter in moment.state.fighters}
    own = counted(summary.actions, "{number} own action", "{number} own actions", number=summary.actions)
    return tr(
        "fight of {begun}: {own} against {others}, {result}, {rounds}, {actions}, kept by botapp {version}",
        begun=time.strftime("%Y-%m-%d %H:%M", time.localtime(summary.begun)),
        own=fighter_name(summary.own_name, summary.own, tr),
        others=summary.against(tr, lambda name: fighter_name(name, kinds.get(name, ""), tr)),
        result=tr(RESULTS[summary.result]).lower(),
        rounds=counted(summary.rounds, "{number} round", "{number} rounds", number=summary.rounds),
        actions=own,
        version=summary.version,
    )


def moment_line(replayed: "Replayed", tr: Translator) -> str:
    from botapp.advisor.grounds import may_tell_chance  # noqa: PLC0415
    from botapp.advisor.wording import spoken  # noqa: PLC0415
    from botapp.commands.player import with_names  # noqa: PLC0415

    moment, decision = replayed.moment, replayed.decision
    state, may_tell = with_names(moment.state, tr), may_tell_chance(moment.state)

    def shown(chance: float, action: "Action") -> str:
        share = tr.percent(chance) if may_tell else tr("chance not known:")
        return f"{share} {tr(spoken(state, action))}"

    parts = [
        tr(
            "action {number} (round {round}): then {what}",
            number=replayed.number,
            round=moment.turn,
            what=shown(moment.chance, moment.advised.action),
        )
    ]
    if decision is None:
        parts.append(tr("today withheld: {reason}", reason=tr(replayed.withheld)))
    elif not replayed.differs:
        same = tr("today the same")
        parts.append(f"{same}, {tr.percent(decision.chance)}" if may_tell else same)
    else:
        parts.append(tr("today {what}", what=shown(decision.chance, decision.action)))
        if may_tell and replayed.gain is None:
            parts.append(tr("today's search did not look at what was advised then"))
        elif may_tell and replayed.gain is not None:
            parts.append(tr("better by {points:.1f} points", points=100 * replayed.gain))
    return "; ".join(parts)


def _summary_json(summary: "Summary") -> dict[str, Any]:
    from dataclasses import asdict  # noqa: PLC0415

    return asdict(summary)


def _json(moment: "Replayed") -> dict[str, Any]:
    from botapp.advisor.grounds import may_tell_chance  # noqa: PLC0415
    from botapp.content.state_json import action_to_json  # noqa: PLC0415

    decision, may_tell = moment.decision, may_tell_chance(moment.moment.state)

    def shown(chance: float) -> float | None:
        return round(chance, 4) if may_tell else None

    return {
        "action": moment.number,
        "round": moment.moment.turn,
        "then": {
            "action": action_to_json(moment.moment.advised.action),
            "chance": shown(moment.moment.chance),
        },
        "today": None
        if decision is None
        else {"action": action_to_json(decision.action), "chance": shown(decision.chance)},
        "withheld": moment.withheld,
        "differs": moment.differs,
        "gain": None if moment.gain is None else shown(moment.gain),
    }
