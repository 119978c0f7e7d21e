"""Settings: read once, from assistant.toml and the environment, and checked before anything starts."""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

from corpus.errors import InputError
from corpus.layout import Layout

FILE_NAME = "assistant.toml"
_SECRET_WORDS = ("key", "secret", "token", "auth", "password")
PREFIX = "ASSISTANT_"
DEFAULT_MODEL = "openai:gpt-5.4-mini"


@dataclass(frozen=True)
class Settings:
    """Everything that can be set, checked. Secrets aren't here: the openai package reads them itself."""

    home: Path
    collection: str
    llm: str
    embeddings: str
    chroma_url: str | None
    context_window: int | None = None
    max_output: int | None = None
    llm_timeout: float = 60.0
    prices: Path | None = None
    repair: bool = True
    unsupported: str = "show"
    trace: bool = True
    hosts: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Setting:
    """One setting: what its values look like, in a pattern and in words."""

    name: str
    pattern: str
    values: str
    default: Callable[[], str | None]


def load_settings(**overrides: str | Path | None) -> Settings:
    """The settings; an override (such as a command-line option) wins over the environment, that over files.

    The files are assistant.toml in the current folder, then in the data folder. Raises InputError for an
    unknown key and for a value that can't be used, naming where it came from.
    """
    here = _read_file(Path.cwd() / FILE_NAME)
    environment = _read_environment()
    given = {name: (str(value), "the command line") for name, value in overrides.items() if value is not None}
    _check_names(given)
    home = Path(_value(_HOME, [given, environment, here]) or "").expanduser().absolute()
    beside = {} if home == Path.cwd() else _read_file(home / FILE_NAME)
    if "home" in beside:
        raise InputError(f"{beside['home'][1]} sets 'home', but lies inside it; set it in {PREFIX}HOME")
    layers = [given, environment, here, beside]
    collection = Layout(home, _value(_COLLECTION, layers) or "").name
    window, output = _value(_CONTEXT_WINDOW, layers), _value(_MAX_OUTPUT, layers)
    prices = _value(_PRICES, layers)
    return Settings(
        home=home,
        collection=collection,
        llm=_value(_LLM, layers) or "",
        embeddings=_value(_EMBEDDINGS, layers) or "",
        chroma_url=_value(_CHROMA_URL, layers),
        context_window=int(window) if window else None,
        max_output=int(output) if output else None,
        llm_timeout=float(_value(_LLM_TIMEOUT, layers) or ""),
        prices=Path(prices).expanduser().absolute() if prices else None,
        repair=_value(_REPAIR, layers) == "on",
        unsupported=_value(_UNSUPPORTED, layers) or "",
        trace=_value(_TRACE, layers) == "on",
        hosts=tuple(name for name in re.split(r"[\s,]+", _value(_HOSTS, layers) or "") if name),
    )


_Layer = Mapping[str, tuple[str, str]]  # name -> value and where it was found


def _default_llm() -> str:
    return DEFAULT_MODEL if os.environ.get("OPENAI_API_KEY") or os.environ.get("OPENAI_BASE_URL") else "none"


