#!/bin/sh
# Makes the advisor's weights, stage by stage. Needs Python >= 3.11 with torch, numpy, safetensors and pydantic.
#   sh botapp/learning/on_gpu.sh STAGE...    (all of them in order: all; tiny, on a CPU, in $WORK: dry)
# generate   fights judged by the search: those of quick players to $DATA/round1, then those of the weights at $STUDENT, at the
#            states that these come to, to $DATA/round2
# tests      fights shown with a model's own rollouts, of the seen pool to $DATA/test-MODEL and of the unseen one to $DATA/unseen-MODEL
# train      the weights of $MODELS, from all fights, as long as $TRAIN_MINUTES; `lite` goes on from $STUDENT
# baselines  one pass and a plain transformer, as long as $BASELINE_MINUTES
# grade      $MODELS against the search: temperatures from both test sets, then figures on each, and on the unseen ones
# fights     $MODELS in the $CONTESTS greedy, timed (greedy, with $CONTEST_MS for a turn), search (both with that time), unseen (greedy,
#            unseen classes and maps)
# collect    what is worth keeping, to $OUT
# Every stage can be run again: generation goes on where it was, weights and figures that are there stay.
# Models of a stage train at the same time; several stages may run at once. CUDA_VISIBLE_DEVICES says where.
set -eu
cd "$(dirname "$0")/../.."

python=${PYTHON:-python3}
WORK=${WORK:-/tmp/advisor-out}
DATA=${DATA:-/tmp/advisor-data}
OUT=${OUT:-out/advisor}
STUDENT=${STUDENT:-resources/weights/advisor-lite.safetensors}
workers=${WORKERS:-$(nproc)}
models=${MODELS-lite full}
device=${DEVICE:-auto}
ms=${CONTEST_MS:-500}
train=${TRAIN_OPTIONS:---compile}
judged="--search-states ${SEARCH_STATES:-3000}"
export PYTHONUNBUFFERED=1
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-2}" # the cores are busy with fights
export HRM_CACHE_DIR="${HRM_CACHE_DIR:-$WORK/cache}" # where it is named, platformdirs need not be there
mkdir -p "$WORK/logs" "$WORK/figures"

generate() { # folder, seed, minutes, options
    folder=$1 seed=$2 minutes=$3
    shift 3
    "$python" -m botapp.learning.generate --out "$DATA/$folder" --seed "$seed" --minutes "$minutes" \
        --fights "${FIGHTS:-200000}" --workers "$workers" $judged "$@" >"$WORK/logs/generate-$folder.log" 2>&1
}

train() { # model, minutes, options
    model=$1 minutes=$2
    shift 2
    [ -f "$WORK/figures/$model.json" ] && return
    "$python" -m botapp.learning.train --model "$model" --out "$WORK/advisor-$model.safetensors" \
        --data "$DATA/round1" "$DATA/round2" --metrics "$WORK/figures/$model.json" --picture "$WORK/figures/$model.svg" \
        --minutes "$minutes" --device "$device" $train "$@" >"$WORK/logs/train-$model.log" 2>&1
}

together() { # waits for what runs in the background; fails if one of it did
    failed=0
    for job in $jobs; do wait "$job" || failed=1; done
    jobs=
    return $failed
}

part() { # number, name, seed, fights, time, options: a contest's share of the fights, on the card of that number
    number=$1 name=$2 seed=$(($3 + $1 * $4 / 2)) fights=$4 time=$5
    shift 5
    timeout -s INT "${CONTEST_MINUTES:-60}m" "$python" -m botapp.arena.tournament --scenario team --seed "$seed" --fights "$fights" \
        --workers $((workers / parts > 0 ? workers / parts : 1)) --a "$own,device=$(place "$number")$time" \
        --out "$WORK/figures/fights-$name-$number.json" "$@" >"$WORK/logs/fights-$name-$number.log" 2>&1
    tail -n 1 "$WORK/logs/fights-$name-$number.log"
}

place() { # number: where the models of a part think
    if [ "$model" != full ]; then echo cpu; elif [ "$device" = auto ]; then echo "cuda:$1"; else echo "$device"; fi
}

contest() { # name, seed, fights, time (",ms=..." or ""), options: on all cards at once
    name=$1 seed=$2 share=$(($3 / parts / 2 * 2)) time=$4
    shift 4
    number=0
    while [ $number -lt $parts ]; do
        part $number "$name" "$seed" "$share" "$time" "$@" &
        jobs="$jobs $!"
        number=$((number + 1))
    done
    together
}

