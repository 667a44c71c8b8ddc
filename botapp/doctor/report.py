"""What the doctor found, in words: for a terminal, and as a report to paste into an issue.

Both show the same parts in the same order.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from botapp.doctor.privacy import Identity, scrub, without_folders
from botapp.host.translation import Language, Translator

_MARKS = {"error": "!!", "warning": "! ", "note": "- "}


def text(report: Mapping[str, Any], language: Language = "en") -> str:
    """Returns what `examine` found, for the same language, in lines for a terminal."""
    tr = Translator(language)
    lines = [_system(report)]
    for title, part in _parts(report, tr):
        lines += ["", *([title] if title else []), *(f"  {line}" if title else line for line in part)]
    lines.append("")
    if not report["problems"] and not report["findings"]:
        lines.append(tr("No problems found."))
    command = "botapp doctor --report"
    lines.append(tr("A report without names, in English, to paste into an issue: {command}", command=command))
    return "\n".join(lines)


def paste(report: Mapping[str, Any], identity: Identity | None = None) -> str:
    """Returns a report in English Markdown without names of the person, the computer or folders of theirs.

    Args:
        report: what `examine` returned, in English: it is for those who answer issues.
        identity: what must not be in it; None for this process's own.
    """
    lines = ["## botapp doctor", _system(report)]
    for title, part in _parts(report, Translator()):
        lines += ["", *([f"### {title}"] if title else []), *(f"- {line.strip()}" for line in part)]
    return without_folders(scrub("\n".join(lines), identity or Identity.here()), public=True)


def _system(report: Mapping[str, Any]) -> str:
    system = report["system"]
    return f"{system['platform']}, Python {system['python']}, {system['cores']} cores"


def _parts(report: Mapping[str, Any], tr: Translator) -> Iterator[tuple[str, Sequence[str]]]:
    """Yields each part's title, "" for none, and its lines."""
    yield "", list(_in_use(report, tr))
    yield tr("Backends"), list(_backends(report["backends"], tr))
    yield tr("Graphics cards"), list(_cards(report, tr)) or [tr("none that torch could use")]
    seen, todo, see = tr("seen:"), tr("do:"), tr("see:")
    for finding in report["findings"]:
        lines = [f"   {seen:<9} {line}" for line in finding["evidence"]]
        lines += [f"   {todo:<9} {line}" for line in finding["fix"]]
        yield f"{_MARKS[finding['severity']]} {finding['title']}", [*lines, f"   {see:<9} {finding['page']}"]
    if report["problems"]:
        yield "", [f"! {problem}" for problem in report["problems"]]


def _in_use(report: Mapping[str, Any], tr: Translator) -> Iterator[str]:
    """Yields what the model runs on, what is done for speed and what not, versions, capture and files."""
    device, capture, weights, settings = (report[key] for key in ("device", "capture", "weights", "settings"))
    words = {name: device[name] for name in ("device", "precision", "reason")}
    if report["adviser"] == "search":
        yield tr("In use: the search alone; a model would run on {device} in {precision} ({reason})", **words)
    else:
        yield tr("In use: {device} in {precision} ({reason})", **words)
    if device["applied"]:
        yield tr("For speed: {measures}", measures=", ".join(tr.plain(device["applied"])))
    for reason in tr.plain(device["left_out"]):
        yield tr("Left out: {reason}", reason=reason)
    numbers = ", ".join(f"{name} {number}" for name, number in report["versions"].items())
    yield tr("Versions: {numbers}", numbers=numbers)
    yield tr("Capture: {session}, {text}", session=capture["session"], text=capture["text"])
    yield tr("Weights: {file} ({text})", file=weights["file"], text=weights["text"])
    if settings["exists"]:
        yield tr("Settings: {file}", file=settings["file"])
    else:
        yield tr("Settings: {file} (not written yet: defaults)", file=settings["file"])
    yield tr("Log: {file}", file=report["log"])


def _backends(listed: Sequence[Mapping[str, Any]], tr: Translator) -> Iterator[str]:
    yes, no = tr("yes"), tr("no")
    for info in listed:
        yield f"{info['name']:<9} {yes if info['usable'] else no:<4} {info['reason']}"
        yield from (f"               {device['name']}: {device['title']}" for device in info["devices"])


def _cards(report: Mapping[str, Any], tr: Translator) -> Iterator[str]:
    """Yields cards, the driver's parameters and the variables that matter to them, and what was tried."""
    for card in report["cards"]:
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
        yield ", ".join(parts)
    yield from (f"amdgpu.{name} = {value}" for name, value in report["driver_parameters"].items())
    yield from (f"{name}={value}" for name, value in report["environment"].items())
    for trial in report["trials"]:
        name, device = trial["name"], trial["device"]
        if trial["ok"]:
            yield tr("{names} on {device}: fine", names=name, device=device)
        else:
            yield tr("{name} on {device}: {how}", name=name, device=device, how=trial["how"])
