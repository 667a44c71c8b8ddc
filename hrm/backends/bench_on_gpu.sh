#!/usr/bin/env bash
# The engines on a GPU machine that has python3, torch, triton, numpy and safetensors: each part well under ten
# minutes. From the repository's root:
#   bash hrm/backends/bench_on_gpu.sh check     kernels checked, every variant but the compiled ones timed
#   bash hrm/backends/bench_on_gpu.sh compiled  torch.compile in a graph timed (its tuning takes minutes)
#   bash hrm/backends/bench_on_gpu.sh probe     the probe's checks in children, compile caches measured
#   bash hrm/backends/bench_on_gpu.sh dry       the same code on the CPU with a small model, as a test before renting a machine
# Figures go to $OUT (runs/ without it) as JSON; the last lines are the short table.
# Targets, `reference`, batch 1, bf16: 0.40 ms at 64 tokens, 0.45 at 128, 0.80 at 560, p99 within 20 % of p50, 200 MB.
set -euo pipefail
part=${1:-check}
python=${PYTHON:-python3}
out=${OUT:-runs/engines}
mkdir -p "$out"
export PYTHONUNBUFFERED=1 TORCHINDUCTOR_CACHE_DIR=${TORCHINDUCTOR_CACHE_DIR:-$PWD/runs/inductor}
export TORCHINDUCTOR_COORDINATE_DESCENT_TUNING=${TORCHINDUCTOR_COORDINATE_DESCENT_TUNING:-1}
export HRM_CACHE_DIR=${HRM_CACHE_DIR:-$PWD/runs/cache}

summary() {
    "$python" - "$1" <<'PY'
import json, sys
report = json.load(open(sys.argv[1]))
wrong = [kernel for kernel in report.get("kernels", []) if not kernel["ok"]]
print(f"{report['device']}, torch {report['torch']}; kernels checked: {len(report.get('kernels', []))}, wrong: {len(wrong)}")
for kernel in wrong:
    print("WRONG", json.dumps(kernel))
for row in report["steps"]:
    if "trouble" in row:
        print(f"{row['tokens']:5} {row['variant']:<58} {row['trouble']}")
        continue
    spread = row["p99_ms"] / row["p50_ms"]
    print(f"{row['tokens']:5} {row['variant']:<58} p50 {row['p50_ms']:8.3f} ms  p99/p50 {spread:5.2f}  "
          f"in a row {row['in_a_row_ms']:8.3f}  error {row['error']:.4f}  peak {row['peak_mb']} MB  load {row['load_s']} s")
PY
}

case $part in
    check)
        timeout 570 "$python" -m hrm.backends.bench.gpu_bench --skip compiled --out "$out/gpu_bench.json"
        summary "$out/gpu_bench.json" ;;
    compiled)
        timeout 590 "$python" -m hrm.backends.bench.gpu_bench --only compiled --out "$out/compiled.json"
        summary "$out/compiled.json" ;;
    probe)
        timeout 400 "$python" -m hrm.backends probe --again
        "$python" -m hrm.backends caches ;;
    dry)
        "$python" -m hrm.backends.bench.gpu_bench --dry --preset advisor-lite --tokens 24 --steps 5 --out "$out/dry.json"
        summary "$out/dry.json" ;;
    *)
        echo "usage: bash hrm/backends/bench_on_gpu.sh check|compiled|probe|dry" >&2
        exit 2 ;;
esac
