"""Faults that show while a card works: crashes, full memory, a quiet fall back to the CPU, wrong numbers."""

from collections.abc import Iterator
from dataclasses import replace

from botapp.doctor.cards import cards
from botapp.doctor.faults import Finding, fault
from botapp.doctor.install import directml_command
from botapp.doctor.machine import OPERATORS, Machine, Trial
from botapp.host.message import mark, say

FULL = 0.92  # The share of a card's memory from which an allocation is likely to fail or to spill
GIB = 1 << 30
SPILL = GIB  # Bytes of the computer's memory from which a card counts as spilling; a desktop uses less
_APERTURE = "HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION"


@fault("crash", 4)
def crash(machine: Machine) -> Iterator[Finding]:
    """An operator ends its process: a convolution on gfx101x, as a rule."""
    failed = [trial for trial in machine.trials if trial.name in OPERATORS and not trial.ok]
    for device in dict.fromkeys(trial.device for trial in failed):
        yield _crashed(machine, device, [trial for trial in failed if trial.device == device])
    error = machine.torch.error if machine.torch else ""
    if not failed and _APERTURE in error:
        line = next(line.strip() for line in error.splitlines() if _APERTURE in line)
        yield _crashed(machine, say("the card"), [Trial("torch", say("the card"), False, line)])


def _crashed(machine: Machine, device: str, failed: list[Trial]) -> Finding:
    names = ", ".join(trial.name for trial in failed)
    worked = [t.name for t in machine.trials if t.ok and t.device == device and t.name in OPERATORS]
    evidence = [_how(trial) for trial in failed]
    evidence += [line for line in machine.outputs.get("dmesg", "").splitlines() if "page fault" in line][:2]
    if worked:
        evidence.append(say("{names} on {device}: fine", names=", ".join(worked), device=device))
    fix = say("You need do nothing: the app lets the CPU do {names}.", names=names)
    if "matmul" in names:
        fix = say("Update the driver and torch; until then choose CPU under Settings, Thinking.")
    died = ", ".join(trial.name for trial in failed if not trial.answered)
    old = next((card.name for card in cards(machine) if card.gfx.startswith("gfx101")), device)
    words = mark("{names} ends its process on {card}") if died else mark("{names} fails on {card}")
    title = say(words, names=died or names, card=old)
    return Finding(title, "error" if "matmul" in names else "warning", evidence, (fix,))


def _how(trial: Trial) -> str:
    return say("{name} on {device}: {how}", name=trial.name, device=trial.device, how=trial.how)


@fault("memory-full", 9)
def memory_full(machine: Machine) -> Iterator[Finding]:
    """The card's memory is full, or spills into the computer's."""
    for card in cards(machine):
        if card.integrated or not card.total or card.used is None:
            continue
        spilling = (card.spilled or 0) > SPILL and card.used > 0.8 * card.total
        if not spilling and card.used < FULL * card.total:
            continue
        words = mark("{card}: {used:.1f} GB of {total:.1f} GB in use")
        evidence = [say(words, card=card.name, used=card.used / GIB, total=card.total / GIB)]
        if card.spilled is not None:
            words = mark("{spilled:.1f} GB of the computer's memory used by the card")
            evidence.append(say(words, spilled=card.spilled / GIB))
        fix = say("Close other programs that use the card, or set a memory cap under Settings, Thinking.")
        words = mark("The memory of the {card} is nearly full")
        if spilling:
            words = mark("The memory of the {card} spills into RAM")
        yield Finding(say(words, card=card.title), "warning", evidence, (fix,))


@fault("silent-fallback", 10)
def silent_fallback(machine: Machine) -> Iterator[Finding]:
    """The card was asked for and the CPU does the work, without a word."""
    for placement in machine.placements:
        asked = placement.asked
        elsewhere = {name: count for name, count in placement.nodes.items() if name != asked}
        if asked in ("", "CPUExecutionProvider") or (asked in placement.providers and not elsewhere):
            continue
        total = sum(placement.nodes.values())
        evidence = [say("there are {there}", there=", ".join(placement.providers))]
        words = mark("{count} of {total} nodes run on {name}")
        evidence += [say(words, count=n, total=total, name=name) for name, n in elsewhere.items()]
        fix: str = say("Install the ONNX Runtime that has this provider.")
        if asked == "DmlExecutionProvider":
            fix = directml_command()
        title = say("ONNX Runtime does not run the model on {asked}", asked=asked)
        yield Finding(title, "warning", evidence, (fix,))
    chosen = machine.chosen
    got = chosen.get("backend", "cpu")
    if chosen.get("asked") not in (None, "", "auto", "cpu", got):
        title = say("{asked} was asked for and {got} is used", asked=chosen["asked"], got=got)
        fix = say("Fix what the reason says, then press Probe again under Settings, Thinking.")
        yield Finding(title, "warning", (chosen.get("reason", ""),), (fix,))


@fault("precision", 11)
def precision(machine: Machine) -> Iterator[Finding]:
    """A precision gives no numbers, or other ones than fp32, on the card."""
    for trial in machine.trials:
        if trial.name in OPERATORS or trial.ok:
            continue
        evidence = [_how(trial if trial.how else replace(trial, how=say("disagrees with fp32")))]
        if trial.error is not None:
            evidence.append(say("largest difference from fp32: {error:g}", error=trial.error))
        words = mark("{name} gives other answers than fp32 on {device}")
        if "nan" in trial.how.lower():
            words = mark("{name} gives no numbers on {device}")
        title = say(words, name=trial.name, device=trial.device)
        fix = say("You need do nothing: the app uses fp32 there. Or choose fp32 under Settings, Thinking.")
        yield Finding(title, "warning", evidence, (fix,))
