"""The README keeps its word: commands that exist, the tests' own command, every column, package and exit code."""

import re
import tomllib
from pathlib import Path

import pytest

from poradek_vision.cli import app
from poradek_vision.errors import Exit
from poradek_vision.files.corrections import COLUMNS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CI = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_ci_runs_the_commands_that_the_readme_tells():
    shell = re.findall(r"```sh\n(.*?)```", README.split("## Development")[1], re.DOTALL)
    commands = "".join(shell).splitlines()
    assert commands == ["pip install -e '.[dev]'", "python -m pytest"]
    assert [line for line in CI if line in commands] == commands


def test_every_command_named_exists():
    named = set(re.findall(r"poradek ([a-z]+)", README))
    assert named == {command.name for command in app.registered_commands}


@pytest.mark.parametrize("path", re.findall(r'src="([^"]+)"', README))
def test_pictures_are_there(path):
    assert (ROOT / path).is_file()


def test_every_package_is_told_with_its_reason():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.split(r"[<>=]", requirement)[0] for requirement in project["dependencies"]}
    told = re.findall(r"^\| ([a-z][\w-]+)(?: 5)? \| .+ \| .+ \|$", README.split("## What it needs")[1], re.MULTILINE)
    assert set(told) - {"package"} == needed


def test_exit_codes_and_columns_of_corrections_are_all_told():
    sentence = README.split("**Exit codes**")[1].split("\n\n")[0]
    assert {int(code) for code in re.findall(r"(?:: |; |\n)(\d+) ", sentence)} == {code.value for code in Exit}
    assert ",".join(COLUMNS) in README
