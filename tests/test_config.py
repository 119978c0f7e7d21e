"""Settings: which source wins, and what a wrong one says."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.config import DEFAULT_MODEL, load_settings
from corpus.errors import InputError


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder; the current folder is another one."""
    home, here = tmp_path / "home", tmp_path / "here"
    home.mkdir()
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("ASSISTANT_HOME", str(home))
    return home


def test_defaults(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings()
    assert (settings.home, settings.collection) == (folders, "default")
    assert (settings.llm, settings.embeddings, settings.chroma_url) == ("none", "local", None)
    monkeypatch.delenv("ASSISTANT_HOME")
    assert load_settings().home.is_absolute()


def test_settings_of_the_llm(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings()
    assert (settings.context_window, settings.max_output) == (None, None)
    assert (settings.llm_timeout, settings.prices) == (60.0, None)
    (folders / "assistant.toml").write_text('prices = "own.toml"\nllm_timeout = "7.5"\nmax_output = "99"\n')
    monkeypatch.setenv("ASSISTANT_CONTEXT_WINDOW", "4096")
    settings = load_settings()
    assert (settings.context_window, settings.max_output) == (4096, 99)
    assert (settings.llm_timeout, settings.prices) == (7.5, folders / "own.toml")


@pytest.mark.parametrize("variable", ["OPENAI_API_KEY", "OPENAI_BASE_URL"])
def test_an_endpoint_turns_the_llm_on(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "http://127.0.0.1:1")
    assert load_settings().llm == DEFAULT_MODEL
    monkeypatch.setenv("ASSISTANT_LLM", "none")
    assert load_settings().llm == "none"


def test_who_wins(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folders / "assistant.toml").write_text(
        'collection = "beside"\nllm = "openai:a"\nembeddings = "openai:e"\n'
    )
    Path("assistant.toml").write_text('collection = "here"\nllm = "openai:b"\n')
    monkeypatch.setenv("ASSISTANT_COLLECTION", "environment")
    settings = load_settings()
    assert (settings.collection, settings.llm, settings.embeddings) == ("environment", "openai:b", "openai:e")
    assert load_settings(collection="option", llm=None).collection == "option"


def test_home_of_a_file_is_relative_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASSISTANT_HOME")
    Path("assistant.toml").write_text('home = "data"\n')
    assert load_settings().home == Path.cwd() / "data"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('colection = "x"', "'colection' in .* is no setting; did you mean 'collection'"),
        ('colour = "x"', "'colour' in .* is no setting; known: home, collection"),
        ('collection = "../x"', "'../x' can't be a collection's name"),
        ("collection = 5", "collection is 5 in .*; it has to be a text in quotes"),
        ('chroma_url = "localhost"', "chroma_url is 'localhost' in .*; it has to be a URL"),
        ('llm = "gpt"', "llm is 'gpt' in .*; it has to be 'none'"),
        ('context_window = "8k"', "context_window is '8k' in .*; it has to be a number of tokens"),
        ('max_output = "0"', "max_output is '0' in .*; it has to be a number of tokens"),
        ('llm_timeout = "0.0"', r"llm_timeout is '0\.0' in .*; it has to be a number of seconds"),
        ('llm_timeout = "-5"', "llm_timeout is '-5' in .*; it has to be a number of seconds"),
        ('openai_api_key = "sk-1"', "secrets come from the environment only"),
        ("home", "isn't TOML"),
        ("\x00", "isn't TOML"),
    ],
)
def test_a_wrong_file_says_so(text: str, message: str) -> None:
    Path("assistant.toml").write_text(text)
    with pytest.raises(InputError, match=message):
        load_settings()


def test_a_secret_is_never_shown() -> None:
    Path("assistant.toml").write_text('openai_api_key = "sk-1234"')
    with pytest.raises(InputError) as caught:
        load_settings()
    assert "sk-1234" not in str(caught.value)


def test_wrong_environment_and_options(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="'nothing' in the command line is no setting"):
        load_settings(nothing="x")
    with pytest.raises(InputError, match="collection is 'a b' in the command line"):
        load_settings(collection="a b")
    monkeypatch.setenv("ASSISTANT_OTHER_PROGRAM", "x")
    load_settings()
    monkeypatch.setenv("ASSISTANT_COLECTION", "x")
    with pytest.raises(
        InputError, match="ASSISTANT_COLECTION is no setting; did you mean ASSISTANT_COLLECTION"
    ):
        load_settings()


def test_a_data_folder_cannot_name_another(folders: Path) -> None:
    (folders / "assistant.toml").write_text('home = "elsewhere"')
    with pytest.raises(InputError, match="sets 'home', but lies inside it"):
        load_settings()
