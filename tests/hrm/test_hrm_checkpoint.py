"""Official checkpoints load key for key, writes are atomic, and a refused file is named with the reason."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

import hrm
from hrm import checkpoint, small_weights, tensor_file
from hrm.checkpoint import load_model, load_strictly, save_model
from hrm.cli import main
from hrm.config import Config
from hrm.model import HRM
from hrm.tensor_file import CheckpointError, read, save

torch.set_num_threads(1)
TINY = Config(
    hidden_size=64,
    num_heads=1,
    L_layers=1,
    H_layers=2,
    seq_len=81,
    puzzle_emb_ndim=64,
    num_puzzle_identifiers=2,
)


def keyed(model: HRM, prefix: str) -> dict[str, Tensor]:
    return {prefix + key: value for key, value in model.state_dict().items()}


@pytest.mark.slow
@pytest.mark.parametrize("prefix", ["_orig_mod.model.inner.", "model.inner.", ""])
@pytest.mark.parametrize("suffix", [".pt", ".safetensors", ""])
def test_official_layouts_load_strictly(tmp_path: Path, prefix: str, suffix: str) -> None:
    model = HRM(TINY).eval()
    path = tmp_path / f"step_123{suffix}"
    if suffix == ".safetensors":
        save(path, keyed(model, prefix), {})
    else:
        torch.save(keyed(model, prefix), path)
    loaded = load_model(path).eval()
    assert (loaded.config.L_layers, loaded.config.H_layers, loaded.config.mlp_width) == (1, 2, 256)
    tokens = torch.ones(1, 81, dtype=torch.long)
    with torch.no_grad():
        ours, _ = model(model.start(1, 82), model.embed(tokens))
        theirs, _ = loaded(loaded.start(1, 82), loaded.embed(tokens))
    assert torch.equal(ours.z_H, theirs.z_H)


@pytest.mark.parametrize(
    ("vocabulary", "length", "ids"),
    [(11, 81, 1), (6, 900, 1), (12, 900, 1_045_829)],
    ids=["sudoku", "maze", "arc"],
)
def test_the_published_sizes_fit_on_the_meta_device(vocabulary: int, length: int, ids: int) -> None:
    config = hrm.preset(
        "reference", vocab_size=vocabulary, seq_len=length, num_puzzle_identifiers=ids, puzzle_emb_ndim=512
    )
    with torch.device("meta"):
        source, model = HRM(config), HRM(config)
    official = keyed(source, "_orig_mod.model.inner.")
    load_strictly(model, official, "official", assign=True)
    assert checkpoint.infer_config(official, "official") == config.__class__.from_mapping(
        {**json.loads(config.to_json()), "mlp_inner": 1536}
    )


@pytest.mark.long
def test_loading_imports_none_of_torchs_compiler(tmp_path: Path) -> None:
    save_model(tmp_path / "small.safetensors", HRM(TINY), TINY)
    asked = "import sys; from hrm.checkpoint import load_model; from pathlib import Path; "
    asked += "load_model(Path(sys.argv[1])); print('torch._dynamo.convert_frame' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", asked, str(tmp_path / "small.safetensors")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "False"


def test_a_wrong_shape_is_refused_with_key_wanted_and_found(tmp_path: Path) -> None:
    tensors = keyed(HRM(TINY), "model.inner.")
    tensors["model.inner.lm_head.weight"] = torch.zeros(11, 63)
    path = tmp_path / "wrong.pt"
    torch.save(tensors, path)
    with pytest.raises(
        CheckpointError, match=r"wrong.pt.*lm_head.weight: shape wanted \(11, 64\).*\(11, 63\)"
    ):
        load_model(path)


def test_missing_unknown_and_many_wrong_keys_are_named() -> None:
    model = HRM(TINY)
    tensors = dict(model.state_dict())
    del tensors["q_head.bias"]
    tensors["extra.weight"] = torch.zeros(2)
    with pytest.raises(CheckpointError) as refusal:
        load_strictly(model, tensors, "x")
    assert "q_head.bias is missing (shape wanted (2,))" in str(refusal.value)
    assert "extra.weight is unknown" in str(refusal.value)
    with pytest.raises(CheckpointError, match=r"and .* more"):
        load_strictly(model, {"a": torch.zeros(1)}, "x")


def test_missing_damaged_and_foreign_files_are_named_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"no file .*gone.safetensors; check the path"):
        read(tmp_path / "gone.safetensors")
    for name, content in (("bad.safetensors", b"not at all"), ("bad.pt", b"nor this"), ("empty.pt", b"")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(CheckpointError, match=name):
            read(tmp_path / name)
    torch.save({"model": HRM(TINY)}, tmp_path / "pickled.pt")
    with pytest.raises(CheckpointError, match=r"pickled.pt"):
        read(tmp_path / "pickled.pt")
    torch.save({"step": 3}, tmp_path / "state.pt")
    with pytest.raises(CheckpointError, match="something else than named weights"):
        read(tmp_path / "state.pt")
    save(tmp_path / "odd.safetensors", {"a": torch.ones(1)}, {"config": '{"num_heads": 7}'})
    with pytest.raises(CheckpointError, match=r"configuration in .*odd.safetensors"):
        load_model(tmp_path / "odd.safetensors")
    save(tmp_path / "none.safetensors", {"a": torch.ones(1)}, {})
    with pytest.raises(CheckpointError, match=r"embed_tokens\.embedding_weight is missing"):
        load_model(tmp_path / "none.safetensors")


def test_a_cut_off_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.safetensors"
    save_model(path, HRM(TINY), TINY)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(CheckpointError, match="damaged"):
        load_model(path)
    with pytest.raises(CheckpointError, match="damaged"):
        tensor_file.read_metadata(path)


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.safetensors"
    save(path, {"a": torch.ones(1)}, {})

    def fail(tensors: object, temporary: str, metadata: object) -> None:
        Path(temporary).write_bytes(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(tensor_file, "save_file", fail)
    with pytest.raises(OSError, match="disk full"):
        save(path, {"a": torch.zeros(1)}, {})
    assert torch.equal(read(path)[0]["a"], torch.ones(1))
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(("how", "error"), [("bf16", 0.01), ("int8", 0.02)])
def test_small_weights_come_back_nearly_the_same(tmp_path: Path, how: str, error: float) -> None:
    model = HRM(replace(TINY, forward_dtype="float32"))
    plain, small = tmp_path / "plain.safetensors", tmp_path / "small.safetensors"
    save_model(plain, model, TINY, {"task": "sudoku"})
    assert main(["convert", str(plain), str(small), "--to", how, "--halt-threshold", "0.7"]) == 0
    assert small.stat().st_size < 0.6 * plain.stat().st_size
    assert tensor_file.read_metadata(small)["halt_threshold"] == "0.7"
    loaded = load_model(small)
    for key, value in model.state_dict().items():
        assert (loaded.state_dict()[key] - value).abs().max() <= error * max(float(value.abs().max()), 1e-9)


def test_shrink_refuses_what_it_does_not_know() -> None:
    with pytest.raises(ValueError, match="int4"):
        small_weights.shrink({}, "int3")


def test_inspect_prints_what_is_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "official.pt"
    torch.save(keyed(HRM(TINY), "model.inner."), path)
    assert main(["inspect", str(path)]) == 0
    assert "prefix of keys: model.inner." in capsys.readouterr().out
    assert main(["inspect", str(path), "--json"]) == 0
    about = json.loads(capsys.readouterr().out)
    assert about["config"]["H_layers"] == 2
    assert about["tensors"]["q_head.bias"] == {"shape": [2], "dtype": "float32"}
    assert main(["inspect", str(tmp_path / "no.pt")]) == 2
    assert "no.pt" in capsys.readouterr().err


MINIMAL = Config(hidden_size=64, num_heads=1, mlp_inner=64, L_layers=1, H_layers=1, L_cycles=1, H_cycles=1)


def _run(capsys: pytest.CaptureFixture[str], *command: object) -> tuple[int, str]:
    """Runs a command; returns its status and its one line of error."""
    status = main([str(part) for part in command])
    error = capsys.readouterr().err
    assert error.count("\n") == 1, error
    return status, error


@pytest.mark.slow
@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("[1]", "object with names and values"),
        ("[" * 100_000, "nested too deeply"),
        ('{"H_cycles": 1000000000}', "H_cycles is 1000000000"),
        ('{"L_layers": 1000000000}', "L_layers is 1000000000"),
        ('{"seq_len": 1e3}', "seq_len is 1000.0; it must be a whole number"),
        ('{"seq_len": 1000000}', "rotary table"),
        ('{"hidden_size": "wide"}', "it must be a whole number"),
        ('{"num_heads": 1' + "0" * 400 + "}", "num_heads is too large a number"),
        ('{"rope_theta": 1' + "0" * 40 + "}", "rope_theta is 1000"),
        ('{"expansion": NaN}', "expansion is nan"),
        ('{"shared": 3}', "shared is 3"),
    ],
)
def test_a_configuration_out_of_bounds_is_refused_in_one_line_before_anything_is_made(
    config: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.safetensors"
    save(path, HRM(MINIMAL).state_dict(), {"config": config})
    for command in (["inspect", path], ["evaluate", "--weights", path], ["convert", path, tmp_path / "to"]):
        status, error = _run(capsys, *command)
        assert status == 2
        assert words in error and str(path) in error


@pytest.mark.parametrize(
    ("tensors", "words"),
    [
        ({1: torch.ones(2)}, "something else than named weights"),
        ({"embed_tokens.embedding_weight": torch.tensor(1.0)}, "has the shape ()"),
        ({"embed_tokens.embedding_weight": torch.ones(11, 0)}, "has the shape (11, 0)"),
        (
            {"embed_tokens.embedding_weight": torch.ones(11, 64), "puzzle_emb.weights": torch.tensor(1.0)},
            "has the shape ()",
        ),
        (
            {**HRM(MINIMAL).state_dict(), "lm_head.weight": torch.ones(11, 64, dtype=torch.int64)},
            "does not fit the model",
        ),
        ({"a": torch.ones(2, 2, dtype=torch.int8), "a.scale": torch.tensor(1.0)}, "the scale of a"),
    ],
)
def test_a_torch_file_of_odd_weights_is_refused_in_one_line(
    tensors: dict[object, Tensor], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.pt"
    torch.save(tensors, path)
    status, error = _run(capsys, "convert", path, tmp_path / "to.safetensors")
    assert status == 2
    assert words in error and str(path) in error


def test_weights_that_are_not_numbers_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = HRM(MINIMAL)
    with torch.no_grad():
        model.lm_head.weight[0, 0] = float("nan")
    path = tmp_path / "nan.safetensors"
    save_model(path, model, MINIMAL)
    for command in (
        ["evaluate", "--weights", path, "--limit", 1],
        ["solve", "--weights", path, "0" * 81],
        ["inspect", path],
        ["convert", path, tmp_path / "to.safetensors"],
    ):
        status, error = _run(capsys, *command)
        assert (status, "lm_head.weight" in error) == (1, True)
    assert not (tmp_path / "to.safetensors").exists()


def test_weights_that_are_all_zero_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = HRM(MINIMAL)
    for value in model.state_dict().values():
        value.zero_()
    path = tmp_path / "zeros.safetensors"
    save_model(path, model, MINIMAL)
    for command in (["solve", "--weights", path, "0" * 81], ["evaluate", "--weights", path, "--limit", 1]):
        status, error = _run(capsys, *command)
        assert status == 2 and f"{path}: all weights are 0; fetch or train it again" in error


def test_the_advisors_network_is_refused_for_what_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    advisor = Path(__file__).parents[2] / "resources/weights/advisor-lite.safetensors"
    for command in (
        ["convert", advisor, tmp_path / "to.safetensors", "--to", "int8"],
        ["solve", "--weights", advisor, "0" * 81],
    ):
        status, error = _run(capsys, *command)
        assert status == 2 and str(advisor) in error and "as the advisor's is" in error
        assert "missing" not in error
    assert not (tmp_path / "to.safetensors").exists()


@pytest.mark.long
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is Linux's")
def test_a_full_disk_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "model.safetensors"
    save_model(source, HRM(MINIMAL), MINIMAL)

    def full(tensors: object, file: Path, metadata: object) -> None:
        raise tensor_file.SafetensorError("I/O error: No space left on device (os error 28)")

    monkeypatch.setattr(tensor_file, "save_file", full)
    status, error = _run(capsys, "convert", source, tmp_path / "to.safetensors")
    assert status == 2
    assert "No space left on device" in error and "to.safetensors" in error
    done = subprocess.run(
        [sys.executable, "-m", "hrm", "inspect", str(source)],
        check=False,
        stdout=Path("/dev/full").open("w"),  # noqa: SIM115 (the child's, closed with it)
        stderr=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 2
    assert "No space left" in done.stderr and "Traceback" not in done.stderr


def test_what_a_file_is_refused_for_is_one_line_however_much_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "long.safetensors"
    tensor_file.save(path, {}, {"config": json.dumps({"forward_dtype": "x\n" * 20_000})})
    with pytest.raises(tensor_file.CheckpointError) as refused:
        checkpoint.load_model(path)
    assert len(str(refused.value)) < 600 and "\n" not in str(refused.value)
