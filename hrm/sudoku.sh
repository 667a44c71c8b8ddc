#!/usr/bin/env bash
# One leg of a sudoku run on a GPU machine that has python3, torch, numpy and safetensors and nothing else.
# Run it again to go on; runs/ keeps the state between legs. From the repository's root:
#   bash hrm/sudoku.sh PRESET [MINUTES] [more options of `python -m hrm train`]
#   LAUNCH="python3 -m torch.distributed.run --nproc-per-node 2" bash hrm/sudoku.sh trm 9
# What is worth keeping is copied to $OUT where that is set: metrics, curves, the bf16 weights, the accuracies.
set -euo pipefail
preset=${1:?usage: bash hrm/sudoku.sh PRESET [MINUTES] [options of python -m hrm train]}
minutes=${2:-8}
shift $(($# < 2 ? $# : 2))
python=${PYTHON:-python3}
run=${RUN:-runs/sudoku-$preset}
export PYTHONUNBUFFERED=1 TORCHINDUCTOR_CACHE_DIR=${TORCHINDUCTOR_CACHE_DIR:-$PWD/runs/inductor}

${LAUNCH:-$python} -m hrm train --task sudoku --preset "$preset" --out "$run" --minutes "$minutes" \
    --steps 1000000 --log-every 100 --checkpoint-every 1000 --evaluate-every 2000 --compile "$@"
$python -m hrm convert "$run/model.safetensors" "$run/small.safetensors" --to bf16
$python -m hrm evaluate --weights "$run/small.safetensors" --limit "${LIMIT:-1000}" --curve | tee "$run/accuracy.json"
if [ -n "${OUT:-}" ]; then
    mkdir -p "$OUT/$preset"
    cp "$run"/{metrics.jsonl,curves.svg,accuracy.json} "$OUT/$preset/"
    if [ "$(stat -c %s "$run/small.safetensors")" -lt 16000000 ]; then cp "$run/small.safetensors" "$OUT/$preset/"; fi
fi
