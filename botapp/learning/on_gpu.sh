#!/bin/sh
# Makes the advisor's weights from nothing, stage by stage. Needs Python >= 3.11 with torch, numpy and safetensors.
#   sh botapp/learning/on_gpu.sh STAGE...    (all of them in order: all; tiny, on a CPU, in $WORK: dry)
# generate0  fights judged at length, shown with a model's own replies, of the seen pool to $DATA/test-MODEL and of the unseen
#            one to $DATA/unseen-MODEL
# generate1  fights judged by the teacher, to $DATA/round1
# train1     the first weights, of what fights are there by then, to $WORK/round1
# relabel    fights of these weights, judged by the teacher, to $DATA/round2
# train2     goes on from the first weights with all fights: the weights to ship, to $WORK
# baselines  one pass and a plain transformer, as long as $BASELINE_MINUTES
# grade      all weights against the teacher: temperatures and figures on $DATA/test-MODEL, then on $DATA/unseen-MODEL
# fights     lite and full against greedy and the teacher, seen and unseen
# collect    what is worth keeping, to $OUT
# Every stage can be run again: generation goes on where it was, weights and figures that are there stay.
# Models of a stage train at the same time; several stages may run at once. CUDA_VISIBLE_DEVICES says where.
set -eu
cd "$(dirname "$0")/../.."

python=${PYTHON:-python3}
WORK=${WORK:-/tmp/advisor-out}
DATA=${DATA:-/tmp/advisor-data}
OUT=${OUT:-out/advisor}
workers=${WORKERS:-$(nproc)}
models=${MODELS:-lite full}
device=${DEVICE:-auto}
train=${TRAIN_OPTIONS:---compile}
teacher="--teacher-states ${TEACHER_STATES:-1500}"
at_length="--teacher-states ${TEST_STATES:-3000}"
export PYTHONUNBUFFERED=1
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-2}" # the cores are busy with fights
export HRM_CACHE_DIR="${HRM_CACHE_DIR:-$WORK/cache}" # where it is named, platformdirs need not be there
mkdir -p "$WORK/logs" "$WORK/figures"

generate() { # folder, seed, minutes, options
    folder=$1 seed=$2 minutes=$3
    shift 3
    "$python" -m botapp.learning.generate --out "$DATA/$folder" --seed "$seed" --minutes "$minutes" \
        --fights "${FIGHTS:-200000}" --workers "$workers" "$@" >"$WORK/logs/generate-$folder.log" 2>&1
}

train() { # model, folder for the weights, name of the figures, minutes, options
    model=$1 folder=$2 name=$3 minutes=$4
    shift 4
    [ -f "$WORK/figures/$name.json" ] && return
    "$python" -m botapp.learning.train --model "$model" --out "$folder/advisor-$model.safetensors" \
        --metrics "$WORK/figures/$name.json" --picture "$WORK/figures/$name.svg" --minutes "$minutes" \
        --device "$device" $train "$@" >"$WORK/logs/train-$name.log" 2>&1
}

