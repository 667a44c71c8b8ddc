"""Faults that show while a card works: crashes, full memory, a quiet fall back to the CPU, wrong numbers."""

from collections.abc import Iterator
from dataclasses import replace

from botapp.doctor.cards import GraphicsCard, cards
from botapp.doctor.faults import fault
from botapp.doctor.finding import Finding
from botapp.doctor.install import SEES_PROVIDERS, directml_command
from botapp.doctor.machine import Machine, Trial
from botapp.host.message import mark, say
from hrm.interpreter import this_python

TRY_AGAIN = f"{this_python()} -m hrm.backends probe --again"
OPERATORS = ("matmul", "attention", "conv2d")
FULL = 0.92  # The share of a card's memory from which an allocation is likely to fail or to spill
GIB = 1 << 30
SPILL = GIB
"""Bytes of the computer's memory a card uses before it counts as spilling; a desktop alone uses less."""
_APERTURE = "HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION"
_FAULTS = (_APERTURE, "page fault (src_id", "GPU reset", "ring gfx", "HSA_STATUS_ERROR")


@fault("crash", 4)
def crash(machine: Machine) -> Iterator[Finding]:
    """An operator ends its process: a convolution on gfx101x, as a rule."""
    failed = [trial for trial in machine.trials if trial.name in OPERATORS and not trial.ok]
    kernel = [line.strip() for line in machine.outputs.get("dmesg", "").splitlines() if "page fault" in line]
    for device in dict.fromkeys(trial.device for trial in failed):
        yield _crashed(machine, device, [trial for trial in failed if trial.device == device], kernel)
    error = machine.torch.error if machine.torch else ""
    if not failed and _APERTURE in error:
        line = next(line.strip() for line in error.splitlines() if _APERTURE in line)
        card = say("the card")
        yield _crashed(machine, card, [Trial("torch", card, False, line)], kernel)


def _crashed(machine: Machine, device: str, failed: list[Trial], kernel: list[str]) -> Finding:
    old = next((card for card in cards(machine) if card.gfx.startswith("gfx101")), None)
    worked = [t.name for t in machine.trials if t.ok and t.device == device and t.name in OPERATORS]
    evidence: list[str] = [_how(trial) for trial in failed]
    for trial in failed:
        evidence += [line.strip() for line in trial.output.splitlines() if any(f in line for f in _FAULTS)]
    evidence += kernel[:2]
    if worked:
        evidence.append(say("{names} on {device}: fine", names=", ".join(worked), device=device))
    names = ", ".join(trial.name for trial in failed)
    if old is not None:
        words = mark(
            "You need do nothing: the app keeps {names} off the card and carries on. No "
            "setting or shim is known to fix this; AMD's own wheel for {gfx} may. See the "
            "table of options."
        )
        fix: tuple[str, ...] = (say(words, names=names, gfx=old.gfx),)
    elif "matmul" in [trial.name for trial in failed]:
        fix = (
            say("Update the driver and torch; until then choose CPU under Settings, Thinking."),
            say("Take overrides out: unset HSA_OVERRIDE_GFX_VERSION PYTORCH_HIP_ALLOC_CONF"),
        )
    else:
        words = mark(
            "You need do nothing: the app lets the CPU do {names}. A newer driver and torch may fix it."
        )
        fix = (say(words, names=names),)
    died = ", ".join(trial.name for trial in failed if not trial.answered)
    card = old.name if old else device
    if died:
        title = say("{names} ends its process on {card}", names=died, card=card)
    else:
        title = say("{names} fails on {card}", names=names, card=card)
    return Finding(
        "crash", title, "error" if "matmul" in names else "warning", tuple(evidence), fix, TRY_AGAIN
    )


def _how(trial: Trial) -> str:
    return say("{name} on {device}: {how}", name=trial.name, device=trial.device, how=trial.how)


