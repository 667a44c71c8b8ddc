"""`python -m hrm.backends`: probe this computer, benchmark engines, compile kernels, clear caches."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; returns 0, 1 if a kernel cannot run, or 2 with the reason on stderr if it failed."""
    options = _parser().parse_args(arguments)
    try:
        values, words = _COMMANDS[options.command](options)
    except (ValueError, OSError, RuntimeError) as error:
        print(f"hrm.backends {options.command}: {error}", file=sys.stderr)
        return 2
    print(json.dumps(values) if options.json else words)
    return 1 if options.command == "kernels" and values["wrong"] else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m hrm.backends", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    probe = commands.add_parser("probe", help="check what works here; cached")
    probe.add_argument("--again", action="store_true", help="probe anew, whatever is cached")
    bench = commands.add_parser("bench", help="measure every engine and precision that works here")
    bench.add_argument(
        "--tokens", type=int, nargs="+", default=[64], help="lengths to measure `reference` at"
    )
    bench.add_argument("--preset", default="reference", help="the model whose size is measured")
    bench.add_argument("--rounds", type=int, default=12)
    bench.add_argument("--only", default="", help="only candidates with this in their name, and the baseline")
    bench.add_argument("--sudoku", type=Path, help="the trained sudoku weights, to count answers on as well")
    bench.add_argument("--plot", type=Path, help="draw the result as an SVG here")
    kernels = commands.add_parser("kernels", help="compile our kernels for chips that need not be here")
    kernels.add_argument("--targets", required=True, help="chips such as gfx1101,sm_90")
    kernels.add_argument(
        "--tokens", type=int, nargs="+", default=[64, 128, 560], help="lengths to compile for"
    )
    kernels.add_argument("--preset", default="reference", help="the model whose widths are compiled for")
    caches = commands.add_parser("caches", help="measure the compile caches")
    caches.add_argument(
        "--clear", nargs="+", default=[], metavar="NAME", help="empty these; all for every one"
    )
    for command in (probe, bench, kernels, caches):
        command.add_argument("--json", action="store_true", help="one JSON object")
    return parser


def _probe(options: argparse.Namespace) -> tuple[Any, str]:
    from hrm.backends.probing.probe import probe_all  # noqa: PLC0415 (help should not wait)
    from hrm.backends.probing.report import text  # noqa: PLC0415

    report = probe_all(force=options.again, progress=_report)
    return report.to_json(), text(report)


def _bench(options: argparse.Namespace) -> tuple[Any, str]:
    from hrm.backends.bench import benchmark, chart, workloads  # noqa: PLC0415 (help should not wait)
    from hrm.backends.bench.candidates import candidates  # noqa: PLC0415

    baseline, *others = candidates()
    measured = [baseline, *(other for other in others if options.only in other.name)]
    chosen = [workloads.reference(tokens, options.preset) for tokens in options.tokens]
    if options.sudoku is not None:
        chosen.append(workloads.sudoku(options.sudoku))
    results = [benchmark.measure(workload, measured, options.rounds, progress=_report) for workload in chosen]
    words = benchmark.text(results)
    if options.plot is not None:
        chart.draw(results, options.plot)
        words += f"\ndrawn in {options.plot}"
    return {"results": [result.to_json() for result in results]}, words


def _kernels(options: argparse.Namespace) -> tuple[Any, str]:
    from hrm.config import preset  # noqa: PLC0415 (help should not wait)
    from hrm.interpreter import this_python  # noqa: PLC0415

    try:
        from hrm.backends.kernels.ahead import compile_for, text, wrong  # noqa: PLC0415 (Triton is not everywhere)
    except ImportError as error:
        raise RuntimeError(
            f"Triton is missing: {this_python()} -m pip install 'triton>=3.6' (Linux)"
        ) from error
    compiled = []
    for target in options.targets.split(","):
        _report(f"compiling for {target}")
        compiled += compile_for(target, preset(options.preset), options.tokens)
    return {"kernels": [kernel.to_json() for kernel in compiled], "wrong": len(wrong(compiled))}, text(
        compiled
    )


def _caches(options: argparse.Namespace) -> tuple[Any, str]:
    from hrm.backends.compile_caches import caches, clear, places, refusal, text  # noqa: PLC0415

    names, refused = options.clear, list[str]()
    if names == ["all"]:
        refused = [why for why in map(refusal, places()) if why]
        names = [name for name in places() if not refusal(name)]
    cleared = [clear(name) for name in names]
    folders = caches()
    words = "\n".join([*refused, *(f"cleared {cache.name}: {cache.size / 1e6:.1f} MB" for cache in cleared)])
    values = [{"name": c.name, "path": str(c.path), "files": c.files, "bytes": c.size} for c in folders]
    return {"caches": values, "cleared": [c.name for c in cleared]}, f"{words}\n{text(folders)}".strip()


def _report(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


_COMMANDS = {"probe": _probe, "bench": _bench, "kernels": _kernels, "caches": _caches}

if __name__ == "__main__":
    sys.exit(main())
