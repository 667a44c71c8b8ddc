"""Faults that show while a card works: crashes, full memory, a quiet fall back to the CPU, wrong numbers."""

from collections.abc import Iterator

from botapp.doctor.cards import Card, cards
from botapp.doctor.finding import Finding
from botapp.doctor.machine import Machine, Trial

TRY_AGAIN = "python -m hrm.backends probe --again"
OPERATORS = ("matmul", "attention", "conv2d")
FULL = 0.92
"""The share of a card's memory from which an allocation is likely to fail or to spill."""
SPILL = 1 << 30
"""Bytes of the computer's memory a card uses before it counts as spilling; a desktop alone uses less."""
_APERTURE = "HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION"
_FAULTS = (_APERTURE, "page fault (src_id", "GPU reset", "ring gfx", "HSA_STATUS_ERROR")


def crash(machine: Machine) -> Iterator[Finding]:
    """(4) An operator ends its process: a convolution on gfx101x, as a rule."""
    failed = [trial for trial in machine.trials if trial.name in OPERATORS and not trial.ok]
    kernel = [line.strip() for line in machine.outputs.get("dmesg", "").splitlines() if "page fault" in line]
    for device in dict.fromkeys(trial.device for trial in failed):
        yield _crashed(machine, device, [trial for trial in failed if trial.device == device], kernel)
    said = machine.torch.error if machine.torch else ""
    if not failed and _APERTURE in said:
        line = next(line.strip() for line in said.splitlines() if _APERTURE in line)
        yield _crashed(machine, "the card", [Trial("torch", "the card", False, line)], kernel)


def _crashed(machine: Machine, device: str, failed: list[Trial], kernel: list[str]) -> Finding:
    old = next((card for card in cards(machine) if card.gfx.startswith("gfx101")), None)
    worked = [t.name for t in machine.trials if t.ok and t.device == device and t.name in OPERATORS]
    evidence = [f"{trial.name} on {device}: {trial.how}" for trial in failed]
    for trial in failed:
        evidence += [line.strip() for line in trial.output.splitlines() if any(f in line for f in _FAULTS)]
    evidence += kernel[:2]
    if worked:
        evidence.append(f"{', '.join(worked)} on {device}: fine")
    names = ", ".join(trial.name for trial in failed)
    if old is not None:
        fix: tuple[str, ...] = (
            f"Nothing need be done: the app keeps {names} off the card and runs on. No setting or shim is "
            f"known to cure this; AMD's own wheel for {old.gfx} may. See the table of options.",
        )
    elif "matmul" in [trial.name for trial in failed]:
        fix = (
            "Update the driver and torch; until then choose CPU under Settings, Engine.",
            "Take overrides out: unset HSA_OVERRIDE_GFX_VERSION PYTORCH_HIP_ALLOC_CONF",
        )
    else:
        fix = (
            f"Nothing need be done: the app lets the CPU do {names}. A newer driver and torch may cure it.",
        )
    died = ", ".join(trial.name for trial in failed if not trial.answered)
    what = f"{died} ends its process" if died else f"{names} fails"
    title = f"{what} on {old.name if old else device}"
    return Finding(
        "crash", title, "error" if "matmul" in names else "warning", tuple(evidence), fix, TRY_AGAIN
    )


def memory_full(machine: Machine) -> Iterator[Finding]:
    """(9) The card's memory is full, or spills into the computer's."""
    for card in cards(machine):
        if card.integrated or not card.total or card.used is None:
            continue
        spilling = (card.spilled or 0) > SPILL and card.used > 0.8 * card.total
        if card.used < FULL * card.total and not spilling:
            continue
        yield Finding(
            "memory-full",
            f"The memory of the {card.title} {'spills into RAM' if spilling else 'is nearly full'}",
            "warning",
            tuple(_usage(card)),
            (
                "Close other programs that use the card: games, browsers, other models.",
                "Or choose a lower precision, or a memory cap, under Settings, Engine.",
            ),
            _watch(machine, card),
        )


def _usage(card: Card) -> Iterator[str]:
    assert card.total is not None
    assert card.used is not None
    yield f"{card.name}: {_gigabytes(card.used)} of {_gigabytes(card.total)} in use"
    if card.spilled is not None:
        yield f"{_gigabytes(card.spilled)} of the computer's memory used by the card"


def _watch(machine: Machine, card: Card) -> str:
    if card.vendor == "NVIDIA":
        return "nvidia-smi"
    if machine.system == "windows":
        return 'typeperf -sc 1 "\\GPU Adapter Memory(*)\\Dedicated Usage"'
    return f"cat /sys/bus/pci/devices/{card.pci}/mem_info_vram_used"


def silent_fallback(machine: Machine) -> Iterator[Finding]:
    """(10) The card was asked for and the CPU does the work, without a word."""
    for placement in machine.placements:
        if placement.asked in ("", "CPUExecutionProvider"):
            continue
        elsewhere = {name: count for name, count in placement.nodes.items() if name != placement.asked}
        if placement.asked in placement.providers and not elsewhere:
            continue
        evidence = [f"asked for {placement.asked}; there are {', '.join(placement.providers)}"]
        evidence += [
            f"{count} of {sum(placement.nodes.values())} nodes run on {name}"
            for name, count in elsewhere.items()
        ]
        yield Finding(
            "silent-fallback",
            f"ONNX Runtime does not run the model on {placement.asked}",
            "warning",
            tuple(evidence),
            (
                "pip uninstall -y onnxruntime && pip install --force-reinstall onnxruntime-directml"
                if placement.asked == "DmlExecutionProvider"
                else "Install the ONNX Runtime that has this provider.",
            ),
            'python -c "import onnxruntime; print(onnxruntime.get_available_providers())"',
        )
    chosen = machine.chosen
    if chosen.get("asked") not in (None, "", "auto", "cpu", chosen.get("backend")):
        yield Finding(
            "silent-fallback",
            f"{chosen['asked']} was asked for and {chosen.get('backend', 'cpu')} is used",
            "warning",
            (chosen.get("reason", ""),),
            ("Put right what the reason says, then press Probe again under Settings, Engine.",),
            "botapp doctor",
        )


def precision(machine: Machine) -> Iterator[Finding]:
    """(11) A precision gives no numbers, or other ones than fp32, on the card."""
    for trial in machine.trials:
        if trial.name in OPERATORS or trial.ok:
            continue
        evidence = [f"{trial.name} on {trial.device}: {trial.how or 'disagrees with fp32'}"]
        if trial.error is not None:
            evidence.append(f"largest difference from fp32: {trial.error:g}")
        yield Finding(
            "precision",
            f"{trial.name} gives {'no numbers' if 'nan' in trial.how.lower() else 'other answers than fp32'} "
            f"on {trial.device}",
            "warning",
            tuple(evidence),
            ("Nothing need be done: the app uses fp32 there. Or choose fp32 under Settings, Engine.",),
            TRY_AGAIN,
        )


def _gigabytes(count: int) -> str:
    return f"{count / (1 << 30):.1f} GiB"
