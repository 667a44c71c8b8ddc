"""What is found is said in words; what is pasted somewhere tells nobody who wrote it."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from machines import MACHINES, healthy_7800xt, overridden_5700xt, two_gpus_7900xtx

from botapp.doctor.examination import of_card
from botapp.doctor.machine import Machine
from botapp.doctor.privacy import Identity, scrub, without_folders
from botapp.doctor.report import paste, text
from botapp.host.message import say

NOBODY = Identity((), (), ())


def found(machine: Machine, **more: Any) -> dict[str, Any]:
    """What `examine` would say on a machine."""
    return {
        "system": {"platform": "Linux-6.14.0-x86_64", "python": machine.python, "cores": 16},
        "backends": [{"name": "cpu", "usable": True, "reason": say("always works"), "devices": []}],
        "adviser": "model",
        "device": {
            "device": "cpu",
            "precision": "fp32",
            "reason": "fp32 is the fastest on a CPU",
            "applied": ["torch's fastest attention"],
            "left_out": ["int8: no matrix of this model is large enough to gain"],
        },
        "capture": {"session": "x11", "text": "screen 1920x1080"},
        "weights": {"file": "/app/weights.safetensors", "text": "716,292 parameters"},
        "settings": {"file": "/app/settings.toml", "exists": False},
        "log": "/app/botapp.log",
        "versions": {"torch": "2.13.0"},
        "problems": [],
        **of_card(machine),
        **more,
    }


@pytest.mark.parametrize("name", MACHINES)
def test_every_finding_is_on_the_terminal_with_its_fix(name: str) -> None:
    facts = found(MACHINES[name][0])
    lines = text(facts)
    for finding in facts["findings"]:
        assert finding["title"] in lines
        assert finding["page"] in lines
        assert all(line in lines for line in (*finding["fix"], *finding["evidence"]))
    assert ("No problems found." in lines) is (not facts["findings"])


@pytest.mark.parametrize("name", MACHINES)
def test_findings_are_plain_data(name: str) -> None:
    facts = of_card(MACHINES[name][0])
    assert json.loads(json.dumps(facts)) == facts


def test_power_memory_and_parameters_are_shown() -> None:
    lines = text(found(healthy_7800xt))
    assert "1.0 of 16.0 GB, 31 W" in lines
    assert "amdgpu.noretry = -1" in lines
    assert "part of the processor" in text(found(two_gpus_7900xtx))


def test_what_is_done_for_speed_and_what_is_not_is_told_on_the_terminal_and_in_the_report() -> None:
    facts = found(healthy_7800xt)
    for words in (text(facts), paste(facts, NOBODY)):
        assert "For speed: torch's fastest attention" in words
        assert "Left out: int8: no matrix of this model is large enough to gain" in words


def test_the_report_has_what_a_helper_needs() -> None:
    report = paste(found(overridden_5700xt, problems=["The package mss is missing"]), NOBODY)
    for words in (
        "## botapp doctor",
        "gfx1010",
        "HSA_OVERRIDE_GFX_VERSION=10.3.0",
        "conv2d on cuda:0: SIGABRT (6)",
        "The package mss is missing",
        "torch 2.13.0",
        "amdgpu.noretry",
    ):
        assert words in report


LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
names = st.text(LETTERS + "-_.éç", min_size=1, max_size=16).filter(lambda name: name[0].isalnum())
homes = st.builds(
    lambda folder, name: folder + name,
    st.sampled_from(["/home/", "/Users/", "C:\\Users\\", "/var/home/", "/srv/people/", "D:\\people\\"]),
    names,
)


def has_word(name: str, where: str) -> bool:
    return re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", where, re.IGNORECASE) is not None


@pytest.mark.slow
@given(names, names, homes, st.sampled_from(sorted(MACHINES)), st.data())
def test_no_name_and_no_home_is_in_a_report(user: str, host: str, home: str, name: str, data: Any) -> None:
    slash = "\\" if "\\" in home else "/"
    leaks = [
        f"{home}{slash}models{slash}a.safetensors",
        f"{user}@{host}:~$",
        f"crw-rw---- 1 {user} render",
        f'File "{home}{slash}venv{slash}torch.py", line 3',
        f"/home/{user}/.cache",
        json.dumps({"path": home}),
    ]
    machine = MACHINES[name][0]
    told = data.draw(st.permutations(leaks))
    machine = replace(
        machine,
        environment={**machine.environment, "LD_LIBRARY_PATH": told[0], "LD_PRELOAD": told[1]},
        chosen={"asked": "rocm", "backend": "cpu", "reason": told[2]},
    )
    facts = found(machine, problems=told[3:], log=f"{home}/log")
    facts["device"]["reason"] = told[4]
    facts["capture"]["text"] = told[5]
    report = paste(facts, Identity((user,), (host,), (home,)))
    assert home.lower() not in report.lower()
    assert home.replace("\\", "\\\\").lower() not in report.lower()
    assert not has_word(user, report)
    assert not has_word(host, report)


@given(
    names,
    st.sampled_from(
        ["/home/{}/x", "/Users/{}", "C:\\Users\\{}\\x", "c:\\\\users\\\\{}\\\\x", "/var/home/{}"]
    ),
)
def test_the_home_of_somebody_else_is_taken_out_too(name: str, path: str) -> None:
    assert scrub(path.format(name), NOBODY).lstrip("~").strip("/\\x") == ""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/root/.config/botapp", "~/.config/botapp"),
        ("/opt/root/x", "/opt/root/x"),
        ("uuid GPU-1f9de0957d137942", "uuid ***"),
        ("UUID=0a1b2c3d-1111-2222-3333-444455556666", "UUID=***"),
        ("torch 2.13.0 on gfx1101 at 0000:03:00.0", "torch 2.13.0 on gfx1101 at 0000:03:00.0"),
    ],
)
def test_paths_serials_and_plain_facts(line: str, expected: str) -> None:
    assert scrub(line, NOBODY) == expected


JEAN = Identity(("Jean Dupont",), ("DESKTOP-7QK",), ("C:\\Users\\Jean Dupont",))


@pytest.mark.parametrize(
    "line",
    [
        "C:\\Users\\Jean Dupont\\AppData\\x.log",
        "c:/users/jean dupont/x.log",
        '{"path": "C:\\\\Users\\\\Jean Dupont\\\\x.log"}',
        "C:\\Users\\JEANDU~1\\x.log",
        "D:\\Sicherung von Jean Dupont\\x.log",
        "mail of dupont to jean",
    ],
)
def test_a_name_of_two_words_is_taken_out_whole(line: str) -> None:
    told = without_folders(scrub(line, JEAN)).lower()
    assert "jean" not in told and "dupont" not in told
    assert "x.log" in told or "mail" in told


@pytest.mark.parametrize("name", ["Anna Maria Lopez", "O Neill", "Jo"])
@pytest.mark.parametrize("path", ["C:\\Users\\{}\\x.py", "C:/Users/{}/x.py", "see C:\\Users\\{}"])
def test_the_windows_home_of_somebody_else_is_taken_out_whole(name: str, path: str) -> None:
    told = without_folders(scrub(path.format(name), NOBODY))
    assert not any(part in told for part in name.split())


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "LD_LIBRARY_PATH=/srv/people/secret/lib:/opt/rocm/lib:~/work/lib:/srv/x/l",
            "LD_LIBRARY_PATH=lib:/opt/rocm/lib:lib:l",
        ),
        ('File "/mnt/data/projects/x/torch.py", line 3', 'File "torch.py", line 3'),
        ("crw-rw---- /dev/dri/renderD128", "crw-rw---- /dev/dri/renderD128"),
        ("see https://download.pytorch.org/whl/rocm6.4", "see https://download.pytorch.org/whl/rocm6.4"),
        ("fp16/bf16 and 3/4", "fp16/bf16 and 3/4"),
    ],
)
def test_of_a_path_only_the_name_is_left_unless_it_is_everywhere_the_same(line: str, expected: str) -> None:
    assert without_folders(line, public=True) == expected


def test_the_report_tells_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = replace(healthy_7800xt, environment={"LD_LIBRARY_PATH": "/srv/secret/lib:/opt/rocm/lib"})
    assert "secret" not in paste(found(machine), NOBODY)


def test_a_short_name_does_not_tear_other_words() -> None:
    assert (
        scrub("al also has al_venv on AL-PC", Identity(("al",), (), ())) == "*** also has ***_venv on ***-PC"
    )


def test_this_process_knows_who_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER", "annabelle")
    monkeypatch.setenv("HOME", "/home/annabelle")
    identity = Identity.here()
    assert "annabelle" in identity.users
    assert "/home/annabelle" in identity.homes
    assert "annabelle" not in paste(found(healthy_7800xt, log="/home/annabelle/x", problems=["annabelle"]))
