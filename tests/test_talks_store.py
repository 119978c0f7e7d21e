"""Kept conversations: whose they are, what is found, what is deleted, and what a damaged file costs."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest
from browser import PIT, cite

from corpus.errors import InputError, StoreError
from ui.talks import store
from ui.talks.file import NAME
from ui.talks.kept import Kept, owner_of, title_of
from ui.talks.store import Talks

ROOT = Path(__file__).parents[1]
ME, OTHER = owner_of(None, "a" * 32), owner_of(None, "b" * 32)


@pytest.fixture
def talks(tmp_path: Path) -> Talks:
    return Talks.open(tmp_path)


def told(talks: Talks, owner: str, question: str, text: str = "An answer.", talk: str = "") -> str:
    """The id of the conversation in which this was asked and answered."""
    talk, number = talks.begin(owner, talk, question, collection="mine")
    talks.end(owner, talk, Kept(number, question, 0.0, "answered", text=text))
    return talk


def titles(talks: Talks, owner: str, words: str = "") -> list[str]:
    return [talk.title for talk in talks.listed(owner, words).talks]


def test_whole_answers_come_back(talks: Talks) -> None:
    answer = cite("What speedup?", "**PIT** reaches 5.9x [1].", [(PIT, "5.9x")])
    talk, number = talks.begin(ME, "", "What speedup?", collection="mine")
    assert talks.listed(ME).talks[0].running
    talks.end(ME, talk, Kept(number, "", 0.0, "answered", text=answer.text, answer=answer))
    (turn,) = talks.turns(ME, talk)
    assert (turn.answer, turn.state, turn.collection) == (answer, "answered", "mine")
    assert not talks.listed(ME).talks[0].running


def test_an_owner_has_only_its_own(talks: Talks) -> None:
    talk = told(talks, ME, "What is secret?")
    assert titles(talks, OTHER) == titles(talks, OTHER, "secret") == []
    assert talks.turns(OTHER, talk) == ()
    assert talks.talk(OTHER, talk) is None
    talks.rename(OTHER, talk, "taken")
    talks.delete(OTHER, talk)
    talks.end(OTHER, talk, Kept(1, "", 0.0, "answered", text="forged"))
    elsewhere, number = talks.begin(OTHER, talk, "Mine now?")
    assert elsewhere != talk
    assert number == 1
    assert titles(talks, ME) == ["What is secret?"]
    assert [turn.text for turn in talks.turns(ME, talk)] == ["An answer."]
    talks.delete(ME, talk)
    talks.restore(OTHER, talk)
    assert titles(talks, ME) == []


def test_an_owner_is_a_login_or_else_a_long_random_id() -> None:
    assert owner_of("ada", "a" * 32) == owner_of("ada", None) != owner_of(None, "a" * 32)
    assert "a" * 32 not in owner_of(None, "a" * 32)
    for short in (None, "", "a" * 31, "A" * 32, 7, "a" * 33, ["a" * 32]):
        assert owner_of(None, short) == ""  # type: ignore[arg-type]
    # Whoever logs in under the words of another's key isn't that other.
    assert owner_of(owner_of(None, "a" * 32), None) != owner_of(None, "a" * 32)


def test_the_newest_come_first_and_words_find_them(talks: Talks) -> None:
    first = told(talks, ME, "How does PIT gather tiles?", "By Permutation Invariant Transformation.")
    told(talks, ME, "What is Größe?", "50% of_it")
    assert titles(talks, ME) == ["What is Größe?", "How does PIT gather tiles?"]
    told(talks, ME, "And naïvely?", "Slower.", first)
    assert titles(talks, ME)[0] == "How does PIT gather tiles?"
    for words in ("pit PERMUTATION", "naively", "slower tiles"):
        assert titles(talks, ME, words) == ["How does PIT gather tiles?"]
    assert titles(talks, ME, "grosse") == titles(talks, ME, "50%") == ["What is Größe?"]
    assert titles(talks, ME, "o_i") == titles(talks, ME, "pit grosse") == titles(talks, ME, '"*') == []
    listing = talks.listed(ME, top=1)
    assert (len(listing.talks), listing.total) == (1, 2)


def test_renamed_for_good_and_back_to_the_first_question(talks: Talks) -> None:
    talk = told(talks, ME, "What is PIT?")
    talks.rename(ME, talk, "  Sparse\n compilers ")
    assert titles(talks, ME) == titles(talks, ME, "sparse") == ["Sparse compilers"]
    talks.rename(ME, talk, "x" * 1000)
    assert len(titles(talks, ME)[0]) == 120
    talks.rename(ME, talk, " ")
    assert titles(talks, ME) == ["What is PIT?"]


def test_deleted_brought_back_and_gone_from_the_file(
    talks: Talks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = told(talks, ME, "What is quokkaflow?", "A quokkaflow.")
    talks.delete(ME, talk)
    assert titles(talks, ME) == []
    assert talks.turns(ME, talk) == ()
    talks.restore(ME, talk)
    assert titles(talks, ME) == ["What is quokkaflow?"]
    talks.delete(ME, talk)
    monkeypatch.setattr(store, "UNDO_SECONDS", -1.0)
    talks.restore(ME, talk)
    assert titles(talks, ME) == []
    talks.purge()
    kept = b"".join(path.read_bytes() for path in tmp_path.glob(f"{NAME}*"))
    assert b"quokkaflow" not in kept


def test_each_change_is_counted_for_its_owner(talks: Talks) -> None:
    talk = told(talks, ME, "q")
    before = talks.listed(ME).version
    talks.rename(ME, talk, "other")
    assert talks.listed(ME).version > before
    assert talks.listed(OTHER).version == 0


def test_at_the_limit_the_oldest_stay(talks: Talks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_TALKS", 2)
    first = told(talks, ME, "first")
    told(talks, ME, "second")
    with pytest.raises(InputError, match="Delete some"):
        talks.begin(ME, "", "third")
    told(talks, ME, "more of the first", talk=first)
    told(talks, OTHER, "others have their own limit")
    assert titles(talks, ME) == ["first", "second"]
    talks.delete(ME, first)
    told(talks, ME, "third")
    monkeypatch.setattr(store, "MOST_TURNS", 1)
    with pytest.raises(InputError, match="start a new chat"):
        talks.begin(ME, talks.listed(ME).talks[0].id, "one too many")


def test_any_text_is_kept(talks: Talks) -> None:
    odd = "half \ud800 a character, \x00, <b> & 'quotes' %"
    talk = told(talks, ME, odd, odd)
    answer = cite(odd, odd, [])
    number = talks.begin(ME, talk, odd)[1]
    talks.end(ME, talk, Kept(number, "", 0.0, "answered", text=odd, answer=answer))
    again = talks.turns(ME, talk)[1]
    assert again.question == again.text == odd.replace("\ud800", "?")
    assert again.answer is not None
    assert again.answer.text == again.text


def test_what_another_version_kept_has_its_text(talks: Talks, tmp_path: Path) -> None:
    talk = told(talks, ME, "q", "the text")
    talks._connection.execute("UPDATE turns SET answer = '{\"later\": 1}'")
    (turn,) = talks.turns(ME, talk)
    assert (turn.text, turn.answer) == ("the text", None)


def test_only_its_owner_may_read_the_file(talks: Talks, tmp_path: Path) -> None:
    told(talks, ME, "q")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob(f"{NAME}*")}
    assert len(modes) == 3
    assert set(modes.values()) == {0o600}


@pytest.mark.parametrize("damage", [b"no database at all" * 999, None])
def test_a_damaged_file_is_set_aside_and_named(tmp_path: Path, damage: bytes | None) -> None:
    talks = Talks.open(tmp_path)
    for number in range(50):
        told(talks, ME, f"question {number}", "words " * 200)
    talks.close()
    path = tmp_path / NAME
    whole = path.read_bytes()
    path.write_bytes(damage or whole[:8192] + b"\xaa" * 8192 + whole[16384:])
    wrong = path.read_bytes()
    again = Talks.open(tmp_path)
    (aside,) = tmp_path.glob(f"{NAME}.damaged-*[0-9]")
    assert str(aside) in again.trouble
    assert aside.read_bytes() == wrong
    told(again, ME, "anew")
    assert titles(again, ME) == ["anew"]
    assert Talks.open(tmp_path).trouble == ""


def test_a_file_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    talks = Talks.open(tmp_path)
    talks._connection.execute("PRAGMA user_version = 99")
    talks.close()
    later = Talks.open(tmp_path)
    assert "format 99" in later.trouble
    assert not list(tmp_path.glob("*damaged*"))
    told(later, ME, "asked all the same")
    assert titles(later, ME) == ["asked all the same"]


def test_a_folder_that_cannot_be_written_costs_the_keeping_only(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where the folder should be")
    talks = Talks.open(tmp_path / "home")
    assert "can't be kept" in talks.trouble
    told(talks, ME, "q")
    assert titles(talks, ME) == ["q"]


def test_a_full_file_is_said_so_and_keeps_what_it_has(talks: Talks) -> None:
    told(talks, ME, "first")
    talks._connection.execute("PRAGMA max_page_count = 1")
    with pytest.raises(StoreError, match="Delete conversations"):
        told(talks, ME, "second", "words " * 100_000)
    assert "first" in titles(talks, ME)


PROCESS = """
import sys, time
from pathlib import Path
from ui.talks.kept import Kept
from ui.talks.store import Talks
talks = Talks.open(Path(sys.argv[1]))
owner, talk = sys.argv[2], sys.argv[3]
for number in range(25):
    talk, turn = talks.begin(owner, talk, f"theirs {number}")
    talks.end(owner, talk, Kept(turn, "", 0.0, "answered", text="a"))