rounds() { # the option for all fights there are to learn from
    echo --data "$DATA/round1"
    ls "$DATA"/round2/*.safetensors >/dev/null 2>&1 && echo "$DATA/round2"
}

together() { # waits for what runs in the background; fails if one of it did
    failed=0
    for job in $jobs; do wait "$job" || failed=1; done
    jobs=
    return $failed
}

contest() { # workers, name, options
    crew=$1 name=$2
    shift 2
    timeout -s INT "${CONTEST_MINUTES:-60}m" "$python" -m botapp.arena.tournament --fights "${CONTEST_FIGHTS:-400}" \
        --workers "$crew" --scenario team --out "$WORK/figures/fights-$name.json" "$@" >"$WORK/logs/fights-$name.log" 2>&1
    tail -n 1 "$WORK/logs/fights-$name.log"
}

card() { # number: the name of the card that a job of this number plays on
    [ "$device" = auto ] || { echo "$device"; return; }
    "$python" -c "import torch; n = torch.cuda.device_count(); print(f'cuda:{$1 % n}' if n else 'cpu')"
}

processor() { echo cpu; }

contests() { # model, what names the device by the number of the job; all at once
    weights="--a $1 --weights-a $WORK/advisor-$1.safetensors"
    crew=$((workers / 3 > 0 ? workers / 3 : 1))
    contest $crew "$1-greedy" $weights --device "$($2 0)" --b greedy --seed 60000000 &
    jobs="$jobs $!"
    contest $crew "$1-greedy-unseen" $weights --device "$($2 1)" --b greedy --seed 61000000 --unseen &
    jobs="$jobs $!"
    contest $crew "$1-teacher" $weights --device "$($2 2)" --b search --ms 200 --seed 62000000 &
    jobs="$jobs $!"
}

stage() {
    jobs=
    case $1 in
    generate0)
        for model in lite full; do
            replies=$("$python" -c "from botapp.learning.train import KINDS; print(KINDS['$model'].replies)")
            generate "test-$model" 7000000 "${TEST_MINUTES:-0.7}" --replies "$replies" $at_length
            generate "unseen-$model" 5000000 "${UNSEEN_MINUTES:-0.5}" --replies "$replies" $at_length --pool unseen
        done
        ;;
    generate1)
        generate round1 1000000 "${GENERATE_MINUTES:-9}" $teacher
        ;;
    train1)
        for model in $models; do
            train "$model" "$WORK/round1" "round1-$model" "${TRAIN_MINUTES:-4}" --data "$DATA/round1" &
            jobs="$jobs $!"
        done
        together
        ;;
    relabel)
        generate round2 3000000 "${RELABEL_MINUTES:-3}" $teacher --student "$WORK/round1/advisor-lite.safetensors"
        ;;
    train2)
        for model in $models; do
            start="--start $WORK/round1/advisor-$model.safetensors"
            ls "$WORK/round1/advisor-$model"*.safetensors >/dev/null 2>&1 || start=
            train "$model" "$WORK" "$model" "${TRAIN2_MINUTES:-5}" $(rounds) $start &
            jobs="$jobs $!"
        done
        together
        ;;
    baselines)
        for model in one-pass plain; do
            train "$model" "$WORK" "$model" "${BASELINE_MINUTES:-2}" $(rounds) &
            jobs="$jobs $!"
        done
        together
        ;;
    grade)
        for model in $models one-pass plain; do
            ls "$WORK/advisor-$model"*.safetensors >/dev/null 2>&1 || continue
            fights=$model
            [ "$model" = full ] || fights=lite
            "$python" -m botapp.learning.train --measure-only --model "$model" --out "$WORK/advisor-$model.safetensors" \
                --data "$DATA/test-$fights" --held-out 1 --device "$device" --metrics "$WORK/figures/test-$model.json" \
                --picture "$WORK/figures/test-$model.svg" >"$WORK/logs/test-$model.log" 2>&1
            "$python" -m botapp.learning.figures --weights "$WORK/advisor-$model.safetensors" --device "$device" \
                --data "$DATA/unseen-$fights" --out "$WORK/figures/unseen-$model.json" \
                --picture "$WORK/figures/unseen-$model.svg" >"$WORK/logs/grade-$model.log" 2>&1
        done
        ;;
    fights)
        for model in $models; do
            if [ "$model" = full ]; then contests full card; else contests "$model" processor; fi
            together || true
        done
        ;;
    collect)
        mkdir -p "$OUT"
        cp "$WORK"/advisor-lite.safetensors "$WORK"/advisor-full-*.safetensors "$OUT" || true
        tar -czf "$OUT/figures.tar.gz" -C "$WORK" figures logs
        ;;
    all)
        for each in generate0 generate1 train1 relabel train2 baselines grade fights collect; do stage $each; done
        ;;
    dry)
        tiny="--set hidden_size=64 --set num_heads=2 --set mlp_inner=64 --set L_layers=1 --set H_layers=1"
        dry=$WORK/dry
        TRAIN_OPTIONS="--steps 3 --tokens 400 --act-steps 2 --held-out 0.5 --threads 1 $tiny" FIGHTS=8 WORKERS=2 \
            TEACHER_STATES=10 TEST_STATES=20 TEST_MINUTES=3 DEVICE=cpu CONTEST_FIGHTS=2 GENERATE_MINUTES=3 UNSEEN_MINUTES=3 RELABEL_MINUTES=3 \
            WORK="$dry" DATA="$dry/data" OUT="$dry/collected" sh botapp/learning/on_gpu.sh all
        ;;
    *)
        echo "there is no stage $1; see the head of $0" >&2
        return 2
        ;;
    esac
    echo "$(date -u +%H:%M:%S) $1 done" | tee -a "$WORK/logs/stages.log"
}

[ $# -gt 0 ] || { sed -n '2,17p' "$0" | cut -c3- >&2; exit 2; }
for name in "$@"; do stage "$name"; done
