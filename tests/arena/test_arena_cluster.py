"""Work on a Ray cluster of two nodes: one is killed half-way, and nothing is lost or doubled."""

import sys
from collections import Counter

import pytest

from botapp.arena.pairing import Arrangement, FightRecord, run
from botapp.arena.workers import SpreadError, spread

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install ray")

ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers know the app, not its tests

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Ray's cluster for tests needs POSIX")


@pytest.fixture
def cluster():
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    made.add_node(num_cpus=1)
    made.wait_for_nodes()
    yield made
    ray.shutdown()
    made.shutdown()


def where(number: int) -> str:
    """Takes a while and tells the node it ran on."""
    import time

    import ray

    time.sleep(0.3)
    return ray.get_runtime_context().get_node_id()


def refuse(number: int) -> None:
    raise KeyError(f"no {number}")


@pytest.mark.long
def test_a_node_killed_half_way_loses_nothing_and_doubles_nothing(cluster):
    second = next(iter(cluster.worker_nodes))
    nodes: list[tuple[int, str]] = []
    for answer in spread(where, range(24), 1, cluster.address):
        nodes.append(answer)
        if len({node for _, node in nodes}) == 2 and cluster.worker_nodes:
            cluster.remove_node(second, allow_graceful=False)
    assert Counter(number for number, _ in nodes) == Counter(range(24))
    assert len({node for _, node in nodes}) == 2
    assert not cluster.worker_nodes
    assert not ray.is_initialized()


@pytest.mark.long
def test_a_tournament_comes_out_the_same_when_a_node_dies_under_it(cluster):
    second = next(iter(cluster.worker_nodes))

    def kill(fight: FightRecord) -> None:
        if cluster.worker_nodes:
            cluster.remove_node(second, allow_graceful=False)

    there = run(Arrangement("greedy", "random"), 8, seed=3, ray=cluster.address, told=kill)
    assert not cluster.worker_nodes
    assert there.results == run(Arrangement("greedy", "random"), 8, seed=3).results


@pytest.mark.long
def test_what_the_work_raises_there_is_raised_here_and_a_deadline_ends_it(cluster):
    with pytest.raises(KeyError, match="no 3"):
        list(spread(refuse, [3], 1, cluster.address))
    assert len(list(spread(where, range(1000), 1, cluster.address, seconds=4))) < 1000


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "somewhere"])
def test_a_cluster_that_is_not_there_is_said_in_a_line(address):
    with pytest.raises(SpreadError, match=f"no Ray cluster answers at {address}"):
        list(spread(where, [1], 1, address))
