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
    weights, settings = found["weights"], found["settings"]
    written = (
        tr("Settings: {file}") if settings["exists"] else tr("Settings: {file} (not written yet: defaults)")
    )
    lines += ["", *_in_use(found, tr)]
    lines.append(tr("Weights: {file} ({text})", file=weights["file"], text=weights["text"]))
    lines += [written.format(file=settings["file"]), tr("Log: {file}", file=found["log"])]
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
    lines += [f"  amdgpu.{name} = {value}" for name, value in found["driver_parameters"].items()]
    seen, todo, see = tr("seen:"), tr("do:"), tr("see:")
    for finding in found["findings"]:
        lines += ["", f"{_MARKS[finding['severity']]} {finding['title']}"]
        lines += [f"     {seen:<9} {line}" for line in finding["evidence"]]
        lines += [f"     {todo:<9} {line}" for line in finding["fix"]]
        lines.append(f"     {see:<9} {finding['page']}")
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
    yield from _in_use(found, _ENGLISH)
    yield from _section("Cards", _cards(found["cards"], _ENGLISH))
    parameters = found["driver_parameters"].items()
    yield from _section("Driver parameters", [f"amdgpu.{name} = {value}" for name, value in parameters])
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
        yield from ("", f"### {title}", *(f"- {line}" for line in lines))


def _in_use(found: Mapping[str, Any], tr: Translator) -> Iterator[str]:
    """Yields what the model runs on, what is done there for speed and what not, versions and capture."""
    device, capture = found["device"], found["capture"]
    words = {name: device[name] for name in ("device", "precision", "reason")}
    if found["adviser"] == "search":
        yield tr("In use: the search alone; a model would run on {device} in {precision} ({reason})", **words)
    else:
        yield tr("In use: {device} in {precision} ({reason})", **words)
    if device["applied"]:
        yield tr("For speed: {measures}", measures=", ".join(tr.plain(device["applied"])))
    for reason in tr.plain(device["left_out"]):
        yield tr("Left out: {reason}", reason=reason)
    numbers = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    yield tr("Versions: {numbers}", numbers=numbers)
    yield tr("Capture: {session}, {text}", session=capture["session"], text=capture["text"])


def _cards(listed: Sequence[Mapping[str, Any]], tr: Translator) -> list[str]:
    lines = []
    for card in listed:
        vendor, name, total, used = (card[key] for key in ("vendor", "name", "total", "used"))
        parts = [name if name.startswith(vendor) else f"{vendor} {name}"]
        if card["integrated"]:
            parts.append(tr("part of the processor"))
        if total and used is None:
            parts.append(tr("{total:.1f} GB", total=total / (1 << 30)))
        elif total:
            parts.append(tr("{used:.1f} of {total:.1f} GB", used=used / (1 << 30), total=total / (1 << 30)))
        if card["power_w"] is not None:
            parts.append(f"{card['power_w']:.0f} W")
        lines.append(", ".join(parts))
    return lines
