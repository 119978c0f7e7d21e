"""What calls cost: a small dated table, and the user's own before it."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from corpus.errors import InputError

TABLE = Path(__file__).parent / "prices.toml"
_MILLION = 1_000_000
_Prices = dict[str, tuple[float, float]]  # model -> US dollars per million tokens of prompt and of answer


def cost_usd(
    model: str, prompt_tokens: int, completion_tokens: int, prices_file: Path | None = None
) -> float | None:
    """US dollars of so many tokens, None where the price isn't known; a model of one's own costs 0.

    `model` is the name in the settings, such as "openai:gpt-5.4-mini"; a dated snapshot costs what its model
    does. Raises InputError for a price file that can't be used.
    """
    own = read_prices(prices_file) if prices_file else {}
    vendor, _, name = model.partition(":")
    if vendor == "gguf":
        own = {name: (0.0, 0.0)} | own
    tables = (own, read_prices(TABLE) if vendor == "openai" else {})
    price = next((table[key] for table in tables for key in (name, _undated(name)) if key in table), None)
    if price is None:
        return None
    return (prompt_tokens * price[0] + completion_tokens * price[1]) / _MILLION


@cache
def read_prices(path: Path) -> _Prices:
    """The prices of a file by model; InputError where it can't be read or a price isn't one."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"the prices {str(path)!r} can't be read: {error.strerror}; check ASSISTANT_PRICES"
        ) from error
    except ValueError as error:
        raise InputError(f"the prices {str(path)!r} aren't TOML: {error}; mend the file") from error
    models = content.get("models")
    if not isinstance(models, dict):
        raise InputError(f"the prices {str(path)!r} have no table [models]; add it, as in {str(TABLE)!r}")
    return {name: _price(name, row, path) for name, row in models.items()}


def _price(name: str, row: Any, path: Path) -> tuple[float, float]:
    values = [row.get(key) for key in ("input", "output")] if isinstance(row, dict) else []
    numbers = [float(value) for value in values if isinstance(value, int | float) and 0 <= value < _MILLION]
    if len(numbers) != 2:
        raise InputError(
            f"the price of {name!r} in {str(path)!r} is {row!r}; "
            "it has to be { input = DOLLARS, output = DOLLARS }, each per million tokens"
        )
    return numbers[0], numbers[1]


def _undated(name: str) -> str:
    return re.sub(r"-\d{4}-\d{2}-\d{2}$", "", name)
