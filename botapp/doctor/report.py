"""What the doctor found, in words: for a terminal, and as a report to paste into an issue."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from botapp.doctor.privacy import Identity, scrub, without_folders
from botapp.host.translation import Language, Translator

_MARKS = {"error": "!!", "warning": "! ", "note": "- "}
_ENGLISH = Translator()


def text(found: Mapping[str, Any], language: Language = "en") -> str:
    """Returns what was found in lines for a terminal.

    Args:
        found: what `examine` returned for the same language.
        language: which it is.
    """
    tr = Translator(language)
    lines = [f"{found['system']['platform']}, Python {found['system']['python']}", "", tr("Backends")]
    yes, no = tr("yes"), tr("no")
    for info in found["backends"]:
        lines.append(f"  {info['name']:<9} {yes if info['usable'] else no:<4} {info['reason']}")
        lines += [f"                 {device['name']}: {device['title']}" for device in info["devices"]]
    capture, weights, settings = found["capture"], found["weights"], found["settings"]
    lines += ["", _in_use(found, tr), *_speed(found, tr)]
    lines.append(tr("Capture: {session}, {text}", session=capture["session"], text=capture["text"]))
    lines.append(tr("Weights: {file} ({text})", file=weights["file"], text=weights["text"]))
    written = (
        tr("Settings: {file}") if settings["exists"] else tr("Settings: {file} (not written yet: defaults)")
    )
    lines.append(written.format(file=settings["file"]))
    lines += [tr("Log: {file}", file=found["log"]), _versions(found, tr)]
    lines += card_lines(found, tr)
    lines.append("")
    lines += [f"! {problem}" for problem in found["problems"]]
    if not found["problems"] and not found["findings"]:
        lines.append(tr("No problems found."))
    command = "botapp doctor --report"
    lines.append(tr("A report without names, in English, to paste into an issue: {command}", command=command))
    return "\n".join(lines)


def card_lines(found: Mapping[str, Any], tr: Translator) -> list[str]:
    lines = ["", tr("Graphics cards")]
    lines += [f"  {line}" for line in _cards(found["cards"], tr)] or ["  " + tr("none that torch could use")]
    lines += [f"  amdgpu.{name} = {words}" for name, words in found["driver_parameters"].items()]
    seen, todo, then = tr("seen:"), tr("do:"), tr("then:")
    for finding in found["findings"]:
        lines += ["", f"{_MARKS[finding['severity']]} {finding['title']}"]
        lines += [f"     {seen:<9} {line}" for line in finding["evidence"]]
        lines += [f"     {todo:<9} {line}" for line in finding["fix"]]
        lines.append(f"     {then:<9} {finding['verify']}")
        if finding["relogin"]:
            again = tr("after logging out and in again")
            lines.append(f"     {'':<9} ({again})")
    story = found["rdna1"]
    if story is not None:
        lines += ["", tr("RDNA 1: {cards}", cards=", ".join(story["cards"]))]
        lines += [f"  {line}" for line in story["story"]]
        for option in story["options"]:
            advised = tr("{option}: {advice}", option=option["name"], advice=option["advice"])
            price = tr("Price: {price}", price=option["price"])
            gain = tr("Gain: {gain}", gain=option["gain"])
            lines += [f"  * {advised}", f"      {price}", f"      {gain}"]
    return lines


def paste(found: Mapping[str, Any], identity: Identity | None = None) -> str:
    """Returns a report in English Markdown without names of the person, the computer or folders of theirs.

    Args:
        found: what `examine` returned, in English: it is for those who answer issues.
        identity: what must not be in it; None for this process's own.
    """
    cleaned = scrub("\n".join(_markdown(found)), identity or Identity.here())
    return without_folders(cleaned, public=True)


def _markdown(found: Mapping[str, Any]) -> Iterator[str]:
    system = found["system"]
    yield "## botapp doctor"
    yield f"{system['platform']}, Python {system['python']}, {system['cores']} cores"
    yield ""
    yield _in_use(found, _ENGLISH)
    yield from _speed(found, _ENGLISH)
    yield _versions(found, _ENGLISH)
    yield f"Capture: {found['capture']['session']}, {found['capture']['text']}"
    yield from _section("Cards", _cards(found["cards"], _ENGLISH))
    parameters = found["driver_parameters"].items()
    yield from _section("Driver parameters", [f"amdgpu.{name} = {words}" for name, words in parameters])
    variables = found["environment"].items()
    yield from _section("Environment", [f"{name}={value}" for name, value in variables])
    trials = [f"{t['name']} on {t['device']}: {'fine' if t['ok'] else t['how']}" for t in found["trials"]]
    yield from _section("Tried in children", trials)
    for finding in found["findings"]:
        yield from _section(f"{finding['severity']}: {finding['title']}", finding["evidence"])
    yield from _section("Problems", found["problems"])
    for info in found["backends"]:
        yield f"- backend {info['name']}: {'yes' if info['usable'] else 'no'}, {info['reason']}"


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield f"### {title}"
        for line in lines:
            yield f"- {line}"


def _in_use(found: Mapping[str, Any], tr: Translator) -> str:
    used = {name: found["device"][name] for name in ("device", "precision", "reason")}
    if found["adviser"] == "search":
        return tr(
            "In use: the search alone; a model would run on {device} in {precision} ({reason})",
            **used,
        )
    return tr("In use: {device} in {precision} ({reason})", **used)


def _speed(found: Mapping[str, Any], tr: Translator) -> Iterator[str]:
    """Yields what is done for speed where the model runs, and what is not, with the reason."""
    if found["device"]["applied"]:
        yield tr("For speed: {measures}", measures=", ".join(tr.plain(found["device"]["applied"])))
    for reason in tr.plain(found["device"]["left_out"]):
        yield tr("Left out: {reason}", reason=reason)


def _versions(found: Mapping[str, Any], tr: Translator) -> str:
    numbers = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    return tr("Versions: {numbers}", numbers=numbers)


def _cards(listed: Sequence[Mapping[str, Any]], tr: Translator) -> list[str]:
    lines = []
    for card in listed:
        vendor, name = card["vendor"], card["name"]
        parts = [name if name.startswith(vendor) else f"{vendor} {name}"]
        if card["integrated"]:
            parts.append(tr("part of the processor"))
        if card["total"]:
            total = card["total"] / (1 << 30)
            if card["used"] is None:
                parts.append(tr("{total:.1f} GB", total=total))
            else:
                parts.append(tr("{used:.1f} of {total:.1f} GB", used=card["used"] / (1 << 30), total=total))
        if card["power_w"] is not None:
            parts.append(f"{card['power_w']:.0f} W")
        lines.append(", ".join(parts))
    return lines
