"""The balance command lets every class meet every other one and says who is uneven."""

import json

from botapp.arena.balance import Balance, main, measure


def test_every_pair_is_fought_and_shares_add_up():
    found = measure(["warden", "ember", "leech"], fights=2, seed=5)
    assert found.fights == 6
    assert set(found.overall()) == {"warden", "ember", "leech"}
    assert all(found.shares[a, b] + found.shares[b, a] == 1 for a, b in found.shares)
    assert found == measure(["warden", "ember", "leech"], fights=2, seed=5)


def test_an_uneven_class_is_named():
    found = Balance({("a", "b"): 0.9, ("b", "a"): 0.1}, 10)
    assert found.overall() == {"a": 0.9, "b": 0.1}
    assert found.text().count("uneven") == 2
    assert "uneven" not in Balance({("a", "b"): 0.6, ("b", "a"): 0.4}, 10).text()


def test_the_command_prints_a_table_or_json(capsys):
    code = main(["--only", "warden", "veil", "--fights", "2", "--player", "random"])
    out = capsys.readouterr().out
    assert code in (0, 1) and "warden" in out and "veil" in out
    main(["--only", "warden", "veil", "--fights", "2", "--player", "random", "--json"])
    assert json.loads(capsys.readouterr().out)["fights"] == 2