_HOME = _Setting("home", r"[^\x00]+", "a folder", lambda: str(user_data_path("abstracts-assistant", False)))
_COLLECTION = _Setting("collection", r"\S+", "a name", lambda: "default")
_LLM = _Setting(
    "llm", r"none|openai:\S+|gguf:.+", "'none', 'openai:MODEL' or 'gguf:FILE'", _default_llm
)  # fmt: skip
_EMBEDDINGS = _Setting("embeddings", r"local|openai:\S+", "'local' or 'openai:MODEL'", lambda: "local")
_CHROMA_URL = _Setting("chroma_url", r"https?://\S+", "a URL such as 'http://127.0.0.1:8000'", lambda: None)
_CONTEXT_WINDOW = _Setting(
    "context_window", r"[1-9][0-9]{2,7}", "a number of tokens such as '8192'", lambda: None
)
_MAX_OUTPUT = _Setting("max_output", r"[1-9][0-9]{0,6}", "a number of tokens such as '1024'", lambda: None)
_LLM_TIMEOUT = _Setting(
    "llm_timeout", r"(?=.*[1-9])[0-9]{1,4}(\.[0-9]{1,3})?", "a number of seconds such as '60'", lambda: "60"
)
_PRICES = _Setting("prices", r"[^\x00]+", "a file", lambda: None)
_REPAIR = _Setting("repair", r"on|off", "'on' or 'off'", lambda: "on")
_UNSUPPORTED = _Setting("unsupported", r"show|drop", "'show' or 'drop'", lambda: "show")
_TRACE = _Setting("trace", r"on|off", "'on' or 'off'", lambda: "on")
_HOSTS = _Setting(
    "hosts",
    r"[A-Za-z0-9.:\[\]-]+(?:[\s,]+[A-Za-z0-9.:\[\]-]+)*",
    "names such as 'papers.example.org'",
    lambda: None,
)
SETTINGS = (
    _HOME, _COLLECTION, _LLM, _EMBEDDINGS, _CHROMA_URL, _CONTEXT_WINDOW, _MAX_OUTPUT, _LLM_TIMEOUT, _PRICES,
    _REPAIR, _UNSUPPORTED, _TRACE, _HOSTS,
)  # fmt: skip
SECRETS = ("auth",)
"""What is read from the environment only, by what needs it, and is kept nowhere."""
_NAMES = tuple(setting.name for setting in SETTINGS)


def _value(setting: _Setting, layers: Sequence[_Layer]) -> str | None:
    """The first value found, checked; the default where there is none."""
    value, where = next((layer[setting.name] for layer in layers if setting.name in layer), (None, ""))
    if value is None:
        return setting.default()
    if not re.fullmatch(setting.pattern, value):
        raise InputError(f"{setting.name} is {value!r} in {where}; it has to be {setting.values}")
    return value


def _read_environment() -> dict[str, tuple[str, str]]:
    found = {}
    for variable, value in os.environ.items():
        if not variable.startswith(PREFIX) or not value:
            continue
        name = variable.removeprefix(PREFIX).lower()
        if name in _NAMES:
            found[name] = (value, variable)
        elif name not in SECRETS and (near := _nearest(name)):
            raise InputError(f"{variable} is no setting; did you mean {PREFIX}{near.upper()}?")
    return found


def _read_file(path: Path) -> dict[str, tuple[str, str]]:
    """The settings of one file by name; {} where there is no such file."""
    try:
        with path.open("rb") as file:
            content = tomllib.load(file)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{str(path)!r} isn't TOML: {error}; mend it or delete it") from error
    except OSError as error:
        raise InputError(f"{str(path)!r} can't be read: {error.strerror}; check its permissions") from error
    where = repr(str(path))
    found = {}
    for name, value in content.items():
        if any(word in name.lower() for word in _SECRET_WORDS):
            raise InputError(
                f"{where} holds {name!r}; secrets come from the environment only: "
                "OPENAI_API_KEY, ASSISTANT_AUTH"
            )
        if not isinstance(value, str):
            raise InputError(f"{name} is {value!r} in {where}; it has to be a text in quotes")
        found[name] = (value, where)
    _check_names(found)
    for name in ("home", "prices"):
        if name in found:
            found[name] = (str(path.parent / Path(found[name][0]).expanduser()), where)
    return found


def _check_names(found: _Layer) -> None:
    for name, (_, where) in found.items():
        if name not in _NAMES:
            hint = f"did you mean {near!r}?" if (near := _nearest(name)) else f"known: {', '.join(_NAMES)}"
            raise InputError(f"{name!r} in {where} is no setting; {hint}")


def _nearest(name: str) -> str | None:
    return next(iter(difflib.get_close_matches(name.lower(), _NAMES, 1, 0.75)), None)
