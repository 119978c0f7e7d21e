"""Questions that point at the last answer, and lists narrowed by who wrote and where it came out."""

from __future__ import annotations

from pathlib import Path

import pytest
from made import Library

from assistant.answer import Answer, Turn
from assistant.assistant import Assistant
from corpus.collection import open_collection
from corpus.embedder import LocalEmbedder
from corpus.readers.records import Record
from corpus.sync import ingest

LIST = "Which papers are about mixture of experts?"


def ask(library: Library, text: str, *before: str) -> Answer:
    return library.assistant.ask(text, history=[Turn("user", one) for one in before])


def cited(answer: Answer) -> list[str]:
    return [citation.paper_id for citation in answer.citations]


def test_an_ordinal_points_at_the_bullets_of_the_last_answer(library: Library) -> None:
    shown = cited(ask(library, LIST))
    assert set(shown) == {"routewise", "expert-merge"}
    assert cited(ask(library, "What is the second about?", LIST)) == shown[1:]
    assert cited(ask(library, "what about the first one?", LIST)) == shown[:1]
    assert cited(ask(library, "and the last?", LIST)) == shown[1:]
    table = ask(library, "Compare the first two", LIST).table
    assert table
    assert table.columns == ("MergeMoE", "RouteWise")


def test_them_are_the_papers_of_the_last_answer(library: Library) -> None:
    answer = ask(library, "yes, compare them", LIST)
    assert (answer.kind, set(cited(answer))) == ("compare", {"routewise", "expert-merge"})
    assert "RouteWise" in answer.standalone_question


def test_a_pronoun_stands_for_the_paper_that_answered(library: Library) -> None:
    before = "Which system writes checkpoints to neighbouring machines?"
    assert cited(ask(library, "How many GPUs did they use?", before)) == ["quokka"]
    two_back = (before, "and how fast is the recovery?")
    assert cited(ask(library, "which utilization does it keep?", *two_back)) == ["quokka"]


def test_any_others_asks_again_without_what_was_shown(library: Library) -> None:
    first = cited(ask(library, "What did Ada Moreau write?"))
    more = ask(library, "any others?", "What did Ada Moreau write?")
    assert more.kind == "list"
    assert not set(first) & set(cited(more))


def test_more_like_this_is_near_and_new(library: Library) -> None:
    more = ask(library, "any other papers like this?", "What is RouteWise?")
    assert cited(more)[0] == "expert-merge"
    assert "RouteWise" in more.standalone_question
    assert "routewise" not in cited(more)


def test_their_later_one_is_another(library: Library) -> None:
    answer = ask(library, "and their later one, how much less communication?", "What is Nexo?")
    assert cited(answer) == ["nexo-plus"]


@pytest.mark.parametrize(
    ("text", "papers", "said"),
    [
        ("papers from lakeside-lab", {"tileflow"}, "from lakeside-lab"),
        ("Which papers came out in the Journal of Made-up Systems?", {"tileflow"}, "in Journal of Made-up"),
        ("papers by Ada Moreau", {"tileflow", "quokka"}, "by Ada Moreau"),
        ("Which papers by Ada Moreau are about checkpointing?", {"quokka"}, "by Ada Moreau"),
        ("papers by Wei Chen since 2025", {"routewise"}, "by Wei Chen since 2025"),
    ],
)
def test_what_narrows_a_list_is_kept_and_said(
    library: Library, text: str, papers: set[str], said: str
) -> None:
    answer = ask(library, text)
    assert (answer.kind, set(cited(answer))) == ("list", papers)
    assert said in answer.text


def test_no_paper_of_theirs_on_it_is_said(library: Library) -> None:
    answer = ask(library, "Which papers by Ada Moreau are about honey bees?")
    assert (answer.status, cited(answer)) == ("not_found", [])
    assert "by Ada Moreau" in answer.text
    assert "since 2030" in ask(library, "papers by Wei Chen since 2030").text


def test_versions_of_one_text_share_a_bullet(tmp_path: Path, embedder: LocalEmbedder) -> None:
    text = (
        "Checkpoints slow down training. We present Heron, a checkpointing system for clusters. "
        "Heron overlaps the writing with the backward pass. It cuts the overhead from {} to 2%."
    )
    others = (
        "Training stops when machines fail. Egret restarts training from checkpoints in memory.",
        "Storage is slow. Stork is a checkpointing format that compresses the weights of training runs.",
    )
    fields = [
        {"id": "first", "title": "Heron at work", "abstract": text.format("12%")},
        {"id": "second", "title": "Heron, extended", "abstract": text.format("9%")},
        *({"id": f"other-{number}", "abstract": one} for number, one in enumerate(others)),
    ]
    records = [Record(number, one, repr(one), "made.jsonl") for number, one in enumerate(fields)]
    ingest(tmp_path, "versions", records, embedder)
    collection = open_collection(tmp_path, "versions", embedder)
    answer = Assistant(collection, embedder).ask("Which papers are about checkpointing for training?")
    bullets = [line for line in answer.text.splitlines() if line.startswith("- ")]
    assert len(bullets) < len(answer.citations)
    [both] = [line for line in bullets if "in nearly the same words" in line]
    assert "Egret" not in both
    assert {"first", "second"} <= {citation.paper_id for citation in answer.citations}
