"""The README says what the program does: its commands, its settings, its dependencies."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from assistant.cli import COMMANDS, build_parser
from assistant.config import SECRETS, SETTINGS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_commands_are_those_of_help() -> None:
    rows = re.findall(r"^\| `assistant (\S+)[^`]*` \| (.+) \|$", README, re.M)
    assert rows == [(command.name, command.help) for command in COMMANDS]


def test_the_two_commands_come_first() -> None:
    first_block = README.split("```")[1]
    assert re.findall(r"^make (\w+)", first_block, re.M) == ["run", "test"]


def test_the_settings_are_all_there() -> None:
    named = set(re.findall(r"ASSISTANT_([A-Z_]+)", README))
    assert named == {setting.name.upper() for setting in SETTINGS} | {name.upper() for name in SECRETS}


def test_the_dependencies_are_all_there_with_purpose_and_licence() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {re.split(r"[<>=~! ;\[]", item)[0] for item in project["dependencies"]}
    _, _, table = README.partition("| package | for | licence |\n| --- | --- | --- |\n")
    rows = re.findall(r"^\| (\S+) \| ([^|]+) \| (\S+) \|$", table, re.M)
    assert {name for name, _, _ in rows} == wanted
    assert len(rows) == len(wanted)


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-test.lock"])
def test_the_locks_pin_every_dependency_with_hashes_and_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert not re.search(r"https?://|--(?:extra-)?index-url", text)
    pins = re.findall(r"^([a-z0-9-]+)==\S+[^\\]*\\\n    --hash=sha256:", text, re.M)
    assert len(pins) == len(re.findall(r"^[a-z0-9]", text, re.M))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    items = project["dependencies"] + (project["optional-dependencies"]["test"] if "test" in lock else [])
    assert {re.split(r"[<>=~! ;\[]", item)[0] for item in items} <= set(pins)


def test_help_of_every_command_has_a_line_for_every_option() -> None:
    parser = build_parser()
    [subparsers] = [action for action in parser._actions if action.dest == "command"]
    assert isinstance(subparsers.choices, dict)
    for name, command in subparsers.choices.items():
        for action in command._actions:
            if action.option_strings and action.dest not in ("collection", "out"):
                assert action.help, f"{name} {action.option_strings}"
