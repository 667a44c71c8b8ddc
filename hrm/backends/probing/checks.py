"""The probe's checks, each run in a child process: `python -m hrm.backends.probing.checks NAME [OPTIONS]`.

A check takes its options as JSON, prints one line of JSON and ends; a driver that crashes ends only that
child.
"""

import json
import sys
from collections.abc import Callable
from typing import Any

from hrm.backends.probing.environment import libraries, system
from hrm.message import pack, say

_NAMES = {"bf16": "bfloat16", "fp16": "float16", "fp32": "float32"}
_PRODUCT_TOLERANCE = {"fp32": 1e-4, "bf16": 3e-2, "fp16": 5e-3}
"""How far a product of random numbers may be from float64's, root mean square over root mean square."""
STEP_TOLERANCE = {"fp32": 2e-3, "bf16": 0.15, "fp16": 0.05, "int8": 0.35}
"""The same of the states after one step of a model of random weights, which amplifies rounding."""


def enumerate_devices(options: dict[str, Any]) -> dict[str, Any]:
    """Lists the backends with their devices, and the chips that this build of torch supports."""
    from dataclasses import asdict  # noqa: PLC0415

    import torch  # noqa: PLC0415

    from hrm.backends.probing.available import available  # noqa: PLC0415

    chips = torch.cuda.get_arch_list() if torch.cuda.is_available() else []
    return {"backends": [asdict(info) for info in available()], "chips": chips}


def allocate(options: dict[str, Any]) -> dict[str, Any]:
    import torch  # noqa: PLC0415

    size = int(options.get("megabytes", 64)) << 18
    block = torch.arange(size, dtype=torch.float32, device=options["device"])
    return {"ok": bool((block.cpu() == torch.arange(size, dtype=torch.float32)).all())}


def matmul(options: dict[str, Any]) -> dict[str, Any]:
    """Multiplies in a precision and compares with float64 on the CPU."""
    import torch  # noqa: PLC0415

    precision = options.get("precision", "fp32")
    generator = torch.Generator().manual_seed(0)
    a, b = (torch.randn(192, 256, generator=generator) for _ in range(2))
    dtype = getattr(torch, _NAMES[precision])
    ours = (a.to(options["device"], dtype) @ b.to(options["device"], dtype).T).double().cpu()
    return compared(ours, a.double() @ b.double().T, _PRODUCT_TOLERANCE[precision])


def attention(options: dict[str, Any]) -> dict[str, Any]:
    """Computes attention as asked and compares with float64.

    "math" is the plain one, "auto" whichever torch takes, "fast" any but the plain one: where a card
    has none of these, the check fails, so that it proves what it says. AMD's switch for them is set.
    """
    import torch  # noqa: PLC0415
    from torch.nn.functional import scaled_dot_product_attention as attend  # noqa: PLC0415

    from hrm.backends.engines.devices import allow_flash_on_amd, attention_kind  # noqa: PLC0415

    if options.get("attention") == "fast":
        allow_flash_on_amd()
    precision = options.get("precision", "fp32")
    generator = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(1, 8, 96, 64, generator=generator) for _ in range(3))
    dtype = getattr(torch, _NAMES[precision])
    with attention_kind(options.get("attention", "math")):
        on_device = [t.to(options["device"], dtype) for t in (q, k, v)]
        ours = attend(on_device[0], on_device[1], on_device[2]).double().cpu()
    expected = attend(q.double(), k.double(), v.double())
    return compared(ours, expected, 10 * _PRODUCT_TOLERANCE[precision])


def conv2d(options: dict[str, Any]) -> dict[str, Any]:
    """Convolves: no model here does, but this is the operator that crashes on RDNA 1."""
    import torch  # noqa: PLC0415
    from torch.nn.functional import conv2d as convolve  # noqa: PLC0415

    generator = torch.Generator().manual_seed(0)
    picture = torch.randn(1, 8, 32, 32, generator=generator)
    kernel = torch.randn(8, 8, 3, 3, generator=generator)
    ours = convolve(picture.to(options["device"]), kernel.to(options["device"])).double().cpu()
    return compared(ours, convolve(picture.double(), kernel.double()), 2e-3)