@fault("memory-full", 9)
def memory_full(machine: Machine) -> Iterator[Finding]:
    """The card's memory is full, or spills into the computer's."""
    for card in cards(machine):
        if card.integrated or not card.total or card.used is None:
            continue
        spilling = (card.spilled or 0) > SPILL and card.used > 0.8 * card.total
        if card.used < FULL * card.total and not spilling:
            continue
        yield Finding(
            "memory-full",
            say("The memory of the {card} spills into RAM", card=card.title)
            if spilling
            else say("The memory of the {card} is nearly full", card=card.title),
            "warning",
            tuple(_usage(card)),
            (
                say("Close other programs that use the card: games, browsers, other models."),
                say("Or choose a lower precision, or a memory cap, under Settings, Thinking."),
            ),
            _watch(machine, card),
        )


def _usage(card: GraphicsCard) -> Iterator[str]:
    assert card.total is not None
    assert card.used is not None
    words = mark("{card}: {used:.1f} GB of {total:.1f} GB in use")
    yield say(words, card=card.name, used=card.used / GIB, total=card.total / GIB)
    if card.spilled is not None:
        yield say("{spilled:.1f} GB of the computer's memory used by the card", spilled=card.spilled / GIB)


def _watch(machine: Machine, card: GraphicsCard) -> str:
    if card.vendor == "NVIDIA":
        return "nvidia-smi"
    if machine.system == "windows":
        return 'typeperf -sc 1 "\\GPU Adapter Memory(*)\\Dedicated Usage"'
    return f"cat /sys/bus/pci/devices/{card.pci}/mem_info_vram_used"


@fault("silent-fallback", 10)
def silent_fallback(machine: Machine) -> Iterator[Finding]:
    """The card was asked for and the CPU does the work, without a word."""
    for placement in machine.placements:
        if placement.asked in ("", "CPUExecutionProvider"):
            continue
        elsewhere = {name: count for name, count in placement.nodes.items() if name != placement.asked}
        if placement.asked in placement.providers and not elsewhere:
            continue
        there, total = ", ".join(placement.providers), sum(placement.nodes.values())
        evidence = [say("asked for {asked}; there are {there}", asked=placement.asked, there=there)]
        evidence += [
            say("{count} of {total} nodes run on {name}", count=count, total=total, name=name)
            for name, count in elsewhere.items()
        ]
        yield Finding(
            "silent-fallback",
            say("ONNX Runtime does not run the model on {asked}", asked=placement.asked),
            "warning",
            tuple(evidence),
            (
                directml_command()
                if placement.asked == "DmlExecutionProvider"
                else say("Install the ONNX Runtime that has this provider."),
            ),
            SEES_PROVIDERS,
        )
    chosen = machine.chosen
    if chosen.get("asked") not in (None, "", "auto", "cpu", chosen.get("backend")):
        yield Finding(
            "silent-fallback",
            say(
                "{asked} was asked for and {got} is used",
                asked=chosen["asked"],
                got=chosen.get("backend", "cpu"),
            ),
            "warning",
            (chosen.get("reason", ""),),
            (say("Fix what the reason says, then press Probe again under Settings, Thinking."),),
            "botapp doctor",
        )


@fault("precision", 11)
def precision(machine: Machine) -> Iterator[Finding]:
    """A precision gives no numbers, or other ones than fp32, on the card."""
    for trial in machine.trials:
        if trial.name in OPERATORS or trial.ok:
            continue
        evidence = [_how(trial if trial.how else replace(trial, how=say("disagrees with fp32")))]
        if trial.error is not None:
            evidence.append(say("largest difference from fp32: {error:g}", error=trial.error))
        if "nan" in trial.how.lower():
            title = say("{name} gives no numbers on {device}", name=trial.name, device=trial.device)
        else:
            words = mark("{name} gives other answers than fp32 on {device}")
            title = say(words, name=trial.name, device=trial.device)
        yield Finding(
            "precision",
            title,
            "warning",
            tuple(evidence),
            (say("You need do nothing: the app uses fp32 there. Or choose fp32 under Settings, Thinking."),),
            TRY_AGAIN,
        )
