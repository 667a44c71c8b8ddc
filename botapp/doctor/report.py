"""What the doctor found, in words: for a terminal, and as a report to paste into an issue.

Next hop: `botapp.commands` prints either.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from botapp.doctor.privacy import Identity, scrub

_MARKS = {"error": "!!", "warning": "! ", "note": "- "}


def text(found: Mapping[str, Any]) -> str:
    """Returns what was found in lines for a terminal."""
    lines = [f"{found['system']['platform']}, Python {found['system']['python']}", "", "Backends"]
    for info in found["backends"]:
        mark = "yes" if info["usable"] else "no "
        lines.append(f"  {info['name']:<9} {mark}  {info['reason']}")
        lines += [f"                 {device['name']}: {device['title']}" for device in info["devices"]]
    device = found["device"]
    lines += ["", f"In use: {device['device']} in {device['precision']} ({device['reason']})"]
    capture, weights, settings = found["capture"], found["weights"], found["settings"]
    lines.append(f"Capture: {capture['session']}, {capture['text']}")
    lines.append(f"Weights: {weights['file']} ({weights['text']})")
    exists = "" if settings["exists"] else " (not written yet: defaults)"
    lines += [f"Settings: {settings['file']}{exists}", f"Log: {found['log']}"]
    lines.append("Versions: " + ", ".join(f"{name} {number}" for name, number in found["versions"].items()))
    lines += card_lines(found)
    lines.append("")
    lines += [f"! {problem}" for problem in found["problems"]]
    if not found["problems"] and not found["findings"]:
        lines.append("No problems found.")
    lines.append("A report without names, to paste into an issue: botapp doctor --report")
    return "\n".join(lines)


def card_lines(found: Mapping[str, Any]) -> list[str]:
    """Returns the lines about the graphics cards and their faults."""
    lines = ["", "Graphics cards"]
    lines += [f"  {line}" for line in _cards(found["cards"])] or ["  none that torch could use"]
    lines += [f"  amdgpu.{name} = {words}" for name, words in found["driver_parameters"].items()]
    for finding in found["findings"]:
        lines += ["", f"{_MARKS[finding['severity']]} {finding['title']}"]
        lines += [f"     seen: {line}" for line in finding["evidence"]]
        lines += [f"     do:   {line}" for line in finding["fix"]]
        lines.append(f"     then: {finding['verify']}")
        if finding["relogin"]:
            lines.append("           (after logging out and in again)")
    story = found["rdna1"]
    if story is not None:
        lines += ["", "RDNA 1: " + ", ".join(story["cards"])]
        lines += [f"  {line}" for line in story["story"]]
        for option in story["options"]:
            lines += [
                f"  * {option['name']}: {option['advice']}",
                f"      price: {option['price']}",
                f"      gain:  {option['gain']}",
            ]
    return lines


def paste(found: Mapping[str, Any], identity: Identity | None = None) -> str:
    """Returns a report in Markdown without the names of the person, the computer or the home folder.

    Args:
        found: what `examine` returned.
        identity: what must not be in it; None for this process's own.
    """
    return scrub("\n".join(_markdown(found)), identity or Identity.here())


def _markdown(found: Mapping[str, Any]) -> Iterator[str]:
    system, device = found["system"], found["device"]
    yield "## botapp doctor"
    yield f"{system['platform']}, Python {system['python']}, {system['cores']} cores"
    yield ""
    yield f"In use: {device['device']} in {device['precision']} ({device['reason']})"
    yield "Versions: " + ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    yield f"Capture: {found['capture']['session']}, {found['capture']['text']}"
    yield from _section("Cards", _cards(found["cards"]))
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


def _cards(listed: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = []
    for card in listed:
        parts = [f"{card['vendor']} {card['name']}"]
        if card["integrated"]:
            parts.append("part of the processor")
        if card["total"] is not None:
            used = "" if card["used"] is None else f"{card['used'] / (1 << 30):.1f} of "
            parts.append(f"{used}{card['total'] / (1 << 30):.1f} GiB")
        if card["power_w"] is not None:
            parts.append(f"{card['power_w']:.0f} W")
        lines.append(", ".join(parts))
    return lines
