"""What the person has named is found again, kept whole, and never lost to a bad file."""

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from botapp.host.own_files import Recalled
from botapp.tracking import learnt_names
from botapp.tracking import names as names_file
from botapp.tracking.names import Names
from vision.signature import signature


def picture(seed, size=48, dark=1.0, scale=1.0):
    dice = np.random.default_rng(seed)
    rough = dice.integers(0, 255, (6, 6, 3)).astype(np.uint8)
    image = cv2.resize(rough, (size, size), interpolation=cv2.INTER_CUBIC)
    image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.clip(image * dark, 0, 255).astype(np.uint8)


def test_a_named_picture_is_known_again_smaller_and_darker():
    names = Names().with_name("portraits", signature(picture(1)), "boar")
    names = names.with_name("portraits", signature(picture(2)), "wisp")
    for seed, name in ((1, "boar"), (2, "wisp")):
        for changed in (picture(seed, scale=0.5), picture(seed, dark=0.7)):
            found = names.find("portraits", signature(changed))
            assert found is not None and found[0] == name
    assert names.find("portraits", signature(picture(3))) is None
    assert names.find("icons", signature(picture(1))) is None


def test_naming_anew_replaces_and_an_empty_name_forgets():
    first = Names().with_name("icons", signature(picture(1)), "spark")
    again = first.with_name("icons", signature(picture(1, dark=0.9)), "meteor")
    assert [*again.icons.values()] == ["meteor"]
    assert not again.with_name("icons", signature(picture(1)), "").icons


def test_names_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "names.toml"
    names = Names({signature(picture(1)): "boar"}, {signature(picture(2)): "spark"})
    names_file.save(names, path)
    assert names_file.load(path) == Recalled(names)
    assert [*tmp_path.iterdir()] == [path]


def test_no_file_means_no_names(tmp_path):
    assert names_file.load(tmp_path / "names.toml") == Recalled(Names())


def test_a_bad_entry_costs_only_itself_and_the_file_is_kept(tmp_path):
    path = tmp_path / "names.toml"
    good = signature(picture(1))
    path.write_text(f'[portraits]\n"{good}" = "boar"\n"zz" = "wisp"\n', "utf-8")
    recalled = names_file.load(path)
    assert recalled.value.portraits == {good: "boar"}
    assert "'zz'" in recalled.messages[0]
    assert "names.toml.bak" in recalled.messages[-1] and (tmp_path / "names.toml.bak").exists()
    assert names_file.load(path) == Recalled(recalled.value)


def test_a_value_where_names_belong_is_kept_aside(tmp_path):
    path = tmp_path / "names.toml"
    path.write_text("portraits = 3\n", "utf-8")
    recalled = names_file.load(path)
    assert recalled.value == Names()
    assert "portraits" in recalled.messages[0] and "names.toml.bak" in recalled.messages[-1]


def test_a_newer_version_is_refused_in_words(tmp_path):
    path = tmp_path / "names.toml"
    path.write_text("version = 99\n", "utf-8")
    assert "newer" in names_file.load(path).messages[0]
    assert path.exists()


@pytest.mark.parametrize("kept", [names_file, learnt_names], ids=["names", "learnt names"])
@pytest.mark.parametrize("version", ["true", "0", "-1", "1.5", '"1"', "[1]"])
def test_a_version_of_a_wrong_kind_is_said_and_costs_no_name(tmp_path, kept, version):
    path, one = tmp_path / "kept.toml", signature(picture(1))
    path.write_text(f'version = {version}\n[portraits]\n"{one}" = "imp"\n', "utf-8")
    recalled = kept.load(path)
    assert "version must be a whole number from 1" in recalled.messages[0]
    assert (tmp_path / "kept.toml.bak").exists()
    found = recalled.value if kept is names_file else recalled.value.names
    assert found.portraits == {one: "imp"}
    assert kept.load(path) == Recalled(recalled.value)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.binary(max_size=200))
def test_whatever_the_file_holds_nothing_is_raised_or_lost(tmp_path, content):
    path = tmp_path / "names.toml"
    path.write_bytes(content)
    recalled = names_file.load(path)
    kept = [file.read_bytes() for file in tmp_path.iterdir()]
    assert content in kept
    assert recalled.messages or recalled.value == Names() or path.exists()
    for file in tmp_path.iterdir():
        file.unlink()


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("", "utf-8")
    with pytest.raises(OSError):
        names_file.save(Names(), blocked / "names.toml")
