#!/bin/sh
# Makes the advisor's weights from nothing in under nine minutes: fights with the teacher on all cores, training on
# the GPU, then fights against the other players. Needs Python >= 3.11 with torch, numpy and safetensors only.
#   OUT=out/advisor sh botapp/advisor/train_on_gpu.sh
# leaves advisor-lite.safetensors, metrics.json and fights.json in $OUT.
set -eu
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
out=${OUT:-out/advisor}
data=${DATA:-/tmp/advisor-data}
mkdir -p "$out"
"$python" -m botapp.advisor.dataset --fights "${FIGHTS:-100000}" --minutes "${GENERATE_MINUTES:-4}" \
    --workers "${WORKERS:-$(nproc)}" --budget "${TEACHER_BUDGET:-800}" --out "$data"
"$python" -m botapp.advisor.train --data "$data" --minutes "${TRAIN_MINUTES:-3}" --batch "${BATCH:-2048}" \
    --act-steps "${ACT_STEPS:-6}" --device "${DEVICE:-auto}" \
    --out "$out/advisor-lite.safetensors" --metrics "$out/metrics.json"
"$python" -m botapp.advisor.evaluate --weights "$out/advisor-lite.safetensors" --fights "${DUELS:-100}" \
    --workers "${WORKERS:-$(nproc)}" --out "$out/fights.json"
