"""Licences are those that the installed packages state, of what botapp needs and of nothing else."""

import re
import tomllib
from email.message import Message
from pathlib import Path

import pytest

from botapp.host.licences import dependencies, licence

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.mark.slow
def test_everything_botapp_names_is_there_and_what_the_tests_need_is_not():
    found = {re.sub(r"[-_.]+", "-", package.name).lower(): package for package in dependencies()}
    named = {re.match(r"[\w-]+", line)[0].lower() for line in PROJECT["dependencies"]}
    assert set(found) >= named - {"onnxruntime", "onnxruntime-directml", "python-xlib"}
    assert not found.keys() & {"pytest", "mypy", "ruff", "hypothesis", "babel", "botapp"}
    assert all(package.version for package in found.values())
    assert "LGPL" in found["pyside6-essentials"].licence


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"License-Expression": "MIT", "License": "something else"}, "MIT"),
        ({"License": "BSD"}, "BSD"),
        (
            {
                "License": "Permission is\ngranted",
                "Classifier": "License :: OSI Approved :: MIT License",
            },
            "MIT License",
        ),
        ({"License": "UNKNOWN", "Classifier": "License :: OSI Approved"}, ""),
        ({}, ""),
    ],
)
def test_a_licence_is_its_expression_else_its_name_else_its_classifier(fields, said):
    about = Message()
    for name, value in fields.items():
        about[name] = value
    assert licence(about) == said
