"""The commands that answer: search, ask, answer."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict

from assistant.answer import Answer, Turn
from assistant.assistant import Assistant
from assistant.commands.chosen import check_collection, chosen_papers
from assistant.config import Settings
from assistant.console import note, show_progress, write, write_json, write_markdown, write_table
from assistant.retrieve import Filters
from corpus.errors import InputError
from corpus.papers import Paper


def open_assistant(settings: Settings) -> Assistant:
    """The assistant over the collection asked for; a note says so where the built-in one stands in."""
    check_collection(settings)
    assistant = Assistant.open(settings)
    if assistant.collection.name != settings.collection:
        note(
            f"The collection {settings.collection!r} is empty: this is the built-in collection "
            f"{assistant.collection.name!r}. Add your own papers with `assistant ingest PATH`."
        )
    return assistant


def search(given: Namespace, settings: Settings) -> int:
    """The exit status; the hits are on stdout."""
    query, assistant = _words(given.query, "query"), open_assistant(settings)
    hits = assistant.search(query, top_k=given.top_k, filters=_filters(given, assistant))
    if given.json:
        write_json([asdict(hit) for hit in hits])
    elif hits:
        write_table(
            ("score", "id", "label", "quote"),
            [(f"{h.score:.2f}", h.paper_id, h.label, h.quote) for h in hits],
        )
    else:
        note("No paper found.")
    return 0


def ask(given: Namespace, settings: Settings) -> int:
    """The exit status; the answer is on stdout, with its sources below."""
    history: tuple[Turn, ...] = ()
    if given.history:
        # Only here: the validation costs a tenth of a second, which a bare question doesn't need.
        from assistant.batch import read_history

        history = read_history(given.history)
    question = _words(given.question, "question")
    with closing(open_assistant(settings)) as assistant:
        filters = _filters(given, assistant)
        if given.dry_run:
            return _dry_run(assistant, question, history, filters)
        answer = assistant.ask(question, history=history, filters=filters, notify=note)
        return _show(answer, assistant, as_json=given.json)


def _show(answer: Answer, assistant: Assistant, *, as_json: bool) -> int:
    """The exit status; the answer is on stdout, what went wrong on stderr."""
    if answer.error and answer.status != "error":
        note(answer.error)
    if as_json:
        write_json(answer.to_dict())
    elif answer.status != "error":
        write_markdown(answer.text)
        papers = assistant.collection.papers([citation.paper_id for citation in answer.citations])
        for line in (*_cautions(answer), *_references(answer, papers)):
            write(line)
    if answer.status == "error":
        note(f"assistant: {answer.error}")
        return 1
    return 0


def _dry_run(assistant: Assistant, question: str, history: tuple[Turn, ...], filters: Filters) -> int:
    """The exit status; the prompt is on stdout, its size and cost on stderr."""
    plan = assistant.plan(question, history=history, filters=filters)
    for message in plan.messages:
        write(message.content)
    cost = "an unknown price" if plan.cost_usd is None else f"at most {plan.cost_usd:.5f} US dollars"
    note(
        f"{plan.prompt_tokens} prompt tokens for {plan.model!r}, an answer of at most {plan.max_output}: "
        f"{cost}. Nothing was sent."
    )
    return 0


def _cautions(answer: Answer) -> Iterator[str]:
    """The sentences that what they cite doesn't bear out."""
    for one in answer.sentences:
        if one.support in ("partly", "unsupported"):
            yield ""
            why = f" ({'; '.join(one.reasons)})" if one.reasons else ""
            verdict = "Only partly supported" if one.support == "partly" else "Not supported"
            yield f"{verdict}: {one.text}{why}"


def answer(given: Namespace, settings: Settings) -> int:
    """The exit status; the answers are in the file `--out`."""
    from assistant.batch import answer_all, read_questions

    questions = read_questions(given.questions)
    if given.out.resolve() == given.questions.resolve():
        raise InputError(f"--out is {str(given.out)!r}, the file of questions itself; name another file")
    with closing(open_assistant(settings)) as assistant, show_progress() as progress:
        filters = _filters(given, assistant)
        answers = answer_all(
            questions,
            lambda item: assistant.ask(item.text, history=item.history, filters=filters, id=item.id),
            given.out,
            workers=given.workers,
            resume=given.resume,
        )
        failed = 0
        for number, one in enumerate(answers, 1):
            failed += one.status == "error"
            if progress:
                progress("questions", number, len(questions))
    note(f"{len(questions)} answers in {str(given.out)!r}" + (f", {failed} of them failed" if failed else ""))
    return 1 if failed else 0


def byline(paper: Paper) -> str:
    """Authors, organisations and year in one line: "Ada Lovelace, Bob et al. · MIT · 2023"."""
    authors = ", ".join(paper.authors).replace(", et al.", " et al.")
    parts = (authors, ", ".join(paper.organisations), paper.venue or "", str(paper.year or ""))
    return " · ".join(part for part in parts if part)


def _references(answer: Answer, papers: list[Paper]) -> Iterator[str]:
    by_id = {name: paper for paper in papers for name in (paper.id, *paper.aliases)}
    for citation in answer.citations:
        paper = by_id.get(citation.paper_id)
        yield ""
        yield f"[{citation.marker}] {citation.label} ({citation.paper_id})"
        if paper and (line := byline(paper)):
            yield f"    {line}"
        for quote in citation.quotes:
            yield f"    “{quote.text}”"


def _filters(given: Namespace, assistant: Assistant) -> Filters:
    papers = chosen_papers(given.papers, assistant.collection)
    return Filters(years=given.year, authors=tuple(given.author), papers=papers)


def _words(text: str, what: str) -> str:
    if not text.strip():
        raise InputError(f"the {what} is {text!r}; give it some words")
    return text