def step(options: dict[str, Any]) -> dict[str, Any]:
    """Runs one step of a model with the given options; compares it with fp32 on the CPU, and times it.

    Options: device, precision, engine, level, attention, hip_graphs; tokens and preset of the model;
    repeats of the timing.
    """
    import torch  # noqa: PLC0415

    from hrm.act import Stepper  # noqa: PLC0415
    from hrm.backends.engines.opening import open_engine  # noqa: PLC0415
    from hrm.backends.latency import percentile, times_ms  # noqa: PLC0415
    from hrm.backends.placement import DevicePlan  # noqa: PLC0415
    from hrm.config import preset  # noqa: PLC0415
    from hrm.model import HRM  # noqa: PLC0415

    torch.manual_seed(0)
    tokens, precision = int(options.get("tokens", 64)), options.get("precision", "fp32")
    model = HRM(preset(options.get("preset", "advisor-lite"), seq_len=tokens))
    stepper = Stepper(model, model.read).eval()
    x = torch.randn(1, model.config.positions, model.config.hidden_size)
    with torch.inference_mode():
        expected = stepper(*model.start(1, x.shape[1]), x, None)[0]
    device_plan = DevicePlan(
        "probe",
        "auto",
        options["device"],
        precision,
        "",
        engine=options.get("engine", "torch"),
        attention=options.get("attention", "math"),
        level=options.get("level", "conservative"),
        hip_graphs=bool(options.get("hip_graphs")),
    )
    engine = open_engine(stepper, device_plan)
    x = x.to(engine.state_device)
    carry = engine.start(1, x.shape[1])

    def step() -> None:
        nonlocal carry
        carry, _, _ = engine.step(engine.start(1, x.shape[1]), x)

    repeats = int(options.get("repeats", 20))
    times = times_ms(step, engine.state_device, repeats - repeats // 4, warm_up=repeats // 4)
    judged = compared(carry.z_H.double().cpu(), expected.double(), STEP_TOLERANCE[precision])
    return judged | {
        "p50_ms": round(percentile(times, 0.5), 3),
        "p95_ms": round(percentile(times, 0.95), 3),
        "operators_by_provider": getattr(engine, "operators_by_provider", {}),
    }


CHECKS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "system": system,
    "import": libraries,
    "enumerate": enumerate_devices,
    "allocate": allocate,
    "matmul": matmul,
    "attention": attention,
    "conv2d": conv2d,
    "step": step,
}


def main(arguments: list[str] | None = None) -> int:
    """Runs a check; an exception is returned as its answer, so that only a crash gives none."""
    name, *rest = sys.argv[1:] if arguments is None else arguments
    options = json.loads(rest[0]) if rest else {}
    try:
        answer = CHECKS[name](options)
    except Exception as error:
        from hrm.backends.errors import sort_error  # noqa: PLC0415

        reason = sort_error(error)
        answer = {"ok": False, "error": type(reason).__name__, "what": reason.what, "remedy": reason.remedy}
    print(json.dumps(pack({"ok": True, **answer})))
    return 0


def compared(ours: Any, expected: Any, tolerance: float) -> dict[str, Any]:
    finite = bool(ours.isfinite().all())
    error = float((ours - expected).square().mean().sqrt() / expected.square().mean().sqrt())
    if not finite:
        return {
            "ok": False,
            "what": say("the result is NaN or infinite"),
            "error_share": None,
        }
    answer: dict[str, Any] = {"ok": error <= tolerance, "error_share": error}
    if answer["ok"]:
        return answer
    return answer | {"what": say("the result is off by {error}", error=f"{error:.2g}")}


if __name__ == "__main__":
    sys.exit(main())
