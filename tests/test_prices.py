"""What calls cost: the table, one's own prices, and what a wrong file says."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.config import DEFAULT_MODEL
from assistant.prices import TABLE, cost_usd, read_prices
from corpus.errors import InputError


def test_prices_are_per_million_tokens() -> None:
    assert cost_usd("openai:gpt-5.4-mini", 1_000_000, 2_000_000, None) == pytest.approx(0.75 + 9.0)
    assert cost_usd("openai:gpt-4.1-2025-04-14", 1_000, 0) == pytest.approx(0.002)


def test_the_default_model_has_a_price() -> None:
    assert cost_usd(DEFAULT_MODEL, 1, 1) is not None
    assert all(output >= prompt > 0 for prompt, output in read_prices(TABLE).values())


def test_what_is_not_known_has_no_price() -> None:
    assert cost_usd("openai:mystery", 5, 5) is None
    assert cost_usd("other:gpt-5.4-mini", 5, 5) is None


def test_a_file_of_ones_own_costs_nothing() -> None:
    assert cost_usd("gguf:model.gguf", 10_000, 10_000) == 0.0


def test_own_prices_go_first(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(
        '[models]\n"gpt-5.4-mini" = {input = 1, output = 2}\nmine = {input = 0, output = 0.5}\n'
        '"model.gguf" = {input = 3, output = 3}\n'
    )
    assert cost_usd("openai:gpt-5.4-mini", 1_000_000, 1_000_000, file) == 3.0
    assert cost_usd("openai:mine", 1_000_000, 1_000_000, file) == 0.5
    assert cost_usd("gguf:model.gguf", 1_000_000, 0, file) == 3.0
    assert cost_usd("openai:gpt-5.4", 1_000_000, 0, file) == 2.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("models", "aren't TOML"),
        ("x = 1", r"have no table \[models\]"),
        ("[models]\nm = 5", "the price of 'm' in .* is 5; it has to be"),
        ("[models]\nm = {input = 1}", "the price of 'm'"),
        ("[models]\nm = {input = -1, output = 1}", "the price of 'm'"),
        ("[models]\nm = {input = 'a', output = 1}", "the price of 'm'"),
    ],
)
def test_a_wrong_file_says_so(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(text)
    with pytest.raises(InputError, match=message):
        cost_usd("openai:m", 1, 1, file)


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"can't be read: .*; check ASSISTANT_PRICES"):
        cost_usd("openai:m", 1, 1, tmp_path / "gone.toml")