cards() {
    "$python" -c "import torch; print(torch.cuda.device_count() or 1)"
}

stage() {
    jobs=
    case $1 in
    generate)
        generate round1 1000000 "${GENERATE_MINUTES:-5}"
        generate round2 3000000 "${RELABEL_MINUTES:-4}" --student "$STUDENT"
        ;;
    tests)
        for model in lite full; do
            rollouts=$("$python" -c "from botapp.learning.train import KINDS; print(KINDS['$model'].rollout_actions)")
            generate "test-$model" 7000000 "${TEST_MINUTES:-0.8}" --rollout-actions "$rollouts"
            generate "unseen-$model" 5000000 "${UNSEEN_MINUTES:-0.5}" --rollout-actions "$rollouts" --pool unseen
        done
        ;;
    train)
        for model in $models; do
            start=
            [ "$model" != lite ] || start="--start $STUDENT"
            train "$model" "${TRAIN_MINUTES:-7}" $start &
            jobs="$jobs $!"
        done
        together
        ;;
    baselines)
        for model in one-pass plain; do
            train "$model" "${BASELINE_MINUTES:-2}" &
            jobs="$jobs $!"
        done
        together
        ;;
    grade)
        for model in $models; do
            ls "$WORK/advisor-$model"*.safetensors >/dev/null 2>&1 || continue
            "$python" -m botapp.learning.train --measure-only --model "$model" --out "$WORK/advisor-$model.safetensors" \
                --data "$DATA/test-lite" "$DATA/test-full" --held-out 1 --device "$device" \
                --metrics "$WORK/figures/test-$model.json" >"$WORK/logs/test-$model.log" 2>&1
            for fights in test-lite test-full unseen-lite unseen-full; do
                "$python" -m botapp.learning.figures --weights "$WORK/advisor-$model.safetensors" --device "$device" \
                    --data "$DATA/$fights" --out "$WORK/figures/$fights-$model.json" \
                    --picture "$WORK/figures/$fights-$model.svg" >"$WORK/logs/grade-$fights-$model.log" 2>&1
            done
        done
        ;;
    fights)
        for model in $models; do
            parts=1
            [ "$model" != full ] || parts=$(cards)
            own="$model:weights=$WORK/advisor-$model.safetensors"
            for each in ${CONTESTS:-greedy timed search unseen}; do
                case $each in
                greedy) contest "$model-greedy" 60000000 "${GREEDY_FIGHTS:-400}" "" --b greedy ;;
                timed) contest "$model-greedy-timed" 63000000 "${TIMED_FIGHTS:-400}" ",ms=$ms" --b greedy ;;
                search) contest "$model-search" 62000000 "${SEARCH_FIGHTS:-400}" ",ms=$ms" --b "search:ms=$ms" ;;
                unseen) contest "$model-greedy-unseen" 61000000 "${UNSEEN_FIGHTS:-400}" "" --b greedy --unseen ;;
                esac || true
            done
        done
        ;;
    collect)
        mkdir -p "$OUT"
        cp "$WORK"/advisor-lite.safetensors "$WORK"/advisor-full-*.safetensors "$OUT" || true
        tar -czf "$OUT/figures.tar.gz" -C "$WORK" figures logs
        ;;
    all)
        for each in generate tests train baselines grade fights collect; do stage $each; done
        ;;
    dry)
        tiny="--set hidden_size=64 --set num_heads=2 --set mlp_inner=64 --set L_layers=1 --set H_layers=1"
        dry=$WORK/dry
        TRAIN_OPTIONS="--steps 3 --tokens 400 --act-steps 2 --held-out 0.5 --threads 1 $tiny" FIGHTS=8 WORKERS=2 \
            SEARCH_STATES=20 DEVICE=cpu GREEDY_FIGHTS=2 TIMED_FIGHTS=2 SEARCH_FIGHTS=2 UNSEEN_FIGHTS=2 \
            WORK="$dry" DATA="$dry/data" OUT="$dry/collected" sh botapp/learning/on_gpu.sh all
        ;;
    *)
        echo "there is no stage $1; see the head of $0" >&2
        return 2
        ;;
    esac
    echo "$(date -u +%H:%M:%S) $1 ${models:-} done" | tee -a "$WORK/logs/stages.log"
}

[ $# -gt 0 ] || { sed -n '2,17p' "$0" | cut -c3- >&2; exit 2; }
for name in "$@"; do stage "$name"; done