talks.begin(owner, talk, "unfinished")
print("ready", flush=True)
sys.stdin.read()
"""


def test_two_processes_share_the_file(talks: Talks, tmp_path: Path) -> None:
    talk = told(talks, ME, "mine")
    command = [sys.executable, "-c", PROCESS, str(tmp_path), ME, talk]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        for number in range(25):
            told(talks, ME, f"mine {number}", talk=talk)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        turns = talks.turns(ME, talk)
        assert len({turn.number for turn in turns}) == len(turns) == 52
        assert {turn.question for turn in turns} >= {f"theirs {n}" for n in range(25)}
        unfinished = next(turn for turn in turns if turn.question == "unfinished")
        assert unfinished.state == "elsewhere"
        assert talks.listed(ME).talks[0].running
    assert [turn.state for turn in talks.turns(ME, talk) if turn.question == "unfinished"] == ["cut"]
    assert not talks.listed(ME).talks[0].running


def test_an_answer_is_cut_off_where_its_process_is_gone(tmp_path: Path) -> None:
    first = Talks.open(tmp_path)
    talk, _ = first.begin(ME, "", "q")
    assert first.turns(ME, talk)[0].state == "running"
    # The same process id in a later process, as in a container that was started again.
    assert Talks.open(tmp_path).turns(ME, talk)[0].state == "cut"


def test_names_are_whole_words_of_the_question() -> None:
    assert title_of(" What is\nPIT? ") == "What is PIT?"
    long = title_of("word, " * 30)
    assert long.endswith("word…")
    assert len(long) <= 61
    assert len(title_of("w" * 500)) == 61
