"""Prompt files: filled strictly, known by a hash."""

from __future__ import annotations

from pathlib import Path

import pytest

import prompts
from prompts import Prompt, load


def test_variables_are_filled() -> None:
    prompt = Prompt("x", "{{one}} and {{two}}, {{one}} again; {not} {{ this }}")
    assert prompt.variables == {"one", "two"}
    assert prompt.fill(one="1", two="2") == "1 and 2, 1 again; {not} {{ this }}"


def test_a_missing_and_an_unused_variable_are_errors() -> None:
    prompt = Prompt("greeting", "Hello {{who}}")
    with pytest.raises(ValueError, match="'greeting' can't be filled: no value for 'who'"):
        prompt.fill()
    with pytest.raises(ValueError, match="no place for 'when'"):
        prompt.fill(who="you", when="now")
    with pytest.raises(ValueError, match="no value for 'who', no place for 'whom'"):
        prompt.fill(whom="you")


def test_what_a_value_holds_is_never_filled_nor_read() -> None:
    prompt = Prompt("x", "{{one}} {{two}}")
    assert prompt.fill(one="{{two}}", two="{{one}} \\1 \\g<0>") == "{{two}} {{one}} \\1 \\g<0>"


def test_the_hash_names_the_text_alone() -> None:
    assert Prompt("a", "text").hash == Prompt("b", "text").hash == "982d9e3eb996"
    assert Prompt("a", "text").hash != Prompt("a", "text ").hash


def test_each_file_loads_and_says_what_it_takes() -> None:
    names = sorted(path.stem for path in Path(prompts.__file__).parent.glob("*.md"))
    assert "condense" in names
    for name in names:
        prompt = load(name)
        assert prompt.text
        assert prompt.text == prompt.text.strip()
        filled = prompt.fill(**dict.fromkeys(prompt.variables, "value"))
        assert "{{" not in filled
    assert load("condense").variables == {"talk", "question"}
    with pytest.raises(FileNotFoundError):
        load("nowhere")
