"""What the learned evaluation promises: it sees both sides alike, and computes what was trained."""

import random
from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

from botapp.arena.players.simple import GreedyPlayer
from botapp.arena.scenarios import outcome, team
from botapp.fight.rules import apply
from botapp.learning.evaluation_network import EvaluationNetwork, save
from botapp.learning.rows import padded
from botapp.search.core.evaluation import INPUT, INPUT_NAMES, LAYERS, PAIR, PAIR_NAMES
from botapp.search.learned import LearnedEvaluation, load
from botapp.search.tree import TurnSearch


def states():
    """Returns beginnings of turns of greedy fights, one to four on a side."""
    found = []
    for seed in range(4):
        rng, state, turn = random.Random(seed), team(seed, 1 + seed), None
        for _ in range(60):
            if outcome(state) is not None:
                break
            if turn != (state.turn, state.actor.id):
                turn = state.turn, state.actor.id
                found.append(state)
            state = apply(state, GreedyPlayer().choose(state, rng), rng)
    return found[::5]


@pytest.fixture(scope="module")
def network():
    torch.manual_seed(3)
    return EvaluationNetwork()


@pytest.fixture(scope="module")
def learned(network, tmp_path_factory):
    path = tmp_path_factory.mktemp("weights") / "evaluation.safetensors"
    save(network, path)
    return load(path)


def test_every_input_has_a_name():
    assert 1 + len(INPUT_NAMES) == INPUT and len(PAIR_NAMES) == PAIR


@pytest.mark.slow
def test_the_search_computes_what_was_trained(network, learned):
    for state in states():
        rows, pairs = padded(*TurnSearch(state, 0).inputs())
        with torch.no_grad():
            expected = network(torch.tensor(rows)[None].float(), torch.tensor(pairs)[None].float()).item()
        assert TurnSearch(state, 0, learned=learned).log_odds(0) == pytest.approx(expected, abs=5e-3)


def test_what_one_side_gains_the_other_one_loses(learned):
    for state in states():
        search = TurnSearch(state, 0, learned=learned)
        assert search.log_odds(0) == -search.log_odds(1) != 0


def test_the_order_of_the_fighters_does_not_count(network):
    rows, pairs = (torch.tensor(one)[None].float() for one in padded(*TurnSearch(team(2, 3), 0).inputs()))
    order = torch.tensor([5, 2, 0, 4, 1, 3, *range(6, rows.shape[1])])
    with torch.no_grad():
        assert network(rows[:, order], pairs[:, order][:, :, order]).item() == pytest.approx(
            network(rows, pairs).item(), abs=1e-5
        )


def test_rows_say_how_fighters_stand_to_each_other():
    state = team(2, 2)
    rows, pairs = TurnSearch(state, 0).inputs()
    columns = {name: rows[:, 1 + n] for n, name in enumerate(INPUT_NAMES)}
    said = {name: pairs[..., n] for n, name in enumerate(PAIR_NAMES)}
    assert rows[:, 0].tolist() == [fighter.team for fighter in state.fighters]
    assert columns["hp_share"].tolist() == [1.0] * 4
    assert columns["acts_now"].tolist() == [float(f.id == state.actor.id) for f in state.fighters]
    assert sorted(columns["turns_until"]) == [0, 0.25, 0.5, 0.75]
    assert np.array_equal(said["foe"], rows[:, :1] != rows[:, 0])
    assert np.array_equal(said["distance"], said["distance"].T)
    assert np.array_equal(said["deals"], said["suffers"].T)


@pytest.mark.slow
def test_a_search_with_it_is_the_same_every_time_and_leaves_others_alone(learned):
    state = next(state for state in states() if len(state.fighters) > 4)

    def value(weights):
        search = TurnSearch(state, 80, learned=weights)
        search.grow(80)
        search.play_on(96)
        return search.root.value

    alone = value(None)
    with_it = value(learned)
    assert with_it != alone
    assert (value(None), value(learned)) == (alone, with_it)


def test_half_of_it_judges_between_the_formula_and_the_whole(learned):
    state = next(state for state in states() if len(state.fighters) > 4)

    def ended(weights):
        search = TurnSearch(state, 0, learned=weights)
        search.play_on(16, turns=1)
        return search.root.heuristic_value

    formula, half, whole = ended(None), ended(replace(learned, share=0.5)), ended(learned)
    assert formula != whole and half == pytest.approx((formula + whole) / 2)


def test_ends_are_judged_before_they_are_played_on(learned):
    state = states()[0]
    search = TurnSearch(state, 60, learned=learned)
    search.grow(60)
    by_formula = search.root.heuristic_value
    search.play_on(16, turns=1)
    assert search.root.heuristic_value != by_formula


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda tensors, names: (tensors | {"last": tensors["last"] * np.float16("nan")}, names),
        lambda tensors, names: (tensors | {"both": tensors["both"][1:]}, names),
        lambda tensors, names: (tensors, names.replace("power", "might")),
    ],
)
def test_weights_of_another_evaluation_are_refused_by_name(network, tmp_path, spoilt):
    path = tmp_path / "evaluation.safetensors"
    save(network, path)
    tensors, names = spoilt(load_file(path), " ".join(INPUT_NAMES + PAIR_NAMES))
    save_file(tensors, path, {"inputs": names})
    with pytest.raises(ValueError, match=path.name):
        load(path)


@pytest.mark.parametrize("share", ["0", "1.5", "nan", "much"])
def test_a_share_that_is_none_is_refused_by_name(network, tmp_path, share):
    path = tmp_path / "evaluation.safetensors"
    save(network, path)
    save_file(load_file(path), path, {"inputs": " ".join(INPUT_NAMES + PAIR_NAMES), "share": share})
    with pytest.raises(ValueError, match=path.name):
        load(path)


def test_weights_that_are_all_zero_are_refused_by_name_with_the_remedy(network, tmp_path):
    path = tmp_path / "evaluation.safetensors"
    save(network, path)
    zeros = {name: np.zeros_like(tensor) for name, tensor in load_file(path).items()}
    save_file(zeros, path, {"inputs": " ".join(INPUT_NAMES + PAIR_NAMES)})
    with pytest.raises(ValueError, match=r"evaluation\.safetensors: all weights are 0; fetch or train"):
        load(path)
    last = next(reversed(zeros))
    zeros[last].flat[0] = 1
    save_file(zeros, path, {"inputs": " ".join(INPUT_NAMES + PAIR_NAMES)})
    assert load(path).weights.sum() == 1


def test_a_file_that_is_none_is_refused_by_name(tmp_path):
    path = tmp_path / "evaluation.safetensors"
    path.write_bytes(b"no weights")
    with pytest.raises(ValueError, match=path.name):
        load(path)
    with pytest.raises(ValueError, match="missing"):
        load(tmp_path / "missing.safetensors")


def test_weights_are_as_many_as_the_layers_say(learned):
    assert isinstance(learned, LearnedEvaluation)
    assert learned.weights.size == sum(rows * columns for rows, columns in LAYERS.values())
