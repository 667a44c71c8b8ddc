#!/usr/bin/env bash
# One part of a sudoku training run on a GPU machine that has python3, torch, numpy and safetensors and nothing else.
# The whole run lasts TOTAL minutes (20), each call MINUTES; call it again to resume: runs/ holds the state
# between calls. From the repository's root:
#   bash hrm/sudoku.sh PRESET [MINUTES] [more options of `python -m hrm train`]
#   LAUNCH="python3 -m torch.distributed.run --nproc-per-node 2" bash hrm/sudoku.sh trm 9
# The metrics, curves, bf16 weights and accuracies are copied to $OUT where that is set.
# The effect of each setting is in docs/log/hrm.md.
set -euo pipefail
preset=${1:?usage: bash hrm/sudoku.sh PRESET [MINUTES] [options of python -m hrm train]}
minutes=${2:-8}
shift $(($# < 2 ? $# : 2))
python=${PYTHON:-python3}
run=${RUN:-runs/sudoku-$preset}
export PYTHONUNBUFFERED=1 TORCHINDUCTOR_CACHE_DIR=${TORCHINDUCTOR_CACHE_DIR:-$PWD/runs/inductor}
case $preset in
    trm*) recipe=(--batch 512 --lr 3e-4 --warmup 150 --lr-floor 0.03 --growth 0:2:2,0.2:3:3,0.6:3:6 --hints 0.5) ;;
    *) recipe=(--batch 384 --lr 1e-4 --warmup 1000 --lr-floor 0.1 --lr-hold 0.7 --hints 0 --set q_continue=false) ;;
esac

train() {
    ${LAUNCH:-$python} -m hrm train --task sudoku --preset "$preset" --out "$run" --minutes "$minutes" --steps 1000000 \
        --horizon "${TOTAL:-20}" --weight-decay 1 --ema 0.999 --guard 1.5 --log-every 100 --checkpoint-every 10000 \
        --evaluate-every 5000 --compile "${recipe[@]}" "$@"
}

if [ -n "${LAUNCH:-}" ] || ! train --graph "$@"; then train "$@"; fi
$python -m hrm convert "$run/model.safetensors" "$run/small.safetensors" --to bf16 --halt-threshold 0.9
$python -m hrm evaluate --weights "$run/small.safetensors" --limit "${LIMIT:-1000}" --curve | tee "$run/accuracy.json"
if [ -n "${OUT:-}" ]; then
    to=$OUT/$(basename "$run")
    mkdir -p "$to"
    cp "$run"/{metrics.jsonl,curves.svg,accuracy.json} "$to/"
    if [ "$(stat -c %s "$run/small.safetensors")" -lt 16000000 ]; then cp "$run/small.safetensors" "$to/"; fi
fi
